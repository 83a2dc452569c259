"""Measurements of research practice: instructions, results, records, models, and what is held out."""

from __future__ import annotations

from assay.repository.facts import Repository
from assay.repository.profiles.default.measured import Measured, no, not_judged, share, yes
from assay.repository.selection import ChoiceKind

_TOLD = ("install", "data", "train", "evaluate")
"""What a stranger must know; using the result may stand in for training and evaluating it."""


def _sections(facts: Repository) -> frozenset[str]:
    return frozenset(s.kind.value for s in facts.readme.sections)


def instructions(facts: Repository) -> Measured:
    """The share of the necessary instructions that the README gives, however long it is."""
    if not facts.tree.files:
        return not_judged("there are no files")
    found = _sections(facts)
    wanted = [kind for kind in _TOLD if facts.trains or kind in {"install", "data"}] + (
        [] if facts.trains else ["usage"]
    )
    told = [kind for kind in wanted if facts.tells(kind)]
    if facts.obtaining.availability == "not needed" and "data" not in found:
        wanted.remove("data")
    lacking = [kind for kind in wanted if kind not in told]
    said = f"tells how to {', '.join(told) or 'do nothing'}"
    return Measured(len(told) / len(wanted), said + (f"; not: {', '.join(lacking)}" if lacking else ""))


def commands(facts: Repository) -> Measured:
    """The share of the documented commands that fit the repository, among those whose outcome is known."""
    told = [c for c in facts.commands.commands if c.outcome.value != "unknown"]
    return share(sum(c.outcome.value == "ok" for c in told), len(told), "commands", "fit the repository")


def hardware(facts: Repository) -> Measured:
    """Whether the README mentions hardware; only where networks are trained, for others any machine will do."""
    if not facts.trains_networks:
        return not_judged("no network is seen to be trained")
    return yes("there is a note on hardware") if "hardware" in _sections(facts) else no("no note on hardware")


def results(facts: Repository) -> Measured:
    """Whether the README shows which results to expect."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    return yes("the README shows results") if "results" in _sections(facts) else no("the README shows no results")


def paper(facts: Repository) -> Measured:
    """Whether the README links the paper."""
    if not facts.code.own:
        return not_judged("no code")
    found = facts.readme.paper
    return yes(f"the README links {found.target}") if found else no("the README links no paper")


def citable(facts: Repository) -> Measured:
    """A way to cite the work, and a state of it that can be named: half each."""
    publication = facts.infrastructure.publication
    if not facts.code.own:
        return not_judged("no code")
    cited = bool(publication.citations or facts.readme.bibtex) or "citation" in _sections(facts)
    named = bool(publication.releases) or any(doi.archive for doi in publication.dois)
    said = [word for word, there in (("how to cite it", cited), ("a published state", named)) if there]
    return Measured((cited + named) / 2, " and ".join(said) or "neither a citation nor a published state")


def held_out(facts: Repository) -> Measured:
    """Validation data or folds are full, a test set alone is half."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    if facts.plays:
        return not_judged("learning is by reinforcement")
    if facts.data.has_validation:
        return yes("data are held out to choose by")
    return Measured(0.5, "a test set is held out") if facts.data.splits else no("no sign of data that are held out")


def chosen_fairly(facts: Repository) -> Measured:
    """Whether test data choose the model."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    kinds = {choice.kind for choice in facts.selection}
    proven = [kind for kind in (ChoiceKind.FOLLOWED, ChoiceKind.BEST_ON_TEST) if kind in kinds]
    if proven:
        return no(proven[0].value)
    if kinds:
        return Measured(0.3, ChoiceKind.TEST_AS_VALIDATION.value)
    return not_judged("`assay leakage code` follows which data choose the model")


def hyperparameters(facts: Repository) -> Measured:
    """Values that stand apart from the code that uses them; a literal in a call is worth half."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    stated = facts.models.hyper_parameters
    if not stated:
        return no("no values are found")
    apart = [h for h in stated if h.stated.separate]
    if not apart:
        return Measured(0.5, f"{len(stated)} values, inside calls only")
    return yes(f"{len(apart)} values in {', '.join(sorted({h.stated.value + 's' for h in apart}))}")


def tracked(facts: Repository) -> Measured:
    """A tracker is full; one that is only imported, or logs that were left behind, are half."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    used = [t.name for t in facts.models.trackers if t.used]
    if used:
        return yes(f"recorded with {', '.join(used)}")
    if facts.models.records or facts.models.trackers:
        return Measured(0.5, "records of runs are there" if facts.models.records else "a tracker is imported")
    return no("no tracker and no records of runs")


def saved(facts: Repository) -> Measured:
    """Whether code saves the model it trains."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    return yes(f"saved by {facts.models.saves[0].call}") if facts.models.saves else no("no code saves a model")


def offered(facts: Repository) -> Measured:
    """Whether trained weights are available."""
    if not facts.trains:
        return not_judged("nothing is seen to be trained")
    if facts.models.artefacts:
        return yes(f"{facts.models.artefacts[0].path} is in the repository")
    return yes(f"linked: {facts.models.links[0].url}") if facts.models.links else no("no weights, and no link to any")
