"""Preferences of a study: strengths beside the metrics, and why there are none."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.answers_file import make_answers
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.packets.packet import packet_content
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.human_evaluation.results.findings import StudyFindings, compute_findings
from jurydesk.core.human_evaluation.results.preferences import (
    collect_comparisons,
    question_preferences,
)
from jurydesk.core.human_evaluation.results.ratings import collect_ratings
from jurydesk.core.human_evaluation.results.study_tables import preference_table
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.statistics.preferences.davidson import NEITHER, SECOND
from jurydesk.core.tables.columns import data_columns
from jurydesk.core.tasks.vist.vist_task import TASK
from support.rating import studies
from support.rating.random_answers import FOUR_KINDS, PAIR

TIES = replace(PAIR, questions=(replace(PAIR.questions[0], tie="Both are equally good"),))


def judged(made, choose, raters=None):
    """Return the ratings of raters who answer each item by `choose` (rater, systems)."""
    answers, asked = [], made.questionnaire.questions[0].id
    for number, rater in enumerate(made.raters[:raters]):
        events = []
        for task in rater.tasks:
            value = choose(number, task.item.systems)
            for act, question, given in (("answer", asked, value), ("next", "", None)):
                events.append(
                    RatingEvent(len(events) + 1, act, task.id, question, given, 1.0, "2026-01-02")
                )
        content = packet_content(made, rater, PhotoFolder(None))
        answers.append(make_answers(content.sha256, rater.code, events, content.key))
    return collect_ratings(made, answers)


def preferences(choose, questionnaire=PAIR, raters=6, **request):
    request = {"sequences": 6, "ratings": 3, **request}
    made = studies.study(questionnaire=questionnaire, raters=raters, **request)
    ratings = judged(made, choose)
    (found,) = question_preferences(ratings)
    return found, ratings


def test_a_choice_names_the_systems_in_the_order_shown():
    made = studies.study(questionnaire=TIES, raters=3, ratings=2)
    ratings = judged(made, lambda rater, systems: (0, 1, 2)[rater])
    compared = collect_comparisons(ratings, TIES.questions[0])
    shown = [given.item.systems for items in ratings.given for given in items]
    assert list(zip(compared.first, compared.second, strict=True)) == shown
    assert [set(compared.outcome[compared.rater == one]) for one in range(3)] == [
        {NEITHER}, {0}, {SECOND},
    ]  # fmt: skip


def test_a_tie_gives_each_entry_half():
    _, ratings = preferences(lambda rater, systems: 0, TIES)
    assert set(ratings.values["better"][~np.isnan(ratings.values["better"])]) == {0.5}


def test_best_and_worst_of_four_imply_five_pairs():
    made = studies.study(raters=3, ratings=3, questionnaire=FOUR_KINDS)
    ratings = judged(made, lambda rater, systems: [2, 3])
    compared = collect_comparisons(ratings, FOUR_KINDS.questions[0])
    wins = compared.wins.sum()
    entries = sum(len(items) for items in ratings.given)
    assert wins == 3 * entries  # of three entries all pairs: best, middle, worst
    assert compared.ties.sum() == 0


def test_a_system_that_never_loses_is_named_and_has_counts_alone():
    strongest = lambda rater, systems: 1 + int(np.argmin(systems))  # noqa: E731
    found, _ = preferences(strongest)
    assert found.remark == (
        "ZEBRAnet never lost to the others: strengths would be infinite, so only counts are given."
    )
    assert (found.strengths, found.ranks) == ((), ())
    assert [(one.preferred, one.other_preferred) for one in found.pairs] == [(18, 0)] * 3
    assert len(found.remark.split()) <= 25


def test_entries_that_are_never_preferred_have_no_strengths():
    found, _ = preferences(lambda rater, systems: 0, TIES)
    assert found.remark == "Nobody preferred an entry to another: there are no strengths."


def test_one_rater_is_one_persons_opinion():
    dice = np.random.default_rng(4)
    found, _ = preferences(lambda rater, systems: int(dice.integers(1, 3)), raters=1, ratings=1)
    assert "One rater: this is one person's opinion." in found.remark
    assert set(found.ranks) == {(1, 3)}


@pytest.fixture
def desk(tmp_path):
    """Return a desk with two scored systems, and six raters who compare stories at random."""
    return studies.rated_desk(
        tmp_path / "s.jurydesk", studies.study(questionnaire=TIES, raters=6, ratings=3), 6
    )


def test_strengths_are_beside_the_metrics_on_the_board(desk):
    with Desk.open(desk, read_only=True) as opened:
        people = compute_findings(opened, Run())
        board = make_leaderboard(*people.on_board(TASK, opened.evaluations(), "published"))
    (found,) = people.preferences
    shown = {
        row.summary.system: [
            score.value for score in row.summary.scores if score.metric == "better-strength"
        ]
        for row in board.rows
    }
    expected = dict(zip(people.systems, ([one.value] for one in found.strengths), strict=True))
    assert shown == expected
    assert from_json(StudyFindings, to_json(people)).preferences == people.preferences


def test_strengths_are_printed_with_the_family_of_their_p_values(desk, capsys, tmp_path):
    out = tmp_path / "agreement.json"
    assert main(["ratings", "agreement", "--desk", str(desk), "--json", str(out)]) == 0
    text = capsys.readouterr().out
    assert "p is corrected over the 3 pairs of 3 systems (Romano-Wolf), for each question." in text
    assert "the entry shown first is preferred" in text
    (found,) = json.loads(out.read_text())["preferences"]
    assert (
        sum(one["preferred"] + one["other_preferred"] + one["neither"] for one in found["pairs"])
        == 54
    )
    assert sum(one["value"] for one in found["strengths"]) == pytest.approx(0, abs=1e-9)
    for one in found["pairs"]:
        assert (one["interval"]["low"] > 0 or one["interval"]["high"] < 0) == (one["p"] < 0.05)


def test_a_table_in_a_file_names_the_family_of_its_p_values(desk):
    with Desk.open(desk, read_only=True) as opened:
        people = compute_findings(opened, Run())
    columns = dict(data_columns(preference_table(people)))
    assert len(columns["p_all_pairs"]) == len(columns["family"]) == 3
    assert set(columns["family"]) == {
        "p is corrected over the 3 pairs of 3 systems (Romano-Wolf), for each question."
    }
