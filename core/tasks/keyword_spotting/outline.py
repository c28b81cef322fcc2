"""What a checker of ranked lists needs: the queries, and nothing of what is relevant."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.defects import counted
from core.model import Json
from core.outline import Fact, Outline, text, texts
from core.tasks.keyword_spotting.lists import Relevance

SCRIPTS = (
    *("near.js", "xml_chars.js", "xml_scanner.js", "xml_prolog.js", "xml_encodings.js"),
    *("xml_faults.js", "xml_text.js", "xml.js", "xml_word.js", "xml_results.js"),
    *("trec_lines.js", "trec_wrong.js", "trec_told.js", "trec_piece.js", "trec.js"),
    "keyword_spotting.js",
)
"""The checker for browsers: what others stand on comes first."""
FORMATS = {"xml": "ICFHR 2014 XML", "trec": "trec_eval's"}


def facts(relevance: Relevance) -> tuple[Fact, ...]:
    """The format of the files, and the queries."""
    queries = relevance.queries
    return (
        Fact("format", f"The format of the files: {FORMATS[relevance.format]}.", relevance.format),
        Fact(
            "queries",
            f"The names of the {counted(len(queries), 'query', 'queries')}.",
            list(queries),
        ),
    )


def reference(values: Mapping[str, Json]) -> Relevance:
    """Queries with nothing judged."""
    queries = texts(values["queries"])
    starts = np.zeros(len(queries) + 1, np.int64)
    if text(values["format"]) == "trec":
        from core.tasks.keyword_spotting.trec_match import TrecRelevance
        from core.tasks.keyword_spotting.trec_names import ListedNames

        return TrecRelevance("", queries, starts, ListedNames([]), np.empty(0))
    if values["format"] != "xml":
        raise ValueError(f"there is no format {values['format']!r}")
    from core.tasks.keyword_spotting.xml_words import Judgements, Words

    number = np.empty(0, np.int32)
    words = Words((), number, np.empty((0, 4), np.int32), number)
    return Judgements("", queries, starts, words, np.empty(0), ())


OUTLINE: Outline[Relevance] = Outline(
    facts, reference, options=("missing", "compat", "ties"), scripts=SCRIPTS
)
