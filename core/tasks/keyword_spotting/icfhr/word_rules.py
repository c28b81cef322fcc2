"""Validation rules for a `<word>` of the ICFHR 2014 files."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping

from jurydesk.core.language import fill, reason

RELEVANCE_ROOT = "GroundTruthRelevanceJudgements"
RESULTS_ROOT = "RelevanceListings"
BOX = ("x", "y", "width", "height")
NEEDED = ("document", *BOX)
KNOWN = frozenset((*NEEDED, "Text", "Relevance"))
MAX_DIGITS = 9
"""Maximum number of digits; the area of a box must fit 64 bits."""

_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|ascii|iso8859-\d+|cp\d+|koi8-[rtu]|mac-[a-z0-9]+|hp-roman8|kz1048"
    r"|ptcp154|tis-620"
)
"""Python's names of UTF-8, UTF-16 and of the encodings in which each byte is one character."""
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

Complaint = tuple[str, str, str]
"""Text of a defect: found, expected, hint."""


def parse_attribute_number(text: str) -> int | None:
    """Return the whole number that `text` writes with at most nine ASCII digits, or None."""
    if _WHOLE.fullmatch(text) and len(text.lstrip("+-")) <= MAX_DIGITS:
        return int(text)
    return None


def parse_relevance(text: str) -> float | None:
    """Return the graded relevance that `text` writes, or None where it is no number from 0 to 1."""
    if not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if 0.0 <= value <= 1.0 else None


def check_word(attributes: Mapping[str, str], *, judged: bool) -> list[Complaint]:
    """Return every defect in the attributes of one word."""
    found = [_missing_attribute(name, attributes) for name in NEEDED if name not in attributes]
    if attributes.get("document") == "":
        found.append(("document is empty.", "It names the page.", "Write the page's name."))
    numbers = [(name, attributes[name]) for name in BOX if name in attributes]
    found += [fault for name, text in numbers if (fault := _bad_number(name, text))]
    if judged and "Relevance" in attributes and parse_relevance(attributes["Relevance"]) is None:
        found.append(_bad_relevance(attributes["Relevance"]))
    return found


def suggest_name(wrong: Iterable[str], right: str) -> str:
    """Return "Did you mean ...?" for the first name that resembles `right`, or ""."""
    from difflib import SequenceMatcher

    for name in wrong:
        if SequenceMatcher(None, name.lower(), right.lower()).ratio() >= 0.7:
            return reason('"{name}" was found: did you mean "{right}"?', name, right)
    return ""


def _missing_attribute(name: str, attributes: Mapping[str, str]) -> Complaint:
    unknown = [other for other in attributes if other not in KNOWN]
    return (
        fill('attribute "{name}" is missing.', name),
        "Every <word> needs document, x, y, width and height.",
        suggest_name(unknown, name) or fill("Add {name}.", name),
    )


def _bad_number(name: str, text: str) -> Complaint | None:
    attribute, written = name, shorten(text)
    number = parse_attribute_number(text)
    if number is None and _WHOLE.fullmatch(text):
        return (
            fill('{attribute}="{written}" has more than nine digits.', attribute, written),
            "Boxes are in pixels.",
            "Correct it.",
        )
    if number is None:
        expected = "x, y, width and height are whole numbers of pixels."
        return (
            fill('{attribute}="{written}" is not a whole number.', attribute, written),
            expected,
            "Write digits only.",
        )
    if number <= 0 and name in ("width", "height"):
        expected = "A box has a positive width and height."
        return (
            fill('{attribute}="{written}" is not positive.', attribute, written),
            expected,
            "Correct the box.",
        )
    return None


def _bad_relevance(text: str) -> Complaint:
    written = shorten(text)
    if _DECIMAL.fullmatch(text):
        hint = "Divide all grades by the highest one."
        return (
            fill('Relevance="{written}" is outside [0, 1].', written),
            "Relevance is a number from 0 to 1.",
            hint,
        )
    hint = "Write it with a point, such as 0.9."
    return (
        fill('Relevance="{written}" is not a number.', written),
        "Relevance is a number from 0 to 1.",
        hint,
    )


def shorten(text: str) -> str:
    """Return the beginning of a long text, to be quoted in a sentence."""
    return text if len(text) <= 40 else f"{text[:40]}..."


def is_encoding(name: str) -> bool:
    """Return whether a file may be in the encoding of that name: one that is read as it comes."""
    try:
        return _ENCODINGS.fullmatch(codecs.lookup(name).name) is not None
    except (LookupError, ValueError):
        return False
