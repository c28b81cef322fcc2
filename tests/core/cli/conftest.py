"""The toy competition as an installed plug-in, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from support import toy
from support.plug_ins.installation import Outcome, plug_in

TRUTH = {"a": 1.0, "b": 2.0, "c": 3.0}


@pytest.fixture
def jurydesk(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Return the command line, called in this process."""

    def call(*arguments: object, **options: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments], **options)
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture(autouse=True)
def toy_competition(tmp_path_factory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Return the competition `toy`, as an installed plug-in."""
    monkeypatch.syspath_prepend(plug_in(tmp_path_factory.mktemp("site"), "toy", "support.toy:TASK"))
    registry.cache_clear()
    yield
    registry.cache_clear()


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    return toy.write(tmp_path / "truth.txt", TRUTH)


@pytest.fixture
def near(tmp_path: Path) -> Path:
    return toy.write(tmp_path / "near.txt", {"a": 1.0, "b": 2.25, "c": 3.0})


@pytest.fixture
def far(tmp_path: Path) -> Path:
    return toy.write(tmp_path / "far.txt", {"a": 1.5, "b": 2.5, "c": 3.5})


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.txt"
    path.write_text("a 1\nb two\n")
    return path
