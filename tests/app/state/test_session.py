"""State of the window, and its signals."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from jurydesk.app.state.session import Session
from jurydesk.core.competition.task_registry import Registry
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.model.evaluation import Score
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK as FUSIONBRAIN
from jurydesk.core.workflow.desk_state import DeskResults, DeskState
from support.windows.stored_session import stored
from support.windows.waiting import until_checked, until_open


def test_a_changed_selection_is_signalled_once(qtbot):
    session = Session()
    heard = []
    session.changed.connect(lambda: heard.append(session.selection))
    session.select("a", "ap")
    session.select(metric="ap")
    session.select(item="q1")
    assert [(s.system, s.metric, s.item) for s in heard] == [("a", "ap", ""), ("a", "ap", "q1")]


def test_evaluations_are_loaded_once_with_their_evidence(scored):
    first = scored.session.evaluation("system A")
    assert scored.session.evaluation("system A") is first
    assert first.items.evidence(3).to_json()["wanted"] == pytest.approx(3 / 40)
    assert scored.session.evaluation("nobody") is None


def test_only_rescored_systems_are_loaded_again(qtbot, scored, files):
    kept = scored.session.evaluation("system A")
    scored.evaluator.remove_system("system B")
    assert scored.session.evaluation("system A") is kept
    scored.evaluator.score()
    qtbot.waitUntil(lambda: scored.evaluator.scoring is None)
    assert scored.session.evaluation("system A") is not kept


def test_a_result_that_a_job_has_just_replaced_is_not_available(tmp_path, monkeypatch):
    """Cover the moment before the job's signal arrives, when a page may already ask."""
    path = tmp_path / "scored.jurydesk"
    with stored(path, ("alpha", "beta"), monkeypatch) as session, Desk.open(path) as desk:
        assert session.evaluation("beta").system == "beta"
        before = session.summary("alpha").id
        desk.remove(before)
        assert session.evaluation("alpha") is None
        session.refresh()
        assert session.summary("alpha") is None


def test_a_desk_saved_elsewhere_reads_evidence_from_there(scored, tmp_path):
    scored.session.evaluation("system A")
    scored.files.save_to(tmp_path / "kept.jurydesk")
    assert scored.session.evaluation("system A").items.evidence(3).to_json()["wanted"] > 0


def test_a_desk_of_an_unknown_competition_is_reported_as_such(qtbot, scored, tmp_path, monkeypatch):
    path = tmp_path / "kept.jurydesk"
    scored.files.save_to(path)
    monkeypatch.setattr(
        "jurydesk.core.competition.task_registry.registry", lambda: Registry({}, ())
    )
    until_open(qtbot, scored, path)
    assert scored.notice.text.text() == ("The competition “toy” of kept.jurydesk is not installed.")
    for page in ("check", "board", "items", "home"):
        scored.show_page(page)


def test_defects_and_options_are_kept_after_a_restart(qtbot, checked, tmp_path):
    checked.session.set_options({"missing": "zero"})
    until_checked(qtbot, checked)
    lines = checked.session.files[1].path.read_text().splitlines()
    checked.session.files[1].path.write_text("\n".join([*lines[:-1], "n39 much"]))
    checked.evaluator.check()
    qtbot.waitUntil(lambda: len(checked.session.defects) == 1)
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
    checked.files.save_to(tmp_path / "kept.jurydesk")
    checked.files.close()
    until_open(qtbot, checked, tmp_path / "kept.jurydesk")
    assert [defect.found for defect in checked.session.defects] == ['"much" is no number.']
    assert checked.session.options.missing == "zero"


def test_a_result_is_marked_after_its_file_changed_outside_the_window(qtbot, scored):
    path = scored.session.files[2].path
    path.write_text(path.read_text().replace("n0", "n00"))
    scored.file_list.look_again()
    qtbot.waitUntil(lambda: any(summary.stale for summary in scored.session.profile_systems()))
    assert scored.page.finding.endswith(
        "Files have changed since they were scored: press Ctrl+R to score them again."
    )


def test_a_deleted_file_is_not_called_changed(qtbot, scored):
    scored.session.files[2].path.unlink()
    scored.file_list.look_again()
    reported = "1 file was moved or deleted: the results can still be viewed."
    qtbot.waitUntil(lambda: scored.page.finding.endswith(reported))
    scored.show_page("check")
    assert scored.page.finding.startswith(reported)


def test_metrics_of_random_models_follow_from_the_results_not_from_the_chosen_options(qapp):
    used = {"weights": ["inception=random-numbers"]}
    scores = (Score("generation_fid", 9.5, 4),)
    results = DeskResults((Summary(1, "six", "published", scores, "", False, "", 4, "", used),))
    session = Session()
    session.state = DeskState(task=FUSIONBRAIN, options=FUSIONBRAIN.scoring.options())
    assert session.metric("generation_fid").doubt == ""
    session.state = replace(session.state, results=results)
    doubt = "Not reliable: the models have random weights."
    assert session.metric("generation_fid").doubt == doubt
    assert session.metric("captioning_clip").doubt == ""


def test_reference_files_that_wait_for_submissions_are_kept_after_a_restart(qtbot, checked):
    role = checked.session.task.submission_input().role
    checked.session.set_files([one for one in checked.session.files if one.role != role])
    checked.evaluator.check_anew()
    path, kept = checked.session.desk.path, {one.path for one in checked.session.files}
    checked.files.close()
    until_open(qtbot, checked, path)
    assert {one.path for one in checked.session.files} == kept
    assert kept
    assert checked.session.missing_inputs()


def test_files_that_were_checked_but_not_scored_are_kept_after_a_restart(qtbot, checked):
    path, files = checked.session.desk.path, checked.session.files
    checked.files.close()
    until_open(qtbot, checked, path)
    known = {(one.path, one.role, one.system) for one in checked.session.files}
    assert known == {(one.path, one.role, one.system) for one in files}
    until_checked(qtbot, checked)
    assert not checked.session.missing_inputs()


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes")
def test_a_pipe_that_a_desk_names_is_not_read(qtbot, checked):
    path, file = checked.session.desk.path, checked.session.files[-1].path
    checked.files.close()
    file.unlink()
    os.mkfifo(file)
    until_open(qtbot, checked, path)
    assert file not in {one.path for one in checked.session.files}
