"""The steps of multiple-instance learning on features, as explicit as those of a patch pipeline.

What made the features happened elsewhere: those steps are described in words, and a step without words is missing.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from assay.slides.configuration.steps import Basis, Pipeline, Split, Step

_Words = Annotated[str, StringConstraints(max_length=2_000, strip_whitespace=True)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Seed = Annotated[int, Field(ge=0, lt=2**31)]


class Described(Step):
    """A step that happened before the features were written."""

    description: _Words = ""

    @property
    def basis(self) -> Basis:
        """A step without a description is missing."""
        return super().basis if self.description or not self.done else Basis.ASSUMED


class BagData(Step):
    """Which features, and where they come from."""

    item, step = "2", "Data source"
    source: _Words = "features of synthetic slides"
    access: _Words = "made on the spot"
    synthetic: Literal["small", "default"] = "small"
    """The configuration whose slides and light features fill the bags when no folder is given."""


class BagStain(Described):
    """How colours were brought to one look."""

    item, step = "4", "Stain normalisation"


class BagTissue(Described):
    """What was taken for tissue."""

    item, step = "5", "Tissue segmentation"


class BagPatches(Described):
    """How patches were cut: size, resolution, overlap."""

    item, step = "6", "Patch extraction"


class Encoder(Described):
    """What turned a patch into features: the network, its weights, what it was trained on."""

    item, step = "8", "Patch classification"
    scaling: Literal["none", "training"] = "training"
    """Whether features are brought to mean 0 and spread 1, by the training slides alone."""


class BagLabels(Step):
    """A bag has the label of its slide; patches have none."""

    item, step = "7", "Patch labelling"
    rule: Literal["slide"] = "slide"


class NotDone(Step):
    """A step that multiple-instance learning leaves out."""

    done: bool = False
    reason: _Words = "no part of multiple-instance learning on features"


class BagMining(NotDone):
    """Hard negatives."""

    item, step = "6a", "Hard negative mining"


class BagAugmentation(NotDone):
    """Variants of patches; features are fixed."""

    item, step = "6b", "Patch augmentation"


class AttentionMaps(NotDone):
    """The attention of each patch as a picture. It is stored, and nothing is computed from it."""

    item, step = "8a", "Heatmap generation"


class BagLesions(NotDone):
    """Lesions."""

    item, step = "10", "Lesion level classification"


class BagPatients(NotDone):
    """Patients' stages."""

    item, step = "11", "Patient level classification"


class Attention(Step):
    """The classifier of bags (Ilse et al. 2018, arXiv:1802.04712), and how its training ends."""

    item, step = "9", "Whole slide classification"
    pooling: Literal["gated-attention", "attention", "mean", "max"] = "gated-attention"
    width: int = Field(64, ge=1, le=4_096)
    """Of the layer that each patch goes through before the bag is pooled."""
    attention_width: int = Field(32, ge=1, le=4_096)
    dropout: float = Field(0.0, ge=0, lt=1)
    instances: int = Field(0, ge=0, le=10_000_000)
    """How many patches of a bag are drawn anew in each epoch; 0: all."""
    classes: Literal["natural", "balanced"] = "natural"
    """Whether the loss weighs classes by how rare they are among the training slides."""
    loss: Literal["cross-entropy"] = "cross-entropy"
    optimiser: Literal["adam", "sgd"] = "adam"
    learning_rate: float = Field(0.001, gt=0, le=10)
    momentum: _Share = 0.9
    weight_decay: float = Field(0.0001, ge=0, le=10)
    epochs: int = Field(40, ge=1, le=10_000)
    monitor: Literal["validation-loss", "validation-accuracy"] = "validation-loss"
    direction: Literal["smallest", "largest"] = "smallest"
    patience: int = Field(0, ge=0, le=10_000)
    keep: Literal["best", "last"] = "last"
    seed: _Seed = 0


class BagMetrics(Step):
    """What is measured, and on which sets."""

    item, step = "12", "Reported metrics"
    sets: tuple[Literal["train", "validation", "test"], ...] = ("validation", "test")
    threshold: _Share = 0.5
    resamples: int = Field(1_000, ge=0, le=100_000)
    seed: _Seed = 0


class BagConfiguration(Pipeline):
    """Multiple-instance learning on features."""

    pipeline: Literal["bags"] = "bags"
    data: BagData = BagData()
    split: Split = Split()
    stain: BagStain = BagStain()
    tissue: BagTissue = BagTissue()
    patches: BagPatches = BagPatches()
    mining: BagMining = BagMining()
    augmentation: BagAugmentation = BagAugmentation()
    labels: BagLabels = BagLabels()
    encoder: Encoder = Encoder()
    maps: AttentionMaps = AttentionMaps()
    attention: Attention = Attention()
    lesions: BagLesions = BagLesions()
    patient: BagPatients = BagPatients()
    metrics: BagMetrics = BagMetrics()

    @model_validator(mode="after")
    def _divides_slides(self) -> Self:
        if self.split.unit == "patch":
            raise ValueError("a bag is not divided: split.unit is patient, slide or table")
        return self
