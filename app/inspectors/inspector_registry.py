"""Registry of inspectors, comparisons, panels: folders beside this file, and packages' own."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtWidgets import QWidget

import jurydesk.app.inspectors
from jurydesk.app.inspectors.comparison import Comparison
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.panel import Panel
from jurydesk.core.competition.plug_ins import entry_points_of, load_plug_in
from jurydesk.core.competition.task import is_own_code
from jurydesk.core.competition.task_registry import load_error
from jurydesk.core.language import translatable, translate

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

log = logging.getLogger("jurydesk")

View = TypeVar("View", bound=QWidget)


class BrokenViewError(Exception):
    """A view of an installed package is missing or cannot be created; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class ViewRegistry(Generic[View]):
    """Views of one kind, by the name in a competition's declaration.

    The built-in view `vist` is the class `INSPECTOR` of `vist/vist_inspector.py`. A plug-in
    registers its class as an entry point of the group; that of a comparison has the name of the
    inspector.
    """

    kind: type  # not type[View], of which an abstract class is no value
    file: str
    group: str

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules of the built-in views."""
        return tuple(_modules(self.file).values())

    def is_loaded(self, name: str) -> bool:
        """Return whether creating the view of that name imports nothing."""
        return _modules(self.file).get(name, "") in sys.modules

    def has_own(self, name: str) -> bool:
        """Return whether the program itself has a view of that name."""
        return name in _modules(self.file)

    def is_installed(self, name: str) -> bool:
        """Return whether an installed package has a view of that name."""
        return self._entry(name) is not None

    def own_class(self, name: str) -> type[View]:
        """Return the class of the program's own view of that name."""
        found: type[View] = getattr(import_module(_modules(self.file)[name]), self.file.upper())
        return found

    def make(self, name: str) -> View | None:
        """Return a new view of that name; None for an empty name.

        Raises BrokenViewError if a package's view cannot be created.
        """
        if not name:
            return None
        if self.has_own(name):
            return self._create(self.own_class(name))
        entry = self._entry(name)
        if entry is None:
            raise BrokenViewError(
                translate(
                    "The {file} of this competition is not installed: {name}.",
                    file=self.file,
                    name=name,
                )
            )
        # A plug-in is foreign code that may raise anything.
        try:
            return self._create(load_plug_in(entry))
        except Exception as error:
            log.exception("%s", name)
            said = translate("The {file} “{name}” cannot be used.", file=self.file, name=name)
            raise BrokenViewError(f"{said} {load_error(error)}") from error

    def _entry(self, name: str) -> EntryPoint | None:
        entries, _ = entry_points_of(self.group)
        return next((one for one in entries if one.name == name), None)

    def _create(self, view: type[View]) -> View:
        """Return a new view, after checks that Qt's classes do not make."""
        if not (isinstance(view, type) and issubclass(view, self.kind)):
            raise TypeError(f"{view!r} is not a subclass of {self.kind.__name__}")
        if lacking := abstract_methods(view):
            raise TypeError(f"{view.__name__} does not implement {', '.join(lacking)}")
        return view()


@cache
def _modules(file: str) -> dict[str, str]:
    """Return the modules of that kind in the folders beside this one, by folder."""
    folders = [
        found.name for found in iter_modules(jurydesk.app.inspectors.__path__) if found.ispkg
    ]
    package = jurydesk.app.inspectors.__name__
    modules = {name: f"{package}.{name}.{name}_{file}" for name in sorted(folders)}
    return {folder: module for folder, module in modules.items() if find_spec(module)}


def abstract_methods(view: type) -> list[str]:
    """Return the abstract methods that a class does not implement."""
    members = ((name, getattr(view, name)) for name in dir(view))
    return [name for name, member in members if getattr(member, "__isabstractmethod__", False)]


INSPECTORS: ViewRegistry[Inspector] = ViewRegistry(Inspector, "inspector", "jurydesk.inspectors")
COMPARISONS: ViewRegistry[Comparison] = ViewRegistry(
    Comparison, "comparison", "jurydesk.comparisons"
)
PANELS: ViewRegistry[Panel] = ViewRegistry(Panel, "panel", "jurydesk.panels")


def make_inspector(name: str) -> tuple[Inspector, str]:
    """Return the inspector of that name, else the generic one.

    The second value is a sentence if the inspector of an installed package is broken.
    """
    from jurydesk.app.inspectors.generic_inspector import GenericInspector

    try:
        return INSPECTORS.make(name) or GenericInspector(), ""
    except BrokenViewError as error:
        return GenericInspector(), str(error)


def has_comparison(name: str) -> bool:
    """Return whether the inspector of that name has a comparison.

    Installed packages, whose search takes time, are asked only about inspectors of packages.
    """
    if not name or INSPECTORS.has_own(name):
        return COMPARISONS.has_own(name)
    return COMPARISONS.is_installed(name)


def make_comparison(name: str) -> tuple[Comparison | None, str]:
    """Return the comparison of that name; None with a sentence if that of a package is broken."""
    try:
        return COMPARISONS.make(name), ""
    except BrokenViewError as error:
        return None, str(error)


NO_ITEM = translatable("The inspector cannot show this item.")
NO_PAIR = translatable("The comparison cannot show this item.")


def show_item(inspector: Inspector, item: InspectedItem) -> str:
    """Show an item; return a sentence if the code of an installed package fails."""
    return _shown(inspector, partial(inspector.show_item, item), NO_ITEM)


def show_items(comparison: Comparison, first: InspectedItem, second: InspectedItem) -> str:
    """Show an item of both systems; return a sentence if the code of a package fails."""
    return _shown(comparison, partial(comparison.show_items, first, second), NO_PAIR)


def show_names(comparison: Comparison, systems: tuple[str, str], values: tuple[str, str]) -> str:
    """Give a comparison its names; return a sentence if the code of a package fails."""
    return _shown(comparison, partial(comparison.show_names, systems, values), NO_PAIR)


def _shown(view: QWidget, show: Callable[[], None], failure: str) -> str:
    try:
        show()
    except Exception as error:
        if is_own_code(type(view)):
            raise
        log.exception("%s", failure)
        return f"{translate(failure)} {type(error).__name__}: {error}"
    return ""
