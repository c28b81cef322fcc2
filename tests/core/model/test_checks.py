from __future__ import annotations

from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck, combine
from jurydesk.core.model.defects import Defect, Place, warning


def record(time: str, outcome: str, text: str) -> CheckRecord:
    """Return a check of one file, with a defect of its resolution."""
    defect: Defect = warning(Place("a.txt"), text)
    reason = "It does not exist." if outcome == "unknown" else ""
    file = FileCheck("a.txt", "guesses", outcome, reason, time)  # type: ignore[arg-type]
    return CheckRecord(time, (file,), DefectLog((), (defect,), ()))


def found(*records: CheckRecord) -> list[str]:
    return [one.found for one in combine(records).defects.resolution]


def test_defects_of_the_resolution_are_those_of_the_last_check_that_read_the_file() -> None:
    assert found(record("1", "passed", "It is late."), record("2", "passed", "It is a copy.")) == [
        "It is a copy."
    ]
    assert found(record("1", "passed", "It is late."), record("2", "unknown", "It is gone.")) == [
        "It is late."
    ]
