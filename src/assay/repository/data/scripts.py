"""R and Julia, read as text: what they read, write, fetch and split, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from assay.code import Language, Source
from assay.findings import Confidence
from assay.patterns import regex
from assay.repository.data.facts import Download, Preparation, PreparationKind, Route, Split, SplitKind
from assay.repository.data.gathering import Gathered, Use, is_test_file
from assay.repository.data.links import Topic, topic_of

_LONGEST = 2000
_TEXT = regex(r"[\"']([^\"'\n]{1,300})[\"']")
_URL = regex(r"(?:https?|ftp)://[^\s\"'<>]{4,500}")
_READS = {
    Language.R: regex(
        r"(?<![\w.])(read[._](?:csv2?|table|delim|tsv|xlsx?|excel|rds|dta|sav|spss|sas|feather|parquet|fwf|arff|lines|"
        r"json|fst)|"
        r"fread|readRDS|load|read\.xls|readLines|readMat|h5read|fromJSON|st_read|raster|readOGR|read_h5ad|Read10X|"
        r"qread|scan|vroom|"
        r"image_load|readJPEG|readPNG|flow_images_from_directory)\("
    ),
    Language.JULIA: regex(
        r"(?<!\w)((?:CSV|Arrow|JLD2?|BSON|NPZ|HDF5|MAT|JSON3?|TOML|FileIO|Images|DelimitedFiles)\.(?:read|File|load|"
        r"open|Table|"
        r"parsefile|npzread|matread|h5open|jldopen)|npzread|matread|readdlm|h5open|jldopen|load|readlines|eachline|"
        r"open|readtable|(?:BSON\.|JLD2\.)?@load)(?:\(|(?<=@load)[ \t])"
    ),
}  # fmt: skip
_WRITES = {
    Language.R: regex(
        r"(?<![\w.])(write[._]\w{2,10}|saveRDS|save|fwrite|ggsave|sink|download\.file|dir\.create)\("
    ),
    Language.JULIA: regex(
        r"(?<!\w)(CSV\.write|Arrow\.write|writedlm|npzwrite|matwrite|save|@save|savefig|mkpath|mkdir)\b"
    ),
}  # fmt: skip
_FETCHES = {
    Language.R: regex(
        r"(?<![\w.])(dataset_(?:mnist|cifar100?|cifar10|imdb|fashion_mnist|boston_housing|reuters)|getOMLDataSet|"
        r"get_oml_data|"
        r"getGEO|GDCdownload|TCGAbiolinks|ucimlr|Quandl|getSymbols|tidytuesday|tt_load|read_ucimlr|load_dataset|"
        r"mnist_dataset|gutenberg_download|tq_get|get_eurostat|curatedTCGAData)\b"
    ),
    Language.JULIA: regex(
        r"(?<!\w)(MLDatasets\.\w+|MNIST(?:\.\w+)?|FashionMNIST(?:\.\w+)?|CIFAR10(?:\.\w+)?|RDatasets\.dataset|"
        r"dataset(?=\([ ]*[\"'])|OpenML\.load|"
        r"@datadep_str|datadep\"\w+|DataDep|Metalhead\.trainimgs|Cora)\b"
    ),
}  # fmt: skip
_BUNDLED = regex(r"(?<![\w.])data\((?:list *= *)?[\"']?([A-Za-z]\w{1,40})[\"']?")
_SPLITS = regex(
    r"(?<![\w.])(createDataPartition|initial_split|sample\.split|createFolds|vfold_cv|trainControl|cv\.glmnet|"
    r"splitobs|partition|"
    r"train_test_split|validation_split|kfolds|group_vfold_cv|initial_validation_split|createMultiFolds|xgb\.cv|"
    r"evaluate!)\b"
)
_PREPARES = regex(
    r"(?<![\w.])(preProcess|recipe|step_\w+|scale|normalize\w*|standardize\w*|model\.matrix|dummyVars|mice)\("
)
_TRAINS = regex(
    r"(?<![\w.])(train|fit|randomForest|ranger|glm|lm|xgboost|xgb\.train|gbm|nnet|cv\.glmnet|glmnet|svm|rpart|train!|"
    r"fit!|"
    r"Optimisers\.update!?|lmer|neuralnet|keras_model_sequential)\("
)
_RESAMPLES = frozenset(
    {
        "createFolds", "vfold_cv", "trainControl", "cv.glmnet", "kfolds", "group_vfold_cv", "createMultiFolds",
        "xgb.cv", "evaluate!",
    }
)  # fmt: skip


def gather_script(source: Source, into: Gathered) -> None:
    """Go through one file of R or Julia."""
    if is_test_file(source):
        return
    for number, line in enumerate(source.lines, 1):
        bare = line[:_LONGEST].partition("#")[0] if "#" in line and "://" not in line else line[:_LONGEST]
        if bare.strip():
            _line(bare, number, source, into)


def _line(line: str, number: int, source: Source, into: Gathered) -> None:
    place = source.location(number)
    for match in _READS[source.language].finditer(line):
        texts = tuple(t for t in _TEXT.findall(line[match.end() :]) if t.strip() and "://" not in t)
        path = (
            "/".join(texts) if "file.path(" in line or "here(" in line or "joinpath(" in line else next(iter(texts), "")
        )
        into.reads.append(Use(match[1], (path,) if path else (), place, source.path))
    for match in _WRITES[source.language].finditer(line):
        into.writes.append(Use(match[1], tuple(_TEXT.findall(line[match.end() :])[:2]), place, source.path))
    into.downloads += _downloads(line, source, place_number=number)
    if split := _SPLITS.search(line):
        kind = SplitKind.CROSS_VALIDATION if split[1] in _RESAMPLES else SplitKind.HOLD_OUT
        into.splits.append(Split(kind, split[1], place))
    if prepared := _PREPARES.search(line):
        into.preparations.append(Preparation(PreparationKind.CODE, prepared[1], place))
    if _TRAINS.search(line):
        into.trains.append(place)


def _downloads(line: str, source: Source, place_number: int) -> Iterator[Download]:
    place = source.location(place_number)
    if match := _FETCHES[source.language].search(line):
        yield Download(match[1], Route.LIBRARY, match[1], place, Confidence.MEDIUM)
    elif source.language is Language.R and (match := _BUNDLED.search(line)):
        yield Download("data", Route.BUNDLED, match[1], place)
    elif "download" in line or _READS[source.language].search(line):
        for match in _URL.finditer(line):
            if topic_of(match[0], "", line.replace(match[0], " "), "") is Topic.DATA:
                yield Download("download", Route.URL, match[0], place)
