"""Those who work for the window, handed to the pages that need them."""

from __future__ import annotations

from dataclasses import dataclass

from app.desks import Desks
from app.evaluator import Evaluator
from app.file_commands import FileCommands
from app.people import People
from app.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """Who takes in and scores files, who opens and saves, what raters said, what is remembered."""

    evaluator: Evaluator
    files: FileCommands
    desks: Desks
    settings: Settings
    people: People
