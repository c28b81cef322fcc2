"""Commands of an organiser: hidden scores, watched folders, submission rules and kits."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from jurydesk.app.pages.check.check_page import WatchedFolderLine
from jurydesk.app.pages.page import HIDDEN_READ_ONLY
from jurydesk.core.competition.redaction import Redaction, RedactionFact
from jurydesk.core.competition.task_registry import Registry
from jurydesk.core.desk import Desk
from jurydesk.core.intake import folder_scan
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.submission import IntakeRules, remarks
from jurydesk.core.intake.submission_ledger import load_rules
from jurydesk.core.participant_kit.kit import ParticipantKit, read_kit
from jurydesk.core.workflow.desk_state import load_state
from support import toy
from support.files.platforms import zipped
from support.windows import toy_competition
from support.windows.waiting import until_checked, until_open, use_desk


@pytest.fixture
def team(tmp_path, files):
    """A function that writes a submission of a team into the watched folder."""
    arriving = tmp_path / "arriving"
    arriving.mkdir()

    def write(name: str, of: int = 1):
        return toy.write(arriving / name / "guesses.txt", _values(files[of]), name)

    write.folder = arriving
    return write


def _values(path):
    lines = path.read_text().splitlines()[1:]
    return {key: float(value) for key, value in map(str.split, lines)}


def systems(window) -> set[str]:
    return {summary.system for summary in window.session.systems}


def test_hidden_scores_are_on_no_page_until_they_are_opened(qtbot, scored):
    scored.organiser.hide_scores()
    assert scored.session.hidden
    assert scored.session.systems == ()
    scored.show_page("board")
    assert scored.page.board is None
    assert "hidden" in scored.page.finding
    scored.organiser.open_scores()
    assert scored.page.board is not None
    assert systems(scored) == {"system A", "system B", "system C"}


def test_hidden_scores_stay_hidden_when_the_desk_is_opened_again(scored):
    scored.organiser.hide_scores()
    with Desk.open(scored.session.desk.path, read_only=True) as desk:
        from jurydesk.core.desk.hidden_scores import hidden_since

        assert hidden_since(desk)


@pytest.mark.parametrize("name", ["board", "items", "compare", "why"])
def test_a_card_covers_every_page_with_scores_and_a_key_opens_the_scores(qtbot, scored, name):
    scored.show_page(name)
    scored.actions_.run("run.hide")
    page = scored.page
    assert page.finding.startswith("The scores are hidden since today")
    assert page.finding.endswith(": 3 systems scored.")
    assert page.hidden_card.isVisible()
    assert not any(part.isVisible() for part in _hosted(scored))
    assert scored.files.exports == ()
    QGuiApplication.clipboard().setText("before")
    scored.actions_.run("edit.select_all")
    scored.actions_.run("edit.copy_headers")
    assert QGuiApplication.clipboard().text() == "before"
    page.hidden_card.open.setFocus()
    qtbot.keyClick(page.hidden_card.open, Qt.Key.Key_Space)
    assert not page.hidden_card.isVisible()
    assert not scored.session.hidden
    assert page.actions_bar() is None or page.actions_bar().isVisible()


def _hosted(window):
    bars = [page.actions_bar() for page in window.pages.values()]
    return [bar for bar in bars if bar is not None]


def test_the_card_of_a_read_only_desk_explains_how_to_open_the_scores(scored, tmp_path):
    scored.actions_.run("run.hide")
    scored.files.save_to(tmp_path / "kept.jurydesk")
    use_desk(scored, tmp_path / "kept.jurydesk", read_only=True)
    scored.show_page("board")
    assert scored.page.hidden_card.explanation.text() == HIDDEN_READ_ONLY
    assert not scored.page.hidden_card.open.isEnabled()


@pytest.fixture
def quick(monkeypatch):
    """Treat files as complete when they are unchanged between two scans."""
    monkeypatch.setattr("jurydesk.core.intake.folder_scan.SETTLE_SECONDS", 0.02)
    monkeypatch.setattr("jurydesk.app.state.folder_watch.EVERY_MS", 30)


def submission_states(window) -> dict[str, str]:
    """Return the state of every submission by its path in the folder."""
    own = [file for file in window.session.files if file.role == "guesses"]
    return {"/".join(file.parts): file.state for file in own if "arriving" in file.path.parts}


def watch(qtbot, window, folder, *names):
    """Watch a folder until these files were taken in and checked."""
    window.organiser.start_watching(folder)
    qtbot.waitUntil(lambda: set(submission_states(window)) == set(names))


def _chips(window) -> list[str]:
    return [chip.text() for chip in window.top._chips]


@pytest.mark.usefixtures("quick")
class TestWatchedFolder:
    def test_new_files_are_added(self, qtbot, checked, team):
        team("north")
        watch(qtbot, checked, team.folder, "north/guesses.txt")
        team("south", of=2)
        qtbot.waitUntil(
            lambda: set(submission_states(checked)) == {"north/guesses.txt", "south/guesses.txt"}
        )
        assert checked.toast.text.text() == "1 file came in."

    def test_an_incomplete_file_is_added_later(self, qtbot, checked, team, monkeypatch):
        monkeypatch.setattr("jurydesk.core.intake.folder_scan.SETTLE_SECONDS", 60.0)
        team("north")
        checked.organiser.start_watching(team.folder)
        assert checked.watch.sentence == "Watching arriving: 1 file is still being written."
        checked.watch.scan()
        assert submission_states(checked) == {}

    def test_a_long_upload_does_not_delay_other_files(self, qtbot, checked, team, monkeypatch):
        monkeypatch.setattr("jurydesk.core.intake.folder_scan.MAX_WAIT_SECONDS", 0.1)
        team("north")
        growing = [team("south", of=2)]
        stand = folder_scan.list_states

        def stand_meanwhile(folder):
            for path in growing:
                path.write_text(path.read_text() + " ")
            return stand(folder)

        monkeypatch.setattr(folder_scan, "list_states", stand_meanwhile)
        checked.organiser.start_watching(team.folder)
        qtbot.waitUntil(lambda: bool(submission_states(checked)))
        assert set(submission_states(checked)) == {"north/guesses.txt"}
        growing.clear()
        qtbot.waitUntil(
            lambda: set(submission_states(checked)) == {"north/guesses.txt", "south/guesses.txt"}
        )

    def test_a_removed_file_is_not_added_again_with_the_next_one(self, qtbot, checked, team):
        team("north")
        watch(qtbot, checked, team.folder, "north/guesses.txt")
        unwanted = next(file for file in checked.session.files if "arriving" in file.path.parts)
        checked.file_list.remove(unwanted)
        team("south", of=2)
        qtbot.waitUntil(lambda: set(submission_states(checked)) == {"south/guesses.txt"})

    def test_a_deleted_file_is_missing_and_a_changed_one_is_read_again(self, qtbot, checked, team):
        north = team("north")
        watch(qtbot, checked, team.folder, "north/guesses.txt")
        until_checked(qtbot, checked)
        north.write_text(north.read_text() + "n0 wrong\n")
        qtbot.waitUntil(lambda: any("wrong" in one.found for one in checked.session.defects))
        qtbot.waitUntil(lambda: checked.toast.text.text() == "1 file changed.")
        north.unlink()
        qtbot.waitUntil(lambda: submission_states(checked) == {"north/guesses.txt": "missing"})

    def test_the_check_page_and_the_top_bar_show_the_folder_and_a_key_ends_watching(
        self, qtbot, checked, team
    ):
        checked.show_page("check")
        line = checked.page.findChild(WatchedFolderLine)
        assert not line.isVisible()
        checked.organiser.start_watching(team.folder)
        assert line.isVisible()
        assert line.sentence.text() == "Watching arriving."
        assert "watching arriving" in _chips(checked)
        line.stop.setFocus()
        qtbot.keyClick(line.stop, Qt.Key.Key_Space)
        assert checked.watch.folder is None
        assert not line.isVisible()
        assert "watching arriving" not in _chips(checked)
        checked.evaluator.undo.undo()
        assert checked.watch.folder == team.folder

    def test_ctrl_z_watches_the_folder_again(self, qtbot, checked, team):
        checked.organiser.start_watching(team.folder)
        checked.actions_.run("file.unwatch")
        assert checked.watch.folder is None
        qtbot.keyClick(checked, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert checked.watch.folder == team.folder

    def test_watching_ends_when_the_desk_is_closed(self, checked, team):
        checked.organiser.start_watching(team.folder)
        checked.files.close()
        assert checked.watch.folder is None


def test_a_submission_after_the_deadline_is_marked(qtbot, checked):
    checked.organiser.set_rules(IntakeRules(parse_deadline("2001-01-01 12:00 UTC")))
    qtbot.waitUntil(
        lambda: all(
            "late" in remarks(file) for file in checked.session.files if file.role == "guesses"
        )
    )
    assert str(load_rules(checked.session.desk).deadline).startswith("2001-01-01")


def test_a_zip_of_submissions_becomes_systems(qtbot, window, files, tmp_path):
    archive = tmp_path / "teams.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for number, path in enumerate(files[1:]):
            made.write(path, f"team{number}/guesses.txt")
    window.files.open_paths([files[0], archive])
    until_checked(qtbot, window)
    given = [file for file in window.session.files if file.role == "guesses"]
    assert [file.path.parent.name for file in given] == ["team0", "team1", "team2"]


@pytest.mark.parametrize("table_comes", ["with the submissions", "after them"])
def test_a_platform_s_download_brings_teams_times_and_the_server_s_numbers(
    qtbot, window, files, tmp_path, table_comes
):
    names = [f"{n}_team{n}_PhaseId7_2026-02-11_07-3{n}_a.zip" for n in (1, 2)]
    inner = {
        name: zipped({"run.txt": path.read_bytes()})
        for name, path in zip(names, files[1:], strict=False)
    }
    (tmp_path / "any.zip").write_bytes(zipped(inner))
    results = "Username,fact_sheet_answers,Test(7)-CLOSENESS\nteam1-1,,0.5\nteam2-2,,0.25\n"
    (tmp_path / "any.csv").write_text(results)
    tables = [tmp_path / "any.csv"]
    together = tables if table_comes == "with the submissions" else []
    window.files.open_paths([files[0], tmp_path / "any.zip", *together])
    until_checked(qtbot, window)
    if not together:
        window.files.open_paths(tables)
        qtbot.waitUntil(lambda: any(one.entry.server for one in window.session.files if one.entry))
        until_checked(qtbot, window)
    entries = {one.team: one.entry for one in window.session.files if one.team}
    assert {team: (one.id, one.received_known) for team, one in entries.items()} == {
        "team1": ("1", "day"),
        "team2": ("2", "day"),
    }
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    assert {one.system: dict(one.server) for one in window.session.systems} == {
        "team1": {"CLOSENESS": "0.5"},
        "team2": {"CLOSENESS": "0.25"},
    }
    window.files.save_to(tmp_path / "kept.jurydesk")
    window.files.close()
    until_open(qtbot, window, tmp_path / "kept.jurydesk")
    assert {one.team for one in window.session.files if one.entry} == {"team1", "team2"}


@pytest.mark.parametrize("with_references", [True, False])
def test_the_reason_for_refusing_an_archive_is_reported_at_once(
    qtbot, window, files, tmp_path, with_references
):
    (tmp_path / "teams.zip").write_bytes(b"PK\x03\x04 and no more")
    window.files.open_paths([*(files[:1] if with_references else ()), tmp_path / "teams.zip"])
    qtbot.waitUntil(lambda: bool(window.session.defects))
    qtbot.waitUntil(lambda: window.page.id == "check")
    assert [one.found for one in window.session.defects] == ["The archive is damaged."]
    assert window.page.defects.isVisible()
    if not with_references:
        assert window.page.finding == "No file was accepted; the reasons are listed below."


def test_a_refused_archive_is_reported_until_the_corrected_one_is_added(
    qtbot, window, files, tmp_path
):
    archive = tmp_path / "teams.zip"

    def pack(name: str) -> None:
        with zipfile.ZipFile(archive, "w") as made:
            made.write(files[1], "north/guesses.txt")
            made.write(files[2], name)

    pack("../south.txt")
    window.files.open_paths([files[0], archive])
    until_checked(qtbot, window)
    reported = ["Its name leads out of the archive (..)."]
    assert [one.found for one in window.session.defects] == reported
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    window.files.save_to(tmp_path / "kept.jurydesk")
    window.files.close()
    until_open(qtbot, window, tmp_path / "kept.jurydesk")
    assert [one.found for one in window.session.defect_log.intake] == reported
    window.evaluator.check()
    until_checked(qtbot, window)
    assert [one.found for one in window.session.defects] == reported
    pack("south/guesses.txt")
    window.files.open_paths([archive])
    qtbot.waitUntil(lambda: window.session.defect_log.intake == ())


def test_files_left_out_of_a_folder_are_reported_after_a_restart_and_a_new_check(
    qtbot, window, files, tmp_path
):
    folder = tmp_path / "all"
    folder.mkdir()
    shutil.copy(files[1], folder / "north.txt")
    (folder / "rules.pdf").write_bytes(b"%PDF-1.7\n")
    (folder / "link.txt").symlink_to(files[2])
    window.files.open_paths([files[0], folder])
    until_checked(qtbot, window)
    reported = {one.found for one in window.session.defect_log.intake}
    assert reported == {
        "It is a link, which is not followed.",
        "1 document: all/rules.pdf.",
    }
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)
    window.files.save_to(tmp_path / "kept.jurydesk")
    window.files.close()
    until_open(qtbot, window, tmp_path / "kept.jurydesk")
    assert {one.found for one in window.session.defect_log.intake} == reported
    window.evaluator.check()
    until_checked(qtbot, window)
    assert reported <= {one.found for one in window.session.defects}
    (folder / "link.txt").unlink()
    window.files.open_paths([folder])
    qtbot.waitUntil(
        lambda: [one.place.name for one in window.session.defect_log.intake] == ["rules.pdf"]
    )


def test_late_submissions_are_marked_and_kept_as_soon_as_the_deadline_is_set(qtbot, checked):
    before = checked.session.defects
    checked.organiser.set_rules(IntakeRules(parse_deadline("2001-01-01 12:00 UTC")))
    qtbot.waitUntil(lambda: len(checked.session.defect_log.resolution) == 3)
    assert all("after the deadline" in one.found for one in checked.session.defect_log.resolution)
    recorded = load_state(checked.session.desk).defects.all
    assert set(recorded) == set(checked.session.defects)
    checked.organiser.set_rules(IntakeRules())
    qtbot.waitUntil(lambda: checked.session.defect_log.resolution == ())
    assert checked.session.defects == before


def test_teams_and_marks_are_kept_after_a_restart(qtbot, checked, team, tmp_path):
    shutil.copytree(team("north").parent, team.folder / "south")
    checked.files.open_paths([team.folder])
    qtbot.waitUntil(lambda: any(remarks(file) for file in checked.session.files))
    marks = {
        file.path: (file.parts, remarks(file)) for file in checked.session.files if remarks(file)
    }
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
    checked.files.save_to(tmp_path / "kept.jurydesk")
    checked.files.close()
    until_open(qtbot, checked, tmp_path / "kept.jurydesk")
    again = {
        file.path: (file.parts, remarks(file)) for file in checked.session.files if remarks(file)
    }
    assert again == marks
    assert [parts for parts, _ in marks.values()] == [("south", "guesses.txt")]


def test_the_rules_can_be_set_with_the_keyboard_alone(qtbot, checked):
    checked.actions_.run("run.rules")
    sheet = checked.views.sheet
    assert QApplication.focusWidget() is sheet.deadline
    qtbot.keyClicks(sheet.deadline, "2001-01-01 AoE")
    qtbot.keyClick(sheet.deadline, Qt.Key.Key_Return)
    assert checked.views.sheet is None
    assert checked.toast.text.text() == "The deadline is 2001-01-01 23:59 AoE."
    assert load_rules(checked.session.desk).deadline == parse_deadline("2001-01-01 23:59 AoE")


OUTLINE = Redaction(
    facts=lambda truth: (
        RedactionFact("names", f"The names of the {len(truth)} items.", sorted(truth)),
    ),
    reference=lambda facts: dict.fromkeys(facts["names"], 0.0),
    options=("missing",),
)


def test_a_kit_can_be_made_and_written_with_the_keyboard_alone(
    qtbot, window, files, tmp_path, monkeypatch
):
    offered = replace(
        toy_competition.TASK,
        submission_checks=replace(toy_competition.TASK.submission_checks, redaction=OUTLINE),
    )
    known = Registry({"toy": offered}, ())
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: known)
    target = tmp_path / "kit.jurycomp"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *asked: (str(target), ""))
    window.files.open_paths(files)
    until_checked(qtbot, window)
    window.actions_.run("file.kit")
    qtbot.waitUntil(lambda: window.views.sheet is not None)
    assert QApplication.focusWidget() is window.views.sheet.program
    assert window.views.sheet.page is None
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.toast.text.text() == "Written: kit.jurycomp"
    made = read_kit(target)
    assert [fact.says for fact in made.facts] == ["The names of the 40 items."]
    assert made.options == {"missing": "skip"}


def test_a_kit_that_cannot_be_written_is_reported_with_the_reason(qtbot, checked, tmp_path):
    kit = ParticipantKit("toy", "Toy", "0.1.0", {}, (), ())
    checked.organiser.write_kit(kit, tmp_path / "nowhere" / "kit.jurycomp")
    assert checked.notice.text.text() == "kit.jurycomp: No such file or directory."


def test_a_kit_of_damaged_reference_files_is_refused(qtbot, window, files, monkeypatch):
    known = Registry(
        {
            "toy": replace(
                toy_competition.TASK,
                submission_checks=replace(
                    toy_competition.TASK.submission_checks, redaction=OUTLINE
                ),
            )
        },
        (),
    )
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: known)
    files[0].write_text("# truth\nn0 much\n")
    window.files.open_paths(files)
    until_checked(qtbot, window)
    with qtbot.waitSignal(window.organiser.refused) as refused:
        window.actions_.run("file.kit")
    assert refused.args == ["The reference files have 1 error: correct them first (Check)."]


def test_a_kit_is_refused_where_the_competition_offers_none(qtbot, checked):
    assert toy_competition.TASK.submission_checks.redaction is None
    with qtbot.waitSignal(checked.organiser.refused) as refused:
        checked.organiser.show_kit()
    assert refused.args[0]


def test_a_competition_is_renamed_and_the_name_restored_by_undo(qtbot, checked):
    before = checked.session.title
    qtbot.keyClick(checked, Qt.Key.Key_F2)
    assert not checked.views.sheet.keep.isHidden()
    qtbot.keyClicks(QApplication.focusWidget(), "  Toys   of 2018 ")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert checked.session.title == "Toys of 2018"
    assert load_state(checked.session.desk).title == "Toys of 2018"
    assert checked.windowTitle().startswith("Toys of 2018 – ")
    checked.toast.button.click()
    assert checked.session.title == load_state(checked.session.desk).title == before


def test_a_system_is_renamed_by_keys_and_undone(qtbot, scored):
    scored.page.view.setFocus()
    qtbot.waitUntil(lambda: bool(scored.session.selection.system))
    before, *others = dict.fromkeys(
        [scored.session.selection.system, *scored.session.scored_systems]
    )
    qtbot.keyClick(scored, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    sheet = scored.views.sheet
    qtbot.keyClicks(sheet.name, others[0])
    qtbot.keyClick(sheet.name, Qt.Key.Key_Return)
    assert sheet.reason.text() == f"{others[0]} is the name of another system."
    sheet.name.selectAll()
    qtbot.keyClicks(sheet.name, "Ours")
    qtbot.keyClick(sheet.name, Qt.Key.Key_Return)
    assert scored.views.sheet is None
    assert scored.session.selection.system == "Ours"
    assert "Ours" in scored.session.scored_systems
    scored.actions_.run("edit.undo")
    assert set(scored.session.scored_systems) == {before, *others}
    qtbot.waitUntil(lambda: scored.jobs.idle)
