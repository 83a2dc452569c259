"""Scripts, notebooks and pipelines that a README names or starts: whether they train or score is in their code."""

import pytest

from assay.code import read_code
from assay.repository.readme import Kind, read_readme
from assay.tree import tree_of

_LOOP = "def go(net, rows):\n    loss = net(rows)\n    loss.backward()\n"
_RUN = _LOOP + "if __name__ == '__main__':\n    go(make(), load())\n"
_NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "source": ["forest.fit(x, y)"], "outputs": [], "metadata": {}, '
    '"execution_count": 1}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)
_SHOWING = _NOTEBOOK.replace("forest.fit(x, y)", "x.plot()")


def tells(kind: Kind, text: str, files: dict[str, str]) -> bool:
    tree = tree_of({"README.md": f"# Work\n{text}\n", **files})
    return read_readme(tree, read_code(tree)).section(kind) is not None


def trains(text: str, files: dict[str, str]) -> bool:
    return tells(Kind.TRAIN, text, files)


def scores(text: str, files: dict[str, str]) -> bool:
    return tells(Kind.EVALUATE, text, files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("**Notebook:** `step_2.ipynb`", {"two/step_2.ipynb": _NOTEBOOK}),
        ("See `src/tuned.py` for details.", {"src/tuned.py": _RUN}),
        ("- study.py: what the article reports", {"a/study.py": "rows = load()\nmodel.fit(rows)\n"}),
        (
            "```\nsrc/\n├── read.py\n└── groups.py   # 2. groups\n```",
            {"src/groups.py": "for k in 2, 3:\n    m.fit_predict(k)\n"},
        ),
        ("| Step | File |\n|---|---|\n| 3 | `third.py` |", {"third.py": _RUN}),
        ("### `late.py`\nThe second study.", {"late.py": _RUN}),
        ("Both are set in house_study and flat_study.", {"house_study.py": _RUN}),
        ("What was run for the hospital is in jobs/hospital.sh.", {"jobs/hospital.sh": "python x.py\n", "x.py": _LOOP}),
    ],
)
def test_a_script_or_notebook_that_is_named_and_trains_tells_of_training(text: str, files: dict[str, str]) -> None:
    assert trains(text, files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("**Notebook:** `step_2.ipynb`", {"two/step_2.ipynb": _SHOWING}),
        ("The parts are in `src/parts.py`.", {"src/parts.py": _LOOP}),
        ("```\nsrc/\n└── parts.py\n```", {"src/parts.py": _LOOP}),
        ("The figures are in `analysis.ipynb`.", {"analysis.ipynb": _NOTEBOOK}),
        ("Words such as house_style are explained below.", {"house_style.py": "x = 1\n", "b.py": _RUN}),
        ("Our study.py is not there yet.", {"other.py": _RUN}),
    ],
)
def test_what_is_named_and_only_defines_or_shows_something_tells_of_no_training(
    text: str, files: dict[str, str]
) -> None:
    assert not trains(text, files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\n./all.py first\n```", {"all.py": "import loop\n", "loop.py": _LOOP}),
        ("Type **sh all.sh**.", {"all.sh": "python go.py\n", "go.py": _LOOP}),
        (
            "```\n./hpc/hand_in.sh\n```",
            {
                "hpc/hand_in.sh": "sbatch --account=$A \\\n  --time=1:00 hpc/job.sh\n",
                "hpc/job.sh": "python -u go.py\n",
                "go.py": _LOOP,
            },
        ),
        (
            "1. dvc init\n2. dvc repro",
            {"dvc.yaml": "stages:\n  two:\n    cmd: python src/two.py\n", "src/two.py": _LOOP},
        ),
        (
            "```\npython all.py\n```",
            {"all.py": "import subprocess\nsubprocess.run(['python', 'a/go.py'])\n", "a/go.py": _LOOP},
        ),
        ("```\npython world.py\n```", {"world.py": "q_table[state, action] += step\n"}),
        ("```\n./all.sh\n```", {"all.sh": "$queue code/go.py --rate 1\n", "code/go.py": _LOOP}),
        ("```\nuv run go.py\n```", {"go.py": _LOOP}),
        ("```\ntorchrun --nproc_per_node=4 go.py\n```", {"go.py": _LOOP}),
        ("```\npython -m torch.distributed.launch --nproc_per_node 4 go.py\n```", {"go.py": _LOOP}),
    ],
)
def test_what_a_command_starts_is_followed(text: str, files: dict[str, str]) -> None:
    assert trains(text, files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("```\n./all.py first\n```", {"all.py": "import numpy\n", "loop.py": _LOOP}),
        ("```\n./a.sh\n```", {"a.sh": "bash b.sh\n", "b.sh": "bash a.sh\n", "go.py": _LOOP}),
        ("1. dvc init\n2. dvc repro", {"dvc.yaml": "stages:\n  one:\n    cmd: python one.py\n", "one.py": "x = 1\n"}),
        ("```\npython all.py\n```", {"all.py": "names = ['a/go.py']\n", "a/go.py": _LOOP}),
        ("```\n./all.sh\n```", {"all.sh": "$queue code/go.py --rate 1\n", "code/go.py": "x = 1\n", "b.py": _LOOP}),
    ],
)
def test_what_is_started_and_does_not_train_tells_nothing(text: str, files: dict[str, str]) -> None:
    assert not trains(text, files)


_LISTED = "```\nsrc/\n├── evaluate_rain.py\n└── read.py\n```"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"src/evaluate_rain.py": "def error(a, b):\n    return a - b\n"}, False),
        ({"src/evaluate_rain.py": "model = load()\nmodel.score(rows)\n"}, True),
        ({"src/other.py": "x = 1\n"}, True),
    ],
)
def test_a_listed_module_of_measures_is_no_script_for_evaluation(files: dict[str, str], told: bool) -> None:
    tree = tree_of({"README.md": f"# Work\n## How to use the code\n{_LISTED}\n", **files})
    assert (read_readme(tree, read_code(tree)).section(Kind.EVALUATE) is not None) is told


_MEASURED = "from sklearn.metrics import f1_score\nrows = load()\nfor row in rows:\n    print(f1_score(row.y, row.z))\n"
_MEASURE = "from sklearn.metrics import f1_score\ndef measure(row):\n    return f1_score(row.y, row.z)\n"
_RESTORED = "net = make()\nnet.load_state_dict(read('net.pt'))\nfor row in load():\n    print(net(row))\n"


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("`weather.py` shows what our best networks can do.", {"weather.py": _MEASURED}),
        ("Look for neighbours:\n```\npython near.py --of 3\n```", {"near.py": _RESTORED}),
        ("Type `python all.py`.", {"all.py": "from parts import measure\nmeasure(0)\n", "parts.py": _MEASURE}),
        ("```\n├── read.py\n└── third.py   # 3. numbers\n```", {"third.py": _MEASURED}),
        (
            "7. [Together](./steps/7%20together.ipynb)",
            {"steps/7 together.ipynb": _NOTEBOOK.replace("fit(x, y)", "predict(x)")},
        ),
    ],
)
def test_what_is_named_and_scores_or_applies_a_model_tells_of_evaluation(text: str, files: dict[str, str]) -> None:
    assert scores(text, files)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("`weather.py` shows what our best networks can do.", {"weather.py": "rows = load()\nrows.plot()\n"}),
        ("Training goes on:\n```\npython near.py --of 3\n```", {"near.py": _RESTORED + "loss.backward()\n"}),
        ("Our `parts.py` has what the others need.", {"parts.py": _MEASURE}),
        ("Type `python draw_all.py`.", {"draw_all.py": _MEASURED}),
        ("Open the page with `python app.py`.", {"app.py": _RESTORED}),
        ("7. [Together](./steps/7%20together.ipynb)", {"steps/7 together.ipynb": _SHOWING}),
        ("## Acknowledgements\nOur `weather.py` is based on theirs.", {"weather.py": _MEASURED}),
    ],
)
def test_what_is_named_and_does_something_else_tells_of_no_evaluation(text: str, files: dict[str, str]) -> None:
    assert not scores(text, files)


def test_a_linked_notebook_that_trains_tells_of_training() -> None:
    assert trains("4. [Together](steps/4.ipynb)", {"steps/4.ipynb": _NOTEBOOK})
    assert not trains("4. [Together](steps/4.ipynb)", {"steps/4.ipynb": _SHOWING})
