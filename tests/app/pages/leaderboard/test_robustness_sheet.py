"""Sheet with the ranks under other choices, opened and used with the keyboard."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from jurydesk.app.pages.leaderboard.robustness_sheet import SCORING, RobustnessSheet
from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.robustness.robustness import Alternative, Robustness
from jurydesk.core.analysis.significance.rank_maps import MetricPair, metric_pairs
from jurydesk.core.model.evaluation import Axis, MetricInfo, Scatter, Score
from support.windows.keyboard import press


@pytest.fixture
def sheet(qtbot, scored) -> RobustnessSheet:
    page = scored.page
    page.robustness_button.setFocus()
    press(qtbot, Qt.Key.Key_Space)
    (found,) = scored.findChildren(RobustnessSheet)
    qtbot.waitUntil(lambda: "(published)" in found.finding.text())
    return found


def test_the_sheet_counts_the_choices_that_keep_the_order(sheet):
    first = sheet.finding.text().splitlines()[0]
    assert first.endswith("not change the order of 3 systems by Closeness (published).")


def test_every_system_is_listed_with_its_ranks_where_a_choice_changes_the_order(sheet):
    assert not sheet.table.isVisible()
    info = MetricInfo("closeness", "Closeness", "", (0.0, 1.0), "higher", "")
    swapped = Alternative("profile", "corrected", (2, 1), (2, 1), 1, 1, (("corrected", ("two",)),))
    sheet.show_ranks(Robustness(info, "published", ("one", "two"), (1, 2), (swapped,)))
    assert sheet.table.isVisible()
    columns = sheet.table.table_model.columns
    assert [column.title for column in columns] == ["System", "By score", "Profile corrected"]
    shown = [[column.text(row) for row in (0, 1)] for column in columns]
    assert shown == [["one", "two"], ["1", "2"], ["2", "1"]]
    assert sheet.finding.text().splitlines()[1] == "With profile corrected, two has the best score."


def test_enter_scores_under_the_choices_that_the_desk_lacks(qtbot, monkeypatch, sheet):
    asked = []

    def remember(*arguments, rescoring, **options):
        asked.append(rescoring)
        return assess_robustness(*arguments, rescoring=rescoring, **options)

    monkeypatch.setattr("jurydesk.core.analysis.robustness.assessment.assess_robustness", remember)
    press(qtbot, Qt.Key.Key_Return)
    assert sheet.finding.text() == SCORING
    qtbot.waitUntil(lambda: "(published)" in sheet.finding.text())
    assert asked == [True]
    assert not sheet.rescore.isEnabled()


def test_esc_closes_the_sheet_and_restores_the_keyboard_focus(qtbot, scored, sheet):
    press(qtbot, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    assert QApplication.focusWidget() is scored.page.robustness_button


def test_two_metrics_stand_against_each_other_with_a_point_for_each_system(monkeypatch, sheet):
    figure = Scatter("pair", "Two metrics", Axis("One"), Axis("Other"), "one", "other")
    values = np.array([0.2, 0.6])
    pair = MetricPair(figure, ("mine", "theirs"), values, values[::-1])
    monkeypatch.setattr(
        "jurydesk.core.analysis.significance.rank_maps.metric_pairs", lambda *given: [pair]
    )
    info = MetricInfo("closeness", "Closeness", "", (0.0, 1.0), "higher", "")
    sheet.show_ranks(Robustness(info, "published", ("mine", "theirs"), (1, 2), ()))
    (plot,) = sheet.maps
    sheet.part.choose(1)
    assert plot.isVisible()
    assert plot.tip_lines(1) == ["theirs", "One 0.6000", "Other 0.2000"]
    assert plot.numbers()[0] == ("system", ["mine", "theirs"])


def test_only_systems_with_both_metrics_are_points():
    def system(name, **values):
        scores = tuple(Score(metric, value, 1) for metric, value in values.items())
        return SimpleNamespace(system=name, scores=scores)

    figure = Scatter("pair", "", Axis("One"), Axis("Other"), "one", "other")
    both = [system("a", one=0.1, other=0.2), system("b", one=0.3, other=0.4)]
    partial = [system("c", one=0.5), system("d", one=0.5, other=float("nan"))]
    (pair,) = metric_pairs([figure], [*partial, *both])
    assert (pair.systems, pair.x.tolist()) == (("a", "b"), [0.1, 0.3])
    assert not list(metric_pairs([figure], [*partial, both[0]]))
