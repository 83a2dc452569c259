"""``assay repo``: could somebody run this code and get the result?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from assay.cli import repo_fix, repo_study
from assay.cli.options import Delivery, reporting, tell
from assay.repository.profiles import Profile

if TYPE_CHECKING:
    from assay.findings import Report
    from assay.report import Format
    from assay.repository.check import Assessment
    from assay.repository.facts import Repository
    from assay.tree import Tree

_DEFAULT = "check"


class PathsOrCommand(TyperGroup):
    """A group whose first word may be a path; `check` is then meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the default command unless the first word is a command; `./build` is a folder, `build` a command."""
        asks_for_help = bool(args) and args[0] in {"-h", "--help"}
        if args and not asks_for_help and args[0] not in self.commands:
            args = [_DEFAULT, *args]
        return list(super().parse_args(ctx, args))


app = typer.Typer(
    cls=PathsOrCommand,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Could somebody run this code and get the result?\n\n"
    "`assay repo PATH...` is short for `assay repo check PATH...`.",
)


@app.command(_DEFAULT)
@reporting()
def check(
    what: Annotated[
        list[str],
        typer.Argument(metavar="PATHS|URLS...", help="Folder, git repository (path@revision), archive, or URL."),
    ],
    facts: Annotated[
        bool, typer.Option("--facts", help="Write what was read, as JSON (`assay schema facts`), and judge nothing.")
    ] = False,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Do not judge these files (`docs/**`, `old_*.py`); repeatable."),
    ] = None,
    profile: Annotated[Profile, typer.Option(help="How factors are scored.")] = Profile.DEFAULT,
    online: Annotated[bool, typer.Option("--online", help="Fetch URLs, and try the links of the README.")] = False,
    pylint: Annotated[
        bool, typer.Option("--pylint", help="For loos2022: start your pylint on a copy of each file (slow).")
    ] = False,
    badge: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a badge (SVG) there.")] = None,
    feedback: Annotated[Path | None, typer.Option(metavar="FILE", help="Write feedback (Markdown) there.")] = None,
    rows: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row for each repository (CSV).")] = None,
    each: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a report on each repository there.")
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """Could somebody run this code and get the result?

    Reads licence, README, manifests, code, notebooks and what surrounds them; runs nothing of it.
    """
    from assay.findings import Severity
    from assay.project_suppressions import silenced
    from assay.report import Format, write
    from assay.repository.assessment_report import report_of

    _refuse_for_many(what, badge, feedback)
    _refuse_pylint(profile, pylint)
    with ExitStack() as folders:
        assessments = _assessments(what, profile, folders, exclude or (), online=online, pylint=pylint)
        if facts:
            return _write_facts(assessments, delivery)
        command = " ".join(["assay repo", *what])
        report = report_of(assessments, command=command, figures=delivery.wants(Format.HTML))
        report = silenced(report, assessments[0].facts.tree) if len(assessments) == 1 else report
        code = delivery.send(report, text=partial(_text, assessments), least=Severity.WARNING)
        for path, text in (
            *_extras(assessments, badge, feedback, rows),
            *_singles(assessments, each, delivery.format_),
        ):
            write(text, path, force=delivery.force)
            tell(f"written to {path}")
    return code


def _write_facts(assessments: Sequence[Assessment], delivery: Delivery) -> int:
    """Write one object for one repository, a list for several."""
    import json

    from assay.report import write
    from assay.repository.facts_document import facts_document

    documents = [facts_document(one.facts).model_dump(mode="json") for one in assessments]
    text = json.dumps(documents[0] if len(documents) == 1 else documents, indent=2, ensure_ascii=False) + "\n"
    for path in delivery.output or [Path("-")]:
        if path == Path("-"):
            typer.echo(text, nl=False)
        else:
            write(text, path, force=delivery.force)
            tell(f"facts written to {path}")
    return 0


def _refuse_for_many(what: Sequence[str], badge: Path | None, feedback: Path | None) -> None:
    from assay.errors import InputError

    if len(what) > 1 and (badge or feedback):
        raise InputError("--badge and --feedback are for one repository", fix="Run them one by one, or use --rows.")


def _refuse_pylint(profile: Profile, pylint: bool) -> None:
    from assay.errors import InputError

    if pylint and profile is not Profile.LOOS2022:
        raise InputError("only the profile loos2022 counts pylint's rating", fix="Add --profile loos2022.")


def _assessments(
    what: Sequence[str], profile: Profile, folders: ExitStack, exclude: Sequence[str], *, online: bool, pylint: bool
) -> list[Assessment]:
    """Read and judge each repository; fetched ones stay on disk until `folders` closes."""
    from assay.cli.progress import tracked
    from assay.errors import InputError
    from assay.repository.check import assess
    from assay.repository.facts import read_repository
    from assay.repository.remotes import is_url

    for source in what:
        if is_url(source) and not online:
            fix = "Add --online to fetch it, or clone it yourself and give the folder."
            raise InputError("needs network access, which is off by default", where=source, fix=fix)
    found = []
    for source in tracked(what, len(what), "reading"):
        tree = _fetched_or_opened(source, folders)
        if len(what) == 1 and not tree.files:
            what_is_wrong = "; ".join(("contains no files", *tree.left_out[:1]))
            raise InputError(what_is_wrong, where=source, fix="Name the folder that holds the code.")
        facts = read_repository(tree.excluding(exclude))
        rating = _rated(facts) if pylint else None
        found.append(assess(_with_links_tried(facts) if online else facts, profile, pylint=rating))
    return found


def _fetched_or_opened(source: str, folders: ExitStack) -> Tree:
    import tempfile

    from assay.repository.remotes import fetch, is_url
    from assay.tree import open_tree

    if not is_url(source):
        return open_tree(source)
    return fetch(source, Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="assay-"))))


def _rated(facts: Repository) -> float | None:
    """The score of the user's own pylint; what it left out goes to stderr, because the score is then incomplete."""
    from assay.repository.research.loos2022 import pylint_rating

    rating = pylint_rating(facts.code)
    for sentence in rating.left_out:
        tell(f"{facts.name}: {sentence}")
    return rating.value


def _with_links_tried(facts: Repository) -> Repository:
    """Ask the servers that the README links to, a second apart; answers are kept for a week.

    Private addresses are asked only where ASSAY_ALLOWED_HOSTS names the host.
    """
    from assay.repository.facts import with_answers
    from assay.repository.readme import check_links
    from assay.repository.readme.online import fetch_status

    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    named = os.environ.get("ASSAY_ALLOWED_HOSTS", "").split(",")
    fetch = partial(fetch_status, allowed=[host.strip() for host in named if host.strip()])
    cache = Path(home) / "assay" / "links.json"
    return with_answers(facts, check_links(facts.readme.links, fetch=fetch, cache=cache))


def _text(assessments: Sequence[Assessment], report: Report, *, width: int, color: bool) -> str:
    from assay.repository.summary import overview, summary

    if len(assessments) == 1:
        return summary(assessments[0], report, width=width, color=color)
    return overview(assessments, report, width=width, color=color)


def _extras(
    assessments: Sequence[Assessment], badge: Path | None, feedback: Path | None, rows: Path | None
) -> Iterator[tuple[Path, str]]:
    """The additional files that were requested, with their contents."""
    from assay.repository.feedback import feedback as feedback_of
    from assay.repository.figure import badge as badge_of
    from assay.repository.rows import rows as rows_of

    if badge:
        yield badge, badge_of(assessments[0].factors)
    if feedback:
        yield feedback, feedback_of(assessments[0])
    if rows:
        yield rows, rows_of(assessments)


repo_study.add_to(app)
repo_fix.add_to(app)


def _singles(
    assessments: Sequence[Assessment], folder: Path | None, format_: Format | None
) -> Iterator[tuple[Path, str]]:
    """A report for each repository, as HTML unless another format is requested; equal names get a number."""
    if folder is None:
        return
    from assay.report import Format, render
    from assay.repository.assessment_report import report_of

    how = format_ or Format.HTML
    folder.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    for assessment in assessments:
        name = re.sub(r"[^\w.-]+", "-", assessment.facts.name).strip("-.") or "repository"
        unique = next(n for n in (name, *(f"{name}-{i}" for i in range(2, len(assessments) + 2))) if n not in taken)
        taken.add(unique)
        ending = "txt" if how is Format.TEXT else how.value
        yield folder / f"{unique}.{ending}", render(report_of([assessment], figures=how is Format.HTML), how)
