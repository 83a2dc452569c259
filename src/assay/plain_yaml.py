"""YAML as people mean it: scalars are text as written, nothing expands, no key repeats.

So "no" stays a word, 0.940 keeps its last digit, and a file cannot grow in memory beyond its size.
"""

from __future__ import annotations

from typing import Any

import yaml

from assay.errors import InputError

_FIX = "Fix the file."


class _TextLoader(yaml.SafeLoader):
    """YAML with every scalar left as text, no aliases (they can expand without end), no repeated keys."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the base class's own way to say "all is text"

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases are not used here", problem_mark=self.get_mark())
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a word", problem_mark=key.start_mark)
            if key.value in seen:
                raise yaml.MarkedYAMLError(problem=f'"{key.value}" is given twice', problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def parse_yaml(text: str, path: str) -> tuple[object, yaml.Node | None]:
    """The one document of a text as dicts, lists and strings, and its nodes for callers that need the lines."""
    try:
        loader = _TextLoader(text)
        node = loader.get_single_node()
        return (None if node is None else loader.construct_document(node)), node
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else path
        raise InputError(f"not valid YAML: {error.problem}", where=where, fix=_FIX) from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"not valid YAML: {error}", where=path, fix=_FIX) from None
    except RecursionError:
        raise InputError("is nested too deeply", where=path, fix="A few levels are enough for any file here.") from None
