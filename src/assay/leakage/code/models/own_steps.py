"""Steps of a pipeline whose classes the audited code writes itself: what they learn, they learn as it is fitted."""

from __future__ import annotations

from collections.abc import Iterator

from assay.leakage.code.effects import Role
from assay.leakage.code.language import attributes
from assay.leakage.code.language.call import Call, replace_call
from assay.leakage.code.state.values import Data, Estimator, Function, Instance, Value
from assay.records import replace

_DEEPEST = 4


def taught(c: Call, pipeline: Estimator, features: Data, target: Data) -> None:
    """Fit each of them on these rows."""
    for step, fit in _methods(c, pipeline, "fit"):
        replace_call(c, [features, target]).follow(replace(fit, bound=step))


def applied(c: Call, pipeline: Estimator, data: Data) -> Data:
    """The rows with what the steps know, also where one learns only as it transforms."""
    for step, transform in _methods(c, pipeline, "transform"):
        result = c.m.data(replace_call(c, [data]).follow(replace(transform, bound=step)))
        data = data.marked(*(k for k in result.marks if k.rows))
    return data


def _methods(c: Call, pipeline: Estimator, name: str, depth: int = 0) -> Iterator[tuple[Value, Function]]:
    for value in pipeline.parts if pipeline.effect.role is Role.PIPELINE and depth < _DEEPEST else ():
        part = c.m.plain(value)
        if isinstance(part, Estimator):
            yield from _methods(c, part, name, depth + 1)
        elif isinstance(part, Instance) and isinstance(found := attributes.inherited(part.cls, name), Function):
            yield value, found
