"""The pinned requirements of package and set-up satisfy the project's requirements."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ADVICE = "run packaging/bundle/pins.py"


def script() -> ModuleType:
    path = ROOT / "packaging" / "bundle" / "pins.py"
    spec = importlib.util.spec_from_file_location("pins", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PINS = script()


def text_of(flavour: str) -> str:
    return (ROOT / "packaging" / "requirements" / f"{flavour}.txt").read_text()


def pinned(flavour: str) -> dict[str, str]:
    return PINS.pins(text_of(flavour))


@pytest.mark.parametrize("flavour", PINS.EXTRAS)
def test_every_requirement_has_a_pin_that_satisfies_it(flavour):
    pins = pinned(flavour)
    for line in PINS.requirements(PROJECT, PINS.EXTRAS[flavour]):
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"python_version": "3.11"}):
            version = pins.get(PINS.normal(wanted.name), "0")
            assert version in wanted.specifier, f"{line}: {ADVICE}"


@pytest.mark.parametrize("flavour", ["desk", "setup"])
def test_both_variants_have_the_same_versions(flavour):
    assert pinned(flavour).items() <= pinned(f"{flavour}-neural").items(), ADVICE


@pytest.mark.parametrize("flavour", ["desk", "setup"])
def test_pytorch_is_in_one_variant_only(flavour):
    assert "torch" in pinned(f"{flavour}-neural")
    assert "torch" not in pinned(flavour)


@pytest.mark.parametrize("flavour", PINS.EXTRAS)
def test_every_package_has_one_version_and_hashes_of_its_files(flavour):
    blocks = text_of(flavour).replace("\\\n", "").splitlines()[1:]
    assert len(blocks) == len(pinned(flavour)), ADVICE
    for block in blocks:
        assert re.fullmatch(r"\S+==[^;]+?(;[^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", block), block


@pytest.mark.parametrize("flavour", PINS.EXTRAS)
def test_no_registry_is_named(flavour):
    assert "://" not in text_of(flavour)
    assert "index-url" not in text_of(flavour)


def test_requirements_of_pytorch_for_linux_are_limited_to_linux():
    lines = [line for line in text_of("desk-neural").splitlines() if line.startswith("nvidia-")]
    assert len(lines) >= 10
    assert [line for line in lines if "sys_platform == 'linux'" not in line] == []


def test_actions_of_workflows_are_named_by_their_commits():
    lines = [
        line
        for path in (ROOT / ".github" / "workflows").iterdir()
        for line in path.read_text().splitlines()
        if "uses:" in line
    ]
    assert len(lines) >= 4
    for line in lines:
        assert re.fullmatch(r"\s*- uses: [\w./-]+@[0-9a-f]{40} +# v\d+\.\d+\.\d+", line), line
