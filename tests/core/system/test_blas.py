from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jurydesk.core.system.blas import PATIENCE, PATIENCE_VARIABLE, shorten_thread_timeout

ROOT = Path(__file__).parent.parent.parent
TELLING = f"""
import os, sys

class Told:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get({PATIENCE_VARIABLE!r}))

sys.meta_path.insert(0, Told())
from MODULE import main
sys.argv = ["jurydesk", "score", "keyword-spotting", "--help"]
main()
"""


@pytest.mark.parametrize("module", ["jurydesk.core.cli", "jurydesk.app.__main__"])
def test_openblas_is_configured_before_numpy_is_imported(module: str) -> None:
    others = {name: value for name, value in os.environ.items() if name != PATIENCE_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", TELLING.replace("MODULE", module)],
        cwd=ROOT,
        env=others,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[:1] == [str(PATIENCE)]


def test_settings_of_the_user_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PATIENCE_VARIABLE, "26")
    shorten_thread_timeout()
    assert os.environ[PATIENCE_VARIABLE] == "26"
