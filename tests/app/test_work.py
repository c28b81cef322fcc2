"""What jobs do, without a window."""

from __future__ import annotations

import sys

import competition
import pytest

from app import work
from app.standing import standing
from core.desk import Desk
from core.intake.files import Settled
from core.run.run import Cancelled, CancelToken, Run

pytestmark = pytest.mark.usefixtures("only_the_toy")


def silent(value: object) -> None:
    """Nobody listens."""


@pytest.fixture
def desk_path(tmp_path):
    path = tmp_path / "toy.jurydesk"
    Desk.create(path).close()
    return path


@pytest.fixture
def inputs(tmp_path):
    truth, *systems = competition.files(tmp_path / "files")
    return {"truth": [truth], "guesses": systems}


def test_the_window_hears_of_each_system_when_it_is_in_the_desk(desk_path, inputs):
    told = []

    def tell(found):
        if isinstance(found, Settled):
            return
        with Desk.open(desk_path, read_only=True) as desk:
            assert found == standing(desk)
        told.append([summary.system[-1] for summary in found.systems])

    work.score(desk_path, competition.TASK, inputs, competition.Options(), Run(), tell)
    assert told == [["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C"]]
    with Desk.open(desk_path) as desk:
        assert [entry.state for entry in desk.inputs()] == ["current"] * 4
        evidence = competition.TASK.load_evidence
        evaluation = desk.load(desk.evaluations()[0].id, evidence)
        assert evaluation.items.evidence(4).wanted == pytest.approx(0.1)


def test_keeping_the_details_can_be_cancelled(desk_path, inputs):
    cancel = CancelToken()
    texts = []

    def progress(progress):
        texts.append(progress.text)
        if progress.text.startswith("Keeping the details of system B"):
            cancel.cancel()

    run = Run(progress=progress, cancel=cancel)
    with pytest.raises(Cancelled):
        work.score(desk_path, competition.TASK, inputs, competition.Options(), run, silent)
    assert "Keeping the details of system A" in texts
    with Desk.open(desk_path) as desk:
        assert [summary.system for summary in desk.evaluations()] == ["system A"]


def test_a_check_keeps_its_defects_in_the_desk(desk_path, inputs):
    inputs["guesses"][0].write_text("n0 much\n")
    result = work.check(desk_path, competition.TASK, inputs, competition.Options(), Run(), silent)
    with Desk.open(desk_path) as desk:
        assert desk.defects() == result.defects


def test_preparing_imports_what_is_needed_soon(monkeypatch):
    monkeypatch.delitem(sys.modules, "app.peek", raising=False)
    found = work.prepare(["app.peek"], Run(), silent)
    assert list(found.tasks) == ["toy"]
    assert "app.peek" in sys.modules


def test_the_device_is_said_in_a_few_words():
    assert work.device_line("cpu").startswith("CPU · ")
    assert work.device_line("cuda:77").startswith("CPU · ")
