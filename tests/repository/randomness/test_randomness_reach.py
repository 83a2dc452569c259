"""Which draws of imported modules count for a run: those that something leads to, and no others."""

from __future__ import annotations

import pytest
from seeded_trees import coverage_of, facts_of

from assay.findings import Severity
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.repository.randomness import Framework
from assay.tree import tree_of

FUNCTION = "import numpy as np\ndef noise():\n    return np.random.rand(3)\ndef plain():\n    return 1\n"
CLASS = """
import numpy as np
class Cell:
    def sample(self):
        return np.random.rand(3)
    def size(self):
        return 3
"""
MODULE = """
from torch import nn
import numpy as np
class Base(nn.Module):
    pass
class Net(Base):
    def {method}(self, x):
        return x + np.random.rand(3)
"""
REACHED = {
    "a call": (FUNCTION, "from other import noise\nnoise()"),
    "a call in a function": (FUNCTION, "import other\ndef go():\n    other.noise()\ngo()"),
    "the module itself": (
        "import numpy as np\nDRAWN = np.random.rand(3)\n",
        "import other\nif __name__ == '__main__':\n    print(other.DRAWN)",
    ),
    "an argument": (FUNCTION, "from other import noise\nlist(map(noise, ()))"),
    "a method of an instance": (CLASS, "from other import Cell\ncell = Cell()\ncell.sample()"),
    "a method of the class": (CLASS, "from other import Cell\nmodel = Cell\nmodel.sample(None)"),
    "a variable that is called": (FUNCTION, "from other import noise, plain\nf = noise if 1 else plain\nf()"),
    "a hook of a framework": (MODULE.format(method="forward"), "from other import Net\nnet = Net()\nnet(1)"),
}
UNREACHED = {
    "an import": (FUNCTION, "from other import noise\nif __name__ == '__main__':\n    print('noise')"),
    "another function": (FUNCTION, "from other import noise, plain\nplain()"),
    "another method": (CLASS, "from other import Cell\nCell().size()"),
    "a method without an instance": (CLASS, "import other\nprint({}.sample())"),
    "a module of another name": (FUNCTION, "import helper\nhelper.noise()"),
}
UNKNOWN = {
    "a test of the class": (CLASS, "from other import Cell\ndef f(x):\n    isinstance(x, Cell) and x.sample()\nf(1)"),
    "an annotation": (CLASS, "from other import Cell\ndef f(x: Cell):\n    x.sample()\nf(1)"),
    "a registry": (FUNCTION, "import other\nTABLE = {'a': other.noise}\nTABLE[input()]"),
    "any method of a module": (MODULE.format(method="sampled"), "from other import Net\nNet()"),
}


def _files(other: str, script: str) -> dict[str, str]:
    return {"train.py": f"{script}\n", "other.py": other, "helper.py": "", "README.md": "`python train.py`\n"}


@pytest.mark.parametrize("way", REACHED)
def test_a_draw_counts_that_something_leads_to(way: str) -> None:
    assert coverage_of(_files(*REACHED[way]), Framework.NUMPY).evident


@pytest.mark.parametrize("way", UNREACHED)
def test_a_draw_that_is_only_imported_does_not_count(way: str) -> None:
    (entry,) = (e for e in facts_of(_files(*UNREACHED[way])).entry_points if e.path == "train.py")
    assert entry.of(Framework.NUMPY) is None


@pytest.mark.parametrize("way", UNKNOWN)
def test_a_draw_that_may_be_reached_is_only_noted(way: str) -> None:
    files = _files(*UNKNOWN[way])
    assert not coverage_of(files, Framework.NUMPY).evident
    (finding,) = (f for f in assess(read_repository(tree_of(files))).findings if f.code == "R401")
    assert finding.severity is Severity.NOTE
    assert finding.message == (
        "train.py: no seed is set for numpy, and the run may draw from it: nothing shows that it does by default"
    )


def test_draws_that_are_reached_hide_those_that_may_be() -> None:
    script = "import numpy as np\nfrom other import noise\nTABLE = {'a': noise}\nnp.random.rand(2)"
    found = coverage_of(_files(FUNCTION, script), Framework.NUMPY)
    assert found.evident
    assert [draw.location.path for draw in found.uncovered] == ["train.py"]
