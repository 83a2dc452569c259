"""R301, R302, R303, R308: is all the software that the code needs declared and available."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Location, Severity, note
from assay.patterns import regex
from assay.repository.environment.distributions import VARIANT, brings
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed

if TYPE_CHECKING:
    from assay.repository.environment import Declared, Manifest, Outside, Undeclared
    from assay.repository.facts import Repository

CODE = "==> train.py <==\nimport numpy\nimport torch\n"
PINNED = "==> requirements.txt <==\nnumpy==1.26.4\ntorch==2.2.0\n"
GOOD = PINNED + CODE


_DEBUGGERS = frozenset({"ipdb", "pudb", "pdbpp", "web-pdb", "remote-pdb", "debugpy", "pydevd-pycharm", "icecream"})
"""What authors call while they look for a fault: the work does without."""


_NEARLY_ALL = 0.75
"""Where pages name so many of the packages, they are the list of them."""
_LOADING = {
    "r": regex(r"(?<![\w.])(?:library|require)\([\"']?([A-Za-z][\w.]{1,60})"),
    "julia": regex(r"(?m)^\s*(?:using|import)\s+([A-Z]\w{1,60})"),
}
"""How a script loads a package, by language."""
_ONE_BY_ONE = 3
"""So many undeclared packages are reported one by one; more have one cause, a list that nobody kept."""


def declaring(facts: Repository) -> list[Manifest]:
    """Manifests that declare what the work needs; commands in passing and locks do not."""
    return [m for m in facts.environment.manifests if m.kind.asks and not m.kind.weak]


def needs_something(facts: Repository) -> bool:
    """Whether the code imports from outside; of R and Julia, where imports are not read, it is taken for granted."""
    from assay.code import Language

    return bool(facts.environment.outside) or facts.written_in(Language.R) or facts.written_in(Language.JULIA)


@repository.rule(
    "R301",
    title="No dependency list",
    severity=Severity.ERROR,
    failing=CODE,
    passing=GOOD,
    source=loos("section 4.3, Table 5.1: configuration file"),
    advice="Run `pip freeze > requirements.txt` in the environment that gave the result, and commit the file.",
)
@applies_if(needs_something, otherwise="the code needs nothing but its language")
def no_manifest(facts: Repository) -> Iterator[Finding]:
    """Without a list of packages everybody has to guess them from the imports, and guesses the versions wrongly."""
    from assay.code import Language
    from assay.repository.environment import Role

    other = [d for d in facts.environment.declared if d.language is not Language.PYTHON]
    if declaring(facts) or facts.environment.locks or (other and not facts.environment.outside):
        return
    required = [o for o in facts.environment.outside if o.role is Role.REQUIRED]
    if facts.environment.outside and not required:
        return
    names = [o.module for o in required if o.public]
    weak = [m.path for m in facts.environment.manifests if m.kind.weak]
    mentions = {u.outside.module: u.mentioned[0].location for u in facts.environment.only_mentioned}
    pages = sorted({location.path for location in mentions.values()} | set(weak))
    passing = (
        f"; {listed(pages)} {'name' if len(pages) > 1 else 'names'} {_some(len(mentions), len(names))}" if pages else ""
    )
    loaded = names or _loaded(facts)
    verb = "imports" if names else "loads"
    what = f"{verb} {counted(len(loaded), 'package')} ({listed(loaded)})" if loaded else "loads packages"
    yield no_manifest.finding(
        f"the code {what}, and no file declares them{passing}",
        location=required[0].places[0] if required else None,
        evidence=[facts.quote(o.places[0]) for o in required[:3]]
        or [note("Looked for DESCRIPTION, renv.lock, Project.toml, Manifest.toml and install.R.")],
        advice=""
        if required
        else "Record the packages: `renv::snapshot()` in R, Project.toml and Manifest.toml in Julia.",
        severity=_no_manifest_severity(facts, required, all_named=len(mentions) >= _NEARLY_ALL * len(names))
        if pages
        else None
        if len(names) > 1 or (names and (facts.randomness.entry_points or facts.commands.commands))
        else Severity.WARNING,  # one module to copy, or a language whose imports are not read
    )


def _loaded(facts: Repository) -> list[str]:
    """The packages that R and Julia scripts load by name."""
    texts = ((_LOADING[source.language.value], source.text) for source in facts.code.own if source.language in _LOADING)
    return sorted({match[1] for loading, text in texts for match in loading.finditer(text)})


def _some(named: int, all_of_them: int) -> str:
    return "all of them" if named >= all_of_them else f"{named or 'some'} of them"


def _no_manifest_severity(facts: Repository, required: list[Outside], *, all_named: bool) -> Severity:
    """A note where the pages name or install all that is imported: the list is there, in another form."""
    if all_named:
        return Severity.NOTE
    named = {VARIANT.sub("", d.name) for d in facts.environment.declared}
    named |= {brought for name in named for brought in brings(name)}
    return Severity.WARNING if any(named.isdisjoint(o.distributions) for o in required) else Severity.NOTE


@repository.rule(
    "R302",
    title="Undeclared dependency",
    severity=Severity.WARNING,
    failing="==> requirements.txt <==\nnumpy==1.26.4\n==> train.py <==\nimport cv2\nimport numpy\n",
    passing=GOOD,
    source=loos("section 4.3, Table 5.1: imported libraries in the configuration file"),
    advice="Add it to the manifest, with its version.",
)
@applies_if(lambda facts: declaring(facts) and facts.environment.outside, otherwise="nothing is declared, or imported")
def undeclared(facts: Repository) -> Iterator[Finding]:
    """A user who installs what is declared gets an ImportError, perhaps only after hours of computing."""
    lacking = [u for u in facts.environment.undeclared if not _imports_itself(u) and not _comes_with_notebooks(u)]
    found = [(_undeclared(facts, one, "no manifest declares", None), one) for one in lacking]
    serious = [(finding, one) for finding, one in found if finding.severity is not Severity.NOTE]
    folded = len(serious) > _ONE_BY_ONE
    yield from (finding for finding, _ in found if not folded or finding.severity is Severity.NOTE)
    if folded:
        yield _all_undeclared(facts, serious)
    for one in facts.environment.only_mentioned:
        yield _undeclared(facts, one, _in_passing(one.mentioned[0]), Severity.NOTE)
    for one in facts.environment.declared_elsewhere:
        place = one.elsewhere[0].location
        yield _undeclared(facts, one, f"only {place.path}, which speaks for other folders, declares", Severity.NOTE)


def _all_undeclared(facts: Repository, several: list[tuple[Finding, Undeclared]]) -> Finding:
    """One finding about a manifest that leaves out many packages."""
    manifests = listed(sorted({_target(facts, one.outside.places[0]) for _, one in several}), 3)
    return undeclared.finding(
        f"no manifest declares {len(several)} packages that the code imports: "
        + listed([one.outside.module for _, one in several], len(several)),
        subject=manifests,
        location=several[0][0].location,
        evidence=[evidence for finding, _ in several for evidence in finding.evidence[:1]],
        advice=f"Add them to {manifests}, with the versions you used.",
    )


def _in_passing(mention: Declared) -> str:
    """How something that is no manifest mentions a package."""
    from assay.repository.environment import Kind

    place = mention.location
    if mention.kind is Kind.LOCK:
        return f"only {place.path}, for the sake of other packages, has"
    return f"only {place} names" if mention.kind is Kind.README else f"only a command in passing ({place}) installs"


def _imports_itself(one: Undeclared) -> bool:
    """Whether a file of the package imports the package by its name."""
    return all(place.path.startswith(f"{one.outside.module}/") for place in one.outside.places)


def _comes_with_notebooks(one: Undeclared) -> bool:
    """IPython in notebooks: what runs them has it. A script beside them may be run without."""
    inside = all(place.path.endswith(".ipynb") for place in one.outside.places)
    return inside and one.outside.module in {"IPython", "ipykernel"}


def _undeclared(facts: Repository, one: Undeclared, how: str, severity: Severity | None) -> Finding:
    from assay.repository.environment import Role

    places = sorted(one.outside.places, key=lambda place: not facts.reach.concerns(place.path))
    provider = one.outside.distributions[0] if one.outside.distributions else one.outside.module
    target = _target(facts, places[0])
    lazy = all(use.lazy for use in one.outside.uses)
    tests = one.outside.role is Role.TESTS
    bringer = _bringer(facts, provider)
    aside = not facts.reach.concerns(places[0].path)
    innocent = any((lazy, tests, aside, bringer, provider in _DEBUGGERS))
    return undeclared.finding(
        f"{how} `{one.outside.module}`, which {counted(len({p.path for p in places}), 'file')} import"
        + ("s" if len({p.path for p in places}) == 1 else "")
        + (", inside functions only" if lazy else "")
        + (", for tests" if tests else "")
        + (f"; {bringer} happens to bring it" if bringer else ""),
        subject=one.outside.module,
        location=places[0],
        evidence=[facts.quote(place) for place in places[:2]],
        advice=f"Add `{provider}` to {target}, with the version you used.",
        severity=severity or (Severity.NOTE if innocent else None),
    )


def _bringer(facts: Repository, provider: str) -> str:
    """A declared distribution that itself depends on this one, if that is known."""
    names = sorted({VARIANT.sub("", d.name) for d in facts.environment.declared})
    return next((name for name in names if provider in brings(name)), "")


def _target(facts: Repository, place: Location) -> str:
    """The manifest that speaks for a file: of those that declare something, the first for the nearest folder."""
    above = [m for m in declaring(facts) if not m.scope or place.path.startswith(m.scope + "/")]
    nearest = max(above, key=lambda m: (bool(m.count), len(m.scope)), default=None)
    return nearest.path if nearest else "requirements.txt"


_GENERATED = ("_pb2", "_pb2_grpc")
"""How modules end that protoc makes on the spot."""


_BRINGING = regex(r"\b(?:download|extract|unzip|unpack)\w*", re.IGNORECASE)
_PROJECT = regex(r"//[\w.-]{1,60}/(?:[\w.-]{1,60}/){0,3}([\w.-]{1,80})")
_MOST_REPORTED = 100
"""So many missing modules are reported one by one."""


@repository.rule(
    "R303",
    title="Missing module",
    severity=Severity.ERROR,
    failing="==> requirements.txt <==\nnumpy==1.26.4\n==> train.py <==\nfrom my_lab_tools_internal import load\n",
    passing=GOOD,
    source=loos("section 4.3: dependencies must be publicly available"),
    advice="Commit the missing file, or say in the README where to get it.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.environment.outside, otherwise="the code imports nothing from outside")
def missing_module(facts: Repository) -> Iterator[Finding]:
    """An import that is neither in the repository nor on PyPI stops everybody but the authors."""
    groups = list(_by_package(_absent(facts)))
    for several in groups[:_MOST_REPORTED]:
        places = [place for each in several for place in each.places[:2]]
        yield missing_module.finding(
            _how_it_is_missing(several),
            subject=several[0].module,
            location=several[0].places[0],
            evidence=[facts.quote(place) for place in places[:2]],
            severity=_severity(facts, several),
        )
    rest = [several[0] for several in groups[_MOST_REPORTED:]]
    if rest:
        yield missing_module.finding(
            f"{len(rest)} more modules are neither in the repository nor available: {listed([o.module for o in rest])}",
            location=rest[0].places[0],
            evidence=[facts.quote(rest[0].places[0])],
        )


def _absent(facts: Repository) -> Iterator[Outside]:
    """Modules that nobody has, but for those that code generates, that git fetches, or that R216 reports."""
    environment = facts.environment
    fetched = [_letters(f"{d.name} {d.specifier}") for d in environment.declared if "git" in f"{d.pin} {d.written}"]
    unknown = (u for u in environment.unknown if not u.generic and not u.module.endswith(_GENERATED))
    reported = {one.location for one in facts.missing_definitions}
    for one in (*environment.missing, *(u for u in unknown if not any(_letters(u.module) in f for f in fetched))):
        if not reported.issuperset(one.places):
            yield one


def _how_it_is_missing(several: list[Outside]) -> str:
    one, more = several[0], len(several) - 1
    what = f"`{one.module}`" + (f" and {more} more of its package" if more else "")
    if not one.generic:
        return f"{what} is neither in the repository, nor declared, nor a module of any package on PyPI"
    return (
        f"{what} {'seem to be files' if more else 'seems to be a file'} of the authors' own, and not in the repository"
    )


def _severity(facts: Repository, several: list[Outside]) -> Severity | None:
    """An error for a file of the authors without which a run stops; a module from elsewhere may be an optional part."""
    users, at_once = _users(several)
    if not (users and several[0].generic):
        return _severity_of_others(facts, several[0].module, users)
    if any(map(facts.reach.stops, at_once)):
        brought = _is_brought(facts, several[0].module) or _is_a_whole_package(facts, several[0].module)
        return Severity.WARNING if brought else None
    return Severity.WARNING if at_once or not facts.reach.started.isdisjoint(users) else Severity.NOTE


def _users(several: list[Outside]) -> tuple[list[str], list[str]]:
    """The files that need a module, and those that import it before anything else."""
    from assay.repository.environment import Role

    uses = [use for each in several for use in each.uses if use.role is Role.REQUIRED]
    return [use.location.path for use in uses], [use.location.path for use in uses if not use.lazy]


def _is_a_whole_package(facts: Repository, module: str) -> bool:
    """Whether a package is missing with all its modules: then another project may bring it."""
    top, dot, _ = module.partition(".")
    return bool(dot) and all(folder.rpartition("/")[2] != top for folder in facts.tree.folders)


def _severity_of_others(facts: Repository, module: str, users: list[str]) -> Severity:
    """A page outside the repository may say where to get a module; this one does where it links to its project."""
    reached = any(path in facts.reach.started for path in users)
    return Severity.WARNING if reached and not _is_linked(facts, module) else Severity.NOTE


def _is_linked(facts: Repository, module: str) -> bool:
    """Whether the README links to a project called like the module, or clones it."""
    texts = (*facts.readme_texts, *(link.target for link in facts.readme.links))
    projects = {_letters(name) for text in texts for name in _PROJECT.findall(text)}
    return any(name.startswith(_letters(module)) for name in projects)


def _is_brought(facts: Repository, module: str) -> bool:
    """Whether a paragraph of the README names a module beside something to download or unpack."""
    named = regex(rf"\b{re.escape(module.partition('.')[0])}\b")
    return any(named.search(text) and _BRINGING.search(text) for text in facts.readme_texts)


def _letters(name: str) -> str:
    """A name as it is compared: a project's address and its module differ in signs and capitals."""
    return "".join(c for c in name.lower() if c.isalnum())


def _by_package(modules: Iterable[Outside]) -> Iterable[list[Outside]]:
    """Modules that are missing in one package of the repository tell the same story, those first that are needed."""
    from assay.repository.environment import Role

    found: dict[str, list[Outside]] = {}
    for one in sorted(modules, key=lambda o: list(Role).index(o.role)):
        found.setdefault(one.module.partition(".")[0] if one.generic else one.module, []).append(one)
    return found.values()


@repository.rule(
    "R308",
    title="No language version",
    severity=Severity.NOTE,
    failing=GOOD,
    passing=GOOD + "==> .python-version <==\n3.11.8\n",
    source=loos("section 4.3: software environment"),
    advice="State it where installers look: `requires-python` in pyproject.toml, `python=` in environment.yml, or a "
    "file .python-version.",
)
@applies_if(needs_something, otherwise="the code needs nothing but its language")
def no_language_version(facts: Repository) -> Iterator[Finding]:
    """Old pins do not install under a new Python, and error messages do not say that the language is the cause."""
    binder = any(path.endswith("runtime.txt") for path in facts.infrastructure.binder.also_read)
    if not facts.environment.languages and not binder:
        yield no_language_version.finding(
            "no manifest, container or version file states the language version",
            evidence=[note("A README that names a version helps people, but no installer.")],
        )
