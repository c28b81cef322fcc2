"""Running the suite: each part in its own process, one exit code for all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
WITHOUT, ONLY = "--web-engine=without", "--web-engine=only"


PATHS = ["tests/app/rating_client/test_leaks.py", "tests/core/system/test_blas.py"]


@pytest.fixture
def run(tests, monkeypatch):
    """Return a function that runs the tests with these exit codes and returns the commands."""
    monkeypatch.setattr(tests, "PARTS", tests.HALVES)

    def run(arguments: list[str], codes: list[int], **options) -> tuple[int, list[tuple]]:
        calls, left = [], iter(codes)
        monkeypatch.setattr(tests, "run_shown", lambda *given: calls.append(given) or next(left))
        monkeypatch.setattr(tests.os, "cpu_count", lambda: 1)
        return tests.run_tests(arguments, **options), calls

    return run


@pytest.mark.parametrize(
    "arguments", [[], ["--durations", "25"], ["-k", "spotting"], ["-x"], PATHS], ids=" ".join
)
def test_the_web_engine_is_tested_in_a_separate_process(tests, run, arguments):
    code, calls = run(arguments, [0, 0])
    assert code == 0
    assert [command for command, _, _ in calls] == [
        [tests.python(), "-m", "pytest", WITHOUT, *arguments],
        [tests.python(), "-m", "pytest", ONLY, *arguments],
    ]
    for _, settings, folder in calls:
        assert settings["QT_QPA_PLATFORM"] == "offscreen"
        assert folder == tests.ROOT


def test_temporary_files_are_in_memory_where_it_has_room_and_are_removed(
    tests, run, monkeypatch, tmp_path
):
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(tests, "MEMORY", memory)
    for room, folders in ((0, [memory] * 2), (1 << 62, [None] * 2)):
        monkeypatch.setattr(tests, "ROOM", room)
        _, calls = run([], [0, 0])
        used = [settings.get("TMPDIR") for _, settings, _ in calls]
        assert [one and Path(one).parent for one in used] == folders
        assert [*memory.iterdir()] == []


def test_every_test_is_in_one_part(tests):
    counts = Counter()
    for engine, *arguments in tests.PARTS:
        ignored = [word.removeprefix("--ignore=") for word in arguments if word.startswith("-")]
        assert all((PROJECT / folder).is_dir() for folder in ignored)
        for folder in (word for word in arguments if not word.startswith("-")):
            for path in (PROJECT / folder).rglob("test_*.py"):
                name = path.relative_to(PROJECT)
                in_engine = name.is_relative_to("tests/app/rating_client") == (engine == ONLY)
                if in_engine and not any(map(name.is_relative_to, ignored)):
                    counts[path] += 1
    assert counts == dict.fromkeys((PROJECT / "tests").rglob("test_*.py"), 1)


def test_parts_run_beside_each_other_and_each_shows_its_output_at_its_end(
    tests, monkeypatch, capsys
):
    both = threading.Barrier(2)

    def captured(command, settings, folder):
        both.wait(60)
        return (0, "passed") if ONLY in command else (1, "failed")

    monkeypatch.setattr(tests.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(tests, "PARTS", tests.HALVES)
    monkeypatch.setattr(tests, "run_captured", captured)
    assert tests.run_tests(["-v"]) == 1
    found = capsys.readouterr().out
    assert f"{WITHOUT}\nfailed\n" in found
    assert f"{ONLY}\npassed\n" in found


@pytest.mark.parametrize(
    ("argument", "one_by_one"),
    [
        ("tests", True),
        ("tests/app", True),
        ("/home/x/tests/core/test_a.py::test_b", True),
        ("-n", True),
        ("-nauto", True),
        ("--numprocesses=2", True),
        ("-x", False),
        ("spotting", False),
        ("--record-cpu=build/cpu.jsonl", False),
    ],
)
def test_paths_and_pytest_xdist_have_one_part_run_after_the_other(tests, argument, one_by_one):
    assert tests.names_tests_or_processes(argument) == one_by_one


@pytest.mark.parametrize(
    ("codes", "combined"),
    [
        ([0, 0], 0),
        ([1, 0], 1),
        ([0, 1], 1),
        ([2, 1], 2),
        ([-signal.SIGSEGV, 0], 139),
        ([0, -signal.SIGKILL], 137),
        ([-signal.SIGSEGV, 1], 139),
        ([5, -signal.SIGKILL], 137),
        ([0, 0xC0000005], 0xC0000005),  # the exit code of a crash on Windows
        ([0, 5], 0),
        ([5, 0], 0),
        ([5, 5], 5),
        ([1, 5], 1),
        ([5, 4], 4),
    ],
)
def test_a_part_that_fails_or_crashes_fails_the_whole(run, codes, combined):
    code, calls = run([], codes)
    assert code == combined
    assert len(calls) == 2


def test_a_crash_is_named_with_its_command(tests, run, capsys):
    run(["-k", "spotting"], [-signal.SIGSEGV, 0])
    command = f"{tests.python()} -m pytest {WITHOUT} -k spotting"
    assert capsys.readouterr().out == f"The tests were ended by SIGSEGV: {command}\n"
    assert tests.signal_name(250) == "signal 250"


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_real_process_that_dies_by_a_signal_fails_the_suite(tests, monkeypatch, tmp_path):
    dying = tmp_path / "python"
    dying.write_text("#!/bin/sh\nkill -SEGV $$\n")
    dying.chmod(0o755)
    monkeypatch.setattr(tests, "python", lambda: str(dying))
    assert tests.run_tests([]) == 128 + signal.SIGSEGV


@pytest.mark.parametrize("option", ["-x", "-vx", "--exitfirst", "--maxfail=3", "--maxfail"])
def test_a_run_that_stops_at_failures_does_not_start_the_other_part(run, option):
    code, calls = run([option], [1, 0])
    assert code == 1
    assert len(calls) == 1
    code, calls = run([option], [5, 0])
    assert code == 0
    assert len(calls) == 2


LEAKS, BLAS = "tests/app/rating_client/test_leaks.py", "tests/core/system/test_blas.py"


@pytest.mark.parametrize(
    ("arguments", "without", "only"),
    [
        ([LEAKS], 5, 0),
        ([LEAKS, BLAS], 0, 0),
        ([f"{BLAS}::test_there_is_none"], 4, 5),
    ],
    ids=lambda value: value if isinstance(value, int) else " ".join(value),
)
def test_pytest_collects_from_every_path_the_tests_of_the_part(arguments, without, only):
    found = {}
    for part in (WITHOUT, ONLY):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", part, *arguments]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
        files = {line.partition(":")[0] for line in done.stdout.splitlines() if ".py: " in line}
        found[part] = done.returncode, files
    present = {path for path in arguments if path in (LEAKS, BLAS)}
    assert found == {
        WITHOUT: (without, present & {BLAS}),
        ONLY: (only, present & {LEAKS}),
    }


def test_the_fast_run_leaves_slow_tests_out(run):
    code, calls = run(["-k", "spotting"], [0, 0], fast=True)
    assert code == 0
    assert [command[4:] for command, *_ in calls] == 2 * [["-m", "not slow", "-k", "spotting"]]


@pytest.mark.parametrize(("given", "fast"), [([], False), (["--fast"], True)])
def test_the_command_line_selects_the_run(bootstrap, monkeypatch, given, fast):
    runs = []
    monkeypatch.setattr(bootstrap, "set_up", lambda *_: None)
    monkeypatch.setattr(bootstrap, "run_tests", lambda *given: runs.append(given) or 7)
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "test", *given, "tests/app", "-x"])
    assert bootstrap.main() == 7
    assert runs == [(["tests/app", "-x"], fast)]


@pytest.mark.parametrize(("action", "built"), [("system", []), ("package", [["--no-archive"]])])
def test_a_package_is_built_without_the_set_up(bootstrap, monkeypatch, action, built):
    asked, builds = [], []
    monkeypatch.setattr(bootstrap, "set_up", lambda *_: pytest.fail("it needs no set-up"))
    monkeypatch.setattr(bootstrap, "install_system_packages", asked.append)
    monkeypatch.setattr(bootstrap, "package", lambda rest: builds.append(rest) or 0)
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", action, *(built[0] if built else [])])
    assert bootstrap.main() == 0
    assert asked == [bootstrap.PACKAGING_PACKAGES]
    assert builds == built
