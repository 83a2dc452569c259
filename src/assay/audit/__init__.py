"""Everything about one result in one report: all instruments on a submission, and what only their combination sees."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.answers import Answer


class _CallableModule(ModuleType):
    """A module that is also a function: ``assay.audit(path)`` works, and so does ``import assay.audit.execution``."""

    def __call__(self, *paths: Any, **options: Any) -> Answer:
        from assay.audit.submission_audit import audit_submission

        return audit_submission(*paths, **options)


sys.modules[__name__].__class__ = _CallableModule
