"""What copying adds to a text: words divided at line ends, prompts of a console, the frame of a printed data frame.

Every replacement keeps the length of the text, so that places stay the same.
"""

from __future__ import annotations

from assay.patterns import regex

_DIVIDED = regex(r"(?<=[a-z]{2})-\n(?P<rest>[a-z]{2,})")
_CALL = regex(
    r"(?m)^(?P<prompt>(?:>>>|In \[\d+\]:|>)[ \t]?)(?P<name>[\w.]+)\([^()\n]{0,200}\)[ \t]*\n(?=[ \t]*\d?\.?\d)"
)
_FRAME = regex(r"(?m)^[ \t]*(?:# A tibble:.*|(?:<(?:chr|dbl|int|fct|lgl)>[ \t]*)+|\.metric[ \t]+\.estimator.*)$")
_METRIC = regex(
    r"(?m)^(?P<number>[ \t]*\d+[ \t]+)(?P<name>[a-z_]+[ \t]+)(?P<kind>binary|standard|multiclass)(?=[ \t]+[\d.])"
)


def straightened(text: str) -> str:
    """The text as it was before it was printed and copied."""
    text = _DIVIDED.sub(lambda match: match["rest"] + "  ", text)
    text = _CALL.sub(lambda match: _padded(f"{match['name'].rpartition('.')[2]} =", match[0]), text)
    if ".estimat" not in text:
        return text
    text = _METRIC.sub(lambda match: " " * len(match["number"]) + match["name"] + " " * len(match["kind"]), text)
    return _FRAME.sub(lambda match: " " * len(match[0]), text)


def _padded(words: str, given: str) -> str:
    return words.ljust(len(given)) if len(words) <= len(given) else given
