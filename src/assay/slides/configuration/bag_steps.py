"""The steps of multiple-instance learning on features, as explicit as those of a patch pipeline.

What made the features happened elsewhere: those steps are described in words, and a step without words is missing.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from assay.slides.configuration.steps import Basis, Measurement, Pipeline, Seed, Share, Step, Stopping, Words


class Described(Step):
    """A step that happened before the features were written."""

    description: Words = ""

    @property
    def basis(self) -> Basis:
        """A step without a description is missing."""
        return super().basis if self.description or not self.done else Basis.ASSUMED


class NotDone(Step):
    """A step that multiple-instance learning leaves out."""

    done: bool = False
    reason: Words = "no part of multiple-instance learning on features"


class BagData(Step):
    """Which features, and where they come from."""

    source: Words = "features of synthetic slides"
    access: Words = "made on the spot"
    synthetic: Literal["small", "default"] = "small"
    """The configuration whose slides and light features fill the bags when no folder is given."""


class Encoder(Described):
    """What turned a patch into features: the network, its weights, what it was trained on."""

    scaling: Literal["none", "training"] = "training"
    """Whether features are brought to mean 0 and spread 1, by the training slides alone."""


class BagLabels(Step):
    """A bag has the label of its slide; patches have none."""

    rule: Literal["slide"] = "slide"


class Attention(Stopping):
    """The classifier of bags (Ilse et al. 2018, arXiv:1802.04712), and how its training ends."""

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
    momentum: Share = 0.9
    weight_decay: float = Field(0.0001, ge=0, le=10)
    epochs: int = Field(40, ge=1, le=10_000)
    seed: Seed = 0


class BagConfiguration(Pipeline):
    """Multiple-instance learning on features; attention maps are stored, and nothing is computed from them."""

    pipeline: Literal["bags"] = "bags"
    data: BagData = BagData()
    stain: Described = Described()
    tissue: Described = Described()
    patches: Described = Described()
    mining: NotDone = NotDone()
    augmentation: NotDone = NotDone()
    labels: BagLabels = BagLabels()
    encoder: Encoder = Encoder()
    maps: NotDone = NotDone()
    attention: Attention = Attention()
    lesions: NotDone = NotDone()
    patient: NotDone = NotDone()
    metrics: Measurement = Measurement()

    @model_validator(mode="after")
    def _divides_slides(self) -> Self:
        if self.split.unit == "patch":
            raise ValueError("a bag is not divided: split.unit is patient, slide or table")
        return self
