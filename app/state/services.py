"""Services of the window that pages and commands share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.app.state.desks import Desks
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.folder_watch import FolderWatch
from jurydesk.app.state.rating_findings import RatingFindings
from jurydesk.app.state.settings import Settings

if TYPE_CHECKING:
    from jurydesk.app.commands.file_commands import FileCommands


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """Objects of the window that pages and commands share."""

    file_list: FileList
    evaluator: Evaluator
    files: FileCommands
    desks: Desks
    settings: Settings
    findings: RatingFindings
    watch: FolderWatch
