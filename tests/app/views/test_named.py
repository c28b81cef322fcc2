"""Every view that a competition can name is there, whole, and of its kind."""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module

import pytest
from PySide6.QtWidgets import QWidget

from app.views.inspectors import INSPECTORS
from app.views.named import Named, missing
from app.views.panels import PANELS
from app.views.plot import Plot

PLACES = [
    (views.kind, place) for views in (INSPECTORS, PANELS) for place in views.places.values()
]  # fmt: skip
PLOTS = ["bars", "curve", "disagreement", "distribution", "precision_recall"]


class Kind(QWidget):
    """A view that shows something."""

    @abstractmethod
    def show_it(self) -> None:
        """Show it."""


class Whole(Kind):
    def show_it(self) -> None:
        self.setWindowTitle("It")


class Half(Kind):
    pass


KINDS = Named(
    Kind,
    {
        "whole": f"{__name__}:Whole",
        "half": f"{__name__}:Half",
        "label": "PySide6.QtWidgets:QLabel",
    },
)


@pytest.mark.parametrize(("kind", "place"), PLACES)
def test_each_is_of_its_kind_and_lacks_nothing(kind, place):
    module, _, name = place.partition(":")
    view = getattr(import_module(module), name)
    assert issubclass(view, kind)
    assert missing(view) == []


@pytest.mark.parametrize("module", PLOTS)
def test_each_plot_draws_marks_and_knows_what_is_near(module):
    found = vars(import_module(f"app.views.{module}")).values()
    plots = [view for view in found if isinstance(view, type) and issubclass(view, Plot)]
    assert [missing(view) for view in plots if view is not Plot] == [[]] * (len(plots) - 1)
    assert missing(Plot) == ["draw", "mark", "row_near"]


def test_a_view_is_made_by_its_name(qtbot):
    made = KINDS.make("whole")
    qtbot.addWidget(made)
    assert type(made).__name__ == "Whole"
    assert KINDS.make("nothing of that name") is None


@pytest.mark.parametrize("name", ["half", "label"])
def test_a_view_of_another_kind_or_half_done_is_refused(qtbot, name):
    with pytest.raises(TypeError, match="is no Kind"):
        KINDS.make(name)


def test_all_modules_are_known_ahead():
    assert "app.views.ranking" in INSPECTORS.modules
    assert set(PANELS.modules) == {"app.views.dense", "app.views.submission"}
