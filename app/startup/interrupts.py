"""Ctrl-C in the terminal of a window: the application quits as if the window was closed."""

from __future__ import annotations

import os
import signal
import socket
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

from jurydesk.core.system.interrupt import CANCELLED

BYTES = 64


class Interrupts(QObject):
    """Quits the application on Ctrl-C until `close` is called; a second Ctrl-C ends the process.

    Python calls no signal handler while Qt waits, and an exception of a handler within a call from
    Qt is printed and lost. So Ctrl-C only writes to a socket, which Qt's event loop reads.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.was_interrupted = False
        self._receiver, self._sender = socket.socketpair()
        self._receiver.setblocking(False)
        self._sender.setblocking(False)
        kind = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(self._receiver.fileno(), kind, self)
        self._notifier.activated.connect(self._read)
        self._previous_fd = signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
        self._previous_handler = signal.getsignal(signal.SIGINT)
        if self._previous_handler is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _ignore)

    def close(self) -> None:
        """Restore the previous handler of Ctrl-C."""
        signal.signal(signal.SIGINT, self._previous_handler)
        signal.set_wakeup_fd(self._previous_fd)
        self._notifier.setEnabled(False)
        self._receiver.close()
        self._sender.close()

    def code(self, code: int) -> int:
        """Return the exit code of an application that ended with `code`."""
        return CANCELLED if self.was_interrupted else code

    def _read(self) -> None:
        if signal.SIGINT not in self._receiver.recv(BYTES):
            return
        if self.was_interrupted:
            os._exit(CANCELLED)
        self.was_interrupted = True
        QCoreApplication.quit()


def _ignore(number: int, frame: FrameType | None) -> None:
    """Ignore the signal, which is handled when the socket is read."""
