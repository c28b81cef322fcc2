"""Questions in the notice bar about added files: whose numbers, or another desk."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from jurydesk.app.state.file_list import FileList
from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.window.notice import Notice
from jurydesk.core.language import translate, translate_text
from jurydesk.core.workflow.intake_question import IntakeQuestion


class IntakeNotice(QObject):
    """Asks the questions of the file list, until one is answered or another desk is open."""

    def __init__(self, notice: Notice, files: FileList, session: Session) -> None:
        super().__init__(notice)
        self._notice, self._files = notice, files
        self._answers: list[_Answer] = []
        self._said = ""
        files.asked.connect(self._ask)
        files.elsewhere.connect(self._offer_desk)
        session.subscribe(SessionPart.DESK, self._withdraw)

    def _ask(self, question: IntakeQuestion | None) -> None:
        self._withdraw()
        if question is None:
            return
        self._answers = [
            _Answer(self._files.answer, number) for number in range(len(question.titles))
        ]
        self._said = translate_text(question.sentence)
        titles = [translate_text(title) for title in question.titles]
        slots = [one.give for one in self._answers]
        self._notice.say(self._said, list(zip(titles, slots, strict=True)))

    def _offer_desk(self, sentence: str) -> None:
        """Offer a new desk for files of another competition."""
        self._withdraw()
        self._said = translate_text(sentence)
        choices = [
            (translate("Open as a new desk"), self._files.begin_elsewhere),
            (translate("Close"), self._notice.hide),
        ]
        self._notice.say(self._said, choices)

    def _withdraw(self) -> None:
        if self._said and self._notice.text.text() == self._said:
            self._notice.hide()
        self._said = ""


class _Answer:
    """An answer by its number; a notice holds bound methods."""

    def __init__(self, answer: Callable[[int], object], number: int) -> None:
        self._answer, self._number = answer, number

    def give(self) -> None:
        self._answer(self._number)
