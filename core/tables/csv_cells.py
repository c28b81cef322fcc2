"""Escaping of users' texts for spreadsheets and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters that make a spreadsheet read a cell as a formula (OWASP, CSV Injection)."""

LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "#": r"\#",
        "$": r"\$",
        "%": r"\%",
        "&": r"\&",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)


def escape_formula(text: str) -> str:
    """Prefix an apostrophe to a text that a spreadsheet would read as a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX, on one line and without unprintable characters."""
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return line.translate(LATEX)


def csv_text(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as CSV in UTF-8; numbers read back as the same float64."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", errors="backslashreplace")
