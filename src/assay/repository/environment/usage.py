"""Does a sentence say that the work uses a package? "Implemented in PyTorch", "searched with Optuna", "a Flask app".

Only names that mean nothing else are looked for among the words of a sentence; of any other it must say that it is a
library. What is owed to others, compared with, or planned is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from assay.patterns import regex
from assay.repository.environment.distributions import lines_of, table

VARIANTS = r"(?:-(?:gpu|cpu|base|nightly|headless))?"
"""Endings of names under which the same is to be had."""
_MOST = 20
"""So many places in one passage are looked at for one package."""
_REACH = 160
"""How far before and behind a name the sentence is read."""
_USING = regex(
    r"\b(?:us(?:e|es|ed|ing)|utili[sz]\w{1,5}|employ(?:s|ed|ing)?|leverag(?:e|es|ed|ing)|power(?:s|ed) by"
    r"|rel(?:y|ies) on|implement(?:ed|s|ation|ations|ing)?|built|build|builds|written|coded|developed|created|made"
    r"|train(?:s|ed)? (?:in|with|on)|run(?:s|ning)?|based (?:on|upon)|frameworks?|librar(?:y|ies)|packages?"
    r"|toolkits?|tools?|technolog(?:y|ies)|usando|utiliz\w{1,6}|empleando|librer[ií]as?|bibliotecas?|utilis\w{1,5}|biblioth[eè]ques?"
    r"|verwend\w{1,4}|benutz\w{1,4}|mithilfe|bibliothek(?:en)?|menggunakan|memanfaatkan|pustaka|sử dụng|thư viện"
    r"|использ\w{1,10}|библиотек\w{1,3}|помощью|kullan\w{1,8}|kütüphane\w{0,6}|gebruik\w{0,4}|grâce|mediante"
    r"|implement\w{3,6}|impl[eé]ment\w{1,6}|desarrollad[oa]s?|desenvolvid[oa]s?|développé\w{0,2}|entwickelt|sviluppat[oa]"
    r"|dibangun|dibuat|dikembangkan|реализован\w{0,2}|написан\w{0,2}|wykorzyst\w{1,8}|użyci\w{1,2}"
    r"|setting up|set up)\b|使用|采用|基于|基於|利用|框架|라이브러리|사용|ライブラリ"
)
"""Words that say so of what follows them in the sentence."""
_BY = regex(
    r"(?:\b(?:in|with|via|through|by|on|from|w|into|con|com|em|avec|sous|mit|met|med|en|dengan|với|bằng|на|\u0441)|用)"
    r"(?:\s(?:the|a|an|our|python|la|el|le|der|die))?[\s*_`\"'\u201c(\[/-]{0,6}$"
)
"""Words that say so of the very next."""
_THING_BEFORE = regex(
    r"\b(?:appli(?:cation)?s?|apps?|apis?|serveurs?|servidor|modèles?|modelos?|model|sch[eé]mas?|esquemas?|interface"
    r"|aplicaç(?:ão|ões)|aplicaci(?:ón|ones)|applicazione|aplikasi|antarmuka|réseaux?|ứng dụng|приложение|модель)"
    r"[\s*_`]{1,4}$"
)
"""The same right before it, as Romance languages have it, and others."""
_BEHIND = r"[\s*_`\"')\]-]{0,4}(?:\(https?:[^)\s]{1,150}\)\s)?(?:python[ -])?"
_THING = regex(
    _BEHIND
    + r"(?:librar(?:y|ies)|frameworks?|packages?|modules?|toolkits?|toolbox|(?:re)?implementations?|code(?:base)?"
    r"|repo(?:sitory)?|versions?|models?|networks?|apps?|applications?|web ?apps?|dashboards?|servers?|services?|api"
    r"|back-?ends?|front-?ends?|interfaces?|ui|features?|descriptors?|data ?loaders?|pipelines?|scripts?|notebooks?"
    r"|stud(?:y|ies)|heatmaps?|plots?|charts?|based|estimators?|classifiers?|tensors?|visuali[sz]\w{2,8}|inference"
    r"|arrays?|data ?frames?|archives?|files?|checkpoints?|weights|data ?sets?|databases?|schemas?|routes?|endpoints?"
    r"|entry ?points?|pages?|tracking|logging"
    r"|training|wrappers?|(?:is|are|was|were) used|used for|라이브러리|库|框架)(?!\w)"
)
"""What is said right behind a name of something made with it, or in a form of its own."""
_BEHIND_ONLY = regex(
    r"[\s*_`\"')\]]{0,4}(?:(?:을|를)?\s?(?:사용|이용|활용)|(?:으)?로\s?(?:구현|작성|개발|학습)|を(?:使|用い|利用)|で(?:実装|作成|開発)"
    r"|(?:'\w{1,4}\s|\s)?(?:kullan|ile\s))"
)
"""The same in languages that put it there."""
_KIND = (
    r"(?:librar(?:y|ies)|packages?|frameworks?|toolkits?|librer[ií]as?|bibliotecas?|biblioth[eè]ques?|thư viện"
    r"|pustaka|paquets?|paquetes?|pacotes?|pakete?|bibliothek|kütüphane\w{0,4}|библиотек\w{1,3}|库|라이브러리|ライブラリ)"
)
_LIBRARY_AFTER = regex(rf"[\s*_`\"')\]<>/b-]{{1,8}}(?:python[ -])?{_KIND}(?!\w)")
_LIBRARY_BEFORE = regex(rf"\b{_KIND}[\s*_`\"':(\[,]{{1,4}}(?:called |named |known as )?[`*\"'\[]{{0,3}}$")
_MODULE_AFTER = regex(r"[\s*_`\"')\]-]{1,4}(?:python[ -])?modules?(?!\w)")
"""Of a name behind a word of use: what is not used may be a module of the authors' own."""
_OWED = regex(
    r"\b(?:inspired|borrow\w{0,5}|adapted|adopted|modified|forked|taken|ported|originally|official|earlier"
    r"|original (?:\w{1,20} ){0,2}(?:code\w{0,4}|implement\w{0,6}|repo\w{0,8}|authors?|works?|versions?|papers?)"
    r"|thank(?!s to)\w{0,4}|acknowledg\w{0,6}|credits?|courtesy|cf|see also|refer(?:s|red)? to|similar|unlike"
    r"|compar\w{1,6}|versus|vs|equivalent|migrat\w{1,5}|replac\w{1,6}|remov\w{1,4}|deprecated|instead|rather|no longer"
    r"|without|not|cannot|never|future|todo|upcoming|planned|plan to|will be(?! us(?:ed|ing)\b)|tutorials?|courses?"
    r"|books?|chapters?|sans|sem|não|ohne|nicht|kein\w{0,2}|senza|zonder|tanpa|tidak|bukan|без|не|không"
    r"|learn(?:ed|ing)? (?:about|how)|if available|translat\w{1,5}|convert\w{0,3} from|port of|third[- ]party)\b"
    r"|n't\b|\boriginal[\s*_`]{0,3}$"
)
"""The sentence is about the work of others, about what is not done, or about what may once be."""
_PAIR = regex(r"(?<![\w./:-])[a-z][\w-]{1,30}/[a-z][\w-]{1,30}(?:/[a-z][\w-]{1,30})?(?![\w/-])(?!\.\w)")
_SEPARATOR = regex(r"[,/&+\u3001]|(?<!\w)(?:and|or|et|y|e|und|dan|ve|và|и|en|i|plus)(?!\w)|[和与與及]|と(?=[ a-z])")
"""What stands between names that are listed in a sentence."""
_MARKS = " \t\n*_`\"'()[]:"
_SHORT = 3
"""An item of a list with more words is more than a name."""
_END = regex(r"[.!?;](?=\s|$)|\n\s*\n|[\u3002\uff1b]")


@lru_cache(maxsize=512)
def spellings(names: tuple[str, ...]) -> tuple[re.Pattern[str] | None, re.Pattern[str]]:
    """Patterns for those of the names that are unmistakable, if any, and for all of them."""
    flexible = {loosely(name) for name in names if re.sub(r"[-_.]", " ", name) in _unmistakable()}
    exact = {re.escape(name) for name in names if "_" in name}  # "face_recognition", not "face recognition"
    return (_any_of(flexible | exact) if flexible or exact else None), _any_of(set(map(loosely, names)))


def loosely(name: str) -> str:
    """A pattern for a name with whatever people put between its parts."""
    return r"[-_. ]?".join(map(re.escape, re.split(r"[-_. ]", name)))


def _any_of(spelt: set[str]) -> re.Pattern[str]:
    names = "|".join(sorted(spelt, key=len, reverse=True))
    pattern = rf"(?<![\w./@-])(?:{names})(?:\d(?:\.\d{{1,2}})?)?{VARIANTS}(?![\w/@])(?!\.\w)(?!-(?!based)\w)"
    return re.compile(pattern, re.ASCII)  # Chinese puts no room around a name


@cache
def _unmistakable() -> frozenset[str]:
    return frozenset(lines_of("unmistakable.txt"))


def place_of_use(text: str, names: tuple[str, ...]) -> int | None:
    """Where a text, in lower case, says that a package of one of these names is used."""
    plain = spellings(names)[0]
    for at, before, after in _sentences(text, plain) if plain is not None else ():
        made = _THING.match(after) or _THING_BEFORE.search(before)
        used = made or _is_used(before) or _BEHIND_ONLY.match(after)
        if used and not _is_owed(before, after):
            return at
    return place_of_library(text, names)


def place_among_others(text: str, names: tuple[str, ...]) -> int | None:
    """Where a text, in lower case, has one of these names as code, or in one breath with a package, as used.

    "Drawn with Matplotlib and WordCloud": what stands beside a package is one. For names that are no mere words.
    """
    for at, before, after in _sentences(text, spellings(names)[1]):
        coded = before.endswith("`") and after.startswith("`") and _is_used(before)
        if (coded or _follows_package(before) or (_is_used(before) and _precedes_package(after))) and not _is_owed(
            before, after
        ):
            return at
    return None


def is_unmistakable(name: str) -> bool:
    """Whether a name, in lower case, means a package and nothing else."""
    return re.sub(r"[-_.]", " ", name) in _unmistakable()


def _is_used(before: str) -> bool:
    """Whether a sentence so far says that what comes next is used."""
    return _USING.search(before) is not None or _BY.search(before) is not None


def _follows_package(before: str) -> bool:
    """Whether what a sentence says so far ends with packages that are used, and a sign that the list goes on."""
    signs = [(0, 0), *(sign.span() for sign in _SEPARATOR.finditer(before))]
    if len(signs) == 1 or before[signs[-1][1] :].strip(_MARKS):
        return False
    for (_, start), (end, _) in reversed(list(pairwise(signs))):
        words = before[start:end].split()
        for length in (1, 2, 3):
            if is_unmistakable(" ".join(words[-length:]).strip(_MARKS)):
                said = f"{before[:start]}{' '.join(words[:-length])} "
                return _is_used(said) or _follows_package(said)
        if len(words) > _SHORT:
            return False
    return False


def _precedes_package(after: str) -> bool:
    """Whether a list of packages goes on behind a name."""
    first, *items = _SEPARATOR.split(after, maxsplit=1)
    if first.strip(_MARKS) or not items:
        return False
    words = items[0].split()
    return any(is_unmistakable(" ".join(words[:n]).strip(_MARKS)) for n in (1, 2, 3))


def place_of_library(text: str, names: tuple[str, ...]) -> int | None:
    """Where a text, in lower case, calls one of these names a library."""
    for at, before, after in _sentences(text, spellings(names)[1]):
        called = _LIBRARY_BEFORE.search(before) or _LIBRARY_AFTER.match(after)
        if (called or (_MODULE_AFTER.match(after) and _is_used(before))) and not _is_owed(before, after):
            return at
    return None


def with_pairs_apart(text: str) -> str:
    """The same with room between names that share a word: "keras/tensorflow"; not in paths."""
    return _PAIR.sub(lambda pair: pair[0].replace("/", " / ") if _are_names(pair[0].split("/")) else pair[0], text)


def _are_names(words: list[str]) -> bool:
    return all(word in _unmistakable() or word in table().popular for word in words)


def _is_owed(before: str, after: str) -> bool:
    return _OWED.search(before) is not None or _OWED.search(after) is not None


def _sentences(text: str, package: re.Pattern[str]) -> Iterator[tuple[int, str, str]]:
    """Where the package is named, with what its sentence says before and after."""
    for number, found in enumerate(package.finditer(text)):
        if number >= _MOST:
            return
        before = _END.split(text[max(0, found.start() - _REACH) : found.start()])[-1]
        after = _END.split(text[found.end() : found.end() + _REACH], 1)[0]
        yield found.start(), before, after
