"""What experiments left in the repository: trained models, logs, tables of results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.data.facts import Pointer, Storage
from assay.repository.models.facts import Artefact, Record
from assay.tree import File, Tree

_SURE = frozenset(
    {
        "pt", "pth", "ckpt", "safetensors", "onnx", "keras", "caffemodel", "tflite", "mlmodel", "joblib", "cbm",
        "pdparams", "pdmodel", "gguf", "ggml", "mar", "engine", "ptl", "t7", "params", "weights", "msgpack",
        "torchscript", "mdl", "ubj",
    }
)  # fmt: skip
_LOOSE = frozenset(
    {
        "h5",
        "hdf5",
        "pkl",
        "pickle",
        "model",
        "bin",
        "pb",
        "npz",
        "sav",
        "rds",
        "bson",
        "jld2",
        "zip",
        "tar",
        "gz",
        "json",
        "bst",
        "index",
        "meta",
        "p",
    }
)
"""Kinds that hold other things too: their names or folders must suggest models."""
_MODEL_NAME = regex(
    r"model|weight|checkpoint|ckpt|pretrain|trained|snapshot|\bnet\b|_net|classifier|estimator|finetun|best|saved|"
    r"epoch|resnet|"
    r"bert|vgg|unet|generator|discriminator|\bclf|\brf\b|svm|forest|xgb|lgb|actor|critic|policy|variables\.data|agent",
    re.IGNORECASE,
)
_NO_MODEL = regex(
    r"data|feature|embedding|vocab|tokenizer|config|result|metric|split|label|index\.json|package|label|meta\.json|"
    r"history",
    re.IGNORECASE,
)
_MODEL_FOLDER = regex(
    r"^(?:saved_?)?(?:models?|weights?|checkpoints?|ckpts?|pretrained(?:_models?)?|trained(?:_models?)?|snapshots?|"
    r"saved_models?|"
    r"model_zoo|savedmodel|exported?)$",
    re.IGNORECASE,
)
_TF_DATA = regex(
    r".*\.data-\d{5}-of-\d{5}$|saved_model\.pb$|.*\.ckpt(?:-\d+)?(?:\.\w+)?$|pytorch_model.*\.bin$|adapter_model\.\w+$"
)
_RECORD = regex(
    r"events\.out\.tfevents\..*|.*\.log|(?:train|training|test|eval|valid|val)[-_]?(?:ing)?_?(?:log|logs|history|"
    r"results?)\.(?:txt|csv|json|tsv)|"
    r"(?:results?|metrics|scores|history|leaderboard|summary|predictions|submission)[\w.-]{0,40}\.(?:csv|json|tsv|txt|"
    r"xlsx|pkl|npy|md)|"
    r"[\w.-]{0,60}(?:_results?|_metrics|_scores|_log|_history|_predictions)\.(?:csv|json|tsv|txt|xlsx|pkl|npy)|"
    r"wandb-summary\.json|trainer_state\.json",
    re.IGNORECASE,
)
_RECORD_FOLDERS = frozenset(
    {
        "results",
        "result",
        "logs",
        "log",
        "runs",
        "wandb",
        "mlruns",
        "lightning_logs",
        "metrics",
        "tb_logs",
        "outputs",
        "tensorboard",
    }
)
_NO_RECORD = (".py", ".ipynb", ".md", ".sh", ".gitkeep", ".r", ".jl", ".gitignore", ".yml", ".yaml")
_MOST = 1000


def read_artefacts(tree: Tree, pointers: Iterable[Pointer]) -> Iterator[Artefact]:
    """Files that hold a trained model, by their endings and names."""
    pointed = {p.path: p for p in pointers}
    count = 0
    for file in tree.own:
        if count < _MOST and _is_model(file):
            count += 1
            pointer = pointed.pop(file.path, None)
            size = pointer.size if pointer is not None and pointer.size else file.size
            stored = pointer.storage if pointer is not None else Storage.PLAIN
            yield Artefact(file.path, file.suffix.lstrip("."), size, stored, Location(file.path))
    for pointer in pointed.values():
        name = pointer.path.rpartition("/")[2]
        if pointer.storage is Storage.DVC and _MODEL_NAME.search(name) and not _NO_MODEL.search(name):
            yield Artefact(pointer.path, "dvc", pointer.size or 0, Storage.DVC, pointer.location)


def read_records(tree: Tree) -> Iterator[Record]:
    """Logs and tables of results."""
    count = 0
    for file in tree.own:
        if file.suffix in _NO_RECORD or count >= _MOST:
            continue
        folders = {part.lower() for part in file.folder.split("/")}
        if _RECORD.fullmatch(file.name) or not _RECORD_FOLDERS.isdisjoint(folders):
            count += 1
            kind = "tensorboard" if ".tfevents." in file.name else file.suffix.lstrip(".") or "file"
            yield Record(file.path, kind, Location(file.path))


def _is_model(file: File) -> bool:
    ending = file.suffix.lstrip(".")
    if file.size == 0 or re.search(r"(?:^|/)(?:tests?|docs?)/", file.path):
        return False
    if _TF_DATA.fullmatch(file.name):
        return True
    named = bool(_MODEL_NAME.search(file.name)) and not _NO_MODEL.search(file.name)
    kept = any(_MODEL_FOLDER.fullmatch(part) for part in file.folder.split("/"))
    if ending in _SURE:
        return named or kept or not re.search(r"data|processed|raw|embedding|feature", file.path, re.IGNORECASE)
    if ending in {"json", "index", "meta", "zip", "tar", "gz", "npz", "p"}:
        return ending in {"zip", "tar", "gz"} and named and kept
    return ending in _LOOSE and (named or (kept and not _NO_MODEL.search(file.name)))
