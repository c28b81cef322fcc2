"""Ratings on the Board page, with every story, and in an inspector."""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtWidgets import QMenu

from jurydesk.app.pages.leaderboard.rating_correlation import correlation_facts
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.merge_answers import remove_answers
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.findings import load_findings
from jurydesk.core.human_evaluation.results.study_tables import measure_text
from jurydesk.core.statistics.raters.agreement import Agreement
from support.rating import studies
from support.windows.waiting import until_open, use_desk


@pytest.fixture
def only_the_toy() -> None:
    """Keep all competitions: stories are rated in the competition of stories."""


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Return a folder with a desk (two of three systems scored), all answers and findings."""
    folder = tmp_path_factory.mktemp("rated")
    study = studies.study(sequences=8, raters=4, ratings=2)
    with Desk.open(studies.rated_desk(folder / "stories.jurydesk", study, raters=4)) as desk:
        assert load_findings(desk, Run())
    return folder


@pytest.fixture
def path(tmp_path, original):
    """Return the desk in a folder of its own, with the raters' answers beside it."""
    return shutil.copytree(original, tmp_path, dirs_exist_ok=True) / "stories.jurydesk"


@pytest.fixture
def rated(qtbot, window, path):
    """Return the Board page of the desk."""
    until_open(qtbot, window, path)
    qtbot.waitUntil(lambda: window.session.study_findings is not None)
    return window


def column_titles(page) -> list[str]:
    return [column.title for column in page.view.board_model.columns]


def test_ratings_are_columns_beside_the_metrics(qtbot, rated):
    page = rated.page
    assert page.id == "board"
    columns = ["Rank", "System", "METEOR", "95 % interval", "Focused", "Coherent"]
    qtbot.waitUntil(lambda: column_titles(page) == columns)
    systems = [row.summary.system for row in page.board.rows]
    assert sorted(systems) == sorted(studies.SYSTEMS)
    assert page.board.rows[-1].place is None
    assert [info.name for info in page.board.metrics][-1] == "overall"


def test_every_statement_can_be_chosen_as_a_column(rated, monkeypatch):
    monkeypatch.setattr(QMenu, "popup", lambda *at: None)
    page = rated.page
    page.choose_columns()
    titles = [action.text() for action in page.columns.metrics_menu.actions()]
    assert titles == ["Focused", "Coherent", "Share", "Human", "Grounded", "Detailed", "Overall"]
    page.columns.metrics_menu.actions()[-1].trigger()
    assert column_titles(page)[-1] == "Overall"


def test_the_facts_show_a_metrics_correlation_with_ratings(qtbot, rated):
    page = rated.page
    qtbot.waitUntil(lambda: page.frames.is_empty)
    assert page.facts.people.isVisible()
    assert page.facts.people.title.text() == "METEOR and people"
    assert page.facts.people.sentence.text() == "Spearman over 16 stories, with 95 % interval."
    model = page.view.board_model
    focused = column_titles(page).index("Focused")
    page.view.setCurrentIndex(model.index(0, focused))
    qtbot.waitUntil(lambda: page.frames.is_empty)
    assert page.facts.people.title.text() == "Focused and metrics"


def test_the_numbers_are_those_of_the_findings(rated):
    people = rated.session.study_findings
    (info,) = [info for info in rated.page.board.metrics if info.name == "meteor"]
    facts = correlation_facts(people, info, {"focused": "Focused"}, "published")
    (expected,) = [
        one
        for one in people.correlations["published"]
        if (one.question, one.kind, one.level) == ("focused", "spearman", "story")
    ]
    assert facts["Focused"] == measure_text(expected.found)
    assert list(facts)[1] == "coherent"


def test_an_undefined_correlation_has_a_reason():
    assert measure_text(Agreement(float("nan"), undefined="no reason")) == "undefined: no reason"


def test_a_rating_opens_the_stories_behind_it(qtbot, rated):
    page = rated.page
    system = studies.SYSTEMS[0]
    page._open(system, "coherent")
    items = rated.page
    assert items.id == "items"
    qtbot.waitUntil(lambda: items.heading.text().startswith(f"{system}: Coherent "))
    column = items.evaluation.items.columns["coherent"]
    assert column.mean() == pytest.approx(
        next(s.value for s in items.evaluation.scores if s.metric == "coherent")
    )


def test_a_rated_but_unscored_system_has_no_items(rated):
    said = []
    rated.page.message.connect(said.append)
    rated.page._open(studies.SYSTEMS[2], "coherent")
    assert rated.page.id == "board"
    assert said == [f"{studies.SYSTEMS[2]} was rated by people but not scored, so it has no items."]


def test_compare_offers_only_scored_systems(rated):
    rated.show_page("compare")
    offered = rated.page.pair.first
    assert {offered.itemText(i) for i in range(offered.count())} == set(studies.SYSTEMS[:2])


def test_an_inspector_needs_no_files(qtbot, window, path, tmp_path):
    for answers in tmp_path.glob("*.juryanswers"):
        answers.unlink()
    path.chmod(0o444)
    use_desk(window, path, read_only=True)
    window.show_page("board")
    qtbot.waitUntil(lambda: window.session.study_findings is not None)
    assert "Focused" in column_titles(window.page)


def test_removed_answers_leave_the_board(qtbot, rated, path, tmp_path):
    with Desk.open(path) as desk:
        remove_answers(RatingStore(desk), sorted(tmp_path.glob("*.juryanswers")))
    rated.findings.update()
    qtbot.waitUntil(lambda: rated.session.study_findings is None)
    qtbot.waitUntil(
        lambda: column_titles(rated.page) == ["Rank", "System", "METEOR", "95 % interval"]
    )
    qtbot.waitUntil(lambda: rated.page.frames.is_empty)
    assert not rated.page.facts.people.isVisible()


def test_another_desk_has_its_own_ratings(qtbot, rated):
    rated.files.close()
    assert rated.session.study_findings is None
    qtbot.waitUntil(lambda: not rated.findings.is_busy)
    assert rated.session.study_findings is None
