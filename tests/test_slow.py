"""The list of slow tests, and its generation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.suite.slow_tests import SECONDS, encoded, slow_tests, slower_than

PROJECT = Path(__file__).parent.parent


def collected(*arguments: str) -> set[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-q", *arguments]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    return {line.partition(": ")[0] for line in done.stdout.splitlines() if ".py: " in line}


def test_slow_tests_are_left_out_and_the_others_stay():
    with_slow = "tests/core/desk/test_killing.py"
    assert any(name.startswith(f"{with_slow}::") for name in slow_tests())
    fast = "tests/core/system/test_blas.py"
    assert collected(with_slow, fast, "-m", "not slow") == {fast}
    assert collected(with_slow, fast, "-m", "slow") == {with_slow}


def test_the_list_is_in_order_and_ascii():
    names = (PROJECT / "tests" / "slow_tests.txt").read_text(encoding="ascii").splitlines()
    assert names == sorted(set(names))


def test_the_processor_time_of_a_test_is_recorded(tmp_path):
    records = tmp_path / "cpu.jsonl"
    command = [sys.executable, "-m", "pytest", "tests/core/system/test_blas.py"]
    subprocess.run([*command, "--record-cpu", records], cwd=PROJECT, check=True)
    found = dict(map(json.loads, records.read_text().splitlines()))
    assert len(found) == 3
    assert all(name.startswith("tests/core/system/test_blas.py::") for name in found)
    assert all(0 <= seconds < 60 for seconds in found.values())


def test_only_slower_tests_are_listed():
    records = [json.dumps([name, taken]) for name, taken in [("b", 1.0), ("a", 0.3), ("a", 0.5)]]
    assert slower_than(SECONDS, records) == ["a", "b"]
    assert slower_than(0.8, records) == ["b"]


@pytest.mark.parametrize(("name", "line"), [("a[1]", "a[1]"), ("a[é\n]", "a[\\xe9\\n]")])
def test_a_name_is_one_line(name, line):
    assert encoded(name) == line
