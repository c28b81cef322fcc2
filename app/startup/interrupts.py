"""Ctrl-C in the terminal that a window was started from: the window is closed, as by its user."""

from __future__ import annotations

import os
import signal
import socket
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

from jurydesk.core.system.interrupt import CANCELLED

BYTES = 64


class Interrupts(QObject):
    """Asks the application to quit when Ctrl-C is pressed, until `close`; a second one ends it.

    Python calls no handler while Qt waits, and what a handler raises within a call of Qt's is
    printed and lost: so Ctrl-C only writes to a socket here, which Qt reads in its own turn.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heard = False
        self._here, self._told = socket.socketpair()
        self._here.setblocking(False)
        self._told.setblocking(False)
        kind = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(self._here.fileno(), kind, self)
        self._notifier.activated.connect(self._read)
        self._woken = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        self._answer = signal.getsignal(signal.SIGINT)
        if self._answer is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _nothing)

    def close(self) -> None:
        """Leave Ctrl-C to whoever answered it before."""
        signal.signal(signal.SIGINT, self._answer)
        signal.set_wakeup_fd(self._woken)
        self._notifier.setEnabled(False)
        self._here.close()
        self._told.close()

    def code(self, code: int) -> int:
        """The exit code of an application that ended with `code`."""
        return CANCELLED if self.heard else code

    def _read(self) -> None:
        if signal.SIGINT not in self._here.recv(BYTES):
            return
        if self.heard:
            os._exit(CANCELLED)
        self.heard = True
        QCoreApplication.quit()


def _nothing(number: int, frame: FrameType | None) -> None:
    """What is to be done is done where the socket is read."""
