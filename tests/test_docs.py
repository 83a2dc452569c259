"""The documentation shows what really happens, builds without a warning and loads nothing from elsewhere."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from run_examples import ROOT, blocks, not_run, pages, with_true_outputs

from assay.rules import all_rules

SOURCE = ROOT / "src" / "assay"
PAGES = [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages()]


@pytest.mark.no_cover
@pytest.mark.parametrize("page", PAGES)
def test_outputs_shown_are_those_that_come(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_true_outputs(text, tmp_path) == text, "read the difference; if it is right, run `make docs-refresh`"


@pytest.mark.parametrize("page", PAGES)
def test_no_example_stands_where_nothing_runs_it(page: Path) -> None:
    assert not_run(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_outside_the_site_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []


def test_the_guide_to_changes_names_files_that_exist() -> None:
    rows = re.findall(r"^\| \*\*.*", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    paths = [path for row in rows for path in re.findall(r"`([\w./-]+/[\w.-]*)`", row) if "NAME" not in path]
    missing = [path for path in paths if not (ROOT / path).exists() and not any(SOURCE.rglob(path.strip("/")))]
    assert len(rows) == 10
    assert missing == []


# --- the runner itself -----------------------------------------------------------------------------


def test_a_wrong_output_is_corrected(tmp_path: Path) -> None:
    text = "```console\n$ assay --version\nassay 99.0\n```\n"
    assert "99.0" not in with_true_outputs(text, tmp_path)


def test_an_undeclared_exit_code_is_declared(tmp_path: Path) -> None:
    true = with_true_outputs("```console\n$ assay explain S0\n```\n", tmp_path)
    assert true.endswith("$ echo $?\n2\n```\n")
    (tmp_path / "again").mkdir()
    assert with_true_outputs(true, tmp_path / "again") == true


def test_dots_stand_for_anything(tmp_path: Path) -> None:
    text = "```console\n$ assay --version\nassay ...\n```\n"
    assert with_true_outputs(text, tmp_path) == text


def test_a_shortened_output_stays_short_when_it_is_corrected(tmp_path: Path) -> None:
    text = '```text title="a.txt"\n1\n2\nthe third\n4\n5\n```\n\n```console\n$ cat a.txt\n...\nthe 3rd\n...\n```\n'
    assert with_true_outputs(text, tmp_path).endswith("$ cat a.txt\n...\nthe third\n...\n```\n")


def test_titled_blocks_are_files(tmp_path: Path) -> None:
    text = '```toml title="sub/a.toml"\nx = 1\n```\n\n- indented\n\n    ```console\n    $ cat sub/a.toml\n    ```\n'
    assert "    $ cat sub/a.toml\n    x = 1\n    ```\n" in with_true_outputs(text, tmp_path)


def test_a_command_may_go_on_over_lines(tmp_path: Path) -> None:
    text = "```console\n$ assay explain \\\n> S0\n...\n$ echo $?\n2\n```\n"
    assert with_true_outputs(text, tmp_path) == text


def test_python_sessions_share_names_and_show_errors(tmp_path: Path) -> None:
    text = "```python\n>>> a = 2\n>>> a + 1\n4\n```\n\n```python\n>>> for i in range(a):\n...     i\n>>> {}[a]\n```\n"
    true = with_true_outputs(text, tmp_path)
    assert ">>> a + 1\n3\n" in true
    assert "...     i\n0\n1\n>>> {}[a]\nTraceback (most recent call last):\n    ...\nKeyError: 2\n```" in true


def test_long_fences_hold_short_ones() -> None:
    [block] = blocks("````text\n```\n$ assay\n```\n````\n")
    assert block.body == ("```", "$ assay", "```")


def test_unknown_commands_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot run `rm files`"):
        with_true_outputs("```console\n$ rm files\n```\n", tmp_path)


def test_commands_outside_sessions_are_noticed() -> None:
    text = "```sh\nassay --version\n```\n\n```text\n$ assay rules\n```\n\n```python\nimport assay\n```\n"
    assert not_run(text) == ["assay --version", "$ assay rules", "import assay"]


# --- the built site --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation, built strictly: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return folder


def test_every_rule_has_a_page_with_its_examples(site: Path) -> None:
    for rule in all_rules():
        text = words(html.parse(site / "rules" / f"{rule.code}.html").getroot().text_content())
        for part in (rule.title, rule.failing, rule.passing, str(rule.source)):
            assert words(part) in text, rule.code


def test_reading_the_site_asks_no_other_host(site: Path) -> None:
    loaded = {address for page in site.rglob("*.html") for address in loaded_by(html.parse(page).getroot())}
    assert loaded
    assert {address for address in loaded if "//" in address} == set()


def words(text: str) -> str:
    return " ".join(text.split())


def loaded_by(page: html.HtmlElement) -> Iterator[str]:
    """The addresses that a browser loads by itself to show a page."""
    for link in page.iter("link"):
        if link.get("rel") not in {"canonical", "prev", "next"}:
            yield link.get("href") or ""
    for element in page.iter("script", "img", "iframe", "source", "video", "audio"):
        if element.get("src"):
            yield element.get("src")
