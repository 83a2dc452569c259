"""The steps of Fell et al. (2022, section 3), each with every choice that somebody who repeats it must make.

A value that a paper does not give is named in `assumed`, with the reason for it; a value that it gives and this
pipeline cannot follow, in `departs`. A step that was not done is `done = false`. Defaults are those of the shipped
``default.toml``, so that a configuration may be short.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from assay.records import dataclass

Words = Annotated[str, StringConstraints(max_length=2_000, strip_whitespace=True)]
Share = Annotated[float, Field(ge=0, le=1)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]
_Level = Annotated[int, Field(ge=0, le=20)]
ITEMS = {
    "system": ("1", "System specification"),
    "data": ("2", "Data source"),
    "split": ("3", "Dataset splitting"),
    "stain": ("4", "Stain normalisation"),
    "tissue": ("5", "Tissue segmentation"),
    "patches": ("6", "Patch extraction"),
    "mining": ("6a", "Hard negative mining"),
    "augmentation": ("6b", "Patch augmentation"),
    "labels": ("7", "Patch labelling"),
    "classifier": ("8", "Patch classification"),
    "encoder": ("8", "Patch classification"),
    "heatmap": ("8a", "Heatmap generation"),
    "maps": ("8a", "Heatmap generation"),
    "slide": ("9", "Whole slide classification"),
    "attention": ("9", "Whole slide classification"),
    "lesions": ("10", "Lesion level classification"),
    "patient": ("11", "Patient level classification"),
    "metrics": ("12", "Reported metrics"),
}
"""The tables of a configuration in the order of the checklist: the item that each answers, and its title."""
SMALLEST_SIDE = {"cnn": 8, "googlenet": 32, "resnet101": 32, "inception-v3": 75}
"""Pixels below which a network has nothing left to pool."""


class Basis(StrEnum):
    """How much of a step is stated, in the words of the checklist's scale."""

    STATED = "complete"
    PARTLY = "partial"
    ASSUMED = "missing"
    NOT_DONE = "not applicable"


class Step(BaseModel):
    """What all steps share: whether they were done, and what of them is an assumption."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    done: bool = True
    reason: Words = ""
    """Why the step was not done, or where it is described."""
    assumed: dict[str, Words] = Field(default_factory=dict)
    """Field → why this value, where the source does not give one; "all" stands for every field."""

    departs: dict[str, Words] = Field(default_factory=dict)
    """Field → what the source says and this pipeline does otherwise."""

    @model_validator(mode="after")
    def _speaks_of_what_there_is(self) -> Self:
        for kind, named in (("assumed", self.assumed), ("departs", self.departs)):
            for name in named:
                if name != "all" and name not in self.choices():
                    raise ValueError(f'"{kind}" names "{name}", which is no choice of this step')
        return self

    @classmethod
    def choices(cls) -> tuple[str, ...]:
        """The names of the choices of this step, those that it shares with others last."""
        names = (name for name in cls.model_fields if name not in Step.model_fields)
        return tuple(sorted(names, key=lambda name: name not in cls.__annotations__))

    @property
    def basis(self) -> Basis:
        """Whether the step is stated, partly stated or all assumed."""
        if not self.done:
            return Basis.NOT_DONE
        if "all" in self.assumed or set(self.assumed) == set(self.choices()):
            return Basis.ASSUMED
        return Basis.PARTLY if self.assumed else Basis.STATED


class Stopping(Step):
    """When training ends and which state it leaves."""

    monitor: Literal["validation-loss", "validation-accuracy"] = "validation-loss"
    direction: Literal["smallest", "largest"] = "smallest"
    patience: int = Field(0, ge=0, le=10_000)
    """Epochs without improvement before training stops; 0: never."""
    keep: Literal["best", "last"] = "last"


class Measurement(Step):
    """What is measured, and on which sets."""

    sets: tuple[Literal["train", "validation", "test"], ...] = ("validation", "test")
    threshold: Share = 0.5
    resamples: int = Field(1_000, ge=0, le=100_000)
    seed: Seed = 0


class System(Step):
    """Where it ran. Each run also records the machine it really ran on."""

    hardware: Words = ""
    software: Words = ""


class World(BaseModel):
    """The synthetic slides: how many, how large, and how different patients, slides and centres look."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: Seed = 2022
    patients: int = Field(24, ge=1, le=2_000)
    slides_per_patient: int = Field(5, ge=1, le=20)
    side: int = Field(2048, ge=256, le=16_384, multiple_of=256)
    um_per_pixel: float = Field(2.0, gt=0.1, le=20)
    levels: int = Field(5, ge=1, le=8)
    second_centre: Share = 0.25
    patient_effect: float = Field(1.0, ge=0, le=3)
    """How much the tissue and tumour of one patient look alike across slides; 0 leaves slides independent."""
    slide_effect: float = Field(0.5, ge=0, le=3)
    contrast: float = Field(1.0, gt=0, le=3)
    """How far tumour differs from the look-alikes."""
    pen: Share = 0.25


class Data(Step):
    """Which slides, and where they come from."""

    source: Words = "synthetic slides made by `assay slides make`"
    access: Words = "made on the spot"
    world: World = World()
    """How the synthetic slides are made when no folder of slides is given."""


class Split(Step):
    """Who is in which set. A patient in two sets leaks (L3.2) and is refused unless `accept_leakage` says so."""

    unit: Literal["patient", "slide", "patch", "table"] = "patient"
    """"table": the column `set` of slides.csv decides."""
    train: Share = 0.5
    validation: Share = 0.15
    stratify: Literal["stage", "none"] = "stage"
    seed: Seed = 0
    accept_leakage: bool = False

    @model_validator(mode="after")
    def _leaves_a_test_set(self) -> Self:
        if self.train + self.validation > 1 + 1e-9:
            raise ValueError("train and validation are more than everything")
        return self


class Stain(Step):
    """How colours are brought to one look."""

    method: Literal["none", "reinhard", "macenko"] = "none"
    level: _Level = 0
    """Where colours are learnt; at a coarse level nuclei and their surroundings mix."""
    template: Words = ""
    """The slide whose colours are the aim; empty: the first training slide by name."""


class Tissue(Step):
    """What is tissue, and what is glass or ink."""

    method: Literal["otsu", "fixed", "none"] = "otsu"
    channel: Literal["saturation", "hue", "grey", "hue-and-saturation"] = "saturation"
    threshold: float = Field(0.8, ge=0, le=1)
    """Used by "fixed" alone: tissue is darker (grey) or more coloured than this."""
    level: _Level = 3
    fill_holes_um2: float = Field(0.0, ge=0, le=1e9)
    minimum_area_um2: float = Field(10_000.0, ge=0, le=1e9)
    artefacts: Literal["keep", "remove-pen"] = "keep"


class Patches(Step):
    """Where patches are taken, and which of them train."""

    level: _Level | None = 0
    um_per_pixel: float | None = Field(None, gt=0, le=100)
    """Instead of a level."""
    size: int = Field(64, ge=8, le=2_048)
    stride: int = Field(64, ge=1, le=4_096)
    """Between patches of the training grid, in pixels of the level."""
    placement: Literal["grid", "random"] = "grid"
    per_slide: int = Field(400, ge=1, le=1_000_000)
    """How many positions are drawn on a slide when placement is random."""
    minimum_tissue: Share = 0.5
    sampling: Literal["balanced", "all", "slide-weighted"] = "balanced"
    per_class: int = Field(6_000, ge=1, le=10_000_000)
    replacement: bool = False
    seed: Seed = 0

    @model_validator(mode="after")
    def _has_one_scale(self) -> Self:
        if (self.level is None) == (self.um_per_pixel is None):
            raise ValueError("give either level or um_per_pixel")
        return self

    @model_validator(mode="before")
    @classmethod
    def _resolution_replaces_level(cls, given: object) -> object:
        """TOML has no null: naming a resolution is enough to do without a level."""
        if isinstance(given, dict) and given.get("um_per_pixel") is not None and "level" not in given:
            return given | {"level": None}
        return given


class Labels(Step):
    """When a patch counts as tumour."""

    rule: Literal["any", "centre", "share"] = "share"
    share: float = Field(0.5, gt=0, le=1)
    core: float = Field(1.0, gt=0, le=1)
    """Side of the square in the middle of the patch that counts, as a share of the side of the patch."""


class Augmentation(Step):
    """How patches are varied in training, and at inference (where the mean over the variants counts)."""

    training: tuple[Literal["flip", "rotate", "colour"], ...] = ("flip", "rotate")
    colour: float = Field(0.05, ge=0, le=1)
    """Standard deviation of the factor and the shift of each channel's optical density."""
    crop: int = Field(0, ge=0, le=2_048)
    """Side of what is cut from a patch; 0 leaves it whole."""
    inference: tuple[Literal["flip", "rotate"], ...] = ()
    inference_crop: Literal["centre", "random"] = "centre"
    seed: Seed = 0


class Classifier(Stopping):
    """The patch classifier and how its training ends."""

    architecture: Literal["light", "cnn", "googlenet", "resnet101", "inception-v3"] = "light"
    width: int = Field(24, ge=1, le=1_024)
    """Hidden units of the light classifier, channels of the first layer of "cnn"; the others have their own."""
    weights: Words = ""
    """File of weights to start from, as torchvision names them; empty: random ones."""
    loss: Literal["cross-entropy"] = "cross-entropy"
    optimiser: Literal["adam", "sgd", "rmsprop"] = "adam"
    learning_rate: float = Field(0.003, gt=0, le=10)
    rate_factor: float = Field(1.0, gt=0, le=1)
    rate_every: int = Field(0, ge=0, le=10**9)
    """The learning rate is multiplied by the factor after every so many patches; 0: never."""
    momentum: Share = 0.9
    decay: Share = 0.99
    epsilon: float = Field(1e-8, gt=0, le=10)
    """Of RMSProp alone: how much of the mean square stays at each step, and what is added to its root."""
    weight_decay: float = Field(0.0001, ge=0, le=10)
    batch: int = Field(256, ge=1, le=65_536)
    epochs: int = Field(20, ge=1, le=10_000)
    seed: Seed = 0


class Mining(Step):
    """Hard negatives: what the first model takes for tumour and is not."""

    rounds: int = Field(1, ge=0, le=10)
    threshold: Share = 0.5
    most: int = Field(0, ge=0, le=10_000_000)
    """How many are taken, the surest first; 0: all."""
    how: Literal["add", "replace"] = "add"
    training: Literal["continue", "restart"] = "continue"
    epochs: int = Field(8, ge=1, le=10_000)


class HeatMaps(Step):
    """Patch probabilities as a picture."""

    stride: int = Field(64, ge=1, le=4_096)
    overlap: Literal["mean", "max", "last"] = "mean"


class SlideModel(Step):
    """From heat map to slide."""

    features: Literal["wang", "lee"] = "wang"
    model: Literal["forest", "boosting", "xgboost", "largest-probability", "tumour-area"] = "forest"
    trees: int = Field(100, ge=1, le=100_000)
    depth: int = Field(0, ge=0, le=1_000)
    """0: until leaves are pure (forest), 3 levels (boosting), 6 levels (xgboost)."""
    leaf: int = Field(1, ge=1, le=10_000)
    """Smallest number of slides in a leaf; of xgboost, its min_child_weight."""
    features_per_split: Literal["sqrt", "log2", "all"] = "sqrt"
    learning_rate: float = Field(0.1, gt=0, le=10)
    trained_on: Literal["train", "validation", "train-and-validation"] = "train"
    clusters_above: Share = 0.5
    cluster_radius: float = Field(1.5, gt=0, le=1_000)
    cluster_points: int = Field(1, ge=1, le=10_000)
    """What DBSCAN clusters for the features of Lee: cells above a probability, its reach in cells, its core points."""
    isolated_cells: Literal["positive", "negative"] = "positive"
    """Whether a slide with isolated tumour cells alone counts as tumour."""
    seed: Seed = 0


class Lesions(Step):
    """From heat map to lesions."""

    threshold: Share = 0.5
    grouping: Literal["components", "dbscan", "suppression"] = "components"
    connectivity: Literal[4, 8] = 8
    radius: float = Field(1.5, gt=0, le=1_000)
    """Reach of DBSCAN or of the suppression, in cells of the heat map."""
    minimum_points: int = Field(1, ge=1, le=10_000)
    """Core points of DBSCAN; smallest group otherwise."""
    score: Literal["max", "mean", "sum"] = "max"


class Patients(Step):
    """From slides to the patient's stage, by the pN rules of Camelyon17."""

    rules: Literal["camelyon17"] = "camelyon17"
    slide_classes: Literal["model", "largest-lesion"] = "model"
    """Four classes of a slide from the slide model, or from the length of its largest lesion (0.2 mm, 2 mm)."""


class Metrics(Measurement):
    """What is measured of patches, slides, lesions and patients."""

    kappa_order: Literal["clinical", "alphabetical"] = "clinical"
    kappa_weights: Literal["quadratic", "none"] = "quadratic"
    froc_slides: Literal["all", "with detections"] = "all"
    """Which slides are in the denominators of the FROC score; the official rule is all."""


@dataclass(frozen=True, slots=True)
class ItemStep:
    """A step with the checklist item that it answers."""

    item: str
    title: str
    step: Step


class Pipeline(BaseModel):
    """What every kind of pipeline has. The file is the record: nothing that changes a result is set anywhere else."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Words = ""
    source: Words = ""
    seed: Seed = 0
    """Added to the seeds of sampling, augmentation, networks and trees: another number is the same run with other luck.
    The split keeps its own seed, for who is in the test set is a choice to report."""
    system: System = System()
    split: Split = Split()

    def steps(self) -> tuple[ItemStep, ...]:
        """The steps in the order of the checklist."""
        found = ((*about, getattr(self, name, None)) for name, about in ITEMS.items())
        return tuple(ItemStep(item, title, step) for item, title, step in found if step is not None)


class Configuration(Pipeline):
    """A pipeline from patches to slides, lesions and patients."""

    data: Data = Data()
    stain: Stain = Stain()
    tissue: Tissue = Tissue()
    patches: Patches = Patches()
    labels: Labels = Labels()
    augmentation: Augmentation = Augmentation()
    classifier: Classifier = Classifier()
    mining: Mining = Mining()
    heatmap: HeatMaps = HeatMaps()
    slide: SlideModel = SlideModel()
    lesions: Lesions = Lesions()
    patient: Patients = Patients()
    metrics: Metrics = Metrics()

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        if self.augmentation.crop > self.patches.size:
            raise ValueError("augmentation.crop is larger than patches.size")
        choice, side = self.classifier, self.augmentation.crop or self.patches.size
        least = SMALLEST_SIDE.get(choice.architecture, 0)
        if side < least:
            raise ValueError(f"{choice.architecture} needs patches of at least {least} pixels")
        if choice.architecture == "light" and (choice.optimiser == "rmsprop" or choice.weights or choice.rate_every):
            raise ValueError("rmsprop, weights and rate_every need a convolutional classifier.architecture")
        if choice.weights and choice.architecture == "cnn":
            raise ValueError("classifier.weights are for googlenet, resnet101 and inception-v3")
        return self
