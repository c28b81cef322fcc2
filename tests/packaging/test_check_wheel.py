"""The check of a wheel names missing and superfluous files."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "bundle" / "check_wheel.py"


@pytest.fixture(scope="module")
def check():
    spec = importlib.util.spec_from_file_location("packaging_check_wheel", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def names(check):
    """Return the files of a valid wheel."""
    compiled = [f"{module.replace('.', '/')}.cpython-311.so" for module in check.compiled_modules()]
    others = ["py.typed", "resources/guide.md", "resources/selftest/vectors.json"]
    licences = [f"jurydesk-1.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")]
    return [*compiled, *(f"jurydesk/{name}" for name in others), *licences]


def test_a_valid_wheel_has_no_fault(check, names):
    assert list(check.faults(names)) == []
    assert len(check.compiled_modules()) >= 6


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("core/version.py", "The wheel installs core, jurydesk, not jurydesk alone."),
        ("jurydesk/core/_beam.c", "jurydesk/core/_beam.c does not belong into a wheel."),
        (
            "jurydesk/__pycache__/a.py",
            "jurydesk/__pycache__/a.py does not belong into a wheel.",
        ),
    ],
)
def test_a_superfluous_file_is_named(check, names, more, sentence):
    assert list(check.faults([*names, more])) == [sentence]


def test_each_missing_file_is_named(check, names):
    for gone in names:
        (sentence,) = check.faults([name for name in names if name != gone])
        assert "is missing" in sentence
