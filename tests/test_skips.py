"""An unexpected skip fails a strict run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.suite.skips import OFF_LINUX, is_expected

PROJECT = Path(__file__).parent.parent
NEEDS_GOLDEN = "tests/core/metrics/meteor/test_normalizer.py"


def strictly(test: str, *arguments: str, golden: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", test, *arguments],
        cwd=PROJECT,
        env={**os.environ, "JURYDESK_GOLDEN": golden},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_missing_file_of_recorded_numbers_fails_a_strict_run(tmp_path):
    done = strictly(NEEDS_GOLDEN, "--strict-skips", golden=str(tmp_path))
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    reason = "normalizer_shared.tsv is not at hand: set JURYDESK_GOLDEN or JURYDESK_DATA"
    assert f"\n1 SKIPPED UNEXPECTEDLY: {reason}\n" in done.stdout


def test_without_the_option_tests_are_only_skipped(tmp_path):
    done = strictly(NEEDS_GOLDEN, golden=str(tmp_path))
    assert done.returncode == pytest.ExitCode.OK
    assert "UNEXPECTEDLY" not in done.stdout


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("needs Chromium", True),
        ("Java is not installed", True),
        ("toy300.bin is not at hand: set JURYDESK_GOLDEN or JURYDESK_DATA", False),
        ("no compiler was at hand when the program was installed", False),
        ("PyTorch is not installed", False),
        ("could not import 'pytrec_eval': No module named 'pytrec_eval'", False),
        ("unconditional skip", False),
        ("", False),
    ],
)
def test_reasons_are_compared_as_a_whole(reason, expected):
    assert is_expected(reason, "linux") is expected
    assert is_expected(reason, "win32") is expected


def test_missing_features_of_a_system_are_expected_on_other_systems_only():
    assert "POSIX pipes" in OFF_LINUX
    assert not is_expected("POSIX pipes", "linux")
    assert is_expected("POSIX pipes", "win32")
