"""Items page: suspects of a wrong reference as columns and filter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from jurydesk.core.analysis.significance.item_discrimination import assess_items
from jurydesk.core.execution.run import Run
from support.windows import toy_competition


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Return a truth file and three systems, of which the best and the worst swap one answer."""
    made = toy_competition.files(tmp_path / "files")
    best, worst = (made[place].read_text("utf-8").splitlines() for place in (1, 3))
    at = next(row for row, line in enumerate(best) if line.startswith("n5 "))
    best[at], worst[at] = worst[at], best[at]
    for place, lines in ((1, best), (3, worst)):
        made[place].write_text("\n".join([*lines, ""]), "utf-8")
    return made


@pytest.fixture
def items(qtbot, scored):
    scored.show_page("items")
    qtbot.waitUntil(lambda: scored.page.id == "items" and scored.page.evaluation is not None)
    return scored.page


def column(page, name):
    return next(one for one in page.view.table.table_model.columns if one.name == name)


def test_the_button_shows_the_suspects_first_in_two_columns(qtbot, scored, items) -> None:
    names = [one.name for one in items.view.table.table_model.columns]
    assert "discrimination" not in names
    qtbot.mouseClick(items.suspects.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(items.view.list.extra))
    desk, task = scored.session.desk, scored.session.task
    expected = assess_items(desk, task, scored.session.profile, Run())
    ids = items.evaluation.items.ids
    assert items.view.list.line.query == "suspect > 0"
    shown = [ids[row] for row in items.view.table.table_model.rows.tolist()]
    assert shown == ["n5"]
    assert shown == [expected.ids[one.row] for one in expected.suspects]
    found = dict(zip(ids, column(items, "discrimination").values.tolist(), strict=True))
    known = dict(zip(expected.ids, expected.discrimination.tolist(), strict=True))
    np.testing.assert_equal(found, {key: known[key] for key in ids})


def test_the_columns_stay_with_another_system_and_are_in_no_export(
    qtbot, scored, items, tmp_path
) -> None:
    items.show_suspects()
    qtbot.waitUntil(lambda: bool(items.view.list.extra))
    items.view.list.line.clear()
    first = items.evaluation.system
    scored.session.select(system="system C" if first != "system C" else "system A")
    qtbot.waitUntil(lambda: items.evaluation.system != first)
    assert column(items, "suspect") is not None
    assert not items.view.table.isColumnHidden(
        [one.name for one in items.view.table.table_model.columns].index("suspect")
    )
    export = next(one for one in items.exports() if one.pattern == "*.csv")
    scored.files.export(export, tmp_path / "items.csv")
    assert "suspect" not in (tmp_path / "items.csv").read_text("utf-8").splitlines()[0]
