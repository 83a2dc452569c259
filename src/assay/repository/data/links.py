"""Links that lead to data, or to weights: by their hosts, and by the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from urllib.parse import unquote

from assay.code import Code
from assay.findings import Confidence
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data.documents import Line, Page, read_pages
from assay.repository.data.facts import DataLink, LinkKind
from assay.repository.data.known import named_in
from assay.tree import Tree

_URL = regex(r"(?:https?|ftp|s3|gs)://[^\s<>\"'`\])}\\|]{4,500}")
_MARKDOWN = regex(r"\[((?:[^\[\]\n]|!\[[^\]\n]{0,200}\]){0,200})\]\([ ]*<?((?:https?|ftp)://[^\s)>]{4,500})")
_REFERENCE = regex(r"[ ]{0,3}\[([^\]\n]{1,100})\]:[ \t]*<?((?:https?|ftp)://[^\s>]{4,500})")
_RST = regex(r"`([^`<\n]{1,200})<((?:https?|ftp)://[^\s>]{4,500})>`_")
_HTML = regex(
    r"<a\s[^>]{0,200}?href=[\"']((?:https?|ftp)://[^\"'\s]{4,500})[\"'][^>]{0,200}>(.{0,200}?)</a>", re.IGNORECASE
)
_OWN = regex(
    r"https?://(?:(?:www\.)?(?:github|gitlab)\.com/[^/]+/[^/]+/(?:-/)?(?:tree|blob|raw)|"
    r"raw\.githubusercontent\.com/[^/]+/[^/]+)/[^/]+/([^?#]+)"
)
_DOCUMENT = regex(r"\.(?:pdf|pptx?|docx?)(?:$|[?#])", re.IGNORECASE)
_NAMES_OF_CLASSES = regex(
    r"(?:class(?:es|_?names?|_index)?|labels?|categories|synsets?|vocab\w{0,20})\.(?:txt|json|names|csv)(?:$|[?#])",
    re.IGNORECASE,
)
_MODELS = regex(r"(?:^|[_ -])models?(?:[_ .-]|$)", re.IGNORECASE)
_KAGGLE = regex(r"\bkaggle (datasets|competitions) download (?:-[dc] ?)?([\w./-]{3,120})")
"""A command that names no address, but where the data are."""
_TAG = regex(r"<[^>]{0,200}>")
_MOST_LINKS = 2000


class Topic(StrEnum):
    """What a link is about."""

    DATA = "data"
    WEIGHTS = "weights"
    OTHER = "other"


_DRIVES = regex(
    r"(?:drive|docs)\.google\.com|(?:www\.)?dropbox(?:usercontent)?\.com|dl\.dropbox|1drv\.ms|onedrive\.live|"
    r"sharepoint\.com|"
    r"pan\.baidu\.com|yun\.baidu\.com|mega\.(?:nz|co)|mediafire\.com|wetransfer\.com|disk\.yandex|yadi\.sk|icloud\.com|"
    r"cowtransfer|weiyun\.com|share\.weiyun|jianguoyun|box\.com|terabox|aliyundrive|quark\.cn|syncandshare|"
    r"cloud\.tsinghua\.edu\.cn|seafile|nextcloud|owncloud"
)
_ARCHIVES = regex(
    r"zenodo\.org|figshare\.com|datadryad\.org|dataverse|osf\.io|data\.mendeley\.com|physionet\.org|openneuro\.org|"
    r"synapse\.org|ieee-dataport\.org|archive\.org|dataport|pangaea\.de|academictorrents\.com|cancerimagingarchive|"
    r"ncbi\.nlm\.nih\.gov/geo|ebi\.ac\.uk|portal\.gdc|opendatalab|scidb\.cn|radar-service|doi\.org/10\.(?:5281|6084|"
    r"5061|"
    r"7910|17632|7937|24432|21227)/|ldc\.upenn\.edu|openslr\.org|gigadb\.org|data\.gov|snap\.stanford\.edu/data|"
    r"cellxgene|proteomexchange|sagebionetworks|gin\.g-node\.org"
)
_HUBS = regex(
    r"kaggle\.com/(?:[\w-]+/[\w-]+/?(?:data)?$|datasets|c/|competitions|download)|huggingface\.co/datasets|openml\.org|"
    r"archive(?:-beta)?\.ics\.uci\.edu|mlr\.cs\.umass\.edu|tensorflow\.org/datasets|grouplens\.org/datasets|"
    r"files\.grouplens\.org|ogb\.stanford\.edu|drivendata\.org|grand-challenge\.org|codalab|registry\.opendata\.aws|"
    r"timeseriesclassification\.com|cs\.ucr\.edu/~eamonn|linqs|data\.world|aicrowd\.com|synapse|tianchi\.aliyun\.com|"
    r"storage\.googleapis\.com/kaggle|paperswithcode\.com/dataset|modelscope\.cn/datasets|papers\.ssrn_"
)
_DATA_SITES = regex(
    r"image-net\.org|cocodataset\.org|mscoco\.org|cs\.toronto\.edu/~kriz|yann\.lecun\.com|ufldl\.stanford\.edu|"
    r"cityscapes-dataset|cvlibs\.net|nuscenes\.org|shapenet\.org|modelnet\.cs\.princeton|mmlab\.ie\.cuhk\.edu\.hk|"
    r"host\.robots\.ox\.ac\.uk|robots\.ox\.ac\.uk/~vgg|vision\.caltech\.edu|groups\.csail\.mit\.edu/vision|statmt\.org|"
    r"nlp\.stanford\.edu/(?:projects/snli|data|sentiment)|gluebenchmark|super\.gluebenchmark|rajpurkar\.github\.io|"
    r"mattmahoney\.net|keithito\.com/LJ|places2?\.csail|sceneparsing|commonvoice|mimic\.|vis-www\.cs\.umass|deepglobe|"
    r"datasets?[./-]|/datasets?(?:[/._-]|$)|/data(?:/|$)|\bdata\.|/corpora/|-dataset|_dataset|cims\.nyu\.edu/~sbowman|"
    r"fbaipublicfiles\.com/fairseq/data|s3\.amazonaws\.com/research\.metamind|dumps\.wikimedia\.org|commoncrawl|"
    r"msmarco|"
    r"jmcauley\.ucsd\.edu|cseweb\.ucsd\.edu|netflixprize|webscope|criteo|recsys|pjreddie\.com/(?:media/files|projects)"
)
_HUB_MODEL = regex(r"(?<!datasets\.)huggingface\.co/(?!datasets|spaces|docs|papers|blog|collections)[\w.-]+/[\w.-]+")
_RELEASE = regex(r"(?:github\.com|gitlab\.com)/[^/]+/[^/]+/releases/download|github\.com/[^/]+/[^/]+/(?:raw|blob)/")
_PAPER = regex(
    r"arxiv\.org|openreview\.net|aclweb\.org|aclanthology|openaccess\.thecvf|papers\.n(?:eur)?ips|proceedings\.|"
    r"doi\.org|dl\.acm\.org|ieeexplore|springer|nature\.com|sciencedirect|biorxiv|medrxiv|semanticscholar|\.pdf(?:$|"
    r"[?#])|"
    r"scholar\.google|researchgate|jmlr\.org|frontiersin|mdpi\.com|paperswithcode\.com/(?!dataset)|alphaxiv|"
    r"hal\.science|"
    r"plos\.org|academic\.oup|pubmed|ncbi\.nlm\.nih\.gov/p|wiley\.com|cell\.com|isca-speech|ojs\.aaai|jair\.org|"
    r"huggingface\.co/papers"
)
_FURNITURE = regex(
    r"shields\.io|badge|travis-ci|circleci|codecov|coveralls|readthedocs|pypi\.(?:org|python)|anaconda|conda\.io|"
    r"docker|python\.org|pytorch\.org|tensorflow\.org|nvidia\.com|youtu\.?be|twitter\.com|^x\.com|tensorboard\.dev|"
    r"linkedin|discord|slack|medium\.com|colab\.research|mybinder|creativecommons|opensource\.org|wandb\.ai|comet\.|"
    r"gitter|star-history|contrib\.rocks|jupyter\.org|wikipedia\.org"
)
"""Hosts that hold no data of anybody's."""
_FURNITURE_PAGE = regex(
    r"licenses|miniconda|\.(?:png|jpe?g|gif|svg|mp4)(?:$|[?#])|huggingface\.co/(?:spaces|docs|blog)|"
    r"github\.com/[^/]+/?$|github\.io/?$|/issues|/pull/|badge"
)
_PICTURE = regex(r"\.(?:png|jpe?g|gif|svg)(?:$|[?#])|zenodo\.org/badge", re.IGNORECASE)
_ABOUT = regex(r"(?:the |our |full |online )?(?:documentation|docs|tutorials?|api|code|notebooks?)", re.IGNORECASE)
"""A label that leads to words or code, wherever it points."""
_OF_DATA = regex(r"data|corpus|corpora|benchmark|annotation|sets?\b", re.IGNORECASE)
"""Without one of these, a repository of code is no data, though it be about graphs or images."""
_EMBEDDINGS = regex(r"glove|word2vec|googlenews|fast-?text|wiki-news-300d|crawl-300d|/vectors[-/.]", re.IGNORECASE)
"""Word vectors are models that are started from, whatever folder they are kept in."""
_POINTS = regex(r"(?:this |the )?(?:here|link|website|site|page|url|this)", re.IGNORECASE)
"""A label that says nothing of what it leads to."""
_WEIGHT_WORDS = regex(
    r"pre-?\s?trained|\bglove\b|fast-?text|word2vec|word vectors|word embeddings|checkpoints?|\bckpts?\b|weights?\b|"
    r"\bmodels?\b|\.pth\b|\.pt\b|\.ckpt\b|\.h5\b|\.caffemodel|"
    r"\.onnx|backbone|"
    r"safetensors|snapshot",
    re.IGNORECASE,
)
_DATA_WORDS = regex(
    r"data[-_ ]?sets?\b|\bdata\b|\bcorp(?:us|ora)\b|\bannotations?\b|\bimages?\b|\btrain(?:ing)?[-_ ]?set|"
    r"\btest[-_ ]?set|"
    r"\bfeatures?\b|\bembeddings?\b|\bbenchmarks?\b|\bcsv\b|\braw\b|\bvideos?\b|\bdemonstrations?\b|\blabels?\b|"
    r"\bgraphs?\b|"
    r"\bsplits?\b|\brecordings?\b|\btfrecords?\b|\b(?:train|val|test)\d{0,4}\.(?:zip|tar|t?gz|rar|7z|csv|jsonl?)\b|"
    r"数据|데이터|データ",
    re.IGNORECASE,
)
_COMMAND = regex(r"\b(?:wget|curl|gdown|aria2c|git clone|kaggle datasets)\b")
_GETTING = regex(r"download|available|obtain|\bfound\b|\bget\b|provided|released|下载", re.IGNORECASE)
_GETTING_DATA = regex(
    r"(?:download|obtain|follow|get|prepar|generat)\w*[^.]{0,80}\b(?:data|dataset|corpus)", re.IGNORECASE
)
_FILE = regex(
    r"\.(?:zip|tar|tgz|gz|bz2|xz|7z|rar|csv|tsv|jsonl?|npz|npy|mat|h5|hdf5|parquet|arff|data|txt|mdb|tfrecords?)"
    r"(?:$|[?#])",
    re.IGNORECASE,
)
_WEIGHT_FILE = regex(
    r"\.(?:pth|pt|ckpt|caffemodel|onnx|safetensors|pb|tflite|keras|weights|params|pdparams|bin|model)(?:\.tar|"
    r"\.gz)?(?:$|[?#])|/models?/[^?#]+\.(?:mat|npz|npy|h5|tgz|tar\.gz|zip)(?:$|[?#])",
    re.IGNORECASE,
)
_SOFTWARE = regex(
    r"\.(?:whl|deb|sh|exe|dmg|rpm|jar|py|run|msi)(?:$|[?#])|cuda|cudnn|cmake|install|/bazel", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Found:
    """A link with what is written on it and around it."""

    url: str
    label: str
    line: Line
    nearby: str = ""
    """The lines before and after, for a link in the middle of a paragraph."""


def read_links(tree: Tree, code: Code) -> list[Found]:
    """Every link of the repository's pages, each URL once a line."""
    return code.once(tree, _links)


def _links(tree: Tree, code: Code) -> list[Found]:
    return list(_links_in(read_pages(tree, code)))


def _links_in(pages: Iterable[Page]) -> Iterator[Found]:
    count = 0
    for page in pages:
        for i, line in enumerate(page.lines):
            if "://" not in line.text and "kaggle " not in line.text:
                continue
            nearby = " ".join(other.text[:300] for other in page.lines[max(0, i - 1) : i + 2] if other is not line)
            seen = set()
            for url, label in _linked(line.text):
                if url not in seen and count < _MOST_LINKS:
                    seen.add(url)
                    count += 1
                    yield Found(url, label, line, nearby)


def _linked(text: str) -> Iterator[tuple[str, str]]:
    for pattern, url, label in ((_MARKDOWN, 2, 1), (_REFERENCE, 2, 1), (_RST, 2, 1), (_HTML, 1, 2)):
        for match in pattern.finditer(text):
            yield match[url].rstrip(".,;:"), _TAG.sub("", match[label]).strip()
    for match in _URL.finditer(text):
        yield match[0].rstrip(".,;:*_"), ""
    for match in _KAGGLE.finditer(text):
        yield f"https://www.kaggle.com/{match[1]}/{match[2]}", ""


@lru_cache(maxsize=512)  # the readers of data and of models ask about the same links
def topic_of(url: str, label: str, around: str, heading: str, *, fetched: bool = False) -> Topic:
    """Data, weights or something else, by the file's name, then the label, the words nearby, and the heading.

    What is `fetched` into a file is one, whatever its address looks like.
    """
    if _SOFTWARE.search(url) or _PICTURE.search(url) or _DOCUMENT.search(url) or _NAMES_OF_CLASSES.search(url):
        return Topic.OTHER
    if _MODELS.search(_tail(url)) and _said(around) is Topic.WEIGHTS:
        return Topic.WEIGHTS
    if _WEIGHT_FILE.search(url) or _EMBEDDINGS.search(url):
        return Topic.WEIGHTS
    if _HUB_MODEL.search(url):
        return Topic.DATA if _DATA_WORDS.search(label) else Topic.WEIGHTS
    holds = fetched or any(pattern.search(url) for pattern in (_DRIVES, _ARCHIVES, _RELEASE, _FILE))
    known = bool(_HUBS.search(url) or (_DATA_SITES.search(url) and not _RELEASE.search(url)))
    if not _ARCHIVES.search(url) and not known and (_PAPER.search(url) or _is_furniture(url)):
        return Topic.OTHER
    if not (holds or known) and _leads_to_code(url, label, around):
        return Topic.OTHER
    for words in (label, _tail(url), around, heading):
        said = _said(words)
        if said is Topic.WEIGHTS and known and words is not label:
            said = None
        getting = _GETTING.search(around) or (_is_code(url) and _GETTING_DATA.search(around))
        told = bool(words is around and (getting or named_in(label)))
        told |= bool(words is heading and _GETTING.search(heading) and _POINTS.fullmatch(label))
        if said is not None and (holds or known or words is label or told):
            return said
    if named_in(label) or (holds and named_in(f"{_tail(url)} {around}".replace("_", " "))):
        return Topic.DATA
    return Topic.DATA if (known or _ARCHIVES.search(url)) and not _is_code(url) else Topic.OTHER


def kind_of(url: str) -> LinkKind:
    """What sort of host it is."""
    if _DRIVES.search(url):
        return LinkKind.DRIVE
    if _ARCHIVES.search(url):
        return LinkKind.ARCHIVE
    return LinkKind.HUB if _HUBS.search(url) else LinkKind.SITE


def data_links(found: Iterable[Found]) -> Iterator[DataLink]:
    """Those links that lead to data."""
    for link in found:
        line = link.line
        if topic_of(link.url, link.label, words_around(link), line.heading) is not Topic.DATA:
            continue
        kind = kind_of(link.url)
        sure = kind in {LinkKind.ARCHIVE, LinkKind.HUB} or bool(_DATA_SITES.search(link.url))
        command = bool(_COMMAND.search(line.text))
        yield DataLink(
            link.url, kind, link.label, line.location, Confidence.HIGH if sure else Confidence.MEDIUM, command
        )


def own_path(url: str) -> str:
    """The path behind an address that may lead into the repository itself, on a host of code; else nothing."""
    match = _OWN.match(url)
    return unquote(match[1]).rstrip("/") if match else ""


def words_around(link: Found) -> str:
    """The words of the line before and after the link, without other links' addresses."""
    text = link.line.text
    spot = text.find(link.url)
    near = text[max(0, spot - 160) : spot] + " " + text[spot + len(link.url) : spot + len(link.url) + 80]
    said = _URL.sub(" ", near)
    alone = _said(said) and (_GETTING.search(said) or not _POINTS.fullmatch(link.label))
    return said if alone else f"{said} {_URL.sub(' ', link.nearby)}"


@lru_cache(maxsize=4096)
def _said(words: str) -> Topic | None:
    """The topic that the last telling word speaks of; of "model trained on data" that is the model."""
    weights, data = _WEIGHT_WORDS.search(words), _DATA_WORDS.search(words)
    if weights and data:
        return Topic.WEIGHTS if weights.start() < data.start() else Topic.DATA
    return Topic.WEIGHTS if weights else Topic.DATA if data else None


def _tail(url: str) -> str:
    return url.rpartition("/")[2].replace("_", " ").replace("-", " ")


def _is_furniture(url: str) -> bool:
    host = url.partition("://")[2].partition("/")[0]
    return bool(_FURNITURE.search(host) or _FURNITURE_PAGE.search(url))


def _leads_to_code(url: str, label: str, around: str) -> bool:
    told = label or _tail(url)
    of_data = _OF_DATA.search(f"{label} {url}") or _POINTS.fullmatch(label) or named_in(told)
    return bool(_ABOUT.fullmatch(label)) or (_is_code(url) and not of_data and not _GETTING_DATA.search(around))


def _is_code(url: str) -> bool:
    return bool(re.match(r"https?://(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)/", url))
