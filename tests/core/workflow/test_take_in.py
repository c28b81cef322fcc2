from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.collect import resolve_submissions
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.platform_entry import PlatformEntry, merged_entry
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.take_in import take_in
from support.files.platforms import bulk
from support.files.retrieval import FILES


def test_a_folder_without_files_makes_no_desk(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = take_in([tmp_path / "empty"], tmp_path / "new.jurydesk", Run())
    assert found.desk is None
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_files_for_an_open_desk_make_no_other(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("a 1\n")
    found = take_in([tmp_path / "one.txt"], None, Run())
    assert len(found.files) == 1
    assert found.desk is None


def test_tables_of_a_platform_are_joined_with_the_download_before(tmp_path: Path) -> None:
    name = "517108_alice_PhaseId7_2026-02-11_07-33_predictions.zip"
    path, table = bulk(tmp_path, [name]), tmp_path / "subs.csv"
    table.write_text(
        "Submission ID,File Name,Owner,Created When,Status,Phase\n"
        "517108,predictions.zip,alice,2026-02-11T03:07:40Z,Finished,Test\n"
    )
    (first,) = take_in([path], None, Run()).files
    (joined,) = take_in([table], None, Run(), known=[first]).files
    assert first.entry is not None
    assert joined.entry is not None
    assert (joined.path, joined.parts) == (first.path, first.parts)
    assert (first.entry.status, joined.entry.status) == ("", "Finished")
    assert take_in([table], None, Run()).files == ()
    other = tmp_path / "x.txt"
    other.write_text("a 1\n")
    assert [one.path for one in take_in([other], None, Run(), known=[first]).files] == [other]


EVALAI = (
    '"id","Team Name","Status","Submitted At","Submitted File"\n'
    '"7","north","finished","2026-02-05 05:41:47+00:00","https://x.org/m/ab.txt?sig=1"\n'
)


def test_tables_are_joined_with_the_files_of_a_reopened_desk(tmp_path: Path) -> None:
    path, forged, table = (tmp_path / name for name in ("in/ab.txt", "in/all.csv", "all (1).csv"))
    path.parent.mkdir()
    path.write_text(FILES["mine.txt"])
    (tmp_path / "relevance.txt").write_text(FILES["relevance.txt"])
    given = ("--relevance", tmp_path / "relevance.txt", "--submissions", path.parent)
    desk = tmp_path / "a.jurydesk"
    assert main([*map(str, ("score", "keyword-spotting", *given, "--desk", desk))]) == 0
    forged.write_text(EVALAI.replace("north", "forged"))
    table.write_text(EVALAI)
    with Desk.open(desk) as opened:
        known = (*load_state(opened).files, InputFile(forged))
        (joined,) = take_in([table], None, Run(), known=known).files
        assert joined.entry is not None
        assert (joined.path, joined.entry.team) == (path, "north")
        resolve_submissions(opened, [joined], Run())
        (again,) = [one for one in load_state(opened).files if one.path == path]
        assert (again.entry, again.team) == (joined.entry, "north")


def test_a_table_is_joined_with_none_of_several_files_of_one_name(tmp_path: Path) -> None:
    known = [tmp_path / folder / "in" / "ab.txt" for folder in ("one", "two")]
    for path in known:
        path.parent.mkdir(parents=True)
        path.write_text(FILES["mine.txt"])
    (tmp_path / "all.csv").write_text(EVALAI)
    found = take_in([tmp_path / "all.csv"], None, Run(), known=[*map(InputFile, known)])
    assert found.files == ()
    assert "2 files have the name ab.txt." in [one.found for one in found.defects]
    (one,) = take_in([tmp_path / "all.csv"], None, Run(), known=[InputFile(known[0])]).files
    assert one.path == known[0]


def test_what_earlier_tables_said_stays_and_later_ones_win() -> None:
    time = datetime(2026, 2, 11, 3, tzinfo=UTC)
    before = PlatformEntry("P", "7", "a", received=time, received_known="exact", server={"x": "1"})
    news = PlatformEntry("P", "7", status="Finished", received=time.replace(hour=0),
                         received_known="day", server={"y": "2"})  # fmt: skip
    merged = replace(before, status="Finished", server={"x": "1", "y": "2"})
    assert merged_entry(before, news) == merged
    assert merged_entry(before, None) == before
    other = replace(news, id="8")
    assert merged_entry(before, other) == other
