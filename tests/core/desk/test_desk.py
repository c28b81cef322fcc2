from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import Desk, DeskError, Summary, summarize
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Place, error, note
from jurydesk.core.model.evaluation import ItemTable
from support import toy
from support.desks.toy_desk import evaluation


class TestEvaluations:
    def test_everything_is_read_back(self, desk: Desk) -> None:
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

    def test_evidence_of_an_item_is_read_with_the_task_s_class(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()), toy.Guess.from_json)
        for item in (0, 63, 64, 149, 5):
            assert back.items.show(item) == toy.Guess(float(item), item / 3)

    def test_without_the_task_evidence_is_the_stored_value(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()))
        assert back.items.show(3) == JsonEvidence({"wanted": 3.0, "given": 1.0})

    def test_items_can_share_evidence(self, desk: Desk) -> None:
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

    def test_summaries_contain_what_a_board_needs(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        (found,) = desk.evaluations()
        assert isinstance(found, Summary)
        assert (found.id, found.system, found.profile) == (key, "cyan", "published")
        assert (found.about, found.n_items, found.stale) == ("made by hand", 150, False)
        assert repr(found.scores) == repr(evaluation().scores)
        assert found.created

    def test_evaluations_are_in_the_order_in_which_they_were_added(self, desk: Desk) -> None:
        for system in ("cyan", "amber", "blue"):
            desk.add(evaluation(system))
        assert [one.system for one in desk.evaluations()] == ["cyan", "amber", "blue"]

    def test_a_system_with_several_profiles_is_listed_once(self, desk: Desk) -> None:
        assert desk.systems() == ()
        for system, profile in (("cyan", "published"), ("amber", "published"), ("cyan", "own")):
            desk.add(evaluation(system, profile))
        assert desk.systems() == ("cyan", "amber")

    def test_the_same_system_and_profile_is_replaced_completely(self, desk: Desk) -> None:
        old = desk.add(evaluation(items=300))
        new = desk.add(evaluation(items=10))
        desk.add(evaluation(profile="corrected", items=20))
        assert [one.n_items for one in desk.evaluations()] == [10, 20]
        assert new != old

    def test_a_replaced_evaluation_is_reported_to_its_readers(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        looked_at = desk.load(key)
        desk.add(evaluation(items=10))
        sentence = r"^toy\.jurydesk no longer has this result: it was scored again or removed\.$"
        with pytest.raises(DeskError, match=sentence):
            desk.load(key)
        with pytest.raises(DeskError, match=sentence):
            looked_at.items.show(0)

    def test_evidence_that_the_task_cannot_decode_is_damage(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()), lambda data: toy.Guess(data["missing"], 0.0))
        with pytest.raises(DeskError, match=r"^toy\.jurydesk is damaged: .*KeyError: 'missing'"):
            back.items.show(0)

    def test_a_removed_evaluation_leaves_nothing(self, desk: Desk) -> None:
        desk.remove(desk.add(evaluation()))
        assert desk.remove(12345) is None
        assert desk.evaluations() == ()
        with desk.reading() as connection:
            for table in ("item_column", "figure", "evidence_part", "evidence_block"):
                counted = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
                assert counted == (0,)

    def test_a_removed_evaluation_can_be_restored(self, desk: Desk) -> None:
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

    def test_a_removed_evaluation_that_was_scored_again_is_not_restored(self, desk: Desk) -> None:
        taken = desk.remove(desk.add(evaluation()))
        desk.add(evaluation(items=10))
        assert taken is not None
        assert not desk.put_back(taken)
        assert [one.n_items for one in desk.evaluations()] == [10]

    def test_an_error_in_evidence_keeps_the_old_result(self, desk: Desk) -> None:
        desk.add(evaluation())

        def fail(item: int) -> toy.Guess:
            raise RuntimeError("no evidence")

        broken = replace(evaluation(), items=ItemTable(("a",), {}, fail))
        with pytest.raises(RuntimeError, match="no evidence"):
            desk.add(broken)
        assert [one.n_items for one in desk.evaluations()] == [150]

    def test_a_text_that_utf_8_cannot_encode_is_stored_with_replacements(self, desk: Desk) -> None:
        table = ItemTable(("\ud800",), {})
        back = desk.load(desk.add(replace(evaluation(), about="half \ud800", items=table)))
        assert back.about == "half ?"
        assert back.items.ids == ("\ud800",)

    def test_damaged_columns_are_reported(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        with desk.writing() as connection:
            connection.execute("UPDATE item_column SET content = x'00'")
        with pytest.raises(DeskError, match=r"item_column, row 1, .*: a column has 1 bytes"):
            desk.load(key)

    def test_contradicting_content_is_reported(self, desk: Desk) -> None:
        key = desk.add(evaluation())
        with desk.writing() as connection:
            connection.execute("UPDATE evaluation SET scores = '[{}]', stamp = '[1]'")
        sentence = (
            r"^toy\.jurydesk is damaged: table evaluation, row 1: "
            r"its content is inconsistent \(KeyError: "
        )
        with pytest.raises(DeskError, match=sentence):
            desk.load(key)
        with pytest.raises(DeskError, match=sentence):
            desk.evaluations()


class TestCompetition:
    def test_the_competition_is_none_until_it_is_set(self, desk: Desk) -> None:
        assert desk.competition is None
        desk.set_competition("toy", "Toys 2026", {"profile": "published", "folds": [1]})
        assert desk.competition is not None
        assert desk.competition.task_id == "toy"
        assert desk.competition.title == "Toys 2026"
        assert desk.competition.options == {"profile": "published", "folds": [1]}

    def test_results_of_another_competition_are_refused(self, desk: Desk) -> None:
        desk.set_competition("vist", "VIST", {})
        desk.set_competition("toy", "Toy", {})
        desk.add(evaluation())
        sentence = (
            r"^toy\.jurydesk contains results of toy, not of vist\. Choose another desk file\.$"
        )
        with pytest.raises(DeskError, match=sentence):
            desk.set_competition("vist", "VIST", {})

    def test_checks_are_appended(self, desk: Desk) -> None:
        defects = (error(Place("gt.xml", 3), "Wrong."), note(Place("gt.xml"), "Odd.", count=3))
        files = (FileCheck("gt.xml", "truth", "failed", "", "2026-11-22T10:00:00+00:00"),)
        one = CheckRecord("2026-11-22T10:00:00+00:00", files, DefectLog(reading=defects))
        other = CheckRecord("2026-11-22T11:00:00+00:00")
        desk.add_check(one)
        desk.add_check(other)
        assert desk.check_records() == [one, other]

    def test_an_unchanged_check_only_updates_its_time(self, desk: Desk) -> None:
        for hour in (10, 11):
            desk.add_check(CheckRecord(f"2026-11-22T{hour}:00:00+00:00"))
        assert [one.time for one in desk.check_records()] == ["2026-11-22T11:00:00+00:00"]


class TestChunks:
    def test_chunks_are_read_back_after_reopening(self, desk: Desk) -> None:
        desk.cache.put("chunk", b"old")
        desk.cache.put("chunk", b"statistics")
        with Desk.open(desk.path) as again:
            assert again.cache.get("chunk") == b"statistics"
            assert again.cache.get("other") is None

    def test_a_store_of_chunks_is_empty_until_one_is_put(self, desk: Desk) -> None:
        assert desk.cache.is_empty is True
        desk.cache.put("chunk", b"statistics")
        assert desk.cache.is_empty is False

    def test_clearing_deletes_chunks_and_nothing_else(self, desk: Desk) -> None:
        desk.cache.put("chunk", b"statistics")
        desk.add(evaluation())
        desk.cache.clear()
        assert desk.cache.get("chunk") is None
        assert len(desk.evaluations()) == 1

    def test_many_threads_can_write_chunks(self, desk: Desk) -> None:
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


class TestClosing:
    def test_closing_twice_is_allowed(self, desk: Desk) -> None:
        desk.close()
        desk.close()

    @pytest.mark.parametrize("use", ["nothing", "a result", "another program"])
    def test_only_an_unused_desk_is_deleted_and_each_is_closed(self, tmp_path, use: str) -> None:
        desk = Desk.create(tmp_path / "a.jurydesk")
        desk.set_competition("toy", "Toy", {})
        if use == "a result":
            desk.add(evaluation())
        if use == "another program":
            desk.mark_as_shared()
        desk.delete_if_unused()
        assert desk.path.exists() is (use != "nothing")
        with pytest.raises(DeskError, match=r"^a\.jurydesk was closed\.$"):
            desk.evaluations()

    def test_a_desk_that_is_shared_no_more_is_deleted(self, tmp_path) -> None:
        desk = Desk.create(tmp_path / "a.jurydesk")
        desk.mark_as_shared()
        desk.mark_as_shared(False)
        desk.delete_if_unused()
        assert not desk.path.exists()

    def test_a_closed_desk_is_reported(self, desk: Desk) -> None:
        back = desk.load(desk.add(evaluation()))
        desk.close()
        with pytest.raises(DeskError, match=r"^toy\.jurydesk was closed\.$"):
            desk.evaluations()
        with pytest.raises(DeskError, match=r"^toy\.jurydesk was closed\.$"):
            back.items.show(0)


def test_a_full_disk_is_reported_and_keeps_the_content(desk: Desk) -> None:
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


def test_errors_of_our_own_code_are_not_called_damage(desk: Desk) -> None:
    with pytest.raises(sqlite3.OperationalError), desk.reading() as connection:
        connection.execute("SELECT nonsense")


def test_the_summary_of_an_evaluation_without_a_desk() -> None:
    one = summarize(evaluation())
    assert (one.id, one.system, one.n_items, one.stale, one.created) == (0, "cyan", 150, False, "")
