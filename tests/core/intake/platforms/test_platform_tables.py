"""Tables of platforms row by row: what is joined, exactly how near, and what is not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.intake.platforms.codabench import read_codabench
from jurydesk.core.intake.platforms.codalab import read_codalab
from jurydesk.core.intake.platforms.evalai import read_evalai
from jurydesk.core.intake.platforms.grand_challenge import read_grand_challenge
from jurydesk.core.intake.platforms.kaggle import read_kaggle
from jurydesk.core.intake.platforms.records import (
    DownloadFiles,
    last_part,
    number_leaves,
    read_json,
    utc_time,
    without_copy_number,
)
from jurydesk.core.intake.platforms.tira import read_tira

TOP = ("home", "given")


def files(folder: Path, contents: dict[str, object], archives: tuple[str, ...] = ()):
    """Return files below one given folder as a download."""
    places = {}
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        places[*TOP, *name.split("/")] = path
    inner = frozenset((*TOP, *name.split("/")) for name in archives)
    return DownloadFiles.of(places, inner, frozenset((TOP,)))


def said(found) -> list[tuple[str, str, int]]:
    return [(Path(one.place.path).name, one.found, one.count) for one in found.defects]


def at(day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, second, tzinfo=UTC)


class TestCodaLab:
    def read(self, folder, names, **tables):
        contents = {f"{name}/run.txt": "x" for name in names}
        contents |= {f"{name}.csv": text for name, text in tables.items()}
        return read_codalab(files(folder, contents))

    def test_a_user_s_row_is_taken_before_one_of_the_same_numbers(self, tmp_path):
        board = "submission_pk,User,b'AP'\n41,ann,0.5 (1)\n42,bob,0.5 (1)\n43,eve,0.1 (3)\n"
        names = ["ann - 1 submission", "Team B  - 2 submission"]
        contents = {f"{name}/run.txt": "x" for name in names} | {"board.csv": board}
        contents["Team B  - 2 output/a/scores.txt"] = "ap: 0.49\nnote: 1\n"
        contents["Team B  - 2 output/log.txt"] = "log"
        found = read_codalab(files(tmp_path, contents))
        assert list(found.entries) == ["43", "42", "41"]
        ann, bob, eve = (found.entries[key] for key in ("41", "42", "43"))
        assert (ann.team, ann.details, ann.server) == (
            "ann",
            {"number": 1, "user": "ann"},
            {"AP": "0.5"},
        )
        assert (bob.team, bob.details) == ("B", {"number": 2, "user": "bob"})
        assert (bob.server, bob.full) == ({"AP": "0.5"}, {"ap": "0.49", "note": "1"})
        assert (eve.team, eve.details["id"], eve.file) == ("eve", "43", "")
        assert set(found.places.items()) == {
            ((*TOP, names[0]), "41"),
            ((*TOP, names[1]), "42"),
        }
        kept = {path.name for path in found.records}
        assert kept == {"board.csv", "scores.txt", "log.txt"}
        assert said(found) == []

    def test_numbers_that_two_users_have_decide_nothing(self, tmp_path):
        board = "submission_pk,User,b'AP'\n41,ann,0.5 (1)\n42,bob,0.5 (1)\n"
        contents = {f"Team {name}  - {name} submission/r": "x" for name in "12"}
        contents |= {f"Team {name}  - {name} output/scores.txt": "ap: 0.5\n" for name in "12"}
        found = read_codalab(files(tmp_path, {**contents, "board.csv": board}))
        text = "2 entries of the archive not found in the board by user or numbers."
        assert said(found) == [("board.csv", text, 2)]
        assert list(found.entries) == ["Team 1  - 1", "Team 2  - 2", "41", "42"]

    def test_the_table_of_all_entries_has_literals_and_a_line_above(self, tmp_path):
        table = (
            "b'Phase',x\nignored,1\n"
            "b'User',b\"A'P\",Date,b'bad\\xff',b'no\\',Is on leaderboard?\n"
            "ann,1 (1),2026-03-01 10:00:00,0.25 (9),7,x\nshort,1 (1)\n"
        ).replace("b'User'", "User")
        found = self.read(tmp_path, ["ann - 1 submission"], all=table)
        (entry,) = found.entries.values()
        assert entry.server == {"A'P": "1", "bad\ufffd": "0.25"}
        assert (entry.received, entry.received_known) == (at(1, 10), "exact")
        assert entry.details["user"] == "ann"

    def test_a_user_and_a_team_of_one_name_are_told_apart(self, tmp_path):
        names = ["ann - 1 submission", "Team ann  - 2 submission", "Team ann  - 3 submission.zip"]
        found = self.read(tmp_path, [*names, "Team bob  - 4 submission"])
        assert said(found) == [(names[1], "A user and a team have the name ann.", 1)]
        owners = {key: one.owner for key, one in found.entries.items()}
        assert owners == {
            "ann - 1": "",
            "Team ann  - 2": "Team ann",
            "Team ann  - 3": "Team ann",
            "Team bob  - 4": "",
        }

    def test_what_lies_in_a_submission_is_a_participant_s(self, tmp_path):
        found = self.read(tmp_path, ["ann - 1 submission/bob - 2 submission"])
        assert list(found.entries) == ["ann - 1"]
        assert self.read(tmp_path, ["ann - 1 profile.txt", "other"]) is None

    def test_scores_beyond_the_limit_of_their_file_are_not_read(self, tmp_path, monkeypatch):
        monkeypatch.setattr("jurydesk.core.intake.platforms.codalab.MAX_SCORES", 9)
        contents = {"ann - 1 submission/r": "x", "ann - 1 output/scores.txt": "ap: 0.5\np: 1\n"}
        found = read_codalab(files(tmp_path, contents))
        assert found.entries["ann - 1"].full == {"ap": "0.5"}

    def test_a_row_without_an_id_is_an_entry_of_its_user(self, tmp_path):
        found = self.read(tmp_path, [], board="submission_pk,User,b'AP'\n,ann,0.5 (1)\n")
        (entry,) = found.entries.values()
        assert (entry.id, entry.team, entry.details) == ("ann", "ann", {"id": "ann", "user": "ann"})


class TestCodabench:
    HEAD = "Owner,Created When,Status\n"

    def read(self, folder, names, **tables):
        contents = dict.fromkeys(names, "x")
        contents |= {f"{name}.csv": text for name, text in tables.items()}
        return read_codabench(files(folder, contents))

    @pytest.mark.parametrize(
        ("created", "joined"),
        [
            ("2026-03-01 10:07:33", True),
            ("2026-03-01 22:22:33", True),
            ("2026-03-01 10:22:34", False),
            ("2026-03-01 10:07:32", False),
            ("2026-03-02 10:07:33", True),
            ("2026-03-03 10:07:33", False),
            ("2026-02-28 10:07:33", False),
            ("no time", False),
        ],
    )
    def test_a_row_without_an_id_is_joined_within_a_quarter_of_an_hour(
        self, tmp_path, created, joined
    ):
        name = "7_ann_PhaseId3_2026-03-01_07-33_run.txt"
        table = f"{self.HEAD}bob,2026-03-01 10:07:33,Bad\nann,{created},Good\n"
        found = self.read(tmp_path, [name], table=table)
        assert found.entries["7"].status == ("Good" if joined else "")
        text = f"The table has no ids: {int(joined)} row{'s' * (not joined)} joined by owner, day"
        assert [one for _, one, _ in said(found)][-1] == f"{text} and minute."

    def test_the_nearest_row_is_joined_once_in_the_order_of_ids(self, tmp_path):
        names = [f"{key}_ann_PhaseId3_2026-03-01_07-33_run.txt" for key in (10, 9)]
        rows = ["ann,2026-03-01 10:09:00,Late", "ann,2026-03-01 10:07:40,Near"]
        found = self.read(tmp_path, names, table=self.HEAD + "\n".join(rows))
        assert [found.entries[key].status for key in ("9", "10")] == ["Near", "Late"]

    def test_rows_of_tasks_follow_their_submission(self, tmp_path):
        head = "Submission ID,File Name,Owner,Created When,Status,Phase\n"
        rows = ["7,a,ann,2026-03-01,Done,P", "8,a,ann,2026-03-02,Task,P", "9,b,ann,,Own,P"]
        table = head + "\n".join([rows[2], rows[1], rows[0], "x,b,ann,,Bad,P"])
        found = self.read(tmp_path, ["7_ann_PhaseId3_2026-03-01_07-33_run.txt"], table=table)
        assert {key: one.status for key, one in found.entries.items()} == {"7": "Done", "9": "Own"}
        assert found.entries["7"].received_known == "exact"
        alone = self.read(tmp_path / "alone", [], table=table)
        assert list(alone.entries) == ["7", "8", "9"]
        assert said(alone) == []

    def test_a_deleted_file_is_known_as_such(self, tmp_path):
        head = "Submission ID,File Name,Owner,Created When,Status,Phase\n"
        found = self.read(
            tmp_path, [], table=f"{head}7,Deleted File,ann,,Done,P\n8,a,ann,,Done,P\n"
        )
        assert [one.details for one in found.entries.values()] == [{"deleted": True}, {}]

    def test_boards_name_phases_and_their_users_ids(self, tmp_path):
        names = ["7_ann_PhaseId3_2026-03-01_07-33_a.txt", "8_ann_PhaseId4_2026-03-01_07-33_a.txt"]
        boards = {
            "Board - Last(3) (1)": "Username,MAP,P\nann-7,0.5, \nann,0.1,1\n",
            "other": "Username,fact_sheet_answers,MAP\nbob-9,{},0.25\n",
        }
        found = self.read(tmp_path, names, **boards)
        seven, eight, nine = (found.entries[key] for key in "789")
        assert (seven.server, seven.phase, seven.phase_id) == ({"MAP": "0.5"}, "Last", "3")
        assert (eight.phase, eight.phase_id, eight.server) == ("", "4", {})
        assert (nine.team, nine.server, nine.phase) == ("bob", {"MAP": "0.25"}, "")
        text = "1 user without the id of a submission: ann."
        assert said(found) == [("Board - Last(3) (1).csv", text, 1)]

    def test_a_column_of_fact_sheets_is_left_out_beside_the_users_alone(self, tmp_path):
        board = "Username,MAP,fact_sheet_answers\nann-7,0.5,{}\n"
        found = self.read(tmp_path, [], board=board)
        assert found.entries["7"].server == {"MAP": "0.5", "fact_sheet_answers": "{}"}

    def test_results_that_could_not_be_unpacked_are_told_by_name(self, tmp_path):
        name = "res_7_ann_PhaseId3_2026-03-01_07-33_a.zip"
        own = "8_ann_PhaseId3_2026-03-01_07-33_a.txt"
        found = read_codabench(files(tmp_path, {own: "x"}, (name,)))
        (one,) = found.defects
        assert (one.place.path, one.count) == (name, 1)

    def test_a_list_of_names_is_a_record_if_all_are_names_of_submissions(self, tmp_path):
        name = "7_ann_PhaseId3_2026-03-01_07-33_a.txt"
        listing = [{"name": name}, {"name": name.replace("7_", "8_", 1)}]
        found = read_codabench(files(tmp_path / "a", {"list.json": listing}))
        assert list(found.entries) == ["7", "8"]
        for other in ([*listing, {"name": "x"}], [], [{"name": 3}], {"name": name}):
            assert read_codabench(files(tmp_path / "b", {"list.json": other})) is None

    @pytest.mark.parametrize(
        ("head", "is_table"),
        [
            ("Submission ID,File Name,Status,Phase", True),
            ("File Name,Status,Phase", False),
            ("Owner,Created When", True),
            ("Submission ID,File Name,Status,Phase,Team Name", False),
        ],
    )
    def test_four_titles_make_a_table_of_submissions(self, tmp_path, head, is_table):
        row = ",".join("1" for _ in head.split(","))
        found = self.read(tmp_path, [], table=f"{head}\n{row}\n")
        assert (found is not None) is is_table

    def test_results_are_named_from_what_was_given_on(self, tmp_path):
        names = [f"{kind}7_ann_PhaseId3_2026-03-01_07-33_a.zip" for kind in ("res_", "pred_")]
        given = files(tmp_path, {f"{name}/x.txt": "x" for name in names})
        found = read_codabench(given)
        shown = ", ".join(sorted(f"given/{name}" for name in names))
        (one,) = found.defects
        assert (one.found, one.count) == (f"2 files of results, not of submissions: {shown}.", 2)
        assert {path.name for path in found.records} == {"x.txt"}


class TestGrandChallenge:
    @staticmethod
    def row(key, created, submission="s", value=1):
        cells = (key, json.dumps({"pk": submission}), "[]", "Done", created, "1")
        return ",".join('"' + str(cell).replace('"', '""') + '"' for cell in cells)

    def test_of_evaluations_at_one_time_the_first_counts(self, tmp_path):
        rows = [self.row("e1", "2026-03-02"), self.row("e2", "2026-03-02")]
        head = "pk,submission,outputs,status,created,rank"
        found = read_grand_challenge(files(tmp_path, {"e.csv": "\n".join([head, *rows])}))
        assert list(found.entries) == ["e1"]
        rows += [self.row("e3", "2026-03-03"), self.row("e4", "2026-03-01")]
        found = read_grand_challenge(files(tmp_path, {"e.csv": "\n".join([head, *rows])}))
        assert list(found.entries) == ["e3"]
        assert said(found) == [("e.csv", "3 submissions evaluated again.", 3)]

    def test_jobs_are_read_beside_their_folders_alone(self, tmp_path):
        job = [{"pk": "j", "inputs": None, "outputs": [
            {"interface": {"relative_path": "o.json"}, "file": "u"}]}]  # fmt: skip
        found = read_grand_challenge(
            files(
                tmp_path,
                {
                    "a/b/jobs.JSON": job,
                    "a/b/j/output/o.json": {},
                    "a/b/c/d.json": job,
                    "a/e.json": job,
                    "a/b/j/f.json": job,
                },
            )
        )
        assert found.jobs == [["j", "", "j/output/o.json"]]
        assert {one.name for one in found.records} == {"jobs.JSON", "o.json"}
        assert read_grand_challenge(files(tmp_path / "x", {"a/b/jobs.json": job})) is None
        empty = {"list.json": [], "one.json": [{"pk": 1}], "two.json": [1]}
        assert read_grand_challenge(files(tmp_path / "y", empty)) is None

    def test_a_submission_s_file_is_no_record_although_its_table_names_it(self, tmp_path):
        cells = {"pk": "s", "predictions_file": "https://h/jobs.json"}
        quoted = json.dumps(cells).replace('"', '""')
        table = f'pk,submission,outputs,status,created,rank\ne,"{quoted}",[],Done,1,1\n'
        job = [{"pk": "j", "inputs": [], "outputs": []}]
        contents = {"e.csv": table, "s/jobs.json": job}
        found = read_grand_challenge(files(tmp_path, contents))
        assert found.places == {(*TOP, "s", "jobs.json"): "e"}
        assert {one.name for one in found.records} == {"e.csv"}


class TestKaggle:
    HEAD = "TeamId,TeamName,Score,SubmissionDate\n"

    def test_a_file_is_of_the_team_whose_id_or_only_name_it_has(self, tmp_path):
        board = f"{self.HEAD}7,Ann,1,2026-03-01\n8,Ben,,\n9,Ben,2,\n"
        names = ["Ann.csv", "8/run.csv", "Ben.csv", "deep/9/x.csv", "7.x.csv", "8"]
        found = read_kaggle(files(tmp_path, {"b.csv": board} | dict.fromkeys(names[:1], "x")))
        assert found.places == {(*TOP, "Ann.csv"): "7"}
        found = read_kaggle(files(tmp_path, {"b.csv": board} | dict.fromkeys(names[1:5], "x")))
        assert found.places == {
            (*TOP, "8", "run.csv"): "8",
            (*TOP, "deep", "9", "x.csv"): "9",
        }
        assert found.entries["7"].received == at(1)
        assert [found.entries[key].owner for key in "789"] == ["", "8", "9"]

    def test_a_solution_has_usages_alone(self, tmp_path):
        contents = {"b.csv": f"{self.HEAD}7,Ann,1,\n", "s.csv": "id,Usage\n1,Public\n2,Ignored\n"}
        (text,) = [one for _, one, _ in said(read_kaggle(files(tmp_path, contents)))]
        assert text == "The solution has rows by usage: Ignored 1, Public 1."
        contents["s.csv"] += "3,other\n"
        assert said(read_kaggle(files(tmp_path, contents))) == []

    def test_a_team_with_several_rows_is_one(self, tmp_path):
        board = f"{self.HEAD}7,Ann,1,\n7,Ann,2,\n"
        found = read_kaggle(files(tmp_path, {"b.csv": board}))
        assert said(found) == []
        assert found.entries["7"].server == {"Score": "2"}


class TestEvalAI:
    @pytest.mark.parametrize(
        ("head", "is_table"),
        [
            ("id,Submitted File,Submitted At", True),
            ("id,Submitted File,Status", True),
            ("id,Submitted File,Team Name", True),
            ("id,Submitted File,x", False),
            ("id,Team Name,Status", False),
            ("x,Submitted File,Status", True),
            ("x,Submitted At,Status,Team Name", True),
            ("x,Submitted At,Status", False),
            ("x,Team Name,Status", False),
        ],
    )
    def test_titles_tell_a_table(self, tmp_path, head, is_table):
        row = ",".join("1" for _ in head.split(","))
        assert (read_evalai(files(tmp_path, {"a.csv": f"{head}\n{row}\n"})) is not None) is is_table

    def test_a_name_that_several_files_have_is_joined_with_none(self, tmp_path):
        table = "id,Submitted File,Submitted At,Submission Number,Created By,Team Name\n"
        table += "7,https://h/r.txt?x=1,,2,u,T\n8,https://h/s.txt,,x,,T\n"
        contents = {"a/r.txt": "x", "b/r.txt": "x", "a/s (1).txt": "x", "a/deep/s.txt": "x"}
        found = read_evalai(files(tmp_path, {"t.csv": table, **contents}))
        assert said(found) == [("t.csv", "2 files have the name r.txt.", 1)]
        assert found.places == {(*TOP, "a", "deep", "s.txt"): "8"}
        assert [one.details for one in found.entries.values()] == [{"user": "u", "number": 2}, {}]
        contents = {"r.txt": "x", "a/r.txt": "x", "s.txt": "x"}
        found = read_evalai(files(tmp_path / "o", {"t.csv": table, **contents}))
        assert found.places == {(*TOP, "r.txt"): "7", (*TOP, "s.txt"): "8"}

    def test_teams_of_one_name_are_apart_until_a_row_has_members_of_both(self, tmp_path):
        def owners(*members):
            rows = [f'{k},T,"{some}",2026-03-01\n' for k, some in enumerate(members)]
            table = "id,Team Name,Team Members,Submitted At\n" + "".join(rows)
            found = read_evalai(files(tmp_path, {"t.csv": table}))
            return [one.owner for one in found.entries.values()]

        assert owners("b, a", "c", "d,c,") == ["a", "c", "c"]
        assert owners("b, a", "c", "d", "d, b") == ["a", "c", "a", "a"]
        assert owners("c,d,e", "a,b", "b,c") == ["", "", ""]
        assert owners("c,d,e", "a,b", "b,c", "x") == ["a", "a", "a", "x"]
        assert owners("x", "", "y") == ["x", "", "y"]


class TestTira:
    RUNS = ("2026-03-01-10-00-00", "2026-03-02-10-00-00")

    def test_an_evaluation_of_a_run_that_is_not_there_is_no_entry(self, tmp_path):
        first, second = self.RUNS
        contents = {
            f"d/ann/{second}/run.prototext": f'inputRun: "{first}"\n',
            f"d/ann/{second}/output/evaluation.prototext": 'key: "F" value: "1"',
        }
        found = read_tira(files(tmp_path, contents))
        assert found.entries == {}
        contents[f"d/ann/{first}/run.prototext"] = 'inputDataset: "d"\n'
        found = read_tira(files(tmp_path, contents))
        assert found.entries[first].server == {"F": "1"}
        assert (found.entries[first].file, found.places) == ("", {})

    @pytest.mark.parametrize(
        ("folder", "data", "team", "file"),
        [
            ("d/ann", "d", "ann", "d/ann/"),
            ("runs/d/ann", "d", "ann", "runs/d/ann/"),
            ("x/d/ann", "d", "ann", "d/ann/"),
            ("d/ann", "e", "", ""),
            ("ann", "d", "", ""),
        ],
    )
    def test_the_team_is_the_folder_below_that_of_the_data(
        self, tmp_path, folder, data, team, file
    ):
        run = self.RUNS[0]
        contents = {
            f"{folder}/{run}/run.prototext": f'  inputDataset : "{data}"\nsoftwareId: s\n',
            f"{folder}/{run}/output/b.txt": "x",
            f"{folder}/{run}/output/a.txt": "x",
            f"{folder}/{run}/output": "x",
        }
        del contents[f"{folder}/{run}/output"]
        entry = read_tira(files(tmp_path, contents)).entries[run]
        assert (entry.team, entry.file) == (team, f"{file}{run}/output/a.txt")
        assert (entry.received, entry.received_known) == (at(1, 10), "exact")
        details = {"dataset": data, "deleted": False, "software": "s"}
        assert entry.details == details

    def test_the_archive_of_one_run_has_no_team(self, tmp_path):
        run = self.RUNS[0]
        contents = {
            f"d/ann.zip/{run}/run.prototext": 'inputDataset: "d"\n',
            f"d/ann.zip/{run}/output/a.txt": "x",
        }
        entry = read_tira(files(tmp_path, contents, ("d/ann.zip",))).entries[run]
        assert (entry.team, entry.file) == ("", f"{run}/output/a.txt")
        entry = read_tira(files(tmp_path, contents, ("d",))).entries[run]
        assert entry.team == "ann.zip"

    def test_an_impossible_time_is_none_and_a_run_in_a_run_is_a_participant_s(self, tmp_path):
        odd = "2026-13-01-10-00-00"
        contents = {
            f"d/ann/{odd}/run.prototext": "deleted: false\n",
            f"d/ann/{odd}/output/{self.RUNS[0]}/run.prototext": "deleted: true\n",
        }
        found = read_tira(files(tmp_path, contents))
        assert list(found.entries) == [odd]
        assert (found.entries[odd].received, found.entries[odd].received_known) == (None, "")


def test_numbers_of_nested_values_have_joined_names_to_the_eighth_level():
    def leaves(value):
        return dict(number_leaves(read_json(json.dumps(value))))

    assert leaves({"a": {"b": 1.50}, "c": [2], "d": [3, 4], "e": "5", "f": True, "g": None}) == {
        "a.b": "1.5",
        "c": "2",
        "d.0": "3",
        "d.1": "4",
    }
    assert leaves([1]) == {"": "1"}
    assert leaves([1, [2, 3]]) == {"0": "1", "1.0": "2", "1.1": "3"}
    for levels, count in ((8, 1), (9, 0)):
        inner_list, inner = 1, 1
        for _ in range(levels):
            inner_list, inner = [inner_list], {"a": inner}
        assert [len(leaves(inner_list)), len(leaves(inner))] == [count, count]
    assert len(leaves([1] * 1001)) == 1000


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("03/04/2026 10:11:12", datetime(2026, 3, 4, 10, 11, 12, tzinfo=UTC)),
        (" 2026-03-04T10:11:12Z ", datetime(2026, 3, 4, 10, 11, 12, tzinfo=UTC)),
        ("2026-03-04 10:11:12+02:00", datetime(2026, 3, 4, 8, 11, 12, tzinfo=UTC)),
        ("13/04/2026 10:11:12", None),
        ("", None),
        ("soon", None),
    ],
)
def test_times_of_platforms_are_in_utc(text, time):
    assert utc_time(text) == time


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("a (1).csv", "a.csv"),
        ("a (12).tar.gz", "a.tar.gz"),
        ("a (1234).csv", "a (1234).csv"),
        ("a(1).csv", "a(1).csv"),
        ("a (1)", "a"),
        ("a (1) b.csv", "a (1) b.csv"),
    ],
)
def test_the_number_of_a_second_download_is_no_part_of_a_name(name, plain):
    assert without_copy_number(name) == plain


@pytest.mark.parametrize(
    "address", ["https://h/a/r.txt", " https://h/r.txt?x=/y ", "https://h/r.txt/#z", "r.txt"]
)
def test_the_last_part_of_an_address_has_no_query(address):
    assert last_part(address) == "r.txt"


def test_places_are_known_from_what_was_given_on(tmp_path):
    found = files(tmp_path, {"a/b/c.txt": "x", "d.txt": "x"}, ("a", "a/b"))
    assert list(found.names()) == [
        (TOP, "given"),
        ((*TOP, "a"), "a"),
        ((*TOP, "d.txt"), "d.txt"),
        ((*TOP, "a", "b"), "b"),
        ((*TOP, "a", "b", "c.txt"), "c.txt"),
    ]
    assert found.local((*TOP, "a")) == ("given", "a")
    assert found.local(("elsewhere", "a")) == ("elsewhere", "a")
    assert found.members_of(TOP) == {"a", "d.txt"}
    assert found.members_of((*TOP, "a")) == {"b"}
    assert found.members_of((*TOP, "d.txt")) == frozenset()
    assert found.below((*TOP, "a")) == [(*TOP, "a", "b", "c.txt")]
    assert found.below((*TOP, "d.txt")) == [(*TOP, "d.txt")]
    outer = {
        name: found.is_outer((*TOP, *name.split("/")))
        for name in ("d.txt", "a/x", "a/b/c.txt", "b/x", "b/y/x")
    }
    assert outer == {"d.txt": True, "a/x": True, "a/b/c.txt": False, "b/x": False, "b/y/x": False}
