"""Small ICFHR 2014 files for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_lists import XmlLists
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import (
    read_word_judgements,
    read_word_results,
)
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults

Queries = Mapping[str, Sequence[str]]
"""The tags of each query, as they stand in the file."""


def word(x: int, *, document: str = "p1", relevance: str | None = None, text: str = "") -> str:
    """Return a word of 10 x 10 pixels at the top of a page."""
    grade = "" if relevance is None else f' Relevance="{relevance}"'
    label = f' Text="{text}"' if text else ""
    box = f'x="{x}" y="0" width="10" height="10"'
    return f'    <word document="{document}" {box}{label}{grade} />'


def judgements_text(queries: Queries) -> str:
    """Return a relevance file."""
    return _text("GroundTruthRelevanceJudgements", "GTRel", queries)


def results_text(queries: Queries) -> str:
    """Return a result file."""
    return _text("RelevanceListings", "Rel", queries)


def _text(root: str, block: str, queries: Queries) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<{root}>"]
    for query, words in queries.items():
        lines += [f'  <{block} queryid="{query}">', *words, f"  </{block}>"]
    return "\n".join([*lines, f"</{root}>", ""])


def read_relevance(folder: Path, text: str | bytes) -> Reading[Judgements]:
    """Read `text` as a relevance file named gt.xml."""
    return read_word_judgements(_write(folder / "gt.xml", text), Run())


def read_listing(folder: Path, judgements: Judgements, text: str | bytes) -> Reading[WordResults]:
    """Read `text` as a result file named res.xml."""
    return read_word_results(_write(folder / "res.xml", text), judgements, Run())


def lists_of(folder: Path, judged: Queries, ranked: Queries) -> XmlLists:
    """Return the lists of one system, from valid files."""
    judgements = read_relevance(folder, judgements_text(judged)).data
    assert judgements is not None
    results = read_listing(folder, judgements, results_text(ranked)).data
    assert results is not None
    return XmlLists(judgements, results, Run())


def _write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


JUDGED = judgements_text({"a": [word(0, relevance="1")], "b": [word(20, relevance="0.5")]})
RANKED = results_text({"a": [word(0), word(40)], "b": [word(20)]})
