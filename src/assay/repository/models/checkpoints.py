"""Functions that save and load models: which argument is the path, and what must hold for the call to count."""

from __future__ import annotations

import ast
import re

from assay.patterns import regex
from assay.records import dataclass

_MODEL_WORD = (
    r"model|snapshot|net(?:work)?|clf|classifier|regress|estimator|learner|agent|policy|actor|critic|generator|"
    r"discriminator|encoder|"
    r"decoder|booster|bst|forest|svm|svc|knn|mlp|cnn|rnn|lstm|pipeline|pipe|weights|checkpoint|ckpt|state_dict|params|"
    r"saver|grid|"
    r"search|xgb|lgb|gbm|tree|vae|gan|bert|gpt|trainer|best|automl|cluster(?!s\b)|kmeans|gmm|hmm|lda|w2v|word2vec|doc2vec|"
    r"\brf\b|\blr\b"
)
MODEL_NAME = regex(_MODEL_WORD, re.IGNORECASE)
NOT_A_MODEL = regex(
    r"^(?:im|img|image|fig|figure|plt|canvas|df|writer|wb|workbook|doc|document|form|user|video|anim\w*|dataset|ds|"
    r"plot|"
    r"buffer|config|cfg|tokenizer|vocab|gif|pic|picture|frame|np|numpy|chart|output_image|self\.image|grid_?img)$",
    re.IGNORECASE,
)
MODEL_FILE = regex(
    r"\.(?:h5|hdf5|keras|pt|pth|ckpt|tar|bin|safetensors|onnx|pb|tflite|model|mdl|joblib|cbm|ubj|bst|params|pdparams|"
    r"weights|"
    r"msgpack|pkl|pickle|sav|zip)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """Functions of one library. A beginning that ends with a dot stands for all that follows."""

    names: tuple[str, ...]
    position: int = 0
    needs: str = ""
    """"": always; "model": the receiver or the object is called like a model; "file": so is the file."""


_SAVE_METHODS = (
    "save_pretrained", "save_weights", "save_model", "save_checkpoint", "save_state_dict", "save_parameters",
    "save_params", "save_lora_weights", "save_adapter", "save_state", "push_to_hub", "log_model", "save_model_hdf5",
    "export_saved_model", "save_network", "save_networks", "save_models", "save_base_model", "save_word2vec_format",
    "export_savedmodel", "save_safetensors",
)  # fmt: skip
_SAVE_FUNCTIONS = (
    "torch.save", "torch.jit.save", "joblib.dump", "sklearn.externals.joblib.dump", "dill.dump", "paddle.save",
    "cloudpickle.dump", "safetensors.torch.save_file", "safetensors.torch.save_model", "jittor.save",
    "safetensors.numpy.save_file", "safetensors.flax.save_file", "tensorflow.saved_model.save",
    "mindspore.save_checkpoint", "tensorflow.keras.models.save_model", "keras.models.save_model",
    "torch.distributed.checkpoint.save", "megengine.save", "accelerator.save", "xm.save",
    "torch_xla.core.xla_model.save", "oneflow.save", "mx.nd.save", "mxnet.nd.save",
)  # fmt: skip
_SAVERS = (
    "chainer.serializers.save_hdf5",
    "tensorflow.train.Saver", "tensorflow.compat.v1.train.Saver", "tensorflow.train.CheckpointManager",
    "tensorflow.train.Checkpoint", "tensorflow.saved_model.builder.SavedModelBuilder", "orbax.", "ModelCheckpoint",
    "tensorflow.train.MonitoredTrainingSession", "tensorflow.train.Supervisor", "tensorflow.estimator.Estimator",
    "CheckpointSaver", "VariableSaver", "tensorflow.contrib.tpu.TPUEstimator",
    "tensorflow.compat.v1.estimator.tpu.TPUEstimator",
    "flax.training.checkpoints.save_checkpoint", "flax.training.checkpoints.save_checkpoint_multiprocess",
    "flax.serialization.to_bytes", "torch.onnx.export", "skl2onnx.convert_sklearn", "tf2onnx.",
    "detectron2.checkpoint.DetectionCheckpointer", "fvcore.common.checkpoint.", "ignite.handlers.Checkpoint",
    "ignite.handlers.ModelCheckpoint", "chainer.serializers.save_npz", "chainer.training.extensions.snapshot",
    "chainer.training.extensions.snapshot_object", "CheckpointCallback", "tensorflow.train.CheckpointSaverHook",
    "SaveModelCallback", "mlflow.pytorch.log_model", "timm.utils.CheckpointSaver", "mmcv.runner.save_checkpoint",
    "mmengine.runner.save_checkpoint", "fairseq.checkpoint_utils.save_checkpoint",
    "stable_baselines3.common.callbacks.CheckpointCallback", "allennlp.training.checkpointer.Checkpointer",
)  # fmt: skip
_LOAD_METHODS = (
    "load_weights", "load_model", "load_from_checkpoint", "load_checkpoint", "load_parameters", "load_params",
    "load_adapter", "load_lora_weights", "load_networks", "load_network", "resume_from_checkpoint",
    "load_weights_from_file", "load_state_dict_from_path",
)  # fmt: skip
_LOAD_FUNCTIONS = (
    "torch.load", "joblib.load", "sklearn.externals.joblib.load", "torch.jit.load", "safetensors.torch.load_file",
    "tensorflow.saved_model.load", "tensorflow.train.load_checkpoint", "onnxruntime.InferenceSession", "onnx.load",
    "paddle.load", "tensorflow.train.latest_checkpoint", "flax.training.checkpoints.restore_checkpoint", "jittor.load",
    "mindspore.load_checkpoint", "dill.load", "gensim.models.KeyedVectors.load", "gensim.models.Word2Vec.load",
    "fasttext.load_model", "chainer.serializers.load_npz", "cv2.dnn.readNet", "cv2.dnn.readNetFromCaffe",
    "tensorflow.lite.Interpreter",
)  # fmt: skip
SAVES = (
    Row(_SAVE_METHODS),
    Row(_SAVE_FUNCTIONS, position=1),
    Row(_SAVERS),
    Row(
        ("pickle.dump", "cPickle.dump", "_pickle.dump", "six.moves.cPickle.dump", "pickle.dumps"),
        position=1,
        needs="model",
    ),
    Row((".save", ".save_to_file", ".export", ".dump", ".savez"), needs="file"),
)
LOADS = (
    Row(_LOAD_METHODS),
    Row(_LOAD_FUNCTIONS),
    Row(("pickle.load", "cPickle.load", "_pickle.load"), needs="file"),
    Row((".restore",), position=1, needs="model"),
    Row((".load",), needs="file"),
)
HUBS = (
    "from_pretrained", "torch.hub.load", "torch.hub.load_state_dict_from_url", "load_state_dict_from_url",
    "tensorflow_hub.load", "tensorflow_hub.KerasLayer", "hub.KerasLayer", "timm.create_model", "clip.load",
    "open_clip.create_model_and_transforms", "sentence_transformers.SentenceTransformer", "SentenceTransformer",
    "load_url", "torch.utils.model_zoo.load_url", "spacy.load", "whisper.load_model",
)  # fmt: skip
_PATHS = frozenset(
    {
        "path", "filepath", "filename", "file", "f", "fname", "output_dir", "save_directory", "save_path", "dirpath",
        "ckpt_path", "checkpoint_path", "model_path", "checkpoint_dir", "path_or_fileobj",
    }
)  # fmt: skip
PRETRAINED = frozenset({"pretrained", "weights", "encoder_weights", "backbone_weights", "pretrained_backbone"})


@dataclass(frozen=True, slots=True)
class Index:
    """Rows by the last part of the names."""

    by_last: dict[str, list[tuple[str, Row]]]
    beginnings: tuple[tuple[str, Row], ...]

    def row(self, name: str, last: str) -> Row | None:
        """The row that fits a full name."""
        for wanted, row in self.by_last.get(last, ()):
            if "." not in wanted or wanted.startswith(".") or name == wanted or name.endswith("." + wanted):
                return row
        return next((row for beginning, row in self.beginnings if name.startswith(beginning)), None)


def _indexed(rows: tuple[Row, ...]) -> Index:
    by_last: dict[str, list[tuple[str, Row]]] = {}
    beginnings = []
    for row in rows:
        for name in row.names:
            if name.endswith("."):
                beginnings.append((name, row))
            else:
                by_last.setdefault(name.rpartition(".")[2], []).append((name, row))
    return Index(by_last, tuple(beginnings))


SAVING, LOADING = _indexed(SAVES), _indexed(LOADS)
_HUBS_BY_LAST = {
    last: [n for n in HUBS if n.rpartition(".")[2] == last] for last in (n.rpartition(".")[2] for n in HUBS)
}
LASTS = frozenset(SAVING.by_last) | frozenset(LOADING.by_last) | frozenset(_HUBS_BY_LAST)
TOPS = frozenset(b.partition(".")[0] for index in (SAVING, LOADING) for b, _ in index.beginnings)


def is_hub(name: str, last: str) -> bool:
    """Whether a call brings a model from a hub by its name."""
    return any("." not in n or name.endswith(n) for n in _HUBS_BY_LAST.get(last, ()))


def path_given(call: ast.Call, row: Row) -> ast.expr | None:
    """The argument that is the file's path."""
    by_name = next((k.value for k in call.keywords if k.arg in _PATHS), None)
    return by_name or (call.args[row.position] if len(call.args) > row.position else None)
