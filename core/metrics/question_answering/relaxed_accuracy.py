"""Relaxed accuracy of answers with numbers (ChartQA).

Source: google-research/pix2struct, `metrics.py`.
"""

from __future__ import annotations

TOLERANCE = 0.05


def parse_number(text: str) -> float | None:
    """Return the number that a text is to Python; one with a percent sign is divided by 100."""
    try:
        return float(text.rstrip("%")) / 100.0 if text.endswith("%") else float(text)
    except ValueError:
        return None


def is_near(wanted: float, found: float) -> bool:
    """Return whether a number is within 5 % of the wanted one; only 0 is near 0."""
    return abs(found - wanted) / abs(wanted) <= TOLERANCE if wanted else found == wanted


def is_right(target: str, given: str) -> bool:
    """Return whether a number is within 5 % of the target, or a text equal but for its case.

    A target of 0 is compared as text.
    """
    wanted, found = parse_number(target), parse_number(given)
    if found is not None and wanted:
        return is_near(wanted, found)
    return given.lower() == target.lower()
