"""What the user has arranged on the Items page, kept in the settings: borders and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.pages.items_view import ItemsView
    from app.session import Session
    from app.settings import Settings

LAYOUT = ("items/across", "items/down")
"""Where the settings keep the page's borders."""


class Kept(QObject):
    """Keeps what changes in the view; without settings everything has its first state."""

    def __init__(self, view: ItemsView, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._session = session
        self._settings: Settings | None = None
        view.layout_changed.connect(self._keep_layout)
        view.list.columns_chosen.connect(self._keep_columns)

    def join(self, settings: Settings) -> None:
        """Keep things in these settings from now on."""
        self._settings = settings

    def restore_layout(self) -> None:
        """Put the borders where they stood."""
        if self._settings is None:
            self._view.reset_layout()
        else:
            self._view.restore_layout(*map(self._settings.blob, self._layout_keys()))

    def columns(self) -> frozenset[str]:
        """The columns that were chosen for this competition; none where nothing was."""
        return frozenset(self._settings.texts(self._columns_key()) if self._settings else ())

    def _keep_layout(self) -> None:
        if self._settings is not None:
            for key, state in zip(self._layout_keys(), self._view.layout_state(), strict=True):
                self._settings.keep(key, state)

    def _layout_keys(self) -> tuple[str, ...]:
        """A panel arranges the page in another way, which is kept apart."""
        apart = "" if self._view.panel is None else "-panel"
        return tuple(f"{key}{apart}" for key in LAYOUT)

    def _keep_columns(self) -> None:
        if self._settings is not None:
            self._settings.keep(self._columns_key(), sorted(self._view.list.chosen))

    def _columns_key(self) -> str:
        return f"items/columns/{self._session.task.id if self._session.task else ''}"
