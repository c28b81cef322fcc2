"""Desk: one SQLite file (`*.jurydesk`) with a whole competition."""

from jurydesk.core.desk.desk import Desk, DeskCompetition
from jurydesk.core.desk.errors import DeskError, EvaluationGoneError
from jurydesk.core.desk.evaluation_table import RemovedEvaluation
from jurydesk.core.desk.input_table import DeskInput
from jurydesk.core.desk.summary import Summary, summarize

__all__ = [
    "Desk",
    "DeskCompetition",
    "DeskError",
    "DeskInput",
    "EvaluationGoneError",
    "RemovedEvaluation",
    "Summary",
    "summarize",
]
