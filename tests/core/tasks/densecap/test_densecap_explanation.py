from __future__ import annotations

from jurydesk.core.model.evaluation import ScoredItem
from jurydesk.core.tasks.densecap.densecap_explanation import explain_difference


def item(**values: float) -> ScoredItem:
    return ScoredItem("1", {"claims": 1.0, "object": 2.0, "rank": 7.0, **values}, None)


def test_neighbours_exchanged_by_tied_scores_are_explained() -> None:
    (sentence,) = explain_difference(item(), item(rank=8.0))
    assert sentence.startswith("Tied scores are ordered as by torch7")
    assert explain_difference(item(), item()) == []
    assert explain_difference(item(rank=float("nan")), item(rank=float("nan"))) == []


def test_a_detection_assigned_to_no_object_is_explained() -> None:
    (one, _) = explain_difference(item(object=-1.0), item())
    assert one.startswith("The detection overlaps no object")
    assert explain_difference(item(object=0.0), item(object=0.0)) == []
