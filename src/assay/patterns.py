"""Regular expressions that are compiled when they are first needed.

The rooms know some five hundred, one run needs a third of them, and compiling them all would take a tenth of a second
of every start.
"""

from __future__ import annotations

import re
from typing import Any, cast

_OFFERED = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class _Late:
    """Stands for a pattern until its first use, which compiles it and copies its methods into this object."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _OFFERED:
            raise AttributeError(name)
        pattern = re.compile(self._text, self._flags)
        vars(self).update((offered, getattr(pattern, offered)) for offered in _OFFERED)
        return getattr(pattern, name)

    def __repr__(self) -> str:
        return f"regex({self._text!r})"


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled at its first use.

    It is not what `isinstance`, the functions of `re` or a comparison with `match.re` take for a pattern.
    """
    return cast("re.Pattern[str]", _Late(text, flags))
