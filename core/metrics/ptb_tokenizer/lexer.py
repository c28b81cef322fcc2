"""Lexical rules of the Penn Treebank tokenizer, of which the longest match wins.

Lookahead counts towards the length of a match; of equally long matches the first rule wins.
Written from behavior (stanford-corenlp-3.4.1.jar with -preserveLines -lowerCase, fed with
invented text), not from its source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache

from jurydesk.core.metrics.ptb_tokenizer.abbreviations import (
    FILE_ENDINGS,
    NUMBERED,
    SENTENCE_END,
    SENTENCE_STARTS,
    TITLE,
    any_case,
)
from jurydesk.core.metrics.ptb_tokenizer.characters import (
    DELETED,
    LETTERS,
    MARKS,
    character_class,
    code_points,
)
from jurydesk.core.metrics.ptb_tokenizer.possessive_groups import compile_pattern

LINE_ENDS = "\n\r\v\f\u2028\u2029"
"""Each ends a line; CR LF is one end."""
SOFT_ENDS = "\v\f\u2028\u2029"
"""Those that a comment, and all but FF that an address may hold: such a token joins two lines."""
HARD_BLANK = "\xa0"
"""Blank inside a token."""

Write = Callable[[str], str]
Find = Callable[[str, int], re.Match[str] | None]
Rule = tuple[Find, Write]
"""A pattern whose group 1 is the token and whose further text is lookahead; what is written."""
Known = Callable[[str], str | None]
"""The tokens, joined by blanks, of a part between blanks; None where they depend on the place."""


class Lexer:
    """Lexer of a text, whose lines must be read in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ahead = _Lookahead(text)

    def line(self, place: int, known: Known = lambda part: None) -> tuple[list[str], int]:
        """Return the tokens of the line that begins at `place`, and the start of the next line.

        The time is linear in the length of the line; final periods depend on the next line. After
        the last line, the start is beyond the end of the text. `known` returns the tokens of the
        part before the next blank if they do not depend on the context.
        """
        text = self._text
        window = _WINDOW.match(text, place)
        rules, others, skip = _grammar(window is not None and window[0].isascii())
        tokens: list[str] = []
        while place < len(text):
            blank = skip(text, place)
            if blank:
                place = blank.end()
                continue
            character = text[place]
            if character in LINE_ENDS:
                return tokens, place + (2 if text.startswith("\r\n", place) else 1)
            part = _PART.match(text, place)
            found = known(part[0]) if part else None
            if part and found is not None:
                tokens += found.split(" ") if found else ()
                place = part.end()
                continue
            best, stop = place, place + 1
            write: Write = _write_unchanged
            for find, spell in rules.get(character, others):
                if find in _LONG and not self._ahead.allows(find, place):
                    continue
                match = find(text, place)
                if match and match.end() > best:
                    best, stop, write = match.end(), match.end(1), spell
            written = write(text[place:stop]).lower()
            if written != " ":  # `&nbsp;`, a blank that begins no site, or deleted
                tokens.append(written)
            place = stop
        return tokens, len(text) + 1


class _Lookahead:
    """Search for the sign that a long token needs, without searching any text twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[Find, int] = dict.fromkeys(_LONG, -1)

    def allows(self, find: Find, place: int) -> bool:
        """Return whether the sign follows the run of characters that may precede it."""
        run, sign = _LONG[find]
        if place >= self._found[find]:
            found = run.search(self._text, place + 1)
            self._found[find] = found.start() if found else len(self._text)
        return sign(self._text, self._found[find]) is not None


# Character classes, as the inside of brackets.
_ENDS = r"\n\r\v\f\u2028\u2029"
_GAPS = r" \t\n\r\f"
"""What no address holds."""
_BLANKS = r" \t\xa0\u2000-\u200a\u3000"
_WIDE_LETTERS = character_class(LETTERS)
_CAPITALS = "".join(
    f"\\u{code:04x}" for code in code_points(LETTERS) if unicodedata.category(chr(code)) == "Lu"
)
_MARKS = character_class(MARKS)
_WIDE_DIGITS = "".join(f"\\u{code:04x}" for code in code_points(LETTERS) if chr(code).isdecimal())
_DIGITS = f"0-9{_WIDE_DIGITS}"
_NO_ADDRESS = rf"{_GAPS}\xa0\"()<>|{{}}"

_NO_SITE = rf"{_GAPS}!\"$'(),\-./0-9:;<=>?@A-Z\[\\\]^_`{{|}}"
"""What the name of a site has not, where no www precedes it."""

_DELETED = (
    rf"\x00-\x08\x0e-\x1f\u2010\u2011\u058a{character_class(DELETED)}"
    r"\U00010000-\U0010ffff\ud800-\udfff"
)
DELETED_CHARACTER = re.compile(rf"(?![\u2010\u2011\u058a])[{_DELETED}]")
"""Character that never has a token."""

# Parts of patterns.
_D = f"[{_DIGITS}]"
_A = rf"(?!{_D})[A-Za-z{_WIDE_LETTERS}]"
_L = rf"(?!{_D})[A-Za-z\xad{_WIDE_LETTERS}{_MARKS}]"
_X = rf"[0-9A-Za-z\xad{_WIDE_LETTERS}{_MARKS}]"
_J = rf"[0-9A-Za-z{_WIDE_LETTERS}]"
_H = r"[-_\u2010\u2011\u058a]"
_Q = "(?:['’\x92]|&(?i:apos);)"  # an apostrophe
_O = "(?:['’`‘\x91\x92]|&(?i:apos);)"  # the same, or an opening quote
_E = f"(?:[dloDLO]{_O}{_J})?{_J}++"
_JOINED = f"{_E}(?:{_H}{_E})*+"
_END = rf"[{_BLANKS}{_ENDS}]"
_BLANK = rf"[{_BLANKS}{_ENDS}]"
_ENDING = "(?:[sSmMdD]|[lL][lL]|[rR][eE]|[vV][eE])"
_SHORT = rf"(?:'{_ENDING}(?![A-Za-z])|(?:[’\x92]|&(?i:apos);){_ENDING})"
_SHORT_BEGUN = rf"{_Q}{_ENDING}"
"""The same before letters: it ends the word before, though letters prevent its own token."""
_NOT = f"[nN]{_O}[tT]"
_ACRONYM = r"[A-Za-z](?:\.[A-Za-z])+\."
_HYPHENATED = rf"[A-Za-z0-9][A-Za-z0-9.,\xad]*+(?:-(?:{_ACRONYM}|[A-Za-z0-9\xad]++))++"
_SLASH = r"\\?/"
_ITEM = "[A-Za-z0-9]++(?:-[A-Za-z]++)*"
_NO_PATH = rf"{_GAPS}\"()<>|"
_PATH = rf"[^{_NO_PATH}]+[^{_NO_PATH}.,!?{{}}-]"
_STARTS = f"(?:{'|'.join(sorted({*SENTENCE_STARTS, *map(str.upper, SENTENCE_STARTS)}))}|M[rRsS]\\.)"
_NAME = "[A-Za-z][A-Za-z0-9_:.@-]*+"
_TAG = (
    rf"(?:</{_NAME}[ ]*+>|<{_NAME}(?:[ ]+[A-Za-z][A-Za-z0-9_:.-]*+"
    rf"(?:=(?:\"[^\"]*+\"|'[^']*+'))?)*+[ ]*+/?>)"
)
_BEFORE_SENTENCE = rf"(?:{_BLANK}+(?:{_STARTS}|{_TAG}){_END})"

_WINDOW = compile_pattern(rf"[^{_ENDS}]*+(?:{_BLANK}{{0,99}}+(?!{_BLANK})[^{_ENDS}]*+)")
"""A line and what decides about periods at its end: the next line with a word."""
_PART = re.compile(rf"[^ {_ENDS}]{{1,40}}+(?![^ \n\r])")
"""The text before the next blank; a long one is not searched, to keep the tokenizer linear."""
_EMAIL: Find = compile_pattern(
    rf"(<?(?:(?i:mailto):)?[A-Za-z0-9][^{_NO_ADDRESS}]*"
    rf"@[^.{_NO_ADDRESS}]++(?:\.[^.{_NO_ADDRESS}]++)*+>?)"
).match
_SEPARATED: Find = compile_pattern(
    rf"({_HYPHENATED}(?:\.(?=[,;:]))?)(?:(?<=\.)[,;:]|{_SHORT_BEGUN})?"
).match
_COMMENT: Find = compile_pattern(r"(<[!?][A-Za-z-][^>\n\r]*+>)").match
_LONG: Mapping[Find, tuple[re.Pattern[str], Find]] = {
    _EMAIL: (
        re.compile(f"[{_NO_ADDRESS}]|@(?=[^.{_NO_ADDRESS}])"),
        re.compile(f"@[^.{_NO_ADDRESS}]").match,
    ),
    _SEPARATED: (re.compile("[^0-9A-Za-z.,\xad]"), re.compile("-[0-9A-Za-z\xad]").match),
    _COMMENT: (re.compile(r"[>\n\r]"), re.compile(">").match),
}
"""Patterns that would read far for nothing: what ends their first part, and what must be there."""


def _abbreviations(words: list[str]) -> str:
    """Return a pattern of the words in every spelling that counts, the longest first."""
    found = "|".join(map(any_case, sorted(words, key=lambda word: (-len(word), word))))
    return rf"(?=[A-Za-z]{{2,6}}+\.)(?:{found})"


# What is written for a token.
_ROUND = {ord("("): "-LRB-", ord(")"): "-RRB-"}
_HARD = {
    **dict.fromkeys(map(ord, " \t\u3000"), HARD_BLANK),
    **dict.fromkeys(range(0x2000, 0x200B), HARD_BLANK),
}
_PHONE = {**_ROUND, **_HARD}
_APOSTROPHES = re.compile("&apos;|['’\x92]")
_QUOTES = {
    **dict.fromkeys("“«\x93", "``"),
    **dict.fromkeys("”»\x94", "''"),
    **dict.fromkeys("`‘‛‹\x91", "`"),
    **dict.fromkeys("’›\x92", "'"),
}
_WRITTEN = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
    "…": "...",
    "\x85": "...",
    **dict.fromkeys("–—―\x96\x97", "--"),
    **dict.fromkeys("€¤\u20a0\x80", "$"),
    "£": "#",
    "¢": "cents",
    "¼": "1/4",
    "½": "1/2",
    "¾": "3/4",
    "⅓": "1/3",
    "⅔": "2/3",
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&nbsp;": " ",
    "&mdash;": "--",
    "&ndash;": "--",
}
"""Signs with their tokens."""


def _write_unchanged(token: str) -> str:
    return token


def _word(token: str) -> str:
    return token.replace("\xad", "") or "-"


def _sign(token: str) -> str:
    if token.lower() == "&apos;":  # other spellings stay
        return _plain_apostrophes(token)
    return _WRITTEN.get(token.lower(), token)


def _plain_apostrophes(token: str) -> str:
    return _APOSTROPHES.sub("'", token)


def _joined_quotes(token: str) -> str:
    return "".join(map(_QUOTES.__getitem__, token))


def _phone(token: str) -> str:
    return token.translate(_PHONE)


def _round_brackets(token: str) -> str:
    return token.translate(_ROUND)


def _write_hard_blanks(token: str) -> str:
    return token.translate(_HARD)


def _write_with_period(token: str) -> str:
    return token + "."


def _constant_writer(written: str) -> Write:
    return lambda token: written


_ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_NUM = "0123456789"
_APOSTROPHE = "'&"

# Pattern (group 1 is the token), what is written, ASCII characters that it begins with, and
# whether it may also begin with others.
_RULES: tuple[tuple[str, Write, str, bool], ...] = (
    # Tags.
    (f"({_TAG})", _write_hard_blanks, "<", False),
    # Contractions: the part before, then the ending.
    (rf"({_JOINED}|{_L}{_X}*+){_SHORT_BEGUN}", _word, _ALPHA + _NUM, True),
    (r"((?i:can))(?i:not)", str, "cC", False),
    (r"((?i:gon|wan))(?i:na)", str, "gGwW", False),
    (r"((?i:got))(?i:ta)", str, "gG", False),
    (r"((?i:lem|gim))(?i:me)", str, "lLgG", False),
    (rf"([A-Za-z\xad]*[A-MO-Za-mo-z]\xad*){_NOT}", _word, _ALPHA, True),
    (f"({_NOT})", _plain_apostrophes, "nN", False),
    (rf"({_SHORT})(?:(?![A-Za-z])[\s\S])?", _plain_apostrophes, _APOSTROPHE, True),
    (r"('[tT])(?i:is|was)", str, "'", False),
    (rf"({_Q}(?i:em|till?|cause))", str, _APOSTROPHE, True),
    (rf"({_Q}[nN]{_Q})", str, _APOSTROPHE, True),
    (f"({_Q}[nN])", str, _APOSTROPHE, True),
    (r"(['’][2-9]0[sS])", str, "'", True),
    (rf"(['’][0-9][0-9]){_BLANK}", str, "'", True),
    (rf"((?i:e{_Q}er|c{_Q}mon|c{_Q}est|s{_Q}mores|ol{_Q}|o{_Q}o|nat'l))", str, "eEcCsSoOnN", False),
    (rf"([nA-HJ-XZ]{_O}(?:{_A}){{2,}}+)", str, "n" + _ALPHA[:26], False),
    (rf"({_A}(?:{_A})*[aeiouyAEIOUY]{_O}[aeiouA-Z](?:{_A})*+)", str, _ALPHA, True),
    (rf"([djlDJL]{_Q}|[yY]{_Q}(?={_L}))", str, "ydjlYDJL", False),
    # Abbreviations.
    (
        rf"({_abbreviations(SENTENCE_END)}|(?i:ph\.d))\."
        rf"(?:{_BLANK}?\Z|[\x85{_BLANKS}{_ENDS}]+(?:{_BLANK}|[A-Z\x85{_CAPITALS}]|{_TAG}))",
        _write_with_period,
        _ALPHA,
        False,
    ),
    (
        rf"((?:{_abbreviations(SENTENCE_END)}|(?i:ph\.d))\.)(?:{_L}(?!{_X})|-[A-Za-z0-9])?",
        str,
        _ALPHA,
        False,
    ),
    (rf"((?:{_abbreviations(TITLE)})\.)", str, _ALPHA, False),
    (rf"((?:{_abbreviations(NUMBERED)})\.)(?:{_BLANK})?{_D}", str, _ALPHA, False),
    (rf"([A-Za-z])\.{_BEFORE_SENTENCE}", str, _ALPHA, False),
    (rf"([A-Za-z](?:\.[A-Za-z])+)\.{_BEFORE_SENTENCE}", _write_with_period, _ALPHA, False),
    (r"([A-Za-z]\.)", str, _ALPHA, False),
    (r"([A-Za-z](?:\.[A-Za-z])+\.?)", str, _ALPHA, False),
    # Numbers.
    (
        rf"((?:{_D}{{1,4}}[ \xa0-])?{_D}{{1,4}}[/\u2044]{_D}{{1,4}})",
        _write_hard_blanks,
        _NUM,
        True,
    ),
    (r"([0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2,4})", str, _NUM, False),
    (
        r"((?:\([0-9]{2,3}\)[ \xa0]?|(?:\+\+?)?(?:[0-9]{2,4}[- \xa0])?[0-9]{2,4}[- \xa0])"
        r"[0-9]{3,4}[- \xa0]?[0-9]{3,5})",
        _phone,
        "(+" + _NUM,
        False,
    ),
    (rf"([-+]?(?:[.,:\xad]?{_D}++(?:[.,:\xad]{_D}++)*))", _word, "+-.,:" + _NUM, True),
    (rf"(\#(?:{_L})+)", str, "#", False),
    (r"(@[A-Za-z_][A-Za-z0-9_]*)", str, "@", False),
    # Words.
    (rf"([A-Za-z0-9]++(?:-[A-Za-z]++)*+(?:{_SLASH}{_ITEM}){{1,2}})", str, _ALPHA + _NUM, False),
    (rf"({_L}{_X}*+(?:[.!?]{_L}{_X}*+)+)(?:{_SHORT_BEGUN})?", _word, _ALPHA, True),
    # Addresses.
    (rf"((?i:https?)://[^{_NO_PATH}{{}}]+[^{_NO_PATH}.,!?{{}}-])", str, "hH", False),
    (rf"((?i:www)\.(?:[^{_NO_PATH}.,!?{{}}]+\.)+[A-Za-z]{{2,4}}(?:/{_PATH})?)", str, "wW", False),
    (
        rf"((?:[^{_NO_SITE}]{{1,63}}+\.){{1,9}}(?i:com|net|org|edu)(?:/{_PATH})?)",
        str,
        f"#%&*+~{_ALPHA[26:]}",
        True,
    ),
    # Other words.
    (
        rf"({_X}++(?:\.{_X}++){{0,20}}\.(?i:{'|'.join(FILE_ENDINGS)}))(?:[.,!?]|{_END})",
        str,
        _ALPHA + _NUM,
        True,
    ),
    (
        rf"((?:{_JOINED}|{_L}{_X}*+(?:[.!?]{_L}{_X}*+)*+)\.)[,;:]",
        _word,
        _ALPHA + _NUM,
        True,
    ),
    (rf"({_JOINED})", str, _ALPHA + _NUM, True),
    (rf"({_L}{_X}*+)", _word, _ALPHA, True),
    (r"((?i:pro|anti)-)", str, "pPaA", False),
    (r"([cC]\+\+|[cCfF]\#)", str, "cCfF", False),
    (
        r"([A-Z]+(?:(?:\+|&(?:amp;)?)[A-Z]+)+)",
        lambda token: token.replace("&amp;", "&"),
        _ALPHA,
        False,
    ),
    (r"([A-Z]+\$)", str, _ALPHA, False),
    # Signs.
    (r"(-(?i:lrb|rrb|lsb|rsb|lcb|rcb)-)", str, "-", False),
    # A character must follow: the end of the input is none.
    (r"([<>]?[:;=][-o*']?[()DPpdO|\\{@\[\]])(?=[^A-Za-z0-9])", _round_brackets, "<>:;=", False),
    (r"(:3)(?![A-Za-z0-9])", str, ":", False),
    (r"(\([-^x=~<>']_?[-^x=~<>']\)|[-^x=~<>']_[-^x=~<>'])", _round_brackets, "(-^x=~<>'", False),
    (r"(\"|&quot;)(?=[A-Za-z0-9$])", _constant_writer("``"), '"&', False),
    (r"(\"|&quot;|'')", _constant_writer("''"), "\"&'", False),
    (r"(')[A-Za-z][^ \t\xa0\n\r]", _constant_writer("`"), "'", False),
    (r"([`“«”»‘‛‹’›\x91-\x94]{1,2})", _joined_quotes, "`", True),
    (r"(&(?i:amp|lt|gt|nbsp|mdash|ndash|apos);)", _sign, "&", False),
    (r"(&#[0-9]+;|&[aeiouAEIOU](?i:acute|grave|uml);|&(?i:quot);)", str, "&", False),
    (r"(\.{3,5}|\. \. \.(?: \.)?)", _constant_writer("..."), ".", False),
    (r"(-{2,4})(?!-)", _constant_writer("--"), "-", False),
    (r"(-{5,}+|[!?]++|\*++|_++|\#++|@++|<<|>>|``|\\\*)", str, "-!?*_#@<>`\\", False),
    (r"(‚+|„+|\u201f+|[²³¹\u2070\u2074-\u2079]+|[\u2080-\u2089]+)", str, "", True),
    (r"([()\[\]{}…\x85–—―\x96\x97€¤\u20a0\x80£¢¼½¾⅓⅔])", _sign, "()[]{}", True),
)


@cache
def _grammar(is_ascii: bool) -> tuple[Mapping[str, list[Rule]], list[Rule], Find]:
    """Return the rules of each ASCII character, those of any other, and what has no token.

    Those for ASCII alone compile in a fraction of the time.
    """
    wide_classes = (_WIDE_LETTERS, _MARKS, _CAPITALS, _WIDE_DIGITS) if is_ascii else ()
    narrow: dict[str, list[Rule]] = {chr(code): [] for code in range(128)}
    wide: list[Rule] = []
    for pattern, write, first, beyond in _RULES:
        for wide_class in wide_classes:
            pattern = pattern.replace(wide_class, "")
        rule = (compile_pattern(pattern).match, write)
        for character in dict.fromkeys(first):
            narrow[character].append(rule)
        if beyond:
            wide.append(rule)
    for character in _ALPHA + _NUM:
        narrow[character].insert(0, (_EMAIL, str))
        narrow[character].append((_SEPARATED, _word))
    narrow["<"][:0] = [(_EMAIL, str), (_COMMENT, _write_hard_blanks)]
    nothing = r"\x00-\x08\x0e-\x1f\x7f" if is_ascii else _DELETED
    deleted = (re.compile(f"([{_BLANKS}{nothing}]+)").match, _constant_writer(" "))
    for rules in (wide, *narrow.values()):
        rules.append(deleted)
    return narrow, wide, re.compile("[ \t]+").match
