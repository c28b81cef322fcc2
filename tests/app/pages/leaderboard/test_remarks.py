"""Remarks on columns: raters, and random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from jurydesk.app.pages.leaderboard.leaderboard_model import (
    INTERVAL,
    head_notes,
    random_remarks,
    rating_remarks,
    score_interval,
    score_tip,
)
from jurydesk.app.style.theme import px
from jurydesk.app.tables.table_view import TWO_LINES, Table
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS
from jurydesk.core.desk.summary import summarize
from jurydesk.core.model.evaluation import Evaluation, Interval, ItemTable, MetricInfo, Score
from jurydesk.core.tables.columns import NumberColumn
from support import toy


def people(*done: int, last: int = 1, entries: Sequence[int] = (120,)) -> SimpleNamespace:
    """Return the findings of raters with these numbers of answers.

    `last` is the best rank that the last of two systems can have.
    """
    ranks = [SimpleNamespace(first=1), SimpleNamespace(first=last)]
    scores = [SimpleNamespace(n=number) for number in entries]
    return SimpleNamespace(
        raters=[SimpleNamespace(done=number) for number in done],
        metrics=[SimpleNamespace(name="focused")],
        outcomes=[SimpleNamespace(question="focused", scores=scores, ranks=ranks)],
        entry=("story", "stories"),
    )


def test_one_rater_is_not_reliable():
    remark = rating_remarks(people(120, 0))["focused"]
    assert (remark.short, remark.is_reliable) == ("1 rater", False)
    assert remark.sentence == "Not reliable: only 1 rater judged 120 stories of each system."


def test_systems_of_different_numbers_of_entries_are_not_said_to_have_the_most():
    one, two = (
        rating_remarks(people(*done, entries=(9, 120)))["focused"] for done in ((9,), (9, 9))
    )
    assert one.sentence == "Not reliable: only 1 rater judged, up to 120 stories of a system."
    assert two.sentence == "2 raters judged up to 120 stories of a system."


def test_several_raters_and_their_entries_are_counted():
    remark = rating_remarks(people(60, 60, 60))["focused"]
    assert (remark.short, remark.is_reliable) == ("3 raters, 120", True)


def test_ratings_may_win_only_where_a_system_cannot_be_first():
    assert not rating_remarks(people(60, 60, 60))["focused"].may_win
    assert rating_remarks(people(60, 60, 60, last=2))["focused"].may_win


def test_heads_have_the_raters_and_the_groups_of_the_intervals_if_these_are_the_same():
    remarks = rating_remarks(people(60, 60, 60))

    def notes(*groups: str) -> dict[str, str]:
        scored = [
            Score("closeness", 0.5, 320, interval=Interval(0.4, 0.6, method=f"bootstrap of {one}"))
            for one in groups
        ]
        systems = [
            summarize(Evaluation("toy", str(place), "published", (one,), ItemTable((), {})))
            for place, one in enumerate(scored)
        ]
        return head_notes(make_leaderboard(toy.TASK, systems), remarks)

    assert notes("38 keywords", "38 keywords") == {
        "focused": "3 raters, 120",
        INTERVAL: "over 38 keywords",
    }
    assert INTERVAL not in notes("38 keywords", "37 keywords")


def test_a_note_stands_below_a_title_of_one_line(qtbot):
    table = Table("numbers")
    qtbot.addWidget(table)
    for title, note in (("AP", "3 raters, 120"), ("AP", ""), (" ".join(["long"] * 20), "")):
        table.table_model.notes = {"ap": "3 raters, 120"} if note or title != "AP" else {}
        table.table_model.show([NumberColumn("ap", title, np.array([0.5]))])
        table.resize(400, 200)
        table.fit_columns()
        assert table._titles.shown_note(0) == note
        assert (table._titles.height() == px(TWO_LINES)) == bool(note or title != "AP")


def test_without_ratings_there_is_no_remark():
    assert rating_remarks(None) == {}


def test_metrics_of_models_with_random_weights_are_not_reliable():
    rated = replace(toy.CLOSENESS, doubt="Not reliable: only 1 rater judged.")
    found = random_remarks([toy.ERROR, replace(toy.CLOSENESS, doubt=RANDOM_WEIGHTS), rated])
    assert [*found] == ["closeness"]
    assert not found["closeness"].is_reliable
    assert random_remarks([toy.ERROR, rated]) == {}


def test_an_interval_of_few_groups_has_a_sign_and_its_tooltip_the_reason():
    info = MetricInfo("ap", "AP", "", (0, 1), "higher", "", decimals=2)
    few = Interval(0.4, 0.6, method="studentized bootstrap, 1000 resamples of 6 keywords")
    many = Interval(0.4, 0.6, method="studentized bootstrap, 1000 resamples of 60 keywords")
    values, both = np.array([0.5, 0.5]), [few, many]
    column = NumberColumn(
        "ap", "AP", values, decimals=2, intervals=both, remarks={0: "Only 6 keywords."}
    )
    assert [score_interval(column, row) for row in (0, 1)] == ["0.40 – 0.60°", "0.40 – 0.60"]
    caution = "The interval is based on only 6 keywords: interpret it with caution."
    assert caution in score_tip(Score("ap", 0.5, 320, interval=few), info)
    assert "caution" not in score_tip(Score("ap", 0.5, 320, interval=many), info)
