"""What is known of the items of a desk, whichever system is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.units import ResamplingUnits, resampling_units
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk.item_queries import load_item_columns
from jurydesk.core.model.evaluation import FloatArray

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run


class ItemAttributes:
    """Numbers and texts of items (or of the units that hold them); made when somebody asks.

    They are those of the systems of one profile, the first of `summaries`. Where a number differs
    between systems, its mean over them counts.
    """

    def __init__(self, desk: Desk, task: AnyTask, summaries: Sequence[Summary], run: Run) -> None:
        scored = [one for one in summaries if one.id]
        if not scored:
            raise ValueError("items are known of systems that were scored")
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
        """Every name that a query may use: texts first, then numbers."""
        return ("id", *dict.fromkeys((*self._texts, *self._first.columns)))

    def _entries(self, names: tuple[str, ...]) -> list[ResamplingUnits]:
        """The systems' items with these columns; units have all of theirs."""
        wanted = None if self._task.scoring.units is not None else names
        found = []
        for key in self._keys:
            self._run.check()
            items = load_item_columns(self._desk, key, wanted)
            found.append(resampling_units(self._task, items, self._profile))
        return found

    def number(self, name: str) -> FloatArray | None:
        """A column (ids,), NaN where no system knows the item; None where there is no such."""
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
        """A text of each item (ids,), empty where it is not known; None where there is no such."""
        if name == "id":
            return list(self.ids)
        if name not in self._texts:
            return None
        known = dict(zip(self._items.ids, self._texts[name](), strict=True))
        return [known.get(key, "") for key in self.ids]

    def told(self) -> list[str]:
        """What a reader sees of each item (ids,), as far as it is the same for all systems."""
        if self._items.evidence is None:
            return [""] * len(self.ids)
        found = {}
        rows = self._first.rows.tolist()
        for number, (key, row) in enumerate(zip(self._first.ids, rows, strict=True)):
            self._run.report(number, len(rows), "reading the items")
            passages = self._task.explain(self._items.show(row))
            found[key] = "\n".join(one.text for one in passages if one.shared)
        return [found.get(key, "") for key in self.ids]
