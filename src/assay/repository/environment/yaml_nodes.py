"""YAML as plain nodes with their lines, built from events: no tags, no aliases, no recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

MAX_EVENTS = 100_000
MAX_DEPTH = 30


@dataclass(slots=True)
class Node:
    """A scalar (`text`), a sequence (`items`) or a mapping (`pairs`); an alias is an empty scalar."""

    line: int
    text: str | None = None
    items: list[Node] = field(default_factory=list)
    pairs: dict[str, Node] = field(default_factory=dict)

    def get(self, key: str) -> Node:
        """The value at a key; an empty node when there is none."""
        return self.pairs.get(key) or Node(self.line)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


def read_yaml(text: str) -> Node:
    """The first document of a text; what is no YAML, or too deep or too long, raises ValueError."""
    import yaml  # most repositories have none, and it takes long to load

    builder = _Builder()
    try:
        for count, event in enumerate(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))):
            if count > MAX_EVENTS or len(builder.open) > MAX_DEPTH:
                raise ValueError("is too large or nested too deeply")
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.take(event)
    except yaml.YAMLError as error:
        raise ValueError(f"is not valid YAML ({getattr(error, 'problem', None) or error})") from None
    root = builder.open[0]
    return root.items[0] if root.items else root


@dataclass(slots=True)
class _Builder:
    """The nodes that are open, the root first; for each the key that awaits its value, None in a sequence."""

    open: list[Node] = field(default_factory=lambda: [Node(1)])
    keys: list[str | None] = field(default_factory=lambda: [None])

    def take(self, event: yaml.Event) -> None:
        """One event: a node begins, or a collection ends."""
        kind = type(event).__name__
        if kind in {"SequenceEndEvent", "MappingEndEvent"}:
            self.open.pop()
            self.keys.pop()
        elif kind in {"SequenceStartEvent", "MappingStartEvent", "ScalarEvent", "AliasEvent"}:
            node = self._attach(event.start_mark.line + 1 if event.start_mark else 1, getattr(event, "value", None))
            if kind in {"SequenceStartEvent", "MappingStartEvent"}:
                self.open.append(node)
                self.keys.append("" if kind == "MappingStartEvent" else None)

    def _attach(self, line: int, text: str | None) -> Node:
        """Hang a node where it belongs; in a mapping, keys and values take turns."""
        node, key = Node(line, text), self.keys[-1]
        if key is None:
            self.open[-1].items.append(node)
        elif key == "":
            self.keys[-1] = text or "\0"
        else:
            self.open[-1].pairs[key] = node
            self.keys[-1] = ""
        return node
