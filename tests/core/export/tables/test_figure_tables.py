from __future__ import annotations

from jurydesk.core.export.tables.figure_tables import tick_label
from jurydesk.core.model.evaluation import Axis


def test_a_row_without_a_label_has_its_number() -> None:
    axis = Axis("grade", labels=("low", "high"))
    assert [tick_label(axis, row) for row in range(3)] == ["low", "high", "3"]
