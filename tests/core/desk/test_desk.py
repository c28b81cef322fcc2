from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import toy

from core.defects import Place, error, note
from core.desk import Desk, DeskError, Summary, summary
from core.desk.rows import PlainEvidence
from core.model import Axis, Curve, Evaluation, Heatmap, Interval, ItemTable, Score, Source
from core.run.engine import Result, score
from core.run.run import Cancelled, Run
from core.task import Inputs

DICE = np.random.default_rng(0)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk.create(tmp_path / "toy.jurydesk") as desk:
        yield desk


def evaluation(system: str = "cyan", profile: str = "published", items: int = 150) -> Evaluation:
    members = DICE.random((items, 3))
    return Evaluation(
        task="toy",
        system=system,
        profile=profile,
        scores=(
            Score("closeness", 1 / 3, items, 0.1, Interval(0.25, 0.5)),
            Score("listed", float("nan"), 0),
        ),
        items=ItemTable(
            tuple(f"i{i}" for i in range(items)),
            {
                "closeness": DICE.random(items),
                "listed": np.where(np.arange(items) % 3, 1.0, np.nan),
            },
            lambda i: toy.Guess(float(i), i / 3),
            "number",
        ),
        figures=(
            Curve(
                "pr",
                "PR",
                Axis("recall", ticks=(0.0, 1.0), limits=(0.0, 1.0)),
                Axis("precision"),
                np.arange(3.0),
                np.array([1.0, np.nan, 0.0]),
                members=members,
            ),
            Heatmap("map", "mAP", Axis("IoU"), Axis("METEOR"), DICE.random((2, 3))),
        ),
        defects=(note(Place("a.txt", 3), "Odd."),),
        about="made by hand",
    )


class TestEvaluations:
    def test_everything_comes_back(self, desk: Desk) -> None:
        kept = evaluation()
        back = desk.load(desk.add(kept), toy.Guess.from_json)
        assert repr(replace(back, items=None, figures=())) == repr(  # type: ignore[arg-type]
            replace(kept, items=None, figures=())  # type: ignore[arg-type]
        )
        assert (back.items.ids, back.items.noun) == (kept.items.ids, "number")
        assert list(back.items.columns) == list(kept.items.columns)
        for name, column in kept.items.columns.items():
            assert back.items.columns[name].tobytes() == column.tobytes()
        assert [repr(figure) for figure in back.figures] == [
            repr(figure) for figure in kept.figures
        ]

    def test_evidence_comes_item_by_item_as_the_tasks_own(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()), toy.Guess.from_json)
        for item in (0, 63, 64, 149, 5):
            assert back.items.show(item) == toy.Guess(float(item), item / 3)

    def test_without_the_task_evidence_is_what_was_kept(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()))
        assert back.items.show(3) == PlainEvidence({"wanted": 3.0, "given": 1.0})

    def test_items_may_share_evidence(self, desk: Desk) -> None:
        table = ItemTable(
            ("a", "b", "c"), {}, lambda i: toy.Guess(i, i), "box", np.array([1, 0, 1])
        )
        back = desk.load(desk.add(replace(evaluation(), items=table)), toy.Guess.from_json)
        assert [back.items.show(i) for i in range(3)] == [
            toy.Guess(1, 1),
            toy.Guess(0, 0),
            toy.Guess(1, 1),
        ]

    @pytest.mark.parametrize("items", [0, 3])
    def test_items_without_evidence_have_none(self, items: int, desk: Desk) -> None:
        table = ItemTable(tuple("abc"[:items]), {"x": np.zeros(items)})
        back = desk.load(desk.add(replace(evaluation(), items=table)))
        assert len(back.items) == items
        assert back.items.evidence is None

    def test_summaries_show_what_a_board_needs(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        (found,) = desk.evaluations()
        assert isinstance(found, Summary)
        assert (found.id, found.system, found.profile) == (key, "cyan", "published")
        assert (found.about, found.n_items, found.stale) == ("made by hand", 150, False)
        assert repr(found.scores) == repr(evaluation().scores)
        assert found.created

    def test_they_stay_in_the_order_of_adding(self, desk: Desk) -> None:
        for system in ("cyan", "amber", "blue"):
            desk.add(evaluation(system))
        assert [one.system for one in desk.evaluations()] == ["cyan", "amber", "blue"]

    def test_the_systems_of_several_profiles_are_named_once(self, desk: Desk) -> None:
        assert desk.systems() == ()
        for system, profile in (("cyan", "published"), ("amber", "published"), ("cyan", "own")):
            desk.add(evaluation(system, profile))
        assert desk.systems() == ("cyan", "amber")

    def test_the_same_system_and_profile_is_replaced_whole(self, desk: Desk) -> None:
        old = desk.add(evaluation(items=300))
        new = desk.add(evaluation(items=10))
        desk.add(evaluation(profile="corrected", items=20))
        assert [one.n_items for one in desk.evaluations()] == [10, 20]
        assert new != old

    def test_what_was_replaced_says_so_even_to_those_who_still_look_at_it(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        looked_at = desk.load(key)
        desk.add(evaluation(items=10))
        sentence = r"^toy\.jurydesk holds this result no more: it was scored again or removed\.$"
        with pytest.raises(DeskError, match=sentence):
            desk.load(key)
        with pytest.raises(DeskError, match=sentence):
            looked_at.items.show(0)

    def test_evidence_that_the_task_cannot_read_is_damage(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()), lambda data: toy.Guess(data["missing"], 0.0))
        with pytest.raises(DeskError, match=r"^toy\.jurydesk is damaged: .*KeyError: 'missing'"):
            back.items.show(0)

    def test_a_removed_one_leaves_nothing(self, desk: Desk) -> None:
        desk.remove(desk.add(evaluation()))
        assert desk.remove(12345) is None
        assert desk.evaluations() == ()
        with desk.reading() as connection:
            for table in ("item_column", "figure", "evidence"):
                counted = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
                assert counted == (0,)

    def test_a_removed_one_is_put_back_as_it_was(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        desk.add(evaluation("amber"))
        before, shown = desk.evaluations(), desk.load(key)
        evidence = [shown.items.show(item) for item in range(len(shown.items))]
        taken = desk.remove(key)
        assert [one.system for one in desk.evaluations()] == ["amber"]
        assert taken is not None
        assert desk.put_back(taken)
        assert desk.evaluations() == before
        back = desk.load(key)
        assert [back.items.show(item) for item in range(len(back.items))] == evidence
        assert len(back.figures) == len(shown.figures)

    def test_a_removed_one_that_was_scored_again_is_not_put_back(self, desk: Desk) -> None:
        taken = desk.remove(desk.add(evaluation()))
        desk.add(evaluation(items=10))
        assert taken is not None
        assert not desk.put_back(taken)
        assert [one.n_items for one in desk.evaluations()] == [10]

    def test_evidence_that_fails_keeps_the_old_result(self, desk: Desk) -> None:
        desk.add(evaluation())

        def fail(item: int) -> toy.Guess:
            raise RuntimeError("no evidence")

        broken = replace(evaluation(), items=ItemTable(("a",), {}, fail))
        with pytest.raises(RuntimeError, match="no evidence"):
            desk.add(broken)
        assert [one.n_items for one in desk.evaluations()] == [150]

    def test_a_text_that_utf_8_cannot_hold_is_kept_as_far_as_it_goes(self, desk: Desk) -> None:
        table = ItemTable(("\ud800",), {})
        back = desk.load(desk.add(replace(evaluation(), about="half \ud800", items=table)))
        assert back.about == "half ?"
        assert back.items.ids == ("\ud800",)

    def test_damaged_columns_are_told(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        with desk.writing() as connection:
            connection.execute("UPDATE item_column SET content = x'00'")
        with pytest.raises(DeskError, match=r"^toy\.jurydesk is damaged: a column has 1 bytes"):
            desk.load(key)

    def test_content_that_does_not_fit_together_is_told(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        with desk.writing() as connection:
            connection.execute("UPDATE evaluation SET scores = '[{}]', stamp = '[1]'")
        sentence = r"^toy\.jurydesk is damaged: its content does not fit together \(KeyError: "
        with pytest.raises(DeskError, match=sentence):
            desk.load(key)
        with pytest.raises(DeskError, match=sentence):
            desk.evaluations()


class TestCompetition:
    def test_it_is_none_until_it_is_set(self, desk: Desk) -> None:
        assert desk.competition is None
        desk.set_competition("toy", "Toys 2026", {"profile": "published", "folds": [1]})
        assert desk.competition is not None
        assert desk.competition.task_id == "toy"
        assert desk.competition.title == "Toys 2026"
        assert desk.competition.options == {"profile": "published", "folds": [1]}

    def test_results_of_another_one_are_not_mixed_in(self, desk: Desk) -> None:
        desk.set_competition("vist", "VIST", {})
        desk.set_competition("toy", "Toy", {})
        desk.add(evaluation())
        sentence = r"^toy\.jurydesk holds results of toy, not of vist\. Choose another desk file\.$"
        with pytest.raises(DeskError, match=sentence):
            desk.set_competition("vist", "VIST", {})

    def test_defects_are_kept(self, desk: Desk) -> None:
        defects = (error(Place("gt.xml", 3), "Wrong."), note(Place("gt.xml"), "Odd.", count=3))
        desk.set_defects(defects)
        assert desk.defects() == defects
        desk.set_defects(())
        assert desk.defects() == ()


@dataclass(frozen=True)
class Scored:
    desk: Desk
    inputs: Inputs
    result: Result

    def states(self) -> list[str]:
        return [entry.state for entry in self.desk.inputs()]

    def stale(self) -> list[bool]:
        return [one.stale for one in self.desk.evaluations()]


@pytest.fixture
def scored(tmp_path: Path) -> Iterator[Scored]:
    """A desk in a folder of its own, beside a folder with the inputs it was scored from."""
    truth = {f"i{k}": k / 10 for k in range(10)}
    folder = tmp_path / "work"
    inputs = {
        "truth": [toy.write(folder / "data" / "truth.txt", truth)],
        "guesses": [
            toy.write(folder / "data" / "a.txt", truth),
            toy.write(folder / "data" / "b.txt", dict.fromkeys(truth, 0.5)),
        ],
    }
    options = toy.Options()
    result = score(toy.TASK, inputs, options, Run(), resamples=10)
    with Desk.create(folder / "toy.jurydesk") as desk:
        desk.set_competition("toy", "Toy", {"profile": "published", "missing": "skip"})
        desk.set_inputs(result.sources)
        for one in result.evaluations:
            desk.add(one)
        yield Scored(desk, inputs, result)


class TestInputs:
    def test_they_are_current_after_scoring(self, scored: Scored) -> None:
        assert scored.states() == ["current"] * 3
        assert [entry.source for entry in scored.desk.inputs()] == list(scored.result.sources)
        assert scored.stale() == [False, False]

    def test_a_submission_that_changed_makes_its_own_result_stale(self, scored: Scored) -> None:
        toy.write(scored.inputs["guesses"][1], {"i0": 0.25})
        assert scored.states() == ["current", "current", "changed"]
        assert scored.stale() == [False, True]

    def test_a_reference_that_changed_makes_every_result_stale(self, scored: Scored) -> None:
        toy.write(scored.inputs["truth"][0], {"i0": 0.25})
        assert scored.states() == ["changed", "current", "current"]
        assert scored.stale() == [True, True]

    def test_a_change_that_keeps_the_size_is_seen(self, scored: Scored) -> None:
        file = scored.inputs["truth"][0]
        content = file.read_bytes()
        file.write_bytes(content[:-2] + b"7\n")
        os.utime(file, ns=(0, 10**18))
        assert scored.states()[0] == "changed"

    def test_touching_a_file_changes_nothing(self, scored: Scored) -> None:
        os.utime(scored.inputs["truth"][0], ns=(0, 10**18))
        assert scored.states() == ["current"] * 3

    def test_a_missing_input_is_told_and_proves_nothing(self, scored: Scored) -> None:
        scored.inputs["truth"][0].unlink()
        assert scored.states() == ["missing", "current", "current"]
        assert scored.stale() == [False, False]

    def test_another_reference_makes_results_stale(self, scored: Scored, tmp_path: Path) -> None:
        other = Source("truth", str(tmp_path / "other.txt"), 1, "00" * 32)
        scored.desk.set_inputs([other, *scored.result.sources[1:]])
        assert scored.stale() == [True, True]

    def test_another_option_makes_results_stale_but_another_profile_does_not(
        self, scored: Scored
    ) -> None:
        scored.desk.set_competition("toy", "Toy", {"profile": "corrected", "missing": "skip"})
        assert scored.stale() == [False, False]
        scored.desk.set_competition("toy", "Toy", {"profile": "published", "missing": "zero"})
        assert scored.stale() == [True, True]

    def test_the_whole_folder_can_move(self, scored: Scored, tmp_path: Path) -> None:
        scored.desk.close()
        shutil.move(tmp_path / "work", tmp_path / "elsewhere")
        with Desk.open(tmp_path / "elsewhere" / "toy.jurydesk") as desk:
            found = desk.inputs()
            assert [entry.state for entry in found] == ["current"] * 3
            assert found[0].path == tmp_path / "elsewhere" / "data" / "truth.txt"
            assert not any(one.stale for one in desk.evaluations())

    def test_the_desk_alone_still_finds_inputs_where_they_were(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        (tmp_path / "apart").mkdir()
        moved = tmp_path / "apart" / "toy.jurydesk"
        shutil.copy(scored.desk.path, moved)
        with Desk.open(moved) as desk:
            assert [entry.path for entry in desk.inputs()] == [
                Path(source.path) for source in scored.result.sources
            ]

    def test_the_desk_alone_opens_without_them(self, scored: Scored, tmp_path: Path) -> None:
        scored.desk.close()
        moved = tmp_path / "toy.jurydesk"
        shutil.copy(scored.desk.path, moved)
        shutil.rmtree(tmp_path / "work")
        with Desk.open(moved, read_only=True) as desk:
            assert {entry.state for entry in desk.inputs()} == {"missing"}
            assert [one.stale for one in desk.evaluations()] == [False, False]
            back = desk.load(desk.evaluations()[0].id, toy.Guess.from_json)
            assert back.items.show(3) == toy.Guess(0.3, 0.3)

    def test_a_folder_of_pictures_is_current_while_it_is_there(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        (tmp_path / "images").mkdir()
        images = Source("images", str(tmp_path / "images"), 0, "")
        scored.desk.set_inputs([*scored.result.sources, images])
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
    """Systems of several scorings in one desk, as when a script scores file by file."""

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

    def test_a_file_that_moved_is_the_same(self, scored: Scored, one: Evaluation) -> None:
        scored.desk.add(self.of_file(one, "/moved/a.txt"))
        assert self.names(scored) == [("b", "published"), ("a", "published")]

    def test_another_file_of_the_same_name_loses_neither(
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
def test_a_desk_behind_a_link_finds_its_inputs_from_where_it_really_is(
    scored: Scored, tmp_path: Path
) -> None:
    link = tmp_path / "link.jurydesk"
    link.symlink_to(scored.desk.path)
    with Desk.open(link) as desk:
        assert [entry.path for entry in desk.inputs()] == [
            entry.path for entry in scored.desk.inputs()
        ]
        desk.save_as(link)
    assert link.is_symlink()


class TestChunks:
    def test_they_come_back_after_reopening(self, desk: Desk) -> None:
        desk.cache.put("chunk", b"old")
        desk.cache.put("chunk", b"statistics")
        with Desk.open(desk.path) as again:
            assert again.cache.get("chunk") == b"statistics"
            assert again.cache.get("other") is None

    def test_clearing_forgets_them_and_nothing_else(self, desk: Desk) -> None:
        desk.cache.put("chunk", b"statistics")
        desk.add(evaluation())
        desk.cache.clear()
        assert desk.cache.get("chunk") is None
        assert len(desk.evaluations()) == 1

    def test_many_threads_may_put_them(self, desk: Desk) -> None:
        def put(worker: int) -> None:
            for i in range(10):
                desk.cache.put(f"{worker} {i}", bytes([worker, i]))

        threads = [threading.Thread(target=put, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for worker in range(4):
            for i in range(10):
                assert desk.cache.get(f"{worker} {i}") == bytes([worker, i])


class TestSaveAs:
    def test_the_copy_holds_everything_and_the_desk_stays_open(
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

    def test_its_own_path_is_left_alone(self, desk: Desk) -> None:
        desk.save_as(desk.path)
        desk.add(evaluation())
        with Desk.open(desk.path) as again:
            assert len(again.evaluations()) == 1

    def test_a_desk_for_reading_only_can_be_saved_elsewhere(
        self, scored: Scored, tmp_path: Path
    ) -> None:
        with Desk.open(scored.desk.path, read_only=True) as looked_at:
            looked_at.save_as(tmp_path / "mine.jurydesk")
        with Desk.open(tmp_path / "mine.jurydesk") as mine:
            assert len(mine.evaluations()) == 2

    def test_a_missing_folder_is_told_and_leaves_nothing(self, desk: Desk, tmp_path: Path) -> None:
        with pytest.raises(DeskError, match=r"^copy\.jurydesk cannot be "):
            desk.save_as(tmp_path / "nowhere" / "copy.jurydesk")


class TestClosing:
    def test_closing_twice_does_no_harm(self, desk: Desk) -> None:
        desk.close()
        desk.close()

    def test_a_closed_desk_says_so(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()))
        desk.close()
        with pytest.raises(DeskError, match=r"^toy\.jurydesk was closed\.$"):
            desk.evaluations()
        with pytest.raises(DeskError, match=r"^toy\.jurydesk was closed\.$"):
            back.items.show(0)


def test_a_full_disk_is_told_and_keeps_what_was_there(desk: Desk) -> None:
    desk.add(evaluation())
    with desk.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    sentence = (
        r"^toy\.jurydesk cannot be written: the disk is full\. Nothing of the desk was lost\.$"
    )
    with pytest.raises(DeskError, match=sentence):
        desk.add(evaluation("magenta", items=5000))
    assert [one.system for one in desk.evaluations()] == ["cyan"]
    with desk.reading() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_our_own_mistakes_are_not_blamed_on_the_file(desk: Desk) -> None:
    with pytest.raises(sqlite3.OperationalError), desk.reading() as connection:
        connection.execute("SELECT nonsense")


def test_the_summary_of_an_evaluation_without_a_desk() -> None:
    one = summary(evaluation())
    assert (one.id, one.system, one.n_items, one.stale, one.created) == (0, "cyan", 150, False, "")
