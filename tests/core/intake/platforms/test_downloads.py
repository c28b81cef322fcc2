from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.tables.submission_table import read_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.collect import resolve_submissions
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.folder import FileListing
from jurydesk.core.intake.platforms.download import _remarks, choose_phase
from jurydesk.core.intake.submission import IntakeRules, SubmissionIntake, remarks
from jurydesk.core.intake.take_in import find_submissions
from jurydesk.core.model.platform_entry import PlatformEntry, entry_json, entry_text
from support.files.platforms import bulk, listed, zipped
from support.windows import toy_competition

TASK = toy_competition.TASK
ALICE = "517108_alice_PhaseId7_2026-02-11_07-33_predictions.zip"
AGAIN = "517120_alice_PhaseId7_2026-02-11_05-10_predictions.zip"
ODD = "9_x_PhaseId3_y_PhaseId7_2026-02-12_00-00_a_b.zip"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def entries(found: FileListing) -> dict[str, PlatformEntry]:
    return {key: one for download in found.downloads for key, one in download.entries.items()}


def said(found: FileListing | SubmissionIntake) -> list[str]:
    return [f"{one.severity}: {one.found}" for one in found.defects]


def took(folder: Path, *given: Path, rules: IntakeRules = IntakeRules(), records=()):  # noqa: B008
    found = find_submissions(TASK, given, folder / "store", Run(), records=records)
    return resolve_submissions(None, found.files, Run(), rules)


def test_a_bulk_download_has_owner_phase_and_day_of_each_submission(tmp_path: Path) -> None:
    found = listed(tmp_path, bulk(tmp_path, [ALICE, ODD]))
    assert [(one.entry.id, one.entry.team, one.parts[-1]) for one in found.files] == [
        ("517108", "alice", "run.txt"),
        ("9", "x_PhaseId3_y", "run.txt"),
    ]
    assert entry_json(entries(found)["517108"]) == {
        "platform": "Codabench",
        "id": 517108,
        "team": "alice",
        "phase": None,
        "phase_id": 7,
        "status": None,
        "received": "2026-02-11",
        "received_known": "day",
        "file": ALICE,
        "server": {},
        "uploaded": "07-33",
    }


CSV = """Submission ID,File Name,Owner,Created When,Status,Phase
517123,predictions.zip,alice,2026-11-26T20:00:00.5Z,Failed,Test
517122,predictions.zip,alice,2026-11-26T20:00:00.4Z,Failed,Test
517120,predictions.zip,alice,2026-02-11T22:05:59Z,Failed,Test
517108,predictions.zip,alice,2026-02-11T03:07:40Z,Finished,Test
17,Deleted File,carol,2026-02-10T03:07:40Z,Finished,Test
"""
RESULTS = "Username,fact_sheet_answers,T(1)-MAP,T(1)-Mean\nalice-517108,,0.5000000000,\n"


def test_tables_add_time_status_phase_and_the_server_s_numbers(tmp_path: Path) -> None:
    table = write(tmp_path / "subs.csv", CSV)
    result = write(tmp_path / "Results - Test(7).csv", RESULTS)
    found = listed(tmp_path, bulk(tmp_path, [ALICE, AGAIN]), records=[table, result])
    known = entries(found)
    assert sorted(known) == ["17", "517108", "517120"]  # the rows of tasks are no submissions
    first = known["517108"]
    assert (first.status, first.phase, first.phase_id) == ("Finished", "Test", "7")
    assert first.received == datetime(2026, 2, 11, 3, 7, 40, tzinfo=UTC)
    assert (first.received_known, dict(first.server)) == ("exact", {"T(1)-MAP": "0.5000000000"})
    assert entry_text(first) == "Codabench: 517108, Test, Finished, T(1)-MAP 0.5000000000"
    assert known["17"].details == {"deleted": True}
    assert [one.without_file for one in found.downloads] == [["17"]]
    assert said(found) == [
        "note: 1 entry not finished on Codabench: 517120 (Failed).",
        "note: alice has 2 entries in Test; the server shows 517108.",
    ]


def test_a_second_download_of_results_keeps_its_phase(tmp_path: Path) -> None:
    result = write(tmp_path / "Results - Final test(7) (1).csv", RESULTS)
    found = entries(listed(tmp_path, bulk(tmp_path, [ALICE]), result))
    assert (found["517108"].phase, found["517108"].phase_id) == ("Final test", "7")
    renamed = write(tmp_path / "Results - Other(9).csv", RESULTS)
    found = entries(listed(tmp_path, bulk(tmp_path, [ALICE]), renamed))
    assert found["517108"].phase_id == "7"


def test_a_table_without_ids_is_joined_by_owner_day_and_minute(tmp_path: Path) -> None:
    rows = [line.split(",", 2)[2] for line in CSV.splitlines()]
    table = write(tmp_path / "subs.csv", "\n".join(rows))
    found = listed(tmp_path, bulk(tmp_path, [ALICE, AGAIN]), table)
    assert {key: one.status for key, one in entries(found).items()} == {
        "517108": "Finished",
        "517120": "Failed",
    }
    assert "warning: The table has no ids: 2 rows joined by owner, day and minute." in said(found)


def test_a_name_without_a_valid_day_is_joined_to_none_and_the_others_are(tmp_path: Path) -> None:
    rows = [line.split(",", 2)[2] for line in CSV.splitlines()]
    table = write(tmp_path / "subs.csv", "\n".join(rows))
    undated = "5_alice_PhaseId7_2026-99-99_07-33_predictions.zip"
    found = entries(listed(tmp_path, bulk(tmp_path, [undated, ALICE, AGAIN]), table))
    assert [found[key].status for key in ("5", "517108", "517120")] == ["", "Finished", "Failed"]


def test_entries_of_a_team_are_told_apart_by_id_and_the_newest_counts(tmp_path: Path) -> None:
    path = bulk(tmp_path, [AGAIN, ALICE, ODD])
    found = took(tmp_path, path)
    assert [one.label for one in found.counting] == [
        "alice (517108)",
        "alice (517120)",
        "x_PhaseId3_y",
    ]
    found = took(tmp_path, path, rules=IntakeRules(latest=True))
    assert [(one.label, one.entry.id) for one in found.counting if one.entry] == [
        ("alice", "517120"),
        ("x_PhaseId3_y", "9"),
    ]


def test_of_two_entries_of_a_day_the_higher_id_is_newer(tmp_path: Path) -> None:
    names = [f"{n}_alice_PhaseId7_2026-02-11_07-33_a.zip" for n in (9, 10)]
    found = took(tmp_path, bulk(tmp_path, names), rules=IntakeRules(latest=True))
    assert [one.entry.id for one in found.counting if one.entry] == ["10"]


def test_the_entries_of_one_phase_are_taken_by_name_or_number(tmp_path: Path) -> None:
    final = "600_alice_PhaseId8_2026-02-11_07-33_a.zip"
    path = bulk(tmp_path, [ALICE, final])
    table = write(tmp_path / "Results - Final(8).csv", RESULTS.replace("517108", "600"))

    def ids(phase: str = "") -> tuple[list[str], list[str]]:
        found = find_submissions(
            TASK, [path], tmp_path / "store", Run(), records=[table], phase=phase
        )
        return [one.entry.id for one in found.files if one.entry], said(found)

    assert ids() == (["517108", "600"], ["note: Entries of several phases: 7, Final."])
    assert ids("7") == (["517108"], [])
    assert ids("8") == ids("Final") == (["600"], [])
    assert ids("Dev") == ([], ["error: No entry is of the phase Dev. Phases: 7, Final."])


def test_a_day_decides_about_the_deadline_or_is_told(tmp_path: Path) -> None:
    path = bulk(tmp_path, [ALICE, ODD])
    rules = IntakeRules(parse_deadline("2026-02-11 12:00 UTC"))
    found = took(tmp_path, path, rules=rules)
    assert [remarks(one) for one in found.submissions] == ["", "late by at least 12 h"]
    assert said(found) == [
        "warning: x_PhaseId3_y was received at least 12 h after the deadline.",
        "warning: 1 entry whose times do not decide about the deadline: alice.",
    ]
    exact = took(tmp_path, path, rules=rules, records=[write(tmp_path / "subs.csv", CSV)])
    assert [remarks(one) for one in exact.submissions] == ["", "late by at least 12 h"]
    assert len(exact.defects) == 1


def test_a_desk_keeps_the_entries(tmp_path: Path) -> None:
    given = find_submissions(TASK, [bulk(tmp_path, [ALICE])], tmp_path / "store", Run()).files
    with Desk.create(tmp_path / "a.jurydesk") as desk:
        resolve_submissions(desk, given, Run())
        (kept,) = read_submissions(desk)
        assert kept.entry == given[0].entry
        plain = [given[0].with_rules(given[0])]
        again = resolve_submissions(desk, plain, Run())
        assert [one.team for one in again.files] == ["alice"]


def test_what_the_platform_failed_to_deliver_is_an_error(tmp_path: Path) -> None:
    name = "8_bob_PhaseId7_2026-02-11:07-33_run.zip"
    text = f"The following submissions failed to download:\n\n{name} (HTTP 403)\n"
    found = listed(tmp_path, bulk(tmp_path, [ALICE], failed=text.encode()))
    (download,) = found.downloads
    assert (download.missing, download.without_file) == ([name], [])
    assert said(found) == [f"error: The platform failed to deliver {name} (HTTP 403)."]
    assert [one.entry.team for one in found.files if one.entry] == ["alice"]


def test_a_damaged_member_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    inner = {ALICE: zipped({"run.txt": b"# s\na 1\n"}), AGAIN: b"PK\x03\x04" + bytes(8000)}
    (tmp_path / "bulk.zip").write_bytes(zipped(inner))
    found = listed(tmp_path, tmp_path / "bulk.zip")
    assert sorted(entries(found)) == ["517108", "517120"]
    assert [str(one).splitlines()[0] for one in found.defects] == [
        f"error  bulk.zip, {AGAIN}: The archive is damaged."
    ]


def test_results_are_not_taken_for_submissions(tmp_path: Path) -> None:
    found = listed(tmp_path, bulk(tmp_path, [ALICE, f"res_{AGAIN}", f"pred_{ODD}"]))
    assert [one.entry.id for one in found.files if one.entry] == ["517108"]
    assert len(found.files) == 1
    assert [one[:55] for one in said(found)] == [
        "warning: 2 files of results, not of submissions: bulk_s"
    ]


def test_a_participant_s_archive_cannot_bring_records_or_other_names(tmp_path: Path) -> None:
    forged = zipped({"subs.csv": CSV.encode(), "run.txt": b"a 1", ODD: zipped({"run.txt": b"x"})})
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "mallory.zip").write_bytes(forged)
    assert listed(tmp_path, inbox).downloads == ()
    inner = {ALICE: forged}
    (tmp_path / "bulk.zip").write_bytes(zipped(inner))
    found = listed(tmp_path, tmp_path / "bulk.zip")
    assert {key: (one.team, one.status) for key, one in entries(found).items()} == {
        "517108": ("alice", "")
    }


EVALAI = (
    '"id","Team Name","Status","Submitted At","Submission Number","Submitted File",'
    '"Submission Result File"\n"7","line\nbreak","finished","2026-02-05 05:41:47.123456+00:00",'
    '"2","https://x.org/m/ab.txt?sig=1","https://x.org/m/ab-r.json"\n'
)


def test_evalai_s_table_is_joined_to_files_by_their_names(tmp_path: Path) -> None:
    table = write(tmp_path / "all.csv", EVALAI)
    write(tmp_path / "in" / "ab (2).txt", "# s\na 1\n")
    write(tmp_path / "in" / "ab-r.json", '[{"test": {"CIDEr": 1.250, "B": 1e-3}}]')
    found = listed(tmp_path, tmp_path / "in", records=[table])
    (one,) = found.files
    assert one.entry is not None
    assert (one.entry.id, one.entry.team, dict(one.entry.server)) == (
        "7",
        "line\nbreak",
        {"test.CIDEr": "1.250", "test.B": "1e-3"},
    )
    (own,) = took(tmp_path, tmp_path / "in", records=[table]).submissions
    assert (own.team, own.received) == (
        "line break",
        datetime(2026, 2, 5, 5, 41, 47, 123456, tzinfo=UTC),
    )


def test_a_participant_s_table_of_evalai_is_refused(tmp_path: Path) -> None:
    table = write(tmp_path / "mine.csv", "Team Name,Status,Submitted At,Submitted File\na,b,c,d\n")
    found = listed(tmp_path, table)
    assert said(found) == [
        "error: This is a participant's own table, not the host's: it has no ids."
    ]


def test_a_table_that_lacks_a_column_says_which(tmp_path: Path) -> None:
    table = write(tmp_path / "all.csv", "id,Status,Submitted File\n1,finished,https://x/a.txt\n")
    assert said(listed(tmp_path, table)) == [
        "warning: The table has no column Team Name, Submitted At."
    ]


def test_codalab_s_entries_have_their_scores_and_no_time(tmp_path: Path) -> None:
    members = {
        "Team Blue & co  - 3 submission.zip": zipped({"run.txt": b"# s\na 1\n"}),
        "Team Blue & co  - 3 output.zip": zipped({"scores.txt": b"map: 0.46563\np5:0.2\n"}),
        "Team Blue & co  - 3 profile.txt": b"# a file that looks like a run\na 1\n",
    }
    (tmp_path / "any.zip").write_bytes(zipped(members))
    board = write(tmp_path / "board.csv", "submission_pk,User,b'MAP'\n\"41\",bob,0.47 (1),\n")
    found = listed(tmp_path, tmp_path / "any.zip", records=[board])
    (one,) = found.files
    assert one.entry == PlatformEntry(
        "CodaLab",
        "41",
        "Blue & co",
        file="Team Blue & co  - 3 submission.zip",
        server={"MAP": "0.47"},
        full={"map": "0.46563", "p5": "0.2"},
        details={"number": 3, "user": "bob"},
    )
    rules = IntakeRules(parse_deadline("2018-05-01 10:00 UTC"))
    (own,) = took(tmp_path, tmp_path / "any.zip", rules=rules).submissions
    assert (own.team, own.received, own.late) == ("Blue & co", None, None)


def test_a_codalab_user_without_a_team_who_is_not_on_the_board_is_named(tmp_path: Path) -> None:
    members = {"bob - 2 submission.zip": zipped({"run.txt": b"# s\na 1\n"})}
    (tmp_path / "any.zip").write_bytes(zipped(members))
    board = write(tmp_path / "board.csv", "submission_pk,User,b'MAP'\n\"41\",eve,0.47 (1),\n")
    found = listed(tmp_path, tmp_path / "any.zip", records=[board])
    (one,) = found.files
    assert one.entry is not None
    assert (one.entry.team, dict(one.entry.details)) == ("bob", {"number": 2, "user": "bob"})
    text = "1 entry of the archive not found in the board by user or numbers."
    assert any(text in sentence for sentence in said(found))


def test_entries_of_one_phase_need_no_choice(tmp_path: Path) -> None:
    first, again = listed(tmp_path, bulk(tmp_path, [ALICE, AGAIN])).files
    assert choose_phase([first, again], "") == ([first, again], ())
    assert choose_phase([first, again], "7") == ([first, again], ())


def run_folder(folder: Path, run: str, more: str = "", deleted: str = "false") -> None:
    text = f'runId: "{run}"\ninputDataset: "d"\ndeleted: {deleted}\n{more}'
    write(folder / run / "run.prototext", text)


def test_tira_s_evaluations_belong_to_their_runs(tmp_path: Path) -> None:
    team = tmp_path / "runs" / "d" / "zoe"
    run, evaluation, gone = "2026-03-07-21-29-17", "2026-03-07-21-34-17", "2026-03-08-00-00-00"
    run_folder(team, run)
    write(team / run / "output" / "run.txt", "# s\na 1\n")
    write(team / run / "output" / gone / "run.prototext", "# the participant's own\n")
    run_folder(team, evaluation, f'inputRun: "{run}"\n')
    measure = 'measure{\n key: "Map"\n value: "0.31"\n}\n'
    write(team / evaluation / "output" / "evaluation.prototext", measure)
    run_folder(team, gone, deleted="true")
    write(team / gone / "output" / "run.txt", "# s\na 2\n")
    found = listed(tmp_path, tmp_path / "runs")
    known = entries(found)
    assert list(known) == [run]
    assert (known[run].team, dict(known[run].server)) == ("zoe", {"Map": "0.31"})
    assert known[run].received == datetime(2026, 3, 7, 21, 29, 17, tzinfo=UTC)
    assert said(found) == [
        "note: The times of TIRA's runs have no zone.",
        f"note: 1 run deleted: {gone}.",
    ]


def evaluation(pk: str, created: str, value: float, submission_pk: str = "s1") -> str:
    outputs = [{"interface": {"slug": "metrics-json-file"}, "value": {"map": {"mean": value}}}]
    submission = {
        "pk": submission_pk,
        "created": "2026-03-07T11:01:10Z",
        "creator": {"username": "alice"},
        "phase": {"title": "Final"},
        "predictions_file": "https://x.org/s1/predictions.csv",
    }
    cells = [created, json.dumps(outputs), pk, "1", "Succeeded", json.dumps(submission)]
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)


def test_of_grand_challenge_s_evaluations_of_a_submission_the_newest_counts(tmp_path: Path) -> None:
    rows = [
        "created,outputs,pk,rank,status,submission",
        evaluation("e2", "2026-03-09T00:00:00Z", 0.25),
        evaluation("e1", "2026-03-08T00:00:00Z", 0.5),
        evaluation("e3", "2026-03-08T00:00:00Z", 0.75, "s2"),
    ]
    found = listed(tmp_path, write(tmp_path / "any.csv", "\n".join(rows)))
    one, other = entries(found).values()
    assert (other.id, dict(other.server)) == ("e3", {"map.mean": "0.75"})
    assert (one.id, one.team, one.phase, dict(one.server)) == (
        "e2",
        "alice",
        "Final",
        {"map.mean": "0.25"},
    )
    assert one.received == datetime(2026, 3, 7, 11, 1, 10, tzinfo=UTC)
    assert said(found) == ["note: 1 submission evaluated again."]


def test_kaggle_s_board_tells_teams_of_one_name_apart(tmp_path: Path) -> None:
    board = "TeamId,TeamName,SubmissionDate,Score\n1,a,2026-03-09 16:22:33,0.5\n2,a,,0.25\n"
    solution = "row_id,label,Usage\n1,a,Public\n2,b,Private\n3,b,Private\n"
    folder = tmp_path / "in"
    write(folder / "board.csv", board)
    write(folder / "solution.csv", solution)
    write(folder / "2.csv", "row_id,label\n1,a\n")
    write(folder / "a.csv", "row_id,label\n1,b\n")  # of which team is unknown
    found = listed(tmp_path, folder)
    assert {key: (one.team, dict(one.server), one.file) for key, one in entries(found).items()} == {
        "1": ("a", {"Score": "0.5"}, ""),
        "2": ("a", {"Score": "0.25"}, "2.csv"),
    }
    assert said(found) == [
        "warning: 2 teams have the name a: 1, 2.",
        "note: The solution has rows by usage: Private 2, Public 1.",
        "warning: 1 entry without a file: 1.",
    ]


@pytest.mark.parametrize("text", ["", "[1]", '{"a": {"b": 1}}', '"', "[" * 5000, "Usage\n", ",\n"])
def test_other_tables_are_no_download(tmp_path: Path, text: str) -> None:
    write(tmp_path / "in" / "a.json", text)
    write(tmp_path / "in" / "a.csv", text)
    assert listed(tmp_path, tmp_path / "in").downloads == ()


def test_many_submissions_are_read(tmp_path: Path) -> None:
    names = [f"{n}_team{n % 50}_PhaseId1_2026-02-11_07-33_a.txt" for n in range(500)]
    (tmp_path / "bulk.zip").write_bytes(zipped(dict.fromkeys(names, b"# s\na 1\n")))
    found = listed(tmp_path, tmp_path / "bulk.zip")
    assert len(entries(found)) == len(found.files) == 500
    assert all(one.entry for one in found.files)


def test_teams_of_one_name_are_told_apart_by_their_members(tmp_path: Path) -> None:
    rows = [
        ("1", "Team A", "ann,bo", "ann", "a.txt"),
        ("2", "Team A", "cy", "cy", "b.txt"),
        ("3", "Team A", "bo,di", "di", "c.txt"),
        ("4", "Solo", "ed", "ed", "d.txt"),
    ]
    lines = ["id,Team Name,Team Members,Created By,Submitted File,Submitted At,Status"]
    for number, team, members, user, file in rows:
        write(tmp_path / "in" / file, f"# s\na {number}\n")
        address = f"https://e.org/x/{file}?k=1"
        lines.append(
            f'{number},{team},"{members}",{user},{address},2026-02-0{number} 10:00:00Z,finished'
        )
    write(tmp_path / "in" / "table.csv", "\n".join(lines))
    found = listed(tmp_path, tmp_path / "in")
    assert "warning: 2 teams have the name Team A: ann, cy." in said(found)
    took_in = took(tmp_path, tmp_path / "in", rules=IntakeRules(latest=True))
    assert sorted(one.label for one in took_in.counting) == ["Solo", "Team A (2)", "Team A (3)"]


def test_rows_without_team_or_members_make_no_teams_of_one_name(tmp_path: Path) -> None:
    head = "id,Team Name,Team Members,Submitted File,Status"
    nameless = [f'{n},,"m{n},boss",https://e/{n}.txt,finished' for n in range(2000)]
    alone = ["a,Alpha,ann,https://e/a.txt,finished", "b,Alpha,,https://e/b.txt,finished"]
    table = write(tmp_path / "table.csv", "\n".join([head, *nameless, *alone]))
    found = listed(tmp_path, table)
    assert len(entries(found)) == 2002
    assert said(found) == ["warning: The table has no column Submitted At."]


def test_rows_without_an_id_are_counted_and_left_out(tmp_path: Path) -> None:
    rows = [
        "id,Team Name,Submitted File,Submitted At,Status",
        "7,A,a.txt,,x",
        ",B,b.txt,,x",
        ",C,,,x",
    ]
    found = listed(tmp_path, write(tmp_path / "table.csv", "\n".join(rows)))
    assert list(entries(found)) == ["7"]
    assert "warning: 2 rows without an id." in said(found)


def test_two_tables_with_other_times_of_an_entry_are_told(tmp_path: Path) -> None:
    head = "id,Team Name,Submitted File,Submitted At,Status\n"
    for name, times in {
        "one": ("10:00:00Z", "11:00:00Z"),
        "two": ("10:00:00Z", "12:00:00Z"),
    }.items():
        rows = [
            f"{n},T{n},https://e/{n}.txt,2026-02-01 {at},finished\n" for n, at in enumerate(times)
        ]
        write(tmp_path / "in" / f"{name}.csv", head + "".join(rows))
    found = listed(tmp_path, tmp_path / "in")
    assert entries(found)["1"].received == datetime(2026, 2, 1, 12, tzinfo=UTC)
    assert said(found) == ["warning: 1 entry with several times in the tables: 1."]


def test_a_list_of_times_that_contradicts_the_platform_is_told(tmp_path: Path) -> None:
    table = write(tmp_path / "subs.csv", CSV)
    path = bulk(tmp_path, [ALICE, ODD])
    at = datetime(2026, 2, 11, 5, 7, 40, tzinfo=UTC)
    rules = IntakeRules(received={"alice": at, "x_PhaseId3_y": at}, received_list="times.csv")
    assert [
        one for one in said(took(tmp_path, path, rules=rules, records=[table])) if "differ" in one
    ] == [
        "warning: alice: the list of times and the platform differ by 2 h.",
        "warning: x_PhaseId3_y: the list of times and the platform differ by 18 h 52 min.",
    ]
    rules = IntakeRules(received={"alice": at}, received_list="times.csv")
    (other,) = [
        one for one in took(tmp_path, path, rules=rules).defects if "not in the" in one.found
    ]
    assert other.expected == "The platform's time is used."


def test_remarks_on_a_download_without_tables_are_placed_at_its_first_file(tmp_path: Path) -> None:
    write(tmp_path / "in" / ALICE.replace(".zip", ".txt"), "# s\na 1\n")
    found = listed(tmp_path, tmp_path / "in")
    assert found.defects == []
    (download,) = found.downloads
    download.odd_times.append("soon")
    for files, place in ((found.files, str(found.files[0].path)), ([], "")):
        (remark,) = _remarks(download, files)
        assert (remark.found, remark.place.path) == ("1 time not read, such as soon.", place)
