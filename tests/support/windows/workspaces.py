"""Workspaces of pages without a window."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkdtemp

from PySide6.QtWidgets import QWidget

from jurydesk.app.commands.file_commands import FileCommands
from jurydesk.app.jobs.job import Jobs, view_jobs
from jurydesk.app.state.desks import Desks
from jurydesk.app.state.evaluator import Evaluator
from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.folder_watch import FolderWatch
from jurydesk.app.state.rating_findings import RatingFindings
from jurydesk.app.state.session import Session
from jurydesk.app.state.settings import Settings
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.widgets.page_export import Export


class FileCommandsWithoutDialog(FileCommands):
    """Commands of the File menu that ask for no path of an export."""

    def ask_export(self, export: Export) -> None:
        """Do nothing: tests connect a slot of their own."""


def make_workspace(
    session: Session, jobs: Jobs | None = None, settings: Settings | None = None
) -> Workspace:
    """Return the workspace of a session; its jobs are those of views, unless others are given."""
    jobs = jobs or view_jobs()
    settings = settings or Settings(Path(mkdtemp(dir=os.environ["JURYDESK_HOME"])) / "window.ini")
    desks, evaluator = Desks(session, settings), Evaluator(session, jobs)
    file_list = FileList(session, desks, evaluator)
    files = FileCommandsWithoutDialog(QWidget(), session, desks, file_list, evaluator, settings)
    findings, watch = RatingFindings(evaluator, session, jobs), FolderWatch()
    return Workspace(session, settings, jobs, desks, evaluator, file_list, files, findings, watch)
