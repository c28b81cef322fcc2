"""Renderer of tables as LaTeX with booktabs rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from jurydesk.core.language import format_number
from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, row_indices

HEAD_WIDTH = 14
"""Width above which the headings of marked columns are broken into lines."""
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


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX, on one line and without unprintable characters."""
    line = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return line.translate(LATEX)


def latex_comment(text: str) -> str:
    """Return a text as one line of comment."""
    return f"% {' '.join(text.split())}"


def latex_table(
    columns: Sequence[Column],
    comments: Iterable[str] = (),
    parts: Sequence[tuple[str, Sequence[int]]] | None = None,
) -> list[str]:
    """Return the lines of a `tabular`, after its comments.

    The best number of a column is bold; one that is not reliable is in parentheses, and never bold.
    Intervals have a column of their own. `parts` are rows with a title.
    """
    kinds = "".join(
        ("rc" if any(one.intervals) else "r") if isinstance(one, NumberColumn) else "l"
        for one in columns
    )
    lines = [
        "% \\usepackage{booktabs}",
        *map(latex_comment, comments),
        f"\\begin{{tabular}}{{@{{}}{kinds}@{{}}}}",
        "\\toprule",
        _line(head for one in columns for head in _heads(one)),
    ]
    for title, rows in [("", row_indices(columns).tolist())] if parts is None else parts:
        lines.append("\\midrule")
        if title:
            text = escape_latex(title)
            lines.append(f"\\multicolumn{{{len(kinds)}}}{{@{{}}l}}{{\\itshape {text}}} \\\\")
        lines += [_line(cell for one in columns for cell in _cells(one, row)) for row in rows]
    return [*lines, "\\bottomrule", "\\end{tabular}"]


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\"


def _heads(column: Column) -> Iterator[str]:
    if not isinstance(column, NumberColumn) or column.best is None:
        yield escape_latex(column.title)
        return
    lines = [escape_latex(line) for line in break_heading(column.title)]
    stacked = " \\\\ ".join(lines)
    many = len(lines) > 1
    yield f"\\begin{{tabular}}[b]{{@{{}}r@{{}}}}{stacked}\\end{{tabular}}" if many else stacked
    level = next((one.level for one in column.intervals if one), None)
    if level is not None:
        yield f"{100 * level:g}\\,\\% interval"


def break_heading(title: str) -> list[str]:
    """Return the lines of the heading of a column whose best number is marked."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > HEAD_WIDTH:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _cells(column: Column, row: int) -> Iterator[str]:
    text = column.plain(row)
    if not isinstance(column, NumberColumn) or column.show is not None:
        yield escape_latex(text).replace("–", "--")
        return
    number = _format_minus(text)
    if text == numbers.UNDEFINED:
        number = "--"
    elif row in column.doubtful:
        number = f"({number})"
    elif row in (column.best or ()):
        number = f"\\textbf{{{number}}}"
    yield number
    if any(column.intervals):
        interval, sign = column.intervals[row], "$^\\circ$" if row in column.remarks else ""
        yield _interval(interval, column.decimals, sign) if interval else ""


def _interval(interval: Interval, decimals: int, sign: str) -> str:
    ends = interval.low, interval.high
    if not all(map(math.isfinite, ends)):
        return ""
    low, high = (_format_minus(format_number(end, f".{decimals}f")) for end in ends)
    return f"{{\\footnotesize [{low}, {high}]{sign}}}"


def _format_minus(number: str) -> str:
    """Format a negative number with a minus sign."""
    return f"$-${number[1:]}" if number.startswith("-") else number
