"""Checklists: filled in section by section, nothing lost, proposals decided by a person, exported and compared."""

import re
from pathlib import Path

import httpx
import pytest
import yaml
from served import served
from sqlalchemy import select
from submissions import PAPER
from visitor import Visitor, words

from assay.checklists.filled import filled_of
from assay.database import read
from assay.findings import Finding, Location, Report
from assay.rules import get_rule
from assay.web.models import AnswerRow
from assay.web.settings import Limits, Settings

SHORT = "code-completeness"


def begin(visitor: Visitor, checklist: str = SHORT, **head: str) -> str:
    return visitor.post("/checklists", {"checklist": checklist, **head}).url.path


def save(visitor: Visitor, page: str, section: int = 1, **more: str) -> httpx.Response:
    """Post fields such as answer_1="yes" to a section."""
    fields = {name.replace("_", ":", 1) if "_" in name else name: value for name, value in more.items()}
    return visitor.post(f"{page}?section={section}", fields)


def test_every_shipped_checklist_can_be_begun(house: Visitor) -> None:
    names = re.findall(r'<option value="([\w-]+)">', house.get("/checklists").text)
    assert len(names) >= 7
    for name in names:
        page = house.get(begin(house, name, subject=f"About {name}"))
        assert page.status_code == 200
        assert f"About {name}" in page.text


def test_an_unknown_checklist_is_not_begun(house: Visitor) -> None:
    assert house.post("/checklists", {"checklist": "../secret"}).status_code == 404


def test_what_is_entered_is_there_after_a_reload(house: Visitor) -> None:
    page = begin(house, subject="Paper <b>X</b>", by="Ann")
    save(house, page, answer_1="yes", evidence_1="setup.py", answer_2="not applicable", reason_2="no training")
    again = house.get(page).text
    assert "2 of 5 answered" in again
    assert 'value="yes" checked' in again
    assert 'value="setup.py"' in again
    assert 'value="no training"' in again
    assert "Paper &lt;b&gt;X&lt;/b&gt;" in again
    assert "2 of 5" in house.get("/checklists").text


def test_saving_by_itself_sends_back_the_state_alone(house: Visitor) -> None:
    page = begin(house)
    answer = house.post(f"{page}?section=1", {"answer:1": "yes"}, headers={"HX-Request": "true"})
    assert answer.text.startswith("Saved ")
    assert "<html" not in answer.text
    assert "1 of 5 answered" in answer.text


def test_a_wrong_answer_is_marked_where_it_stands_and_the_others_are_saved(house: Visitor) -> None:
    page = begin(house)
    answer = save(house, page, answer_1="perhaps", answer_2="no")
    assert answer.status_code == 422
    assert 'id="complaint-1">It takes one of: yes, no, not applicable.' in answer.text
    assert "1 of 5 answered" in house.get(page).text


def test_fields_of_other_sections_and_unknown_items_are_left_alone(house: Visitor) -> None:
    page = begin(house, "ml-reproducibility")
    save(house, page, 1, **{"answer_models-1": "yes", "answer_data-1": "yes", "answer_nothing": "yes"})
    assert "1 of 21 answered" in house.get(page).text
    assert house.get(f"{page}?section=99").status_code == 200


def test_going_on_leads_to_the_next_section(house: Visitor) -> None:
    page = begin(house, "ml-reproducibility")
    answer = save(house, page, 1, go="on")
    assert answer.url.params["section"] == "2"


def test_the_head_is_saved_with_the_section(house: Visitor) -> None:
    page = begin(house)
    save(house, page, subject="Another name", by="Ben")
    assert "<h1>Another name</h1>" in house.get(page).text


class Tab:
    """A window on one section: it sends what its page shows, with the marks that the page carries."""

    def __init__(self, visitor: Visitor, page: str) -> None:
        self.visitor, self.page = visitor, page
        self.fields: dict[str, str] = {}
        self.take(visitor.get(page).text)

    def take(self, text: str) -> None:
        """The marks of a page, or of the piece that an automatic save answers with."""
        self.fields |= dict(re.findall(r'name="(mark:[^"]+)" value="(\w+)"', text))
        inputs = re.findall(r'name="((?:evidence|reason):[^"]+)" maxlength="20000" value="([^"]*)"', text)
        self.fields |= dict(inputs)

    def type(self, **entered: str) -> httpx.Response:
        """Edit fields such as evidence_1; the page saves them automatically."""
        self.fields |= {name.replace("_", ":", 1): value for name, value in entered.items()}
        answer = self.visitor.post(f"{self.page}?section=1", self.fields, headers={"HX-Request": "true"})
        self.take(answer.text)
        return answer

    def press(self, **button: str) -> httpx.Response:
        return self.visitor.post(f"{self.page}?section=1", {**self.fields, **button})


def evidence(visitor: Visitor, page: str, item: str = "1") -> str:
    [stored] = re.findall(rf'name="evidence:{item}" maxlength="20000" value="([^"]*)"', visitor.get(page).text)
    return str(stored)


def test_two_windows_on_one_checklist_keep_the_answers_of_both(house: Visitor) -> None:
    page = begin(house)
    old, new = Tab(house, page), Tab(house, page)
    new.type(evidence_1="setup.py")
    answer = old.type(evidence_2="train.py")
    assert (evidence(house, page, "1"), evidence(house, page, "2")) == ("setup.py", "train.py")
    assert "1 field changed in another window" in words(answer.text)


def test_an_answer_that_another_window_changed_is_never_overwritten_unasked(house: Visitor) -> None:
    page = begin(house)
    old, new = Tab(house, page), Tab(house, page)
    old.type(evidence_1="ONE")
    new = Tab(house, page)
    new.type(evidence_1="ONE TWO")
    answer = old.type(evidence_1="ONE three")
    assert "This evidence was changed in another window. It now reads: ONE TWO" in words(answer.text)
    assert "Saved, except" in answer.text
    assert evidence(house, page) == "ONE TWO"
    assert "Not saved" in old.type(evidence_1="ONE three four").text
    assert evidence(house, page) == "ONE TWO"


def test_a_conflict_is_settled_by_a_person(house: Visitor) -> None:
    page = begin(house)
    old, new = Tab(house, page), Tab(house, page)
    new.type(evidence_1="theirs")
    old.fields["evidence:1"] = "mine"
    shown = old.press(go="on")
    assert shown.status_code == 409
    assert 'name="evidence:1" maxlength="20000" value="mine"' in shown.text
    assert 'value="theirs"' in old.press(theirs="evidence:1").text
    assert evidence(house, page) == "theirs"
    old.press(mine="evidence:1")
    assert evidence(house, page) == "mine"


def test_the_same_window_saves_again_and_again(house: Visitor) -> None:
    page = begin(house)
    tab = Tab(house, page)
    for text in ("a", "ab", "abc", "", "x"):
        assert "Not saved" not in tab.type(evidence_1=text).text
        assert evidence(house, page) == text


def test_a_paper_proposes_answers_and_a_person_decides(house: Visitor) -> None:
    page = begin(house, "reforms", subject="Pneumonia")
    house.upload(("paper.tex", PAPER), to=f"{page}/propose/upload", field="file")
    told = house.wait(house.get(page))
    assert "answers proposed" in words(told.text)
    assert house.settings
    uploads = [path.parent for path in house.settings.folder.glob("jobs/*/upload/paper.tex")]
    assert not [folder for folder in uploads if len(list(folder.iterdir())) == 1], (
        "the paper is deleted when it was read"
    )
    sections = [house.get(f"{page}?section={n}") for n in range(1, 9)]
    first = next(s for s in sections if 'name="accept"' in s.text)
    [item, *_] = re.findall(r'name="accept" value="(\w+)"', first.text)
    number = int(first.url.params["section"])
    before = len(re.findall(r'name="accept"', first.text))
    accepted = save(house, page, number, accept=item, **{f"evidence_{item}": ""})
    assert len(re.findall(r'name="accept"', accepted.text)) == before - 1
    assert "1 of 32 answered" in accepted.text


def test_a_rejected_proposal_leaves_the_answer_as_it_was(house: Visitor) -> None:
    page = begin(house)
    audit = house.shelve(Report("r", findings=(_speaks_to_the_list(),))).split("/")[-1]
    told = house.post(f"{page}/propose/audit", {"audit": audit})
    items = re.findall(r'name="reject" value="(\w+)"', told.text)
    assert items
    after = save(house, page, answer_1="yes", reject=items[0])
    assert f'name="reject" value="{items[0]}"' not in after.text
    assert "1 of 5 answered" in after.text


def _speaks_to_the_list() -> Finding:
    from assay.checklists.files import load

    code = next(code for item in load(SHORT) for code in item.codes)
    return get_rule(code).finding("<script>alert(1)</script>", location=Location("README.md", 1))


def test_a_paper_that_cannot_be_read_is_told(house: Visitor) -> None:
    page = begin(house, "reforms")
    house.upload(("paper.pdf", b"%PDF-1.4 broken"), to=f"{page}/propose/upload", field="file")
    assert "could not be read" in words(house.wait(house.get(page)).text)


def test_papers_do_not_answer_every_checklist(house: Visitor) -> None:
    page = begin(house)
    assert house.upload(("p.tex", PAPER), to=f"{page}/propose/upload", field="file").status_code == 400


def test_what_is_missing_is_listed(house: Visitor) -> None:
    page = begin(house)
    save(house, page, answer_1="yes")
    said = words(house.get(f"{page}/check").text)
    assert "K101" in said
    assert "1 of 5 items are answered" in said


@pytest.mark.parametrize(
    ("ending", "begins"),
    [
        ("md", b"#"),
        ("html", b"<!doctype"),
        ("tex", b"\\documentclass"),
        ("docx", b"PK"),
        ("pdf", b"%PDF"),
        ("yaml", b"checklist:"),
    ],
)
def test_it_is_exported_as_a_document(house: Visitor, ending: str, begins: bytes) -> None:
    page = begin(house, subject="Paper & co <script>")
    save(house, page, answer_1="yes", evidence_1="<b>\\textbf{x}")
    answer = house.get(f"{page}/export.{ending}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.content.lstrip().startswith(begins)
    assert house.get(f"{page}/export.exe").status_code == 404


def test_an_export_comes_back_as_it_was(house: Visitor) -> None:
    page = begin(house, subject="Paper: “X” # 1", by="Ann")
    save(house, page, answer_1="yes", evidence_1="- a: b\n'c'", answer_2="no", reason_2="yes: no")
    exported = house.get(f"{page}/export.yaml").content
    brought = house.upload(("mine.yaml", exported), to="/checklists/import/upload", field="file").url.path
    again = house.get(f"{brought}/export.yaml").content
    assert yaml.safe_load(again) == yaml.safe_load(exported)
    filled = filled_of(exported.decode(), "mine.yaml")
    assert filled.by == "Ann"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.yaml", b"\xff\xfe\x00", "not UTF-8"),
        ("a.yaml", b"answers: {}", "does not say which checklist"),
        ("a.yaml", b"checklist: ../../etc/passwd", "passwd"),
        ("a.md", b"checklist: none", "none"),
        ("a.yaml", b"checklist: reforms\n" + b"#" * 500_000, "larger than 500,000 bytes"),
    ],
)
def test_what_is_no_filled_checklist_is_refused_in_words(house: Visitor, name: str, data: bytes, said: str) -> None:
    answer = house.upload((name, data), to="/checklists/import/upload", field="file")
    assert answer.status_code == 400
    assert said in words(answer.text)


def test_two_raters_are_compared(house: Visitor) -> None:
    pages = [begin(house, subject="Paper", by=by) for by in ("Ann", "Ben")]
    for page, third in zip(pages, ("yes", "no"), strict=True):
        save(house, page, answer_1="yes", answer_2="no", answer_3=third)
    chosen = {"assessment": [page.split("/")[-1] for page in pages]}
    said = words(house.get("/checklists/compare", params=chosen).text)
    assert "Agreement of Ann and Ben" in said
    assert "every category 3 2 0.4" in said
    other = begin(house, "reforms")
    chosen["assessment"].append(other.split("/")[-1])
    assert house.get("/checklists/compare", params=chosen).status_code == 400
    assert house.get("/checklists/compare").status_code == 400


def test_a_deletion_can_be_undone(house: Visitor) -> None:
    page = begin(house, subject="To be deleted")
    notice = house.post(f"{page}/delete")
    assert "“To be deleted” was deleted" in notice.text
    assert house.get(page).status_code == 404
    assert house.post(f"{page}/restore").url.path == page


def test_a_decision_about_an_unknown_item_leaves_nothing_behind(house: Visitor) -> None:
    page = begin(house)
    for item in ("z" * 5_000, "a\0b", "nothing"):
        assert save(house, page, accept=item).status_code == 200
    kept = select(AnswerRow).where(AnswerRow.assessment_id == page.rpartition("/")[2])
    assert read(house.engine, lambda session: list(session.scalars(kept))) == []


def test_halves_of_characters_are_refused_before_anything_is_kept(house: Visitor) -> None:
    page = begin(house, subject="A paper")
    answer = house.post_escaped(page, {"subject": r"\ud800", "answer:1": "yes"})
    assert answer.status_code == 400
    assert "0 of 5 answered" in house.get(page).text


def test_no_paper_is_taken_in_while_many_wait(tmp_path: Path) -> None:
    limits = Limits(jobs_waiting=1, jobs_at_once=0)
    with served(Settings(tmp_path, limits=limits)) as base, Visitor(base) as visitor:
        page = begin(visitor, "reforms")
        read = [visitor.upload(("p.tex", PAPER), to=f"{page}/propose/upload", field="file") for _ in range(2)]
        assert [answer.status_code for answer in read] == [200, 429]
        assert len(list((tmp_path / "jobs").iterdir())) == 1
