"""Scores by overlap equal those of the programs (`tests/oracles/keyword_spotting/overlap`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import Curve
from jurydesk.core.tasks.keyword_spotting.overlap import spot_lists
from support.files.spotting import Outcome, recorded, score_files, score_texts, write_formats
from support.oracles import oracle

COUNTS = {
    "matches": "num_matches",
    "false_positives": "num_false_positives",
    "false_negatives": "num_false_negatives",
    "repeated": "num_repeated",
}
PAGES = {"mAP": "map", "mR": "recall"}
"""Names of the recorded scores of pages that are others here."""
CURVES = {"curve_grp": "recall_precision_global", "curve_mrp": "recall_precision_mean"}
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in ("ctrlf25", "ctrlf50", "iou25", "iou50")},
    "segfree25_ink": ("segfree25", {}),
    "segfree50_ink": ("segfree50", {}),
    "segfree25_iou": ("segfree25", {"overlap_measure": "iou"}),
    "segfree50_iou": ("segfree50", {"overlap_measure": "iou"}),
    "iou50_ignore": ("iou50", {"repeated": "ignore"}),
    "iou25_strict_top5": ("iou25", {"strict": True, "top": 5}),
    "iou25_strict_top3_limited": ("iou25", {"strict": True, "top": 3, "limit_relevant": True}),
    "reference70": ("iou50", {"overlap_measure": "reference", "overlap": 0.7}),
    "hypothesis50": ("iou50", {"overlap_measure": "hypothesis"}),
}
BY_QUERY = {"AP": "ap", "NDCG": "NDCG"}


@pytest.fixture(autouse=True)
def scores_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures of other rules, which would take most of the time."""
    monkeypatch.setattr(spot_lists, "MOST_BOXES", -1)


def assert_scores(
    found: Outcome,
    expected: dict[str, Any],
    tolerance: float = 1e-12,
    names: dict[str, str] = COUNTS,
) -> int:
    """Compare scores, and values of queries; return how many were compared."""
    scores, count = found.scores(), 0
    for name, value in expected.items():
        if isinstance(value, int | float) and name not in ("rc", "offset"):
            own = scores[names.get(name, name)]
            assert own == pytest.approx(value, rel=0, abs=tolerance), name
            count += 1
    assert found.evaluation is not None
    items = found.evaluation.items
    for query, values in expected.get("per_query", {}).items():
        row = items.ids.index(query)
        known = values if isinstance(values, dict) else {"AP": values}
        for name, value in known.items():
            column = items.columns.get(BY_QUERY.get(name, name))
            if column is not None:
                assert column[row] == pytest.approx(value, rel=0, abs=tolerance), (query, name)
                count += 1
    return count


@pytest.mark.parametrize("protocol", ["icdar2017", "segments"])
def test_blocks_are_those_of_kws_eval(protocol: str, tmp_path: Path) -> None:
    compared = 0
    for case in recorded(f"{protocol}.jsonl"):
        options = {**case["options"], "protocol": protocol}
        expected = case["expected"]
        points = len(expected.get("curve_grp", ())) or 11
        found = score_texts(
            tmp_path, case["relevance"], case["results"], **options, curve_points=points
        )
        if case["name"] == "no_references":
            assert found.evaluation is None
            continue
        compared += assert_scores(found, expected)
        assert found.evaluation is not None
        figures = {one.name: one for one in found.evaluation.figures}
        for key, name in CURVES.items():
            if key in expected:
                curve = figures[name]
                assert isinstance(curve, Curve)
                drawn = np.column_stack([curve.x, curve.mean])
                assert np.abs(drawn - np.array(expected[key])).max() <= 1e-6
    assert compared > 300


def test_tables_are_those_of_kws_assessment(tmp_path: Path) -> None:
    for case in recorded("table.jsonl"):
        path = tmp_path / "table"
        path.write_bytes(case["table"].encode())
        options = {**case["options"], "protocol": "table"}
        found = score_files([path], path, options, tmp_path)
        coarse = {
            name: value
            for name, value in case["expected"].items()
            if "threshold" in name or "difference" in name
        }
        fine = {name: case["expected"][name] for name in case["expected"] if name not in coarse}
        assert_scores(found, fine, 1.01e-9)
        assert_scores(found, coarse, 1e-6)
        undefined = [name for name, value in case["expected"].items() if value is None]
        assert all(np.isnan(found.scores()[name]) for name in undefined)
        assert found.evaluation is not None
        values = np.nan_to_num(found.evaluation.items.columns["ap"])
        assert values == pytest.approx(case["per_word"], rel=0, abs=1e-6)


@pytest.mark.parametrize("rule", RULES)
def test_pages_are_scored_by_each_rule(rule: str, tmp_path: Path) -> None:
    protocol, switches = RULES[rule]
    for case in recorded("pages.jsonl"):
        options = {"protocol": protocol, **switches}
        found = score_texts(tmp_path, case["relevance"], case["results"], **options)
        assert assert_scores(found, case["rules"][rule], names=PAGES) > 0


def test_labelled_words_are_ranked_as_by_phocnet(tmp_path: Path) -> None:
    for case in recorded("words.jsonl"):
        expected = case["expected"]
        examples = case["labels"], case["by_example"]
        dropped = score_texts(tmp_path, *examples, protocol="words", drop_first=True)
        assert_scores(
            dropped,
            {
                "map_all": expected["qbe_drop_first_mean_all"],
                "map": expected["qbe_drop_first_mean_positive"],
            },
        )
        assert dropped.evaluation is not None
        own = dropped.evaluation.items.columns["ap"]
        assert own == pytest.approx(expected["qbe_drop_first_ap"], rel=0, abs=1e-12)
        kept = score_texts(tmp_path, *examples, protocol="words")
        assert_scores(kept, {"map_all": expected["qbe_keep_first_mean"]})
        strings = score_texts(tmp_path, case["labels"], case["by_string"], protocol="words")
        assert_scores(strings, {"map_all": expected["qbs_mean"], "per_query": expected["qbs_ap"]})


@pytest.mark.parametrize("rule", ["iou25", "iou50", "reference70"])
def test_icfhr_xml_is_scored_by_overlap(rule: str, tmp_path: Path) -> None:
    protocol, switches = RULES[rule]
    for case in recorded("icfhr_overlap.jsonl"):
        options = {"protocol": protocol, **switches}
        found = score_texts(tmp_path, case["relevance"], case["results"], **options)
        assert_scores(found, case["rules"][rule])
        assert "gAP" not in found.scores(), "the lists have no scores"


def test_every_shape_of_file_is_read_as_what_it_means(tmp_path: Path) -> None:
    count = 0
    for case, relevance, results in write_formats(tmp_path):
        found = score_files(relevance, results, {"protocol": case["protocol"]}, tmp_path)
        assert_scores(found, case["expected"])
        count += 1
    assert count == 26


ERRORS = json.loads(oracle("keyword_spotting/overlap/errors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ERRORS, ids=[case["name"] for case in ERRORS])
def test_a_mistake_is_said_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    relevance, results = tmp_path / case["relevance_name"], tmp_path / case["results_name"]
    relevance.write_bytes(case["relevance"].encode())
    results.write_bytes(case["results"].encode())
    found = score_files([relevance], results, case["options"], tmp_path)
    wanted = (Severity.ERROR,) if case["severity"] == "error" else (Severity.WARNING, Severity.NOTE)
    told = [
        one
        for one in found.defects
        if one.severity in wanted
        and all(word.lower() in str(one).lower() for word in case["must"])
        and case["line"] in (None, one.place.line)
    ]
    assert told, found.texts(*Severity)
    assert (found.evaluation is None) == (case["severity"] == "error")
