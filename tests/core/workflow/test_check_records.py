"""Records of checks of files that are no longer readable; reading a desk writes nothing."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck, combine
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.model.options import options_json
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.published_checks import published_checks
from jurydesk.core.workflow.score import CompetitionFiles, check_competition, score_competition
from support.windows import toy_competition

pytestmark = pytest.mark.usefixtures("only_the_toy")
SENTENCE = "Every line is an id and a value"


@pytest.fixture
def scored(tmp_path: Path) -> CompetitionFiles:
    """Return two systems, of which the second has an error, scored into a desk."""
    truth, *systems = toy_competition.files(tmp_path / "files", systems=2)
    systems[1].write_text("n0 much\n")
    task, options = toy_competition.TASK, toy_competition.Options()
    path = tmp_path / "toy.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition(task.id, task.title, options_json(options))
    files = explicit_files(task, {"truth": [truth], "guesses": systems})
    made = CompetitionFiles(path, task, files, options)
    score_competition(made, Run())
    return made


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_desk_without_its_inputs_keeps_its_bytes_and_defects_when_it_is_read(
    scored: CompetitionFiles, tmp_path: Path
) -> None:
    with Desk.open(scored.desk) as desk:
        before = load_state(desk)
    shutil.rmtree(tmp_path / "files")
    bytes_before = sha256(scored.desk)
    outcome = check_competition(scored, Run(), keep=False)
    with Desk.open(scored.desk) as desk:
        assert load_state(desk).checked == before.checked
    assert sha256(scored.desk) == bytes_before
    assert [path.name for path in tmp_path.iterdir()] == [scored.desk.name]
    assert outcome.checked.defects.reading == before.defects.reading
    assert [one.outcome for one in outcome.checked.files] == ["passed", "passed", "failed"]
    assert {one.time for one in outcome.checked.files} == {before.checked.time}
    assert {one.reason for one in outcome.checked.files} == {"It does not exist."}
    assert {one.outcome for one in outcome.record.files} == {"unknown"}


def test_a_check_with_fewer_readable_files_removes_nothing(
    scored: CompetitionFiles, tmp_path: Path
) -> None:
    with Desk.open(scored.desk) as desk:
        before = load_state(desk)
    shutil.rmtree(tmp_path / "files")
    check_competition(scored, Run())
    with Desk.open(scored.desk) as desk:
        assert len(desk.check_records()) == 2
        after = load_state(desk)
    assert after.defects.reading == before.defects.reading
    assert [one.time for one in after.checked.files] == [one.time for one in before.checked.files]


def test_a_corrected_file_has_no_old_defect(scored: CompetitionFiles) -> None:
    shutil.copyfile(*(file.path for file in scored.submissions))
    outcome = check_competition(scored, Run())
    assert {one.outcome for one in outcome.checked.files} == {"passed"}
    assert outcome.checked.defects.reading == ()


def test_a_published_check_of_an_unread_file_is_unknown(
    scored: CompetitionFiles,
) -> None:
    truth, one, other = scored.files
    first, second, gone = one.path, other.path, one.path.with_name("gone.txt")
    files = truth, one, replace(other, path=gone)
    checked = check_competition(replace(scored, files=files), Run(), keep=False).checked
    task = scored.task
    (found,) = published_checks(task, [first, gone], checked)
    assert (found.sentence, found.outcome) == (SENTENCE, "unknown")
    assert found.unknown == ((gone, "It does not exist."),)
    checked = check_competition(scored, Run(), keep=False).checked
    (found,) = published_checks(task, [first], checked)
    assert found.outcome == "passed"
    first.rename(gone)
    checked_again = check_competition(scored, Run(), keep=False).checked
    (found,) = published_checks(task, [first], checked_again)
    assert (found.outcome, found.unknown) == ("unknown", ((first, "It does not exist."),))
    (found,) = published_checks(task, [first, second], checked)
    assert (found.outcome, found.failed) == ("failed", (second,))


def test_after_errors_in_the_references_submissions_are_unknown(scored: CompetitionFiles) -> None:
    scored.files[0].path.write_text("n0 much\n")
    files = check_competition(scored, Run(), keep=False).record.files
    assert [one.outcome for one in files] == ["failed", "unknown", "unknown"]


class TestCombining:
    def record(self, hour: int, *files: tuple[str, str], defects: tuple[Defect, ...] = ()):
        time = f"2026-11-22T{hour}:00:00+00:00"
        checks = tuple(
            FileCheck(path, "guesses", outcome, "Gone." if outcome == "unknown" else "", time)
            for path, outcome in files
        )
        return CheckRecord(time, checks, DefectLog(reading=defects))

    def test_files_of_several_runs_are_listed_together_where_they_are_inputs(self) -> None:
        one = warning(Place("a"), "One.")
        records = [
            self.record(10, ("a", "passed"), ("b", "passed"), defects=(one,)),
            self.record(11, ("c", "passed")),
        ]
        found = combine(records, ["a"])
        assert [file.path for file in found.files] == ["a", "c"]
        assert found.defects.reading == (one,)
        assert combine(records).defects.reading == ()

    def test_defects_from_before_outcomes_were_recorded_are_kept_until_a_file_is_read(self) -> None:
        old = CheckRecord(defects=DefectLog(reading=(error(Place("a"), "Old."),)))
        unread = self.record(10, ("a", "unknown"), defects=(error(Place("a"), "Gone."),))
        read = self.record(11, ("a", "passed"))
        assert combine([old, unread]).defects.reading == old.defects.reading
        assert combine([old, unread, read]).defects.reading == ()
