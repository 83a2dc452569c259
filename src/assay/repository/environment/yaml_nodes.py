"""YAML as plain nodes with their lines, built from events: no tags, no aliases, no recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

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

    root = Node(1)
    open_nodes: list[Node] = [root]
    keys: list[str | None] = [None]
    try:
        for count, event in enumerate(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))):
            if count > MAX_EVENTS or len(open_nodes) > MAX_DEPTH:
                raise ValueError("is too large or nested too deeply")
            if isinstance(event, yaml.DocumentEndEvent):
                break
            if isinstance(event, yaml.CollectionEndEvent):
                open_nodes.pop()
                keys.pop()
            elif isinstance(event, yaml.NodeEvent):
                line = event.start_mark.line + 1 if event.start_mark else 1
                node = Node(line, event.value if isinstance(event, yaml.ScalarEvent) else None)
                _attach(node, open_nodes[-1], keys)
                if isinstance(event, yaml.CollectionStartEvent):
                    open_nodes.append(node)
                    keys.append("" if isinstance(event, yaml.MappingStartEvent) else None)
    except yaml.YAMLError as error:
        raise ValueError(f"is not valid YAML ({getattr(error, 'problem', None) or error})") from None
    return root.items[0] if root.items else root


def _attach(node: Node, parent: Node, keys: list[str | None]) -> None:
    """Hang a node where it belongs; in a mapping, keys and values take turns."""
    key = keys[-1]
    if key is None:
        parent.items.append(node)
    elif key == "":
        keys[-1] = node.text or "\0"
    else:
        parent.pairs[key] = node
        keys[-1] = ""
