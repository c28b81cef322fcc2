"""Other overlaps, other rules and kinds of errors of a list by overlap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.metrics.spotting.error_kinds import KINDS
from jurydesk.core.metrics.spotting.overlap_what_if import OverlapWhatIf
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS
from jurydesk.core.model.evaluation import Curve, Evaluation
from jurydesk.core.model.evidence_columns import ColumnEvidence
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from jurydesk.core.tasks.keyword_spotting.overlap import spot_lists
from jurydesk.core.tasks.keyword_spotting.overlap_lists import candidate_list, list_at, stored_rules
from support.files.spotting import score_texts

WORDS = "and p 0 0 100 10\nand p 0 40 100 10\nthe p 200 0 100 10\nof p 300 0 100 10\n"
"""Two words of a query, and two others that touch each other."""
LISTED = (
    "and p 0 0 60 10 .9\n"  # a hit at .6
    "and p 0 0 100 10 .8\n"  # the same word again
    "and p 200 0 100 10 .7\n"  # a word of another query
    "and p 500 90 10 10 .6\n"  # nothing
    "and p 0 40 40 10 .5\n"  # the first .4 of a word
    "the p 200 0 200 10 .9\n"  # with its neighbour
    "of p 330 4 100 10 .9\n"  # shifted
)


def scored(folder: Path, protocol: str = "iou50", **options: object) -> Evaluation:
    found = score_texts(folder, WORDS, LISTED, protocol=protocol, **options).evaluation
    assert found is not None
    return found


def figure(evaluation: Evaluation, name: str) -> Curve:
    (found,) = (one for one in evaluation.figures if one.name == name)
    assert isinstance(found, Curve)
    return found


def lists_of(evaluation: Evaluation) -> list[RankedList]:
    return [evaluation.items.show(row) for row in range(len(evaluation.items))]


def test_each_listed_box_has_one_kind_of_error(tmp_path: Path) -> None:
    found = {one.query: one.kinds for one in lists_of(scored(tmp_path, overlap=0.55))}
    names = [[list(KINDS)[kind] if kind >= 0 else "hit" for kind in found[q]] for q in found]
    assert dict(zip(found, names, strict=True)) == {
        "and": ["hit", "repetition", "wrong_word", "background", "split"],
        "the": ["merged"],
        "of": ["mislocated"],
    }


def test_errors_are_counted_for_each_query(tmp_path: Path) -> None:
    items = scored(tmp_path, overlap=0.55).items
    row = items.ids.index("and")
    counts = {name: items.columns[f"num_{name}"][row] for name in ("wrong_word", "background")}
    assert counts == {"wrong_word": 1, "background": 1}
    assert items.columns["num_merged"][items.ids.index("the")] == 1


def test_the_cost_of_a_kind_is_what_repairing_it_gains(tmp_path: Path) -> None:
    # By hand, iou at .55: AP is 1/2 for "and" (one hit, at rank 1, of two), 0 for the others.
    curve = figure(scored(tmp_path, overlap=0.55), "error_costs")
    gains = dict(zip(KINDS, curve.mean.tolist(), strict=True))
    assert gains["merged"] == pytest.approx(1 / 3)
    assert gains["mislocated"] == pytest.approx(1 / 3)
    assert gains["split"] == pytest.approx((1 / 2) * (2 / 5) / 3)
    assert gains["repetition"] == gains["background"] == gains["wrong_word"] == 0
    assert gains["missed"] == pytest.approx(1 - 1 / 6)  # only "and" is left, with one word


def test_the_same_list_is_scored_under_every_rule(tmp_path: Path) -> None:
    curve = figure(scored(tmp_path, "iou25"), "other_rules")
    values = dict(zip(curve.x_axis.labels, curve.mean.tolist(), strict=True))
    assert set(values) == {name for name, one in PROTOCOLS.items() if one.places == "boxes"}
    for name, value in values.items():
        (ap,) = (one.value for one in scored(tmp_path, name).scores if one.metric == "ap")
        assert value == pytest.approx(ap, abs=1e-12), name
    assert len(set(values.values())) > 2


def test_changed_rules_stand_beside_their_preset(tmp_path: Path) -> None:
    curve = figure(scored(tmp_path, "iou50", overlap=0.7), "other_rules")
    assert curve.x_axis.labels[0] == "iou50, changed: --overlap"
    assert "iou50" in curve.x_axis.labels


@pytest.mark.parametrize("protocol", ["iou25", "icdar2017", "ctrlf50", "segfree25"])
def test_stored_lists_give_the_scores_of_any_overlap(protocol: str, tmp_path: Path) -> None:
    evaluation = scored(tmp_path, protocol)
    lists = lists_of(evaluation)
    what_if = OverlapWhatIf([candidate_list(one) for one in lists], stored_rules(lists[0]))
    seen = set()
    for overlap in (0.05, 0.3, 0.45, 0.6, 0.95):
        again = scored(tmp_path, protocol, overlap=overlap)
        outcome = what_if.at(overlap)
        scores = {one.metric: one.value for one in again.scores}
        assert outcome.mean == pytest.approx(scores["ap"], abs=1e-12)
        for one, other in zip(lists, lists_of(again), strict=True):
            alone = OverlapWhatIf([candidate_list(one)], stored_rules(one))
            moved = list_at(one, alone, alone.at(overlap))
            hits = [(item.rank, item.near) for item in moved.items if item.hit]
            assert hits == [(item.rank, item.near) for item in other.items if item.hit]
            assert [item.box for item in moved.missed] == [item.box for item in other.missed]
            seen.add(tuple(hits))
    assert len(seen) > 2


def test_a_hit_below_the_stored_ranks_appears(tmp_path: Path) -> None:
    far = "".join(f"a p {900 + 9 * n} 0 5 5 {999 - n}\n" for n in range(205))
    found = score_texts(tmp_path, "a p 0 0 10 10\n", far + "a p 0 0 10 3 1\n", protocol="iou50")
    assert found.evaluation is not None
    ranked = found.evaluation.items.show(0)
    what_if = OverlapWhatIf([candidate_list(ranked)], stored_rules(ranked))
    moved = list_at(ranked, what_if, what_if.at(0.25))
    assert [(one.rank, one.near) for one in moved.items if one.hit] == [(206, (0, 0, 10, 10))]
    assert moved.missed == ()


def test_precision_at_each_hit_has_its_marks(tmp_path: Path) -> None:
    # By hand: hit, miss, hit of three: points (1/3, 1), (2/3, 2/3); F1 .5 and .667.
    texts = "a p 0 0 9 9\na p 20 0 9 9\na p 40 0 9 9\n", "a p 0 0 9 9 3\na p 99 9 9 9 2\n"
    curve_of = score_texts(tmp_path, texts[0], f"{texts[1]}a p 20 0 9 9 1\n", protocol="iou50")
    assert curve_of.evaluation is not None
    curve = figure(curve_of.evaluation, "precision_recall_hits")
    assert curve.x.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert curve.mean.tolist() == pytest.approx([1, 2 / 3])
    marks = {one.title: (one.x, one.y) for one in curve.marks}
    assert marks == {
        "R = P": pytest.approx((2 / 3, 2 / 3)),
        "largest F1": pytest.approx((2 / 3, 2 / 3)),
    }
    recall, precision = curve_of.evaluation.items.show(0).points()
    assert recall.tolist() == pytest.approx(curve.x.tolist())
    assert precision.tolist() == pytest.approx(curve.mean.tolist())


def test_points_of_equal_scores_are_one(tmp_path: Path) -> None:
    texts = "a p 0 0 9 9\na p 20 0 9 9\n", "a p 0 0 9 9 1\na p 99 9 9 9 1\na p 20 0 9 9 1\n"
    found = score_texts(tmp_path, *texts, protocol="icdar2017").evaluation
    assert found is not None
    recall, precision = found.items.show(0).points()
    assert (recall.tolist(), precision.tolist()) == ([1.0], pytest.approx([2 / 3]))


def test_a_long_list_says_that_it_has_no_other_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spot_lists, "MOST_BOXES", 3)
    evaluation = scored(tmp_path)
    names = {one.name for one in evaluation.figures}
    assert not names & {"map_by_overlap", "other_rules", "error_costs"}
    assert "num_merged" not in evaluation.items.columns
    assert any("The list is long" in str(one) for one in evaluation.defects)
    assert np.isfinite(evaluation.items.columns["ap"]).all()


@pytest.mark.parametrize("protocol", ["icdar2017", "iou50"])
def test_ap_is_plotted_against_the_relevant_items(protocol: str, tmp_path: Path) -> None:
    (scatter,) = TASK.presentation.scatters
    items = scored(tmp_path, protocol).items
    pairs = dict(zip(items.ids, items.columns[scatter.x].tolist(), strict=True))
    assert pairs == {"and": 2, "the": 1, "of": 1}
    assert scatter.y in items.columns


@pytest.mark.parametrize(
    "damage",
    [
        {"pair_rank": [9]},
        {"pair_rank": [0]},
        {"pair_target": [-1]},
        {"pair_target": [10**9]},
        {"pair_overlap": []},
        {"recalls": [0.5]},
        {"rules": "[]"},
        {"rules": "{"},
        {"scores": [0.5]},
    ],
)
def test_a_forged_list_is_refused(damage: dict[str, object], tmp_path: Path) -> None:
    evaluation = scored(tmp_path)
    assert isinstance(evaluation.items.evidence, ColumnEvidence)
    parts = evaluation.items.evidence.build()
    row = {name: value for part in parts for name, value in part.row(0).items()}
    assert RankedList.from_row(row).has_candidates
    one_pair = {name: row[name][:1] for name in ("pair_rank", "pair_target", "pair_overlap")}
    with pytest.raises((ValueError, TypeError)):
        RankedList.from_row({**row, **one_pair, **damage})
