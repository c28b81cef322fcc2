"""ICFHR 2014 files that are accepted, with their content."""

from __future__ import annotations

import gzip
import math
import re
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import (
    read_word_judgements,
    read_word_results,
)
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements, WordResults
from support.defect_texts import defect_texts
from support.files.icfhr import (
    RANKED,
    judgements_text,
    read_listing,
    read_relevance,
    results_text,
    word,
)
from support.oracles import data


def boxes(results: WordResults | None) -> list[list[int]]:
    assert results is not None
    return results.words.boxes.tolist()


class TestContent:
    def test_queries_words_and_grades_are_read(self, judgements: Judgements) -> None:
        assert judgements.queries == ("a", "b")
        assert judgements.starts.tolist() == [0, 1, 2]
        assert judgements.words.boxes[1].tolist() == [20, 0, 10, 10]
        assert judgements.relevance.tolist() == [1.0, 0.5]
        assert judgements.format == "xml"

    def test_queries_are_in_natural_order(self, tmp_path: Path) -> None:
        text = judgements_text({name: [word(i)] for i, name in enumerate(("q10", "q9", "q1"))})
        found = read_relevance(tmp_path, text).data
        assert found is not None
        assert found.queries == ("q1", "q9", "q10")
        assert found.words.boxes[:, 0].tolist() == [2, 1, 0]

    def test_the_order_of_the_file_is_the_ranking(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, RANKED)
        assert reading.defects == ()
        assert [box[0] for box in boxes(reading.data)] == [0, 40, 20]
        assert reading.data is not None
        assert reading.data.words.lines.tolist() == [4, 5, 8]

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: "\ufeff" + text.replace("\n", "\r\n"),
            lambda text: text.replace('"', "'"),
            lambda text: text.replace(' x="0" y="0"', ' y="0"\tx="0"'),
            lambda text: text.replace("<word ", "<word\n\n"),
            lambda text: text.replace("\n", ""),
            lambda text: text.replace(" />", "></word>"),
            lambda text: text.replace("p1", "p&#49;"),
            lambda text: text.replace("<RelevanceListings>", "<!-- mine --><RelevanceListings>"),
            lambda text: text.replace(' x="0"', ' x="+00"'),
            lambda text: gzip.compress(text.encode()),
            lambda text: text.replace("utf-8", "utf-16").encode("utf-16"),
            lambda text: text.replace("utf-8", "iso-8859-1").encode("latin-1"),
        ],
    )
    def test_any_legal_syntax_is_read(
        self, change: object, tmp_path: Path, judgements: Judgements
    ) -> None:
        assert callable(change)
        reading = read_listing(tmp_path, judgements, change(RANKED))
        assert [one for one in reading.defects if "on the line of <Rel>" not in one.found] == []
        assert boxes(reading.data) == [[0, 0, 10, 10], [40, 0, 10, 10], [20, 0, 10, 10]]
        assert reading.data is not None
        assert reading.data.words.documents == ("p1",)

    def test_words_on_the_line_of_their_opening_tag_are_counted_and_named(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        """rusteval drops them: its README asks for a line of their own."""
        content = re.sub(r"(<Rel [^>]*>)\n", r"\1", RANKED)
        (defect,) = read_listing(tmp_path, judgements, content).defects
        words = "1 word is" if defect.count == 1 else f"{defect.count} words are"
        assert str(defect).partition("line ")[2].partition(": ")[2] == (
            f"{words} on the line of <Rel>.\n"
            "       rusteval drops such a word, here it counts. Begin a new line after the tag."
        )

    def test_coordinates_can_be_negative(self, tmp_path: Path, judgements: Judgements) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [word(-12345678)]}))
        assert boxes(reading.data) == [[-12345678, 0, 10, 10]]

    def test_the_relevance_file_of_the_competition_is_read(self) -> None:
        path = data("icfhr2014/TRACK_I_Bentham_ICFHR2014.RelevanceJudgements.xml")
        reading = read_word_judgements(path, Run())
        assert reading.defects == ()
        assert reading.data is not None
        assert len(reading.data.queries) == 320
        assert len(reading.data.words) == 4164
        assert reading.data.texts[0] == "possess"


class TestTolerance:
    def test_missing_relevance_is_one_and_a_misspelling_is_guessed(self, tmp_path: Path) -> None:
        words = [word(0, relevance="1"), word(20, relevance="1"), word(40, relevance="1")]
        text = judgements_text({"a": words}).replace(' Relevance="1"', ' elevance="1"', 2)
        reading = read_relevance(tmp_path, text)
        assert defect_texts(reading.defects) == [
            'warning  gt.xml, line 4: 2 words have no attribute "Relevance".\n'
            "       Such a word counts as fully relevant (1), in nDCG of the profile icfhr as 0. "
            '"elevance" was found: did you mean "Relevance"?',
            'warning  gt.xml, line 4: 2 words have an unknown attribute "elevance".\n'
            "       It was ignored.",
        ]
        assert [defect.count for defect in reading.defects] == [2, 2]
        assert reading.data is not None
        assert [math.isnan(grade) for grade in reading.data.relevance] == [True, True, False]

    def test_a_word_judged_twice_is_a_warning(self, tmp_path: Path) -> None:
        words = [word(0, relevance="1"), word(5, relevance="1"), word(0, relevance="0.5")]
        reading = read_relevance(tmp_path, judgements_text({"a": words}))
        assert defect_texts(reading.defects) == [
            "warning  gt.xml, line 6: 1 word is judged again for the same query "
            "(line 6 repeats line 4).\n"
            "       The published profile counts every line as one relevant word, corrected only "
            "one. Remove the repetitions."
        ]

    def test_a_query_without_relevant_words_is_a_warning(self, tmp_path: Path) -> None:
        text = judgements_text({"a": [word(0, relevance="1")], "b": []})
        assert defect_texts(read_relevance(tmp_path, text).defects) == [
            'warning  gt.xml, line 6: There is no word for 1 query: "b".\n'
            "       A query with nothing relevant is left out of the means."
        ]

    def test_a_query_without_results_is_a_warning(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        reading = read_listing(tmp_path, judgements, results_text({"a": [word(0)], "b": []}))
        assert defect_texts(reading.defects) == [
            'warning  res.xml, line 6: There is no word for 1 query: "b".\n'
            "       It counts as a query without results."
        ]

    def test_queries_without_judgements_are_left_out(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        text = results_text({"y": [word(1)], "a": [word(0)], "z": [word(2)]})
        reading = read_listing(tmp_path, judgements, text)
        assert defect_texts(reading.defects) == [
            'warning  res.xml, line 3: 2 queries are not in the relevance file: "y", "z".\n'
            "       Words of such a query are ignored. Check the spelling."
        ]
        assert reading.data is not None
        assert reading.data.queries == ("a",)
        assert boxes(reading.data) == [[0, 0, 10, 10]]


class TestRunning:
    def test_a_cancellation_is_noticed_between_blocks(
        self, tmp_path: Path, judgements: Judgements
    ) -> None:
        path = tmp_path / "res.xml"
        path.write_text(RANKED)
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            read_word_results(path, judgements, Run(cancel=token))

    def test_progress_counts_bytes(self, tmp_path: Path, judgements: Judgements) -> None:
        path = tmp_path / "res.xml"
        path.write_text(RANKED)
        seen = []
        read_word_results(path, judgements, Run(progress=seen.append))
        assert [(step.done, step.total, step.text) for step in seen] == [
            (len(RANKED), len(RANKED), "Reading res.xml")
        ]


def test_words_can_be_selected(judgements: Judgements) -> None:
    chosen = judgements.words.take(np.array([1]))
    assert (chosen.names(), chosen.boxes.tolist()) == (["p1"], [[20, 0, 10, 10]])
