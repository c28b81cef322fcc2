from __future__ import annotations

import numpy as np

from jurydesk.core.analysis.comparison.pairwise import PairedItems
from jurydesk.core.cli.text.pairwise_text import _largest_differences


def test_the_ten_items_with_the_largest_differences_are_listed() -> None:
    ids = tuple(f"n{number}" for number in range(12))
    items = PairedItems(ids, np.arange(12.0), np.zeros(12), higher_is_better=True)
    _, *rows = _largest_differences(items, ("one", "other"), 1)
    assert [row.split()[0] for row in rows] == [f"n{number}" for number in range(11, 1, -1)]
