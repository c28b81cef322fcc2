from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jurydesk.core.intake.deadlines import Deadline, time_zone
from jurydesk.core.intake.received_list import read_received
from jurydesk.core.intake.resolve import changed_later_defects, resolve_names, unlisted_defects
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.model.input_file import InputFile

AT = datetime(2026, 7, 22, 22, 58, 11, tzinfo=UTC)


def read(folder: Path, text: str):
    (folder / "times.csv").write_text(text, encoding="utf-8")
    return read_received(folder / "times.csv", time_zone("+02:00"))


@pytest.mark.parametrize(
    "text",
    [
        "Team Name,Team Members,Submission Number,Submitted At\na,x,1,2026-07-22T22:58:11Z\n",
        "id,Owner,Created When,Phase\n7,a,2026-07-22T22:58:11.000000+00:00,Dev\n",
        '"id","Team Name","Submitted At (mm/dd/yyyy hh:mm:ss)"\n"1","a","07/22/2026 22:58:11"\n',
        "time;team\n2026-07-23 00:58:11;a\n",
        "TeamId,TeamName,LastSubmissionDate\n1,a,2026-07-23 00:58:11\n",
        "\ufeffteam_name\treceived_at\na\t2026-07-22 22:58:11 UTC\n",
        "a,2026-07-22T22:58:11Z\n",
    ],
)
def test_the_columns_of_team_and_time_are_found_by_their_titles(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert found.data == {"a": AT}
    assert not [one for one in found.defects if "byte order" not in one.found]


def test_a_cell_may_have_commas_and_line_breaks(tmp_path: Path) -> None:
    text = 'Team Name,Note,Submitted At\n"line\nbreak","a, b",2026-07-22T22:58:11Z\nb,c,soon\n'
    found = read(tmp_path, text)
    assert found.data is None
    assert [(one.place.line, one.found[:6]) for one in found.defects] == [(4, "“soon”")]


def test_a_first_line_with_a_digit_in_its_second_cell_is_no_header(tmp_path: Path) -> None:
    found = read(tmp_path, "a,01.05.2018 22:00\nb,2018-05-01 22:00\n")
    assert found.data is None
    assert [(one.place.line, one.found[:30]) for one in found.defects] == [
        (1, "“01.05.2018 22:00” is not a ti")
    ]


def test_a_first_line_that_may_be_a_team_is_named(tmp_path: Path) -> None:
    found = read(tmp_path, "a,tomorrow\nb,2026-07-23 00:58:11\n")
    assert found.data == {"b": AT}
    assert [one.found for one in found.defects] == ["This line was read as titles: a, tomorrow."]


def test_a_table_of_many_columns_needs_titles(tmp_path: Path) -> None:
    found = read(tmp_path, "one,two,three\na,b,2026-07-22T22:58:11Z\n")
    assert found.data is None
    assert [one.found for one in found.defects] == [
        "The first line names no column of teams or no column of times."
    ]


def test_of_several_times_of_a_team_the_newest_is_used_and_told(tmp_path: Path) -> None:
    found = read(tmp_path, "team,time\na,2026-07-23 00:58:11\na,2026-07-22 10:00\n")
    assert found.data == {"a": AT}
    assert [one.found for one in found.defects] == ["1 team with several times: a."]


def test_names_without_a_counterpart_are_told_with_the_nearest() -> None:
    files = [InputFile(Path(f"/in/{name}/run.txt"), parts=(name, "run.txt"), team=name)
             for name in ("teamA", "teamB")]  # fmt: skip
    rules = IntakeRules(received={"TEAM_A": AT, "teamB": AT}, received_list="/in/times.csv")
    assert list(map(str, unlisted_defects(files, rules))) == [
        "warning  times.csv: The list of times names TEAM_A, which has no submission.\n"
        "       Its time is not used. Is it teamA?",
        "warning  run.txt: teamA is not in the list of times.\n"
        "       The time of its file is used, which the team can change. Is it TEAM_A?",
    ]
    assert len(list(unlisted_defects(files[:1], rules, files[1:]))) == 2
    assert list(unlisted_defects(files, IntakeRules())) == []


def test_many_names_without_a_counterpart_are_counted() -> None:
    files = [InputFile(Path("/in/a.txt"), parts=("a.txt",), team="a")]
    rules = IntakeRules(received={"a": AT, **{f"other{n}": AT for n in range(500)}})
    found = list(unlisted_defects(files, rules))
    assert len(found) == 11
    assert found[-1].found == "490 names as well: other10, other11, other12 and 487 more."


def test_files_that_are_late_though_the_list_is_timely_are_counted() -> None:
    until = Deadline(AT + timedelta(minutes=5), "UTC")
    rules = IntakeRules(until, received=dict.fromkeys("abcde", AT))
    changed = {
        "a": AT - timedelta(days=900),  # made before it was received
        "b": AT + timedelta(minutes=5),  # copied before the deadline
        "c": AT + timedelta(minutes=5, seconds=1),
        "d": AT + timedelta(days=2),
        "unlisted": AT + timedelta(days=2),
    }
    files = [InputFile(Path(f"/in/{name}"), parts=(name,), team=name, changed=time)
             for name, time in changed.items()]  # fmt: skip
    assert list(map(str, changed_later_defects(resolve_names(files, rules), rules))) == [
        "warning  c: 2 submissions timely by the list, late by file times: c, d.\n"
        "       The time of the list is used. Copying may have set those times."
    ]
    soon = IntakeRules(Deadline(AT, "UTC"), received=rules.received)
    near = [replace(files[0], changed=AT + timedelta(seconds=59))]  # within the list's minute
    assert list(changed_later_defects(resolve_names(near, soon), soon)) == []
    without = IntakeRules(received=rules.received)
    assert list(changed_later_defects(resolve_names(files, without), without)) == []


def test_a_list_that_cannot_be_read_is_a_defect(tmp_path):
    reading = read_received(tmp_path / "absent.csv", UTC)
    assert reading.data is None
    assert len(reading.defects) == 1


@pytest.mark.parametrize(
    ("text", "lines", "found"),
    [
        ("a,2018-05-01 10:00\n\n ,\nb,2018-05-01 10:00,x\n", [4], ["The line has 3 columns."]),
        (
            "x,team,time\nq,a,2018-05-01 10:00\na,2018-05-01 10:00\n",
            [3],
            ["The line has 2 columns."],
        ),
        ('team,time\n"a\nb",soon\nc,later\n', [2, 4], ["“soon” is not a", "“later” is not "]),
        ("only\n", [1], ["The line has 1 columns."]),
        ("time,x,y\n", [1], ["The first line names no column of teams or no column of times."]),
    ],
)
def test_every_wrong_line_is_told_with_its_number(tmp_path, text, lines, found):
    reading = read(tmp_path, text)
    assert reading.data is None
    assert [one.place.line for one in reading.defects] == lines
    for one, beginning in zip(reading.defects, found, strict=True):
        assert one.found.startswith(beginning)


@pytest.mark.parametrize(
    "text", ["team,anything\na,2018-05-01 10:00\n", "any,time\na,2018-05-01 10:00\n"]
)
def test_of_two_columns_one_title_is_enough(tmp_path, text):
    reading = read(tmp_path, text)
    assert reading.defects == ()
    assert list(reading.data) == ["a"]


def test_names_with_several_times_are_told_once_each(tmp_path):
    rows = [f"{name},2018-05-0{day} 10:00\n" for name in "ab" for day in (2, 3, 1)]
    reading = read(tmp_path, "".join(rows) + "c,2018-05-01 10:00\n")
    assert {name: at.day for name, at in reading.data.items()} == {"a": 3, "b": 3, "c": 1}
    (note,) = reading.defects
    assert (note.found, note.hint, note.count) == (
        "2 teams with several times: a, b.",
        "The newest time was used.",
        2,
    )
