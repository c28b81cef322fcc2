"""Reader of `competition.toml`, which names every defect with its line and key."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from jurydesk.core.competition.task import Inputs
from jurydesk.core.language import fill, name_list, reason, translatable
from jurydesk.core.model.defects import Defect, Reading, error, has_errors, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import describe_value
from jurydesk.core.tasks.declared.declaration import (
    KINDS,
    MISSING,
    Declaration,
    DeclaredMetric,
    Kind,
    Missing,
    ResultColumn,
)
from jurydesk.core.tasks.declared.measures import MEASURES
from jurydesk.core.tasks.declared.toml_file import TomlFile, read_toml

TOP = frozenset(
    [
        "title",
        "item",
        "missing",
        "group",
        "picture",
        "shown",
        "slices",
        "columns",
        "metrics",
    ]
)
OF_COLUMN = frozenset(("kind", "references", "separator"))
OF_METRIC = frozenset(("measure", "column", "title"))
LONGEST = 200
"""Characters of a name or a title."""
JOINERS = "\u200c\u200d"
"""Characters without a width that words of Persian and Hindi have."""
MOST = 100
"""Columns, and metrics."""


def declared_title(inputs: Inputs) -> str:
    """Return the title of a competition; empty while its declaration has errors."""
    files = inputs.get("competition", ())
    declared = read_declaration(files[0]).data if files else None
    return declared.title if declared else ""


def read_declaration(path: Path) -> Reading[Declaration]:
    """Read the declaration of a competition; all its defects are named at once."""
    reading = read_toml(path)
    if reading.data is None:
        return Reading(None, reading.defects)
    reader = _Reader(reading.data)
    declared = reader.read()
    defects = (*reading.defects, *reader.defects)
    return Reading(None if has_errors(defects) else declared, defects)


class _Reader:
    """Checks of one file, which collect defects."""

    def __init__(self, file: TomlFile) -> None:
        self.file = file
        self.defects: list[Defect] = []

    def read(self) -> Declaration:
        data = self.file.data
        self._unknown(data, TOP)
        title = self._text(data, "title", needed=True)
        item = self._text(data, "item", needed=True)
        missing = self._choice(data, "missing", MISSING)
        columns = tuple(self._columns(data.get("columns")))
        metrics = tuple(self._metrics(data.get("metrics"), columns))
        self._note_gaps(columns, metrics)
        if missing == "empty" and any(one.kind == "number" for one in columns):
            found = fill("{key} is {value}, but a column has numbers.", "missing", '"empty"')
            self._error(found, "An empty text is not a number.", "missing")
        return Declaration(
            title,
            item,
            columns,
            metrics,
            cast(Missing, missing),
            self._text(data, "group"),
            self._text(data, "picture"),
            self._texts(data, "shown"),
            self._texts(data, "slices"),
        )

    def _note_gaps(
        self, columns: Sequence[ResultColumn], metrics: Sequence[DeclaredMetric]
    ) -> None:
        """Name columns that nothing scores, which a cut file has: it may be valid all the same."""
        scored = {one.column for one in metrics}
        unscored = [one.name for one in columns if one.name not in scored]
        if metrics and unscored:
            found = fill("No metric scores a column: {names}.", name_list(unscored))
            hint = "Add [[metrics]] for it, and check that the file is not cut."
            self.defects.append(warning(self.file.place("columns", unscored[0]), found, "", hint))

    def _columns(self, found: Json) -> Iterable[ResultColumn]:
        if not isinstance(found, dict) or not found or len(found) > MOST:
            expected = "A table for each column of results is expected: [columns.answer]."
            self._error("There are no columns.", expected, "columns")
            return
        for name, data in found.items():
            keys = ("columns", name)
            if not isinstance(data, dict):
                self._wrong(keys, translatable("a table"))
                continue
            self._unknown(data, OF_COLUMN, *keys)
            kind = self._choice(data, "kind", KINDS, *keys)
            references = self._texts(data, "references", *keys, needed=True)
            separator = self._text(data, "separator", *keys)
            yield ResultColumn(name, cast(Kind, kind), references, separator)

    def _metrics(self, found: Json, columns: Sequence[ResultColumn]) -> Iterable[DeclaredMetric]:
        if not isinstance(found, list) or not found or len(found) > MOST:
            self._error("There are no metrics.", "Each is a table: [[metrics]].", "metrics")
            return
        kinds = {one.name: one.kind for one in columns}
        seen: dict[tuple[str, str], int] = {}
        for number, data in enumerate(found):
            keys = ("metrics", number)
            if not isinstance(data, dict):
                self._wrong(keys, translatable("a table"))
                continue
            self._unknown(data, OF_METRIC, *keys)
            measure = self._choice(data, "measure", tuple(MEASURES), *keys, needed=True)
            only = next(iter(kinds), "") if len(kinds) == 1 else ""
            column = self._text(data, "column", *keys, needed=not only) or only
            title = self._text(data, "title", *keys)
            if column and column not in kinds:
                known = name_list([f'"{one}"' for one in kinds])
                found_name = fill("{key} is {value}.", self._key(*keys, "column"), f'"{column}"')
                self._error(found_name, fill("Known: {names}.", known), *keys, "column")
            elif column and measure and kinds[column] not in MEASURES[measure].kinds:
                allowed = name_list(list(MEASURES[measure].kinds))
                sentence = fill(
                    "{measure} is for columns of {kinds}; {column} has {kind}.",
                    f'"{measure}"',
                    allowed,
                    f'"{column}"',
                    kinds[column],
                )
                self._error(sentence, "", *keys, "measure")
            elif (measure, column) in seen:
                self._error("The same metric is declared twice.", "", *keys)
            seen[measure, column] = number
            yield DeclaredMetric(measure, column, title)

    def _text(
        self, data: Mapping[str, Json], name: str, *keys: str | int, needed: bool = False
    ) -> str:
        value = data.get(name, "")
        if not isinstance(value, str) or len(value) > LONGEST or not _is_plain(value):
            expected = fill("a text of at most {count} characters, without control ones", LONGEST)
            self._wrong((*keys, name), expected)
            return ""
        if needed and not value.strip():
            found = fill("{key} is missing.", self._key(*keys, name))
            self._error(found, "A text is expected.", *keys, name)
        return value

    def _texts(
        self, data: Mapping[str, Json], name: str, *keys: str | int, needed: bool = False
    ) -> tuple[str, ...]:
        value = data.get(name, [])
        value = [value] if isinstance(value, str) and value else value
        if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
            self._wrong((*keys, name), translatable("a list of texts"))
            return ()
        if needed and not value:
            found = fill("{key} is missing.", self._key(*keys, name))
            self._error(found, "Columns of the table of references are expected.", *keys, name)
        return tuple(dict.fromkeys(value))

    def _choice(
        self,
        data: Mapping[str, Json],
        name: str,
        choices: Sequence[str],
        *keys: str | int,
        needed: bool = False,
    ) -> str:
        """Return a value of the choices, of which the first is that of a missing key."""
        value = data.get(name, None if needed else choices[0])
        if isinstance(value, str) and value in choices:
            return value
        key = self._key(*keys, name)
        found = fill("{key} is missing.", key)
        if value is not None:
            found = fill("{key} is {value}.", key, _shown(value))
        self._error(found, fill("Known: {names}.", name_list(list(choices), 40)), *keys, name)
        return "" if needed else choices[0]

    def _unknown(self, data: Mapping[str, Json], known: frozenset[str], *keys: str | int) -> None:
        for name in data:
            if name not in known:
                found = fill("{key} is not known, and not used.", self._key(*keys, name))
                hint = reason("Known: {names}.", name_list(sorted(known), 20))
                self.defects.append(warning(self.file.place(*keys, name), found, "", hint))

    def _wrong(self, keys: Sequence[str | int], expected: str) -> None:
        found = fill("{key} is not {expected}.", self._key(*keys), expected)
        self._error(found, "", *keys)

    def _error(self, found: str, expected: str, *keys: str | int) -> None:
        self.defects.append(error(self.file.place(*keys), found, expected))

    def _key(self, *keys: str | int) -> str:
        """Return a key as `metrics[1].column`; metrics are counted from 1."""
        shown = ""
        for one in keys:
            shown += f"[{one + 1}]" if isinstance(one, int) else f".{one}"
        return shown.removeprefix(".")


def _is_plain(text: str) -> bool:
    """Return whether a text has no control characters; any blanks and joiners are plain."""
    return all(
        letter.isprintable() or unicodedata.category(letter) == "Zs" or letter in JOINERS
        for letter in text
    )


def _shown(value: Json) -> str:
    """Return a value as it is written; lists, tables and long numbers by their kind."""
    if isinstance(value, dict | list):
        return describe_value(value)
    if isinstance(value, int) and value.bit_length() > 64:
        return translatable("a long number")
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
