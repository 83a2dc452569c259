"""The score check: a verdict at once, a picture, a diagnosis, a link that says it again, a sentence to copy."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from served import served
from visitor import Visitor, words

from assay.scores.pasted import read_pasted
from assay.web.score_checks import Checker
from assay.web.settings import Limits, Settings

IMPOSSIBLE = "Acc 90.1%, Sens 93.1%, Spec 93.9%\n290 positives and 1000 negatives"
POSSIBLE = "acc 0.872 sens 0.813 spec 0.888, p=284 n=1016"
SLOW = "acc=0.8123 sens=0.7523 spec=0.8234 f1=0.6543 mcc=0.5231 p=1017 n=3019 folds=10 aggregation=mean repeats=20"


def address(text: str, **fields: str) -> str:
    return "/scores?" + urlencode({"text": text, **fields})


def test_impossible_scores_are_shown_with_certificate_and_sentence(house: Visitor) -> None:
    said = words(house.get(address(IMPOSSIBLE)).text)
    assert "inconsistent" in said
    assert "Certificate" in said
    assert "The reported scores (accuracy 90.1%, sensitivity 93.1% and specificity 93.9%) cannot all come from" in said


def test_possible_scores_are_shown_with_their_witness(house: Visitor) -> None:
    said = words(house.get(address(POSSIBLE)).text)
    assert "✓ consistent" in said
    assert "tp 231" in said


def test_the_address_holds_the_whole_check(house: Visitor) -> None:
    page = house.get(address("acc 0.9447 sens 0.9139", p="38", n="262", folds="5", aggregation="mean")).text
    assert '<option value="mean" selected>' in page
    assert 'value="38"' in page
    again = next(part for part in page.split('href="') if part.startswith("/scores?text=acc+0.9447"))
    assert house.get(again.partition('"')[0].replace("&amp;", "&")).text.count("folds") == page.count("folds")


def test_as_somebody_types_only_the_outcome_is_sent(house: Visitor) -> None:
    answer = house.piece(address(IMPOSSIBLE))
    assert "<html" not in answer.text
    assert "inconsistent" in answer.text


def test_the_region_is_a_picture_that_cannot_act(house: Visitor) -> None:
    answer = house.get(address(IMPOSSIBLE).replace("/scores", "/scores/region.svg"))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.text.startswith("<svg")


def test_scores_without_sizes_ask_for_no_picture(house: Visitor) -> None:
    assert "region.svg" in house.get(address(IMPOSSIBLE)).text
    assert "region.svg" not in house.get(address("precision 0.91 recall 0.89 F1 0.95")).text


def test_the_diagnosis_names_a_slip(house: Visitor) -> None:
    said = words(
        house.get(address("acc 0.90 sens 0.80 spec 0.80 p=100 n=200").replace("/scores", "/scores/depth")).text
    )
    assert "it would be consistent if" in said


def test_every_row_of_a_table_has_its_verdict(house: Visitor) -> None:
    text = "Model\tAcc\tSens\tSpec\nA\t0.872\t0.813\t0.888\nB\t0.901\t0.931\t0.939\n284 positives, 1016 negatives"
    page = house.get(address(text)).text
    assert "✓ </span>consistent" in page
    assert "✗ </span>inconsistent" in page
    assert "1 inconsistent" in words(page)
    assert "The reported scores of B" in words(page)
    assert house.get(address(text, row="7").replace("/scores", "/scores/depth")).status_code == 404


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("acc 0.455 sens 0.45 n=11", "These scores can come from 11 items"),
        ("acc 0.455 sens 0.93 spec 0.94 N=11", "cannot come from 11 items, however many"),
        ("acc 0.9123 sens 0.9", "These scores can come from one test set of unknown size"),
        ("precision 0.91 recall 0.89 F1 0.95", "cannot come from one test set of any size"),
        ("acc 0.9, zeal 0.7, p=10 n=10", "One number is not explained (0.7)"),
        ("MAE 2.50, RMSE 2.10", "How many items were predicted?"),
        ("macro F1 0.81", "How many items of each class were tested?"),
        ("acc 0.9 N=100000", "How many of the 100,000 items are positive?"),
        (
            "classes=50,50,50 acc=0.9400 recall_macro=0.9467",
            "one test set of 3 classes with 50, 50 and 50 items",
        ),
        ("task=regression n=100 mae=2.50 rmse=2.10", "inconsistent"),
        ("acc=1.7 p=3 n=4", "1 number is not explained"),
        ("", "The verdict appears here as you type"),
        ("nothing of note", "No score was recognised yet"),
        ("x" * 5_000, "No score was recognised yet"),
    ],
)
def test_what_is_said_about(house: Visitor, text: str, said: str) -> None:
    assert said in words(house.get(address(text)).text)


def test_a_field_that_is_no_number_is_marked_where_it_stands(house: Visitor) -> None:
    page = house.get(address("acc 0.9", p="many", n="5")).text
    assert 'id="p-complaint">“many” is not a whole number.' in page
    assert page.count('aria-invalid="true"') == 1


def test_hostile_text_is_shown_as_text(house: Visitor) -> None:
    page = house.get(address('<script>alert(1)</script>: acc 0.9 "><img src=x onerror=alert(2)> p=10 n=10')).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


@pytest.fixture
def checker() -> Iterator[Checker]:
    made = Checker(Limits(check_seconds=0.05, depth_seconds=20))
    yield made
    made.close()


def test_a_check_that_takes_too_long_is_ended_and_the_next_one_answers(checker: Checker) -> None:
    slow, quick = (read_pasted(text).rows[0] for text in (SLOW, POSSIBLE))
    assert checker.ask(slow).late
    answer = checker.ask(quick, "depth")
    assert answer.report is not None
    assert answer.report.judgements[0].verdict.value == "consistent"


def test_a_process_that_dies_is_replaced(checker: Checker) -> None:
    row = read_pasted(POSSIBLE).rows[0]
    assert checker.ask(row, "depth").report
    process = checker._idle.get()
    process.start().kill()
    checker._idle.put(process)
    answers = [checker.ask(row, "depth") for _ in range(3)]
    assert [bool(answer.report) for answer in answers].count(False) == 1
    assert "failed" in next(answer.error for answer in answers if not answer.report)


def test_a_slow_check_leaves_the_page_standing(tmp_path: Path) -> None:
    limits = Limits(check_seconds=0.01, depth_seconds=20)
    with served(Settings(tmp_path, limits=limits)) as base, Visitor(base) as visitor:
        page = visitor.get(address(SLOW)).text
        assert "This takes longer than a moment" in page
        assert 'href="/scores/depth?' in page


FORM = "/scores"
TRUE = "The sensitivity and specificity were 70.0% and 88.9%, respectively (10 positives, 9 negatives)."
README = "90.0% accuracy, 80.0% sensitivity and 80.0% specificity, 100 positives, 200 negatives"


def test_a_true_sentence_is_consistent_and_an_impossible_one_is_not(house: Visitor) -> None:
    assert "✓ consistent" in words(house.get(address(TRUE)).text)
    assert "✗ inconsistent" in words(house.get(address(README)).text)


def test_the_reading_is_marked_in_the_text(house: Visitor) -> None:
    page = house.get(address("acc 0.9, zeal 0.7, p=10 n=10")).text
    assert '<mark class="score" title="accuracy">0.9</mark>' in page
    assert '<mark class="unread" title="no score is named for it">0.7</mark>' in page
    assert '<mark class="size" title="positives">10</mark>' in page


def test_an_unexplained_number_waits_to_be_assigned_or_dismissed(house: Visitor) -> None:
    text = "acc 0.9, zeal 0.8, p=10 n=10"
    at = text.index("0.8")
    assert "consistent" not in words(house.get(address(text)).text).partition("What was read")[0].replace(
        "inconsistent", ""
    )
    assigned = words(house.get(address(text, fix=f"{at}:0.8:sens")).text)
    assert "sens 0.8" in assigned
    assert "✓ consistent" in assigned
    assert "✓ consistent" in words(house.get(address(text, fix=f"{at}:0.8:ignore")).text)
    assert "✓ consistent" in words(house.get(address(text, dismiss="yes")).text)


def test_a_correction_of_a_text_that_has_changed_is_dropped(house: Visitor) -> None:
    assert "One number is not explained" in words(
        house.get(address("acc 0.9, zeal 0.7, p=9 n=9", fix="3:0.8:sens")).text
    )


def test_a_score_can_be_read_as_another(house: Visitor) -> None:
    text = "acc 0.90 rec 0.80 p=10 n=10"
    said = words(house.get(address(text, fix=f"{text.index('0.80')}:0.80:spec")).text)
    assert "spec 0.80" in said


def test_a_long_text_is_read_and_stays_in_the_form(house: Visitor) -> None:
    text = TRUE + "\n" + "Nothing of note is said in this sentence. " * 700
    assert len(text) > 25_000
    answer = house.post(FORM, {"text": text})
    assert answer.status_code == 200
    assert "✓ consistent" in words(answer.text)
    assert text[-200:].strip() in answer.text


def test_a_short_form_becomes_an_address(house: Visitor) -> None:
    answer = house.post(FORM, {"text": TRUE})
    assert "text=The+sensitivity" in str(answer.url)


def test_a_report_of_several_classes_is_one_experiment(house: Visitor) -> None:
    text = """              precision    recall  f1-score   support

           0       0.50      1.00      0.67         1
           1       0.00      0.00      0.00         1
           2       1.00      0.67      0.80         3

    accuracy                           0.60         5
   macro avg       0.50      0.56      0.49         5
weighted avg       0.70      0.60      0.61         5"""
    assert "✓ consistent" in words(house.get(address(text)).text)
    assert "✗ inconsistent" in words(house.get(address(text.replace("0.60         5", "0.80         5", 1))).text)
