"""Comparison of one story of two systems, sentence by sentence with a human story."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from jurydesk.app.inspectors.alignment.alignment_job import (
    LONGEST_ALIGNED,
    AlignmentJobs,
    AlignmentResult,
    is_long,
)
from jurydesk.app.inspectors.alignment.alignment_view import alignment_summary
from jurydesk.app.inspectors.alignment.compared_sentences import ComparedTexts, mark_sentences
from jurydesk.app.inspectors.alignment.sentence_comparison import SentenceComparison
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.vist.photo_strip import PhotoColumn, PhotoStrip
from jurydesk.app.inspectors.vist.vist_inspector import IMAGES
from jurydesk.app.style.theme import BASE, HEADING, px
from jurydesk.app.widgets.segments import Segments
from jurydesk.core.language import translate
from jurydesk.core.tables.numbers import count
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence

PHOTO, ROOMY_PHOTO, ROOMY = 72, 112, (700, 520)
"""Widths of a photo beside a sentence, and size of the view from which it is the larger one."""
MOST_ABOVE = 110
"""Greatest height of photos above the sentences."""


class StoryComparison(SentenceComparison):
    """One `StoryEvidence` of two systems; keys 1 to 9 choose the human story."""

    def __init__(self) -> None:
        self.above = PhotoStrip()
        super().__init__(self.above)
        self.evidence: tuple[StoryEvidence, StoryEvidence] | None = None
        self.story = 0
        self.beside = PhotoColumn(self.grid)
        self.stories = Segments(translate("Human story"))
        self._jobs = (AlignmentJobs(self), AlignmentJobs(self))
        self._known: list[AlignmentResult | None] = [None, None]
        self.add_to_foot(self.stories)
        self.grid.side = self.beside
        self.stories.chosen.connect(self.choose)
        self._jobs[0].aligned.connect(self._left_aligned)
        self._jobs[1].aligned.connect(self._right_aligned)

    def _place_head(self) -> None:
        super()._place_head()
        self.above.setMaximumHeight(px(MOST_ABOVE))

    def show_items(self, first: InspectedItem, second: InspectedItem) -> None:
        """Show another sequence with the human story that is best for the first system."""
        one, other = first.evidence, second.evidence
        if not isinstance(one, StoryEvidence) or not isinstance(other, StoryEvidence):
            raise TypeError("expected the evidence of two stories")
        self.evidence = one, other
        self._show_next_names()
        for jobs, evidence in zip(self._jobs, self.evidence, strict=True):
            best = AlignmentResult(evidence, (evidence.best,), evidence.alignment)
            jobs.use_item(evidence, best)
        numbers = [count(number + 1) for number in range(len(one.stories))]
        self.stories.show_words(numbers, one.best)
        folder = self._folder(first)
        self.above.show_photos(one.photos, folder)
        self.beside.show_photos(one.photos, folder)
        self.area.verticalScrollBar().setValue(0)
        self.choose(one.best)

    def _folder(self, item: InspectedItem) -> Path | None:
        folders = item.folders.get(IMAGES, ())
        return folders[0] if folders else None

    def choose(self, story: int) -> None:
        """Show another human story between both stories."""
        if self.evidence is None:
            return
        self.story = story
        human = self.evidence[0].stories[story]
        for side, (jobs, evidence) in enumerate(zip(self._jobs, self.evidence, strict=True)):
            number = _number(evidence, human.story_id, human.text)
            if number is None:
                problem = translate("The other system was scored with other human stories.")
                self._known[side] = AlignmentResult(evidence, (), None, problem)
                continue
            self._known[side] = jobs.select(number)
            if self._known[side] is None and is_long(evidence.text, human.text):
                problem = translate(
                    "Stories of more than {count} words are not aligned here.",
                    count=count(LONGEST_ALIGNED),
                )
                self._known[side] = AlignmentResult(evidence, (number,), None, problem)
            elif self._known[side] is None:
                jobs.align()
        self._show()

    def _left_aligned(self, aligned: AlignmentResult) -> None:
        self._known[0] = aligned
        self._show()

    def _right_aligned(self, aligned: AlignmentResult) -> None:
        self._known[1] = aligned
        self._show()

    def _show(self) -> None:
        """Show the texts with the alignments that there are."""
        if self.evidence is None:
            return
        one, other = self.evidence
        left, right = (found.alignment if found else None for found in self._known)
        human = one.stories[self.story]
        texts = mark_sentences((one.text, other.text), human.text, (left, right))
        self._place_pictures(texts)
        self.grid.show_texts(texts, self._description())
        self._show_human()
        self._show_notes((len(one.text.split()), len(other.text.split())))
        problems = dict.fromkeys(found.problem for found in self._known if found)
        self._show_legend(texts, [*problems], is_whole=all(texts.alignments))

    def _description(self) -> str:
        """Return both texts and how they are aligned, for screen readers."""
        if self.evidence is None:
            return ""
        parts = []
        for evidence, found in zip(self.evidence, self._known, strict=True):
            parts.append(evidence.text)
            if found is not None and found.alignment is not None:
                parts.append(alignment_summary(found.alignment))
        return " ".join(parts)

    def _show_human(self) -> None:
        """Show which human story stands between both, and for which it is the best."""
        if self.evidence is None:
            return
        one, other = self.evidence
        total = count(len(one.stories))
        title = translate("Human story {value} of {count}", value=self.story + 1, count=total)
        self.names[1].show_text(title)
        human = one.stories[self.story]
        best = (self.story == one.best, _number(other, human.story_id, human.text) == other.best)
        self.notes[1].show_text(
            {
                (True, True): translate("best for both"),
                (True, False): translate("best for the left story"),
                (False, True): translate("best for the right story"),
            }.get(best, "")
        )

    def _place_pictures(self, texts: ComparedTexts | None = None) -> None:
        """Place a photo beside each sentence if each has one, else all photos above them."""
        texts = texts or self.grid.texts
        if self.evidence is None or texts is None:
            return
        photos = len(self.evidence[0].photos)
        is_known = self.beside.has_photos
        is_beside = is_known and texts.rows == len(texts.columns[1]) == photos
        is_roomy = self.width() >= px(ROOMY[0]) and self.height() >= px(ROOMY[1])
        width = ROOMY_PHOTO if is_roomy else PHOTO
        self.grid.side_width = width if is_beside else 0
        self.grid.type_size = HEADING if is_roomy else BASE
        self.beside.setVisible(is_beside)
        self.above.setVisible(not is_beside)
        self._place_head()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        if self.evidence is not None and 0 <= number < min(len(self.evidence[0].stories), 9):
            self.stories.choose(number)
        else:
            super().keyPressEvent(event)


def _number(evidence: StoryEvidence, story_id: str, text: str) -> int | None:
    """Return the number of a human story in the evidence of a system, from 0."""
    wanted = (
        number
        for number, one in enumerate(evidence.stories)
        if one.story_id == story_id and one.text == text
    )
    return next(wanted, None)


COMPARISON = StoryComparison
