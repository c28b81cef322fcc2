"""The desk: one SQLite file (`*.jurydesk`) that holds a whole competition."""

from jurydesk.core.desk.desk import Competition, Desk
from jurydesk.core.desk.errors import DeskError, GoneError
from jurydesk.core.desk.evaluation_table import Removed
from jurydesk.core.desk.input_table import DeskInput
from jurydesk.core.desk.summary import Summary, summary

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
