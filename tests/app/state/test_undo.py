"""Undo works on the open desk, wherever it was saved meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jurydesk.app.window.main_window import Window
from jurydesk.core.desk.given_names import given_names
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.intake.submission_ledger import load_rules
from support import toy


def contents(window: Window) -> tuple[object, ...]:
    desk = window.session.desk
    return desk.systems(), given_names(desk), load_rules(desk)


@pytest.mark.parametrize(
    "change",
    [
        lambda window: window.evaluator.remove_system("system B"),
        lambda window: window.evaluator.rename_system("system B", "ours"),
        lambda window: window.organiser.set_rules(IntakeRules(latest=True)),
    ],
    ids=["removal", "name", "rules"],
)
def test_a_change_is_undone_in_the_desk_that_was_saved_elsewhere(
    qtbot, scored, tmp_path, change: Callable[[Window], None]
):
    before = contents(scored)
    change(scored)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert contents(scored) != before
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.actions_.run("edit.undo")
    assert scored.session.desk.path == tmp_path / "kept.jurydesk"
    assert contents(scored) == before
    qtbot.waitUntil(lambda: scored.jobs.idle)


def test_another_reference_file_is_undone_with_the_results_that_scoring_replaced(
    qtbot, scored, files, tmp_path
):
    session = scored.session

    def results() -> list[tuple[object, ...]]:
        return [(one.id, one.system, one.scores, one.stale) for one in session.systems]

    before, roles = results(), [(file.path, file.role) for file in session.files]
    values = {f"n{i}": i / 40 + (0.02 if i % 2 else 0.0) for i in range(40)}
    new = toy.write(tmp_path / "new.txt", values, "truth")
    scored.files.open_paths([new])
    qtbot.waitUntil(lambda: scored.jobs.idle and len(session.files) == 5)
    given = next(file for file in session.files if file.path == new)
    scored.file_list.set_role(given, "truth")
    assert not scored.actions_["run.score"].isEnabled()
    qtbot.waitUntil(scored.actions_["run.score"].isEnabled)
    scored.evaluator.score()
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert {one[1] for one in results()} == {one[1] for one in before}
    assert [one[2] for one in results()] != [one[2] for one in before]

    scored.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert results() == before
    assert [(file.path, file.role) for file in session.files if file.role] == roles
    assert session.describe_outdated() == ""
    assert session.evaluation("system A").items.show(0) is not None


def test_an_option_is_changed_back_by_undo_and_again_by_redo(qtbot, scored):
    said: list[str] = []
    scored.evaluator.undoable.connect(said.append)
    scored.evaluator.choose_option("missing", "zero")
    assert scored.session.options.missing == "zero"
    assert said == ["Missing was changed."]
    scored.actions_.run("edit.undo")
    assert scored.session.options.missing == "skip"
    scored.actions_.run("edit.redo")
    assert scored.session.options.missing == "zero"
    qtbot.waitUntil(lambda: scored.jobs.idle)


def test_an_option_that_stays_is_no_change(scored):
    before = scored.evaluator.undo.count()
    scored.evaluator.choose_option("missing", scored.session.options.missing)
    assert scored.evaluator.undo.count() == before


def test_other_statistics_are_taken_back_with_their_intervals(qtbot, scored):
    def intervals() -> list[object]:
        return [one.interval for system in scored.session.systems for one in system.scores]

    before, settings = intervals(), load_inference(scored.session.desk)
    scored.evaluator.use_statistics("declared", "percentile", "holm")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert intervals() != before
    scored.actions_.run("edit.undo")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert (intervals(), load_inference(scored.session.desk)) == (before, settings)
    scored.actions_.run("edit.redo")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert load_inference(scored.session.desk).correction == "holm"


def test_the_same_statistics_are_no_change(qtbot, scored):
    before = scored.evaluator.undo.count()
    scored.evaluator.use_statistics("declared", "studentized", "romano-wolf")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.evaluator.undo.count() == before
