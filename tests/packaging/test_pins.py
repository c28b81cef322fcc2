"""The pinned requirements of package and set-up satisfy the project's requirements."""

from __future__ import annotations

import importlib.metadata
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


def requirements_path(flavour: str) -> Path:
    return ROOT / "packaging" / "requirements" / f"{flavour}.txt"


def text_of(flavour: str) -> str:
    return requirements_path(flavour).read_text()


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


def test_the_list_of_the_neural_add_on_is_what_only_the_larger_package_has():
    listed = PINS.blocks(ROOT / "resources" / "add_ons" / "neural.txt")
    small, large = (PINS.blocks(path) for path in map(requirements_path, PINS.FLAVOURS))
    wanted = {name: text for name, text in large.items() if name not in small}
    assert listed == {name: wanted[name] for name in wanted.keys() - PINS.LEFT_OUT}, ADVICE


def test_the_package_holds_whole_what_wheels_of_the_add_on_require_of_it():
    """Only what the program imports would be collected of them otherwise."""
    spec = (ROOT / "packaging" / "bundle" / "jurydesk.spec").read_text()
    shared = re.search(r"^SHARED = (\{.*?^\})", spec, re.MULTILINE | re.DOTALL)[1]
    whole = {PINS.normal(name) for name in eval(re.sub("#.*", "", shared)).values()}
    known = {one.name.lower(): one for one in importlib.metadata.distributions()}
    listed = PINS.blocks(ROOT / "resources" / "add_ons" / "neural.txt").keys() & known.keys()
    required = (Requirement(line) for name in listed for line in known[name].requires or ())
    bare = {"extra": "", "sys_platform": "linux"}
    names = {
        PINS.normal(one.name) for one in required if not one.marker or one.marker.evaluate(bare)
    }
    unused = {"setuptools", "colorama"}  # PyTorch's builder of extensions; consoles of Windows
    assert names & pinned("desk").keys() - unused <= whole


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
