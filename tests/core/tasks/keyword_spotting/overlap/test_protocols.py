"""Protocols: switches, profiles, what they refuse, and how results of several are kept apart."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.desk import summarize
from jurydesk.core.metrics.spotting.claims import HIT, claim
from jurydesk.core.metrics.spotting.overlaps import Candidates
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS
from jurydesk.core.metrics.spotting.spots import Spots
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import Curve, UsageError
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import policies
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK, sniff
from support.files.spotting import score_files, score_texts, write_formats

# kws-eval's own example of two queries, computed by hand in the specification of the competition.
LINES = "q1 a\nq1 b\nq1 c\nq2 d\n"
LISTED = "q1 a 4\nq1 x 3\nq1 b 2\nq2 z 1\n"


def test_known_answers_of_kws_eval(tmp_path: Path) -> None:
    scores = score_texts(tmp_path, LINES.replace("q2 d\n", ""), LISTED).scores()
    assert scores["gAP"] == pytest.approx(0.555556, abs=1e-6)
    assert scores["mAP"] == pytest.approx(0.277778, abs=1e-6)
    assert scores["gNDCG"] == pytest.approx(0.703918, abs=1e-6)
    plain = score_texts(tmp_path, LINES.replace("q2 d\n", ""), LISTED, interpolate=False)
    assert plain.scores()["gAP"] == pytest.approx(0.527778, abs=1e-6)


def test_known_answers_of_kws_assessment(tmp_path: Path) -> None:
    table = "l1 w1 1 .9\nl2 w1 0 .8\nl3 w1 1 .7\nl1 w2 0 .6\nl2 w2 1 -1\nl1 w3 0 .5\n"
    path = tmp_path / "table"
    path.write_text(table)
    expected = {
        (True, False, False): (0.722222222, 0.666666667),
        (True, False, True): (0.555555556, 0.416666667),
        (False, True, False): (0.344444444, 0.270833333),
    }
    for (interpolate, trapezoid, kept), (whole, mean) in expected.items():
        options = {"interpolate": interpolate, "trapezoid": trapezoid, "keep_negative": kept}
        scores = score_files([path], path, options, tmp_path).scores()
        assert (scores["AP"], scores["MAP"]) == pytest.approx((whole, mean), abs=1e-8)


def test_corrected_leaves_queries_without_anything_relevant_out_of_the_means(
    tmp_path: Path,
) -> None:
    texts = "and p 10 10 20 20\n", "and p 10 10 20 20 .9\nno p 0 0 5 5 .1\n"
    published = score_texts(tmp_path, *texts)
    corrected = score_texts(tmp_path, *texts, profile="corrected")
    assert (published.scores()["mAP"], corrected.scores()["mAP"]) == (0.5, 1.0)
    assert any(
        "mAP is 0.5000, and 1.0000 without them" in one for one in published.texts("warning")
    )


def test_corrected_takes_negative_coordinates_as_they_are(tmp_path: Path) -> None:
    texts = "and p -5 10 20 20\n", "and p -5 10 20 20 .9\n"
    assert score_texts(tmp_path, *texts).scores()["num_matches"] == 0
    assert score_texts(tmp_path, *texts, profile="corrected").scores()["num_matches"] == 1


def test_results_are_matched_with_the_words_of_a_line_as_boxes_or_as_lines(tmp_path: Path) -> None:
    lines = "p1 l1 0 0 700 60 the and\n"
    boxes = score_texts(tmp_path, lines, "and p1 10 5 60 40 .5\n")
    segments = score_texts(tmp_path, lines, "and l1 .5\n", protocol="segments")
    assert boxes.scores()["num_matches"] == segments.scores()["num_matches"] == 1


def test_a_table_is_made_of_segments_and_their_relevance(tmp_path: Path) -> None:
    found = score_texts(tmp_path, "w a\nw b\n", "w a .9\nw c .5\n", protocol="table")
    assert found.scores()["AP"] == pytest.approx((1 + 2 / 3) / 2)
    kept = score_texts(
        tmp_path, "w a\nw b\n", "w a .9\nw c .5\n", protocol="table", keep_negative=True
    )
    assert kept.scores()["AP"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"protocol": "icdar2017", "profile": "icfhr"}, "icfhr"),
        ({"protocol": "segments", "overlap_measure": "iou"}, "no overlap"),
        ({"protocol": "words"}, "boxes"),
        ({"letters": "a-"}, "letters"),
    ],
)
def test_switches_that_do_not_fit_are_refused(
    options: dict[str, str], word: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=word):
        score_texts(tmp_path, "and p 1 1 5 5\n", "and p 1 1 5 5 .5\n", **options)


def test_the_letters_of_words_decide_what_is_a_query(tmp_path: Path) -> None:
    texts = "And p 1 1 5 5\nde-l p 9 9 5 5\nx p 20 20 5 5\n", "AND p 1 1 5 5 .5\n"
    assert score_texts(tmp_path, *texts).evaluation is None
    found = score_texts(tmp_path, *texts, case="fold", min_length=2, letters="mask")
    assert found.evaluation is not None
    assert found.evaluation.items.ids == ("and",)
    assert any("1 of 3 words" in one for one in found.texts(Severity.NOTE))


def test_evidence_tells_repetitions_and_the_box_that_is_compared(tmp_path: Path) -> None:
    texts = "and p 10 10 20 20\n", "and p 10 10 20 20 .9\nand p 12 10 20 20 .8\n"
    evaluation = score_texts(tmp_path, *texts).evaluation
    assert evaluation is not None
    ranked = evaluation.items.show(0)
    assert isinstance(ranked, RankedList)
    assert [(one.hit, one.verdict) for one in ranked.items] == [(True, 1), (False, 2)]
    assert ranked.items[1].near == (10, 10, 20, 20)
    assert ranked.items[1].overlap == pytest.approx(0.9)


def test_matches_and_curves_are_written(tmp_path: Path) -> None:
    dump, curve = tmp_path / "dump.tsv", tmp_path / "curve"
    texts = "and p 10 10 20 20\nthe p 90 90 9 9\n", "and p 10 10 20 20 .9\n"
    score_texts(tmp_path, *texts, dump_matches=str(dump), curve=str(curve), curve_points=3)
    lines = [line.split("\t") for line in dump.read_text().splitlines()]
    assert [line[7] for line in lines] == ["verdict", "hit", "missed"]
    assert curve.read_text().splitlines()[0] == "0.000000e+00 1.000000e+00"
    assert (tmp_path / "curve.mean").read_text().count("\n") == 3


def test_results_of_different_protocols_are_never_set_side_by_side(tmp_path: Path) -> None:
    summaries = []
    for name, protocol in (("a", "iou50"), ("b", "iou50"), ("c", "icdar2017")):
        found = score_texts(
            tmp_path, "and p 1 1 5 5\n", "and p 1 1 5 5 .5\n", protocol=protocol
        ).evaluation
        assert found is not None
        stamp = {"created": "", "options": {"protocol": protocol}}
        summaries.append(summarize(dataclasses.replace(found, system=name, stamp=stamp)))
    board = make_leaderboard(TASK, summaries)
    assert [row.summary.system for row in board.rows] == ["a", "b"]
    assert "scored under other rules: c" in board.finding


def test_the_other_protocols_are_choices_under_which_the_order_may_change() -> None:
    found = policies({"format": "overlap", "protocol": "iou50, changed: --overlap"})
    names = [one.value for one in found if one.choice == "protocol"]
    assert names == ["icdar2017", "ctrlf25", "ctrlf50", "segfree25", "segfree50", "iou25"]


def test_boxes_that_propose_together_take_what_taking_turns_gives() -> None:
    random = np.random.default_rng(11)
    rules = PROTOCOLS["iou50"]
    for _ in range(200):
        count, wanted = random.integers(1, 12, 2).tolist()
        pairs = [
            (row, one)
            for row in range(count)
            for one in random.permutation(wanted)[: random.integers(0, wanted + 1)].tolist()
        ]
        own, its = np.array(pairs or np.empty((0, 2)), np.int64).reshape(-1, 2).T
        ranked = random.permutation(count)
        free, expected = set(range(wanted)), {}
        for row in ranked.tolist():
            choice = next((one for mine, one in pairs if mine == row and one in free), None)
            if choice is not None:
                free.remove(choice)
                expected[row] = choice
        found = claim(
            Candidates(own, its, np.ones(len(own))), _spots(count), _spots(wanted), ranked, rules
        )
        hits = np.flatnonzero(found.verdict == HIT).tolist()
        assert {row: int(found.relevant[row]) for row in hits} == expected


def _spots(count: int) -> Spots:
    number = np.zeros(count, np.int64)
    return Spots(number, number, np.zeros((count, 4), np.int64), np.zeros(count), number)


def test_a_dropped_file_of_each_shape_is_recognized_by_its_content(tmp_path: Path) -> None:
    roles: dict[Path, str] = {}
    for _, relevance, results in write_formats(tmp_path):
        roles |= {**dict.fromkeys(relevance, "relevance"), results: "results"}
    for path, role in roles.items():
        found = sniff(path.read_bytes())
        assert found is not None, path
        assert found.role == role, path


@pytest.mark.parametrize("protocol", ["iou25", "icdar2017", "ctrlf50", "segfree25"])
def test_the_curve_over_overlaps_has_the_scores_of_each_threshold(
    protocol: str, tmp_path: Path
) -> None:
    texts = (
        "and p 0 0 100 10\nthe p 0 50 100 10\n",
        "and p 0 0 60 10 .9\nthe p 60 50 100 10 .8\nthe p 0 50 95 10 .4\n",
    )
    evaluation = score_texts(tmp_path, *texts, protocol=protocol).evaluation
    assert evaluation is not None
    (curve,) = (one for one in evaluation.figures if one.name == "map_by_overlap")
    assert isinstance(curve, Curve)
    for overlap, mean in zip(curve.x.tolist(), curve.mean.tolist(), strict=True):
        scored = score_texts(tmp_path, *texts, protocol=protocol, overlap=overlap).scores()
        assert scored["ap"] == pytest.approx(mean, abs=1e-12)
    assert len(set(curve.mean.tolist())) > 1
