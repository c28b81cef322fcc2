from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.tables import evidence_blocks
from jurydesk.core.desk.tables.evaluation_table import StoredJsonEvidence
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.model.evidence_blocks import pack_blocks
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    EvidenceRow,
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
    assert back.items.show(3) == StoredJsonEvidence({"wanted": 3.0, "given": 0.5})


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
    desk.remove(desk.add(in_columns()))
    packed = pack_blocks
    monkeypatch.setattr(
        "jurydesk.core.desk.tables.evaluation_table.pack_blocks",
        lambda evidence, known: packed(evidence, {one.sha256 for one in packed(evidence, ())}),
    )
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
    monkeypatch.setattr(evidence_blocks, "MAX_BLOCK_BYTES", 1000)
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
