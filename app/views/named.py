"""Views that a competition names: each is imported when it is first needed, or ahead of that."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

View = TypeVar("View", bound=QWidget)


@dataclass(frozen=True, slots=True)
class Named(Generic[View]):
    """Views of one kind, by name; `places` says where each lives, as `module:class`."""

    kind: type[View]
    places: Mapping[str, str]

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules of all views."""
        return tuple(place.partition(":")[0] for place in self.places.values())

    def is_loaded(self, name: str) -> bool:
        """Whether there is a view of that name, and making it imports nothing."""
        return self.places.get(name, "").partition(":")[0] in sys.modules

    def make(self, name: str) -> View | None:
        """A new view of that name; None where this program has none.

        Raises TypeError for a view of another kind, or one that lacks what its kind asks for: Qt's
        classes make abstract ones without a word.
        """
        if name not in self.places:
            return None
        module, _, view = self.places[name].partition(":")
        found = getattr(import_module(module), view)
        if not issubclass(found, self.kind) or missing(found):
            raise TypeError(f"{self.places[name]} is no {self.kind.__name__}")
        made: View = found()
        return made


def missing(view: type) -> list[str]:
    """The abstract methods that a class does not implement."""
    return [name for name in dir(view) if _is_abstract(getattr(view, name))]


def _is_abstract(member: object) -> bool:
    return bool(getattr(member, "__isabstractmethod__", False))
