"""The table of dense captions before and after their captions are read."""

from __future__ import annotations

import numpy as np

from jurydesk.app.inspectors.densecap.densecap_panel_model import dense_columns
from jurydesk.core.tables.columns import TextColumn
from jurydesk.core.tables.sort_order import BLOCK_TEXTS


class Items:
    """Return items with `count` detections, without captions."""

    captions = None

    def __init__(self, count: int) -> None:
        self.evaluation = self
        self.items = self
        self.ids = [f"{number // 100}-{number % 100}" for number in range(count)]
        numbers = np.arange(count, dtype=np.float64)
        self.columns = dict.fromkeys(("overlap", "meteor", "score", "rank"), numbers)


def test_every_text_column_sorts_while_captions_are_read():
    count = 2 * BLOCK_TEXTS + 7
    columns = dense_columns(Items(count), np.zeros(count, np.int8))
    texts = [column for column in columns if isinstance(column, TextColumn)]
    assert [len(column.key) for column in texts] == [count] * len(texts)
    assert [len(column.folded) for column in texts] == [count] * len(texts)
    assert not next(column.key for column in texts if column.name == "caption").any()
