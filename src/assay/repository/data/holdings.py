"""Data that lie in the repository: files by their kinds and places, folders of many alike as one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.data.facts import DataFile, Pointer, Storage
from assay.tree import File, Tree
from assay.tree.text import decode

TABLES = frozenset(
    {
        "csv", "tsv", "npy", "npz", "h5", "hdf5", "mat", "parquet", "feather", "arff", "jsonl", "ndjson", "xls",
        "xlsx", "sqlite", "sqlite3", "db", "rds", "rda", "rdata", "jld", "jld2", "arrow", "tfrecord", "tfrecords",
        "mdb", "lmdb", "data", "libsvm", "svm", "svmlight", "nii", "dcm", "edf", "bdf", "gdf", "fif", "fasta", "fastq",
        "pdb", "sdf", "smi", "graphml", "gml", "gexf", "edges", "edgelist", "cites", "content", "geojson", "shp", "nc",
        "h5ad", "loom", "ply", "pcd", "obj", "off", "conll", "conllu", "bib_", "sav", "dta", "fa", "vcf", "bed", "mtx",
        "graph", "allx", "tx", "ty", "ally", "x", "y", "rating", "inter", "dat", "zip", "gz", "tgz", "tar", "bz2",
        "7z", "rar", "xz", "hdf",
    }
)  # fmt: skip
_LOOSE = frozenset({"txt", "json", "pkl", "pickle", "xml", "p", "pk", "joblib", "", "bin", "pt"})
"""Kinds that are data only in a folder of data, or when they are called like a part of a data set."""
_ANYTHING = frozenset({"npy", "npz", "pkl", "pickle", "h5", "hdf5", "joblib", "bin", "json", "db", "p", "dat", "gz"})
_PICTURES = frozenset({"png", "jpg", "jpeg", "bmp", "tif", "tiff", "ppm", "pgm", "webp", "gif"})
_SOUNDS = frozenset({"wav", "flac", "mp3", "ogg", "mid", "midi", "mp4", "avi"})
_SPLITS = regex(r"(?:^|_)splits?$")
"""Folders of lists that say which sample is for what."""
_DATA_FOLDER = regex(
    r"(?:^|[_-])(?:data|datasets?|corpus|corpora|raw|inputs?|processed|annotations?|splits?)(?:$|[_-]|\d)|^data|"
    r"dataset$|^ml-|^train$|^test$|^val$",
    re.IGNORECASE,
)
_DATA_NAME = regex(
    r"(?:^|[._-])(?:train|test|val|valid|validation|dev|dataset|data|corpus|reviews|ratings)(?:$|[._-]|\d)",
    re.IGNORECASE,
)
_ELSEWHERE = frozenset(
    {
        "docs", "doc", "figures", "figure", "figs", "fig", "tests", "test_data_", "results", "result", "output",
        "outputs", "logs", "log", "runs", "checkpoints", "checkpoint", "weights", "static", "screenshots", "configs",
        "config", "conf", "plots", "plot", "wandb", "mlruns", "saved_models", "pretrained", "node_modules",
        "templates", "experiments", "predictions", "preds", "samples", "generated", "teaser", "github", "cfg", "cfgs",
        "evaluation", "eval", "third_party", "fid", "tensorboard", "saved", "trained_models", "ckpt", "ckpts",
        "misc_results", "test", "pretrained_models", "presets",
    }
)  # fmt: skip
"""Folders that hold something else than data to learn from."""
_TESTS = frozenset({"tests", "test"})
_STUDY = regex(r"examples?_|paper")
"""Folders of an experiment, which may lie among tests."""
_KEPT_MODELS = frozenset({"checkpoints", "checkpoint", "weights", "ckpt", "ckpts", "saved_models", "trained_models"})
_DATA_HOMES = frozenset({"data", "dataset", "datasets"})
_NO_DATA = frozenset(
    {
        "py", "ipynb", "md", "rst", "sh", "yml", "yaml", "c", "cc", "cpp", "h", "hpp", "cu", "r", "rmd", "jl", "m",
        "java", "js", "ts", "html", "css", "tex", "pdf", "svg", "toml", "cfg", "ini", "lock", "png", "jpg", "jpeg",
        "gif", "gin", "lua", "ttf", "pb", "pt", "pth", "ckpt", "onnx", "keras", "safetensors", "whl", "so", "dll",
        "exe", "jar", "bib", "rb", "go", "ico", "map", "scss", "vue", "jsx", "tsx", "php", "pyc", "log", "diff",
        "patch", "doc", "docx", "ppt", "pptx", "eps", "params", "weights", "caffemodel", "prototxt", "conf", "bat",
        "ps1", "cmake", "sql", "scala", "swift", "rs", "model", "pbtxt", "meta", "index",
    }
)  # fmt: skip
_CODE = frozenset({"py", "ipynb", "md", "rst", "sh", "yml", "yaml", "c", "cpp", "h", "cu"})
_WORTH = 10 * 1024
_SUBSTANTIAL = 4 * 1024 * 1024
_LEARNT = regex(
    r"vgg|resnet|weight|model|param|pretrain|inception|bert|embed|glove|vectors?|net\b|vae|gan", re.IGNORECASE
)
"""Names of what was learnt, and of what was learnt from words."""
_SHOW = frozenset(
    {"assets", "images", "imgs", "img", "media", "pics", "demo", "demos", "examples", "example", "resources", "icons"}
)
_METADATA = regex(
    r"filelist|submission|bench|samples?\.|prompt|blacklist|style|permut|dummy|toy|preset|process_list|demo|label|class(?:es|name)|vocab|mapping|"
    r"\bmap\b|synset|\bmeta|index|requirements|config|package|"
    r"result|metric|score|leaderboard|history|stats?\b|statistics|mean_?std|pretrain|log(?:s)?\b|hyper|param|manifest|"
    r"tokenizer|special_tokens|words?list|stopword|colou?rs?|palette|anchor|schema|template|bpe|merges|fid|inception|"
    r"license|cmake|learning_?rate|schedule|explainer|(?:^|[_.-])(?:logs?(?:[_.-]|\d|$)|(?:idx|indices)(?:[_.]|$))",
    re.IGNORECASE,
)
_LIST, _LISTS = "list of files", frozenset({"txt", "csv", "tsv", "lst", "list"})
_HEAD = 4096
_NAMES_A_FILE = regex(r"[\w/-]\.(?:png|jpe?g|tiff?|bmp|wav|flac|mp3|mp4|avi|npy|nii|dcm|svs|h5)\b", re.IGNORECASE)
_TRANSCRIPT = regex(r"[^|\s]{3,}\|[^|]*[^|\s] [^|]*")
"""`LJ001-0001|Printing, in the only sense …`: what is said in a recording."""
_MANY = 8
_MANY_PICTURES = 20
_MOST = 3000


def read_holdings(tree: Tree, pointers: Iterable[Pointer]) -> list[DataFile]:
    """Files that may be data, by path."""
    pointed = {p.path: p for p in pointers}
    groups: dict[tuple[str, str], list[File]] = defaultdict(list)
    for file in tree.own:
        kind = _kind(file)
        if kind is not None and file.size > 0:
            groups[file.folder, kind].append(file)
    found = [made for (folder, kind), files in groups.items() for made in _grouped(folder, kind, files, pointed)]
    return sorted(found, key=lambda f: f.path)[:_MOST]


def other_holdings(tree: Tree, named: Iterable[str]) -> Iterator[DataFile]:
    """Files of kinds that nobody knows, if the code names them in full: `rt-polarity.neg`."""
    wanted = frozenset(named)
    for file in tree.own:
        ending = file.suffix.lstrip(".")
        if file.name not in wanted or not ending or ending in _NO_DATA or file.size < _WORTH:
            continue
        if _kind(file) is None and not _is_elsewhere(file.folder.lower().split("/")):
            yield DataFile(file.path, ending, file.size, Storage.PLAIN, Location(file.path))


def is_metadata(file: DataFile) -> bool:
    """Whether it rather describes data (names of classes, vocabularies, statistics) than being them."""
    named = bool(_METADATA.search(file.path.rpartition("/")[2])) or file.kind == _LIST
    parts = file.path.lower().split("/")
    if any(_SPLITS.search(folder) for folder in (parts if file.kind.startswith("folder") else parts[:-1])):
        return True
    return named or ("split" in file.path.lower() and file.size < 1_000_000)


def is_auxiliary(file: DataFile) -> bool:
    """Whether it is of a kind that programs keep anything in, and nothing in its path speaks of data."""
    name = file.path.rpartition("/")[2]
    if name.lower().endswith((".csv.gz", ".tsv.gz")) or (file.size >= _SUBSTANTIAL and not _LEARNT.search(name)):
        return False
    return file.kind in _ANYTHING and not in_data_folder(file.path) and not _DATA_NAME.search(name)


def in_data_folder(path: str) -> bool:
    """Whether one of the folders above is called like a place for data."""
    return any(_DATA_FOLDER.search(part) for part in path.split("/")[:-1])


def _kind(file: File) -> str | None:
    ending = file.suffix.lstrip(".")
    if ending in _CODE or file.name.startswith("."):
        return None
    folders = [part.lower() for part in file.folder.split("/")]
    if _is_elsewhere(folders):
        return None
    if ending in _PICTURES or ending in _SOUNDS:
        return ending if _SHOW.isdisjoint(folders) or in_data_folder(file.path) else None
    stem = file.name.rpartition(".")[0] or file.name
    if ending in TABLES:
        return ending
    if ending in _LOOSE and (in_data_folder(file.path) or (_DATA_NAME.search(stem) and ending)):
        named = re.match(
            r"requirements|license|readme|cmakelists|setup|environment|makefile|dockerfile|copying|citation",
            stem,
            re.IGNORECASE,
        )
        return None if named else ending or "file"
    return None


def _is_elsewhere(folders: list[str]) -> bool:
    if not _KEPT_MODELS.isdisjoint(folders) or any(f.startswith("result") for f in folders):
        return True
    others = _ELSEWHERE.intersection(folders)
    if any(_STUDY.match(folder) for folder in folders):
        others -= _TESTS
    return bool(others) and _DATA_HOMES.isdisjoint(folders)


def _grouped(folder: str, kind: str, files: list[File], pointed: dict[str, Pointer]) -> Iterator[DataFile]:
    few = kind in _PICTURES or kind in _SOUNDS
    if few and len(files) < _MANY_PICTURES:
        return
    if len(files) > _MANY:
        size = sum(_size(f, pointed) for f in files)
        stored = pointed[files[0].path].storage if files[0].path in pointed else Storage.PLAIN
        yield DataFile(folder or ".", f"folder of {kind}", size, stored, Location(files[0].path))
        return
    for file in files:
        stored = pointed[file.path].storage if file.path in pointed else Storage.PLAIN
        told = _LIST if kind in _LISTS and _is_list(file) else kind
        yield DataFile(file.path, told, _size(file, pointed), stored, Location(file.path))


def _is_list(file: File) -> bool:
    """Whether its lines name pictures or tell of recordings: it says which data, and is not the data."""
    lines = decode(file.head(_HEAD)).split("\n")[1:-1] or [""]
    return 5 * sum(bool(_NAMES_A_FILE.search(line) or _TRANSCRIPT.match(line)) for line in lines) >= 4 * len(lines)


def _size(file: File, pointed: dict[str, Pointer]) -> int:
    pointer = pointed.get(file.path)
    return pointer.size if pointer is not None and pointer.size else file.size
