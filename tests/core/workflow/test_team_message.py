"""Message to a team about the check of its submission."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Place, error, warning
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.workflow.team_message import team_message

PATH = Path("/competition/south/run.txt")
FILE = InputFile(
    *(PATH, "guesses", 10),
    parts=("south", "run.txt"),
    team="south",
    sha256="0123456789abcdef",
    received=datetime(2018, 5, 1, 23, 30, tzinfo=UTC),
    late=timedelta(minutes=90),
    system="south",
    twin="north",
)


def record(*reading):
    checks = (FileCheck(str(PATH), "guesses", "failed", time="2018-05-02T08:00:00+00:00"),)
    copy = warning(Place(str(PATH)), "south has the same content as north, byte for byte.")
    return CheckRecord("2018-05-02T08:00:00+00:00", checks, DefectLog((), (copy,), reading))


def test_a_message_lists_the_defects_with_their_places_and_times_in_utc():
    checked = record(
        warning(Place(str(PATH)), "12 items are missing.", count=12),
        error(Place(str(PATH), 7), "“abc” is no number.", "A line is: id value."),
        error(Place("/competition/north/run.txt", 3), "Something of another team."),
    )
    assert team_message(FILE, checked) == (
        "Submission: south/run.txt (received 2018-05-01 23:30 UTC, 1 h 30 min after the deadline, "
        "SHA-256 0123456789ab…)\n\n"
        "It cannot be scored yet: 1 error.\n\n"
        "To correct:\n1. line 7: “abc” is no number. A line is: id value.\n\n"
        "Please also check:\n1. 12 items are missing. (12 occurrences, the first here)\n\n"
        "Checked: 2018-05-02 08:00 UTC."
    )


def test_a_message_never_names_another_team():
    assert "north" not in team_message(FILE, record())
    assert "It can be scored; no defects were found." in team_message(FILE, record())
