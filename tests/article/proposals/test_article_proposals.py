"""What is proposed for a paper, and by which of its words."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.article.model import all_parts
from assay.article.proposals import Proposal, propose, record_of, unsearched, words_of
from assay.article.proposals.cues import cue_table
from assay.article.proposals.passage import quoted
from assay.article.reading import Paper, read_paper
from assay.article.reading.markup import read_markdown
from assay.article.reading.tex import read_tex
from assay.findings import Confidence
from assay.tree import tree_of

WELL_TOLD = r"""\documentclass{article}
\title{Hearing frogs}
\begin{document}
\begin{abstract}
Counting frogs by ear is a difficult problem. Our aim is to count frog species from recordings.
We propose FrogNet, a network that listens to ponds.
\end{abstract}
\section{Introduction}
Frogs tell of the health of a pond. We ask whether a small network can tell species apart.
We hypothesize that short calls suffice. Our main contribution is a public detector.
\section{Method}
FrogNet is based on the convolutional network of \cite{lecun}. We replace its last layer by an attention layer.
\begin{algorithm}\caption{Training FrogNet}\begin{algorithmic}\State draw a call\end{algorithmic}\end{algorithm}
The method has a learning rate, a batch size, a dropout rate and a number of layers.
\section{Data}
The data set consists of 4,000 recordings of 12 species. Each recording is stored as a WAV file.
The recordings are publicly available at \url{https://zenodo.org/record/1}. All were normalised to zero mean.
We randomly split the recordings into 80\% for training and 20\% for testing.
\section{Experiments}
The network was written in Python 3.9 with PyTorch. We expect that long calls do not help.
We trained with Adam for 40 epochs, a learning rate of 0.01, batches of size 32 and two layers.
All runs used one NVIDIA V100 with 32 GB of memory under Ubuntu 20.04.
Our code is available at \url{https://github.com/pond/frognet}, version 1.2 of the code.
Scripts to reproduce all experiments are available at \url{https://github.com/pond/frognet}.
\section{Results}
\begin{table}\caption{Accuracy of all models}
\begin{tabular}{lrr} FrogNet & 0.93 & 0.91 \\ baseline & 0.82 & 0.80 \end{tabular}\end{table}
The raw predictions are available at \url{https://zenodo.org/record/2}.
\end{document}
"""


def proposals_for(text: str, name: str = "paper.tex") -> dict[str, Proposal]:
    return {proposal.part.id: proposal for proposal in propose(paper_of(text, name))}


def paper_of(text: str, name: str = "paper.tex") -> Paper:
    return read_tex(tree_of({name: text.encode()})) if name.endswith(".tex") else read_markdown(text, name)


def in_section(heading: str, text: str) -> dict[str, Proposal]:
    """The proposals for a paper that says `text` in a section, and nothing of note elsewhere."""
    return proposals_for(f"# Title\n\n## Introduction\n\nPonds are wet.\n\n## {heading}\n\n{text}\n", "paper.md")


NOT_IN_IT = {"research-method", "subset", "training-set", "validation-set", "test-set", "processed-data"}


@pytest.mark.parametrize("part", sorted(set(all_parts()) - NOT_IN_IT))
def test_what_a_paper_says_plainly_is_found(part: str):
    proposal = proposals_for(WELL_TOLD)[part]
    assert proposal.value
    assert proposal.passages


@pytest.mark.parametrize("part", sorted(NOT_IN_IT))
def test_what_it_does_not_say_is_not(part: str):
    assert not proposals_for(WELL_TOLD)[part].value


def test_each_proposal_quotes_the_place_it_rests_on():
    hardware = proposals_for(WELL_TOLD)["hardware"]
    assert hardware.value == 1
    assert "NVIDIA V100" in hardware.passages[0].text
    line = 1 + WELL_TOLD.splitlines().index("All runs used one NVIDIA V100 with 32 GB of memory under Ubuntu 20.04.")
    assert str(hardware.passages[0].location) == f"paper.tex:{line}"


def test_what_is_not_said_earns_nothing():
    found = proposals_for("# Ponds\n\nPonds are wet. They are green, too.\n", "paper.md")
    assert not any(proposal.value for proposal in found.values())
    assert found["subset"].value is None, "nothing says that a subset was used"


@pytest.mark.parametrize(
    ("part", "said", "denied"),
    [
        ("hardware", "All runs used an NVIDIA V100.", "No NVIDIA V100 was used."),
        ("libraries", "The model was built with PyTorch.", "The model was built without PyTorch."),
        ("method-code", "Our code is available at https://github.com/a/b.", "Our code is not available at GitHub."),
        ("pre-processing", "All images were resized.", "The images were not resized."),
        ("hypothesis", "We hypothesize that it helps.", "We do not hypothesize that it helps."),
    ],
)
def test_a_denial_is_no_evidence(part: str, said: str, denied: str):
    assert in_section("Experiments", said)[part].value
    assert not in_section("Experiments", denied)[part].value


@pytest.mark.parametrize(
    ("part", "ours", "theirs"),
    [
        ("libraries", "We used PyTorch.", "Smith et al. (2019) used PyTorch."),
        ("hardware", "Our runs took a day on a Tesla V100.", "They trained for a day on a Tesla V100 [3]."),
        ("language", "We implemented it in Python.", "Miller et al. [4] implemented theirs in Python."),
        ("partitioning-method", "We used ten-fold cross-validation.", "Lee et al. [4] used ten-fold cross-validation."),
    ],
)
def test_what_others_did_earns_nothing(part: str, ours: str, theirs: str):
    assert in_section("Experiments", ours)[part].value
    assert not in_section("Experiments", theirs)[part].value


def test_related_work_is_about_others():
    told = "The network was trained with PyTorch on a Tesla V100."
    assert in_section("Experiments", told)["hardware"].value
    assert not in_section("Related work", told)["hardware"].value


def test_the_bibliography_is_no_evidence():
    text = "Abadi, M. We implemented it in Python with TensorFlow on NVIDIA V100. https://github.com/a/b"
    found = in_section("References", text)
    assert not any(found[part].value for part in ("language", "libraries", "hardware", "method-code"))


def test_a_promise_is_quoted_and_earns_nothing():
    code = in_section("Experiments", "The code will be made available upon publication.")["method-code"]
    assert code.value == 0
    assert "upon publication" in code.passages[0].text


def test_an_objective_function_is_no_goal():
    assert not in_section("Method", "Our objective function is to minimise the loss.")["goal"].value


def test_the_code_of_others_is_not_the_papers():
    told = "The baseline was downloaded from https://github.com/others/code."
    assert not in_section("Experiments", told)["method-code"].value


def test_an_algorithm_float_is_pseudocode_with_high_confidence():
    pseudocode = proposals_for(WELL_TOLD)["pseudocode"]
    assert (pseudocode.value, pseudocode.confidence) == (1, Confidence.HIGH)
    assert pseudocode.passages[0].text == "Training FrogNet"


def test_a_table_of_figures_sums_up_results():
    summary = proposals_for(WELL_TOLD)["summary"]
    assert summary.passages[0].text == "Accuracy of all models"
    assert summary.confidence is Confidence.HIGH


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ("We like it.", Fraction(0)),
        ("We used a learning rate of 0.1.", Fraction(1, 2)),
        ("We used Adam with a learning rate of 0.1, batches of size 8, 40 epochs and two layers.", Fraction(1)),
    ],
)
def test_more_named_hyper_parameters_are_worth_more(told: str, value: Fraction):
    assert in_section("Experiments", told)["hyper-parameter-values"].value == value


def test_a_subset_that_is_not_provided_is_a_gap_with_its_quote():
    subset = in_section("Data", "We used a subset of 20,000 recordings.")["subset"]
    assert subset.value == 0
    assert subset.passages


def test_a_paper_without_headings_is_read_with_less_confidence():
    with_heading = in_section("Experiments", "We ran it on an NVIDIA V100.")["hardware"]
    without = proposals_for("We ran it on an NVIDIA V100.\n", "paper.md")["hardware"]
    assert with_heading.value == without.value == 1
    assert without.confidence.rank > with_heading.confidence.rank


def test_links_of_a_web_page_count_where_they_stand(tmp_path: Path):
    page = tmp_path / "paper.html"
    page.write_text(
        "<html><body><h2>Experiments</h2><p>Our code is available <a href='https://github.com/a/b'>here</a>.</p>"
        "<h2>Results</h2><p>Good.</p></body></html>"
    )
    found = {proposal.part.id: proposal for proposal in propose(read_paper(page))}
    assert found["method-code"].value == 1


def test_the_record_marks_every_grade_as_proposed():
    paper = paper_of(WELL_TOLD)
    record = record_of(paper, propose(paper))
    assert record.paper == "Hearing frogs"
    assert not record.missing
    assert all(grade.proposed.startswith("assay, ") for grade in record.grades.values())
    assert record.metric is not None


def test_every_sub_component_has_cues_and_nothing_else_has():
    assert sorted(cues.id for cues in cue_table()) == sorted(all_parts())
    for cues in cue_table():
        steps = cues.tally.steps if cues.tally else ()
        proposed = {cue.value for cue in cues.cues} | {value for _, value in steps}
        part = all_parts()[cues.id]
        assert proposed <= part.values, part.id


def test_a_long_sentence_is_cut_around_what_matters():
    text = "start " * 100 + "the heart of it " + "end " * 100
    cut = quoted(text, text.index("heart"))
    assert len(cut) < 310
    assert "heart" in cut
    assert cut.startswith("… ")
    assert cut.endswith(" …")
    assert quoted("short") == "short"


_PHRASES = (
    "we used", "they used", "our code", "is available at", "is not", "https://github.com/a/b", "NVIDIA V100", "PyTorch",
    "in Python", "the data set", "split into", "80% for training", "test set", "our hypothesis", "we expect", "et al.",
    "our goal is to", "the problem of", "[3]", "will be released", ".", "Algorithm 1:", "accuracy of 0.5", "a subset",
    "\n\n## Experiments\n\n", "\n\n## Related work\n\n", "\n\n## References\n\n", "\n\n## Introduction\n\n",
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.sampled_from(_PHRASES), max_size=60).map(" ".join))
def test_no_quote_no_credit_whatever_the_text(text: str):
    paper = read_markdown(f"# Title\n\n{text}\n", "paper.md")
    words = words_of(paper)
    for proposal in propose(paper):
        assert proposal.confidence is not Confidence.PROVEN
        assert len(proposal.passages) <= 3
        assert not proposal.value or proposal.passages
        assert proposal.value is None or proposal.value in proposal.part.values
        for passage in proposal.passages:
            assert passage.text.strip("… ") in words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 50_000,
        "code " * 20_000,
        "the data set " * 10_000,
        "(" * 5_000,
        "random " * 5_000 + "split",
        "\u202e\x00",
    ],
    ids=["empty", "one word", "code", "data", "brackets", "random", "control"],
)
def test_hostile_text_ends_in_proposals(text: str):
    assert len(propose(read_markdown(f"# T\n\n{text}\n", "paper.md"))) == len(all_parts())


def test_a_text_beyond_all_measure_is_searched_in_part_and_that_is_told(monkeypatch: pytest.MonkeyPatch):
    paper = read_markdown("# T\n\nWe ran it. It was good.\n\nAll runs used one NVIDIA V100.\n", "paper.md")
    assert unsearched(paper) == ()
    monkeypatch.setattr("assay.article.proposals.search._MOST_SIGNS", 25)
    assert unsearched(paper) == ("only the first 2 of 3 sentences of paper.md were searched",)
    assert not {p.part.id: p for p in propose(paper)}["hardware"].value


def test_the_labels_speak_of_the_models_parts_and_of_known_papers():
    """The hand labels behind docs/article/proposals.md; the texts themselves are not ours to ship."""
    here = Path(__file__).parent
    with (here / "labels.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    with (here / "labelled_papers.csv").open() as stream:
        papers = {row["paper"] for row in csv.DictReader(stream)}
    assert [row.pop("part") for row in rows] == list(all_parts())
    assert all(set(row) == papers for row in rows)
    assert {label for row in rows for label in row.values()} == {"0", "1", "-"}


APART = """# A study

## Introduction

We study things.

## Method

### Stratified k-fold sampling

It is done.

## Experiments

| Component | Details |
|---|---|
| GPU | NVIDIA A100 80GB |
| Framework | PyTorch 2.1 |
| Language | Python 3.10 |
| OS | Ubuntu 22.04 |
| Learning rate | 0.001 |
"""


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("hardware", "GPU: NVIDIA A100 80GB"),
        ("libraries", "Framework: PyTorch 2.1"),
        ("language", "Language: Python 3.10"),
        ("platform", "OS: Ubuntu 22.04"),
        ("hyper-parameter-values", "Learning rate: 0.001"),
        ("partitioning-method", "Stratified k-fold sampling"),
    ],
)
def test_headings_and_tables_document_as_sentences_do(part: str, words: str):
    found = {p.part.id: p for p in propose(read_markdown(APART, "p.md"))}
    assert found[part].value
    assert found[part].passages[0].text == words
    assert found[part].confidence is Confidence.LOW


def test_rows_of_results_are_no_documentation():
    rows = "| Method | Accuracy | F1 |\n|---|---|---|\n| LightGBM | 0.91 | 0.90 |\n"
    found = {p.part.id: p for p in propose(read_markdown(f"# S\n\n## Results\n\nAs below.\n\n{rows}", "p.md"))}
    assert not found["libraries"].value


SAID = """# A study

## Introduction

{intro}

## Data

{data}

## Discussion

{discussion}
"""


@pytest.mark.parametrize(
    ("part", "place", "sentence", "found"),
    [
        ("partitioning-method", "data", "We use the official train/dev/test splits of version 2.", True),
        ("partitioning-method", "data", "The split is chronological and identical for every method.", True),
        ("format", "data", "The feature vector contains surface, number of rooms, latitude and longitude.", True),
        ("format", "data", "The program writes metrics.json files in JSON for every run.", False),
        ("goal", "intro", "In this work, we evaluate such models, aiming to improve the benchmark.", True),
        ("libraries", "data", "Models were fitted with the packages glmnet and randomForest.", True),
        ("hypothesis", "discussion", "This pattern is consistent with the hypothesis that pairs help.", False),
        ("processed-data", "data", "Code and data loaders are available at https://github.com/a/b.", False),
    ],
)
def test_a_sentence_documents_what_it_says_and_no_more(part: str, place: str, sentence: str, found: bool):
    words = {"intro": "We study things.", "data": "Things were seen.", "discussion": "It went well."} | {
        place: sentence
    }
    proposals = {p.part.id: p for p in propose(read_markdown(SAID.format(**words), "p.md"))}
    assert bool(proposals[part].value) is found
