"""From the facts of a repository to the thesis's indicators."""

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from assay.code import read_code
from assay.repository.data import Availability
from assay.repository.documentation import read_documentation
from assay.repository.environment import read_environment
from assay.repository.licence import read_licences
from assay.repository.randomness import read_randomness
from assay.repository.readme import Status
from assay.repository.research.loos2022 import Asked, Factor, Indicators, indicators_of, score
from assay.tree import tree_of

MIT = """MIT License

Copyright (c) 2020 A

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
TRAIN = """# trains a net
import random
import numpy as np
import torch
import wandb

np.random.seed(1)
random.seed(None)
wandb.init()
x = np.random.rand(3)
torch.save(x, "x.pt")
"""


def measured(
    files: dict[str, str],
    *,
    availability: Availability = Availability.ABSENT,
    asked: Asked | None = None,
    tried: Sequence[Status] = (),
) -> Indicators:
    tree = tree_of(files)
    code = read_code(tree)
    facts = SimpleNamespace(
        tree=tree,
        code=code,
        licence=read_licences(tree, code),
        environment=read_environment(tree, code),
        randomness=read_randomness(tree, code),
        documentation=read_documentation(tree, code),
        data=SimpleNamespace(),
        obtaining=SimpleNamespace(availability=availability),
        readme=SimpleNamespace(links=[SimpleNamespace(remote=True, status=status) for status in tried]),
    )
    return indicators_of(facts, asked)


def test_a_small_project_is_measured_as_it_is() -> None:
    found = measured(
        {
            "README.md": "# Net\n\nSee https://arxiv.org/abs/1 and [data](http://a.org/b).\n",
            "docs/readme.txt": "one\n",
            "LICENSE": MIT,
            "requirements.txt": "numpy==1.26.0\ntorch\n",
            "train.py": TRAIN,
        }
    )
    assert found == Indicators(
        readmes=2,
        readme_lines=2.0,
        links=2,
        licences=1,
        open_licences=1,
        comment_ratio=9.0,
        imports=3,
        config_files=1,
        declared=66.67,
        strict=50.0,
        public=100.0,
        seed_lines=2,
        fixed_seeds=50.0,
        models=True,
        logging=2,
    )


def test_an_empty_tree_is_measured_without_a_fault() -> None:
    assert measured({}) == Indicators(imports=0, config_files=0)


def test_somebody_elses_readme_does_not_count() -> None:
    found = measured({"README.md": "a\n", "node_modules/x/README.md": "b\n" * 500})
    assert (found.readmes, found.readme_lines) == (1, 1.0)


@pytest.mark.parametrize("path", ["weights/net.h5", "clf.pkl", ".dvc/config", "data.dvc", "a/best.model"])
def test_artefacts_of_the_thesis_are_models(path: str) -> None:
    assert measured({path: "x"}).models


def test_the_name_of_a_library_in_words_is_no_logging() -> None:
    assert measured({"a.py": "# wandb\nx = 'import mlflow'\n"}).logging == 0


def test_code_without_comments_has_its_length_as_ratio() -> None:
    assert measured({"a.py": "x = 1\n" * 30}).comment_ratio == 30.0


@pytest.mark.parametrize(
    ("availability", "counts"),
    [
        (Availability.LINKED, True),
        (Availability.NAMED, True),
        (Availability.ABSENT, False),
        (Availability.NOT_NEEDED, False),
    ],
)
def test_data_count_when_they_are_there_or_named(availability: Availability, counts: bool) -> None:
    assert measured({}, availability=availability).dataset is counts


def test_what_was_asked_for_is_taken_over() -> None:
    found = measured({"README.md": "http://a.org/x"}, asked=Asked(reachable_links=50.0, pylint=4.0, built=True))
    assert (found.reachable_links, found.pylint, found.built) == (50.0, 4.0, True)
    assert all(one.score is not None for one in score(found))
    assert {one.factor for one in score(found) if one.score == 1.0} == {Factor.SE, Factor.OOTB}


def test_links_count_as_reachable_once_servers_were_asked() -> None:
    assert measured({}, tried=[Status.UNKNOWN, Status.UNKNOWN]).reachable_links is None
    assert measured({}, tried=[Status.OK, Status.BROKEN, Status.UNKNOWN, Status.OK]).reachable_links == 75.0


def test_a_repository_read_as_a_whole_is_scored() -> None:
    from assay.repository.facts import read_repository

    found = indicators_of(read_repository(tree_of({"README.md": "# A\n", "train.py": TRAIN})))
    assert (found.readmes, found.imports, found.config_files, found.models) == (1, 3, 0, True)
