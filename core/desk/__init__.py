"""The desk: one SQLite file (`*.jurydesk`) that holds a whole competition."""

from core.desk.desk import Competition, Desk
from core.desk.errors import DeskError, GoneError
from core.desk.inputs import DeskInput
from core.desk.rows import Removed
from core.desk.summary import Summary, summary

__all__ = [
    "Competition",
    "Desk",
    "DeskError",
    "DeskInput",
    "GoneError",
    "Removed",
    "Summary",
    "summary",
]
