"""The sampler of mutants."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
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


def test_texts_and_annotations_are_not_changed():
    source = b'"""Text."""\nx: tuple[int, 3]\ny = "a" + "b"\nz = f"{1}"\n'
    assert mutants.mutants_of("x.py", source) == []


def test_an_assertion_of_equal_lengths_is_not_changed():
    assert mutants.mutants_of("x.py", b"x = zip(a, b, strict=True)") == []
    (mutant,) = mutants.mutants_of("x.py", b"x = zip(a, b, strict=False)")
    assert mutant.after == "True"
    (mutant,) = mutants.mutants_of("x.py", b"x = path.resolve(strict=True)")
    assert mutant.after == "False"


@pytest.mark.parametrize("call", [b"run.report(0, n + 1, f(2))", b"self._run.report(0, 1, '')"])
def test_the_figures_of_a_progress_bar_are_not_changed_but_its_whole_call_is(call):
    (mutant,) = mutants.mutants_of("x.py", call)
    assert mutant.after == "pass"


def test_the_arguments_of_other_reports_are_changed():
    changed = mutants.mutants_of("x.py", b"context.report(lines[0])")
    assert [one.after for one in changed] == ["pass", "1"]


def test_the_mirrored_tests_of_a_module_come_first():
    first, users, folder = mutants.selections(ROOT, "core/statistics/bootstrap.py")
    assert first == ["tests/core/statistics/test_bootstrap.py"]
    assert folder[0] == "tests/core/statistics"
    assert f"--deselect={first[0]}" in folder
    assert f"--deselect={users[0]}" in folder


def test_the_tests_of_a_whole_competition_come_after_those_of_a_folder():
    subtasks = "tests/core/tasks/fusionbrain/subtasks"
    module = "core/tasks/fusionbrain/subtasks/question_answering.py"
    *_, last = mutants.selections(ROOT, module)
    assert last == ["tests/core/tasks/fusionbrain", f"--ignore={subtasks}"]
    *_, last = mutants.selections(ROOT, "core/tasks/vist/story_pool.py")
    assert last[0] == "tests/core/tasks/vist"


def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tmp_path):
    (tmp_path / "core").mkdir()
    tests = tmp_path / "tests" / "core"
    tests.mkdir(parents=True)
    (tmp_path / "core" / "sums.py").write_bytes(b"def double(n): return 2 * n  # 7\n")
    (tests / "test_sums.py").write_text(
        "import runpy\n"
        "def test_two():\n    assert runpy.run_path('core/sums.py')['double'](2) == 4\n"
    )
    trials = mutants.Trials(tmp_path, 60)
    assert trials.outcome(mutants.Mutant("core/sums.py", 1, 24, 25, "*", "+")).status == "survived"
    killed = trials.outcome(mutants.Mutant("core/sums.py", 1, 22, 23, "2", "3"))
    assert (killed.status, killed.test) == ("killed", "tests/core/test_sums.py::test_two")


def test_the_tests_that_run_a_line_are_found_in_coverage_with_contexts(tmp_path):
    path = tmp_path / ".coverage"
    with closing(sqlite3.connect(path)) as data, data:
        data.executescript(
            "CREATE TABLE file (id, path); CREATE TABLE context (id, context);"
            "CREATE TABLE line_bits (file_id, context_id, numbits);"
            "INSERT INTO file VALUES (1, '/copy/core/a.py'), (2, '/copy/core/b.py');"
            "INSERT INTO context VALUES (1, ''), (2, 'tests/x.py::test_c[a|b]|run');"
        )
        lines_3_and_9 = bytes([1 << 3, 1 << 1])
        rows = [(1, 1, lines_3_and_9), (1, 2, lines_3_and_9), (2, 2, b"\xff")]
        data.executemany("INSERT INTO line_bits VALUES (?, ?, ?)", rows)
    assert mutants.tests_of_lines(path, "core/a.py", range(9, 10)) == ["tests/x.py::test_c[a|b]"]
    assert mutants.tests_of_lines(path, "core/a.py", range(4, 9)) == []
    assert mutants.tests_of_lines(path, "core/a.py", range(16, 18)) == []


def test_a_mutant_is_found_again_after_lines_before_it_were_added(tmp_path):
    (tmp_path / "a.py").write_bytes(b"x = 1\n\ny = 1\n\n\nx = 2\n")
    old = mutants.Mutant("a.py", 2, 10, 11, "1", "2")
    assert mutants.found_again(tmp_path, old) == mutants.Mutant("a.py", 3, 11, 12, "1", "2")
    assert mutants.found_again(tmp_path, replace(old, before="3")) is None


def test_a_report_counts_and_lists_the_survivors():
    killed = '{"status": "killed", "path": "a.py", "line": 1, "before": "", "after": ""}'
    survivor = '{"status": "survived", "path": "b.py", "line": 2, "before": "x|y", "after": "z"}'
    found = mutants.report([killed, survivor])
    assert found.startswith("2 mutants, 1 killed (50.0%).")
    assert found.endswith(r"| `b.py` | 2 | `x\|y` | `z` |")
