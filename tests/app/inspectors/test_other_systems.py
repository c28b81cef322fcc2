"""Data of other systems: read in a job, once for each system."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.other_systems import OtherSystemParts
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.model.evaluation import Evaluation
from support.windows.evaluations import retrieval


class Loads:
    """Counts how often each system is loaded, and on which thread."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.threads: set[object] = set()

    def __call__(self, name: str) -> Callable[[], Evaluation]:
        def load() -> Evaluation:
            self.names.append(name)
            self.threads.add(QThread.currentThread())
            return retrieval(4, name)

        return load


@pytest.fixture
def parent(qapp: object) -> QObject:
    return QObject()


def test_parts_arrive_in_the_order_of_the_systems(qtbot: QtBot, parent: QObject) -> None:
    loads = Loads()
    others = OtherSystemParts(lambda evaluation: evaluation.system.upper(), parent)
    with qtbot.waitSignal(others.arrived):
        others.read({"b": loads("b"), "a": loads("a")})
    assert list(others.parts.items()) == [("b", "B"), ("a", "A")]
    assert QThread.currentThread() not in loads.threads


def test_a_known_system_is_not_read_again(qtbot: QtBot, parent: QObject) -> None:
    loads = Loads()
    systems = {name: loads(name) for name in ("a", "b", "c")}
    others = OtherSystemParts(lambda evaluation: evaluation.system, parent)
    with qtbot.waitSignal(others.arrived):
        others.read({name: systems[name] for name in ("a", "b")})
    with qtbot.waitSignal(others.arrived):
        others.read({name: systems[name] for name in ("b", "c")})
    assert others.parts == {"b": "b", "c": "c"}
    assert loads.names == ["a", "b", "c"]


def test_a_system_that_was_scored_again_is_read_again(qtbot: QtBot, parent: QObject) -> None:
    loads = Loads()
    others = OtherSystemParts(lambda evaluation: evaluation, parent)
    for _ in range(2):
        with qtbot.waitSignal(others.arrived):
            others.read({"a": loads("a")})
    assert loads.names == ["a", "a"]


def test_parts_of_dropped_systems_are_discarded(qtbot: QtBot, parent: QObject) -> None:
    loads = Loads()
    others = OtherSystemParts(lambda evaluation: evaluation.system, parent)
    with qtbot.waitSignal(others.arrived):
        others.read({"a": loads("a")})
        others.read({})
    assert others.parts == {}


def test_a_deleted_system_is_omitted_silently(qtbot: QtBot, parent: QObject) -> None:
    def gone() -> Evaluation:
        raise DeskError("it was removed")

    loads = Loads()
    others = OtherSystemParts(lambda evaluation: evaluation.system, parent)
    with qtbot.waitSignal(others.arrived):
        others.read({"gone": gone})
        others.read({"a": loads("a")})
    assert others.parts == {"a": "a"}
