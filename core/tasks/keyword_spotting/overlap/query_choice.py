"""Queries that count: of a set or of groups, long and frequent enough, of allowed letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, error, note
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tasks.keyword_spotting.overlap.list_remarks import (
    QUERY_GROUPS,
    QUERY_SET,
    STOP_WORDS,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import SEPARATORS
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import (
    FileBytes,
    read_text_bytes,
    separator_note,
    split_rows,
)
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

MASK = "mask"
MASKED = "*"
QUOTED = re.compile(rb'"[^"]+"')
PLAIN_LETTERS = re.compile(r"[A-Za-z0-9]")
RANGES = re.compile(r"(?:[^\W_](?:-[^\W_])?)+")


@dataclass(frozen=True, slots=True)
class NameRules:
    """Rules for the spelling of words: capital letters, and letters that are left."""

    fold: bool = False
    letters: str = ""

    def __post_init__(self) -> None:
        if self.letters not in ("", MASK) and not RANGES.fullmatch(self.letters):
            raise UsageError(
                fill('The letters "{letters}" are no ranges such as a-z0-9.', self.letters)
            )

    def apply(self, names: Sequence[str]) -> Sequence[str]:
        """Return the names as they are compared."""
        if self.fold:
            names = [unicodedata.normalize("NFC", name).casefold() for name in names]
        if self.letters == MASK:
            return ["".join(c if PLAIN_LETTERS.match(c) else MASKED for c in one) for one in names]
        if self.letters:
            others = re.compile(f"[^{self.letters}]")
            return [others.sub("", name) for name in names]
        return names


@dataclass(frozen=True, slots=True, eq=False)
class QueryChoice:
    """Choice of queries; `groups` gives the group of each query, `chosen` are those of a set."""

    chosen: frozenset[str] | None = None
    groups: Mapping[str, str] | None = None
    stop_words: frozenset[str] = frozenset()
    min_length: int = 0
    min_count: int = 0
    names: NameRules = field(default_factory=NameRules)
    listed: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)
    """Path and names of each list by its role."""

    def unit(self, name: str, count: int) -> str | None:
        """Return the query, or its group, under which a name is averaged; None if it is left out.

        `count` is how often it is relevant.
        """
        if self.groups is not None:
            return self.groups.get(name)
        if self.chosen is not None and name not in self.chosen:
            return None
        if not name or (self.names.letters == MASK and MASKED in name):
            return None
        if name in self.stop_words or len(name) < self.min_length or count < self.min_count:
            return None
        return name


def choose_queries(
    options: KeywordSpottingOptions,
    query_set: FileBytes | None,
    groups: FileBytes | None,
    stop_words: FileBytes | None,
) -> tuple[QueryChoice, tuple[Defect, ...]]:
    """Return the choice of the options and files, with the defects of the files."""
    rules = NameRules(options.case == "fold", options.letters)
    defects: list[Defect] = []
    listed: dict[str, tuple[str, Sequence[str]]] = {}
    chosen = by_group = None
    if query_set is not None:
        listed[QUERY_SET] = (query_set.path, rules.apply(_names_of(query_set)))
        chosen = frozenset(listed[QUERY_SET][1])
        defects += query_set.defects
        if not chosen and not query_set.defects:
            defects.append(_no_query(query_set))
    if groups is not None:
        by_group, names, found = _read_groups(groups, rules)
        listed[QUERY_GROUPS] = (groups.path, names)
        defects += [*groups.defects, *found]
    stops: frozenset[str] = frozenset()
    if stop_words is not None:
        listed[STOP_WORDS] = (stop_words.path, rules.apply(_names_of(stop_words)))
        stops = frozenset(listed[STOP_WORDS][1])
        defects += stop_words.defects
    least = options.min_length, options.min_count
    return QueryChoice(chosen, by_group, stops, *least, rules, listed), tuple(defects)


def _names_of(file: FileBytes) -> list[str]:
    return [decode_name(name) for name in file.data.split()]


def read_list(path: Path, run: Run) -> FileBytes:
    """Return the bytes of a list of names, without quotation marks around all of them."""
    file = read_text_bytes(path, run)
    names = file.data.split()
    if not names or not all(QUOTED.fullmatch(name) for name in names):
        return file
    found = "The names are in quotation marks, which were left out."
    plain = file.data.replace(b'"', b"")
    return FileBytes(file.path, plain, (*file.defects, note(Place(file.path), found)))


def _no_query(file: FileBytes) -> Defect:
    return error(Place(file.path), "The file names no query.", "", "Name at least one query.")


def _read_groups(
    file: FileBytes, rules: NameRules
) -> tuple[dict[str, str], list[str], list[Defect]]:
    """Return the group of each query, and all names of queries.

    A line is a group's name and those of its queries.
    """
    names: list[str] = []
    data, mark = file.data, b""
    lines = [line for line in data.splitlines() if line.strip()]
    if all(len(line.split()) == 1 for line in lines):
        mark = next((one for one in SEPARATORS if all(one in line for line in lines)), b"")
        data = data.replace(mark, b" ") if mark else data
    rows = split_rows(file.path, data)
    found: dict[str, str] = {}
    defects = list(separator_note(file.path, mark))
    for number, row in enumerate(rows):
        group, *queries = map(decode_name, row)
        place = rows.place(number)
        if not queries:
            text = fill('The group "{group}" has no queries.', group)
            defects.append(error(place, text, "", "Name its queries on the same line."))
        names += rules.apply(queries)
        for query in rules.apply(queries):
            if found.setdefault(query, group) != group:
                text = fill(
                    'The query "{query}" is in the groups "{one}" and "{other}".',
                    query,
                    found[query],
                    group,
                )
                defects.append(error(place, text, "", "Put it in one group."))
    if not found and not defects and not file.defects:
        defects.append(_no_query(file))
    return found, names, defects
