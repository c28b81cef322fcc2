"""Input files of a desk: their states, and the names of systems."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Cancelled, Run
from jurydesk.core.model.evaluation import Evaluation, Source
from support import toy
from support.desks.toy_desk import Scored


class TestInputs:
    def test_inputs_are_current_after_scoring(self, scored: Scored) -> None:
        assert scored.states() == ["current"] * 3
        assert [entry.source for entry in scored.desk.inputs()] == list(scored.result.sources)
        assert scored.stale() == [False, False]

    def test_a_changed_submission_makes_its_own_result_stale(self, scored: Scored) -> None:
        toy.write(scored.inputs["guesses"][1], {"i0": 0.25})
        assert scored.states() == ["current", "current", "changed"]
        assert scored.stale() == [False, True]

    def test_changed_references_make_every_result_stale(self, scored: Scored) -> None:
        toy.write(scored.inputs["truth"][0], {"i0": 0.25})
        assert scored.states() == ["changed", "current", "current"]
        assert scored.stale() == [True, True]

    def test_a_change_that_keeps_the_size_is_detected(self, scored: Scored) -> None:
        file = scored.inputs["truth"][0]
        content = file.read_bytes()
        file.write_bytes(content[:-2] + b"7\n")
        os.utime(file, ns=(0, 10**18))
        assert scored.states()[0] == "changed"

    def test_touching_a_file_makes_nothing_stale(self, scored: Scored) -> None:
        os.utime(scored.inputs["truth"][0], ns=(0, 10**18))
        assert scored.states() == ["current"] * 3

    def test_a_missing_input_is_reported_and_makes_nothing_stale(self, scored: Scored) -> None:
        scored.inputs["truth"][0].unlink()
        assert scored.states() == ["missing", "current", "current"]
        assert scored.stale() == [False, False]

    def test_other_references_make_results_stale(self, scored: Scored, tmp_path: Path) -> None:
        other = Source("truth", str(tmp_path / "other.txt"), 1, "00" * 32)
        scored.desk.merge_inputs([other, *scored.result.sources[1:]], "guesses")
        assert scored.stale() == [True, True]

    def test_another_option_makes_results_stale_but_another_profile_does_not(
        self, scored: Scored
    ) -> None:
        scored.desk.set_competition("toy", "Toy", {"profile": "corrected", "missing": "skip"})
        assert scored.stale() == [False, False]
        scored.desk.set_competition("toy", "Toy", {"profile": "published", "missing": "zero"})
        assert scored.stale() == [True, True]

    def test_the_whole_folder_can_be_moved(self, scored: Scored, tmp_path: Path) -> None:
        scored.desk.close()
        shutil.move(tmp_path / "work", tmp_path / "elsewhere")
        with Desk.open(tmp_path / "elsewhere" / "toy.jurydesk") as desk:
            found = desk.inputs()
            assert [entry.state for entry in found] == ["current"] * 3
            assert found[0].path == tmp_path / "elsewhere" / "data" / "truth.txt"
            assert not any(one.stale for one in desk.evaluations())

    def test_a_moved_desk_finds_its_inputs_in_their_original_folder(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        (tmp_path / "apart").mkdir()
        moved = tmp_path / "apart" / "toy.jurydesk"
        shutil.copy(scored.desk.path, moved)
        with Desk.open(moved) as desk:
            assert [entry.path for entry in desk.inputs()] == [
                Path(source.path) for source in scored.result.sources
            ]

    def test_a_desk_opens_without_its_inputs(self, scored: Scored, tmp_path: Path) -> None:
        scored.desk.close()
        moved = tmp_path / "toy.jurydesk"
        shutil.copy(scored.desk.path, moved)
        shutil.rmtree(tmp_path / "work")
        with Desk.open(moved, read_only=True) as desk:
            assert {entry.state for entry in desk.inputs()} == {"missing"}
            assert [one.stale for one in desk.evaluations()] == [False, False]
            back = desk.load(desk.evaluations()[0].id, toy.Guess.from_json)
            assert back.items.show(3) == toy.Guess(0.3, 0.3)

    def test_a_folder_of_pictures_is_current_while_it_exists(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        (tmp_path / "images").mkdir()
        images = Source("images", str(tmp_path / "images"), 0, "")
        scored.desk.merge_inputs([*scored.result.sources, images], "guesses")
        assert scored.states() == ["current"] * 4
        assert scored.stale() == [False, False]
        (tmp_path / "images").rmdir()
        assert scored.states()[3] == "missing"

    def test_a_long_hash_can_be_stopped(self, scored: Scored) -> None:
        os.utime(scored.inputs["truth"][0], ns=(0, 10**18))
        run = Run()
        run.cancel.cancel()
        with pytest.raises(Cancelled):
            scored.desk.inputs(run.check)


class TestNames:
    """Systems scored one after another into one desk, as by a script."""

    @pytest.fixture
    def one(self, scored: Scored) -> Evaluation:
        return scored.result.evaluations[0]

    @staticmethod
    def of_file(one: Evaluation, path: str, sha256: str = "") -> Evaluation:
        submission = {**one.stamp["submission"], "path": path}
        if sha256:
            submission["sha256"] = sha256
        return replace(one, stamp={**one.stamp, "submission": submission})

    def names(self, scored: Scored) -> list[tuple[str, str]]:
        return [(one.system, one.profile) for one in scored.desk.evaluations()]

    def test_a_new_version_of_a_file_replaces_the_old_one(
        self, scored: Scored, one: Evaluation
    ) -> None:
        path = one.stamp["submission"]["path"]
        scored.desk.add(self.of_file(one, path, "ff" * 32))
        assert self.names(scored) == [("b", "published"), ("a", "published")]

    def test_a_renamed_system_of_the_same_file_replaces_the_old_one(
        self, scored: Scored, one: Evaluation
    ) -> None:
        scored.desk.add(replace(one, system="a (renamed)"))
        assert self.names(scored) == [("b", "published"), ("a (renamed)", "published")]

    def test_a_moved_file_is_the_same_system(self, scored: Scored, one: Evaluation) -> None:
        scored.desk.add(self.of_file(one, "/moved/a.txt"))
        assert self.names(scored) == [("b", "published"), ("a", "published")]

    def test_another_file_of_the_same_name_replaces_nothing(
        self, scored: Scored, one: Evaluation
    ) -> None:
        second = scored.desk.add(self.of_file(one, "/other/a.txt", "ff" * 32))
        third = scored.desk.add(self.of_file(one, "/third/a.txt", "ee" * 32))
        assert [name for name, _ in self.names(scored)] == ["a", "b", "a (a)", "a (a.txt)"]
        back = scored.desk.load(second)
        assert back.system == back.stamp["system"] == "a (a)"
        assert scored.desk.load(third).system == "a (a.txt)"

    def test_two_profiles_of_a_file_are_one_system(self, scored: Scored, one: Evaluation) -> None:
        scored.desk.add(replace(one, profile="corrected"))
        other = self.of_file(one, "/other/c.txt", "ff" * 32)
        scored.desk.add(replace(other, profile="corrected"))
        assert self.names(scored) == [
            ("a", "published"),
            ("b", "published"),
            ("a", "corrected"),
            ("a (c)", "corrected"),
        ]

    def test_equal_files_of_two_teams_are_two_systems(
        self, scored: Scored, one: Evaluation
    ) -> None:
        scored.desk.add(replace(self.of_file(one, "/other/copy.txt"), system="copy"))
        assert [name for name, _ in self.names(scored)] == ["a", "b", "copy"]


@pytest.mark.skipif(os.name != "posix", reason="POSIX links")
def test_a_desk_opened_by_a_link_finds_its_inputs(scored: Scored, tmp_path: Path) -> None:
    link = tmp_path / "link.jurydesk"
    link.symlink_to(scored.desk.path)
    with Desk.open(link) as desk:
        assert [entry.path for entry in desk.inputs()] == [
            entry.path for entry in scored.desk.inputs()
        ]
        desk.save_as(link)
    assert link.is_symlink()
