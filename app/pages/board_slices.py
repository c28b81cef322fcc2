"""The slice line of the Board page, joined to the desk: what it asks is computed elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.session import Part
from app.slicing import Slicing
from app.widgets.slice_line import SliceLine

if TYPE_CHECKING:
    from app.jobs import Jobs
    from app.session import Session
    from core.board import Board
    from core.slices import Slice


class BoardSlices(SliceLine):
    """`changed` says that another slice is in use; `refused` why one cannot be."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.slicing: Slicing | None = None

    def join(self, session: Session, jobs: Jobs) -> None:
        """Work for this session from now on."""
        slicing = self.slicing = Slicing(session, jobs, self)
        slicing.changed.connect(self.changed)
        slicing.refused.connect(self.refused)
        slicing.found.connect(self.show_groups)
        slicing.offered.connect(self.offer)
        self.asked.connect(slicing.ask)
        self.asked_by.connect(slicing.ask_by)
        self.chose.connect(self._use)
        session.subscribe(Part.DESK, self.reset)

    @property
    def busy(self) -> bool:
        """Whether a slice is being computed."""
        return self.slicing is not None and self.slicing.busy

    @property
    def slice(self) -> Slice | None:
        """The slice in use; None where all items count."""
        return None if self.slicing is None else self.slicing.slice

    def sliced(self, whole: Board | None) -> Board | None:
        """The board of the slice in use; nothing where there is no board at all."""
        board = None if self.slicing is None else self.slicing.board
        return whole if whole is None or board is None else board

    def show_for(self, board: Board | None) -> None:
        """Show the line where there is a board, and learn by what it can be sliced."""
        has_rows = board is not None and bool(board.rows)
        self.setVisible(has_rows)
        if self.slicing is not None and has_rows:
            self.slicing.look()

    def clear(self) -> None:
        """Let all items count again."""
        if self.slicing is not None:
            self.slicing.clear()

    def _use(self, chosen: Slice | None) -> None:
        if self.slicing is not None:
            self.slicing.clear() if chosen is None else self.slicing.choose(chosen)
