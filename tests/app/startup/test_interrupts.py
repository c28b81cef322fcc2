"""Ctrl-C in the terminal closes a waiting window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from threading import Timer

import pytest
from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from jurydesk.app.startup.interrupts import Interrupts
from support.plug_ins.installation import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")

PATIENCE_MS = 30_000


def test_a_waiting_window_is_asked_to_close(qtbot, monkeypatch):
    loop = QEventLoop()
    monkeypatch.setattr(QCoreApplication, "quit", loop.quit)
    QTimer.singleShot(PATIENCE_MS, loop.quit)
    sender = Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    with closing(Interrupts()) as interrupts:
        interrupts.listen()
        sender.start()
        loop.exec()
        sender.join()
        assert interrupts.was_interrupted
        assert interrupts.code(0) == 130


def test_other_signals_are_ignored(qtbot):
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    with closing(Interrupts()) as interrupts:
        interrupts.listen()
        os.kill(os.getpid(), signal.SIGUSR1)
        qtbot.wait(20)
        assert interrupts.code(0) == 0
    signal.signal(signal.SIGUSR1, before)


def test_afterwards_ctrl_c_has_its_previous_handler(qtbot):
    before = signal.getsignal(signal.SIGINT)
    with closing(Interrupts()) as interrupts:
        assert signal.getsignal(signal.SIGINT) is before
        interrupts.listen()
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
    woken = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(woken)
    assert woken == -1


WINDOW = """
import os, signal
from jurydesk.app.startup import first_paint

def painted(self):
    go_on(self)
    os.kill(os.getpid(), signal.SIGINT)

first = first_paint.StartupSequence
go_on, first.go_on = first.go_on, painted
from jurydesk.app.__main__ import main
raise SystemExit(main())
"""


def test_the_window_ends_quietly_with_exit_code_130(tmp_path):
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "JURYDESK_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WINDOW],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "")
