"""Desk: one SQLite file (`*.jurydesk`) with a whole competition."""

from jurydesk.core.desk.desk import Desk, DeskCompetition
from jurydesk.core.desk.errors import DeskError, EvaluationGoneError
from jurydesk.core.desk.summary import Summary, summarize
from jurydesk.core.desk.tables.input_table import DeskInput

__all__ = [
    "Desk",
    "DeskCompetition",
    "DeskError",
    "DeskInput",
    "EvaluationGoneError",
    "Summary",
    "summarize",
]
