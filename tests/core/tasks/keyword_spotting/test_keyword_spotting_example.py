from __future__ import annotations

import pytest
from PIL import Image

from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import explain_item
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.examples import folder_of, score_example


@pytest.fixture(scope="module")
def result() -> CompetitionResult:
    return score_example(TASK)


def scores(result: CompetitionResult, metric: str) -> dict[str, float]:
    return {one.system: one.score(metric).value for one in result.evaluations}


def test_the_systems_differ(result: CompetitionResult) -> None:
    ap = scores(result, "ap")
    assert ap["stroke-matcher"] > ap["word-shapes"] > ap["column-profiles"] > 0


def test_the_worst_system_shows_defects(result: CompetitionResult) -> None:
    assert result.reference_defects == ()
    reported = {
        entry.system: [str(one.severity) for one in entry.defects] for entry in result.entries
    }
    assert reported["stroke-matcher"] == []
    assert reported["word-shapes"] == []
    assert reported["column-profiles"] == ["warning", "warning", "note", "note"]


def test_every_box_is_inside_its_page(result: CompetitionResult) -> None:
    sizes = {}
    for path in (folder_of(TASK) / "images").iterdir():
        with Image.open(path) as image:
            sizes[path.stem] = image.size
    for evaluation in result.evaluations:
        assert evaluation.items.evidence is not None
        for item in range(len(evaluation.items)):
            evidence = evaluation.items.evidence(item)
            assert isinstance(evidence, RankedList)
            for word in (*evidence.items, *evidence.missed):
                assert word.box is not None
                x, y, width, height = word.box
                assert 0 <= x < x + width <= sizes[word.name][0]
                assert 0 <= y < y + height <= sizes[word.name][1]


def test_a_relevant_word_that_is_listed_twice_is_found_once(result: CompetitionResult) -> None:
    notes = {}
    for evaluation in result.evaluations:
        assert evaluation.items.evidence is not None
        for item, query in enumerate(evaluation.items.ids):
            evidence = evaluation.items.evidence(item)
            assert isinstance(evidence, RankedList)
            assert evidence.found + len(evidence.missed) == evidence.relevant
            if evidence.hits != evidence.found:
                notes[evaluation.system, query] = explain_item(evidence)[0].note
    assert notes == {
        ("column-profiles", "ship"): (
            "5 of 5 relevant found, 41 listed. 1 more hit counts a relevant item again. "
            "Later hits at rank 16, 20."
        )
    }


def test_the_trec_eval_pair_gives_the_same_average_precision(result: CompetitionResult) -> None:
    folder = folder_of(TASK)
    pair = {
        "relevance": [folder / "trec_eval" / "relevance.qrels"],
        "results": [folder / "trec_eval" / "stroke-matcher.run"],
    }
    trec = score_submissions(TASK, files_by_role(pair), KeywordSpottingOptions(), Run())
    assert trec.defects == ()
    # rusteval's numbers are in single precision, trec_eval's in double.
    assert scores(trec, "ap")["stroke-matcher"] == pytest.approx(
        scores(result, "ap")["stroke-matcher"], abs=1e-8
    )
