"""LaTeX markup → plain words, line by line: every replacement keeps the number of line ends."""

from __future__ import annotations

import re

from assay.article.reading.sentences import CITATION
from assay.patterns import regex

_ACCENTS = {
    "`": "\N{COMBINING GRAVE ACCENT}", "'": "\N{COMBINING ACUTE ACCENT}", "^": "\N{COMBINING CIRCUMFLEX ACCENT}",
    '"': "\N{COMBINING DIAERESIS}", "~": "\N{COMBINING TILDE}", "c": "\N{COMBINING CEDILLA}",
    "v": "\N{COMBINING CARON}", "=": "\N{COMBINING MACRON}", "u": "\N{COMBINING BREVE}",
}  # fmt: skip
_SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "lambda": "λ", "mu": "µ",
    "sigma": "σ", "theta": "θ", "eta": "η", "tau": "τ", "phi": "φ", "rho": "ρ", "pm": "±", "times": "×", "cdot": "·",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "approx": "≈", "sim": "~", "rightarrow": "→", "to": "→", "ldots": "…",
    "dots": "…", "infty": "∞", "degree": "°", "percent": "%", "textbackslash": "\\", "LaTeX": "LaTeX", "TeX": "TeX",
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "ae": "æ", "AE": "Æ", "aa": "å", "AA": "Å", "i": "i", "checkmark": "✓",
    "textasciitilde": "~", "textpm": "±", "S": "§", "quad": " ", "qquad": " ", "neq": "≠", "in": "∈",
}  # fmt: skip
_GONE = (
    "label|index|vspace|hspace|vskip|includegraphics|bibliographystyle|setlength|setcounter|addtocounter|hypersetup|"
    "begin|end"
)
_KEPT_OUT = regex(rf"\\(?:{_GONE})\*?\s*(?:\[[^\]]*\])?\s*(?:\{{[^{{}}]*\}})*")
_CITE = regex(r"\\(?:no)?cite\w*\*?\s*(?:\[[^\]]*\]\s*){0,2}\{[^{}]*\}|\\citeauthor\{[^{}]*\}")
_REF = regex(r"\\(?:eq|auto|c|C|page|name)?ref\*?\s*\{[^{}]*\}")
_LINK = regex(r"\\href\s*\{([^{}]*)\}\s*\{((?:[^{}]|\{[^{}]*\})*)\}|\\(?:url|nolinkurl)\s*\{([^{}]*)\}")
_ACCENT = regex(r"\\([`'^\"~=cvu])\s*(?:\{\\?([A-Za-z])\}|\\?([A-Za-z])(?![A-Za-z]))")
_COMMAND = regex(r"\\([A-Za-z@]+)\*?(?:\[[^\[\]]*\])?")
_ESCAPED = regex(r"\\([%&$#_{}])")
_FRACTION = regex(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_BREAK = regex(r"\\\\\s*(?:\[[^\]]*\])?")
_SI = regex(r"\\(?:SI|qty)\s*(?:\[[^\]]*\])?\{([^{}]*)\}\s*\{([^{}]*)\}|\\num\s*(?:\[[^\]]*\])?\{([^{}]*)\}")
_ZERO = regex(
    r"\\(?:newcommand|renewcommand|providecommand|def)\*?\s*\{?\\([A-Za-z]+)\}?\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
)


def macros(preamble: str) -> dict[str, str]:
    """The commands without arguments that a document defines for itself."""
    plain_words = {name: body for name, body in _ZERO.findall(preamble) if len(body) <= 300 and "#" not in body}
    return {
        name: body
        for name, body in plain_words.items()
        if f"\\{name}" not in body and "\\begin" not in body and "\\end" not in body
    }


def expanded(text: str, own: dict[str, str]) -> str:
    """The text with its own commands replaced, a few levels deep."""
    if not own:
        return text
    pattern = re.compile(
        r"\\(" + "|".join(sorted(map(re.escape, own), key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\})?"
    )
    for _ in range(3):
        after = pattern.sub(lambda m: own[m[1]].replace("\n", " "), text)
        if after == text or len(after) > 3 * len(text) + 10_000:
            break
        text = after
    return text


def plain(text: str) -> str:
    """Words alone; citations become a mark, links their address, formulas what can be read of them."""
    import unicodedata

    text = _CITE.sub(lambda m: CITATION + "\n" * m[0].count("\n"), text)
    text = _REF.sub(lambda m: "[ref]" + "\n" * m[0].count("\n"), text)
    text = _LINK.sub(lambda m: f"{m[2]} ({m[1]})" if m[1] else m[3] or "", text)
    text = _KEPT_OUT.sub(lambda m: "\n" * m[0].count("\n"), text)
    text = _SI.sub(lambda m: m[3] or f"{m[1]} {m[2]}".replace("\\", " "), text)
    text = _FRACTION.sub(r"\1/\2", text)
    text = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", (m[2] or m[3]) + _ACCENTS[m[1]]), text)
    text = _BREAK.sub(lambda m: " " + "\n" * m[0].count("\n"), text)
    text = _ESCAPED.sub(lambda m: _HELD[m[1]], text)
    text = _COMMAND.sub(lambda m: _SIGNS.get(m[1], " ") + "\n" * m[0].count("\n"), text)
    text = re.sub(r"\\[,;:! ]|~", " ", text)
    text = text.replace("\\(", "").replace("\\)", "").replace("``", '"').replace("''", '"')
    text = re.sub(r"(?<=\d)\{,\}(?=\d)", ",", text)
    text = re.sub(r"---?", "\N{EN DASH}", text)
    text = re.sub(r"[{}$]|\\", "", text)
    return text.translate(_RELEASED)


_HELD = {sign: chr(0xE000 + at) for at, sign in enumerate("%&$#_{}")}
"""Escaped signs while the bare ones are taken out."""
_RELEASED = {ord(held): sign for sign, held in _HELD.items()}


def address(text: str) -> str:
    """A link as it would be typed."""
    return re.sub(r"\\([%&$#_{}~])", r"\1", text).strip()


def links(text: str) -> list[tuple[int, str]]:
    """The addresses in a text with the number of line ends before each."""
    found = [(m.start(), address(m[1] or m[3] or "")) for m in _LINK.finditer(text)]
    bare = re.finditer(r"https?://[^\s{}\\<>\"'\])]{4,300}", text)
    spans = [(m.start(), m.end()) for m in _LINK.finditer(text)]
    found += [(m.start(), m[0].rstrip(".,;")) for m in bare if not any(a <= m.start() < b for a, b in spans)]
    return [(text.count("\n", 0, at), link) for at, link in sorted(found) if link]
