"""Power: how many misprints a check of these scores would have noticed."""

from fractions import Fraction

from assay.findings import Verdict
from assay.scores.answers import undecided
from assay.scores.check import Hypothesis, Result, check
from assay.scores.definitions import Matrix
from assay.scores.power import power
from assay.scores.reading import read_words


def of(words, **options):
    return power(read_words(words.split()), check, **options)


def test_misprints_are_counted_score_by_score():
    found = of("p=10 n=20 acc=0.90 sens=0.80 spec=0.95")
    assert found.possible == found.tried == 54
    assert [score.tried for score in found.per_score] == [18, 18, 18]
    assert found.noticed == sum(score.noticed for score in found.per_score)
    assert found.sentence == "Of 54 possible one-digit misprints in these scores, 54 (100 %) would have been noticed."


def test_noticed_misprints_are_those_that_no_matrix_gives():
    p, n = 9, 14
    matrices = [Matrix(tp, p - tp, n - tn, tn) for tp in range(p + 1) for tn in range(n + 1)]
    texts = {"acc": "0.7", "f1": "0.67"}
    noticed = 0
    for name, text in texts.items():
        for i in range(2, len(text)):
            for digit in set("0123456789") - {text[i]}:
                figures = texts | {name: text[:i] + digit + text[i + 1 :]}
                noticed += not any(_gives(matrix, figures) for matrix in matrices)
    # 1.67 and 1.7 are out of range; 1.0 would need the leading digit and the others changed.
    found = of(f"p={p} n={n} acc=0.7 f1=0.67")
    assert (found.tried, found.noticed) == (27, noticed)


def _gives(matrix, figures):
    acc = Fraction(matrix.tp + matrix.tn, sum(matrix))
    f1 = Fraction(2 * matrix.tp, 2 * matrix.tp + matrix.fp + matrix.fn) if matrix.tn < sum(matrix) else Fraction(1)
    return abs(acc - Fraction(figures["acc"])) <= Fraction(1, 20) and abs(f1 - Fraction(figures["f1"])) <= Fraction(
        1, 200
    )


def test_few_digits_on_a_large_set_prove_little_and_many_on_a_small_one_much():
    loose = of("p=50000 n=50000 sens=0.9 spec=0.8")
    tight = of("p=37 n=41 acc=0.9231 sens=0.9189 f1=0.9189")
    assert loose.noticed == 0
    assert tight.noticed == tight.tried


def test_a_limit_draws_the_same_even_choice_each_time():
    words = "p=37 n=41 acc=0.9231 sens=0.9189 f1=0.9189"
    drawn = of(words, limit=50)
    assert drawn == of(words, limit=50)
    assert (drawn.possible, drawn.tried) == (108, 50)
    assert all(10 <= score.tried <= 23 for score in drawn.per_score)
    assert "108 possible one-digit misprints in these scores, 50 of which were tried, 50 (100 %)" in drawn.sentence


def test_undecided_checks_are_not_counted_as_noticed():
    def unsure(experiment):
        return Result(experiment, (Hypothesis("", undecided("too large")),))

    found = power(read_words(["p=10", "n=20", "acc=0.9"]), unsure)
    assert (found.noticed, found.undecided, found.tried) == (0, 9, 9)
    assert found.sentence.endswith("0 (0 %) would have been noticed; 9 could not be decided.")


def test_spreads_have_digits_too():
    experiment = read_words(["p=10", "n=20", "folds=5", "aggregation=mean", "acc=0.9", "acc_sd=0.1"])
    seen = []

    def noting(candidate):
        seen.append(candidate.reported[0].wording)
        return Result(candidate, (Hypothesis("", undecided("")),))

    power(experiment, noting)
    assert {wording.sd for wording in seen if wording.value == "0.9"} >= {"0.2", "0.9", "1.1"}


def test_figures_without_digits_leave_nothing_to_try():
    found = of("p=10 n=20 lrp=inf")
    assert found.tried == 0
    assert found.sentence == "These scores have no digits in which a misprint could be tried."
    assert check(read_words(["p=10", "n=20", "lrp=inf"])).verdict is Verdict.CONSISTENT
