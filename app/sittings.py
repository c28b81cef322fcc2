"""Packets that are rated on this computer: each in a process of its own, which outlives the window.

The web engine of the rating page and the models of neural metrics do not go well together in one
process, and a rater must not lose the page when the organiser closes the window.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.itself import program

if TYPE_CHECKING:
    import subprocess

LOOK_MS = 200
REFUSED, SHOWN_THERE = 2, 1
"""Exit codes: nothing could be shown, and what is wrong was said in a window already."""


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """A packet that is being rated."""

    packet: Path
    process: subprocess.Popen[bytes]
    said: IO[bytes]


class Sittings(QObject):
    """Opens packets. `ended` carries the packet of a page that was closed, `refused` a sentence."""

    ended = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: list[Sitting] = []
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def packets(self) -> list[Path]:
        """The packets that are being rated."""
        return [one.packet for one in self._open]

    def open(self, packet: Path) -> None:
        """Show a packet in the rating page."""
        import subprocess

        said = tempfile.TemporaryFile()  # noqa: SIM115 - read when the process ends
        try:
            process = subprocess.Popen(  # noqa: S603 - this very program
                [*program(), str(packet)], stdout=subprocess.DEVNULL, stderr=said
            )
        except OSError as error:
            said.close()
            self.refused.emit(f"The rating page cannot be opened: {error.strerror or error}.")
            return
        self._open.append(Sitting(packet, process, said))
        self._timer.start()

    def _look(self) -> None:
        for one in [one for one in self._open if one.process.poll() is not None]:
            self._open.remove(one)
            self._end(one)
        if not self._open:
            self._timer.stop()

    def _end(self, one: Sitting) -> None:
        with one.said:
            one.said.seek(0)
            said = one.said.read().decode("utf-8", "replace").strip()
        code = one.process.returncode
        if code == REFUSED:
            self.refused.emit(said or f"{one.packet.name} cannot be shown here.")
        elif code not in (0, SHOWN_THERE):
            self.refused.emit(
                f"The rating page of {one.packet.name} ended by itself. Every answer that was "
                "called saved is kept: open it again to go on."
            )
        self.ended.emit(one.packet)
