"""Registry of inspectors and panels: built-in views, packages, and broken packages."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module

import pytest

from jurydesk.app.inspectors.generic_inspector import GenericInspector
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.inspector_registry import (
    COMPARISONS,
    INSPECTORS,
    PANELS,
    BrokenViewError,
    abstract_methods,
    make_inspector,
    show_item,
)
from jurydesk.app.pages.compare.compare_cards import InspectorPairCard
from jurydesk.app.plots.plot import Plot
from jurydesk.app.style.theme import px
from jurydesk.core.competition.task import JsonEvidence
from jurydesk.core.competition.task_registry import registry
from support import toy
from support.windows.accessible_names import nameless_controls

PLOTS = [
    "jurydesk.app.plots.bars",
    "jurydesk.app.plots.curve",
    "jurydesk.app.inspectors.densecap.cell_card",
    "jurydesk.app.plots.histogram",
    "jurydesk.app.pages.compare.compare_cards",
]
ITEM = InspectedItem("a", "system", JsonEvidence({"Text": "words"}), {}, {})
PLUGIN = """
from jurydesk.app.inspectors.inspector import Inspector

class Whole(Inspector):
    def show_item(self, item):
        self.setWindowTitle(item.id)

class Half(Inspector):
    pass

class Failing(Inspector):
    def show_item(self, item):
        raise RuntimeError("no such colour")
"""
COMPARISON = """
from jurydesk.app.inspectors.comparison import Comparison

class Both(Comparison):
    least_width = 300

    def show_names(self, systems, values):
        self.systems = systems

    def show_items(self, first, second):
        self.setWindowTitle(f"{first.system} and {second.system}")

class Sulking(Both):
    def show_items(self, first, second):
        raise RuntimeError("no such colour")

class Nameless(Both):
    def show_names(self, systems, values):
        raise RuntimeError("no such name")

class Partial(Comparison):
    def show_names(self, systems, values):
        pass
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install inspectors by entry points, as a package does."""
    (tmp_path / "their_views.py").write_text(PLUGIN + COMPARISON)
    info = tmp_path / "their_views-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-views\nVersion: 1.0\n")
    names = {
        "whole": "their_views:Whole",
        "half": "their_views:Half",
        "single": "their_views:Whole",
        "failing": "their_views:Failing",
        "text": "json:dumps",
        "lost": "nowhere_at_all:View",
    }
    lines = "".join(f"{name} = {place}\n" for name, place in names.items())
    pairs = {
        "whole": "their_views:Both",
        "half": "their_views:Partial",
        "failing": "their_views:Sulking",
        "text": "their_views:Nameless",
        "captions": "their_views:Both",
    }
    both = "".join(f"{name} = {place}\n" for name, place in pairs.items())
    (info / "entry_points.txt").write_text(
        f"[jurydesk.inspectors]\n{lines}[jurydesk.comparisons]\n{both}"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("their_views", None)


@pytest.mark.parametrize("views", [INSPECTORS, COMPARISONS, PANELS], ids=lambda views: views.file)
def test_each_view_implements_its_contract(views):
    for module in views.modules:
        view = getattr(import_module(module), views.file.upper())
        assert issubclass(view, views.kind)
        assert abstract_methods(view) == []


@pytest.mark.parametrize("views", [INSPECTORS, PANELS], ids=("inspectors", "panels"))
def test_every_control_of_a_view_has_an_accessible_name(qtbot, views):
    for module in views.modules:
        view = views.make(module.split(".")[-2])
        qtbot.addWidget(view)
        assert nameless_controls(view) == [], module


@pytest.mark.parametrize("id", sorted(registry().tasks))
def test_every_competition_names_views_that_exist(qtbot, id):
    declared = registry().tasks[id].presentation
    inspector, problem = make_inspector(declared.inspector)
    qtbot.addWidget(inspector)
    assert problem == ""
    panel = PANELS.make(declared.panel)
    if panel is not None:
        qtbot.addWidget(panel)


@pytest.mark.parametrize("module", PLOTS)
def test_each_plot_implements_its_contract(module):
    found = vars(import_module(module)).values()
    plots = [view for view in found if isinstance(view, type) and issubclass(view, Plot)]
    assert [one for one in plots if one is not Plot and abstract_methods(one)] == []
    assert abstract_methods(Plot) == ["draw", "mark", "row_near"]


def test_the_modules_of_built_in_views_are_known():
    assert (
        "jurydesk.app.inspectors.keyword_spotting.keyword_spotting_inspector" in INSPECTORS.modules
    )
    assert set(PANELS.modules) == {
        "jurydesk.app.inspectors.densecap.densecap_panel",
        "jurydesk.app.inspectors.fusionbrain.fusionbrain_panel",
    }


def test_a_competition_without_views_has_the_generic_inspector_and_no_panel(qtbot):
    inspector, problem = make_inspector("")
    qtbot.addWidget(inspector)
    assert (type(inspector), problem) == (GenericInspector, "")
    assert PANELS.make("") is None


def test_the_inspector_of_a_package_is_found_by_its_entry_point(qtbot, package):
    inspector, problem = make_inspector("whole")
    qtbot.addWidget(inspector)
    assert (type(inspector).__name__, problem) == ("Whole", "")
    assert show_item(inspector, ITEM) == ""
    assert inspector.windowTitle() == "a"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("half", "TypeError: Half does not implement show_item"),
        ("text", "is not a subclass of Inspector"),
        ("lost", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("absent", "The inspector of this competition is not installed: absent."),
    ],
)
def test_a_broken_inspector_of_a_package_is_replaced_by_the_generic_one(
    qtbot, package, caplog, name, problem
):
    inspector, reason = make_inspector(name)
    qtbot.addWidget(inspector)
    assert type(inspector) is GenericInspector
    assert problem in reason
    assert [one.exc_info is not None for one in caplog.records] == [True] * (name != "absent")
    with pytest.raises(BrokenViewError):
        INSPECTORS.make(name)
    caplog.clear()


def test_a_package_that_cannot_show_an_item_is_reported_and_logged_but_own_code_raises(
    qtbot, package, monkeypatch, caplog
):
    inspector, _ = make_inspector("failing")
    qtbot.addWidget(inspector)
    reason = "The inspector cannot show this item. RuntimeError: no such colour"
    assert show_item(inspector, ITEM) == reason
    assert "no such colour" in caplog.text
    caplog.clear()
    ours, _ = make_inspector("")
    qtbot.addWidget(ours)
    monkeypatch.setattr(ours, "show_item", type(inspector)(None).show_item)
    with pytest.raises(RuntimeError):
        show_item(ours, ITEM)


def compared(qtbot, name):
    """Return the card of Compare with an item of both systems in the views of that name."""
    card = InspectorPairCard()
    qtbot.addWidget(card)
    card.begin(name)
    for place in (0, 1):
        card.make_side(place)
    card.show_names(("a", "a"), ("one", "two"))
    for place, system in enumerate(("one", "two")):
        card.show_side(place, replace(ITEM, system=system))
    return card


def test_compare_shows_both_systems_in_the_comparison_of_a_package(qtbot, package):
    card = compared(qtbot, "whole")
    assert (card.comparison.systems, card.comparison.windowTitle()) == (
        ("one", "two"),
        "one and two",
    )
    assert not card.comparison.isHidden()
    assert (card.inspectors, card.reason.text()) == ((), "")
    assert px(300) <= card.full_width() < px(400)
    card.begin("")
    assert card.comparison is None


def test_a_package_without_a_comparison_and_our_own_inspectors_have_theirs(qtbot, package):
    card = compared(qtbot, "single")
    assert (card.comparison, len(card.inspectors)) == (None, 2)
    assert type(COMPARISONS.make("captions")).__name__ == "CaptionComparison"


def test_two_inspectors_stand_in_for_a_broken_comparison_with_the_reason(qtbot, package, caplog):
    card = compared(qtbot, "half")
    assert (card.comparison, len(card.inspectors)) == (None, 2)
    assert card.reason.text().startswith("The comparison “half” cannot be used. ")
    assert "Partial does not implement show_items" in card.reason.text()
    caplog.clear()


@pytest.mark.parametrize(
    ("name", "reason"), [("failing", "no such colour"), ("text", "no such name")]
)
def test_a_comparison_that_cannot_show_an_item_is_reported_and_logged(
    qtbot, package, caplog, name, reason
):
    card = compared(qtbot, name)
    said = f"The comparison cannot show this item. RuntimeError: {reason}"
    assert (card.reason.text(), card.reason.isHidden()) == (said, False)
    assert reason in caplog.text
    caplog.clear()


def test_a_package_that_cannot_explain_an_item_is_reported(qtbot):
    def explain(evidence):
        raise KeyError("colour")

    presentation = replace(toy.TASK.presentation, explain_item=explain)
    inspector, _ = make_inspector("")
    qtbot.addWidget(inspector)
    item = replace(ITEM, task=replace(toy.TASK, presentation=presentation))
    assert show_item(inspector, item) == ""
    assert inspector.selection_text(headers=False) == (
        "Without explanation\nToy cannot explain this item. KeyError: 'colour'"
    )


def test_the_contract_of_an_inspector_is_one_method():
    assert abstract_methods(Inspector) == ["show_item"]
