"""Functions of the evaluator's jobs, without a window."""

from __future__ import annotations

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.intake.submission import SubmissionIntake
from jurydesk.core.model.checks import combine
from jurydesk.core.workflow import score as workflow
from jurydesk.core.workflow.desk_state import load_results
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles
from support.windows import toy_competition

pytestmark = pytest.mark.usefixtures("only_the_toy")


def silent(value: object) -> None:
    """Ignore progress."""


@pytest.fixture
def entered(tmp_path):
    desk = tmp_path / "toy.jurydesk"
    Desk.create(desk).close()
    truth, *systems = toy_competition.files(tmp_path / "files")
    files = explicit_files(toy_competition.TASK, {"truth": [truth], "guesses": systems})
    return CompetitionFiles(desk, toy_competition.TASK, files, toy_competition.Options())


def test_the_window_gets_each_system_when_it_is_in_the_desk(entered):
    reported = []

    def notify(found):
        if isinstance(found, SubmissionIntake):
            return
        with Desk.open(entered.desk, read_only=True) as desk:
            assert found == load_results(desk)
        reported.append([summary.system[-1] for summary in found.systems])

    workflow.score_competition(entered, Run(), notify)
    assert reported == [["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C"]]
    with Desk.open(entered.desk) as desk:
        assert [entry.state for entry in desk.inputs()] == ["current"] * 4
        evidence = toy_competition.TASK.readers.load_evidence
        evaluation = desk.load(desk.evaluations()[0].id, evidence)
        assert evaluation.items.evidence(4).wanted == pytest.approx(0.1)


def test_writing_details_can_be_cancelled(entered):
    cancel = CancelToken()
    texts = []

    def progress(progress):
        texts.append(progress.text)
        if progress.text.startswith("Saving item details of system B"):
            cancel.cancel()

    run = Run(progress=progress, cancel=cancel)
    with pytest.raises(Cancelled):
        workflow.score_competition(entered, run, silent)
    assert "Saving item details of system A" in texts
    with Desk.open(entered.desk) as desk:
        assert [summary.system for summary in desk.evaluations()] == ["system A"]


def test_a_check_stores_its_defects_in_the_desk(entered):
    entered.submissions[0].path.write_text("n0 much\n")
    outcome = workflow.check_competition(entered, Run(), silent)
    with Desk.open(entered.desk) as desk:
        assert combine(desk.check_records()).defects.all == outcome.defects


def test_a_check_names_the_type_of_a_file_that_is_not_a_submission(entered):
    entered.submissions[0].path.write_text('{"schema": 1, "task": "toy", "systems": []}\n')
    result = workflow.check_competition(entered, Run(), silent)
    reported = "This is a result that Jurydesk wrote, not a file of the competition."
    assert [defect.found for defect in result.defects] == [reported]
