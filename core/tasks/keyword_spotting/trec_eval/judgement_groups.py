"""Judgements by group in trec_eval's formats `prefs`, `qrels_prefs` and `qrels_jg`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from jurydesk.core.language import counted, fill
from jurydesk.core.metrics.ranking.preferences import PreferenceJudgement
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.readers.text_file import UTF8_MARK
from jurydesk.core.tasks.keyword_spotting.trec.document_names import ListedNames, decode_name
from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance

FIELDS = {
    "prefs": "query, group, subgroup, document, level",
    "qrels_prefs": "query, group, document, level",
    "qrels_jg": "query, group, document, relevance",
}
GroupedJudgements = dict[str, list[PreferenceJudgement]]
"""Judgements of each query, in the order of the file."""


def read_judgements(path: Path, form: str) -> tuple[GroupedJudgements, list[Defect]]:
    """Return the judgements of a file in one of the formats of `FIELDS`, and its defects."""
    found: GroupedJudgements = {}
    defects: list[Defect] = []
    lines: dict[tuple[str, str, str], int] = {}
    for number, fields in _content(path.read_bytes()):
        place = Place(str(path), number)
        if len(fields) != len(FIELDS[form].split(", ")):
            expected = fill(
                "{split} are expected: {fields}.", len(FIELDS[form].split(", ")), FIELDS[form]
            )
            found_fields = fill("The line has {fields}.", counted(len(fields), "field"))
            defects.append(error(place, found_fields, expected, "Correct the line."))
            continue
        query, group, *subgroup, document, level = map(decode_name, fields)
        value = _level(level)
        if math.isnan(value):
            shown = fill('The level "{level}" is not a number.', level)
            defects.append(error(place, shown, "", "Correct the line."))
            continue
        if form == "qrels_jg":
            first = lines.setdefault((query, group, document), number)
            if first != number:
                shown = fill(
                    'Document "{document}" is judged twice by group "{group}" (line {first}).',
                    document,
                    group,
                    first,
                )
                defects.append(error(place, shown, "", "Remove one of the two lines."))
        judgement = PreferenceJudgement(group, "".join(subgroup), document, value)
        found.setdefault(query, []).append(judgement)
    if not found and not defects:
        hint = "Give the complete file."
        defects.append(error(Place(str(path), 1), "The file holds no judgements.", "", hint))
    return found, defects


def overread_groups(judgements: GroupedJudgements, path: Path) -> list[Defect]:
    """Return a warning of groups in which trec_eval may read past its list of documents.

    `prefs_avgjg_Rnonrel` takes as many documents of the lowest level as there are relevant ones,
    also where fewer have that level, as with levels below 0.
    """
    groups: dict[tuple[str, str], list[PreferenceJudgement]] = {}
    for query, rows in judgements.items():
        for row in rows:
            groups.setdefault((query, row.group), []).append(row)
    count = sum(map(_is_overread, groups.values()))
    if not count:
        return []
    found = fill(
        "trec_eval may read past its list for prefs_avgjg_Rnonrel in {groups} with levels below 0.",
        counted(count, "group"),
    )
    return [warning(Place(str(path)), found, "Here the list ends: values may differ.", count=count)]


def _is_overread(rows: list[PreferenceJudgement]) -> bool:
    levels = [row.level for row in rows]
    relevant = sum(level > 0 for level in levels)
    lowest = levels.count(min(levels))
    is_listed = len({row.subgroup for row in rows}) == 1
    return is_listed and lowest < min(relevant, len(levels) - relevant)


def _content(data: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the fields of every line except blank ones and comments, with its number."""
    for number, line in enumerate(data.removeprefix(UTF8_MARK).split(b"\n"), 1):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            yield number, fields


def _level(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def judged_documents(judgements: GroupedJudgements, path: Path) -> TrecRelevance:
    """Return all judged documents of each query, without their levels, to match results with."""
    names: list[str] = []
    starts = [0]
    for rows in judgements.values():
        names += dict.fromkeys(row.document for row in rows)
        starts.append(len(names))
    gains = np.zeros(len(names))
    return TrecRelevance(str(path), tuple(judgements), np.array(starts), ListedNames(names), gains)
