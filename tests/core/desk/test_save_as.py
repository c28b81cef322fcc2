"""A copy of a desk under another name, in another folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError
from support.desks.toy_desk import Scored, evaluation


class TestSaveAs:
    def test_the_copy_has_all_content_and_the_desk_stays_open(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        target = tmp_path / "copies" / "copy.jurydesk"
        target.parent.mkdir()
        scored.desk.save_as(target)
        assert list(target.parent.iterdir()) == [target]
        with Desk.open(target) as copy:
            assert copy.evaluations() == scored.desk.evaluations()
            assert copy.competition == scored.desk.competition
        assert scored.desk.path != target

    def test_the_copy_finds_the_inputs_from_its_own_folder(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        scored.desk.save_as(tmp_path / "copy.jurydesk")
        scored.desk.close()
        shutil.move(tmp_path, tmp_path.with_name(f"{tmp_path.name}-moved"))
        moved = tmp_path.with_name(f"{tmp_path.name}-moved")
        with Desk.open(moved / "copy.jurydesk") as copy:
            assert copy.inputs()[0].path == moved / "work" / "data" / "truth.txt"

    def test_an_older_file_is_replaced_with_its_journal(self, desk: Desk, tmp_path: Path) -> None:
        target = tmp_path / "old.jurydesk"
        target.write_bytes(b"something else")
        target.with_name("old.jurydesk-journal").write_bytes(b"its journal")
        desk.add(evaluation())
        desk.save_as(target)
        with Desk.open(target) as copy:
            assert len(copy.evaluations()) == 1
        assert not target.with_name("old.jurydesk-journal").exists()

    def test_saving_to_its_own_path_changes_nothing(self, desk: Desk) -> None:
        desk.save_as(desk.path)
        desk.add(evaluation())
        with Desk.open(desk.path) as again:
            assert len(again.evaluations()) == 1

    def test_a_read_only_desk_can_be_saved_elsewhere(self, scored: Scored, tmp_path: Path) -> None:
        with Desk.open(scored.desk.path, read_only=True) as looked_at:
            looked_at.save_as(tmp_path / "mine.jurydesk")
        with Desk.open(tmp_path / "mine.jurydesk") as mine:
            assert len(mine.evaluations()) == 2

    def test_a_missing_folder_is_reported_and_nothing_is_left_behind(
        self, desk: Desk, tmp_path: Path
    ) -> None:
        with pytest.raises(DeskError, match=r"^copy\.jurydesk cannot be "):
            desk.save_as(tmp_path / "nowhere" / "copy.jurydesk")
