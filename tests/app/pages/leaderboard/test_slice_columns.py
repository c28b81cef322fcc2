"""Columns by which a board can be sliced."""

from __future__ import annotations

from jurydesk.app.pages.leaderboard.slices import find_slice_columns
from support.windows.evaluations import TASK, retrieval


def test_the_menu_offers_the_main_metrics_and_a_query_can_name_all():
    found = find_slice_columns(TASK, retrieval())
    assert list(found.columns) == ["num_rel", "ap"]
    assert [column.name for column in found.filters] == ["precAt5", "ap", "num_rel"]
