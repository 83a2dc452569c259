"""Is this call one that saves or loads a model? By its name, and by what its arguments are called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from assay.code import Source
from assay.code.names import last_name, spelt
from assay.findings import Confidence
from assay.patterns import regex
from assay.program.paths import Paths, around
from assay.records import dataclass
from assay.repository.data.lookup import Finder
from assay.repository.models.checkpoints import (
    LASTS,
    LOADING,
    MODEL_FILE,
    MODEL_NAME,
    NOT_A_MODEL,
    PRETRAINED,
    SAVING,
    TOPS,
    Row,
    is_hub,
    path_given,
)
from assay.repository.models.facts import Checkpoint, Origin

_OTHER_OBJECT = regex(
    r"\b(?:data|dataset|features?|feats?|embeddings?|tensors?|graphs?|vocab|tokens?|results?|preds?|predictions?|"
    r"labels?|images?|"
    r"samples?|scaler|history|losses|metrics|splits?|examples|corpus|cache|mask|targets?|logits|vectori[sz]er|"
    r"encoder_dict)\b",
    re.IGNORECASE,
)
_OTHER_FILE = regex(
    r"\.(?:png|jpe?g|gif|svg|pdf|bmp|tiff?|csv|txt|json|npy|npz|mp4|wav|xlsx?|html|docx?)$", re.IGNORECASE
)
_TRAINERS = regex(
    r"^(?:pytorch_lightning|lightning(?:\.pytorch)?|lightning_fabric)\.Trainer$"
    r"|^transformers\.(?:Trainer|Seq2SeqTrainer)$|^trl\.\w+Trainer$|^sentence_transformers\.\w*Trainer$"
)
_APPLICATIONS = regex(
    r"(?:^|\.)keras\.applications\.|^torchvision\.models\.|^pretrainedmodels\.|^segmentation_models|^timm\.create_model"
)


_WEIGHTS_OF = regex(r"state_dict|param_values|get_weights")
_LEARNING = frozenset({"fit", "partial_fit", "fit_predict", "predict", "predict_proba"})
_PREPARING = frozenset({"transform", "fit_transform", "texts_to_sequences"})
_PARTS = frozenset({"model", "weights", "params", "state_dict", "net", "network"})
"""Keys of a dictionary that holds what was learnt."""
_IS_LEARNT = regex(r"model|network|weights|params|state_dict|checkpoint|ckpt|policy|classifier", re.IGNORECASE)
_SPECIAL = ("Trainer", "applications")
"""Words in the names of calls that save or load a model on their own."""
_GENERAL = frozenset({"pickle", "json", "yaml", "numpy"})
"""Modules whose `load` and `dump` are for anything."""


def recognised(source: Source, texts: Paths, finder: Finder) -> Iterator[tuple[bool, Checkpoint]]:
    """Each save (True) or load (False) of a model in one file."""
    special = any(source.mentions(word) for word in _SPECIAL)
    known = [n for n, target in source.aliases.items() if special or target.partition(".")[0] in TOPS]
    for call in source.calls.of(LASTS, known, PRETRAINED):
        last = last_name(call.func)
        if last in LASTS or _root(call.func) in source.aliases:
            name = source.resolve(call.func)
            if last in LASTS or name.partition(".")[0] in TOPS or _may_be_special(name, call):
                found = _Candidate(call, name, last, source, texts, finder).checkpoint()
                if found is not None:
                    yield found


@dataclass(frozen=True, slots=True)
class _Candidate:
    call: ast.Call
    name: str
    last: str
    source: Source
    texts: Paths
    finder: Finder

    def checkpoint(self) -> tuple[bool, Checkpoint] | None:
        """The call as a save or a load; None when it is about something else."""
        place = self.source.location(self.call)
        if _TRAINERS.match(self.name):
            return (
                None if _switched_off(self.call) else (True, Checkpoint(self.name, place, confidence=Confidence.MEDIUM))
            )
        if is_hub(self.name, self.last) or _brings_weights(self.name, self.call):
            return False, self._from_hub()
        saving = SAVING.row(self.name, self.last)
        if saving is not None and self._is_saved_model(saving) and not self._only_restores():
            said = self._said(saving)
            return True, Checkpoint(self.name, place, said[0] if said else "")
        loading = LOADING.row(self.name, self.last)
        if loading is not None and self._is_loaded_model(loading):
            return False, self._loaded(self._said(loading))
        return None

    def _said(self, row: Row) -> list[str]:
        return self.texts.values(path_given(self.call, row), self.source, around(self.call, self.source))

    def _loaded(self, said: list[str]) -> Checkpoint:
        hits = tuple(dict.fromkeys(hit for path in said for hit in self.finder.find(path, self.source.path)))
        origin = Origin.UNKNOWN if not said else Origin.URL if "://" in said[0] else Origin.LOCAL
        return Checkpoint(self.name, self.source.location(self.call), said[0] if said else "", origin, found=hits)

    def _from_hub(self) -> Checkpoint:
        place = self.source.location(self.call)
        if not self.name.endswith("from_pretrained"):
            return Checkpoint(self.name, place, "", Origin.HUB)
        said = self.texts.values(next(iter(self.call.args), None), self.source, around(self.call, self.source))
        if not said:
            return Checkpoint(self.name, place, "", Origin.UNKNOWN)
        hits = self.finder.find(said[0], self.source.path)
        local = bool(hits) or said[0].startswith((".", "/", "~", "\0")) or said[0].count("/") > 1
        return Checkpoint(self.name, place, said[0], Origin.LOCAL if local else Origin.HUB, found=hits)

    def _only_restores(self) -> bool:
        """Whether a Saver is made that is never told to save, nor handed on to what would."""
        if not self.name.endswith("train.Saver"):
            return False
        return not any(self.source.mentions(word) for word in (".save(", "saver=", "Supervisor", "return tf.train"))

    def _is_saved_model(self, row: Row) -> bool:
        thing = spelt(self.call.args[0])[:200] if self.call.args else ""
        if row.needs == "":
            if row.position == 0 or not thing:
                return True
            told = bool(MODEL_NAME.search(thing)) or not _OTHER_OBJECT.search(thing.replace("_", " "))
            return told or (thing in {"data", "state"} and self.source.mentions("state_dict()"))
        if _WEIGHTS_OF.search(spelt(self.call)[:300]):
            return True
        paths = self._said(row)
        if self._is_something_else(paths):
            return False
        if row.needs == "model":
            named = not thing.startswith("{") and bool(MODEL_NAME.search(thing[:100]))
            said = any(MODEL_NAME.search(p) and MODEL_FILE.search(p) for p in paths)
            return named or said or _holds_a_model(thing, self.source)
        return self._looks_like_a_model(paths)

    def _is_loaded_model(self, row: Row) -> bool:
        paths = self._said(row)
        if row.needs == "":
            said = f"{spelt(self.call)[:300]} {' '.join(paths)}"
            other = _OTHER_OBJECT.search(said.replace("_", " ").replace("/", " "))
            return bool(MODEL_NAME.search(said)) or not other
        if self._is_something_else(paths):
            return False
        if row.needs == "model":
            return bool(MODEL_NAME.search(self._receiver))
        return self._looks_like_a_model(paths)

    @property
    def _receiver(self) -> str:
        return spelt(self.call.func.value)[:200] if isinstance(self.call.func, ast.Attribute) else ""

    def _is_something_else(self, paths: list[str]) -> bool:
        return any(_OTHER_FILE.search(p) for p in paths) or bool(NOT_A_MODEL.search(self._receiver.rpartition(".")[2]))

    def _looks_like_a_model(self, paths: list[str]) -> bool:
        if self.source.aliases.get(self._receiver, "") in _GENERAL:
            return any(_IS_LEARNT.search(text) for text in (*paths, spelt(self.call)[:300]))
        strong = [p for p in paths if MODEL_FILE.search(p) and not _OTHER_OBJECT.search(p.replace("_", " "))]
        given = bool(self.call.args or self.call.keywords)
        return bool(strong) or (given and bool(MODEL_NAME.search(self._receiver)))


def _holds_a_model(name: str, source: Source) -> bool:
    """Whether something of any name is fitted in this file, or is put together from weights."""
    if not name.isidentifier() or _OTHER_OBJECT.search(name.replace("_", " ")):
        return False
    asked = {
        call.func.attr
        for call in source.calls.of((), (name,))
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == name
    }
    if asked & _LEARNING and not asked & _PREPARING:
        return True
    made = (a.value for a in source.nodes(ast.Assign) if isinstance(a.targets[0], ast.Name) and a.targets[0].id == name)
    return any(_is_fitted(value) or not _PARTS.isdisjoint(_keys(value)) for value in made)


def _is_fitted(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "fit"


def _keys(value: ast.expr) -> set[object]:
    """Of a dictionary that is written out."""
    if isinstance(value, ast.Dict):
        return {key.value for key in value.keys if isinstance(key, ast.Constant)}
    if isinstance(value, ast.Call) and last_name(value.func) == "dict":
        return {k.arg for k in value.keywords}
    return set()


def _may_be_special(name: str, call: ast.Call) -> bool:
    return name.endswith(_SPECIAL[0]) or any(k.arg in PRETRAINED for k in call.keywords) or _SPECIAL[1] in name


def _brings_weights(name: str, call: ast.Call) -> bool:
    """`resnet50(pretrained=True)`, `ResNet50(weights="imagenet")`."""
    if not _APPLICATIONS.search(name):
        return False
    given = [k.value for k in call.keywords if k.arg in PRETRAINED]
    if not given:
        return "keras.applications." in name and name.rpartition(".")[2][:1].isupper()
    return not (isinstance(given[0], ast.Constant) and given[0].value in {None, False})


def _switched_off(call: ast.Call) -> bool:
    off = {"enable_checkpointing", "checkpoint_callback"}
    return any(k.arg in off and isinstance(k.value, ast.Constant) and k.value.value is False for k in call.keywords)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
