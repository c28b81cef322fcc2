"""METEOR's normaliser: punctuation is split off the words, as the jar does it.

Java's classes of characters are ASCII where Python's are Unicode, so each is spelled out here.
Every substitution is one pass from left to right; a neighbour that one hit has consumed cannot
begin the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jurydesk.core.metrics.meteor import java_semantics

_ALPHA = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u04ff\u0500-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_ALNUM = "0-9" + _ALPHA
_SPACE = " \t\n\x0b\f\r"
_WIDE_BLANKS = "\u2000-\u200a\u202f\u205f\u3000\u00a0"

_SYMBOL = re.compile(rf"([^{_ALNUM}{_SPACE}.'`,\-\u2018\u2019])")
_DOTS = re.compile(r"\.(\.+)")
_MARKED_DOTS = re.compile(r"DOTMULTI\.([^.])")
_FURTHER_DOTS = re.compile(r"DOTMULTI(\.+)")
_MARKS = re.compile(r"(?<!DOT)(?:DOT)++MULTI")
_COMMAS = tuple(
    re.compile(pattern) for pattern in ("([^0-9]),([^0-9])", "([0-9]),([^0-9])", "([^0-9]),([0-9])")
)
_SINGLE_QUOTES = str.maketrans("`\u2018\u2019", "'''")
_DOUBLE_QUOTES = re.compile("\u201c|\u201d|''")
_HYPHEN = re.compile(rf"([{_ALNUM}.])-([{_ALNUM}])")
_APOSTROPHES = {
    language: [(re.compile(pattern), split) for pattern, split in passes]
    for language, passes in {
        "en": (
            (rf"([^{_ALPHA}])'([^{_ALPHA}])", r"\1 ' \2"),
            (rf"([^{_ALPHA}0-9])'([{_ALPHA}])", r"\1 ' \2"),
            (rf"([{_ALPHA}])'([^{_ALPHA}])", r"\1 ' \2"),
            (rf"([{_ALPHA}])'([{_ALPHA}])", r"\1 '\2"),
            (r"([0-9])'(s)", r"\1 '\2"),
        ),
        "fr": (
            (rf"([^{_ALPHA}])'([^{_ALPHA}])", r"\1 ' \2"),
            (rf"([^{_ALPHA}])'([{_ALPHA}])", r"\1 ' \2"),
            (rf"([{_ALPHA}])'([^{_ALPHA}])", r"\1 ' \2"),
            (rf"([{_ALPHA}])'([{_ALPHA}])", r"\1' \2"),
        ),
    }.items()
}
"""Passes over apostrophes by language; other languages separate each from its neighbours."""
_APOSTROPHE = [(re.compile("'"), " ' ")]
_LETTER = re.compile(f"[{_ALPHA}]")
_NO_WORD_CHARACTER = re.compile(f"[^{_ALNUM}]")
_BLANK_RUN = re.compile(f" [ {_WIDE_BLANKS}]+|[{_WIDE_BLANKS}][ {_WIDE_BLANKS}]*")
_DELIMITER = re.compile(r"[\t\n\r\f]")
_PLAIN = re.compile(r"[A-Za-z0-9 ]*\.?\Z")
_COMMON = re.compile(r"[A-Za-z0-9 .,'\-]*\Z")

Prefixes = Mapping[str, bool]
"""Abbreviations that keep their dot; True for those that keep it only before a number."""


def normalise(
    line: str, prefixes: Prefixes, *, keep_punctuation: bool = True, language: str = "en"
) -> str:
    """Return the line with punctuation split off the words; case is kept and matters.

    The languages differ in their abbreviations and apostrophes.
    """
    if line.isalnum() and line.isascii() and "DOTMULTI" not in line:
        return line
    if keep_punctuation and _PLAIN.match(line) and "DOTMULTI" not in line:
        return _normalize_plain(line, prefixes)
    text = _split_symbols(f" {line} ", language)
    text = _split_last_dots(text, prefixes) if "." in text else _DELIMITER.sub(" ", text)
    if "DOTMULTI" in text:
        text = _MARKS.sub(lambda mark: "." * mark[0].count("DOT"), text)
    if not keep_punctuation:
        text = _NO_WORD_CHARACTER.sub(" ", text)
    return _BLANK_RUN.sub(" ", text).strip(java_semantics.SPACES)


def _normalize_plain(line: str, prefixes: Prefixes) -> str:
    """Return the normalized line of letters, digits and blanks, perhaps with a final dot."""
    words = line.split()
    if line.endswith(".") and len(words[-1]) > 1:
        words[-1] = _strip_last_dot(words[-1], "", prefixes)
    return " ".join(words)


def _split_symbols(text: str, language: str) -> str:
    if not _COMMON.match(text):
        text = _SYMBOL.sub(r" \1 ", text)
        text = text.translate(_SINGLE_QUOTES)
    text = _mark_dots(text)
    if "," in text:
        for comma in _COMMAS:
            text = comma.sub(r"\1 , \2", text)
    text = _DOUBLE_QUOTES.sub(' " ', text)
    text = text.replace("\u2013", "-").replace("--", "-")
    if "-" in text:
        text = _HYPHEN.sub(r"\1 \2", text)
    if "'" in text:
        for apostrophe, split in _APOSTROPHES.get(language, _APOSTROPHE):
            text = apostrophe.sub(split, text)
    return text


def _mark_dots(text: str) -> str:
    """Replace runs of dots by separate words, spelled DOT...MULTI until the end.

    The jar takes one dot of each run at a time. Only the first time can change what was written
    as DOTMULTI; all other dots are taken at once.
    """
    if ".." in text:
        text = _DOTS.sub(r" DOTMULTI\1", text)
    if "DOTMULTI." in text:
        text = _MARKED_DOTS.sub(r"DOTDOTMULTI \1", text)
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
        text = _FURTHER_DOTS.sub(lambda mark: "DOT" * len(mark[1]) + "DOTMULTI ", text)
    return text


def _split_last_dots(text: str, prefixes: Prefixes) -> str:
    """Split the dot off every word that ends with one and is no abbreviation."""
    words = [*java_semantics.split_tokens(text), ""]
    for place, word in enumerate(words):
        if word.endswith(".") and len(word) > 1:
            words[place] = _strip_last_dot(word, words[place + 1], prefixes)
    return " ".join(words)


def _strip_last_dot(word: str, following: str, prefixes: Prefixes) -> str:
    """Return a word with a final dot as the jar writes it before the word `following`."""
    stem = word[:-1]
    if "." in stem and _LETTER.search(stem):
        return word.replace(".", "")
    numeric_only = prefixes.get(stem)
    if numeric_only is False or "a" <= following[:1] <= "z":
        return word
    if numeric_only and "0" <= following[:1] <= "9":
        return word
    return f"{stem} ."
