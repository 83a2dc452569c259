"""What a user names becomes the right pieces, by content or by option."""

import zipfile
from pathlib import Path

import pytest

from assay.article.reading import read_paper
from assay.audit.recognition import recognise
from assay.audit.submission import Kind
from assay.errors import InputError

TEX = "\\documentclass{article}\\begin{document}We tried it.\\end{document}"


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path = path.with_name(path.name[::-1].replace("_", ".", 1)[::-1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def kinds(*paths: Path) -> dict[str, Kind]:
    return {piece.name or ".": piece.kind for piece in recognise(list(paths)).pieces}


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("p.tex", TEX, Kind.PAPER),
        ("p.pdf", "%PDF-1.4", Kind.PAPER),
        ("p.docx", "PK", Kind.PAPER),
        ("p", "%PDF-1.4", Kind.PAPER),
        ("p.html", "<p>We tried it.</p>", Kind.PAPER),
        ("p.md", "# We tried it", Kind.PAPER),
        ("sheet.md", "checklist: model-info-sheet\n", Kind.CHECKLIST),
        ("sheet.yaml", "# filled in\nchecklist: model-info-sheet\nanswers: {}\n", Kind.CHECKLIST),
        ("s.toml", "[[experiment]]\np = 1\n", Kind.SCORES),
        ("s.yaml", "experiment:\n- p: 1\n", Kind.SCORES),
        ("s.json", '{"experiment": [{"p": 1}]}', Kind.SCORES),
        ("s.csv", "name,p,n,acc\nx,1,2,0.3\n", Kind.SCORES),
        ("a.py", "print(1)", Kind.CODE),
        ("a.ipynb", "{}", Kind.CODE),
    ],
)
def test_a_file_is_told_by_its_content(tmp_path: Path, name: str, text: str, kind: Kind) -> None:
    (tmp_path / name).write_text(text)
    [piece] = recognise([tmp_path / name]).pieces
    assert piece.kind is kind


def test_two_tables_make_a_split(tmp_path: Path) -> None:
    for name in ("xray_train.csv", "xray-test.csv"):
        (tmp_path / name).write_text("a,b\n1,2\n")
    found = recognise([tmp_path / "xray-test.csv", tmp_path / "xray_train.csv"])
    assert [piece.kind for piece in found.pieces] == [Kind.TRAIN, Kind.TEST]


@pytest.mark.parametrize("again", ["table.csv", "folder/../table.csv", "link.csv"])
def test_one_table_is_not_both_training_and_test_table(tmp_path: Path, again: str) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "table.csv")
    with pytest.raises(InputError, match="the same file is given as training table and as test table"):
        recognise([], train=tmp_path / "table.csv", test=tmp_path / again)


def test_a_table_alone_is_told_to_lack_its_counterpart(tmp_path: Path) -> None:
    put(tmp_path, paper_tex=TEX, train_csv="a,b\n1,2\n")
    found = recognise([tmp_path])
    assert [piece.kind for piece in found.pieces] == [Kind.PAPER]
    assert "without its counterpart" in found.unrecognised[0]


def test_a_folder_with_code_at_its_top_is_a_repository(tmp_path: Path) -> None:
    put(tmp_path, train_py="print(1)", README_md="# Code")
    assert kinds(tmp_path) == {".": Kind.REPOSITORY}


def test_a_repository_brings_its_paper_scores_and_checklist(tmp_path: Path) -> None:
    put(tmp_path, train_py="", paper_tex=TEX, s_toml="[[experiment]]", sheet_yaml="checklist: x", notes_md="# Notes")
    assert kinds(tmp_path) == {
        ".": Kind.REPOSITORY,
        "paper.tex": Kind.PAPER,
        "s.toml": Kind.SCORES,
        "sheet.yaml": Kind.CHECKLIST,
    }


def test_a_project_file_is_no_scores_file(tmp_path: Path) -> None:
    put(tmp_path, pyproject_toml='[project.entry-points.x]\nscores = "a.b"\n', a_py="")
    assert kinds(tmp_path) == {".": Kind.REPOSITORY}


def test_a_shelf_is_taken_apart(tmp_path: Path) -> None:
    put(tmp_path, paper__main_tex=TEX, code__src__train_py="", misc__photo_png="x")
    found = recognise([tmp_path])
    assert {piece.name: piece.kind for piece in found.pieces} == {"paper": Kind.PAPER, "code": Kind.REPOSITORY}
    assert found.unrecognised == ("misc: not recognised as part of a submission",)


@pytest.mark.parametrize(("member", "kind"), [("code/train.py", Kind.REPOSITORY), ("main.tex", Kind.PAPER)])
def test_an_archive_is_told_by_what_it_holds(tmp_path: Path, member: str, kind: Kind) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(member, TEX)
    [piece] = recognise([tmp_path / "x.zip"]).pieces
    assert piece.kind is kind


@pytest.mark.parametrize("inside", ["paper/main.tex", "report/report.tex", "docs/manuscript/ms.tex", "thesis.tex"])
def test_the_paper_of_a_repository_is_found_wherever_it_lies(tmp_path: Path, inside: str) -> None:
    files = {"train.py": "print(1)", "README.md": "# Code", inside: TEX}
    for name, text in files.items():
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    with zipfile.ZipFile(tmp_path / "repo-main.zip", "w") as archive:
        for name, text in files.items():
            archive.writestr(f"repo-main/{name}", text)
    [piece] = recognise([tmp_path / "repo"]).pieces_of(Kind.PAPER)
    assert piece.name == inside
    [piece] = recognise([tmp_path / "repo-main.zip"]).pieces_of(Kind.PAPER)
    assert (piece.name, piece.member) == (inside, inside)
    assert read_paper(piece.path, piece.member).sentences[0].text == "We tried it."


def test_of_several_papers_one_is_taken_and_the_choice_is_explained(tmp_path: Path) -> None:
    put(tmp_path, train_py="", paper__main_tex=TEX, other__notes_tex=TEX, slides__talk_tex=TEX)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "Smith et al.pdf").write_text("%PDF-1.4")
    found = recognise([tmp_path])
    assert [piece.name for piece in found.pieces_of(Kind.PAPER)] == ["paper/main.tex"]
    [note] = found.unrecognised
    assert "paper/main.tex was taken as the paper (LaTeX, its folder says so" in note
    assert "other/notes.tex" in note
    assert "--paper" in note
    assert "Smith" not in note


def test_a_paper_that_is_named_stops_the_search(tmp_path: Path) -> None:
    put(tmp_path, train_py="", paper__main_tex=TEX, draft_tex=TEX)
    found = recognise([tmp_path], papers=[tmp_path / "draft.tex"])
    assert [piece.path.name for piece in found.pieces_of(Kind.PAPER)] == ["draft.tex"]


def test_figures_and_papers_of_others_are_not_taken_for_the_paper(tmp_path: Path) -> None:
    put(tmp_path, train_py="")
    for name in ("figures/main.pdf", "papers/Caine et al.pdf", "a.pdf", "b.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("%PDF-1.4")
    assert recognise([tmp_path]).pieces_of(Kind.PAPER) == ()


def test_an_option_wins_over_the_content(tmp_path: Path) -> None:
    put(tmp_path, notes_md="# Notes", train_csv="a,b\n", test_csv="a,b\n", other_csv="a,b\n")
    found = recognise([tmp_path], repositories=[tmp_path], test=tmp_path / "other.csv", train=tmp_path / "train.csv")
    assert [piece.path.name for piece in found.pieces_of(Kind.TEST)] == ["other.csv"]
    assert len(found.pieces_of(Kind.REPOSITORY)) == 1


def test_places_are_named_as_below_the_folder_that_was_given(tmp_path: Path) -> None:
    put(tmp_path, paper_tex=TEX, s_toml="[[experiment]]")
    assert [piece.name for piece in recognise([tmp_path]).pieces] == ["paper.tex", "s.toml"]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"paths": ["nowhere"]}, "does not exist"),
        ({"paths": ["empty"]}, "nothing to audit"),
        ({"paths": ["photo.png"]}, "is of no known kind"),
        ({"paths": [], "train": "a.csv"}, "go together"),
        ({"paths": []}, "nothing to audit"),
        ({"paths": ["bad\0name"]}, "does not exist"),
    ],
)
def test_what_cannot_be_audited_is_refused(tmp_path: Path, given: dict[str, object], what: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    paths = [tmp_path / str(path) for path in given.pop("paths")]  # type: ignore[attr-defined]
    named = {key: tmp_path / str(value) for key, value in given.items()}
    with pytest.raises(InputError, match=what):
        recognise(paths, **named)  # type: ignore[arg-type]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text(TEX)
    shelf = put(tmp_path / "shelf", s_toml="[[experiment]]")
    (shelf / "paper.tex").symlink_to(secret)
    assert kinds(shelf) == {"s.toml": Kind.SCORES}


@pytest.mark.parametrize("folder", ["examples/submission", "tests/data", "templates"])
def test_a_paper_among_examples_or_tests_is_not_about_the_repository(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "paper.tex").write_text(r"\documentclass{article}\begin{document}Text.\end{document}")
    (tmp_path / "train.py").write_text("print(1)\n")
    assert recognise([tmp_path]).pieces_of(Kind.PAPER) == ()


def test_a_described_folder_with_code_and_paper_below_is_one_repository(tmp_path: Path) -> None:
    files = {
        "README.md": "# Study",
        "src/train.py": "print(1)",
        "samples/x.py": "print(2)",
        "report/report.tex": TEX,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = recognise([tmp_path]).pieces
    assert [(piece.kind, piece.name) for piece in found] == [(Kind.PAPER, "report/report.tex"), (Kind.REPOSITORY, "")]


def test_an_archive_that_cannot_be_read_does_not_stop_the_audit_of_the_others(tmp_path: Path) -> None:
    shelf = put(tmp_path / "shelf", s_toml="[[experiment]]", broken_zip="no archive")
    submission = recognise([shelf])
    assert [piece.name for piece in submission.pieces] == ["s.toml"]
    assert any(note.startswith("broken.zip: is not an archive") for note in submission.unrecognised)


def test_a_described_folder_with_its_paper_at_the_top_is_one_repository(tmp_path: Path) -> None:
    put(tmp_path, README_md="# Study", paper_tex=TEX, scripts__train_py="print(1)")
    assert kinds(tmp_path) == {"paper.tex": Kind.PAPER, ".": Kind.REPOSITORY}


def test_a_folder_around_a_project_is_no_repository(tmp_path: Path) -> None:
    put(tmp_path, README_md="# Submission", paper_tex=TEX, code__README_md="# Code", code__train_py="print(1)")
    assert kinds(tmp_path) == {"paper.tex": Kind.PAPER, "code": Kind.REPOSITORY}


def test_a_described_folder_stays_one_repository_when_a_folder_in_it_has_a_readme_too(tmp_path: Path) -> None:
    put(tmp_path, README_md="# Study", src__readme_txt="how to", src__train_py="print(1)", report__report_tex=TEX)
    assert kinds(tmp_path) == {"report/report.tex": Kind.PAPER, ".": Kind.REPOSITORY}


def test_code_folders_without_a_readme_beside_a_paper_are_one_repository(tmp_path: Path) -> None:
    put(tmp_path, cnn__train_py="print(1)", svm__train_py="print(2)", report__report_tex=TEX)
    assert kinds(tmp_path) == {"report/report.tex": Kind.PAPER, ".": Kind.REPOSITORY}


def test_notes_about_a_paper_are_not_the_paper(tmp_path: Path) -> None:
    notes = "# Update of main.tex\n\n### Abstract Updated (215 words)\n- RMSE: 354.36\n"
    put(tmp_path, NOTES_md=notes, report__main_tex=TEX, code__train_py="print(1)")
    assert kinds(tmp_path) == {"report": Kind.PAPER, "code": Kind.REPOSITORY}
    assert any(note.startswith("NOTES.md") for note in recognise([tmp_path]).unrecognised)


def test_several_folders_of_code_beside_a_paper_are_one_repository_whatever_they_describe(tmp_path: Path) -> None:
    put(tmp_path, report__main_tex=TEX, jobs__train_py="print(1)", docs__draw_py="print(2)", docs__README_md="# Pages")
    assert kinds(tmp_path) == {"report/main.tex": Kind.PAPER, ".": Kind.REPOSITORY}
    assert recognise([tmp_path]).title == f"{tmp_path.name} with report/main.tex"


def test_code_that_is_not_analysed_still_makes_a_repository(tmp_path: Path) -> None:
    put(tmp_path, src__faces_cpp="int main() {}", report__report_tex=TEX)
    assert kinds(tmp_path) == {"report": Kind.PAPER, "src": Kind.REPOSITORY}


def test_the_working_folder_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = put(tmp_path / "study", train_py="print(1)")
    monkeypatch.chdir(study)
    assert recognise([Path()], names={Path(): "."}).title == "study"


def test_a_manuscript_in_markdown_without_an_abstract_is_named(tmp_path: Path) -> None:
    put(tmp_path, train_py="print(1)\n", paper_md="# My study\n\n## Results\n\nThe accuracy was 0.90.\n")
    assert recognise([tmp_path]).unrecognised == ("files that may be the paper (name it with --paper): paper.md",)


def test_pdfs_that_may_be_the_paper_are_named(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    for name in ("docs/Smith2020.pdf", "docs/proposal.pdf", "figures/curve.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"%PDF-1.4\n")
    found = recognise([tmp_path])
    assert [piece.kind for piece in found.pieces] == [Kind.REPOSITORY]
    assert found.unrecognised == ("files that may be the paper (name it with --paper): docs/Smith2020.pdf",)
    (tmp_path / "docs/Grad_Project.pdf").write_bytes(b"%PDF-1.4\n")
    assert [str(piece) for piece in recognise([tmp_path]).pieces_of(Kind.PAPER)] == ["docs/Grad_Project.pdf"]
