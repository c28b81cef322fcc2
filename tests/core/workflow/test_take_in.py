from __future__ import annotations

from pathlib import Path

from jurydesk.core.execution.run import Run
from jurydesk.core.workflow.take_in import take_in
from support.files.platforms import bulk


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
    before = {"downloads": [path, tmp_path / "gone.zip"], "known": {first.path}}
    (joined,) = take_in([table], None, Run(), **before).files
    assert take_in([table], None, Run(), downloads=[path]).files == ()  # the user removed it
    assert first.entry is not None
    assert joined.entry is not None
    assert (joined.path, joined.parts) == (first.path, first.parts)
    assert (first.entry.status, joined.entry.status) == ("", "Finished")
    assert take_in([table], None, Run()).files == ()
    other = tmp_path / "x.txt"
    other.write_text("a 1\n")
    assert [one.path for one in take_in([other], None, Run(), downloads=[path]).files] == [other]
