"""Every source of files becomes the same bounded tree, and hostile ones end soon with a note."""

import io
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.tree import File, Limits, Link, Tree, open_tree, tree_of
from assay.tree.files import matches

FILES = {
    "README.md": "# A study\n",
    "src/pkg/__init__.py": "",
    "src/pkg/train.py": "import numpy as np\n",
    "data/sub/x.csv": "a,b\n1,2\n",
    "node_modules/left/index.js": "x",
    "env/pyvenv.cfg": "home = /usr",
    "env/lib/thing.py": "x = 1",
    "third_party/tool/run.py": "y = 2",
}
LISTED = ["README.md", "data/sub/x.csv", "src/pkg/__init__.py", "src/pkg/train.py", "third_party/tool/run.py"]


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def as_folder(root: Path) -> Path:
    return write(root / "folder", FILES)


def as_zip(root: Path) -> Path:
    with zipfile.ZipFile(root / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in FILES.items():
            archive.writestr(f"study-main/{name}", text)
    return root / "a.zip"


def as_tar(kind: str) -> Callable[[Path], Path]:
    def make(root: Path) -> Path:
        with tarfile.open(root / f"a.tar.{kind}", f"w:{kind}") as archive:  # type: ignore[call-overload]
            for name, text in FILES.items():
                member = tarfile.TarInfo(f"study-main/{name}")
                member.size = len(text)
                archive.addfile(member, io.BytesIO(text.encode()))
        return root / f"a.tar.{kind}"

    return make


def as_commit(root: Path) -> Path:
    folder = as_folder(root)
    git(folder, "init")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "x")
    write(folder, {"later.py": "not committed"})
    return Path(f"{folder}@main")


def as_bare(root: Path) -> Path:
    as_commit(root)
    git(root, "clone", "--bare", "folder", "bare")
    return root / "bare"


EVERY_SOURCE = pytest.mark.parametrize(
    "make", [as_folder, as_zip, as_tar(""), as_tar("gz"), as_tar("bz2"), as_tar("xz"), as_commit, as_bare]
)


@EVERY_SOURCE
def test_every_source_gives_the_same_tree(make: Callable[[Path], Path], tmp_path: Path) -> None:
    tree = open_tree(make(tmp_path))
    assert [f.path for f in tree.files] == LISTED
    assert {f.path: f.text() for f in tree.files} == {path: FILES[path] for path in LISTED}
    assert {f.path: f.size for f in tree.files} == {path: len(FILES[path]) for path in LISTED}
    assert [f.path for f in tree.files if f.vendored] == ["third_party/tool/run.py"]
    assert set(tree.ignored) == {"env", "node_modules"}
    assert tree.left_out == ()


@pytest.mark.parametrize(
    ("others", "ignored"),
    [
        (["venv/bin/activate", "venv/lib/python3.8/os.py", "venv/lib/python3.8/site-packages/a.py"], "venv"),
        (["e/Scripts/activate.bat", "e/Lib/site-packages/a.py", "e/Lib/os.py"], "e"),
        (["tools/lib/python3.6/os.py", "tools/lib/python3.6/site-packages/a.py"], "tools/lib/python3.6"),
        (["lib/python3.9/os.py", "lib/python3.9/site-packages/a.py", "bin/activate"], "lib/python3.9"),
    ],
)
@pytest.mark.parametrize("on_disk", [True, False])
def test_environments_are_told_by_how_they_are_laid_out(
    others: list[str], ignored: str, on_disk: bool, tmp_path: Path
) -> None:
    files = {"train.py": "import a\n", **dict.fromkeys(others, "x = 1\n")}
    tree = open_tree(write(tmp_path, files)) if on_disk else tree_of(files)
    assert tree.ignored == (ignored,)
    assert [f.path for f in tree.files if f.suffix == ".py"] == ["train.py"]


# --- looking things up -----------------------------------------------------------------------------


@pytest.fixture
def tree() -> Tree:
    return tree_of(FILES | {"docs/readme.MD": "x", "a.py": "", "src.txt": ""})


def paths(files: tuple[File, ...]) -> list[str]:
    return [f.path for f in files]


def test_names_are_found_whatever_their_case(tree: Tree) -> None:
    assert paths(tree.by_name("readme.md")) == ["README.md", "docs/readme.MD"]
    assert paths(tree.by_suffix(".md", ".CSV")) == ["README.md", "data/sub/x.csv", "docs/readme.MD"]


def test_folders_are_found_with_what_is_in_them(tree: Tree) -> None:
    assert paths(tree.under("src")) == ["src/pkg/__init__.py", "src/pkg/train.py"]
    assert paths(tree.directly_in("")) == ["README.md", "a.py", "src.txt"]
    assert tree.under("") == tree.files


@pytest.mark.parametrize("path", ["src", "src/pkg/", "./src/../src/pkg/train.py", "", "."])
def test_what_is_there_exists(tree: Tree, path: str) -> None:
    assert tree.exists(path)


@pytest.mark.parametrize("path", ["sr", "src/pkg/trainpy", "/src", "..", "../src", "node_modules", "src\0"])
def test_what_is_not_there_does_not_exist(tree: Tree, path: str) -> None:
    assert not tree.exists(path)


def test_glob_tells_one_part_from_many(tree: Tree) -> None:
    assert paths(tree.glob("*.py")) == ["a.py"]
    assert paths(tree.glob("**/*.py")) == [p for p in sorted([*LISTED, "a.py"]) if p.endswith(".py")]
    assert paths(tree.glob("src/**")) == ["src/pkg/__init__.py", "src/pkg/train.py"]
    assert paths(tree.glob("./d?ta/*/[x-z].csv")) == ["data/sub/x.csv"]


def test_glob_on_a_pattern_made_to_be_slow_is_quick() -> None:
    assert not matches(("a" * 200,) * 60, ("**", "*a*a*a*a*a*a*b") * 20)


# --- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"])
def test_text_is_decoded_whatever_its_encoding(encoding: str) -> None:
    [file] = tree_of({"README": "Größe\r\nund\rmehr".encode(encoding)}).files
    assert file.text() == "Größe\nund\nmehr"
    assert not file.is_binary


def test_binary_is_told_by_its_null_bytes() -> None:
    [file] = tree_of({"x.py": b"\x7fELF\0\0"}).files
    assert file.is_binary


def test_long_texts_are_cut_within_the_limit_and_not_within_a_character() -> None:
    [file] = tree_of({"x": "ä" * 10}, limits=Limits(text_bytes=5)).files
    assert file.text() == "ää"
    assert file.truncated


@given(st.binary(max_size=200))
def test_every_sequence_of_bytes_is_some_text(data: bytes) -> None:
    [file] = tree_of({"x": data}).files
    assert "\r" not in file.text()
    file.text().encode("utf-8", "surrogatepass")


def test_reading_stops_when_the_budget_is_spent_and_says_so() -> None:
    tree = tree_of({"a": "x" * 60, "b": "y" * 60}, limits=Limits(total_bytes=100))
    assert [len(f.text()) for f in tree.files] == [60, 40]
    assert tree.left_out == ("files were no longer read after 100 bytes in all",)


def test_a_text_in_memory_costs_nothing_to_read_again() -> None:
    tree = tree_of({"a": "x" * 60}, limits=Limits(total_bytes=100))
    assert {tree.files[0].text() for _ in range(5)} == {"x" * 60}
    assert tree.left_out == ()


# --- vendored code ---------------------------------------------------------------------------------

OWN = {"README.md": "mine", "LICENSE": "MIT License. Mine.", "train.py": ""}


@pytest.mark.parametrize(
    "others",
    [
        {"apex/LICENSE": "BSD. Theirs.", "apex/setup.py": ""},
        {"apex/COPYING": "GPL", "apex/README.rst": ""},
        {".gitmodules": '[submodule "x"]\n\tpath = apex\n\turl = https://example.org/x\n', "apex/a.py": ""},
        {"lib/thirdparty/a.py": ""},
        {"external/a.py": ""},
    ],
)
def test_other_projects_inside_are_vendored(others: dict[str, str]) -> None:
    tree = tree_of(OWN | others)
    assert {f.path for f in tree.files if f.vendored} == set(others) - {".gitmodules"}


@pytest.mark.parametrize(
    "own",
    [
        {"packages/a/LICENSE": "MIT  License.\nMine.", "packages/a/setup.py": ""},  # the same licence
        {"ops/setup.py": ""},  # a part that is built by itself
        {"data/LICENSE": "CC-BY", "data/x.csv": ""},  # a licence for data
        {"data/external/x.csv": ""},
        {"scripts/external/fetch.py": ""},  # what fetches the data of others
        {"experiments/cohorts/external/a.py": ""},  # validation on the data of others
    ],
)
def test_own_parts_are_not_vendored(own: dict[str, str]) -> None:
    assert not any(f.vendored for f in tree_of(OWN | own).files)


def test_a_copy_under_the_same_text_of_a_licence_is_vendored_at_any_depth() -> None:
    apache = "Apache License\nVersion 2.0, January 2004\nall copyright, patent, trademark, and attribution notices\n"
    ours = {"README.md": "# Study\n", "LICENSE": apache, "train.py": "x = 1\n", "fit.py": "y = 1\n", "a/b/run.py": ""}
    copy = {
        "eval/deep/tool/LICENSE": apache,
        "eval/deep/tool/README.md": "# Tool\ngit clone git@github.com:others/tool.git\n",
        "eval/deep/tool/python/tool/__init__.py": "",
    }
    assert {f.path for f in tree_of(ours | copy).files if f.vendored} == set(copy)
    part = {path: text.replace("others/tool", "me/study") for path, text in copy.items()}
    assert not any(f.vendored for f in tree_of(ours | part).files)


def test_a_snapshot_that_was_downloaded_is_vendored_beside_more_code() -> None:
    taken = {"tools/thing-master/a.py": "", "thing-main/b.py": "", "thing-main/README.md": ""}
    files = OWN | {"fit.py": "", "score.py": ""} | taken
    assert {f.path for f in tree_of(files).files if f.vendored} == set(taken)
    assert not any(f.vendored for f in tree_of(OWN | taken).files)  # most of what there is
    assert not any(f.vendored for f in tree_of(OWN | {"fit.py": "", "main/a.py": "", "x/master/b.py": ""}).files)


def _written(names: str, holder: str = "") -> dict[str, str]:
    head = f"# Portions Copyright (c) {holder}\n" if holder else ""
    return dict.fromkeys(names.split(), head + "x = 1\n" * 60)


def test_a_library_that_was_copied_into_the_work_is_vendored() -> None:
    parts = ("__init__", "file_utils", "modeling_utils", "optimization", "pipelines")
    theirs = {f"transformers/{part}.py": "import boto3\n" for part in parts}
    ours = {"train.py": "import transformers\n"}
    assert {f.path for f in tree_of(ours | theirs).files if f.vendored} == set(theirs)
    assert not any(f.vendored for f in tree_of(theirs | {"setup.py": ""} | ours).files)  # the library's own repository
    assert not any(f.vendored for f in tree_of(theirs).files)  # all that there is
    few = {path: text for path, text in theirs.items() if "utils" in path or "init" in path}
    assert not any(f.vendored for f in tree_of(ours | few).files)  # models of the authors' own in a folder of that name


def test_a_folder_whose_files_name_another_holder_is_vendored() -> None:
    own, theirs = (
        _written("fit.py score.py nets/a.py"),
        _written("sightline/a.py sightline/b/c.py sightline/d.py", "Big Lab, Inc."),
    )
    assert {f.path for f in tree_of(OWN | own | theirs).files if f.vendored} == set(theirs)


@pytest.mark.parametrize(
    "files",
    [
        _written("fit.py score.py run.py")
        | _written("models/a.py models/b.py models/c.py", "Big Lab"),  # a part of the work
        _written("fit.py score.py run.py tool/a.py tool/b.py tool/c.py", "Big Lab"),  # theirs is everything
        _written("fit.py") | _written("tool/a.py tool/b.py tool/c.py", "Big Lab"),  # most of what there is
        _written("fit.py score.py run.py tool/a.py tool/b.py tool/c.py") | _written("tool/d.py", "Big Lab"),
        _written("fit.py score.py run.py") | _written("tool/a.py tool/b.py tool/c.py", "Mine Lab"),
        _written("fit.py score.py run.py") | _written("tool/a.py tool/b.py tool/c.py", "Jane Roe"),  # who is that?
    ],
)
def test_a_holder_of_rights_alone_does_not_make_code_vendored(files: dict[str, str]) -> None:
    ours = {"LICENSE": "MIT License\n\nCopyright (c) 2020 Mine Lab\n"}
    assert not any(f.vendored for f in tree_of(OWN | ours | files).files)


@pytest.mark.parametrize(
    "named",
    [
        {"setup.py": "setup(author='Jane Doe')"},
        {"CITATION.cff": "authors:\n- family-names: Doe\n  given-names: Jane\n"},
        {"AUTHORS": "Doe, Jane"},
    ],
)
def test_a_project_under_a_licence_of_an_author_is_the_authors_own(named: dict[str, str]) -> None:
    part = {"model/LICENSE": "BSD. Copyright (c) 2020 Jane Doe", "model/README.md": ""}
    assert any(f.vendored for f in tree_of(OWN | part).files)
    assert not any(f.vendored for f in tree_of(OWN | part | named).files)


def test_code_under_a_licence_of_its_own_is_vendored_also_on_a_shelf_if_it_is_the_smaller_part() -> None:
    ours = {"src/train.py": "", "src/model.py": "", "src/data.py": ""}
    theirs = {"baseline/LICENSE": "MIT License\n\nCopyright (c) 2020 Jane Roe\n", "baseline/run.py": ""}
    assert {f.path for f in tree_of(ours | theirs).files if f.vendored} == set(theirs)
    assert not any(f.vendored for f in tree_of({"src/train.py": ""} | theirs).files)


def test_a_project_in_a_subfolder_of_a_mere_shelf_is_not_vendored() -> None:
    assert not any(f.vendored for f in tree_of({"study/LICENSE": "MIT", "study/README.md": ""}).files)


def test_a_fork_that_is_nearly_all_of_a_repository_is_the_work() -> None:
    ours = {"LICENSE": "MIT License\n\nCopyright (c) 2024 Jane Doe\n", "run.py": ""}
    theirs = {"library/LICENSE": "Apache. Copyright 2020 Roe Ltd", "library/setup.py": ""}
    small, large = ({f"library/part{i}.py": "" for i in range(n)} for n in (3, 12))
    assert any(f.vendored for f in tree_of(ours | theirs | small).files)
    assert not any(f.vendored for f in tree_of(ours | theirs | large).files)
    assert any(f.vendored for f in tree_of(ours | theirs | large | {"a.py": "", "b.py": ""}).files)


# --- links -----------------------------------------------------------------------------------------


def test_links_inside_are_followed_by_name_and_links_outside_are_not(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key").write_text("secret")
    root = write(tmp_path / "repo", {"data/v1/x.csv": "1"})
    (root / "current").symlink_to("data/v1")
    (root / "out").symlink_to("../secret")
    (root / "absolute").symlink_to(tmp_path / "secret/key")
    tree = open_tree(root)
    assert paths(tree.files) == ["data/v1/x.csv"]
    assert tree.links == (Link("absolute", None), Link("current", "data/v1"), Link("out", None))
    assert tree.exists("current/x.csv")
    assert tree.get("current/x.csv") == tree.files[0]
    assert not tree.exists("out/key")
    assert not tree.exists("absolute")


def test_links_in_circles_lead_nowhere(tmp_path: Path) -> None:
    write(tmp_path, {"a/x": ""})
    (tmp_path / "a/up").symlink_to("..")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    tree = open_tree(tmp_path)
    assert not tree.exists("one")
    assert tree.exists("a/up/a/up/a/x")
    assert not tree.exists("/".join(["a/up"] * 30))


def test_links_of_a_commit_are_links(tmp_path: Path) -> None:
    root = write(tmp_path, {"docs/README.md": "x"})
    (root / "README.md").symlink_to("docs/README.md")
    (root / "passwords").symlink_to("/etc/passwd")
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "x")
    tree = open_tree(f"{root}@HEAD")
    assert tree.links == (Link("README.md", "docs/README.md"), Link("passwords", None))


# --- commits ---------------------------------------------------------------------------------------


def test_an_older_commit_is_read_as_it_was(tmp_path: Path) -> None:
    git(tmp_path, "init")
    for version in ("one", "two"):
        write(tmp_path, {"a.py": version})
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-m", version)
        git(tmp_path, "tag", f"v-{version}")
    tree = open_tree(f"{tmp_path}@v-one")
    assert tree.files[0].text() == "one"
    assert tree.tags == ("v-one", "v-two")
    assert tree.commit is not None
    assert tree.commit.id != open_tree(tmp_path).commit.id  # type: ignore[union-attr]


def test_nothing_that_a_repository_configures_is_run(tmp_path: Path) -> None:
    root = write(tmp_path / "repo", {"a.txt": "text", ".gitattributes": "* filter=evil diff=evil"})
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "x")
    touch = f"touch {tmp_path}/was-run"
    programs = (
        "core.fsmonitor core.sshCommand core.pager core.editor core.alternateRefsCommand filter.evil.smudge "
        "diff.evil.textconv gpg.program remote.origin.uploadpack credential.helper"
    )
    for name in programs.split():
        git(root, "config", name, touch)
    git(root, "config", "remote.origin.url", f"ext::sh -c '{touch}'")
    git(root, "config", "remote.origin.promisor", "true")
    git(root, "config", "protocol.ext.allow", "always")
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "extensions.partialClone", "origin")
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        (root / ".git/hooks" / hook).write_text(f"#!/bin/sh\n{touch}\n")
        (root / ".git/hooks" / hook).chmod(0o755)
    name = subprocess.run(["git", "hash-object", "a.txt"], cwd=root, check=True, capture_output=True, text=True).stdout
    tree = open_tree(f"{root}@HEAD")
    (root / ".git/objects" / name[:2] / name[2:].strip()).unlink()  # would be fetched from the "promisor"
    assert [f.text() for f in tree.files] == ["* filter=evil diff=evil", ""]
    assert tree.left_out == ("a.txt: cannot be read (the object is missing)",)
    assert open_tree(f"{root}@HEAD").left_out == ("a.txt: the repository lacks its content",)
    assert not (tmp_path / "was-run").exists()


def test_the_beginning_of_a_large_blob_is_read_without_the_rest(tmp_path: Path) -> None:
    root = write(tmp_path, {"b.txt": "after"})
    with (root / "a.bin").open("wb") as stream:
        stream.truncate(3_000_000)
    git(root, "init")
    git(root, "add", "-A")
    git(root, "commit", "-m", "x")
    tree = open_tree(f"{root}@HEAD")
    assert tree.files[0].head(5) == bytes(5)
    assert tree.files[1].text() == "after"


def test_a_commit_that_contains_itself_a_thousandfold_ends_soon(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(tmp_path, {"f": "x"})
    made = subprocess.run(["git", "hash-object", "-w", "f"], cwd=tmp_path, check=True, capture_output=True, text=True)
    name, kind = made.stdout.strip(), "100644 blob"
    for _ in range(8):
        listing = "".join(f"{kind} {name}\tn{i}\n" for i in range(10))
        made = subprocess.run(
            ["git", "mktree"], input=listing, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        name, kind = made.stdout.strip(), "040000 tree"
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    made = subprocess.run(
        ["git", *identity, "commit-tree", name, "-m", "x"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    tree = open_tree(f"{tmp_path}@{made.stdout.strip()}", limits=Limits(files=1000))
    assert len(tree.files) == 1000
    assert tree.left_out == ("only the first 1,000 files were looked at",)


@pytest.mark.parametrize(
    ("lost", "note"),
    [
        (["a.bin"], "a.bin: the repository lacks its content"),
        (["a.bin", "b.bin"], "a.bin and 1 more: the repository lacks their content"),
    ],
)
def test_content_that_a_repository_lacks_is_counted(lost: list[str], note: str, tmp_path: Path) -> None:
    write(tmp_path, {"train.py": "import numpy\n", **{name: f"the content of {name}" for name in lost}})
    git(tmp_path, "init")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "x")
    for name in lost:
        found = subprocess.run(["git", "hash-object", name], cwd=tmp_path, check=True, capture_output=True, text=True)
        object_id = found.stdout.strip()
        (tmp_path / ".git" / "objects" / object_id[:2] / object_id[2:]).unlink()
    assert open_tree(f"{tmp_path}@main").left_out == (note,)


def test_submodules_are_named_and_their_folders_exist(tmp_path: Path) -> None:
    git(write(tmp_path / "repo", {"a.py": ""}), "init")
    git(tmp_path / "repo", "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib/other")
    git(tmp_path / "repo", "commit", "-m", "x")
    tree = open_tree(f"{tmp_path}/repo@HEAD")
    assert tree.submodules == ("lib/other",)
    assert tree.exists("lib")


# --- hostile folders -------------------------------------------------------------------------------


def test_names_that_nobody_can_print_are_escaped(tmp_path: Path) -> None:
    for name in (b"new\nline.py", b"caf\xe9.py", "grün.py".encode()):
        (tmp_path / os.fsdecode(name)).write_text("x = 1")
    tree = open_tree(tmp_path)
    assert paths(tree.files) == [r"caf\xe9.py", "grün.py", r"new\nline.py"]
    assert {f.text() for f in tree.files} == {"x = 1"}


def test_too_many_files_in_one_folder_leave_room_for_the_others(tmp_path: Path) -> None:
    write(tmp_path, {f"images/{i}.png": "" for i in range(60)} | {"src/deep/train.py": ""})
    tree = open_tree(tmp_path, limits=Limits(files=50, files_per_folder=20))
    assert "src/deep/train.py" in paths(tree.files)
    assert tree.left_out == ("images: only 20 of the things in it were looked at",)


def test_too_many_files_in_all_are_cut_off(tmp_path: Path) -> None:
    write(tmp_path, {f"{i % 5}/{i}": "" for i in range(60)})
    tree = open_tree(tmp_path, limits=Limits(files=50))
    assert len(tree.files) == 50
    assert tree.left_out == ("only the first 50 files were looked at",)


def test_depth_is_limited(tmp_path: Path) -> None:
    write(tmp_path, {"/".join("d" * 20) + "/x": "", "a/b": ""})
    tree = open_tree(tmp_path, limits=Limits(depth=10))
    assert paths(tree.files) == ["a/b"]
    assert tree.left_out == (f"{'/'.join('d' * 10)}: folders nested more than 10 deep were not entered",)


def test_huge_sparse_files_and_pipes_do_no_harm(tmp_path: Path) -> None:
    with (tmp_path / "huge.csv").open("wb") as stream:
        stream.truncate(2 * 1024**3)
    os.mkfifo(tmp_path / "pipe.py")
    tree = open_tree(tmp_path)
    assert paths(tree.files) == ["huge.csv"]
    assert tree.files[0].is_binary
    assert len(tree.files[0].text()) == tree.contents.limits.text_bytes


def test_a_file_that_vanished_is_noted(tmp_path: Path) -> None:
    write(tmp_path, {"a": "x"})
    tree = open_tree(tmp_path)
    (tmp_path / "a").unlink()
    assert tree.files[0].text() == ""
    assert tree.left_out == ("a: cannot be read (No such file or directory)",)


# --- hostile archives ------------------------------------------------------------------------------


def test_paths_out_of_an_archive_are_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("../evil.py", "/etc/evil.py", "C:/evil.py", "good.py", "a/../../evil.py"):
            archive.writestr(name, "x")
    tree = open_tree(tmp_path / "a.zip")
    assert paths(tree.files) == ["good.py"]
    assert len(tree.left_out) == 4


def test_a_zip_bomb_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.py", bytes(100_000_000))
        archive.writestr("good.py", "x")
    tree = open_tree(tmp_path / "a.zip")
    assert paths(tree.files) == ["good.py"]
    assert tree.left_out == ("bomb.py: expands more than 200 times and was left out",)


def test_a_member_of_a_zip_without_a_name_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("#", "1")
        archive.writestr("good.py", "2")
    packed = (tmp_path / "a.zip").read_bytes().replace(b"#", b"\0")  # zipfile cuts a name at a zero byte
    (tmp_path / "a.zip").write_bytes(packed)
    assert paths(open_tree(tmp_path / "a.zip").files) == ["good.py"]


def test_a_tar_bomb_is_read_up_to_where_it_explodes(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for name, size in (("a/good.py", 1), ("a/bomb.py", 100_000_000), ("a/after.py", 1)):
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, io.BytesIO(bytes(size)))
    tree = open_tree(tmp_path / "a.tar.gz")
    assert paths(tree.files) == ["bomb.py", "good.py"]
    assert tree.left_out == ("the archive was read only up to a fault (it expands beyond the limit)",)


def test_a_tar_header_that_asks_for_all_memory_is_refused(tmp_path: Path) -> None:
    member = tarfile.TarInfo("x")
    member.type = tarfile.XHDTYPE
    member.size = 50_000_000
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.py"))
        archive.addfile(member, io.BytesIO(bytes(member.size)))
    tree = open_tree(tmp_path / "a.tar.gz")
    assert paths(tree.files) == ["a.py"]
    assert len(tree.left_out) == 1


def test_texts_of_a_tar_beyond_the_limit_keep_their_beginning(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name in ("a.txt", "b.txt"):
            data = os.urandom(20_000).hex().encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    tree = open_tree(tmp_path / "a.tar", limits=Limits(kept_bytes=1000))
    assert [len(f.text()) for f in tree.files] == [40_000, 8192]
    assert "only the beginning was kept" in tree.left_out[0]


def test_links_in_archives_are_recorded(tmp_path: Path) -> None:
    link = tarfile.TarInfo("r/README")
    link.type, link.linkname = tarfile.SYMTYPE, "../../../etc/passwd"
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("r/a.py"))
    tree = open_tree(tmp_path / "a.tar")
    assert tree.links == (Link("README", None),)


def test_a_package_in_an_archive_keeps_its_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("pkg/__init__.py", "")
    assert paths(open_tree(tmp_path / "a.zip").files) == ["pkg/__init__.py"]


@given(data=st.binary(max_size=600), cut=st.integers(0, 2000), kind=st.sampled_from(["zip", "tar", "tar.gz"]))
def test_damaged_archives_open_or_are_refused_politely(
    data: bytes, cut: int, kind: str, tmp_path_factory: object
) -> None:
    stream = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(stream, "w") as zipped:
            zipped.writestr("a.py", data)
    else:
        with tarfile.open(fileobj=stream, mode="w:gz" if kind == "tar.gz" else "w") as tarred:
            member = tarfile.TarInfo("a.py")
            member.size = len(data)
            tarred.addfile(member, io.BytesIO(data))
    whole = stream.getvalue()
    spot = cut % len(whole)
    path = tmp_path_factory.getbasetemp() / "damaged"  # type: ignore[attr-defined]
    path.write_bytes(whole[:spot] + data[:20] + whole[spot + 20 :])
    try:
        tree = open_tree(path)
    except InputError:
        return
    assert all(isinstance(f.text(), str) for f in tree.files)


def test_links_in_zip_archives_are_recorded(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("README")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "docs/README.md")
        archive.writestr("docs/README.md", "x")
    tree = open_tree(tmp_path / "a.zip")
    assert tree.links == (Link("README", "docs/README.md"),)
    assert tree.get("README") == tree.files[0]


@pytest.mark.parametrize(
    ("limits", "listed", "said"),
    [
        (Limits(depth=2), ["a", "b/c"], "b/d: what is nested deeper was left out"),
        (Limits(files_per_folder=1), ["a", "b/c", "b/d/e/f"], "b/d/e: only 1 of the things in it were looked at"),
        (Limits(files=2), ["a", "b/c"], "only the first 2 files were looked at"),
    ],
)
def test_flat_listings_are_limited_like_folders(limits: Limits, listed: list[str], said: str) -> None:
    tree = tree_of(dict.fromkeys(["a", "b/c", "b/d/e/f", "b/d/e/g"], ""), limits=limits)
    assert paths(tree.files) == listed
    assert tree.left_out == (said,)


def test_encrypted_and_damaged_members_are_noted(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.py", "some text")
    data = (tmp_path / "a.zip").read_bytes().replace(b"some text", b"some tixt")
    (tmp_path / "a.zip").write_bytes(data)
    tree = open_tree(tmp_path / "a.zip")
    assert tree.files[0].text() == ""
    assert len(tree.left_out) == 1


# --- what is no source -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["missing", "missing@main", "no\0path", "text.txt"])
def test_what_cannot_be_opened_is_an_input_error(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"text.txt": "just text"})
    with pytest.raises(InputError):
        open_tree(f"{tmp_path}/{name}")


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD^{tree}", "a\nb"])
def test_a_revision_that_is_none_is_an_input_error(revision: str, tmp_path: Path) -> None:
    git(write(tmp_path, {"a": ""}), "init")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "x")
    with pytest.raises(InputError):
        open_tree(f"{tmp_path}@{revision}")


def test_a_revision_of_a_plain_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a git repository"):
        open_tree(f"{tmp_path}@main")
