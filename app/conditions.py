"""What holds at present: for the commands in the words of their `when`, for the top in chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.format import counted

if TYPE_CHECKING:
    from pathlib import Path

    from app.evaluator import Evaluator
    from app.session import Session


def conditions(
    session: Session,
    evaluator: Evaluator,
    *,
    page: str,
    sheet: bool,
    exports: bool,
    watching: bool,
) -> set[str]:
    """The words of the commands' `when` that hold, with a page at the front or a sheet over it."""
    facts = {
        "desk": session.desk is not None,
        "writable": not session.read_only,
        "inputs": bool(session.files and session.task) and not session.missing_inputs(),
        "idle": evaluator.scoring is None,
        "job": evaluator.jobs.visible() is not None and not sheet,
        "undo": evaluator.undo.canUndo(),
        "redo": evaluator.undo.canRedo(),
        "exports": exports,
        "open": not session.hidden,
        "hidden": bool(session.hidden),
        "watching": watching,
        "references": session.task is not None and not _lacks_references(session),
    }
    return {f"page.{page}", *(name for name, holds in facts.items() if holds)}


def _lacks_references(session: Session) -> bool:
    return any(entry.kind == "reference" for entry in session.missing_inputs())


def chips(session: Session, watched: Path | None, *, unsaved: bool) -> list[str]:
    """A few facts about what is open; none where no competition is."""
    if session.task is None:
        return []
    items = max((summary.n_items for summary in session.shown()), default=0)
    told = {
        f"{session.profile} profile": True,
        "scores hidden": bool(session.hidden),
        counted(items, *session.task.item_noun): items > 0,
        f"watching {watched.name if watched else ''}": watched is not None,
        "read only": session.read_only,
        "not saved yet": unsaved and not session.read_only,
    }
    return [chip for chip, holds in told.items() if holds]
