from __future__ import annotations

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report import report_items
from jurydesk.core.model.evaluation import Passage


def test_explanations_of_a_report_have_at_most_twelve_megabytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = iter([11_999_999, 1, 1])
    monkeypatch.setattr(report_items, "_pack_base64", lambda _: "x" * next(sizes))
    ids = [f"n{number}" for number in range(3 * report_items.BLOCK)]
    texts = [{key: [Passage("Text", "a")] for key in ids}]
    packed, count = report_items._blocks(texts, ids, report_items._messages(texts), Run())
    assert (len(packed), count) == (2, 2 * report_items.BLOCK)
