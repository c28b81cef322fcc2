"""Exports of a table's board: what they say is what is computed again, in every language."""

from __future__ import annotations

import random

import pytest

from jurydesk.core.cli import main

DICE = random.Random(3)
ROWS = [
    (system, item, int(DICE.random() < share), item % 3 + 1)
    for system, share in (("a", 0.5), ("b", 0.8))
    for item in range(30)
]
TABLES = {
    "mean": (
        "system,item,acc",
        3,
        {"en": "Mean of the column acc", "ru": "реднее столбца {name}."},
    ),
    "weighted": (
        "system,item,acc,weight",
        4,
        {"en": "Weighted mean of the column acc", "ru": "реднее столбца {name}."},
    ),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_untouched_board_of_a_table_verifies_in_both_languages(tmp_path, capsys, kind, language):
    header, width, words = TABLES[kind]
    rows = (",".join(map(str, row[:width])) for row in ROWS)
    results, desk, board = (tmp_path / name for name in ("t.csv", "t.jurydesk", "board.html"))
    results.write_text("\n".join((header, *rows)) + "\n", "utf-8")
    call = ["--lang", language]
    assert main([*call, "score", "table", "--results", str(results), "--desk", str(desk)]) == 0
    assert main([*call, "board", str(desk), "--html", str(board)]) == 0
    assert words[language] in board.read_text("utf-8")
    assert main([*call, "verify", str(board)]) == 0, capsys.readouterr().out
