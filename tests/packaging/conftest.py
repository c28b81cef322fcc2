"""Set-up script and its parts; the project is an empty folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parent.parent.parent / "packaging"
PARTS = ("commands", "python", "system", "locks", "environment", "tests")


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Return `bootstrap` and each of its parts, as the script itself would import them."""
    loaded = {}
    for name in (*(f"bootstrap_parts.{part}" for part in PARTS), "bootstrap"):
        path = PACKAGING / f"{name.replace('.', '/')}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        loaded[name] = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, loaded[name])
        spec.loader.exec_module(loaded[name])
    commands, environment = (
        loaded["bootstrap_parts.commands"],
        loaded["bootstrap_parts.environment"],
    )
    for module in (commands, environment, loaded["bootstrap_parts.tests"], loaded["bootstrap"]):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(commands, "LOG", tmp_path / "build" / "setup.log")
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "LINKS", tmp_path / "build" / "tree" / "jurydesk")
    monkeypatch.setattr(environment, "UV", tmp_path / "build" / "uv")
    monkeypatch.setattr(environment, "STAMP", tmp_path / ".venv" / "jurydesk-setup.json")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / ".venv").mkdir()
    return loaded


@pytest.fixture
def bootstrap(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap"]


@pytest.fixture
def commands(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap_parts.commands"]


@pytest.fixture
def environment(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap_parts.environment"]


@pytest.fixture
def locks(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap_parts.locks"]


@pytest.fixture
def system(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap_parts.system"]


@pytest.fixture
def tests(parts: dict[str, ModuleType]) -> ModuleType:
    return parts["bootstrap_parts.tests"]
