"""Models that R and Julia, and configuration files that name classes, save and load: read as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Language, Source
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.repository.data.collection import is_test_file
from assay.repository.models.checkpoints import MODEL_NAME
from assay.repository.models.facts import Checkpoint
from assay.tree import Tree

_TEXT = regex(r"[\"']([^\"'\n]{1,300})[\"']")
_SAVES = {
    Language.R: regex(
        r"(?<![\w.])(saveRDS|save|save_model_hdf5|save_model_weights_hdf5|save_model_tf|xgb\.save|lgb\.save|"
        r"torch_save|luz_save|write_rds|"
        r"h2o\.saveModel|butcher|bundle|callback_model_checkpoint)\("
    ),
    Language.JULIA: regex(
        r"(?<!\w)(BSON\.@save|JLD2?\.@save|@save|jldsave|BSON\.bson|bson|MLJ\.save|FileIO\.save|JLD2\.save_object|"
        r"Flux\.state|serialize)\b"
    ),
}  # fmt: skip
_LOADS = {
    Language.R: regex(
        r"(?<![\w.])(readRDS|load_model_hdf5|load_model_tf|xgb\.load|torch_load|luz_load|read_rds|h2o\.loadModel)\("
    ),
    Language.JULIA: regex(
        r"(?<!\w)(BSON\.@load|JLD2?\.@load|@load|BSON\.load|Flux\.loadmodel!|loadmodel!|deserialize)\b"
    ),
}  # fmt: skip
_TARGET = regex(r"^[ \t-]*_target_:[ \t]*[\"']?([\w.]{1,200}\.(?:ModelCheckpoint|CheckpointSaver))\b", re.MULTILINE)
_FITTED = regex(r"(?<![a-z])fit(?:ted)?(?![a-z])")
_RESULTS = regex(r"results?|metrics?|preds?\b|predictions?|scores?|table|perf|summary|importance", re.IGNORECASE)
_MOST_FILES = 300
_MAX_BYTES = 64 * 1024
_ALWAYS = regex(r"model|checkpoint|torch_|luz_|xgb|lgb|Flux|MLJ|bundle|butcher", re.IGNORECASE)


def saving_targets(tree: Tree) -> Iterator[Checkpoint]:
    """Callbacks that save models, chosen by a configuration file."""
    files = [f for f in tree.by_suffix(".yaml", ".yml") if not f.vendored and f.size <= _MAX_BYTES]
    for file in files[:_MOST_FILES]:
        text = file.text()
        for match in _TARGET.finditer(text):
            place = Location(file.path, text.count("\n", 0, match.start()) + 1)
            yield Checkpoint(match[1], place, confidence=Confidence.MEDIUM)


def _is_model(arguments: str) -> bool:
    """By the name of what is saved, else by that of the file; what a model gave is not one."""
    thing, _, rest = arguments.partition(",")
    said = thing if MODEL_NAME.search(thing) else rest
    return bool(MODEL_NAME.search(said)) and not _RESULTS.search(said)


def script_checkpoints(source: Source) -> Iterator[tuple[bool, Checkpoint]]:
    """Each save (True) or load (False) of something that is called like a model."""
    if is_test_file(source):
        return
    for number, line in enumerate(source.lines, 1):
        bare = line[:2000].partition("#")[0]
        for saved, patterns in ((True, _SAVES), (False, _LOADS)):
            match = patterns[source.language].search(bare)
            if match and (_ALWAYS.search(match[1]) or _is_model(bare[match.end() :]) or _FITTED.search(bare)):
                texts = _TEXT.findall(bare[match.end() :])
                path = texts[0] if texts else ""
                yield saved, Checkpoint(match[1], source.location(number), path, confidence=Confidence.MEDIUM)
