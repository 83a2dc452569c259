"""``assay repo calibrate``, ``study`` and ``build``: what is asked about many repositories, or with the network."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Delivery, a_number, reporting

_Day = Annotated[
    datetime | None,
    typer.Option("--date", formats=["%Y-%m-%d"], metavar="DAY", help="Solve as of this day.", show_default="commit's"),
]


@reporting(findings=False)
def calibrate(
    labelled: Annotated[Path, typer.Argument(metavar="LABELLED.csv", help="A row for each repository, with a label.")],
    label: Annotated[str, typer.Option(help="Column that says whether it was reproduced.")] = "reproducible",
    draws: Annotated[int, typer.Option(min=50, max=20_000, help="Resamples for the intervals.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling.")] = 0,
    *,
    delivery: Delivery,
) -> int:
    """Which values tell reproducible repositories from others?

    Derives representative values and thresholds as Loos (2022) does, with intervals and held-out checks.
    """
    from assay.repository.research.calibration import calibrate as run
    from assay.repository.research.calibration import labelled_in, report_of
    from assay.repository.research.evaluation import read_sheet

    found = run(labelled_in(read_sheet(labelled), label), draws=draws, seed=seed)
    report = report_of(found, command=f"assay repo calibrate {labelled}")
    return delivery.send(report)


@reporting(findings=False)
def study(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS.csv...", help="Rows of `assay repo --rows`, …")],
    group: Annotated[str | None, typer.Option(help="Column that tells groups apart.", show_default="files")] = None,
    factor: Annotated[list[str] | None, typer.Option(metavar="COLUMN", help="Factor column; repeatable.")] = None,
    clusters: Annotated[int, typer.Option(min=2, max=10, help="Number of clusters.")] = 2,
    *,
    delivery: Delivery,
) -> int:
    """How do many repositories score, and which kinds are there?

    Artefacts, factor means, differences between groups and clusters, for any files of results.
    """
    from assay.report import Format
    from assay.repository.research.evaluation import collect, read_sheet, report_of

    found = collect([read_sheet(path) for path in results], group=group, factors=factor or ())
    report = report_of(
        found,
        clusters=clusters,
        figures=delivery.wants(Format.HTML),
        command=" ".join(["assay repo study", *map(str, results)]),
    )
    return delivery.send(report)


@reporting(findings=False)
def build(
    path: Annotated[str, typer.Argument(metavar="PATH", help="Folder, git repository (path@revision), or archive.")],
    online: Annotated[bool, typer.Option("--online", help="Ask the package index, through uv.")] = False,
    day: _Day = None,
    hub: Annotated[str | None, typer.Option(metavar="URL", help="Ask this BinderHub to build it.")] = None,
    spec: Annotated[
        str | None,
        typer.Option(metavar="gh/OWNER/NAME/REF", help="What the hub is to build.", show_default="Binder link"),
    ] = None,
    timeout: Annotated[float, typer.Option(callback=a_number, min=1, help="Seconds for each question to uv.")] = 300.0,
    hub_timeout: Annotated[float, typer.Option(callback=a_number, min=1, help="Seconds for the hub.")] = 1800.0,
    *,
    delivery: Delivery,
) -> int:
    """Could the environment be built, now and back then?

    Back then is when the code was published. Nothing of the repository is built or run here. Exits with 1 when
    something cannot work.
    """
    from assay.cli import FINDINGS
    from assay.repository.research.building import Asked, report_of, try_building
    from assay.tree import open_tree

    asked = Asked(online, day.date() if day else None, hub, spec, timeout, hub_timeout)
    found = try_building(open_tree(path), asked)
    report = report_of(found, command=f"assay repo build {path}")
    code = delivery.send(report)
    return max(code, FINDINGS) if found.fails else code


COMMANDS: dict[str, Callable[..., int]] = {"calibrate": calibrate, "study": study, "build": build}
"""The commands of this module, by name."""


def add_to(app: typer.Typer) -> None:
    """Add these commands to `assay repo`."""
    for name, command in COMMANDS.items():
        app.command(name)(command)
