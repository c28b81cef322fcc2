"""Task declaration of keyword spotting and ranked retrieval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from jurydesk.core.competition.rating_design import (
    PictureRef,
    RatedEntry,
    RatingDesign,
    SystemOutput,
)
from jurydesk.core.competition.redaction import Redaction, RedactionFact, require_texts, text
from jurydesk.core.competition.task import (
    Input,
    Inputs,
    Presentation,
    Readers,
    Reading,
    Scoring,
    Sniff,
    Statistic,
    SubmissionChecks,
    Task,
    numbered_groups,
)
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.metrics.ranking import STANDARD_MEASURES, measure_by_name
from jurydesk.core.metrics.ranking.catalogue import NDCG_BINARY
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note
from jurydesk.core.model.evaluation import (
    Axis,
    Evaluation,
    ItemTable,
    Json,
    MetricInfo,
    Scatter,
    UsageError,
)
from jurydesk.core.readers.text_file import file_head, text_head
from jurydesk.core.tasks.keyword_spotting.icfhr import icfhr_sniff
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists, RelevanceJudgements
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evaluator import (
    evaluate,
    scoring_remarks,
    select_measures,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import (
    curve_points,
    explain_difference,
    explain_item,
    explain_rows,
    list_query,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import (
    FOR_OVERLAP,
    FOR_TREC,
    PROFILES,
    RULE_OPTIONS,
    Compat,
    KeywordSpottingOptions,
    Missing,
    Ties,
    TrecPolicy,
    policies,
)
from jurydesk.core.tasks.keyword_spotting.overlap.list_remarks import LISTS
from jurydesk.core.tasks.keyword_spotting.overlap.protocol_choice import wants_overlap
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import (
    LEAST_LINES,
    Shape,
    blank_separated,
    shape_of,
)
from jurydesk.core.tasks.keyword_spotting.overlap.spotting_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.keyword_spotting.query_fields import (
    columns_of_queries,
    joined_fields,
    read_query_fields,
    with_query_fields,
)
from jurydesk.core.tasks.keyword_spotting.ranking_chunks import WORK
from jurydesk.core.tasks.keyword_spotting.rusteval_output import query_table
from jurydesk.core.tasks.keyword_spotting.trec import trec_sniff
from jurydesk.core.tasks.keyword_spotting.trec.file_defects import missing_queries

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements
    from jurydesk.core.tasks.keyword_spotting.overlap.overlap_reader import OverlapReferences
    from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance


SCRIPTS = (
    *("xml_chars.js", "xml_scanner.js", "xml_prolog.js", "xml_encodings.js"),
    *("xml_errors.js", "xml_text.js", "xml.js", "xml_word.js", "xml_results.js"),
    *("trec_lines.js", "trec_defects.js", "trec_piece.js", "trec_layouts.js", "trec.js"),
    "keyword_spotting.js",
)
"""Scripts of the browser checker, in the order of their dependencies."""
FORMATS = {"xml": "ICFHR 2014 XML", "trec": "trec_eval's"}


def redaction_facts(relevance: RelevanceJudgements) -> tuple[RedactionFact, ...]:
    """Return the format of the files, and the queries; UsageError for files by overlap."""
    if relevance.format == "overlap":
        raise UsageError(
            "The participants' page checks trec_eval's files and ICFHR 2014 XML, not lists that "
            "are scored by overlap."
        )
    queries = relevance.queries
    return (
        RedactionFact(
            "format",
            fill("The format of the files: {formats}.", FORMATS[relevance.format]),
            relevance.format,
        ),
        RedactionFact(
            "queries",
            fill("The names of the {queries}.", counted(len(queries), "query", "queries")),
            list(queries),
        ),
    )


def redacted_references(values: Mapping[str, Json]) -> RelevanceJudgements:
    """Return the queries without judgements."""
    queries = require_texts(values["queries"])
    starts = np.zeros(len(queries) + 1, np.int64)
    if text(values["format"]) == "trec":
        from jurydesk.core.tasks.keyword_spotting.trec.document_names import ListedNames
        from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance

        return TrecRelevance("", queries, starts, ListedNames([]), np.empty(0))
    if values["format"] != "xml":
        raise ValueError(f"there is no format {values['format']!r}")
    from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, PageWords

    number = np.empty(0, np.int32)
    words = PageWords((), number, np.empty((0, 4), np.int32), number)
    return Judgements("", queries, starts, words, np.empty(0), ())


REDACTION: Redaction[RelevanceJudgements] = Redaction(
    redaction_facts, redacted_references, options=("missing", "compat", "ties"), scripts=SCRIPTS
)


SHOWN = 10


def rated_list(items: ItemTable, row: int) -> RatedEntry | None:
    """Return the first words of a list as cut-outs of their pages.

    None for lists of documents (trec_eval), which hold neither texts nor pictures.
    """
    shown = items.show(row)
    if not isinstance(shown, RankedList):
        return None
    words = [one for one in shown.items if one.box is not None and 0 < one.rank <= SHOWN]
    if not words and shown.items:
        return None
    pictures = tuple(PictureRef(one.name, one.box) for one in words)
    return RatedEntry(SystemOutput("", pictures), (("Query", shown.query),))


RATING = RatingDesign(
    entry_noun=("ranked list", "ranked lists"), questionnaire="ranked", entry=rated_list
)


PATTERNS = ("*.xml", "*.txt", "*.qrels", "*.qrel", "*.run", "*.trec", "*.gz", "*")
TEXTS = ("*.txt", "*")
INPUTS = (
    Input(
        "relevance",
        "Relevance file",
        "reference",
        PATTERNS,
        many=True,
        help="What is relevant for each query: ICFHR 2014 XML, trec_eval's format, boxes or "
        "segments; of pages in several files, all or their folder.",
    ),
    Input(
        "results",
        "Results",
        "submission",
        PATTERNS,
        many=True,
        help="The ranked lists of a system, in the format of the relevance file.",
    ),
    Input(
        "queries",
        "Table of queries",
        "reference",
        ("*.csv", "*.tsv", "*.json", "*.jsonl", "*"),
        required=False,
        help="A row for each query: its id, and columns that divide the queries into slices.",
    ),
    Input(
        "query-set",
        "Query set",
        "reference",
        TEXTS,
        required=False,
        help="The queries that count, separated by blanks; other words are left out.",
    ),
    Input(
        "query-groups",
        "Query groups",
        "reference",
        TEXTS,
        required=False,
        help="A line for each group: its name and its queries, whose lists are pooled.",
    ),
    Input(
        "words",
        "Word list",
        "reference",
        TEXTS,
        required=False,
        help="The words of a table, a word a line; pairs that the table lacks are not relevant.",
    ),
    Input(
        "stop-words",
        "Stop words",
        "reference",
        TEXTS,
        required=False,
        help="Words that are no queries, separated by blanks.",
    ),
    Input(
        "images",
        "Page images",
        "folder",
        (),
        required=False,
        help="A folder of page images named like the documents; they are only looked at.",
    ),
)
XML_FORMATS = {
    "relevance": translatable("relevance judgements in ICFHR 2014 XML"),
    "results": translatable("ranked lists in ICFHR 2014 XML"),
}
TREC_FORMATS = {
    "relevance": translatable("relevance judgements for trec_eval"),
    "results": translatable("ranked lists for trec_eval"),
}


UNSURE = 0.6
"""Confidence in a shape that another format has, too."""


def sniff(head: bytes) -> Sniff | None:
    """Recognize a relevance or result file of any format by its first bytes."""
    role = icfhr_sniff.sniff_icfhr(head)
    if role:
        return Sniff(role, 1.0, XML_FORMATS[role])
    shape = shape_of(head, LEAST_LINES)
    if shape is not None:
        # Three named columns may be judgements of documents as well.
        most = UNSURE if _names_documents(shape.role, head) else 1.0
        return Sniff(shape.role, min(shape.confidence, most), shape.title)
    role = trec_sniff.sniff_trec(head)
    if role is None:
        return None
    is_sure = role == "results" or trec_sniff.has_whole_grade(head)
    return Sniff(role, 0.85 if is_sure else UNSURE, TREC_FORMATS[role])


def _names_documents(role: str, head: bytes) -> bool:
    """Return whether a file with the shape of results names columns of judged documents."""
    from jurydesk.core.tasks.keyword_spotting.trec.layouts import has_named_columns

    return role == "results" and has_named_columns(head, "relevance")


def read_references(
    inputs: Inputs, options: KeywordSpottingOptions, run: Run
) -> Reading[RelevanceJudgements]:
    """Return the relevance judgements, with the columns of a table of queries.

    Raises UsageError where the options do not fit the format.
    """
    found = _read_relevance(inputs, options, run)
    if found.data is None or not inputs.get("queries"):
        return found
    name = inputs["relevance"][0].name
    table = read_query_fields(inputs["queries"][0], found.data.queries, name)
    fields = joined_fields(found.data.fields, table.data or {})
    data = replace(found.data, fields=fields)  # type: ignore[type-var]
    return Reading(None if has_errors(table.defects) else data, (*found.defects, *table.defects))


def _read_relevance(
    inputs: Inputs, options: KeywordSpottingOptions, run: Run
) -> Reading[RelevanceJudgements]:
    """Return the relevance judgements; UsageError where the options do not fit the format.

    The readers of the other format are not loaded: that takes as long as to score a small file.
    """
    path = inputs["relevance"][0]
    if wants_overlap(options) or _is_overlap(path, inputs.get("results", ()), run):
        from jurydesk.core.tasks.keyword_spotting.overlap.overlap_reader import (
            read_overlap_references,
        )

        found = read_overlap_references(inputs, options, run)
        return cast("Reading[RelevanceJudgements]", found)
    if _is_xml(path):
        select_measures("xml", options)
        from jurydesk.core.tasks.keyword_spotting.icfhr import icfhr_reader

        words = icfhr_reader.read_word_judgements(path, run)
        unused = _unused_options(options, path, "ICFHR 2014 XML", (*FOR_TREC, *FOR_OVERLAP))
        return Reading(words.data, (*words.defects, *unused, *_lists_for_overlap(inputs)))
    select_measures("trec", options)
    from jurydesk.core.tasks.keyword_spotting.trec import trec_reader

    documents = trec_reader.read_qrels(path, run)
    unused = _unused_options(options, path, "trec_eval's format", FOR_OVERLAP)
    return Reading(documents.data, (*documents.defects, *unused, *_lists_for_overlap(inputs)))


def _is_overlap(path: Path, results: Sequence[Path], run: Run) -> bool:
    """Return whether a relevance file is for a protocol by overlap.

    If it looks like no file at all, the results decide whose messages it gets.
    """
    head = file_head(path)
    if icfhr_sniff.looks_like_xml(head) and icfhr_sniff.sniff_icfhr(head):
        return False
    shape = shape_of(head)
    if shape is not None:
        return not (
            _names_documents(shape.role, head) or _are_short_judgements(path, shape, results, run)
        )
    if icfhr_sniff.looks_like_xml(head) or trec_sniff.sniff_trec(head):
        return False
    other = shape_of(blank_separated(text_head(head))[0])
    if other is not None and other.holds == "boxes":
        return True
    return any(shape_of(file_head(one)) is not None for one in results)


def _are_short_judgements(path: Path, shape: Shape, results: Sequence[Path], run: Run) -> bool:
    """Return whether first lines of two fields are cut judgements: beside a run or more of four."""
    if (shape.name, shape.role) != ("segments", "relevance"):
        return False
    heads = [file_head(one) for one in results]
    if any(trec_sniff.sniff_trec(one) == "results" and shape_of(one) is None for one in heads):
        return True
    from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import field_counts

    counts = field_counts(path, run)
    return int((counts == 4).sum()) > int((counts == 2).sum())


def _unused_options(
    options: KeywordSpottingOptions, path: Path, format: str, others: Sequence[str]
) -> Iterator[Defect]:
    """Yield a note on options of other formats, which have no effect for this one."""
    usual = KeywordSpottingOptions()
    chosen = [name for name in others if getattr(options, name) != getattr(usual, name)]
    if chosen:
        names = name_list([f"--{name.replace('_', '-')}" for name in chosen])
        found = fill("{format} has no use for {names}.", Message(format), names)
        yield note(Place(str(path)), found, "The scores are as without.")


def _lists_for_overlap(inputs: Inputs) -> Iterator[Defect]:
    """Yield an error for each list of queries or words, of which this format has no use."""
    for role in LISTS:
        for path in inputs.get(role, ()):
            found = fill("--{role} is for scoring by overlap (--protocol).", role)
            hint = "Leave it out, or choose a protocol."
            yield error(Place(str(path)), found, "", hint)


def read_submission(
    path: Path, references: RelevanceJudgements, options: KeywordSpottingOptions, run: Run
) -> Reading[RankedLists]:
    """Return the ranked lists of one system."""
    if references.format == "overlap":
        from jurydesk.core.tasks.keyword_spotting.overlap.overlap_reader import read_overlap_lists

        return cast(
            "Reading[RankedLists]",
            read_overlap_lists(path, cast("OverlapReferences", references), options, run),
        )
    if references.format == "trec":
        return _read_trec(path, cast("TrecRelevance", references), options, run)
    return _read_xml(path, cast("Judgements", references), options.missing_rule("xml"), run)


def _read_trec(
    path: Path, relevance: TrecRelevance, options: KeywordSpottingOptions, run: Run
) -> Reading[RankedLists]:
    from jurydesk.core.tasks.keyword_spotting.trec import trec_reader
    from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import RUN

    policy = TrecPolicy(
        cast(Compat, options.compat),
        cast(Ties, options.ties),
        options.level,
        options.missing_rule("trec"),
    )
    found = trec_reader.read_lists(path, relevance, policy, run)
    about = f"{RUN}{found.data.run_name}" if found.data else ""
    return Reading(found.data, found.defects, about=about)


def _read_xml(
    path: Path, judgements: Judgements, missing: Missing, run: Run
) -> Reading[RankedLists]:
    from jurydesk.core.tasks.keyword_spotting.icfhr import icfhr_reader
    from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_lists import XmlLists

    if trec_sniff.sniff_trec(file_head(path)):
        return Reading(None, (_not_xml_error(path),))
    found = icfhr_reader.read_word_results(path, judgements, run)
    if found.data is None:
        return Reading(None, found.defects)
    lists = XmlLists(judgements, found.data, run)
    listed = lists.hits("published").listed.tolist()
    absent = [query for query, count in zip(judgements.queries, listed, strict=True) if not count]
    defects = found.defects
    if absent:
        defects = (*defects, missing_queries(str(path), absent, missing))
    return Reading(lists, defects)


def _not_xml_error(path: Path) -> Defect:
    return error(
        Place(str(path), 1),
        "This is a file in trec_eval's format, but the relevance file is ICFHR 2014 XML.",
        "The relevance file and the results must have the same format.",
        "Give both as ICFHR 2014 XML, or both in trec_eval's format.",
    )


def _is_xml(path: Path) -> bool:
    return icfhr_sniff.looks_like_xml(file_head(path))


def _evaluate(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Evaluation:
    """Return the scores of a system; the evaluation by overlap is loaded only for its files."""
    if relevance.format != "overlap":
        return with_query_fields(evaluate(relevance, lists, options, run), relevance.fields)
    from jurydesk.core.tasks.keyword_spotting.overlap.overlap_evaluation import evaluate_overlap

    return with_query_fields(evaluate_overlap(relevance, lists, options, run), relevance.fields)


def _remarks(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Iterator[Defect]:
    if relevance.format != "overlap":
        return scoring_remarks(relevance, lists, options, run)
    from jurydesk.core.tasks.keyword_spotting.overlap.overlap_evaluation import overlap_remarks

    return overlap_remarks(relevance, lists, options, run)


def settings(relevance: RelevanceJudgements, options: KeywordSpottingOptions) -> Mapping[str, str]:
    """Return the parts of the short stamp that are this task's own."""
    if relevance.format == "overlap":
        protocol = cast("OverlapReferences", relevance).protocol
        return {
            "format": "overlap",
            "protocol": protocol.label,
            "missing": options.missing_rule("overlap"),
        }
    if relevance.format == "xml":
        return {"format": "xml", "missing": options.missing_rule("xml")}
    return {
        "format": "trec",
        "compat": options.compat,
        "ties": options.ties,
        "missing": options.missing_rule("trec"),
    }


AP_BY_RELEVANT = Scatter(
    "ap_by_relevant",
    translatable("AP by relevant items"),
    Axis(translatable("Relevant items of the query")),
    Axis(translatable("Average precision"), limits=(0.0, 1.0)),
    "num_rel",
    "ap",
)


def metric_named(name: str) -> MetricInfo | None:
    """Return the metric of that name, also of a family (`P_7`) or computed on demand."""
    found = measure_by_name(name)
    return found.info if found else None


TASK: Task[KeywordSpottingOptions, RelevanceJudgements, RankedLists] = Task(
    id="keyword-spotting",
    title="Keyword spotting",
    summary="Ranked lists of words or documents, scored as by rusteval, ICFHR 2014 or trec_eval.",
    item_noun=("query", "queries"),
    inputs=INPUTS,
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=sniff,
        load_evidence=RankedList.from_row,
    ),
    scoring=Scoring(
        options=KeywordSpottingOptions,
        profiles=PROFILES,
        metrics=(*(one.info for one in STANDARD_MEASURES), NDCG_BINARY.info, *METRICS),
        metric_named=metric_named,
        groups=numbered_groups,
        group_noun=("keyword", "keywords"),
        evaluate=_evaluate,
        remarks=_remarks,
        chunks=(WORK,),
        settings=settings,
        rule_options=RULE_OPTIONS,
        policies=policies,
    ),
    presentation=Presentation(
        inspector="keyword_spotting",
        example="keyword_spotting",
        printout=query_table,
        attributes=columns_of_queries,
        statistics={
            "group": Statistic(
                "Keyword", "Queries with the same relevant words share its number, from 0."
            ),
            **STATISTICS,
        },
        explain_item=explain_item,
        explain_rows=explain_rows,
        listed=list_query,
        listed_lines=1,
        explain_difference=explain_difference,
        scatters=(AP_BY_RELEVANT,),
        item_points=curve_points,
        points_title=translatable("precision at each hit"),
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        redaction=REDACTION,
    ),
)
