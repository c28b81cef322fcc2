"""Ratings on the board beside METEOR, and their correlations, equal to SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.metric_correlation import add_ratings, correlate_metrics
from jurydesk.core.human_evaluation.results.ranking import question_results, story_means
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.tasks.vist.vist_task import TASK
from support.rating import studies


@pytest.fixture(scope="module")
def study():
    return studies.study(sequences=8, raters=4, ratings=2)


@pytest.fixture
def desk(tmp_path, study) -> Desk:
    desk = studies.desk_with(tmp_path / "s.jurydesk", study)
    for seed, system in enumerate(study.pool.systems[:2]):
        desk.add(studies.evaluation_of(study, system, seed))
    yield desk
    desk.close()


@pytest.fixture
def rated(desk, study, tmp_path):
    studies.rate(desk, tmp_path, study, raters=4)
    return desk


def test_a_desk_without_ratings_has_its_board_unchanged(desk):
    summaries = desk.evaluations()
    assert add_ratings(TASK, summaries, desk) == (TASK, summaries)


def test_statements_are_beside_the_metrics(rated, study):
    found = make_leaderboard(*add_ratings(TASK, rated.evaluations(), rated))
    ids = [one.id for one in study.questionnaire.questions]
    assert [info.name for info in found.metrics] == ["meteor", *ids, "overall"]
    assert found.headline.name == "meteor"
    by_name = {row.summary.system: row for row in found.rows}
    (first, *_) = question_results(load_ratings(RatingStore(rated)))
    for system, score in zip(study.pool.systems, first.scores, strict=True):
        assert by_name[system].cells[1].score == score


def test_questions_to_one_rater_are_not_reliable_and_say_so(desk, study, tmp_path):
    studies.rate(desk, tmp_path, study, raters=1)
    _, *questions = make_leaderboard(*add_ratings(TASK, desk.evaluations(), desk)).metrics
    assert {info.doubt for info in questions} == {"Not reliable: only 1 rater judged."}


def test_questions_to_several_raters_are_reliable(rated):
    found = make_leaderboard(*add_ratings(TASK, rated.evaluations(), rated))
    assert {info.doubt for info in found.metrics} == {""}


def test_a_rated_but_unscored_system_has_a_row_without_a_rank(rated, study):
    found = make_leaderboard(*add_ratings(TASK, rated.evaluations(), rated))
    last = found.rows[-1]
    assert last.summary.system == study.pool.systems[2]
    assert last.place is None
    assert last.cells[0].score is None
    assert last.cells[1].score is not None


REFERENCES = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


@pytest.mark.parametrize("kind", REFERENCES)
def test_correlations_within_systems_equal_scipy_s(rated, study, kind):
    ratings = load_ratings(RatingStore(rated))
    found = correlate_metrics(rated, ratings, rated.evaluations())
    metric = []
    for sequence in ratings.sequences:
        place = len(study.pool.items) - 1 - sequence
        metric.append(
            [studies.evaluation_of(study, "", s).items.columns["meteor"][place] for s in (0, 1)]
        )
    for question, people in story_means(ratings).items():
        (one,) = [
            one for one in found if (one.question, one.kind, one.level) == (question, kind, "story")
        ]
        own, theirs = np.array(metric), people[:, :2]
        expected = REFERENCES[kind](
            (own - own.mean(axis=0)).round(12).ravel(), (theirs - theirs.mean(axis=0)).ravel()
        ).statistic
        assert one.found.value == pytest.approx(expected, abs=1e-9)
        assert one.found.interval.low <= one.found.interval.high
        assert one.n == 16


def test_two_systems_are_too_few_for_a_correlation_over_systems(rated):
    ratings = load_ratings(RatingStore(rated))
    found = correlate_metrics(rated, ratings, rated.evaluations())
    systems = [one for one in found if one.level == "system"]
    assert systems
    assert {one.found.undefined for one in systems} == {"fewer than three items"}
