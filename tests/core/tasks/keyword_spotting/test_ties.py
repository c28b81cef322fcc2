from __future__ import annotations

from pathlib import Path

import pytest

from support.files.trec import WAYS, judgement_lines, read_in_one_way, result_lines, write_pair

JUDGED = {"q1": {"b": 1, "d": 1, "x": 1}, "q2": {"a": 1}}
LISTED = {"q1": [("a", 3), ("b", 3), ("c", 2), ("d", 1), ("e", 1)], "q2": [("a", 1), ("b", 0.5)]}


@pytest.fixture(params=WAYS)
def pair(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    read_in_one_way(request.param, monkeypatch)
    return write_pair(tmp_path, judgement_lines(JUDGED), result_lines(LISTED))


def test_every_query_has_its_range_over_the_orders_of_equal_scores(pair) -> None:
    columns = pair.evaluation(tie_range=True).items.columns
    low, high = (1 / 2 + 2 / 5) / 3, (1 / 1 + 2 / 4) / 3
    middle = ((1 / 2 + 2 / 5) + (1 / 2 + 2 / 4) + (1 + 2 / 5) + (1 + 2 / 4)) / 4 / 3
    assert columns["ap_min"].tolist() == pytest.approx([low, 1.0])
    assert columns["ap_expected"].tolist() == pytest.approx([middle, 1.0])
    assert columns["ap_max"].tolist() == pytest.approx([high, 1.0])


@pytest.mark.parametrize("ties", ["docno", "file"])
def test_the_range_is_the_same_whatever_order_is_chosen(pair, ties: str) -> None:
    evaluation = pair.evaluation(tie_range=True, ties=ties)
    assert evaluation.score("ap_expected").value == pytest.approx((0.4 + 1.0) / 2)
    assert evaluation.score("ap_min").value <= evaluation.score("ap").value
    assert evaluation.score("ap").value <= evaluation.score("ap_max").value


def test_the_range_is_computed_only_on_request(pair) -> None:
    assert "ap_min" not in pair.evaluation().items.columns


def test_a_note_states_the_effect_of_the_order_of_equal_scores(pair) -> None:
    (note,) = pair.evaluation().defects
    assert note.found == "In 1 query a relevant item shares its score with others: q1."
    assert note.hint == (
        "Mean average precision is from 0.6500 to 0.7500 over the orders of equal scores, "
        "0.7000 on average; --tie-range gives this for each query."
    )


def test_ties_among_relevant_items_only_have_no_effect(tmp_path: Path) -> None:
    listed = {"q": [("a", 1), ("b", 1), ("c", 0)]}
    judged = {"q": {"a": 1, "b": 1}}
    pair = write_pair(tmp_path, judgement_lines(judged), result_lines(listed))
    assert pair.evaluation().defects == ()
