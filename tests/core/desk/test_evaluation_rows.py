"""Rows of an evaluation: evidence in blocks, in a desk and as a worker returns it."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.desk import Desk, DeskError, evaluation_rows
from jurydesk.core.desk import desk as desk_module
from jurydesk.core.desk.codec import DamagedContentError
from jurydesk.core.desk.evaluation_rows import (
    EvaluationRows,
    UnpackedItems,
    pack_evaluation,
    unpack_rows,
)
from jurydesk.core.model import evidence_columns
from jurydesk.core.model.evaluation import Evaluation, ItemTable, Json, Passage
from jurydesk.core.model.evidence_columns import (
    BLOCK_BYTES,
    MOST_ITEMS,
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    EvidenceRow,
    StoredRows,
)
from support import toy
from support.desks.toy_desk import evaluation

COUNT = 9000


def guess(row: EvidenceRow) -> toy.Guess:
    return toy.Guess(row["wanted"], row["given"])


def in_columns(system: str = "cyan", *, given: float = 0.5, count: int = COUNT) -> Evaluation:
    """Return an evaluation of three blocks, two of which have equal content for every system."""

    def build() -> list[EvidenceColumns]:
        return [
            EvidenceColumns({"wanted": EvidenceColumn(np.arange(count, dtype=np.float64))}),
            EvidenceColumns({"given": EvidenceColumn(np.full(count, given))}),
        ]

    ids = tuple(f"n{number}" for number in range(count))
    table = ItemTable(ids, {}, ColumnEvidence(build, guess))
    return replace(evaluation(system), items=table, figures=())


def blocks(desk: Desk) -> int:
    with desk.reading() as connection:
        (count,) = connection.execute("SELECT count(*) FROM evidence_block").fetchone()
        return int(count)


def change(desk: Desk, statement: str, *values: object) -> None:
    with desk.writing() as connection:
        connection.execute(statement, values)


def test_evidence_is_read_from_the_block_of_its_item(desk: Desk) -> None:
    back = desk.load(desk.add(in_columns()), guess)
    for item in (0, 4095, 4096, COUNT - 1, 5):
        assert back.items.show(item) == toy.Guess(float(item), 0.5)


def test_without_the_task_evidence_is_the_row(desk: Desk) -> None:
    back = desk.load(desk.add(in_columns()))
    assert back.items.show(3) == JsonEvidence({"wanted": 3.0, "given": 0.5})


def test_systems_share_equal_blocks(desk: Desk) -> None:
    keys = [desk.add(in_columns(name, given=given)) for given, name in enumerate("abc")]
    assert blocks(desk) == 3 + 3 * 2
    for given, key in enumerate(keys):
        assert desk.load(key, guess).items.show(8000) == toy.Guess(8000.0, float(given))


def test_a_block_is_deleted_with_the_last_system_that_uses_it(desk: Desk) -> None:
    one, other = desk.add(in_columns("a", given=1)), desk.add(in_columns("b", given=2))
    desk.remove(one)
    assert blocks(desk) == 3 + 2
    assert desk.load(other, guess).items.show(1) == toy.Guess(1.0, 2.0)
    desk.remove(other)
    assert blocks(desk) == 0


def test_rescoring_a_system_leaves_no_unused_block(desk: Desk) -> None:
    desk.add(in_columns(given=1))
    key = desk.add(in_columns(given=2, count=10))
    assert blocks(desk) == 2
    assert desk.load(key, guess).items.show(9) == toy.Guess(9.0, 2.0)


def test_a_removed_system_is_restored_with_its_blocks(desk: Desk) -> None:
    key = desk.add(in_columns())
    taken = desk.remove(key)
    assert taken is not None
    assert desk.put_back(taken)
    assert desk.load(key, guess).items.show(4100) == toy.Guess(4100.0, 0.5)


def test_a_block_that_another_program_deleted_meanwhile_is_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = desk.add(in_columns("other"))

    def pack(evaluation: Evaluation, known: Collection[str] = ()) -> EvaluationRows:
        if known:
            desk.remove(other)
        return pack_evaluation(evaluation, known)

    monkeypatch.setattr(desk_module, "pack_evaluation", pack)
    key = desk.add(in_columns())
    assert desk.load(key, guess).items.show(1) == toy.Guess(1.0, 0.5)


def test_reading_evidence_of_a_removed_system_is_reported(desk: Desk) -> None:
    key = desk.add(in_columns())
    looked_at = desk.load(key, guess)
    desk.remove(key)
    with pytest.raises(DeskError, match=r"no longer has this result"):
        looked_at.items.show(0)


def test_an_invalid_block_is_reported_as_damage(desk: Desk) -> None:
    key = desk.add(in_columns())
    change(desk, "UPDATE evidence_block SET content = ?", zlib.compress(b"\xff" * 100))
    with pytest.raises(DeskError, match=r"^toy\.jurydesk is damaged: .*header of a block"):
        desk.load(key, guess).items.show(0)


def test_a_block_that_unpacks_to_too_much_is_reported_as_damage(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = desk.add(in_columns())
    change(desk, "UPDATE evidence_block SET content = ?", zlib.compress(bytes(1001)))
    monkeypatch.setattr(evaluation_rows, "MAX_BLOCK_BYTES", 1000)
    with pytest.raises(DeskError, match=r"^toy\.jurydesk is damaged: .*larger than 1,000 bytes"):
        desk.load(key, guess).items.show(0)


def test_a_gap_between_blocks_is_reported_as_damage(desk: Desk) -> None:
    key = desk.add(in_columns())
    change(desk, "DELETE FROM evidence_part WHERE part = 1 AND first = 4096")
    with pytest.raises(DeskError, match=r"the evidence of item 4096 is missing"):
        desk.load(key, guess).items.show(4096)


def test_chunks_that_were_deleted_do_not_enlarge_the_file(desk: Desk) -> None:
    desk.add(in_columns("a"))
    before = desk.path.stat().st_size
    desk.cache.put("chunk", bytes(1 << 20))
    desk.add(in_columns("b", given=2))
    assert desk.path.stat().st_size > before + (1 << 20)
    desk.cache.clear()
    assert desk.path.stat().st_size < before + (1 << 18)


@dataclass(frozen=True)
class Word:
    text: Json

    def to_json(self) -> Json:
        return self.text


def words(count: int, text: str = "straße \ud800") -> Evaluation:
    ids = tuple(f"n{number}" for number in range(count))
    items = ItemTable(ids, {}, lambda number: Word([number, text]))
    return replace(evaluation(), items=items)


@pytest.mark.parametrize("count", [1, 7, MOST_ITEMS + 1])
def test_evidence_as_json_is_read_back(desk: Desk, count: int) -> None:
    back = desk.load(desk.add(words(count)), Word)
    for number in {0, count // 2, count - 1}:
        assert back.items.show(number) == Word([number, "straße \ud800"])


def test_evidence_as_json_is_packed_in_blocks() -> None:
    rows = pack_evaluation(words(10, "x" * (BLOCK_BYTES // 3)))
    assert [row[:2] for row in rows.items.parts] == [(0, 0), (0, 3), (0, 6), (0, 9)]


def test_no_evidence_is_none(desk: Desk) -> None:
    assert desk.load(desk.add(words(0)), Word).items.evidence is None
    bare = replace(evaluation(), items=ItemTable(("a",), {}))
    assert desk.load(desk.add(bare), Word).items.show(0) is None


@pytest.mark.parametrize("made", [in_columns(), words(200), evaluation()])
def test_rows_in_no_desk_have_the_same_items(made: Evaluation) -> None:
    load = {9000: guess, 200: Word}.get(len(made.items), toy.Guess.from_json)
    back = unpack_rows(pack_evaluation(made), load)
    assert repr((back.scores, back.defects)) == repr((made.scores, made.defects))
    assert back.items.ids == made.items.ids
    assert {**back.items.columns}.keys() == {**made.items.columns}.keys()
    for name, column in made.items.columns.items():
        assert np.array_equal(back.items.columns[name], column, equal_nan=True)
    for number in (0, len(made.items) // 2, len(made.items) - 1):
        assert back.items.show(number) == made.items.show(number)


def test_rows_are_stored_as_they_are_under_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pack_evaluation(in_columns("cyan"))
    back = unpack_rows(rows, guess)
    monkeypatch.setattr(evaluation_rows, "_pack_items", None)
    again = pack_evaluation(replace(back, system="red"))
    assert again.system == "red"
    assert again.items is rows.items
    assert again.figures == rows.figures


def test_changed_items_are_packed_again() -> None:
    back = unpack_rows(pack_evaluation(words(3)), Word)
    assert isinstance(back.items, UnpackedItems)
    fewer = replace(back.items, ids=("a",), evidence=lambda number: Word("other"))
    again = unpack_rows(pack_evaluation(replace(back, items=fewer)), Word)
    assert again.items.ids == ("a",)
    assert again.items.show(0) == Word("other")


def test_rows_without_a_block_are_damaged() -> None:
    rows = pack_evaluation(words(3))
    with pytest.raises(DamagedContentError, match="its content is inconsistent"):
        unpack_rows(replace(rows, items=replace(rows.items, blocks=())), Word)


def test_evidence_is_explained_from_stored_columns_alone() -> None:
    made: list[list[str]] = []

    def explain_rows(columns: EvidenceColumns, rows: Sequence[int]) -> list[list[Passage]]:
        made.append([columns.row(row)["given"] for row in rows])
        return [[Passage("Row", text)] for text in made[-1]]

    by_rows_task = replace(toy.TASK.presentation, explain_rows=explain_rows)
    task = replace(toy.TASK, presentation=by_rows_task)
    columns = {name: EvidenceColumn.texts([f"{name}{n}" for n in range(3)]) for name in NAMES}
    held = replace(
        (one := evaluation("a")),
        items=ItemTable(
            ("x", "y", "z"), {}, ColumnEvidence(lambda: [EvidenceColumns(columns)], guess)
        ),
    )
    by_rows, by_json = (
        unpack_rows(pack_evaluation(kind), toy.TASK.readers.load_evidence).items
        for kind in (held, one)
    )
    assert [(n, text.text) for n, (text,) in task.explain_items(by_rows, [2, 0])] == [
        (2, "given2"),
        (0, "given0"),
    ]
    assert made == [["given0", "given2"]]
    assert dict(task.explain_items(by_json, [1])) == {1: task.explain(by_json.show(1))}
    assert len(made) == 1


def test_rows_of_parts_with_other_blocks_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence_columns, "BLOCK_BYTES", 40)
    long = EvidenceColumn.texts([f"{n} {'x' * (4 * (n % 3))}" for n in range(20)])
    short = EvidenceColumn.texts([str(n) for n in range(20)])
    parts = [EvidenceColumns({"long": long}), EvidenceColumns({"short": short})]
    ids = tuple(map(str, range(20)))
    items = ItemTable(ids, {}, ColumnEvidence(lambda: parts, guess))
    held = unpack_rows(pack_evaluation(replace(evaluation("a"), items=items)), guess).items
    asked = [19, 3, 4, 0, 11, 3]

    def texts(columns: EvidenceColumns, rows: Sequence[int]) -> list[tuple[str, str]]:
        return [(columns["long"].value(row), columns["short"].value(row)) for row in rows]

    assert isinstance(held.evidence, StoredRows)
    assert held.evidence.of_rows(asked, texts) == [(long.value(n), str(n)) for n in asked]


NAMES = ("wanted", "given")
