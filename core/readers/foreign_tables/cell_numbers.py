"""Numbers in cells as people and programs write them: decimal commas, percentages, words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import BoolArray, FloatArray
from jurydesk.core.tables.table_file import FORMULA_STARTS

SAMPLE = 100
"""Texts of which a column of texts alone is told by."""

_MISSING = """
nan null none na n/a n.a. #n/a #na <na> nil - – — ? . missing undefined inf +inf -inf infinity
-infinity
"""
MISSING = frozenset(("", *_MISSING.split()))
"""Texts without a number, in small letters; infinite numbers have no mean."""
TRUE = frozenset(("true", "t", "yes", "y", "correct", "right", "pass", "passed", "ok", "да"))
FALSE = frozenset(("false", "f", "no", "n", "incorrect", "wrong", "fail", "failed", "нет"))
WORDS = {**dict.fromkeys(TRUE, 1.0), **dict.fromkeys(FALSE, 0.0)}
"""Values of words for right and wrong, in small letters."""

BLANKS = dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007'’"), " ")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_COMMA_GROUPS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_OTHER_GROUPS = re.compile(r"[+-]?\d{1,3}(?:(?:[ ]\d{3})+|(?:\.\d{3})+)(?:,\d+)?")
_BLANK_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ ]\d{3})+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, eq=False)
class NumberCells:
    """Numbers of distinct texts (texts,), NaN where a text is missing or no number.

    Attributes:
        values: The numbers.
        wrong: Positions of texts that are neither numbers nor missing.
        missing: Which texts are missing values (texts,).
        remarks: Sentences on how numbers were read.
    """

    values: FloatArray
    wrong: tuple[int, ...]
    missing: BoolArray
    remarks: tuple[str, ...] = ()


def parse_number_cells(texts: Sequence[str]) -> NumberCells:
    """Parse the distinct texts of a column, whose notation is that of all its cells."""
    values = np.full(len(texts), np.nan)
    missing = np.zeros(len(texts), np.bool_)
    others: list[int] = []
    has_plain = False
    for place, text in enumerate(texts):
        try:
            number = float(text)
        except ValueError:
            others.append(place)
            continue
        if math.isfinite(number) and "_" not in text:
            values[place] = number
            has_plain = has_plain or number != 0
        elif "_" in text:
            others.append(place)
        else:
            missing[place] = True
    if not others:
        return NumberCells(values, (), missing)
    if len(others) > 2 * SAMPLE:
        tried = parse_number_cells([texts[place] for place in others[:: len(others) // SAMPLE]])
        if len(tried.wrong) == len(tried.values):
            return NumberCells(values, tuple(others), missing)  # a column of texts
    return _parse_others(texts, others, values, missing, has_plain=has_plain)


def _parse_others(
    texts: Sequence[str],
    others: Sequence[int],
    values: FloatArray,
    missing: BoolArray,
    *,
    has_plain: bool,
) -> NumberCells:
    """Parse what is no plain number, in the notation that fits the column."""
    found: dict[int, tuple[str, bool]] = {}
    has_words = False
    wrong: list[int] = []
    for place in others:
        text = _tidy(texts[place])
        small = text.casefold()
        if small in MISSING:
            missing[place] = True
        elif small in WORDS:
            values[place], has_words = WORDS[small], True
        else:
            is_share = text.endswith("%")
            found[place] = text.removesuffix("%").rstrip(), is_share
    comma = _has_decimal_comma([text for text, _ in found.values()])
    is_percent = {place for place, (_, share) in found.items() if share}
    remarks: list[str] = []
    for place, (text, _) in found.items():
        number = _parse_grouped(text, comma=comma)
        if number is None or not math.isfinite(number):
            wrong.append(place)
            is_percent.discard(place)
        else:
            values[place] = number
    excluded = set(wrong)
    right = [place for place in found if place not in excluded]
    if is_percent and (has_plain or has_words or len(is_percent) < len(right)):
        wrong += is_percent  # a share of 1 and 1 % cannot be told apart
        values[list(is_percent)] = np.nan
    elif is_percent:
        values[list(is_percent)] /= 100
        remarks.append(translatable("Percentages were read as shares of 1."))
    if comma and any("," in text for text, _ in found.values()):
        remarks.append(translatable("Commas were read as decimal commas."))
    elif any("," in found[place][0] for place in right):
        place = next(place for place in right if "," in found[place][0])
        example = found[place][0], repr(float(values[place]))
        remarks.append(fill("Commas separate thousands: {text} was read as {number}.", *example))
    return NumberCells(values, tuple(sorted(wrong)), missing, tuple(remarks))


def tidy_name(text: str) -> str:
    """Return a text without outer blanks, and without an apostrophe against formulas."""
    is_escaped = text[:1] == "'" and text[1:].startswith(FORMULA_STARTS)
    return text[is_escaped:].strip()


def _tidy(text: str) -> str:
    """Return the text of a number with plain blanks and a short minus."""
    return tidy_name(text).translate(BLANKS).strip().replace("−", "-")


def _has_decimal_comma(texts: Sequence[str]) -> bool:
    """Return whether commas are decimal: some number with a comma cannot be thousands."""
    return any(
        (_DECIMAL_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text))
        or ("," in text and _OTHER_GROUPS.fullmatch(text))
        for text in texts
    )


def _parse_grouped(text: str, *, comma: bool) -> float | None:
    """Return the number of a text in the column's notation; None if it is none."""
    if comma and _DECIMAL_COMMA.fullmatch(text):
        return float(text.replace(",", "."))
    if comma and _OTHER_GROUPS.fullmatch(text):
        return float(text.replace(".", "").replace(" ", "").replace(",", "."))
    if not comma and _COMMA_GROUPS.fullmatch(text):
        return float(text.replace(",", ""))
    if _BLANK_GROUPS.fullmatch(text):
        return float(text.replace(" ", ""))
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None
