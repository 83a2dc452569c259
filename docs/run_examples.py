"""Runs the examples of the documentation, so that what it shows is what happens.

The conventions, for README.md, CONTRIBUTING.md and every page under docs/:

- A block with a title (```toml title="study.toml") is a file of that name.
- A ```console block is a session: `$ assay …`, then what it prints, standard error included. `$ cat FILE`,
  `$ pip install .` and `$ pytest FILE` work too. A command that does not end with 0 is followed by `$ echo $?`.
- `>>>` in a ```python block works as in doctest.
- `...` in an expected output stands for anything, so that long outputs can be cut.

Each page is run from top to bottom in an empty folder of its own (with a copy of examples/ if it speaks of it).
`python docs/run_examples.py [PAGE...]` rewrites outputs in place; the tests demand that there be nothing to rewrite.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

from assay import cli

ROOT = Path(__file__).resolve().parents[1]
SETTING = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
"""A plain terminal of 80 columns, whatever the reader's own is like."""

_CUT = "..."
_FENCE = re.compile(r"(?P<indent> *)(?P<ticks>`{3,})(?P<language>\w*)(?: .*?title=\"(?P<title>[^\"]+)\")?.*")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; its body is lines `start` to `end` of the page, without the indentation."""

    language: str
    title: str
    body: tuple[str, ...]
    indent: str
    start: int
    end: int

    @property
    def is_session(self) -> bool:
        """Whether there is something to run here."""
        prompts = {"console": "$ ", "python": ">>> "}
        return self.language in prompts and any(line.startswith(prompts[self.language]) for line in self.body)


def pages() -> list[Path]:
    """Everything that shows examples to people."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opening = _FENCE.fullmatch(lines[number])
        number += 1
        if opening is None:
            continue
        start, indent, ticks = number, opening["indent"], opening["ticks"]
        while number < len(lines) and lines[number].strip() != ticks:
            number += 1
        body = tuple(line.removeprefix(indent) for line in lines[start:number])
        yield Block(opening["language"], opening["title"] or "", body, indent, start, number)
        number += 1


def not_run(text: str) -> list[str]:
    """Lines that look like examples and stand where nothing runs them."""
    idle = [b for b in blocks(text) if not b.is_session and not b.title]
    commands = [line for b in idle for line in b.body if re.match(r"\$ |(\$ )?assay ", line)]
    return commands + [b.body[0] for b in idle if b.language in {"python", "pycon"} and b.body]


def with_true_outputs(text: str, folder: Path) -> str:
    """The page as it should read: every example run in `folder`, and its output put in place."""
    if "examples/" in text and (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", folder / "examples")
    lines = text.splitlines()
    session = _Session(folder)
    done: list[str] = []
    reached = 0
    with contextlib.chdir(folder), patch.dict(os.environ, SETTING):
        for block in blocks(text):
            done += lines[reached : block.start]
            done += [(block.indent + line).rstrip() if line else "" for line in session.run(block)]
            reached = block.end
    return "\n".join([*done, *lines[reached:]]) + "\n"


@dataclass
class _Session:
    """What the examples of one page share."""

    folder: Path
    exit_code: int = 0
    plugins: Path | None = None
    names: dict[str, object] = field(default_factory=dict)

    def run(self, block: Block) -> list[str]:
        """The lines of the block, with true outputs."""
        if block.title:
            file = self.folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(block.body) + "\n", encoding="utf-8")
        elif block.is_session:
            return list(self._console(block.body) if block.language == "console" else self._python(block.body))
        return list(block.body)

    def _console(self, body: tuple[str, ...]) -> Iterator[str]:
        starts = [number for number, line in enumerate(body) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
            first = start + 1
            while body[first - 1].endswith("\\"):
                first += 1
            command = " ".join(line.removeprefix("$ ").removeprefix("> ").rstrip("\\") for line in body[start:first])
            output = self._command(shlex.split(command))
            yield from body[start:first]
            yield from _preferred(body[first:end], output)
            if self.exit_code and (end == len(body) or body[end] != "$ echo $?"):
                yield from ("$ echo $?", str(self.exit_code))
                self.exit_code = 0

    def _command(self, words: list[str]) -> str:
        match words:
            case ["assay", *arguments]:
                return self._assay(arguments)
            case ["echo", "$?"]:
                code, self.exit_code = self.exit_code, 0
                return f"{code}\n"
            case ["cat", name]:
                return (self.folder / name).read_text(encoding="utf-8")
            case ["pip", "install", "."]:
                self.plugins = self.folder / ".installed"
                offline = ["--no-index", "--no-deps", "--no-build-isolation", f"--target={self.plugins}"]
                return self._elsewhere(["-m", "pip", "install", "--quiet", *offline, "."])
            case ["pytest", *arguments]:
                return self._elsewhere(["-m", "pytest", "--quiet", "--no-header", *arguments])
        raise ValueError(f"the documentation cannot run `{shlex.join(words)}`; see docs/run_examples.py")

    def _assay(self, arguments: list[str]) -> str:
        """In this process, which is quick; in another when the page has installed a plug-in."""
        if self.plugins:
            return self._elsewhere(["-c", "import sys; from assay.cli import main; sys.exit(main())", *arguments])
        with _captured() as screen:
            self.exit_code = cli.main(arguments)
        return screen.getvalue()

    def _elsewhere(self, arguments: list[str]) -> str:
        ended = subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | ({"PYTHONPATH": str(self.plugins)} if self.plugins else {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.exit_code = ended.returncode
        return ended.stdout

    def _python(self, body: tuple[str, ...]) -> Iterator[str]:
        for piece in doctest.DocTestParser().parse("\n".join(body) + "\n"):
            if isinstance(piece, str):
                yield from piece.splitlines()
                continue
            with _captured() as screen:
                try:
                    exec(compile(piece.source, "<documentation>", "single"), self.names)
                except Exception as error:  # noqa: BLE001 - an example may show any error
                    said = "".join(traceback.format_exception_only(error))
                    screen.write(f"Traceback (most recent call last):\n    ...\n{said}")
            first, *more = piece.source.splitlines()
            yield from [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
            output = re.sub(r"(?m)^$(?=\n)", "<BLANKLINE>", screen.getvalue())
            yield from _preferred(tuple(piece.want.splitlines()), output)


@contextlib.contextmanager
def _captured() -> Iterator[io.StringIO]:
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen), contextlib.redirect_stderr(screen):
        yield screen


def _preferred(shown: tuple[str, ...], output: str) -> list[str]:
    """What the page shows if it agrees with the output, else the output, cut where the page cuts it."""
    true = [line.rstrip() for line in output.splitlines()]
    if _agrees(shown, true):
        return list(shown)
    cut = _cut_like(shown, true)
    return cut if _agrees(cut, true) else true


def _agrees(shown: Sequence[str], true: Sequence[str]) -> bool:
    want, got = ("\n".join(lines) + "\n" for lines in (shown, true))
    return doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE)


def _cut_like(shown: Sequence[str], true: Sequence[str]) -> list[str]:
    """The output with a line of dots where the page has one: each part shown stands for the lines most like it."""
    parts = [list(lines) for is_cut, lines in groupby(shown, key=_CUT.__eq__) if not is_cut]
    done: list[str] = [_CUT] if shown and shown[0] == _CUT else []
    reached = 0
    for part in parts:
        starts = range(reached, len(true) - len(part) + 1)
        start = max(starts, key=lambda at, part=part: _likeness(part, true[at : at + len(part)]), default=reached)
        done += [*true[start : start + len(part)], _CUT]
        reached = start + len(part)
    return done if shown and shown[-1] == _CUT else done[:-1]


def _likeness(some: Sequence[str], others: Sequence[str]) -> float:
    return sum(SequenceMatcher(None, one, other).ratio() for one, other in zip(some, others, strict=True))


def main(chosen: list[str]) -> None:
    """Rewrite every page, or every chosen one, whose examples now print something else."""
    wanted = [Path(name).resolve() for name in chosen]
    if unknown := [str(page) for page in wanted if page not in pages()]:
        sys.exit(f"{', '.join(unknown)}: no page of the documentation")
    for page in wanted or pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            true = with_true_outputs(text, Path(folder))
        if true != text:
            page.write_text(true, encoding="utf-8")
            print(f"refreshed {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
