from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time

import pytest

from jurydesk.core.cli.running import cancel_on_interrupt
from jurydesk.core.execution.run import CancelToken
from jurydesk.core.system.interrupt import exit_on_interrupt, interruptible, raise_interrupt
from support.plug_ins.installation import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")

SECONDS = 20
HURT = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhole = True\n"


@pytest.fixture
def answer():
    """Return a function that sets the handler of Ctrl-C; restore it afterwards."""
    before = signal.getsignal(signal.SIGINT)
    yield lambda handler: signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGINT, before)


def test_an_import_is_finished_before_it_is_interrupted(answer, tmp_path, monkeypatch):
    (tmp_path / "hurt.py").write_text(HURT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "hurt", raising=False)

    def import_and_stay():
        importlib.import_module("hurt")
        time.sleep(SECONDS)  # on a busy machine the interrupt comes before this line

    answer(raise_interrupt)
    with pytest.raises(KeyboardInterrupt):
        import_and_stay()
    assert sys.modules["hurt"].whole


def test_work_is_interrupted_at_once(answer):
    answer(raise_interrupt)
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


def test_a_process_started_with_ctrl_c_ignored_continues_to_ignore_it(answer):
    answer(signal.SIG_IGN)
    exit_on_interrupt()
    cancel = CancelToken()
    with interruptible(), cancel_on_interrupt(cancel):
        os.kill(os.getpid(), signal.SIGINT)
    assert not cancel.cancelled


def test_a_program_that_uses_the_core_keeps_its_own_handler_of_ctrl_c(answer):
    def own(number, frame):
        raise AssertionError

    answer(own)
    exit_on_interrupt()
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is own
    assert signal.getsignal(signal.SIGINT) is own


ENDING = """
import os, signal
from jurydesk.core.system.interrupt import exit_on_interrupt, interruptible

class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

exit_on_interrupt()
with interruptible():
    late = Late()
"""


def test_a_finished_program_is_not_interrupted_any_more():
    done = subprocess.run(
        [sys.executable, "-c", ENDING], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
