"""The session and what works on it, complete before any page is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.state.desks import Desks
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.folder_watch import FolderWatch
from jurydesk.app.state.rating_findings import RatingFindings
from jurydesk.app.state.session import Session
from jurydesk.app.state.settings import Settings

if TYPE_CHECKING:
    from jurydesk.app.commands.file_commands import FileCommands


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Objects of the window that pages and commands share."""

    session: Session
    settings: Settings
    jobs: Jobs
    desks: Desks
    evaluator: Evaluator
    file_list: FileList
    files: FileCommands
    findings: RatingFindings
    watch: FolderWatch
