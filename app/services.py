"""Those who work for the window, handed to the pages that need them."""

from __future__ import annotations

from dataclasses import dataclass

from app.desks import Desks
from app.evaluator import Evaluator
from app.file_commands import FileCommands
from app.file_list import FileList
from app.rating_findings import RatingFindings
from app.settings import Settings
from app.watching import FolderWatch


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """Who takes in files, scores them, opens and saves; what raters said, what is kept,
    which folder is watched."""

    file_list: FileList
    evaluator: Evaluator
    files: FileCommands
    desks: Desks
    settings: Settings
    findings: RatingFindings
    watch: FolderWatch
