"""Which evidence feeds which factor, with which weight, and why: the whole default profile as one table.

Weights within a factor add up to 1; parts that cannot be judged leave their weight to the others. Weights and
thresholds are settled by argument, as those of the thesis are, not fitted; `assay repo calibrate` fits a scale to
labelled repositories.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.records import dataclass
from assay.repository.factors import Thresholds
from assay.repository.facts import Repository
from assay.repository.profiles.default import code, material, practice
from assay.repository.profiles.default.measured import Measured

THRESHOLDS = Thresholds(top=0.8, average=0.5, lower=0.2)
"""One scale for all factors: good from 0.8, fair above 0.5, weak above 0.2, poor up to there."""


@dataclass(frozen=True, slots=True)
class Part:
    """One measurement, what it weighs in its factor and why, what to do when it is low, which rules say where."""

    name: str
    weight: float
    measure: Callable[[Repository], Measured]
    why: str
    advice: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the thesis with its parts."""

    key: str
    name: str
    section: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A factor that no program can judge (section 5.2), as a question for a person."""

    factor: str
    section: str
    question: str


FACTORS = (
    Factor(
        "documentation",
        "Source code and documentation",
        "section 4.1",
        (
            Part("licence", 0.3, material.licence, "Without one nobody may run the code.",
                 "Add an open-source licence.", ("R101", "R102", "R103", "R104")),
            Part("README tells how", 0.3, practice.instructions, "Setup, run and evaluation are what a stranger needs.",
                 "Say in the README how to install, run and evaluate, with the very commands.",
                 ("R201", "R202", "R203", "R204", "R205")),
            Part("commands fit", 0.1, practice.commands, "A command that names what is not there misleads.",
                 "Fix the commands of the README.", ("R211", "R212", "R213")),
            Part("code parses", 0.1, code.parses, "What Python cannot read cannot be run.",
                 "Fix the files that do not parse.", ("R901",)),
            Part("explained", 0.1, code.explained, "Readers must know what steps are meant to do.",
                 "Explain public functions in docstrings.", ("R902",)),
            Part("readable", 0.1, code.readable, "Stands in for the thesis's pylint rating.",
                 "Remove the habits that hide faults.", ("R903",)),
        ),
    ),
    Factor(
        "hardware",
        "Hardware environment",
        "section 4.2",
        (
            Part("device stated", 0.8, practice.hardware, "Numbers and memory depend on the device.",
                 "Name the GPU or CPU, its memory and the time a run takes.", ("R806",)),
            Part("container", 0.2, material.container, "Virtualisation lessens what the machine decides.",
                 "Add a Dockerfile with a fixed base image.", ("R801", "R802")),
        ),
    ),
    Factor(
        "software",
        "Software environment",
        "section 4.3",
        (
            Part("imports declared", 0.5, material.declared, "What is missing stops the run (Table 6.3 gives it most).",
                 "Declare every package that the code imports.", ("R301", "R302")),
            Part("versions pinned", 0.3, material.pinned, "Later versions give other results, or none.",
                 "Pin the versions that gave the result, or commit a lock file.", ("R304", "R306", "R307")),
            Part("to be had", 0.1, material.public, "Private modules stop everybody else.",
                 "Commit the missing modules.", ("R303",)),
            Part("language version", 0.1, material.language, "Old pins install under old versions only.",
                 "State the version of the language.", ("R308",)),
        ),
    ),
    Factor(
        "build",
        "Out-of-the-box buildability",
        "section 4.4",
        (
            Part("files to build from", 0.6, material.buildable, "repo2docker and Binder need files of fixed names.",
                 "Put requirements.txt, environment.yml or a Dockerfile into the root.", ("R803",)),
            Part("sound manifests", 0.2, material.sound, "An installer stops at a line it cannot read.",
                 "Fix the manifests.", ("R305",)),
            Part("built by a service", 0.2, material.proven, "A service that installs and tests proves that it builds.",
                 "Let continuous integration install and test.", ("R804", "R805")),
        ),
    ),
    Factor(
        "data",
        "Data and preprocessing",
        "section 4.5",
        (
            Part("available", 0.6, material.data, "Without the data nothing can be repeated.",
                 "Commit the data, fetch them by code, or link to an archive.", ("R501", "R504", "R505")),
            Part("preprocessing", 0.25, material.preprocessing, "Raw data are not what the model saw.",
                 "Commit the script that turns raw data into inputs.", ("R507",)),
            Part("paths", 0.15, material.paths, "A path of one machine stops everybody else.",
                 "Use relative paths or options.", ("R502", "R503")),
        ),
    ),
    Factor(
        "seeds",
        "Random seed control",
        "section 4.6",
        (
            Part("draws seeded", 0.9, code.seeded, "Unseeded runs cannot be repeated.",
                 "Seed every generator at the start of the run.", ("R401", "R402", "R403", "R404")),
            Part("deterministic switches", 0.1, code.deterministic, "Seeds do not fix the order of sums on a GPU.",
                 "Switch the race for the fastest algorithm off.", ("R406",)),
        ),
    ),
    Factor(
        "tracking",
        "Hyperparameter record",
        "section 4.7",
        (
            Part("stated", 0.5, practice.hyperparameters, "The values that gave the result must be found somewhere.",
                 "Keep the values in a configuration file or as defaults of options.", ("R604",)),
            Part("recorded", 0.5, practice.tracked, "Intermediate runs are lost unless they are logged.",
                 "Log parameters and scores of every run with a tracker or to a file.", ("R603", "R605")),
        ),
    ),
    Factor(
        "models",
        "Model serialisation",
        "section 4.8",
        (
            Part("saved", 0.5, practice.saved, "A saved model spares others the training.",
                 "Save the trained model.", ("R601",)),
            Part("offered", 0.5, practice.offered, "Weights on the author's disk help nobody.",
                 "Publish the weights and link to them from the README.",
                 ("R602", "R606")),
        ),
    ),
    Factor(
        "practice",
        "Research practices",
        "section 4.9",
        (
            Part("paper linked", 0.4, practice.paper, "Design and method are described there.",
                 "Link the paper in the README.", ("R209",)),
            Part("results shown", 0.3, practice.results, "Who repeats it must know what to expect.",
                 "Show the results in the README, with the command for each.", ("R206",)),
            Part("citable state", 0.3, practice.citable, "Code changes; the result belongs to one state of it.",
                 "Tag the state that gave the result, and say how to cite it.", ("R105", "R107")),
        ),
    ),
    Factor(
        "overfitting",
        "Guard against overfitting",
        "section 4.10",
        (
            Part("data held out", 0.6, practice.held_out, "Without it nobody would notice.",
                 "Hold validation data out, or cross-validate.", ("R108", "R506")),
            Part("chosen fairly", 0.4, practice.chosen_fairly, "The best epoch on test data is too good.",
                 "Choose on validation data; look at the test data once.", ("R109",)),
        ),
    ),
)  # fmt: skip

QUESTIONS = (
    Question("Knowledge gap", "section 4.11", "Could somebody outside the authors' field follow each step?"),
    Question("Probability hacking", "section 4.12", "How many variants were tried, and are all of them reported?"),
    Question("Bias", "section 4.13", "Who chose data, baselines and measures, and would others have chosen alike?"),
)
"""The three factors that are left to people."""
