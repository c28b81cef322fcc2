"""Downloads that are damaged, misread or large: a sentence each."""

from __future__ import annotations

import io
import json
import time
import zipfile
from pathlib import Path

import pytest

from jurydesk.core.intake.platforms import codabench, codalab, tira
from jurydesk.core.intake.platforms.download import downloads_json
from jurydesk.core.readers import unpacking_limits
from support.files.platforms import bulk, listed, zipped

ALICE = "517108_alice_PhaseId7_2026-02-11_07-33_predictions.zip"
CSV = (
    "Submission ID,File Name,Owner,Created When,Status,Phase\n"
    "517108,predictions.zip,alice,2026-02-11T03:07:40Z,Finished,Test\n"
)
EVALAI = (
    '"id","Team Name","Status","Submitted At","Submission Number","Submitted File"\n'
    '"7","t","finished","2026-02-05 05:41:47+00:00","1","https://x.org/ab.txt"\n'
)


def said(folder: Path, *given: Path, records: tuple[Path, ...] = ()) -> list[str]:
    found = listed(folder, *given, records=records)
    return [f"{one.severity}: {one.found}" for one in found.defects]


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def without_column(name: str) -> str:
    rows = [line.split(",") for line in CSV.splitlines()]
    at = rows[0].index(name)
    return "\n".join(",".join(row[:at] + row[at + 1 :]) for row in rows)


@pytest.mark.parametrize("name", ["Owner", "Created When", "Status", "Phase"])
def test_a_table_of_submissions_that_lacks_a_column_says_which(tmp_path: Path, name: str) -> None:
    table = written(tmp_path / "subs.csv", without_column(name))
    (sentence,) = said(tmp_path, bulk(tmp_path, [ALICE]), records=(table,))
    assert sentence == f"warning: The table has no column {name}."


def test_a_table_that_lacks_a_column_still_gives_the_others(tmp_path: Path) -> None:
    table = written(tmp_path / "subs.csv", without_column("Owner"))
    found = listed(tmp_path, bulk(tmp_path, [ALICE]), records=[table])
    (entry,) = found.downloads[0].entries.values()
    assert (entry.team, entry.status, entry.received_known) == ("alice", "Finished", "exact")


def test_a_record_in_which_no_table_is_recognized_is_named(tmp_path: Path) -> None:
    table = written(tmp_path / "subs.csv", "x,y\n1,2\n")
    assert said(tmp_path, bulk(tmp_path, [ALICE]), records=(table,)) == [
        "warning: No platform's table was recognized in this file."
    ]


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [("latin-1", "warning: The byte 0xFC is not UTF-8."), ("utf-16", "error: The text is UTF-16.")],
)
def test_a_table_in_another_encoding_is_told(tmp_path: Path, encoding: str, sentence: str) -> None:
    content = CSV.replace("alice", "\N{LATIN SMALL LETTER U WITH DIAERESIS}nder").encode(encoding)
    table = written(tmp_path / "subs.csv", content)
    assert sentence in said(tmp_path, bulk(tmp_path, [ALICE]), records=(table,))


def test_a_table_that_a_spreadsheet_saved_with_semicolons_is_read(tmp_path: Path) -> None:
    table = written(tmp_path / "subs.csv", CSV.replace(",", ";"))
    found = listed(tmp_path, bulk(tmp_path, [ALICE]), records=[table])
    assert found.downloads[0].entries["517108"].status == "Finished"
    assert found.defects == []


def test_results_without_the_column_of_fact_sheets_are_read(tmp_path: Path) -> None:
    table = written(tmp_path / "r.csv", "Username,T(1)-MAP\nalice-517108,0.5\nbob,0.25\n")
    found = listed(tmp_path, bulk(tmp_path, [ALICE]), records=[table])
    assert dict(found.downloads[0].entries["517108"].server) == {"T(1)-MAP": "0.5"}
    assert [one.found for one in found.defects] == ["1 user without the id of a submission: bob."]


def test_names_in_another_encoding_are_told_and_the_id_is_read(tmp_path: Path) -> None:
    name = "7_?nder_PhaseId7_2026-02-11_07-33_r.txt"
    content = zipped({name: b"a 1"}).replace(name.encode(), name.encode().replace(b"?", b"\xfc"))
    found = listed(tmp_path, written(tmp_path / "bulk.zip", content))
    assert list(found.downloads[0].entries) == ["7"]
    assert [one.found.partition(",")[0] for one in found.defects] == [
        "1 file whose names are not UTF-8"
    ]


def test_a_bomb_inside_a_submission_is_refused_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 1 << 16)
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("run.txt", bytes(1 << 20))
    other = ALICE.replace("517108", "9").replace("alice", "bob")
    members = {ALICE: content.getvalue(), other: zipped({"run.txt": b"# s\na 1\n"})}
    path = written(tmp_path / "bulk.zip", zipped(members))
    found = listed(tmp_path, path)
    assert [one.entry.team for one in found.files if one.entry] == ["bob"]
    assert [str(one).splitlines()[0] for one in found.defects] == [
        f"error  bulk.zip, {ALICE}/run.txt: It is more than 400 times its packed size."
    ]


def test_a_time_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    table = written(tmp_path / "all.csv", EVALAI.replace("2026-02-05 05:41:47+00:00", "yesterday"))
    written(tmp_path / "in" / "ab.txt", "# s\na 1\n")
    assert said(tmp_path, tmp_path / "in", records=(table,)) == [
        "warning: 1 time not read, such as yesterday."
    ]


def test_evalai_s_table_of_a_few_chosen_fields_is_recognized(tmp_path: Path) -> None:
    few = '"id","Team Name","Submitted At (mm/dd/yyyy hh:mm:ss)"\n"7","t","02/05/2026 05:41:47"\n'
    found = listed(tmp_path, written(tmp_path / "all.csv", few))
    (entry,) = found.downloads[0].entries.values()
    assert (found.downloads[0].platform, entry.team, entry.time_text) == (
        "EvalAI",
        "t",
        "2026-02-05T05:41:47+00:00",
    )


def test_a_user_and_a_team_of_one_name_are_told(tmp_path: Path) -> None:
    members = {
        "Team Blue  - 3 submission.zip": zipped({"run.txt": b"# s\na 1\n"}),
        "Blue - 1 submission.zip": zipped({"run.txt": b"# s\na 2\n"}),
    }
    path = written(tmp_path / "board.zip", zipped(members))
    assert said(tmp_path, path) == ["warning: A user and a team have the name Blue."]


def test_ten_thousand_submissions_are_read(tmp_path: Path) -> None:
    names = [f"{n}_team{n % 3000}_PhaseId1_2026-02-11_07-33_a.txt" for n in range(10_000)]
    path = written(tmp_path / "bulk.zip", zipped(dict.fromkeys(names, b"# s\na 1\n")))
    found = listed(tmp_path, path)
    assert len(found.downloads[0].entries) == len(found.files) == 10_000
    assert [one.found for one in found.defects] == [
        "2,990 teams more with several entries in a phase."
    ]


def limited(work):
    """Return the outcome of some work, which may take five seconds of processor time."""
    before = time.process_time()
    outcome = work()
    assert time.process_time() - before < 5
    return outcome


@pytest.mark.parametrize("number", ["²", "٣٤", "9" * 5000, "-1", "1_0"])
def test_odd_numbers_of_tables_are_no_numbers_and_end_nothing(tmp_path: Path, number: str) -> None:
    tables = {
        "codabench.csv": "Submission ID,File Name,Owner,Created When,Status,Phase\n"
        f"{number},a.zip,ann,2026-01-01,Finished,Test\n12,b.zip,ben,2026-01-01,Finished,Test\n",
        "kaggle.csv": "Rank,TeamId,TeamName,SubmissionCount,Score\n"
        f"{number},{number},Ann,{number},1\n",
        "evalai.csv": "id,Team Name,Submitted At,Submitted File,Submission Number,Status\n"
        f"{number},Ann,2026-01-01,a.zip,{number},finished\n",
        "grand.csv": "pk,submission,outputs,status,created,rank\n"
        f'p1,"{{""pk"": ""s""}}",[],Succeeded,2026-01-01,{number}\n',
    }
    for name, text in tables.items():
        folder = tmp_path / name
        path = written(folder / name, text)
        found = listed(folder / "store", path)
        ids = [one["id"] for one in downloads_json(found.downloads, ())["submissions"]]
        assert len(found.downloads) == 1
        assert ids == ([12] if name == "codabench.csv" else ["p1" if "grand" in name else number])


@pytest.mark.parametrize(
    ("search", "text"),
    [
        (tira._FIELD.finditer, "\n" * 100_000),
        (tira._FIELD.finditer, "a " * 50_000),
        (tira._MEASURE.finditer, "key " * 50_000),
        (tira._MEASURE.finditer, 'key:"\\' * 50_000),
        (codabench._FAILED.fullmatch, " (a" * 50_000),
        (codabench._ROW.fullmatch, "-1" * 50_000 + "x"),
        (codabench.NAME.fullmatch, "1_" + "a_PhaseId1_" * 20_000),
    ],
)
def test_no_pattern_takes_longer_than_its_text(search, text: str) -> None:
    assert limited(lambda: [*(search(text) or ())]) == []


def test_scores_and_titles_of_any_length_are_read_at_once(tmp_path: Path) -> None:
    scores = f"{' ' * 50_000}\na{' ' * 40_000}\n AP : 0.5 \nodd: 1 2\n: 3\nurl:x:y\n"
    written(tmp_path / "c" / "Team Ann - 1 submission" / "a.txt", "x")
    written(tmp_path / "c" / "Team Ann - 1 output" / "scores.txt", scores)
    found = limited(lambda: listed(tmp_path / "store", tmp_path / "c"))
    (entry,) = found.downloads[0].entries.values()
    assert entry.full == {"AP": "0.5", "url": "x:y"}
    board = written(tmp_path / "board.json", json.dumps({" - " * 30_000: {}}))
    again = limited(lambda: listed(tmp_path / "other", board))
    assert again.downloads == ()


@pytest.mark.parametrize("score", ["9e999999", "nan", "inf", "1e-999999999999", "x"])
def test_numbers_beyond_all_decimals_agree_with_none(score: str) -> None:
    assert not codalab._rounds_to(score, "-9e999999")


@pytest.mark.parametrize(
    ("score", "number", "agrees"),
    [
        ("0.125", "0.12", True),
        ("0.125", "0.13", True),
        ("0.5", "0.50", True),
        ("0.126", "0.12", False),
        ("0.50", "0.49", False),
        ("0.5", "1", True),
        ("7", "8", False),
    ],
)
def test_a_number_of_a_board_is_a_score_rounded_to_its_decimals(score, number, agrees) -> None:
    assert codalab._rounds_to(score, number) is agrees


def test_the_lists_of_a_board_s_archive_are_records_and_deeper_ones_are_a_participant_s(
    tmp_path: Path,
) -> None:
    names = ("team_names_and_members.txt", "detailed_results.html")
    members = {"Team Ann - 1 submission.zip": zipped({"run.txt": b"# s\na 1\n"})}
    lists = {name: b"x" for one in names for name in (one, f"a/{one}")}
    (tmp_path / "given").mkdir()
    written(tmp_path / "given" / "board.zip", zipped(members | lists))
    found = listed(tmp_path / "store", tmp_path / "given")
    assert sorted("/".join(one.parts[-2:]) for one in found.files) == [
        "Team Ann - 1 submission/run.txt",
        "a/detailed_results.html",
        "a/team_names_and_members.txt",
    ]


def test_a_list_of_failures_without_end_is_read_to_a_limit(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(codabench, "MAX_FAILURES", 60)
    name = "7_ann_PhaseId3_2026-01-02 10-11_a.zip"
    text = f"{codabench.FAILED_HEADING}\nxxxxxxxxxx (gone)\n{name} (gone)\n"
    written(tmp_path / "bulk" / "failed.txt", text)
    written(tmp_path / "bulk" / name, "x")
    found = listed(tmp_path / "store", tmp_path / "bulk")
    assert found.downloads[0].missing == ["xxxxxxxxxx (gon"]


def test_a_participant_s_table_does_not_hide_the_host_s_after_it(tmp_path: Path) -> None:
    own = written(tmp_path / "a.csv", EVALAI.replace('"id",', "").replace('"7",', ""))
    host = written(tmp_path / "b.csv", EVALAI)
    found = listed(tmp_path / "store", own, host)
    assert list(found.downloads[0].entries) == ["7"]
    assert "This is a participant's own table" in found.defects[0].found


def test_kaggle_s_board_without_scores_says_so(tmp_path: Path) -> None:
    board = written(tmp_path / "board.csv", "Rank,TeamId,TeamName\n1,7,Ann\n")
    assert "warning: The table has no column Score." in said(tmp_path, board)


def test_a_table_of_results_deep_in_an_archive_is_a_participant_s_own(tmp_path: Path) -> None:
    table = b"Username,Score\nann-7,1\n"
    written(tmp_path / "given" / "x.zip", zipped({"results.csv": table}))
    assert listed(tmp_path / "store", tmp_path / "given").downloads
    written(tmp_path / "other" / "x.zip", zipped({"mine/results.csv": table}))
    assert not listed(tmp_path / "store2", tmp_path / "other").downloads
