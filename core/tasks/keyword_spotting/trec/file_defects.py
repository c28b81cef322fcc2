"""Defects of a result file as a whole: lines, queries and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.keyword_spotting.trec.odd_fields import odd_line_defects

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import (
        Missing,
        Ties,
        TrecPolicy,
    )
    from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import PieceMatch, TrecRelevance


def result_file_defects(
    matches: Sequence[PieceMatch],
    path: str,
    relevance: TrecRelevance,
    policy: TrecPolicy,
) -> tuple[Defect, ...]:
    """Return every defect of a result file from the matches of its pieces."""
    defects = BoundedDefects()
    for found in matches:
        defects.join(found.defects)
    if not defects and not any(found.queries for found in matches):
        defects.append(
            error(Place(path), "The file holds no results.", "", "Give the complete file.")
        )
    defects.extend(_file_defects(matches, path, relevance, policy))
    return defects.to_tuple()


def _file_defects(
    matches: Sequence[PieceMatch],
    path: str,
    relevance: TrecRelevance,
    policy: TrecPolicy,
) -> Iterator[Defect]:
    """Yield the defects of a result file with valid lines as a whole."""
    lines = {
        query: line
        for found in matches
        for query, line in zip(found.queries, found.lines.tolist(), strict=True)
    }
    if lines:
        yield from _query_defects(path, relevance, lines, policy)
        yield from _rank_defects(matches, path, policy.ties)
        odd = [found.odd for found in matches]
        yield from odd_line_defects(odd, path, needs_ranks=policy.ties == "rank")


def _query_defects(
    path: str, relevance: TrecRelevance, lines: Mapping[str, int], policy: TrecPolicy
) -> Iterator[Defect]:
    unknown = [query for query in lines if query not in relevance.numbers]
    absent = [query for query in relevance.queries if query not in lines]
    if len(unknown) == len(lines) and policy.needs_common_query:
        yield _no_common_query_error(path, relevance, unknown, lines[unknown[0]])
        return
    if unknown:
        yield unknown_queries(path, unknown, lines[unknown[0]])
    if absent:
        yield missing_queries(path, absent, policy.missing)


def _rank_defects(matches: Sequence[PieceMatch], path: str, ties: Ties) -> Iterator[Defect]:
    if ties == "rank":
        if not all(found.rank_column for found in matches):
            found = "The rank column does not hold whole numbers throughout."
            hint = "Mend the column, or choose another policy for ties."
            yield error(Place(path), found, "The order of equal scores by rank needs them.", hint)
        return
    count = sum(found.contradicted for found in matches)
    if count:
        line = next(found.contradicted_line for found in matches if found.contradicted)
        found = fill("The rank column contradicts the scores ({lines}).", counted(count, "line"))
        yield note(Place(path, line), found, "The scores decide, as in trec_eval.", count=count)


def _no_common_query_error(
    path: str, relevance: TrecRelevance, unknown: Sequence[str], line: int
) -> Defect:
    return error(
        Place(path, line),
        fill(
            "No query of this file is in the relevance file (here: {name_list}).",
            name_list(unknown),
        ),
        fill("The relevance file has {name_list}.", name_list(relevance.queries)),
        "Check that the two files belong together.",
    )


def unknown_queries(path: str, unknown: Sequence[str], line: int) -> Defect:
    """Return the warning about queries that the relevance file lacks."""
    count = len(unknown)
    ignored = "It is ignored." if count == 1 else "They are ignored."
    found = fill(
        "{queries_are} not in the relevance file (first: {name_list}).",
        counted(count, "query is", "queries are"),
        name_list(unknown),
    )
    return warning(Place(path, line), found, ignored, count=count)


def missing_queries(path: str, missing: Sequence[str], policy: Missing) -> Defect:
    """Return the warning about queries of the relevance file that have no results."""
    count = len(missing)
    names = name_list(missing)
    if count == 1:
        found = fill("1 query of the relevance file has no results (first: {names}).", names)
    else:
        found = fill(
            "{count:,} queries of the relevance file have no results (first: {names}).",
            count,
            names,
        )
    expected, hint = _MISSING[policy, count == 1]
    return warning(Place(path), found, expected, reason(hint), count=count)


_MISSING: Mapping[tuple[Missing, bool], tuple[str, str]] = {
    ("skip", True): (
        "It is left out of the mean (queries without results: skip).",
        "With zero it counts as 0.",
    ),
    ("skip", False): (
        "They are left out of the mean (queries without results: skip).",
        "With zero they count as 0.",
    ),
    ("zero", True): (
        "It counts as 0 in the mean (queries without results: zero).",
        "With skip it is left out.",
    ),
    ("zero", False): (
        "They count as 0 in the mean (queries without results: zero).",
        "With skip they are left out.",
    ),
}
"""Effect of a policy and its alternative, for one query and for several."""
