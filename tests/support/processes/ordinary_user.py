"""Tests of permissions: root may read every file, so that they would prove nothing when root runs
them. They then run once more in a process that has given up this privilege."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
DROP_FROM_BOUNDING_SET = 24  # PR_CAPBSET_DROP of prctl(2)
READ_ALL = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of capabilities(7)
REFUSED = 77


def as_an_ordinary_user(test: Callable[..., None]) -> Callable[..., None]:
    """Run the test as a user without root's permissions.

    The module must hold no other tests: where root runs it, all of it runs again.
    """

    @functools.wraps(test)
    def ordinarily(*arguments: Any, **fixtures: Any) -> None:
        if not hasattr(os, "geteuid"):
            pytest.skip("files have no such permissions here")
        if not may_read_everything(fixtures["tmp_path"]):
            test(*arguments, **fixtures)
            return
        name = os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0]
        said = run_again(name.partition("::")[0])
        assert f"\nPASSED {name}\n" in said, said

    return ordinarily


def may_read_everything(folder: Path) -> bool:
    """Return whether this process can read a file without permissions."""
    probe = folder / "probe"
    probe.write_text("forbidden")
    probe.chmod(0)
    try:
        probe.read_text()
    except PermissionError:
        return False
    return True


@functools.cache
def run_again(module: str) -> str:
    """Return pytest's output for a module in a process without the privilege."""
    if sys.platform != "linux":
        pytest.skip("root cannot give up its privilege here")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-rA", module],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=_drop_capabilities,
    )
    if done.returncode == REFUSED:
        pytest.skip("the system does not let root give up its privilege")
    return done.stdout + done.stderr


_PROCESS_CONTROL = getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


def _drop_capabilities() -> None:
    for capability in READ_ALL:
        if _PROCESS_CONTROL is None or _PROCESS_CONTROL(
            DROP_FROM_BOUNDING_SET, capability, 0, 0, 0
        ):
            os._exit(REFUSED)
