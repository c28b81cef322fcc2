"""Ctrl-C in the terminal of a window: the application quits as if the window was closed."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

from jurydesk.core.system.interrupt import CANCELLED

if TYPE_CHECKING:
    import socket

BYTES = 64


class Interrupts(QObject):
    """Quits the application on Ctrl-C from `listen` to `close`; a second Ctrl-C ends the process.

    Python calls no signal handler while Qt waits, and an exception of a handler within a call from
    Qt is printed and lost. So Ctrl-C only writes to a socket, which Qt's event loop reads.
    """

    def __init__(self) -> None:
        super().__init__()
        self.was_interrupted = False
        self._sockets: tuple[socket.socket, socket.socket] | None = None

    def listen(self) -> None:
        """Handle Ctrl-C from now on; before, it ends the process."""
        import socket  # after the first paint

        self._sockets = receiver, sender = socket.socketpair()
        receiver.setblocking(False)
        sender.setblocking(False)
        kind = QSocketNotifier.Type.Read
        self._notifier = QSocketNotifier(receiver.fileno(), kind, self)
        self._notifier.activated.connect(self._read)
        self._previous_fd = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        self._previous_handler = signal.getsignal(signal.SIGINT)
        if self._previous_handler is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _ignore)

    def close(self) -> None:
        """Restore the previous handler of Ctrl-C."""
        if self._sockets is None:
            return
        signal.signal(signal.SIGINT, self._previous_handler)
        signal.set_wakeup_fd(self._previous_fd)
        self._notifier.setEnabled(False)
        for one in self._sockets:
            one.close()
        self._sockets = None

    def code(self, code: int) -> int:
        """Return the exit code of an application that ended with `code`."""
        return CANCELLED if self.was_interrupted else code

    def _read(self) -> None:
        if self._sockets is None or signal.SIGINT not in self._sockets[0].recv(BYTES):
            return
        if self.was_interrupted:
            os._exit(CANCELLED)
        self.was_interrupted = True
        QCoreApplication.quit()


def _ignore(number: int, frame: FrameType | None) -> None:
    """Ignore the signal, which is handled when the socket is read."""
