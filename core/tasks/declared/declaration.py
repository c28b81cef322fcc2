"""Declaration of a competition in a folder: its columns, their true values, and its metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Json

DECLARATION = "competition.toml"
"""Name of the file in the folder of a competition."""
REFERENCES = "references"
"""Name, without its ending, of the table of references beside it."""

Kind = Literal["text", "class", "number"]
KINDS: tuple[Kind, ...] = ("text", "class", "number")
Missing = Literal["error", "empty", "skip"]
MISSING: tuple[Missing, ...] = ("error", "empty", "skip")
MISSING_TITLES: Mapping[str, str] = {
    "error": translatable("refuse the file"),
    "empty": translatable("count as an empty text"),
    "skip": translatable("leave the item out"),
}


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """Column of results, and the columns of the references that hold its true values.

    A cell of the references with the `separator` holds several true values; empty without one.
    """

    name: str
    kind: Kind = "text"
    references: tuple[str, ...] = ()
    separator: str = ""


@dataclass(frozen=True, slots=True)
class DeclaredMetric:
    """Measure from the catalogue of a column; `title` replaces that of the measure."""

    measure: str
    column: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """Competition as `competition.toml` declares it, complete and consistent.

    Attributes:
        title: Title of the competition.
        item: Column that names the items, in results and references.
        columns: Columns of results; the first metric ranks.
        metrics: Metrics in the order of the board.
        missing: What becomes of items without a result.
        group: Column of the references whose items are resampled together; empty without one.
        picture: Column of the references with names of picture files; empty without one.
        shown: Columns of the references that people may see, such as a question.
        slices: Columns of the references by which items are filtered.
    """

    title: str
    item: str
    columns: tuple[ResultColumn, ...]
    metrics: tuple[DeclaredMetric, ...]
    missing: Missing = "error"
    group: str = ""
    picture: str = ""
    shown: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()

    def column(self, name: str) -> ResultColumn:
        """Return the column of a name."""
        return next(one for one in self.columns if one.name == name)

    def metric_name(self, metric: DeclaredMetric) -> str:
        """Return the name of a metric: its measure, after the column's if there are several."""
        if len(self.columns) == 1:
            return metric.measure
        return f"{metric.column}.{metric.measure}"

    def rules(self) -> dict[str, Json]:
        """Return what results are checked by, without anything about references and metrics."""
        columns = [[one.name, one.kind] for one in self.columns]
        return {"item": self.item, "columns": columns, "missing": self.missing}


def declaration_text(declared: Declaration) -> str:
    """Return the text of `competition.toml`."""
    lines = [
        f"title = {_quoted(declared.title)}",
        f"item = {_quoted(declared.item)}  # column that names the items, in both tables",
        f'missing = "{declared.missing}"  # items without a result: {", ".join(MISSING)}',
        *(
            f"{name} = {_quoted(value)}"
            for name, value in (("group", declared.group), ("picture", declared.picture))
            if value
        ),
        *(
            f"{name} = {_listed(values)}{comment}"
            for name, values, comment in (
                ("shown", declared.shown, "  # columns that raters see: no true values"),
                ("slices", declared.slices, ""),
            )
            if values
        ),
    ]
    for column in declared.columns:
        lines += ["", f"[columns.{_quoted(column.name)}]", f'kind = "{column.kind}"']
        lines.append(f"references = {_listed(column.references)}")
        if column.separator:
            lines.append(f"separator = {_quoted(column.separator)}")
    for metric in declared.metrics:
        lines += ["", "[[metrics]]", f'measure = "{metric.measure}"']
        lines.append(f"column = {_quoted(metric.column)}")
        if metric.title:
            lines.append(f"title = {_quoted(metric.title)}")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """Return a basic string of TOML."""
    shown = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(letter) for letter in shown) + '"'


def _escaped(letter: str) -> str:
    return letter if letter >= " " and letter != "\x7f" else f"\\u{ord(letter):04x}"


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"
