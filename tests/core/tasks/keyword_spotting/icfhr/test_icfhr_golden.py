"""Equality with rusteval 0.5.0, the ICFHR 2014 program and an independent calculation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.ranking.catalogue import measure_by_name
from jurydesk.core.metrics.ranking.ranking_statistics import MeasureRules, RankingStatistics
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Curve, Evaluation
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_lists import XmlLists
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import (
    read_word_judgements,
    read_word_results,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.oracles import golden, oracle

CASES: list[dict[str, Any]] = json.loads(oracle("keyword_spotting/icfhr/cases.json").read_text())
SOUND = [case for case in CASES if not case["is_refused"]]

ICFHR_RULES = MeasureRules(cut="listed", discount="icfhr")
OFFICIAL = {
    "P@5": "precAt5",
    "P@10": "precAt10",
    "R-Precision": "Rprec",
    "MAP": "ap",
    "NDCG_binary": "ndcg_binary",
    "NDCG": "ndcg",
}
INDEPENDENT = {
    "P5_min_k_R": "precAt5",
    "P10_min_k_R": "precAt10",
    "P5_trec": "P_5",
    "P10_trec": "P_10",
    "Rprec": "Rprec",
    "AP": "ap",
    "ndcg_binary_log2": "ndcg_binary",
    "ndcg_graded_log2": "ndcg",
    "recip_rank": "recip_rank",
    "success_1": "success_1",
    "success_5": "success_5",
    "success_10": "success_10",
}

CURVE = "pr_curve_11"
PRINTED = 5.1e-5
"""The program prints four decimals."""

Row = tuple[str, str, float]


def files(name: str) -> tuple[Path, Path]:
    if name == "sample":
        folder = "keyword_spotting/icfhr_shared"
        return golden(f"{folder}/sample.gt.xml"), golden(f"{folder}/sample.res.xml")
    folder = "keyword_spotting/icfhr"
    return oracle(f"{folder}/{name}.gt.xml"), oracle(f"{folder}/{name}.res.xml")


def lists(name: str) -> XmlLists:
    relevance, results = files(name)
    judgements = read_word_judgements(relevance, Run()).data
    assert judgements is not None
    found = read_word_results(results, judgements, Run()).data
    assert found is not None
    return XmlLists(judgements, found, Run())


def differences(
    name: str, profile: str, rules: MeasureRules, expected: Iterator[Row], tolerance: float
) -> list[tuple[str, str, float, float]]:
    hits = lists(name).hits(profile)
    ranked = RankingStatistics(hits, rules)
    wrong = []
    for query, metric, value in expected:
        found = measure_by_name(metric)
        assert found is not None
        ours = float(found.values(ranked)[hits.queries.index(query)])
        if not abs(ours - value) <= tolerance:
            wrong.append((query, metric, ours, value))
    return wrong


def rows(values: dict[str, dict[str, float]], names: dict[str, str]) -> Iterator[Row]:
    for query, measures in values.items():
        for name, value in measures.items():
            if name in names:
                yield query, names[name], value


def cases_with(key: str) -> Any:
    return pytest.mark.parametrize("case", [c for c in SOUND if c[key]], ids=lambda c: c["name"])


@cases_with("rusteval")
def test_published_equals_rusteval(case: dict[str, Any]) -> None:
    names = {name: name for name in ("precAt5", "precAt10", "ap")}
    expected = rows(case["rusteval"], names)
    assert differences(case["name"], "published", MeasureRules(), expected, 1e-5) == []


@cases_with("official")
def test_icfhr_equals_the_program_of_the_competition(case: dict[str, Any]) -> None:
    expected = rows(case["official"], OFFICIAL)
    assert differences(case["name"], "icfhr", ICFHR_RULES, expected, PRINTED) == []


def evaluated(name: str) -> Evaluation:
    """Return the evaluation in the profile icfhr, with the same queries left out as there."""
    relevance, results = files(name)
    options = KeywordSpottingOptions(profile="icfhr")
    references = TASK.readers.read_references({"relevance": [relevance]}, options, Run()).data
    assert references is not None
    found = TASK.readers.read_submission(results, references, options, Run()).data
    assert found is not None
    return TASK.scoring.evaluate(references, found, options, Run())


def curve_of(evaluation: Evaluation) -> Curve:
    curves = [figure for figure in evaluation.figures if figure.name == "precision_recall_11"]
    assert isinstance(curves[0], Curve)
    return curves[0]


@cases_with("official")
def test_icfhr_draws_the_same_curves_as_the_program(case: dict[str, Any]) -> None:
    evaluation = evaluated(case["name"])
    curve = curve_of(evaluation)
    assert curve.members is not None
    for query, values in case["official"].items():
        ours = curve.members[evaluation.items.ids.index(query)]
        assert ours == pytest.approx(values[CURVE], abs=PRINTED), query
    assert curve.mean == pytest.approx(case["official_mean"][CURVE], abs=PRINTED)


@cases_with("official")
def test_icfhr_means_equal_those_of_the_program(case: dict[str, Any]) -> None:
    evaluation = evaluated(case["name"])
    ours = {name: evaluation.score(metric).value for name, metric in OFFICIAL.items()}
    theirs = {name: case["official_mean"][name] for name in OFFICIAL}
    assert ours == pytest.approx(theirs, abs=PRINTED)


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_corrected_equals_the_independent_calculation(case: dict[str, Any]) -> None:
    expected = rows(case["same_document_once"], INDEPENDENT)
    assert differences(case["name"], "corrected", MeasureRules(), expected, 1e-12) == []


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_published_equals_the_independent_calculation(case: dict[str, Any]) -> None:
    expected = rows(case["box_only_repeated"], INDEPENDENT)
    assert differences(case["name"], "published", MeasureRules(), expected, 1e-12) == []


def test_every_case_is_compared() -> None:
    assert len(CASES) == 24
    assert sum(len(list(rows(case["same_document_once"], INDEPENDENT))) for case in SOUND) > 300


def test_the_means_of_the_sample_equal_those_that_rusteval_prints() -> None:
    hits = lists("sample").hits("published")
    assert hits.queries == ("sb0000", "sb0001")
    values = {}
    for name in ("precAt10", "precAt5"):
        found = measure_by_name(name)
        assert found is not None
        values[name] = found.values(RankingStatistics(hits)).tolist()
    assert values["precAt10"] == pytest.approx([0.55555, 0.44444], abs=1e-5)
    assert values["precAt5"] == pytest.approx([1.0, 0.8], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "missing_attr",
            'error  missing_attr.res.xml, line 7: query "a", word 5: attribute "width" is '
            "missing.\n"
            "       Every <word> needs document, x, y, width and height. Add width.",
        ),
        (
            "bad_number",
            'error  bad_number.res.xml, line 7: query "a", word 5: x="3e3" is not a whole number.\n'
            "       x, y, width and height are whole numbers of pixels. Write digits only.",
        ),
        (
            "relevance_out_of_range",
            'error  relevance_out_of_range.gt.xml, line 4: query "a", word 1: Relevance="1.5" is '
            "outside [0, 1].\n"
            "       Relevance is a number from 0 to 1. Divide all grades by the highest one.",
        ),
        (
            "truncated",
            "error  truncated.res.xml, line 13: The file ends inside a tag, and before <Rel> and "
            "<RelevanceListings> are closed: it was cut short.\n"
            "       Get the complete file: copy or write it again.",
        ),
        (
            "xxe",
            "error  xxe.res.xml, line 1: A document type or entity declaration (<!DOCTYPE ...>) is "
            "not allowed.\n"
            "       The format needs none, and entities can reach for other files. Remove it, and "
            "write the characters themselves; nothing after it was read.",
        ),
        (
            "swapped_files",
            "error  swapped_files.gt.xml, line 1: This is a result list (<RelevanceListings>).\n"
            "       A file that begins with <GroundTruthRelevanceJudgements> is expected. The two "
            "files are swapped: give the relevance file with --relevance and the result list with "
            "--results.",
        ),
        (
            "query_unknown",
            'warning  query_unknown.res.xml, line 19: 1 query is not in the relevance file: "zz".\n'
            "       Words of such a query are ignored. Check the spelling.",
        ),
    ],
)
def test_a_damaged_case_is_reported_with_its_line_and_what_to_do(name: str, expected: str) -> None:
    relevance, results = files(name)
    judged = read_word_judgements(relevance, Run())
    defects = judged.defects
    if judged.data is not None:
        defects = (*defects, *read_word_results(results, judged.data, Run()).defects)
    assert [str(defect) for defect in defects] == [expected]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_a_valid_case_has_no_error(case: dict[str, Any]) -> None:
    relevance, results = files(case["name"])
    judged = read_word_judgements(relevance, Run())
    assert judged.data is not None
    assert not has_errors(
        (*judged.defects, *read_word_results(results, judged.data, Run()).defects)
    )
