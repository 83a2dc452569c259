"""Licences are known by their wording, and what is said elsewhere is compared with them."""

import re
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.code import read_code
from assay.repository.licence import LicenceFacts, StatementKind, agree, is_open, read_licences, withholds
from assay.repository.licence.matches import identify
from assay.repository.licence.names import Name, named_licences, names
from assay.repository.licence.table import references, unpack
from assay.repository.licence.table_maker import rows
from assay.tree import tree_of

APACHE = (Path(__file__).parents[2] / "LICENSE").read_text(encoding="utf-8")
ISC = """Copyright (c) 2021, A. Person

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
"""


def facts_of(files: dict[str, str]) -> LicenceFacts:
    tree = tree_of(files)
    return read_licences(tree, read_code(tree))


# --- texts -----------------------------------------------------------------------------------------


def licence_texts(installed: Distribution) -> dict[str, str]:
    """The licence files at the top of an installed distribution's metadata."""
    named = re.compile(r"[^/]+\.dist-info/(?:licenses/)?(?:licen[cs]e|copying)[^/]*", re.IGNORECASE)
    found = [p for p in installed.files or () if named.fullmatch(str(p))]
    return {p.name: p.read_text(encoding="utf-8") for p in found}


def test_nearly_all_installed_distributions_have_the_licence_that_they_declare() -> None:
    right, wrong = [], []
    for installed in distributions():
        declared = named_licences(installed.metadata.get("License-Expression") or "")
        texts = licence_texts(installed)
        if not declared or not texts:
            continue
        found = facts_of(texts).main
        name = installed.metadata["Name"]
        (right if any(agree(a, b) for a in declared for b in found) else wrong).append(name)
    assert len(right) > 30
    assert len(right) / (len(right) + len(wrong)) >= 0.97, wrong


@pytest.mark.parametrize("text", [APACHE, APACHE.partition("APPENDIX")[0], re.sub(r"\s+", " ", APACHE), f"# {APACHE}"])
def test_layout_and_appendix_do_not_matter(text: str) -> None:
    [match] = identify(text)
    assert match.spdx == "Apache-2.0"
    assert match.exact


def test_a_near_twin_is_told_apart() -> None:
    without = ISC.replace(
        ", provided that the above\ncopyright notice and this permission notice appear in all copies", ""
    )
    assert [m.spdx for m in identify(ISC)] == ["ISC"]
    assert [m.spdx for m in identify(without)] == ["0BSD"]


def test_licences_of_bundled_software_come_after_the_own() -> None:
    [file] = facts_of({"LICENSE": f"{ISC}\n\n{'-' * 70}\nThis bundles a tool, under:\n\n{APACHE}"}).files
    assert file.licences == ("ISC", "Apache-2.0")


def test_a_changed_licence_is_near_but_not_exact() -> None:
    changed = ISC.replace("any\npurpose with or without fee", "research purposes only and no commercial use")
    [file] = facts_of({"LICENSE": changed}).files
    assert file.licences == ("ISC",)
    assert file.similarity < 0.95


def test_a_notice_names_its_licence() -> None:
    notice = 'Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except…'
    assert facts_of({"LICENSE": notice}).main == ("Apache-2.0",)


def test_unknown_terms_show_what_they_withhold() -> None:
    [file] = facts_of({"LICENSE": "You may use the Work\nfor non-commercial purposes only.\n"}).files
    assert file.licences == ()
    assert [(words, place.line) for words, place in file.restrictions] == [("non-commercial", 2)]


@settings(max_examples=50)
@given(st.text(max_size=200))
def test_no_text_is_taken_for_a_licence_by_chance(text: str) -> None:
    assert identify(text) == ()


# --- which file counts -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["LICENSE", "LICENCE.md", "license.txt", "COPYING", "COPYING.rst", "LICENSE-ISC"])
def test_licence_files_have_many_names(name: str) -> None:
    assert facts_of({name: ISC}).main == ("ISC",)


@pytest.mark.parametrize("name", ["license.py", "LICENSE_3RD_PARTY", "ThirdPartyLicense.txt", "licensed.csv"])
def test_other_files_are_no_licence_files(name: str) -> None:
    assert facts_of({name: ISC}).files == ()


def test_licences_of_vendored_code_do_not_count() -> None:
    assert facts_of({"train.py": "", "third_party/tool/LICENSE": ISC}).main == ()


def test_the_licence_of_an_authors_own_part_counts() -> None:
    part = {"train.py": "", "model/README.md": "", "model/LICENSE": f"Copyright (c) 2020 Jane Doe\n{ISC}"}
    assert facts_of(part).main == ()
    assert facts_of(part | {"setup.py": "from setuptools import setup\nsetup(author='Jane Doe')\n"}).main == ("ISC",)


def test_the_file_nearest_to_the_root_counts() -> None:
    assert facts_of({"LICENSE": ISC, "docs/LICENSE": APACHE, "docs/x.md": ""}).main == ("ISC",)


# --- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("MIT", ("MIT",)),
        ("The MIT License (MIT)", ("MIT",)),
        ("Apache License, Version 2.0", ("Apache-2.0",)),
        ("Apache%202.0", ("Apache-2.0",)),
        ("3-Clause BSD License", ("BSD-3-Clause",)),
        ("BSD", ("BSD",)),
        ("GNU General Public License v3 or later (GPLv3+)", ("GPL-3.0",)),
        ("GPL-2.0-or-later", ("GPL-2.0",)),
        ("GNU Lesser General Public License v3", ("LGPL-3.0",)),
        ("AGPLv3", ("AGPL-3.0",)),
        ("GPL (>= 2)", ("GPL",)),
        ("Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International", ("CC-BY-NC-SA-4.0",)),
        ("CC BY-NC 4.0", ("CC-BY-NC-4.0",)),
        ("MIT OR Apache-2.0", ("MIT", "Apache-2.0")),
        ("MIT + file LICENSE", ("MIT",)),
        ("Proprietary", ("LicenseRef-Proprietary",)),
        ("published by MIT Press", ()),
        ("as permitted", ()),
    ],
)
def test_names_of_licences_are_understood(text: str, names: tuple[str, ...]) -> None:
    assert named_licences(text) == names


@pytest.mark.parametrize("name", names(), ids=lambda name: name.spdx)
def test_every_name_of_the_table_finds_its_example(name: Name) -> None:
    assert named_licences(name.example) == (name.spdx,)


@pytest.mark.parametrize(
    ("one", "other"),
    [("GPL-3.0-only", "GPL-3.0-or-later"), ("BSD", "BSD-3-Clause"), ("GPL", "GPL-2.0"), ("CC-BY", "CC-BY-4.0")],
)
def test_a_family_agrees_with_its_members(one: str, other: str) -> None:
    assert agree(one, other)
    assert agree(other, one)


@pytest.mark.parametrize(("one", "other"), [("MIT", "MIT-0"), ("CC-BY", "CC-BY-NC-4.0"), ("GPL-2.0", "GPL-3.0")])
def test_different_licences_do_not_agree(one: str, other: str) -> None:
    assert not agree(one, other)


@pytest.mark.parametrize(
    ("spdx", "free"),
    [
        ("MIT", True), ("GPL-3.0", True), ("BSD", True), ("CC0-1.0", True), ("CC-BY-4.0", True),
        ("CC-BY-NC-4.0", False), ("CC-BY-NC-SA", False), ("CC-BY-ND-4.0", False), ("BUSL-1.1", False),
        ("LicenseRef-Proprietary", False), ("Unheard-Of", None),
    ],
)  # fmt: skip
def test_open_source_is_what_osi_or_fsf_call_so(spdx: str, free: bool | None) -> None:
    assert is_open(spdx) is free


def test_the_table_knows_every_licence_once() -> None:
    names = [r.spdx for r in references()]
    assert len(names) == len(set(names)) > 600


def test_a_row_of_the_table_is_made_from_a_text() -> None:
    licence = {"licenseId": "ISC-only", "isOsiApproved": True, "isFsfLibre": None, "text": f"ISC License\n{ISC}"}
    [row] = rows([licence, licence | {"licenseId": "Twin"}, {"licenseId": "Old", "isDeprecatedLicenseId": True}])
    [known] = [r for r in references() if r.spdx == "ISC"]
    name, flags, length, packed = row.split("\t")
    assert (name, flags, int(length)) == ("ISC", "o-", known.fingerprint.length)
    assert unpack(packed) == known.fingerprint.sample


# --- statements ------------------------------------------------------------------------------------


def test_statements_are_found_with_their_places() -> None:
    facts = facts_of(
        {
            "pyproject.toml": '[project]\nname = "x"\nlicense = "MIT"\n'
            'classifiers = [\n  "License :: OSI Approved :: BSD License",\n]\n',
            "setup.py": "from setuptools import setup\nsetup(license='Apache 2.0')\n",
            "CITATION.cff": "cff-version: 1.2.0\nlicense: GPL-3.0-only\n",
            "README.md": "# X\n![License: ISC](https://img.shields.io/badge/license-ISC-blue.svg)\n\n"
            "## License\nThis is under the MPL 2.0.\n",
            "a.py": "# SPDX-License-Identifier: Zlib\n",
            "DESCRIPTION": "Package: x\nLicense: MIT + file LICENSE\n",
        }
    )
    found = {(s.kind, s.licences, str(s.location)) for s in facts.statements}
    assert found == {
        (StatementKind.MANIFEST, ("MIT",), "pyproject.toml:3"),
        (StatementKind.CLASSIFIER, ("BSD",), "pyproject.toml:5"),
        (StatementKind.MANIFEST, ("Apache-2.0",), "setup.py:2"),
        (StatementKind.CITATION, ("GPL-3.0",), "CITATION.cff:2"),
        (StatementKind.BADGE, ("ISC",), "README.md:2"),
        (StatementKind.README, ("MPL-2.0",), "README.md:4"),
        (StatementKind.HEADER, ("Zlib",), "a.py:1"),
        (StatementKind.MANIFEST, ("MIT",), "DESCRIPTION:2"),
    }


def test_a_badge_that_contradicts_the_file_is_a_conflict() -> None:
    badge = "![License](https://img.shields.io/badge/license-MIT-green)"
    [conflict] = facts_of({"LICENSE": ISC, "README.md": badge}).conflicts
    assert conflict.kind is StatementKind.BADGE
    assert conflict.licences == ("MIT",)


def test_what_agrees_is_no_conflict() -> None:
    files = {
        "LICENSE": APACHE,
        "setup.cfg": "[metadata]\nlicense = Apache 2.0\n",
        "README.md": "## License\nThe code is Apache 2.0.\n\nThe weights are available under CC BY-NC 4.0.\n",
    }
    assert facts_of(files).conflicts == ()


def test_without_a_file_the_licence_is_what_is_stated() -> None:
    facts = facts_of({"README.md": "License\n=======\nMIT\n"})
    assert facts.main == ("MIT",)
    assert facts.files == ()


def test_a_broken_manifest_is_no_obstacle() -> None:
    assert facts_of({"pyproject.toml": "[[[", "setup.py": "def (", "LICENSE": ISC}).main == ("ISC",)


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 300_000,
        "copyright " * 40_000,
        "license:" + " " * 300_000 + "x",
        "licensed" + " " * 300_000,
        "![license" * 40_000,
        "(c) " * 80_000,
        "gnu general public license " * 12_000,
    ],
)
def test_text_made_to_be_slow_is_not(text: str) -> None:
    facts = facts_of({"LICENSE": text, "README.md": text, "setup.cfg": text, "pyproject.toml": text, "a/LICENSE": text})
    assert len(facts.files) == 2


def test_the_terms_of_the_data_are_not_those_of_the_code() -> None:
    far = "- Dataset: [Challenge 2019](https://example.org/challenge-2019/), " + "hourly rows of patients, " * 10
    assert facts_of(
        {"README.md": f"# Work\n\n## Dataset & License\n\n{far}\n- Code: MIT\n- Weights: CC BY-NC\n"}
    ).main == ("MIT",)


def test_what_a_template_leaves_to_be_filled_in_is_no_licence() -> None:
    readme = "# Work\n\n## License\n\n[Add your license here - e.g., MIT, Apache 2.0]\n"
    assert facts_of({"README.md": readme}).main == ()
    assert facts_of({"README.md": "# Work\n\n## License\n\n[MIT](LICENSE)\n"}).main == ("MIT",)


def test_a_readme_in_the_folder_of_the_code_speaks_where_the_root_has_none() -> None:
    said = {"app/README.md": "# Projet\n\n## Licence\n\nCe projet est sous licence MIT.\n", "app/main.py": "print(1)\n"}
    assert facts_of(said).main == ("MIT",)
    assert facts_of(said | {"README.md": "# Work\n"}).main == ()


def test_a_further_readme_of_the_root_speaks_where_nothing_else_does() -> None:
    said = {"README.md": "# Work\n", "README-SERVER.md": "# Server\n\n## License\n\nMIT License, see the file.\n"}
    assert facts_of(said).main == ("MIT",)
    assert facts_of(said | {"README.md": "# Work\n\n## License\n\nApache 2.0\n"}).main == ("Apache-2.0",)
    assert facts_of({"README.md": "# Work\n", "README_DATA.md": said["README-SERVER.md"]}).main == ()


def test_a_licence_whose_text_stands_in_the_readme_is_known_by_it() -> None:
    facts = facts_of({"README.md": f"# Work\n\nIt draws circles.\n\n```\n{ISC}```\n"})
    assert facts.main == ("ISC",)
    assert facts_of({"README.md": "# Work\n\nPermission is hereby granted to look at it.\n"}).main == ()


def test_the_matter_above_a_page_names_a_licence() -> None:
    assert facts_of({"README.md": "---\ntitle: Work\nlicense: mit\n---\n# Work\n"}).main == ("MIT",)
    assert facts_of({"README.md": "---\ntitle: Work\n---\n# Work\n\nlicense: mit\n"}).main == ()


def test_what_npm_writes_down_unasked_is_no_licence() -> None:
    assert facts_of({"package.json": '{\n  "license": "ISC"\n}\n', "train.py": "print(1)\n"}).main == ()
    assert facts_of({"package.json": '{\n  "license": "MIT"\n}\n', "train.py": "print(1)\n"}).main == ("MIT",)


def test_a_package_below_the_root_speaks_where_the_root_is_silent() -> None:
    setup = "from setuptools import setup\nsetup(classifiers=['License :: OSI Approved :: MIT License'])\n"
    assert facts_of({"README.md": "# Work\n", "work/setup.py": setup}).main == ("MIT",)
    assert facts_of({"README.md": "# Work\n\n## License\n\nBSD\n", "work/setup.py": setup}).main == ("BSD",)
    copied = {"README.md": "# Work\n", "copied/setup.py": setup, "a.py": "", "b.py": "", "c.py": ""}
    assert facts_of(copied).main == ()


# --- words of the authors' own ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        {"README.md": "# Work\n## License\nOnly for educational purposes.\n"},
        {"README.md": "# Work\n", "README_long.md": "# Work\n## 📄 Licence\nPrivate use allowed. Tell us:\n"},
    ],
)
def test_terms_in_words_of_their_own_are_neither_a_licence_nor_none(files: dict[str, str]) -> None:
    facts = facts_of(files)
    assert facts.main == () == facts.named
    assert [bool(s.text) for s in facts.statements] == [True]


@pytest.mark.parametrize(
    "files",
    [
        {"README.md": "# Work\nFeel free to use your own rows, or another optimiser than the one of the code.\n"},
        {"README.md": "# Work\nFeel free to open an issue.\n"},
        {"README.md": "# Work\n## License\nSee the file. Feel free to ask us.\n"},
        {"README.md": "# Work\n## License\n[Choose who is allowed to use it]\n"},
    ],
)
def test_what_only_sounds_like_terms_is_no_statement(files: dict[str, str]) -> None:
    assert facts_of(files).statements == ()


def test_where_a_licence_is_named_other_words_do_not_count() -> None:
    facts = facts_of({"README.md": "# Work\n## License\nMIT. Feel free to use this code.\n"})
    assert facts.main == ("MIT",)
    assert facts.statements == facts.named
    assert facts_of({"LICENSE": ISC, "README.md": "# Work\nFeel free to use this code.\n"}).statements == ()


def test_terms_that_withhold_something_are_told_apart() -> None:
    said = {
        text: facts_of({"README.md": f"# Work\n## License\n{text}\n"}).statements[0]
        for text in (
            "Academic use permitted.",
            "Free to use for everybody.",
        )
    }
    assert [withholds(statement) for statement in said.values()] == [True, False]
