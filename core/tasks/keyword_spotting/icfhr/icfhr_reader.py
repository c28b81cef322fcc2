"""Reader of the ICFHR 2014 keyword-spotting XML files, plain or gzipped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.readers.byte_blocks import UnreadableBytesError, read_blocks
from jurydesk.core.readers.natural_order import natural_order
from jurydesk.core.tasks.item_fields import with_equal_names
from jurydesk.core.tasks.keyword_spotting.icfhr.byte_values import UnusualError
from jurydesk.core.tasks.keyword_spotting.icfhr.fast_reader import read_fast
from jurydesk.core.tasks.keyword_spotting.icfhr.strict_reader import StrictReader
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults, WordsByQuery

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

_NOTHING_RELEVANT = "A query with nothing relevant is left out of the means."
_NOTHING_LISTED = "It counts as a query without results."


def read_word_judgements(path: Path, run: Run) -> Reading[Judgements]:
    """Read the judged words of a relevance file, queries in natural order.

    Equal words of a query are kept, with a warning: the profiles differ in what they count.
    """
    found, defects = _read_strictly(path, run, judged=True)
    if found is None:
        return Reading(None, defects)
    if not found.queries:
        return Reading(None, (*defects, _no_query_error(path, "GTRel")))
    judgements = _sort_naturally(found, path)
    empty = _empty_queries(found, path, _NOTHING_RELEVANT)
    return Reading(judgements, (*defects, *empty, *_repeated_judgements(judgements)))


def read_word_results(path: Path, judgements: Judgements, run: Run) -> Reading[WordResults]:
    """Read the words that a result file ranks; unjudged queries are reported and dropped.

    The plain layout that programs write is read quickly, everything else by the strict reader.
    """
    defects: tuple[Defect, ...] = ()
    try:
        found: WordsByQuery | None = read_fast(read_blocks(path, run))
    except UnusualError:
        found, defects = _read_strictly(path, run, judged=False)
    except UnreadableBytesError as fault:
        found, defects = None, (fault.defect,)
    if found is None:
        return Reading(None, defects)
    if not found.queries:
        return Reading(None, (*defects, _no_query_error(path, "Rel")))
    results, foreign = _judged_queries(found, judgements, path)
    empty = _empty_queries(found, path, _NOTHING_LISTED)
    return Reading(results, (*defects, *empty, *foreign))


def _read_strictly(
    path: Path, run: Run, *, judged: bool
) -> tuple[WordsByQuery | None, tuple[Defect, ...]]:
    reader = StrictReader(str(path), judged=judged)
    try:
        found = reader.read(read_blocks(path, run))
    except UnreadableBytesError as fault:
        return None, (*reader.defects(), fault.defect)
    return found, reader.defects()


def _no_query_error(path: Path, block: str) -> Defect:
    found = fill("The file has no <{block}>: it names no query.", block)
    return error(Place(str(path), 1), found, "", "Give the complete file.")


def _empty_queries(found: WordsByQuery, path: Path, expected: str) -> tuple[Defect, ...]:
    empty = np.flatnonzero(np.diff(found.starts) == 0).tolist()
    if not empty:
        return ()
    names = name_list([f'"{found.queries[index]}"' for index in empty])
    text = fill(
        "There is no word for {queries}: {names}.", counted(len(empty), "query", "queries"), names
    )
    return (warning(Place(str(path), found.lines[empty[0]]), text, expected, count=len(empty)),)


def _sort_naturally(found: WordsByQuery, path: Path) -> Judgements:
    order = natural_order(found.queries)
    spans = [np.arange(found.starts[index], found.starts[index + 1]) for index in order]
    rows = np.concatenate(spans)
    return Judgements(
        path=str(path),
        queries=tuple(found.queries[index] for index in order),
        starts=np.cumsum([0, *map(len, spans)], dtype=np.int64),
        words=found.words.take(rows),
        relevance=found.relevance[rows],
        texts=tuple(found.texts[row] for row in rows.tolist()),
        fields=with_equal_names({one: found.fields.get(one, ()) for one in found.queries})
        if found.fields
        else {},
    )


def _repeated_judgements(judgements: Judgements) -> tuple[Defect, ...]:
    first_of = judgements.first_equal()
    repeated = np.flatnonzero(first_of != np.arange(len(first_of)))
    if not len(repeated):
        return ()
    lines = judgements.words.lines
    later, first = lines[repeated[0]], lines[first_of[repeated[0]]]
    words = counted(len(repeated), "word is", "words are")
    found = fill(
        "{words} judged again for the same query (line {later} repeats line {first}).",
        words,
        later,
        first,
    )
    expected = "The published profile counts every line as one relevant word, corrected only one."
    place = Place(judgements.path, int(later))
    return (warning(place, found, expected, "Remove the repetitions.", count=len(repeated)),)


def _judged_queries(
    found: WordsByQuery, judgements: Judgements, path: Path
) -> tuple[WordResults | None, tuple[Defect, ...]]:
    known = set(judgements.queries)
    foreign = [index for index, query in enumerate(found.queries) if query not in known]
    if not foreign:
        return WordResults(str(path), found.queries, found.starts, found.words), ()
    names = [f'"{found.queries[index]}"' for index in foreign]
    place = Place(str(path), found.lines[foreign[0]])
    if len(foreign) == len(found.queries):
        text = fill(
            "No query of the results is in the relevance file ({name_list}).", name_list(names)
        )
        hint = "Give the relevance file that belongs to these results."
        return None, (error(place, text, "", hint),)
    queries = counted(len(foreign), "query is", "queries are")
    text = fill("{queries} not in the relevance file: {name_list}.", queries, name_list(names))
    hint = "Check the spelling."
    defect = warning(place, text, "Words of such a query are ignored.", hint, count=len(foreign))
    return _drop_queries(found, foreign, path), (defect,)


def _drop_queries(found: WordsByQuery, foreign: list[int], path: Path) -> WordResults:
    lengths = np.diff(found.starts)
    is_kept = np.ones(len(found.queries), np.bool_)
    is_kept[foreign] = False
    rows = np.repeat(is_kept, lengths)
    return WordResults(
        path=str(path),
        queries=tuple(np.array(found.queries, object)[is_kept]),
        starts=_starts(lengths[is_kept]),
        words=found.words.take(rows),
    )


def _starts(lengths: IntArray) -> IntArray:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
