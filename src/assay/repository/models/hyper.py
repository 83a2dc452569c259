"""Where the values that are chosen and not learnt are stated: files, options, constants, prose, or mere literals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from assay.code import Source
from assay.code.names import last_name, spelt
from assay.findings import Location
from assay.patterns import regex
from assay.program.settings import Settings
from assay.repository.data.documents import Page
from assay.repository.models.facts import HyperParameter, Stated
from assay.tree import Tree

_ALIASES = {
    "learning rate": (
        "lr", "learning_rate", "base_lr", "init_lr", "initial_lr", "lr_init", "learningrate", "max_lr", "lr0",
        "initial_learning_rate", "step_size", "eta", "g_lr", "d_lr", "lr_g", "lr_d",
    ),
    "batch size": (
        "batch_size", "batchsize", "bs", "train_batch_size", "per_device_train_batch_size", "mini_batch_size",
        "samples_per_gpu", "bsz", "batch",
    ),
    "epochs": (
        "epochs", "num_epochs", "n_epochs", "max_epochs", "epoch", "num_train_epochs", "nb_epoch", "nepochs",
        "max_steps", "num_steps", "train_steps", "max_epoch", "total_steps", "num_iterations", "n_iter", "max_iter",
        "iterations", "total_timesteps", "training_steps", "niter", "total_epochs", "num_train_steps", "max_iters",
    ),
    "weight decay": (
        "weight_decay", "wd", "l2", "l2_reg", "weightdecay",
    ),
    "momentum": (
        "momentum",
    ),
    "dropout": (
        "dropout", "dropout_rate", "drop_rate", "p_dropout", "keep_prob", "dropout_p",
    ),
    "hidden size": (
        "hidden_size", "hidden_dim", "hidden", "n_hidden", "num_hidden", "hidden_units", "d_model", "embed_dim",
        "embedding_dim", "hidden_channels", "latent_dim", "nhid", "dim", "n_embd", "emb_dim",
    ),
    "layers": (
        "num_layers", "n_layers", "layers", "depth", "nlayers", "n_layer", "num_blocks",
    ),
    "optimiser": (
        "optimizer", "optim", "optimizer_name",
    ),
    "trees": (
        "n_estimators", "num_trees", "num_boost_round", "max_depth", "n_trees", "num_leaves",
    ),
    "discount": (
        "gamma", "discount", "discount_factor",
    ),
    "warm-up": (
        "warmup", "warmup_steps", "warmup_epochs", "warmup_ratio",
    ),
}  # fmt: skip
NAMES = {name: canonical for canonical, names in _ALIASES.items() for name in names}
_OPTIMISERS = regex(r"(?:^|\.)(?:Adam\w*|SGD|RMSprop|Adagrad|Adadelta|Adamax|LBFGS|Nadam|Lion|\w+Optimizer)$")
_LINE = regex(
    r"""^[ \t]*(?:-[ \t]+)?["']?([\w.]{1,60})["']?[ \t]*[:=][ \t]*["']?([-+]?[\d.][\w.+-]{0,30}|adam\w{0,10}|sgd)\b""",
    re.MULTILINE | re.IGNORECASE,
)
_FLAG = regex(r"--?([A-Za-z][\w-]{0,40})[ =]([-+]?[\d.][\w.+-]{0,30})")
_SAID = regex(
    r"\b(learning rate|batch size|epochs|weight decay|momentum|dropout)\b[^.\n|]{0,30}?(\d[\d.]{0,10}(?:e-?\d{1,3})?)",
    re.IGNORECASE,
)
_HOLDERS = regex(r"^dict$|hparams|config|namespace|edict|easydict|settings|params$|args$|arguments$", re.IGNORECASE)
_SUFFIXES = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".gin", ".conf", ".jsonnet", ".libsonnet")
_LITERAL = frozenset({ast.Constant, ast.UnaryOp})
_MOST_FILES = 300
_MAX_BYTES = 64 * 1024


def in_files(tree: Tree) -> Iterator[HyperParameter]:
    """What configuration files set."""
    files = [f for f in tree.by_suffix(*_SUFFIXES) if not f.vendored and f.size <= _MAX_BYTES]
    for file in sorted(files, key=lambda f: (f.path.count("/"), f.path))[:_MOST_FILES]:
        text = file.text()
        for match in _LINE.finditer(text):
            name = _canonical(match[1].rpartition(".")[2])
            if name is not None:
                place = Location(file.path, text.count("\n", 0, match.start(1)) + 1)
                yield HyperParameter(name, match[2], Stated.FILE, place)


def in_options(settings: Settings) -> Iterator[HyperParameter]:
    """What options and fields have as their defaults."""
    for key, declared in settings.by_key.items():
        name = NAMES.get(key)
        if name is not None:
            for one in declared:
                stated = Stated.OPTION if one.replaceable else Stated.FIELD
                yield HyperParameter(name, _value(one.value), stated, one.location)


def in_source(source: Source) -> Iterator[HyperParameter]:
    """Constants, entries of dictionaries, and literals in calls."""
    for node in source.nodes(ast.Assign):
        name = _canonical(last_name(node.targets[0])) if type(node.value) in _LITERAL else None
        if name is not None and _is_literal(node.value):
            yield HyperParameter(name, _value(node.value), Stated.CONSTANT, source.location(node))
    for table in source.nodes(ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and type(value) in _LITERAL:
                name = _canonical(key.value)
                if name is not None and _is_literal(value):
                    yield HyperParameter(name, _value(value), Stated.FIELD, source.location(key))
    keywords = [keyword for keyword in source.calls.keywords if _canonical(keyword)]
    optimisers = [name for name in source.calls.lasts if _OPTIMISERS.search(name)]
    for call in source.calls.of(optimisers, keywords=keywords):
        for keyword in call.keywords:
            name = _canonical(keyword.arg or "")
            if name is not None and _is_literal(keyword.value):
                kind = Stated.FIELD if _HOLDERS.search(last_name(call.func)) else Stated.LITERAL
                yield HyperParameter(name, _value(keyword.value), kind, source.location(call))
        if len(call.args) > 1 and _is_literal(call.args[1]) and _OPTIMISERS.search(last_name(call.func)):
            yield HyperParameter("learning rate", _value(call.args[1]), Stated.LITERAL, source.location(call))


def in_pages(pages: Iterable[Page]) -> Iterator[HyperParameter]:
    """Flags in commands, and values said in words."""
    for page in pages:
        for line in page.lines if page.readme else ():
            for flag, value in _FLAG.findall(line.text):
                name = _canonical(flag)
                if name is not None:
                    yield HyperParameter(name, value, Stated.README, line.location)
            for said, value in _SAID.findall(line.text):
                yield HyperParameter(said.lower(), value.rstrip("."), Stated.README, line.location)


@lru_cache(maxsize=4096)
def _canonical(name: str) -> str | None:
    """What a hyper-parameter is called here, however it is written."""
    return NAMES.get(name.replace("-", "_").lower())


def _is_literal(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return (
        isinstance(inner, ast.Constant)
        and isinstance(inner.value, int | float | str)
        and not isinstance(inner.value, bool)
    )


def _value(node: ast.expr) -> str:
    return spelt(node)[:60]
