"""Texts of defects as users read them."""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.core.model.defects import Defect


def defect_texts(defects: Sequence[Defect]) -> list[str]:
    """Return the text of each defect."""
    return [str(defect) for defect in defects]
