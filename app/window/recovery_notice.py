"""Notice that offers an unsaved desk after a crash or after closing without saving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject

from jurydesk.app.commands.file_commands import FileCommands
from jurydesk.app.jobs.job import Job, Jobs
from jurydesk.app.state.desks import UnsavedDesk, delete_discarded, unsaved_desks
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.window.notice import Notice
from jurydesk.core.language import name_list, translate, translate_text
from jurydesk.core.language.local_formats import local_moment
from jurydesk.core.workflow.desk_contents import (
    DeskContents,
    Version,
    file_version,
    read_all_contents,
)

LONGEST = 28
"""Maximum length of a shown name: the bar breaks no word, and must fit into 640 pixels."""


class RecoveryNotice(QObject):
    """Offers in the notice bar to open or discard the latest unsaved desk.

    The bar is shown at once, and describes the desk as soon as a job has read it.
    """

    def __init__(self, notice: Notice, files: FileCommands, session: Session, jobs: Jobs) -> None:
        super().__init__(notice)
        self._notice = notice
        self._files = files
        self._session = session
        self._jobs = jobs
        self._desk: UnsavedDesk | None = None
        self._said = ""
        session.subscribe(SessionPart.DESK, self._desk_changed)

    def offer(self) -> None:
        """Offer the latest unsaved desk, unless a desk is open."""
        delete_discarded()
        found = unsaved_desks()
        if not found or self._session.has_desk:
            return
        self._desk = found[0]
        self._said = sentence(DeskContents(), self._time_text)
        self._offer_desk()
        self._jobs.changed.connect(self._read_contents)
        self._read_contents()

    def _offer_desk(self) -> None:
        choices = [
            (translate("Open it"), self._open),
            (translate("Discard"), self._discard),
            (translate("Later"), self._forget_desk),
        ]
        self._notice.say(self._said, choices)

    def _desk_changed(self) -> None:
        path = self._session.desk.path if self._session.has_desk else None
        if self._desk is not None and self._desk.path == path:
            self._desk = None
            if self._notice.text.text() == self._said:
                self._notice.hide()

    @property
    def _time_text(self) -> str:
        if self._desk is None:
            return ""
        return local_moment(datetime.fromtimestamp(self._desk.when), datetime.now())

    def _read_contents(self) -> None:
        """Read the contents of the desk after the first jobs, which import the competitions."""
        if not self._jobs.idle:
            return
        self._jobs.changed.disconnect(self._read_contents)
        if self._desk is not None and self._desk.path.is_file():
            work = partial(read_all_contents, [file_version(self._desk.path)])
            job = Job(translate("Reading the unsaved desk"), work, quiet=True)
            job.succeeded.connect(self._name)
            self._jobs.start(job)

    def _name(self, found: Mapping[Version, DeskContents]) -> None:
        """Describe the desk, if the bar still offers it."""
        for contents in found.values():
            said, self._said = self._said, sentence(contents, self._time_text)
            self._notice.reword(said, self._said)

    def _open(self) -> None:
        if self._desk is not None:
            self._files.open(self._desk.path)

    def _discard(self) -> None:
        if self._desk is not None:
            self._files.discard(self._desk.path)
            self._desk = None

    def _forget_desk(self) -> None:
        self._desk = None


def sentence(contents: DeskContents, when: str) -> str:
    """Describe an unsaved desk: title, competition, systems and time, as far as known."""
    if not contents.competition:
        return translate("There is an unsaved desk ({when}).", when=when)
    names = name_list([_shorten(name) for name in contents.systems])
    held = translate_text(replace(contents, best="").summary(titled=False)) + (
        f" ({names})" if names else ""
    )
    if not contents.title:
        return translate("There is an unsaved desk ({when}): {held}.", when=when, held=held)
    return translate(
        "“{title}” was not saved ({when}): {held}.",
        title=_shorten(contents.title),
        when=when,
        held=held,
    )


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
