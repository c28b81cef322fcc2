"""What the user looks at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """A system, a metric and an item; empty strings where nothing is chosen."""

    system: str = ""
    metric: str = ""
    item: str = ""

    def moved(self, system: str | None, metric: str | None, item: str | None) -> Selection:
        """Another selection; what is None stays."""
        return Selection(
            self.system if system is None else system,
            self.metric if metric is None else metric,
            self.item if item is None else item,
        )
