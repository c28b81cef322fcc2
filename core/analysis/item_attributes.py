"""Attributes of the items of a desk, independent of the system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import FloatArray

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


class ItemAttributes:
    """Numbers and texts of items (or of units with several items), loaded on request.

    They come from the systems of one profile, the first of `summaries`. A number that differs
    between systems is their mean.
    """

    def __init__(self, desk: Desk, task: AnyTask, summaries: Sequence[Summary], run: Run) -> None:
        scored = [one for one in summaries if one.id]
        if not scored:
            raise ValueError("item attributes need a scored system")
        self._desk, self._task, self._run = desk, task, run
        self._profile = scored[0].profile
        self._keys = [one.id for one in scored if one.profile == self._profile]
        self._items = desk.load(self._keys[0], task.readers.load_evidence).items
        self._first = resampling_units(task, self._items, self._profile)
        self._texts = task.presentation.attributes(self._items)
        found = self._entries(())
        self.ids: tuple[str, ...] = tuple(dict.fromkeys(key for one in found for key in one.ids))
        nouns = self._first.noun
        self.noun: tuple[str, str] = (nouns.removesuffix("s"), nouns) if nouns else task.item_noun

    @property
    def names(self) -> tuple[str, ...]:
        """Names that a query may use: texts first, then numbers."""
        return ("id", *dict.fromkeys((*self._texts, *self._first.columns)))

    def _entries(self, names: tuple[str, ...]) -> list[ResamplingUnits]:
        """Load the systems' items with these columns; units have all of theirs."""
        columns = None if self._task.scoring.units is not None else names
        found = []
        for key in self._keys:
            self._run.check()
            items = load_item_columns(self._desk, key, columns)
            found.append(resampling_units(self._task, items, self._profile))
        return found

    def number(self, name: str) -> FloatArray | None:
        """Return a column (ids,), NaN where no system has a value; None for an unknown column."""
        if name not in self._first.columns:
            return None
        place = {key: row for row, key in enumerate(self.ids)}
        total, known = np.zeros(len(self.ids)), np.zeros(len(self.ids))
        for one in self._entries((name,)):
            values = one.columns.get(name, np.full(len(one.ids), np.nan))
            finite = np.isfinite(values)
            rows = np.array([place[key] for key in one.ids], np.int64)[finite]
            total[rows] += values[finite]
            known[rows] += 1
        return np.where(known > 0, total / np.maximum(known, 1), np.nan)

    def text(self, name: str) -> list[str] | None:
        """Return a text per item (ids,), empty if unknown; None for an unknown name."""
        if name == "id":
            return list(self.ids)
        if name not in self._texts:
            return None
        known = dict(zip(self._items.ids, self._texts[name](), strict=True))
        return [known.get(key, "") for key in self.ids]

    def explanations(self) -> list[str]:
        """Return the explanation of each item (ids,) as far as it is the same for all systems."""
        if self._items.evidence is None:
            return [""] * len(self.ids)
        found = {}
        rows = self._first.rows.tolist()
        for number, (key, row) in enumerate(zip(self._first.ids, rows, strict=True)):
            self._run.report(number, len(rows), translatable("reading the items"))
            passages = self._task.explain(self._items.show(row))
            found[key] = "\n".join(one.text for one in passages if one.shared)
        return [found.get(key, "") for key in self.ids]
