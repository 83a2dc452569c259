"""Which files of a repository are followed for leaks: those from which a model can be trained at all.

Following every file of a large project takes minutes, and most files have nothing to do with learning.
"""

from __future__ import annotations

from assay.code import Code, Source
from assay.leakage.code.analysis import Analysis, analyse_source, gathered
from assay.leakage.code.state.machine import Limits
from assay.libraries.catalogue import catalogue

_BESIDES = frozenset(
    {"jax", "flax", "fastai", "mxnet", "paddle", "chainer", "theano", "pycaret", "skimage", "timm", "sktime", "tsai"}
)
"""Packages that train models and have no rows about models. Learners written by hand from numpy are not followed."""
_LIMITS = Limits(statements=8_000, expressions=80_000)
"""Less than `assay leakage code` grants: an audit has a dozen other questions."""


def followed(code: Code) -> tuple[Analysis, list[Source], str]:
    """The leaks in the files that learn, these files, and a sentence about those that were passed over."""
    sources = [s for s in code.python if not _is_test(s.path)]
    packages = (catalogue().learning | _BESIDES) - code.local_modules.keys()
    learning = {s.path for s in sources if any(i.top in packages for i in s.imports)}
    chosen = [s for s in sources if s.path in learning or _uses(s, code, learning)]
    passed = len(code.python) - len(chosen)
    told = (
        f"{passed} of {len(code.python)} Python files were not followed for leaks: they are tests, or neither they nor "
        "what they import use a learning library; `assay leakage code` follows all"
    )
    analysis = gathered(analyse_source(code, source, limits=_LIMITS) for source in chosen)
    return analysis, chosen, told if passed else ""


def _uses(source: Source, code: Code, learning: set[str]) -> bool:
    """Whether the file imports one of the repository's own modules that learn."""
    return any(code.find(imported, source) in learning for imported in source.imports)


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_") or "/tests/" in f"/{path}"
