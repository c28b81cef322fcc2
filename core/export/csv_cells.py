"""Text from users' files made safe for the programs that open an export."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What makes a spreadsheet read a cell as a formula (OWASP, CSV Injection)."""

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
    """Text that no spreadsheet takes for a formula: such a text gets an apostrophe before it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def escape_latex(text: str) -> str:
    """Text that LaTeX prints as it stands, on one line; what cannot be printed is left out."""
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return line.translate(LATEX)


def csv_text(rows: Iterable[Sequence[object]]) -> bytes:
    """Rows as CSV in UTF-8; numbers as the shortest text that reads back as the same float64."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", errors="backslashreplace")
