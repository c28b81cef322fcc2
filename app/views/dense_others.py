"""The other systems that dense captions are compared with."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.models.dense import DenseItems
from app.views.others import Others
from core.metrics.dense_cuts import Claims
from core.model import Evaluation


class DenseOthers(Others):
    """Keeps the records of other systems."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(_records, parent)

    @property
    def items(self) -> dict[str, DenseItems]:
        """The records of the systems that are there."""
        return self.parts

    @property
    def claims(self) -> dict[str, Claims]:
        """The claims of the systems that are there."""
        return {name: items.claims for name, items in self.parts.items()}


def _records(evaluation: Evaluation) -> DenseItems:
    items = DenseItems(evaluation)
    items.claims, items.records  # noqa: B018 - worked out here, on the worker's thread
    return items
