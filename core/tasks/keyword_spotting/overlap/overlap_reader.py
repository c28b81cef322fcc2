"""Readers of a competition by overlap: references with their protocol, and lists of a system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import counted, fill
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import IntArray, UsageError
from jurydesk.core.system.memory import return_freed_memory
from jurydesk.core.tasks.keyword_spotting.icfhr import icfhr_sniff
from jurydesk.core.tasks.keyword_spotting.icfhr.words import PageWords
from jurydesk.core.tasks.keyword_spotting.overlap.label_lists import LabelLists, LabelReferences
from jurydesk.core.tasks.keyword_spotting.overlap.list_remarks import (
    LISTS,
    QUERY_GROUPS,
    QUERY_SET,
    STOP_WORDS,
    WORD_LIST,
    list_remarks,
    unused_choices,
)
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import (
    Protocol,
    choose_protocol,
)
from jurydesk.core.tasks.keyword_spotting.overlap.query_choice import (
    QueryChoice,
    choose_queries,
    read_list,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shared_pages import (
    has_shared_pages,
    read_shared_pages,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import (
    LineFile,
    SpotFile,
    TableFile,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_reader import read_places
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_reader import Content
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import (
    FileBytes,
)
from jurydesk.core.tasks.keyword_spotting.overlap.spot_lists import (
    SpottingLists,
    SpottingReferences,
)
from jurydesk.core.tasks.keyword_spotting.overlap.table_evaluation import (
    TableLists,
    TableReferences,
    join_table,
    table_lists,
)
from jurydesk.core.tasks.keyword_spotting.overlap.vocabulary_remarks import shared_names
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

OverlapReferences = SpottingReferences | TableReferences | LabelReferences
OverlapLists = SpottingLists | TableLists | LabelLists


def read_overlap_references(
    inputs: Inputs, options: KeywordSpottingOptions, run: Run
) -> Reading[OverlapReferences]:
    """Return the relevant places with the protocol; UsageError for switches that do not fit."""
    paths = inputs["relevance"]
    files = {role: read_list(inputs[role][0], run) for role in LISTS if inputs.get(role)}
    choice, defects = choose_queries(
        options, files.get(QUERY_SET), files.get(QUERY_GROUPS), files.get(STOP_WORDS)
    )
    folders = inputs.get("images") or (None,)
    content, found = _read_relevance(paths, folders[0], options, run)
    word_list = files.get(WORD_LIST)
    defects = (*found, *defects, *(word_list.defects if word_list else ()))
    if content is None or has_errors(defects):
        return Reading(None, defects)
    holds = _content_of(content)
    protocol = choose_protocol(options, "xml" if _is_icfhr(paths[0]) else holds)
    if _is_empty(content):
        place = Place(str(paths[0]))
        text = "The file names no query: nothing is relevant."
        return Reading(None, (*defects, error(place, text, "", "Give the complete file.")))
    references, more = _references(content, protocol, choice, word_list, str(paths[0]))
    listed = dict(choice.listed)
    if word_list is not None:
        listed[WORD_LIST] = (word_list.path, _word_list(word_list, choice))
    is_open = {role for role, file in files.items() if not file.data.endswith((b"\n", b"\r"))}
    remarks = (
        *list_remarks(listed, is_open, {*choice.names.apply(_words_of(content))}, str(paths[0])),
        *unused_choices({role: file.path for role, file in files.items()}),
    )
    return Reading(references, (*defects, *more, *remarks))


def _read_relevance(
    paths: Sequence[Path], images: Path | None, options: KeywordSpottingOptions, run: Run
) -> tuple[Content | None, tuple[Defect, ...]]:
    if has_shared_pages(paths, options.format):
        return read_shared_pages(paths, images, run)
    if not _is_icfhr(paths[0]):
        return read_places(paths, "relevance", options, run)
    from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_judgements

    judged = read_word_judgements(paths[0], run)
    if judged.data is None:
        return None, judged.defects
    words = judged.data
    wanted = np.flatnonzero(~(words.relevance <= 0))
    query = words.query_of_word()[wanted]
    return _xml_places(words.path, words.queries, query, words.words.take(wanted)), judged.defects


def _is_icfhr(path: Path) -> bool:
    from jurydesk.core.readers.text_file import file_head

    return icfhr_sniff.sniff_icfhr(file_head(path)) is not None


def _xml_places(path: str, queries: Sequence[str], query: IntArray, words: PageWords) -> SpotFile:
    """Return words of ICFHR XML as places; the order of the file stands for scores."""
    starts = np.searchsorted(query, query)
    rank = np.arange(len(query)) - starts
    spots = Spots(
        query,
        words.document.astype(np.int64),
        words.boxes.astype(np.int64),
        -rank.astype(np.float64),
        words.lines.astype(np.int64),
    )
    return SpotFile(path, tuple(queries), words.documents, spots, has_scores=False)


def _content_of(content: Content) -> str:
    if isinstance(content, TableFile):
        return "table"
    return "lines" if isinstance(content, LineFile) else content.holds


def _words_of(content: Content) -> Sequence[str]:
    """Return the names of words; of labelled items, their own names too, which queries may be."""
    if isinstance(content, TableFile):
        return content.words
    if isinstance(content, LineFile):
        return content.boxes.queries
    return (*content.queries, *(content.documents if content.holds == "segments" else ()))


def _is_empty(content: Content) -> bool:
    if isinstance(content, TableFile):
        return not len(content.lines)
    return not len((content.boxes if isinstance(content, LineFile) else content).spots)


def _references(
    content: Content,
    protocol: Protocol,
    choice: QueryChoice,
    words: FileBytes | None,
    path: str,
) -> tuple[OverlapReferences | None, tuple[Defect, ...]]:
    places = protocol.rules.places
    if places == "table":
        listed = None if words is None else tuple(dict.fromkeys(_word_list(words, choice)))
        segments = content if isinstance(content, SpotFile) else None
        if isinstance(content, LineFile):
            segments = content.segments
        again = () if segments is None else _repeated_note(segments, is_set=True)
        return TableReferences(path, protocol, choice, listed, segments), again
    if words is not None:
        raise UsageError("--words is for the protocol table.")
    if isinstance(content, TableFile):
        raise UsageError(
            fill(
                "The relevance file is a table: --protocol {name} reads none.", protocol.rules.name
            )
        )
    file = content
    if isinstance(content, LineFile):
        file = content.boxes if places == "boxes" else content.segments
    assert isinstance(file, SpotFile)  # noqa: S101 - the other kinds are above
    if (file.holds == "boxes") != (places == "boxes"):
        held = "boxes" if file.holds == "boxes" else "segments"
        raise UsageError(
            fill(
                "The relevance file holds {held}, which --protocol {name} does not score.",
                held,
                protocol.rules.name,
            )
        )
    if places == "words":
        return LabelReferences.of(file, protocol, choice), ()
    references = SpottingReferences.of(file, protocol, choice)
    is_set = protocol.rules.scored == "blocks"
    return references, (*_repeated_note(file, is_set=is_set), *_chosen_note(file, references))


def _word_list(file: FileBytes, choice: QueryChoice) -> Sequence[str]:
    """Return the words of a list, a word a line; a lone # begins a comment."""
    words = []
    for line in file.data.splitlines():
        fields = line.split()
        if fields and fields[0] != b"#":
            words.append(decode_name(fields[0]))
    return choice.names.apply(words)


def _repeated_note(file: SpotFile, *, is_set: bool) -> tuple[Defect, ...]:
    again = np.flatnonzero(~file.spots.first_of_equals())
    if not len(again):
        return ()
    found = fill(
        "{places} given twice.", counted(len(again), "relevant place is", "relevant places are")
    )
    effect = "Each counts once." if is_set else "Each counts."
    place = Place(file.path, int(file.spots.lines[again[0]]))
    return (warning(place, found, effect, "Remove the repetitions.", count=len(again)),)


def _chosen_note(file: SpotFile, references: SpottingReferences) -> tuple[Defect, ...]:
    """Return how many words are queries, if not all of them are."""
    known = len(references.choice.names.apply(file.queries))
    left = int((references.unit_of_query >= 0).sum())
    total = len(references.file.queries)
    place = Place(file.path)
    if not left:
        found = "No query of the relevance file is among those that count."
        return (warning(place, found, "Every score is 0.", "Check the names of the queries."),)
    if left == total or not known:
        return ()
    found = fill("{int:,} of {total:,} words are queries.", left, total)
    return (note(place, found),)


def read_overlap_lists(
    path: Path, references: OverlapReferences, options: KeywordSpottingOptions, run: Run
) -> Reading[OverlapLists]:
    """Return the lists of one system."""
    content, defects = _read_results(path, references, options, run)
    return_freed_memory()
    if content is None or has_errors(defects):
        return Reading(None, defects)
    if isinstance(references, TableReferences):
        return _table_reading(path, content, references, options, defects)
    if not isinstance(content, SpotFile):
        return Reading(None, (*defects, _unfit_error(path, references)))
    expected = "boxes" if references.protocol.rules.places == "boxes" else "segments"
    if content.holds != expected:
        return Reading(None, (*defects, _unfit_error(path, references)))
    if content.order == "asc":
        found = "The file holds distances: the smallest is ranked first."
        defects = (*defects, note(Place(str(path)), found))
    if isinstance(references, LabelReferences):
        return Reading(LabelLists(references, content), defects)
    lists = SpottingLists(references, content, run)
    names = shared_names(lists.file, references.file)
    if has_errors(names):
        return Reading(None, (*defects, *names))
    return Reading(lists, (*defects, *names))


def _read_results(
    path: Path, references: OverlapReferences, options: KeywordSpottingOptions, run: Run
) -> tuple[Content | None, tuple[Defect, ...]]:
    if not _is_icfhr(path):
        return read_places((path,), "results", options, run)
    from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_results
    from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements

    queries = references.queries
    if isinstance(references, SpottingReferences):
        queries = references.file.queries
    empty = np.zeros(len(queries) + 1, np.int64)
    nothing = PageWords(
        (), np.empty(0, np.int32), np.empty((0, 4), np.int32), np.empty(0, np.int32)
    )
    known = Judgements(references.path, queries, empty, nothing, np.empty(0), ())
    read = read_word_results(path, known, run)
    if read.data is None:
        return None, read.defects
    words = read.data
    query = np.repeat(np.arange(len(words.queries)), np.diff(words.starts))
    return _xml_places(str(path), words.queries, query, words.words), read.defects


def _table_reading(
    path: Path,
    content: Content,
    references: TableReferences,
    options: KeywordSpottingOptions,
    defects: tuple[Defect, ...],
) -> Reading[OverlapLists]:
    if isinstance(content, SpotFile) and content.holds == "segments":
        if references.segments is None:
            return Reading(None, (*defects, _unfit_error(path, references)))
        if content.order == "asc":
            found = "The file looks like distances, of which the smallest is best."
            effect = "The table ranks the largest score first."
            hint = "If they are scores, separate the fields by blanks."
            defects = (*defects, warning(Place(str(path)), found, effect, hint))
        rules = references.choice.names
        listed, relevant = (
            one.rename(rules.apply(one.queries)) for one in (content, references.segments)
        )
        defects = (*defects, *shared_names(listed, relevant))
        if has_errors(defects):
            return Reading(None, defects)
        content = join_table(references, content)
    elif isinstance(content, TableFile) and str(path) != references.path:
        defects = (*defects, _own_relevance(path, references))
    if not isinstance(content, TableFile):
        return Reading(None, (*defects, _unfit_error(path, references)))
    return Reading(table_lists(references, content, options), defects)


def _own_relevance(path: Path, references: TableReferences) -> Defect:
    found = fill(
        "The table tells itself what is relevant: {file} is not used.", Path(references.path).name
    )
    hint = "A table of another system needs the same relevance and lines."
    return note(Place(str(path)), found, hint)


def _unfit_error(path: Path, references: OverlapReferences) -> Defect:
    rules = references.protocol.rules
    found = fill("The results do not fit the protocol {name}.", rules.name)
    expected = {
        "boxes": "It ranks boxes on pages.",
        "segments": "It ranks segments: lines, or words that are cut out.",
        "table": "It reads a table of events, or segments and their relevance.",
        "words": "It ranks items by their distance to a query.",
    }[rules.places]
    return error(Place(str(path)), found, expected, "Choose another --protocol.")
