"""The pinned requirements of the packaged program fit what the project asks for."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ADVICE = "run packaging/pins.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pins", ROOT / "packaging" / "pins.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PINS = script()


def pinned(flavour: str) -> dict[str, str]:
    lines = (ROOT / "packaging" / "requirements" / f"{flavour}.txt").read_text().splitlines()
    pairs = (line.partition(";")[0].split("==") for line in lines if not line.startswith("#"))
    return {name: version.strip() for name, version in pairs}


@pytest.mark.parametrize("flavour", PINS.EXTRAS)
def test_every_requirement_has_a_pin_that_satisfies_it(flavour):
    pins = pinned(flavour)
    for line in PINS.requirements(PROJECT, PINS.EXTRAS[flavour]):
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"python_version": "3.11"}):
            version = pins.get(PINS.normal(wanted.name), "0")
            assert version in wanted.specifier, f"{line}: {ADVICE}"


def test_both_flavours_have_the_same_versions():
    small, large = pinned("desk"), pinned("desk-neural")
    assert small.items() <= large.items(), ADVICE


def test_pytorch_is_in_one_flavour_alone():
    assert "torch" in pinned("desk-neural")
    assert "torch" not in pinned("desk")


def test_what_pytorch_needs_on_linux_is_asked_for_there_alone():
    assert PINS.pinned("nvidia-cublas==13.4") == "nvidia-cublas==13.4; sys_platform == 'linux'"
    assert PINS.pinned("numpy==2.4.6") == "numpy==2.4.6"
