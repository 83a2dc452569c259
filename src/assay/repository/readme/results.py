"""Tables of results: which tables are, and which numbers in them are scores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.document import Document, Grid

METRIC = regex(
    r"(?<![a-z])(?:acc|accuracy|top[- ]?@?[15](?:[- ]?acc\w*|[- ]?err\w*)?|f1|f[- ]?score|f[- ]?measure|auc|auroc|"
    r"auprc|roc|m?ap\d{0,2}|"
    r"ap@\d+|map@\S+|m?iou|bleu(?:-?\d)?|rouge(?:-?[\dl])?|meteor|cider|spice|ppl|perplexity|rmse|n?mse|mae|mape|smape|"
    r"precision|recall|r@\d+|hits?@\d+|ndcg(?:@\d+)?|mrr|mr|fid|kid|lpips|inception|is|psnr|ssim|error|err|"
    r"exact match|em|"
    r"wer|cer|per|r2|r\^2|dice|kappa|mcc|score|return|reward|las|uas|nll|elbo|bpd|bits|loss|pearson|spearman|"
    r"sensitivity|specificity|c-?index|eer|mos|cpu time|pass@\d+|test|val|dev|pq|nmi|ari|success|avg|average|mean|"
    r"mnli|sst-?2|mrpc|cola|qnli|qqp|rte|sts-?b|squad|cifar-?100?|imagenet(?:-\w+)?|mnist|svhn|coco|kinetics\S*|"
    r"performance)(?![a-z])",
    re.IGNORECASE,
)
_SETTING = regex(
    r"\b(?:lr|learning rate|batch|epochs?|params?|parameters|flops|size|resolution|seed|gpus?|memory|time|hours|year|"
    r"default|description|argument|option|type|version|speed|fps|latency|dim|layers|nodes|edges|classes|samples|"
    r"features|"
    r"images|steps|url|download|md5|config|length)\b",
    re.IGNORECASE,
)
_NUMBER = regex(r"[^\d\n]{0,4}[-+]?\d{1,7}(?:[.,]\d{1,6})?\s?(?:%|±|\(|/|\+/?-|[kKMB]\b|$)")
_SCORE = regex(r"\b\d{1,3}\.\d{1,4} ?%? (?:F1|BLEU|accuracy|AUC|mAP|mIoU|top-?1|PSNR|FID)\b", re.IGNORECASE)
_SPLIT = regex(
    r"(?:#|no\.?|num(?:ber)?(?: of)?)? ?(?:train\w*|test\w*|val\w*|dev)(?: (?:sets?|split|images|samples|examples|"
    r"questions|sentences|instances|size|rows|files|pairs|records|data))?",
    re.IGNORECASE,
)
"""Columns called like a part of the data: they have scores on it, or how large it is."""
_LARGE = regex(r"\D{0,4}(?:\d{1,3}(?:,\d{3})+|\d{4,7}|\d{1,4} ?[kKM])\b")
"""Numbers that no score reaches."""
_MOST_TABLES = 200
_PLACEHOLDER = regex(
    r"(?:t\.?b\.?[da]\.?|to ?do|n/?a|pending|none|(?:\d{0,2}\.)?x{1,4}(?:\.x{1,4})?|coming soon|in progress|"
    r"[\s.%?_…/–—-]{0,20}|[\[<{][^\]>}\n]{0,40}[\]>}]|"
    r"(?:to be|will be|(?:generated|filled|updated|added|reported) (?:after|later|soon|by))\b[^\n]{0,60})"
    r"(?: ?(?:±|\+/?-) ?(?:y{1,4}(?:\.y{1,4})?|x{1,4}(?:\.x{1,4})?))? ?%?",
    re.IGNORECASE,
)
"""What stands in a cell until there is a result."""


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """A table that reports scores."""

    location: Location
    caption: str
    """The heading it stands under."""
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    metrics: tuple[str, ...]
    """The cells of the header or of the first column that name a score."""
    numbers: int


def find_results(document: Document) -> tuple[ResultsTable, ...]:
    """The tables of results, in the order of the text."""
    found: list[ResultsTable] = []
    for part in document.parts:
        caption = part.heading.text if part.heading else ""
        for block in part.blocks:
            if isinstance(block, Grid) and len(found) < _MOST_TABLES and is_results(block, caption):
                names = tuple(_metrics(block))
                place = Location(document.path, block.line)
                found.append(ResultsTable(place, caption, block.header, block.rows, names, len(_numeric(block))))
    return tuple(found)


def is_results(grid: Grid, caption: str) -> bool:
    """Whether a table has numbers that are scores: named so in its header, first column or caption."""
    if sum(bool(_SCORE.search(cell[:300])) for row in grid.rows[:50] for cell in row[:20]) >= 2:
        return True
    numeric = _numeric(grid)
    if not numeric:
        return False
    if any(True for _ in _metrics(grid)):
        return True
    settings = sum(bool(_SETTING.search(cell)) for cell in grid.header)
    decimals = sum("." in grid.rows[r][c] for r, c in numeric)
    headed = re.search(
        r"result|performance|benchmark|accurac|leaderboard|comparison|evaluation|test", caption, re.IGNORECASE
    )
    return bool(headed or decimals >= 4) and 2 * settings < max(1, len(grid.header))


def is_placeholder(grid: Grid) -> bool:
    """Whether a table only has room for results: no cell beside the first of its row has one."""
    cells = [cell.strip("*_` ~") for row in grid.rows[:50] for cell in row[1:20]]
    return bool(cells) and all(_PLACEHOLDER.fullmatch(cell[:100]) for cell in cells) and not _numeric(grid)


def _numeric(grid: Grid) -> list[tuple[int, int]]:
    """Row and column of each cell that begins with a number and stands under no setting."""
    passed_over = {i for i, name in enumerate(grid.header) if _SETTING.search(name) and not METRIC.search(name)}
    return [
        (r, c)
        for r, row in enumerate(grid.rows[:500])
        for c, cell in enumerate(row[:60])
        if c not in passed_over and _NUMBER.match(cell.strip("*_` ~")[:60])
    ]


def _metrics(grid: Grid) -> Iterator[str]:
    columns: dict[int, list[str]] = {}
    rows: dict[int, list[str]] = {}
    for r, c in _numeric(grid):
        columns.setdefault(c, []).append(grid.rows[r][c])
        if c:
            rows.setdefault(r, []).append(grid.rows[r][c])
    for c, name in enumerate(grid.header):
        if c in columns and METRIC.search(name[:200]) and not _is_size(name, columns[c]):
            yield name
    for r, cells in rows.items():
        name = grid.rows[r][0][:200]
        if METRIC.search(name) and not re.search(r"\d$", name.strip()) and not _is_size(name, cells):
            yield name


def _is_size(name: str, cells: list[str]) -> bool:
    """Whether numbers under the name of a part of the data say how large it is."""
    return _SPLIT.fullmatch(name.strip("*_` ")[:100]) is not None and any(_LARGE.match(c.strip("*_` ~")) for c in cells)
