"""Reproduction studies: papers, attempts, time and discrepancies are entered, changed, brought back and reported."""

import re
import zipfile
from io import BytesIO

import pytest
from submissions import zipped
from visitor import Visitor, words


def under(path: str) -> str:
    return path.rpartition("/")[2]


def test_the_board_shows_papers_with_attempts_and_their_computed_outcome(house: Visitor) -> None:
    assert "No paper yet" in house.post("/studies", {"title": "Empty"}).text
    study, _, attempt = house.study("Study <script>")
    made = house.post(f"{study}/experiment/add?under={under(attempt)}", {"method": "SVM"}).url.path
    house.post(f"{study}/result/add?under={under(made)}", {"metric": "acc", "original": "0.91", "reproduced": "0.91"})
    house.post(f"{study}/time/add?under={under(attempt)}", {"hours": "2.5", "activity": "reading"})
    page = house.get(study).text
    assert "Study &lt;script&gt;" in page
    assert "A &lt;b&gt;paper&lt;/b&gt;" in page
    assert "2.5 of 40 h · 1 discrepancy" in words(page)
    assert '<span class="chip done">Success</span>' in page
    assert "No paper contains these words" in house.get(f"{study}?q=zebra").text


def test_what_is_wrong_is_told_beside_the_form_and_nothing_is_lost(house: Visitor) -> None:
    study, _, attempt = house.study()
    answer = house.post(f"{study}/time/add?under={under(attempt)}", {"hours": "many", "activity": "reading a lot"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'value="reading a lot"' in answer.text
    changed = house.post(attempt, {"version": "1", "budget": "much", "environment": "a laptop"})
    assert changed.status_code == 422
    assert 'value="a laptop"' in changed.text


def test_nobody_overwrites_what_he_has_not_seen(house: Visitor) -> None:
    study, paper, _ = house.study()
    version = re.search(r'name="version" value="(\d+)"', house.get(paper).text)
    assert version
    assert house.post(paper, {"version": version[1], "title": "First"}).status_code == 200
    late = house.post(paper, {"version": version[1], "title": "Second"})
    assert late.status_code == 422
    assert "Second" in late.text, "what was typed is still there"
    assert "First" in house.get(study).text


def test_a_deleted_paper_comes_back_with_all_that_belongs_to_it(house: Visitor) -> None:
    _, paper, attempt = house.study()
    version = re.search(r'name="version" value="(\d+)"', house.get(paper).text)
    assert version
    board = house.post(f"{paper}/delete", {"version": version[1]})
    assert "1 deletion can be undone" in board.text
    assert house.get(attempt).status_code == 400
    assert house.post(f"{paper}/undo").url.path == paper
    assert house.get(attempt).status_code == 200


def test_a_clock_runs_is_stopped_and_its_hours_are_logged(house: Visitor) -> None:
    study, _, attempt = house.study()
    running = house.post(f"{attempt}/timer/start", {"person": "Ann", "activity": "reading"})
    assert "data-since=" in running.text
    assert "Running timers" in house.get(study).text
    assert house.post(f"{attempt}/timer/start", {"person": "Ann"}).status_code == 400
    stopped = house.post(f"{attempt}/timer/stop", {"person": "Ann", "hours": "1h30"})
    assert "1.5 of 40 hours are logged." in stopped.text
    assert house.post(f"{attempt}/timer/start", {"person": " "}).status_code == 400


def test_an_export_comes_back_as_it_was(house: Visitor) -> None:
    study = house.post("/studies/example").url.path
    first = house.get(f"{study}/export.zip").content
    again = house.upload(("study.zip", first), to="/studies/import/upload", field="file").url.path
    second = house.get(f"{again}/export.zip").content
    one, other = (zipfile.ZipFile(BytesIO(data)) for data in (first, second))
    assert one.namelist() == other.namelist()
    assert [one.read(name) for name in one.namelist()] == [other.read(name) for name in other.namelist()]


def compressed(how: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        archive.writestr("study.toml", 'title = "A study"\n' * 20)
    return out.getvalue()


def spoilt(archive: bytes) -> bytes:
    """The compressed bytes of its first member are no such thing."""
    begin = 30 + len("study.toml")
    return archive[:begin] + b"\xff" * 8 + archive[begin + 8 :]


def misplaced(archive: bytes) -> bytes:
    """Its end says that its directory begins before the file does."""
    end = archive.rindex(b"PK\x05\x06")
    return archive[: end + 12] + (len(archive) * 9).to_bytes(4, "little") + archive[end + 16 :]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"nothing", "not an archive"),
        (zipped({"../../a.txt": "x"}), "holds no study.toml"),
        (zipped({"study.toml": "title = ["}), "study.toml"),
        (zipped({"study.toml": b"\xff\xfe"}), "not UTF-8"),
        (zipped({"study.toml": b" " * 9_000_000}), "larger than 8,000,000 bytes"),
        (zipped({f"{n}.csv": b" " * 900_000 for n in range(10)}), "larger than 8,000,000 bytes"),
        (b" " * 8_000_001, "larger than 8,000,000 bytes"),
        (compressed(zipfile.ZIP_LZMA), "compressed in a way that our exports are not"),
        (compressed(zipfile.ZIP_DEFLATED).replace(b"PK\x01\x02", b"PK\x01\x03"), "not an archive"),
        (spoilt(compressed(zipfile.ZIP_DEFLATED)), "not an archive"),
        (misplaced(compressed(zipfile.ZIP_DEFLATED)), "not an archive"),
    ],
    ids=[
        "noise",
        "no study",
        "broken",
        "encoding",
        "bomb",
        "bomb in pieces",
        "large",
        "lzma",
        "no directory",
        "not deflated",
        "misplaced",
    ],
)
def test_what_is_no_study_is_refused_in_words(house: Visitor, data: bytes, said: str) -> None:
    answer = house.upload(("study.zip", data), to="/studies/import/upload", field="file")
    assert answer.status_code == 400
    assert said in words(answer.text)


def test_the_report_has_tables_and_figures_that_cannot_act(house: Visitor) -> None:
    study, _, _ = house.study("Reported <script>")
    page = house.get(f"{study}/report").text
    assert "<caption>" in page
    assert "<script>" not in page.replace("<script src", "")
    figures = re.findall(rf'src="({study}/figures/\d+\.svg)', page)
    for path in figures[:1]:
        assert house.get(path).headers["content-security-policy"].startswith("default-src 'none'")
    assert house.get(f"{study}/figures/99.svg").status_code == 404


def test_a_deleted_study_can_be_brought_back(house: Visitor) -> None:
    study = house.post("/studies", {"title": "To be deleted"}).url.path
    notice = house.post(f"{study}/delete")
    assert "A study was deleted." in notice.text
    assert house.get(study).status_code == 404
    assert house.post(f"{study}/restore").url.path == study
    assert house.post(f"{study}x/restore").status_code == 400
    assert house.get("/studies/..%2Fsecret").status_code == 404
    for name in ("x" * 300, "é", "a%00"):
        assert house.get(f"/studies/{name}").status_code == 404
        assert house.post(f"/studies/{name}/restore").status_code == 400


def test_a_study_needs_a_title(house: Visitor) -> None:
    assert house.post("/studies", {"title": " "}).status_code == 400


@pytest.mark.parametrize("number", ["-1", "0", str(2**31), "9" * 30])
def test_numbers_that_no_entry_has_are_told_and_nothing_fails(house: Visitor, number: str) -> None:
    study, _, _ = house.study()
    asked = [
        house.get(f"{study}/paper/{number}"),
        house.post(f"{study}/paper/{number}", {"version": "1", "title": "x"}),
        house.post(f"{study}/paper/{number}/delete", {"version": "1"}),
        house.post(f"{study}/paper/{number}/undo"),
        house.post(f"{study}/attempt/add?under={number}", {"people": "Ann"}),
        house.post(f"{study}/attempt/{number}/timer/start", {"person": "Ann"}),
    ]
    assert [answer.status_code for answer in asked] == [400] * len(asked)
    assert "did not write" not in "".join(answer.text for answer in asked)


def test_a_version_that_is_no_number_is_not_understood(house: Visitor) -> None:
    _, paper, _ = house.study()
    assert house.post(paper, {"version": "soon", "title": "x"}).status_code == 422
    assert house.post(paper, {"version": "9" * 30, "title": "x"}).status_code == 422


def test_halves_of_characters_are_refused(house: Visitor) -> None:
    _, paper, _ = house.study()
    assert "holds what is not text" in words(house.post_escaped(paper, {"title": r"\ud800"}).text)
