"""The feedback file of the thesis (Figure A.1): a table of factors, then a section for each with its indicators.

The layout and the order are the author's, so that files can be compared; the sentences are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.repository.factors import Band
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.research.loos2022.scale import LOOS2022, Factor
from assay.repository.research.loos2022.scoring import FactorScore, Part, readme_parts, score

NOT_MEASURED = "not measured"
_BANDS = {
    Band.GOOD: "At or above the top threshold (T): very good.",
    Band.FAIR: "Above the average threshold (A): rather good, some improvements are recommended.",
    Band.WEAK: "Above the lower threshold (L): improvements should be made.",
    Band.POOR: "At or below the lower threshold (L): major improvements should be made.",
    Band.NOT_JUDGED: "Undecided: it depends on what was not measured.",
}
_SECTIONS = {
    Factor.SCAD: "Source code availability and documentation feedback",
    Factor.SE: "Software environment feedback",
    Factor.DSA: "Dataset availability and preprocessing feedback",
    Factor.RSC: "Random seed feedback",
    Factor.MS: "Model serialization feedback",
    Factor.HPL: "Hyperparameter logging feedback",
    Factor.OOTB: "Out-of-the-box buildability feedback",
}


def feedback(indicators: Indicators) -> str:
    """The whole file, as Markdown."""
    scores = {one.factor: one for one in score(indicators)}
    told = {
        Factor.SCAD: _documentation(indicators, scores[Factor.SCAD]),
        Factor.SE: _environment(indicators, scores[Factor.SE]),
        Factor.DSA: [_dataset(indicators), _PREPROCESSING],
        Factor.RSC: [_seeds(indicators, scores[Factor.RSC])],
        Factor.MS: [_models(indicators)],
        Factor.HPL: [_logging(indicators)],
        Factor.OOTB: [_building(indicators)],
    }
    lines = ["# Reproducibility factor scoring (from 0 to 1)", "", *_table(list(scores.values())), "", _THRESHOLDS]
    for factor, paragraphs in told.items():
        lines += ["", f"## {_SECTIONS[factor]}", "", "\n\n".join(paragraphs)]
    return "\n".join(lines) + "\n"


_THRESHOLDS = (
    "*: mean scores of twenty reproducible (T) and twenty not reproducible (L) repositories and the middle between "
    "them (A); Loos 2022, section 6.2.3."
)
_PREPROCESSING = (
    "Preprocessing is not part of this score. If data were preprocessed, include the result or the files that "
    "repeat the steps."
)


def _table(scores: Sequence[FactorScore]) -> Iterator[str]:
    yield "| Reproducibility factor | Score | Feedback | T* | A* | L* |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in scores:
        limits = one.thresholds
        average = "-" if limits.average is None else f"{limits.average:g}"
        yield (f"| {one.factor.label} | {one} | {_BANDS[one.band]} | {limits.top:g} | {average} | {limits.lower:g} |")


def _documentation(given: Indicators, found: FactorScore) -> list[str]:
    parts = {part.name: part for part in found.parts}
    lines, links = readme_parts(given, LOOS2022)
    rating = "nobody asked for it" if given.pylint is None else f"{given.pylint:.2f} of 10"
    weights = LOOS2022.weights
    other = f"pylint {weights.pylint:g}, code-comment ratio {weights.comment_ratio:g}"
    inner = f"of it length {weights.readme_lines:g}, links {weights.readme_links:g}"
    return [
        f"1. Licence ({_out_of_one(parts['licence'])}): {_licences(given)}",
        f"2. README ({_out_of_one(parts['readme'])}): {_readme(given, lines, links)}",
        f"3. Pylint rating ({_out_of_one(parts['pylint'])}): {rating}; from {LOOS2022.pylint.high:g} on it is best.",
        f"4. Code-comment ratio ({_out_of_one(parts['comment_ratio'])}): {_comments(given)}",
        f"Weights: licence {weights.licence:g}, README {weights.readme:g} ({inner}), {other}.",
    ]


def _comments(given: Indicators) -> str:
    best = f"{LOOS2022.comment_ratio.low:g}"
    return f"{given.comment_ratio:.2f} lines of code for each line of comment; up to {best} is best."


def _licences(given: Indicators) -> str:
    if not given.licences:
        return "none found. Without one, nobody else may use the code."
    if given.open_licences == given.licences:
        return "open source, all that were found."
    closed = given.licences - given.open_licences
    return f"{closed} of {given.licences} are not open source, which keeps others from using the code."


def _readme(given: Indicators, lines: Part, links: Part) -> str:
    best_lines, best_links = f"{LOOS2022.readme_lines.high:g}", f"{LOOS2022.readme_links.high:g}"
    if not given.readmes:
        return f"none found. Add one, with {best_lines} lines and {best_links} links that work, or more."
    each = given.links_each
    found = "they are tried only online" if each is None else f"{each:.2f} in the mean"
    return (
        f"see its parts.\n    - Length ({_out_of_one(lines)}): {given.readme_lines:g} lines in the mean; "
        f"{best_lines} or more are best.\n    - Links that work ({_out_of_one(links)}): {found}; "
        f"{best_links} or more are best."
    )


def _environment(given: Indicators, found: FactorScore) -> list[str]:
    declared, strict, public = found.parts
    if given.config_files == 0:
        first = ["1. Configuration files (0 out of 0.8): none found. Declare every library, each with its version."]
        if given.imports == 0:
            first = ["1. Configuration files (0.8 out of 0.8): none found, and no library is imported."]
    else:
        first = [
            f"1. Imported libraries that are declared ({_weighted(declared)}): {given.declared:g} %; all should be.",
            f"2. Declarations of one version, == ({_weighted(strict)}): {given.strict:g} %; all should be.",
        ]
    share = 100.0 if given.imports == 0 else given.public
    weights = ", ".join(f"{part.name} {part.weight:g}" for part in found.parts)
    return [
        *first,
        f"- Libraries that anybody can install ({_weighted(public)}): {share:g} %; all should be.",
        f"Weights: {weights}. Python's own modules and the repository's are left aside; a library counts once.",
    ]


def _dataset(given: Indicators) -> str:
    if given.dataset:
        return "Dataset (1 out of 1): the data are in the repository, or it says where they come from."
    return (
        "Dataset (0 out of 1): none found. Put the data into the repository or, when they are large, tell in a section "
        "of the README where to get them."
    )


def _seeds(given: Indicators, found: FactorScore) -> str:
    if not given.seed_lines:
        return "Fixed seeds (0 out of 1): no seed is set, so every run may start elsewhere. Set one, to a fixed value."
    return (
        f"Fixed seeds ({found} out of 1): {given.fixed_seeds:g} % of {given.seed_lines} seeds have a fixed value; "
        "all should."
    )


def _models(given: Indicators) -> str:
    found = "model files or code that saves them were found" if given.models else "no sign of a saved model"
    return f"Model serialization ({int(given.models)} out of 1): {found}. Saved models let others retrace the steps."


def _logging(given: Indicators) -> str:
    found = f"{given.logging} signs of logging were found" if given.logging else "no sign of logging"
    return (
        f"Hyperparameter logging ({int(given.logging > 0)} out of 1): {found}. A log of what was tried lets others "
        "understand the result."
    )


def _building(given: Indicators) -> str:
    if given.built is None:
        return (
            f"Buildability ({NOT_MEASURED}): no BinderHub was asked to build the repository; `assay repo build` can "
            "ask one. The thesis prints 0 here."
        )
    if given.built:
        return "Buildability (1 out of 1): a BinderHub built the repository. A Binder badge in the README tells others."
    return "Buildability (0 out of 1): a BinderHub could not build the repository."


def _out_of_one(part: Part) -> str:
    return NOT_MEASURED if part.value is None else f"{part.value:.2f} out of 1"


def _weighted(part: Part) -> str:
    """Sub-scores of the environment are printed with their weight already on, others without: so does the author."""
    return f"{(part.value or 0.0) * part.weight:.2f} out of {part.weight:g}"
