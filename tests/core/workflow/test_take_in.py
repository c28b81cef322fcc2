from __future__ import annotations

from pathlib import Path

from jurydesk.core.execution.run import Run
from jurydesk.core.workflow.take_in import take_in


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
