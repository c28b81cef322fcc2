"""The sampler of mutants."""

from __future__ import annotations

from pathlib import Path

import mutants
import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = a < b", "x = (a <= b)"),
        ("x = a + 1", "x = (a - 1)"),
        ("x = a and b", "x = (a or b)"),
        ("x = not a", "x = (a)"),
        ("x = a if b else c", "x = (c if b else a)"),
        ("x: int = True", "x: int = False"),
        ("f(a)", "pass"),
        ("x += a", "pass"),
        ("def f(a: int): return a", "def f(a: int): return None"),
    ],
)
def test_an_expression_or_a_statement_is_changed(before, after):
    source = before.encode()
    texts = [
        source[: one.start].decode() + one.after + source[one.end :].decode()
        for one in mutants.mutants_of("x.py", source)
    ]
    assert after in texts


def test_texts_and_annotations_stay():
    source = b'"""Text."""\nx: tuple[int, 3]\ny = "a" + "b"\nz = f"{1}"\n'
    assert mutants.mutants_of("x.py", source) == []


def test_the_mirrored_tests_of_a_module_come_first():
    first, second, third = mutants.selections(ROOT, "core/statistics/inference.py", everything=True)
    assert first[0].startswith("tests/core/statistics")
    assert "tests/core/statistics/test_" not in " ".join(third)
    assert second != third


def test_a_report_counts_and_lists_the_survivors():
    killed = '{"status": "killed", "path": "a.py", "line": 1, "before": "", "after": ""}'
    survivor = '{"status": "survived", "path": "b.py", "line": 2, "before": "x|y", "after": "z"}'
    found = mutants.report([killed, survivor])
    assert found.startswith("2 mutants, 1 killed (50.0%).")
    assert found.endswith(r"| `b.py` | 2 | `x\|y` | `z` |")
