"""Data that a README names: public data sets, files and folders of data, tables of columns.

Names are known by their capitals, so that texts are searched as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from assay.patterns import regex
from assay.repository.readme.document import Document, Grid, Hyperlink
from assay.repository.readme.hosts import LinkKind, kind_of_address
from assay.tree.text import uncased

_PUBLIC = (
    r"(?:tiny-?)?image-?net(?:-?\d{1,4}k?|-\w{1,6})?|cifar-?\d{0,3}|ms-?coco|coco|(?:fashion-?|e|k)?mnist|squad(?:\d|v\d)?|glue|"
    r"wikitext\S{0,6}|movielens|shapenet|modelnet\d{0,2}|kitti|celeba\S{0,3}|librispeech|libritts|"
    r"voc ?20\d\d|svhn|cityscapes|ade20k|imdb|"
    r"ag ?news|conll\S{0,6}|penn treebank|mimic-(?:i{1,3}|iv|cxr)|chexpert|chestx-?ray\d{0,2}|isic ?20\d\d|ham10000|"
    r"brats\S{0,5}|lidc\S{0,5}|luna16|adni|uk biobank|nsl-?kdd|kdd ?cup\S{0,4}|unsw-nb15|cic-?ids\S{0,5}|ucf-?101|"
    r"hmdb-?51|kinetics-?\d{3}|voxceleb\d?|timit|lj ?speech|vctk|urbansound8k|esc-50|ravdess|gtzan|scannet|nuscenes|"
    r"argoverse|qm9|zinc250k|moleculenet|tox21|ogb[nlg]-\w{1,20}|citeseer|criteo|avazu|d4rl|ett[hm][12]|c-?mapss|"
    r"laion\S{0,5}|gsm8k|mmlu|hellaswag|nas-?bench\S{0,4}|plantvillage|omniglot|stanford (?:cars|dogs)|oxford.iiit|"
    r"uci (?:machine learning|ml) repository|boston housing|california housing|ames housing|fer-?2013|"
    r"flickr-?(?:8|30)k|"
    r"div2k|market-?1501|ms ?marco|wmt ?\d{2}|multi30k|europarl|common ?voice|gtsrb|caltech-?(?:101|256)|food-?101|"
    r"lending club|lichess (?:pgn|games|data\w{0,4}|puzzles)|m[45] competition|yfinance|yahoo finance|gutenberg"
)
_PUBLIC_NAME = regex(rf"(?<![\w/.-])(?:{_PUBLIC})(?![\w])(?!/(?!\d))")
_BORROWED = regex(r"pre-?train(?!_|\.py)|weights|backbone|initiali[sz]|checkpoint|transfer learning")
"""What is said around a data set that others trained on."""
_COMPETITION = regex(
    r"\b(?:kaggle(?:rs?)?|analytics ?vidhya|driven ?data|zindi|codalab|aicrowd|hackerearth|machinehack|tianchi|signate)"
    r"\b(?!\.json)"
    r"(?!(?:'s)? (?:notebooks?|kernels?|gpus?|api|profile|account|username|grandmaster|expert|cli|token|key))"
)
_CHALLENGE = regex(
    r"(?<![\w/.-])(?P<name>(?:[A-Z][\w&/-]{1,40} (?:of |the |for |and |in |on )?){2,8})"
    r"(?:Challenge|Competition|Contest|Shared Task)\b"
)
"""Who takes part in one is given its data."""
_SENSED = regex(
    r"\b(?:[Uu]sing|[Oo]n|[Ff]rom|[Ww]ith|[Oo]f) (?:the |our )?"
    r"(?P<name>(?:[A-Z][a-z]{1,20}[A-Z][A-Za-z]{1,30}|[A-Z][A-Za-z]{2,20}-?\d{1,4})(?: [A-Z][\w-]{1,30}){0,3}) data\b"
    r"(?! (?:load|augment|pipeline|frames?|struct|types?|parallel|formats?|bases?|modules?|science|scientist))"
)
"""A source with a capital or a number within its name, such as a satellite."""
_NO_SOURCE = regex(
    r"(?:Py|Tensor|Num|Sci|Git|Open(?=CV|AI)|My|Postgre|Mongo|Java|La(?=T)|Hugging|Light|Fast|No(?=S)|Deep|GPT|Llama|YOLO|"
    r"Float|U?[Ii]nt|Base|U[Tt][Ff]|Python|C[Oo][Vv][Ii][Dd]|Power|[A-Za-z]{1,20}Net)(?=[A-Zv\d -])"
)
"""How names of tools, of types, of networks and of a disease begin that look the same."""
_NAMED = regex(
    r"(?P<before>(?<=[\w,)] ))?(?<![\w/.-])"
    r"(?P<name>[A-Z][\w'&/-]{0,60}(?: (?:of |the |for |and )?[A-Z0-9][\w'&/-]{0,60}){0,5})"
    r"[)\"'*`\]]{0,3}(?: \([^)\n]{1,40}\))? (?:[Dd]ata ?[Ss]ets?|DATA ?SETS?|[Cc]orpus|[Cc]orpora|[Dd]atabase)\b"
)
_LISTED = regex(
    r"\b[Dd]ata ?[Ss]ets? ?(?:used |namely |called |are |i\.e\. ){0,2}[:(]\s{0,3}(?:the )?[*`\[\"']{0,3}"
    r"(?P<name>[A-Z][\w./+-]{1,40})[*`\]\"']{0,3}(?:,| and| &|/)\s{1,3}(?:the )?[*`\[\"']{0,3}[A-Z][\w./+-]{1,40}"
)
"""Names behind a colon: two, for one may be any word."""
_NO_NAMES = frozenset(
    {
        "a", "all", "an", "any", "augmented", "balanced", "bigger", "biggest", "both", "build", "clean", "cleaned",
        "client", "collect", "combined", "complete", "configure", "create", "current", "custom", "demo",
        "different", "display", "download", "each", "entire", "example", "explore", "external", "extract", "final",
        "first", "for", "from", "full", "generate", "get", "graph", "hold", "image", "images", "imbalanced",
        "import", "in", "input", "inspect", "internal", "it", "its", "join", "json", "key", "labeled", "labelled",
        "large", "larger", "load", "loading", "local", "main", "make", "merge", "mongo", "my", "mysql", "new", "no",
        "nosql", "note", "object", "of", "old", "on", "open", "original", "other", "our", "overview", "own",
        "please", "postgresql", "prepare", "preparing", "private", "processed", "public", "python", "pytorch",
        "raw", "read", "real", "redis", "relational", "sample", "save", "select", "series", "several", "small",
        "smaller", "source", "specific", "split", "sql", "sqlite", "sqlite3", "structured", "synthetic", "tabular",
        "target", "test", "testing", "text", "that", "the", "their", "these", "this", "time", "train", "training",
        "two", "unlabeled", "unzip", "update", "upload", "use", "used", "using", "validation", "various", "vector",
        "video", "view", "we", "when", "which", "with", "your",
    }
)  # fmt: skip
"""Words with a capital that make no name of a data set."""
_FILE = regex(
    r"(?<![\w/])(?:[\w.-]{1,60}/){0,6}(?P<stem>[\w-]{1,80}(?: [\w-]{1,30}){0,4}?)\.(?:csv|tsv|xlsx?|parquet|arff)\b"
)
_CALLED_DATA = regex(
    r"(?<![\w/])(?:[\w.-]{1,60}/){0,6}(?P<stem>(?:\w{1,40}[_-])?(?:data|dataset|corpus)"
    r"(?:[_-](?!conf|schema|info|card|stat|param|path)\w{1,40})?)\.(?:h5|hdf5|npy|npz|pkl|pickle|jsonl?|txt|mat|tfrecords?|lmdb|nc|zip|tar|tgz|7z|rar)\b"
)
"""Files of other formats, that hold anything: these say that it is data."""
_NO_DATA = regex(
    r"result|submi|predict|metric|log|score|history|output|summary|report|comparison|trial|leader|param|example|"
    r"performance|eval|grid|cv_|importan|accura|benchmark|ablation"
)
"""Files that a program writes."""
_FOLDER = regex(
    r"^(?P<lead>[\s│├└─|`*+•-]{0,40})[`*\[]{0,3}(?:\./)?(?P<name>[\w.+-]{0,30}(?<![a-z])"
    r"(?:data|datasets?|corpus|corpora|dados|datos|données|daten|"
    r"(?:train(?:ing)?|test|val(?:idation)?|eval(?:uation)?)[_-]?(?:set|images|imgs))(?:[_-](?!load|util|process|prep|gen|mod)[\w-]{1,30})?)"
    r"(?P<slash>/?)[`*\]]{0,3}(?:\([^)\n]{0,100}\))?[ \t]*"
    r"(?:[#:←–—→|(<-]{1,4}[ \t]*(?P<said>[^\n]{0,200})|[ \t]{2,}(?P<apart>[^\n]{1,200}))?$"
)
_ABOUT_CODE = regex(
    r"(?:pre-?)?process(?:ing|ors?|es)\b|load(?:ing|ers?|s)?\b|generat(?:ion|ors?|es|ing)\b|clean(?:ing|s)\b|augment|"
    r"scripts?\b|\bcode\b|modules?\b|util|pipeline|ingest|class(?:es)?\b|functions?\b|split(?:ting|s)\b|transforms?\b|handling|"
    r"(?:created|made|generated) (?:at run ?time|automatically|by the)|auto-?created"
)
"""What is said of folders that hold code about data, or nothing until something is run."""
_SOURCES = regex(r"^(?:src|source|lib|code|app|core|backend|package|utils?|modules?)/?")
_COLUMN = regex(r"^(?:columns?|variables?|attributes?|fields?|features?)(?: names?| groups?)?$")
_MEANING = regex(r"\b(?:types?|ranges?|units?|values?|examples?|dtype|meaning|columns)\b")
_DESCRIBED = regex(r"^descriptions?$")
_HOMES = ("nyu.edu", "cs.toronto.edu", "csail.mit.edu", "yann.lecun.com")
"""Hosts that have pages of people beside those of data."""
_BRANCHES = ("├", "└", "|-", "+-", "`-")
_LEADING = " \t│├└─|`*+•-"
_LONGEST = 4000
_MOST = 300


def data_spot(text: str) -> int | None:
    """Where a text names data: a public data set, something called so, a file or a folder."""
    begun = text[:_LONGEST]
    plain = uncased(begun)
    spots = (_public(plain), _named(begun), _listed(begun), _source(begun), _file(plain), _folder(plain))
    return min((spot for spot in spots if spot is not None), default=None)


def describes_columns(grid: Grid) -> bool:
    """Whether a table tells what the columns of the data are."""
    header = [uncased(cell.strip("*_` ")) for cell in grid.header]
    if not header or not _COLUMN.match(header[0]):
        return False
    features = header[0].startswith("feature")  # programs have features too, and describe them
    return any(_MEANING.search(cell) or (not features and _DESCRIBED.match(cell)) for cell in header[1:])


def data_links(document: Document) -> Iterator[tuple[int, str]]:
    """Line and words of each link to a place where nothing but data is."""
    for link in document.links[:_MOST]:
        if not link.image and _leads_to_data(link):
            yield link.line, link.text or link.target[:200]


def _leads_to_data(link: Hyperlink) -> bool:
    if kind_of_address(link.target, link.text, image=False) is not LinkKind.DATA:
        return False
    try:
        parts = urlsplit(link.target)
    except ValueError:
        return False
    steps = [step for step in uncased(parts.path).split("/") if step]
    if "kaggle" in (parts.hostname or ""):
        return len(steps) > 1 and not {"code", "kernels", "notebooks", "learn", "discussion"}.intersection(steps)
    return "data" in uncased(f"{parts.path} {link.text}") or not (parts.hostname or "").endswith(_HOMES)


def _public(text: str) -> int | None:
    for match in _PUBLIC_NAME.finditer(text):
        around = text[max(0, match.start() - 40) : match.end() + 25]
        if not _BORROWED.search(around):
            return match.start()
    found = _COMPETITION.search(text)
    return None if found is None else found.start()


def _named(text: str) -> int | None:
    for match in _NAMED.finditer(text):
        words = [w for w in match["name"].replace("-", " ").split() if uncased(w) not in _NO_NAMES]
        if not words or uncased(match["name"].split()[-1]) in _NO_NAMES:
            continue
        telling = any(w[1:] != w[1:].lower() or any(map(str.isdigit, w)) for w in words)
        if telling or len(words) > 1 or match["before"] is not None:
            return match.start("name")
    return None


def _listed(text: str) -> int | None:
    """Names behind "data sets:"; a word is one by a capital or digit within."""
    for match in _LISTED.finditer(text):
        word = match["name"]
        if word[1:] != word[1:].lower() or any(map(str.isdigit, word)):
            return match.start()
    return None


def _source(text: str) -> int | None:
    """A competition, or what has measured something, by its name."""
    for match in _CHALLENGE.finditer(text):
        if sum(uncased(word) not in _NO_NAMES for word in match["name"].split() if word[0].isupper()) > 1:
            return match.start()
    return next((m.start() for m in _SENSED.finditer(text) if not _NO_SOURCE.match(m["name"])), None)


def _file(text: str) -> int | None:
    named = (match for pattern in (_FILE, _CALLED_DATA) for match in pattern.finditer(text))
    return next((match.start() for match in named if not _NO_DATA.search(match["stem"])), None)


def _folder(text: str) -> int | None:
    """A line of a list of folders that has one with data, not among the sources and not said to hold code."""
    at = 0
    above: list[tuple[int, str]] = []
    for line in text.split("\n"):
        name = line.lstrip(_LEADING)
        indent = len(line) - len(name)
        while above and above[-1][0] >= indent:
            above.pop()
        found = _FOLDER.match(line)
        if found and (found["slash"] or any(mark in found["lead"] for mark in _BRANCHES)):
            said = found["said"] or found["apart"] or ""
            nested = any(_SOURCES.match(folder) for _, folder in above)
            if not _ABOUT_CODE.search(said) and (said.strip() or not nested):
                return at
        if name:
            above.append((indent, name))
        at += len(line) + 1
    return None
