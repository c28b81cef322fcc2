"""Findings: equal to the functions' results, stored in the desk, and updated when it changes."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.human_evaluation.answers.merge_answers import merge_answers, remove_answers
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.findings import CACHE_KEY, StudyFindings, load_findings
from jurydesk.core.human_evaluation.results.metric_correlation import add_ratings, correlate_metrics
from jurydesk.core.human_evaluation.results.ranking import agreements, question_results, story_means
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.tasks.vist.vist_task import TASK
from support.rating import studies


@pytest.fixture(scope="module")
def study():
    return studies.study(sequences=8, raters=4, ratings=2)


@pytest.fixture(scope="module")
def original(tmp_path_factory, study):
    """A desk with two of three systems scored, and the answers of three raters of four."""
    return studies.rated_desk(tmp_path_factory.mktemp("rated") / "s.jurydesk", study, raters=3)


@pytest.fixture
def path(tmp_path, original):
    """Return a copy of the desk, without findings."""
    return shutil.copy(original, tmp_path / "s.jurydesk")


@pytest.fixture(scope="module")
def found(original):
    """Return the findings of the desk."""
    with Desk.open(original, read_only=True) as desk:
        return load_findings(desk, Run())


@pytest.fixture
def desk(path):
    with Desk.open(path) as desk:
        yield desk


def same(one, other) -> bool:
    return to_json(one) == to_json(other)


def test_a_desk_without_answers_has_no_findings(tmp_path, study):
    with studies.desk_with(tmp_path / "empty.jurydesk", study) as desk:
        assert load_findings(desk, Run()) is None
    with Desk.create(tmp_path / "bare.jurydesk") as desk:
        assert load_findings(desk, Run()) is None


def test_findings_equal_the_results_of_the_functions(desk):
    found = load_findings(desk, Run())
    ratings = load_ratings(RatingStore(desk))
    assert found.outcomes == question_results(ratings)
    assert str(found.agreements) == str(agreements(ratings))
    assert list(found.correlations) == ["published"]
    assert str(found.correlations["published"]) == str(
        correlate_metrics(desk, ratings, desk.evaluations())
    )
    for question, means in story_means(ratings).items():
        np.testing.assert_array_equal(found.stories[question], means)


def test_findings_are_read_back_as_written(found):
    again = from_json(StudyFindings, to_json(found))
    assert same(again, found)
    assert again.metrics == found.metrics
    assert again.outcomes == found.outcomes


def test_findings_are_read_from_the_desk_the_second_time(desk, monkeypatch):
    first = load_findings(desk, Run())
    monkeypatch.setattr("jurydesk.core.human_evaluation.results.findings.compute_findings", None)
    assert same(load_findings(desk, Run()), first)


def test_an_inspector_reads_them_in_a_read_only_desk(path, monkeypatch):
    with Desk.open(path) as desk:
        first = load_findings(desk, Run())
    monkeypatch.setattr("jurydesk.core.human_evaluation.results.findings.compute_findings", None)
    with Desk.open(path, read_only=True) as desk:
        assert same(load_findings(desk, Run()), first)


def test_a_read_only_desk_without_stored_findings_has_them_computed(path):
    with Desk.open(path, read_only=True) as desk:
        assert load_findings(desk, Run()).outcomes
        assert desk.cache.get(CACHE_KEY) is None


@pytest.mark.parametrize("damage", [b"", b"no zlib", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_damaged_findings_are_computed_again(desk, found, damage):
    desk.cache.put(CACHE_KEY, damage)
    assert same(load_findings(desk, Run()), found)


def test_other_answers_or_scores_give_other_findings(desk, found, study, tmp_path):
    last = studies.write_answers(tmp_path, study, 3)
    merge_answers(RatingStore(desk), [last])
    second = load_findings(desk, Run())
    assert len(second.raters) == 4
    assert not same(found, second)
    desk.add(studies.evaluation_of(study, study.pool.systems[2], 7))
    third = load_findings(desk, Run())
    assert third.correlations["published"][0].n > second.correlations["published"][0].n
    remove_answers(RatingStore(desk), [last])
    assert len(load_findings(desk, Run()).raters) == 3


def test_the_board_is_that_of_the_command_line(desk, found):
    summaries = desk.evaluations()
    assert make_leaderboard(*found.on_board(TASK, summaries, "published")) == make_leaderboard(
        *add_ratings(TASK, summaries, desk)
    )


def test_all_rated_systems_are_on_a_board_without_scores(found, study):
    task, systems = found.on_board(TASK, (), "published")
    assert [one.system for one in systems] == list(study.pool.systems)
    assert len({one.id for one in systems}) == 3
    assert make_leaderboard(task, systems).headline.name == "focused"


def test_items_without_ratings_get_no_rating_columns(desk, found):
    """Ratings of images do not belong to detections, which are the scored items here."""
    evaluation = desk.load(desk.evaluations()[0].id)
    items = replace(evaluation.items, ids=tuple(f"{id} · 1" for id in evaluation.items.ids))
    after = found.with_ratings(replace(evaluation, items=items))
    assert after.items.columns.keys() == items.columns.keys()
    assert after.score("focused").n


def test_a_story_has_the_mean_of_its_ratings_beside_its_metrics(desk, found):
    before = desk.load(desk.evaluations()[1].id)
    after = found.with_ratings(before)
    assert list(before.items.columns) == ["meteor"]
    assert after.items.columns["meteor"] is before.items.columns["meteor"]
    for at, id in enumerate(before.items.ids):
        expected = found.stories["coherent"][found.sequences.index(id), 1]
        np.testing.assert_equal(after.items.columns["coherent"][at], expected)
    assert [score.metric for score in after.scores] == ["meteor", *found.stories]
    assert after.scores[1] == found.outcomes[0].scores[1]


def test_an_unrated_system_is_unchanged(desk, found):
    stranger = replace(desk.load(desk.evaluations()[1].id), system="nobody")
    assert found.with_ratings(stranger) is stranger


def test_an_unrated_story_is_undefined(desk, found):
    first, *others = found.sequences
    one = replace(found, sequences=(first, *(f"no {id}" for id in others)))
    after = one.with_ratings(desk.load(desk.evaluations()[0].id))
    known = ~np.isnan(after.items.columns["focused"])
    assert [id for id, rated in zip(after.items.ids, known, strict=True) if rated] == [first]


def test_raters_who_contradict_themselves_are_named(desk, study, tmp_path):
    merge_answers(RatingStore(desk), [studies.write_answers(tmp_path, study, 0, seed=9)])
    (defect,) = load_findings(desk, Run()).defects
    assert defect.place.path == "rater r01"


def test_the_computation_can_be_cancelled(desk):
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        load_findings(desk, Run(cancel=token))
    assert desk.cache.get(CACHE_KEY) is None


def test_reading_findings_writes_nothing(path, found):
    with Desk.open(path) as desk:
        before = path.read_bytes()
        assert same(load_findings(desk, Run(), keep=False), found)
        assert path.read_bytes() == before
