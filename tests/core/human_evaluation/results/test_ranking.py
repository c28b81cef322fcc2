"""Means, agreement and ranks of ratings made by rule."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.human_evaluation.answers.answers_file import make_answers
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.design.questionnaire import PHOTOS_MISSING
from jurydesk.core.human_evaluation.design.study_store import AnswerHistory
from jurydesk.core.human_evaluation.packets.packet import packet_content
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.human_evaluation.results.ranking import (
    agreements,
    compact_ratings,
    question_results,
    rank_systems,
)
from jurydesk.core.human_evaluation.results.rater_reports import rater_reports
from jurydesk.core.human_evaluation.results.ratings import collect_ratings
from jurydesk.core.statistics.agreement import alpha, exact_share
from jurydesk.core.statistics.bootstrap import ResamplingPlan, percentile_interval, resampled_means
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import Inference
from support.rating import studies
from support.rating.random_answers import FOUR_KINDS, PAIR

OVER_STORIES = Inference(interval="percentile", grouped=False)


def rate(study, judge):
    """Ratings in which `judge(rater number, item, question)` gives every answer."""
    histories, packets = [], {}
    for number, rater in enumerate(study.raters):
        events: list[RatingEvent] = []
        for task in rater.tasks:
            for question in study.questionnaire.rated:
                value = judge(number, task.item, question)
                key = PHOTOS_MISSING if value is True else question.id
                add(events, "answer", task.id, key, value)
            add(events, "next", task.id)
        content = packet_content(study, rater, PhotoFolder(None))
        answers = make_answers(content.sha256, rater.code, events, content.key)
        histories.append(AnswerHistory(answers.packet, answers.events, answers.sha256))
        packets[answers.packet] = rater.code
    return collect_ratings(study, histories, packets)


def add(events, act, item, question="", value=None) -> None:
    events.append(RatingEvent(len(events) + 1, act, item, question, value, 3.0, ""))


@pytest.fixture(scope="module")
def study():
    return studies.study(sequences=10, raters=5, ratings=3, attention=2, repeated=0.2)


def by_system(number, item, question):
    """System 0 gets 5, system 1 mostly 2 to 4, system 2 gets 1."""
    if item.answer is not None:
        return item.answer
    (system,) = item.systems
    return (5, 2 + item.sequence % 3, 1)[system]


def test_means_are_means_over_stories(study):
    ratings = rate(study, by_system)
    for outcome in question_results(ratings):
        values = [score.value for score in outcome.scores]
        drawn = np.array([2 + sequence % 3 for sequence in ratings.sequences])
        assert values == pytest.approx([5.0, drawn.mean(), 1.0])
        assert [score.n for score in outcome.scores] == [10, 10, 10]


def test_six_statements_and_all_of_them_together(study):
    found = [outcome.question for outcome in question_results(rate(study, by_system))]
    ids = [one.id for one in study.questionnaire.questions]
    assert found == [*ids, "overall"]


def test_ranks_are_apart_where_intervals_are(study):
    (*_, overall) = question_results(rate(study, by_system))
    assert [str(rank) for rank in overall.ranks] == ["1", "2", "3"]


def test_systems_that_cannot_be_told_apart_share_their_ranks(study):
    def judge(number, item, question):
        (system,) = item.systems
        return 1 if system == 2 else 2 + (item.sequence + system) % 3

    (*_, overall) = question_results(rate(study, judge))
    assert [str(rank) for rank in overall.ranks] == ["1–2", "1–2", "3"]


def test_ranks_without_intervals_are_all_shared():
    scores = question_results(rate(studies.study(sequences=1, raters=2, ratings=2), by_system))[
        0
    ].scores
    assert [str(r) for r in rank_systems(("a", "b", "c"), scores, None)] == ["1–3"] * 3


def test_photos_that_are_missing_are_no_rating(study):
    def judge(number, item, question):
        return True if item.systems == (2,) else 4

    ratings = rate(study, judge)
    (first, *_) = question_results(ratings)
    assert [score.n for score in first.scores] == [10, 10, 0]
    assert np.isnan(first.scores[2].value)
    assert first.ranks[2].first == 3
    assert all(report.missing > 0 for report in rater_reports(ratings))


def test_raters_of_one_mind_agree(study):
    for one in agreements(rate(study, by_system), resamples=50):
        assert one.alpha.value == pytest.approx(1.0)
        assert one.exact.value == 1.0
        assert one.alpha.interval.low == pytest.approx(1.0)
        assert one.icc.undefined == "fewer than two items were rated by all"
        assert one.icc_1k.value == pytest.approx(1.0)


def test_alpha_of_equal_ratings_is_undefined_and_says_why(study):
    (first, *_) = agreements(rate(study, lambda *_: 3), resamples=20)
    assert np.isnan(first.alpha.value)
    assert first.alpha.undefined == "all ratings are the same"


def test_compacting_changes_neither_alpha_nor_equal_share():
    dice = np.random.default_rng(3)
    values = dice.integers(1, 6, (7, 40)).astype(float)
    values[dice.random(values.shape) < 0.5] = np.nan
    assert alpha(compact_ratings(values)).value == pytest.approx(alpha(values).value, abs=1e-12)
    assert exact_share(compact_ratings(values)).value == exact_share(values).value
    assert len(compact_ratings(values)) == (~np.isnan(values)).sum(axis=0).max()


def test_the_interval_of_the_equal_share_is_that_of_the_measure_itself(study):
    from jurydesk.core.statistics.agreement import agreement_with_interval

    dice = np.random.default_rng(1)
    ratings = rate(study, lambda *_: int(dice.integers(1, 6)))
    (first, *_) = agreements(ratings, resamples=60)
    values = compact_ratings(ratings.values["focused"])
    groups = Groups.of_labels(unit[0] for unit in ratings.units)
    assert groups.count < len(ratings.units)
    expected = agreement_with_interval(exact_share, values, 60, groups=groups)
    assert first.exact.value == expected.value
    assert first.exact.interval.low == pytest.approx(expected.interval.low, abs=1e-12)
    assert first.exact.interval.high == pytest.approx(expected.interval.high, abs=1e-12)


class TestRaters:
    def test_attention_and_repetitions_of_a_careful_rater(self, study):
        for report in rater_reports(rate(study, by_system)):
            assert report.attention == (2, 2)
            assert report.consistency == 1.0
            assert report.severity == pytest.approx(0.0)
            assert report.done == report.items
            assert report.seconds == 21.0

    def test_who_does_not_read_fails_the_checks(self, study):
        for report in rater_reports(rate(study, lambda *_: 3)):
            assert report.straight == 1.0
            assert report.attention[1] == 2

    def test_a_strict_rater_stands_below_the_others(self, study):
        def judge(number, item, question):
            return 2 if number == 0 else 4

        reports = rater_reports(rate(study, judge))
        assert reports[0].severity == pytest.approx(-2.0)
        assert all(report.severity > 0 for report in reports[1:])

    def test_a_rater_who_becomes_strict_drifts(self, study):
        places = {
            task.item: place for rater in study.raters[:1] for place, task in enumerate(rater.tasks)
        }

        def judge(number, item, question):
            return 3 if number else 5 - 4 * places[item] // len(places)

        assert rater_reports(rate(study, judge))[0].drift < -0.8


class TestOtherKinds:
    def test_comparisons_are_shares_won(self):
        made = studies.study(raters=3, ratings=3, questionnaire=PAIR)

        def judge(number, item, question):
            return 1 + item.systems.index(min(item.systems))

        (only,) = question_results(rate(made, judge))
        assert [score.value for score in only.scores] == [1.0, 0.5, 0.0]

    def test_best_and_worst_are_one_and_minus_one(self):
        made = studies.study(raters=3, ratings=3, questionnaire=FOUR_KINDS)

        def judge(number, item, question):
            return [1 + item.systems.index(1), 1 + item.systems.index(2)]

        (only,) = question_results(rate(made, judge))
        assert [score.value for score in only.scores] == [0.0, 1.0, -1.0]

    def test_their_agreement_is_nominal(self):
        made = studies.study(raters=3, ratings=3, questionnaire=PAIR)
        (only,) = agreements(rate(made, lambda number, item, question: 1), resamples=20)
        assert only.exact.value <= 1.0


@pytest.fixture(scope="module")
def strict_and_mild(study):
    """Ratings in which raters differ much, and stories hardly."""
    dice = np.random.default_rng(2)
    return rate(study, lambda number, *_: 1 + number // 2 + int(dice.integers(0, 3)))


class TestCrossed:
    """Raters and stories are both samples."""

    def test_raters_who_differ_make_intervals_wide(self, strict_and_mild):
        over_stories = question_results(strict_and_mild, inference=OVER_STORIES)[0].scores
        for wide, narrow in zip(
            question_results(strict_and_mild)[0].scores, over_stories, strict=True
        ):
            assert wide.value == narrow.value
            assert wide.interval.low <= wide.value <= wide.interval.high
            assert width(wide) > 2 * width(narrow)
            assert wide.interval.method.endswith("of 5 raters and 10 sequences")

    def test_they_end_where_the_scale_does(self, study):
        ratings = rate(study, lambda number, *_: 5 if number else 1)
        assert all(score.interval.high <= 5 for score in question_results(ratings)[0].scores)

    def test_percentiles_without_groups_are_those_of_stories_alone(self, strict_and_mild):
        values = strict_and_mild.by_system("focused")
        expected = [
            percentile_interval(column) for column in resampled_means(values, ResamplingPlan(10)).T
        ]
        found = question_results(strict_and_mild, inference=OVER_STORIES)[0].scores
        assert [score.interval for score in found] == expected

    def test_percentiles_draw_raters_too(self, strict_and_mild):
        over_stories = question_results(strict_and_mild, inference=OVER_STORIES)[-1].scores
        drawn = question_results(strict_and_mild, inference=Inference(interval="percentile"))[
            -1
        ].scores
        assert all(
            width(wide) > width(narrow) for wide, narrow in zip(drawn, over_stories, strict=True)
        )

    def test_four_raters_have_no_interval_and_say_why(self):
        ratings = rate(studies.study(sequences=10, raters=4, ratings=3), by_system)
        (*_, overall) = question_results(ratings)
        assert all(score.interval is None for score in overall.scores)
        assert [str(rank) for rank in overall.ranks] == ["1–3"] * 3
        assert overall.remark == (
            "4 raters are too few for intervals, which need 5 or more: all systems share their "
            "ranks."
        )

    def test_few_raters_come_with_a_warning(self, study):
        (*_, overall) = question_results(rate(study, by_system))
        assert overall.remark == (
            "The intervals are based on only 5 raters: interpret them with caution."
        )

    def test_the_mean_of_all_statements_counts_a_rating_once(self, study):
        dice = np.random.default_rng(5)
        given: dict[tuple[int, object], int] = {}

        def judge(number, item, question):
            return given.setdefault((number, item), int(dice.integers(1, 6)))

        ratings = rate(study, judge)
        first, *_, overall = question_results(ratings)
        assert width(overall.scores[0]) == pytest.approx(width(first.scores[0]), rel=1e-9)


def width(score) -> float:
    return score.interval.high - score.interval.low
