"""Inspector of one story: photos, METEOR's alignment with a human story, the score's terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from jurydesk.app.inspectors.alignment.alignment_job import (
    LONGEST_ALIGNED,
    AlignmentJobs,
    AlignmentResult,
    is_long,
)
from jurydesk.app.inspectors.alignment.alignment_view import AlignmentView
from jurydesk.app.inspectors.alignment.score_sum import ScoreDerivation
from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.vist.photo_strip import PhotoStrip
from jurydesk.app.plots.plot_export import picture_exports
from jurydesk.app.style.theme import px
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.large_copy import LargeCopy
from jurydesk.app.tables.table_view import Table
from jurydesk.app.widgets.page_export import Export
from jurydesk.app.widgets.parts import Card, set_spacing
from jurydesk.core.language import translatable, translate
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, number
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence

IMAGES = "images"
"""Role of the folder with the photos."""
SHOWN_TEXT = 160
TABLE_ROWS, LEAST_TEXT = 8, 100
ROOMY = 760
BEST = (
    translatable("best of one"),
    translatable("best of two"),
    translatable("best of three"),
    translatable("best of four"),
    translatable("best of five"),
    translatable("best of six"),
    translatable("best of seven"),
    translatable("best of eight"),
    translatable("best of nine"),
    translatable("best of ten"),
)


class StoryInspector(Inspector):
    """Inspector of a `StoryEvidence`; Up and Down, or P and N, choose the human story."""

    guide_part = translatable("Stories")

    least_width = 302

    def __init__(self) -> None:
        super().__init__()
        self.evidence: StoryEvidence | None = None
        self.story = 0
        self.photos = PhotoStrip()
        self.alignment = AlignmentView()
        self.sum = ScoreDerivation()
        self.stories = Table(translate("Human stories"))
        self._order: tuple[int, ...] = ()
        self._alignment_jobs = AlignmentJobs(self)
        self._lay_out()
        self.stories.current_row_changed.connect(self._row_changed)
        self._alignment_jobs.aligned.connect(self._show_aligned)

    def _lay_out(self) -> None:
        card = Card()
        card.body.addWidget(self.alignment)
        stories = Card(translate("Human stories"))
        stories.body.addWidget(self.stories)
        stories.body.addStretch(1)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.addWidget(self.sum, 1)
        self._beside.addWidget(stories, 1)
        set_spacing(self._beside, 16)
        fill_view(self, self.photos, card, self._beside)
        self.stories.growing, self.stories.most_rows = ("text",), TABLE_ROWS
        self.stories.least = {"text": LEAST_TEXT}
        self.setFocusProxy(self.alignment)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._beside.setDirection(beside if self.width() >= px(ROOMY) else below)

    def show_item(self, item: InspectedItem) -> None:
        """Show another sequence with its best human story."""
        evidence = item.evidence
        if not isinstance(evidence, StoryEvidence):
            raise TypeError(f"expected the evidence of a story, got {type(evidence).__name__}")
        self.evidence = evidence
        best = AlignmentResult(evidence, (evidence.best,), evidence.alignment)
        self._alignment_jobs.use_item(evidence, best)
        scores = [story.score for story in evidence.stories]
        self._order = tuple(sorted(range(len(scores)), key=lambda i: -scores[i]))
        self.photos.show_photos(evidence.photos, self.folder_of(item, IMAGES))
        self.stories.set_current_row(None)
        self.stories.table_model.show(_columns(evidence, self._order))
        self.stories.set_current_row(self._order.index(evidence.best))

    def step(self, direction: int) -> None:
        """Go to the next human story (1) or the previous one (-1), best first."""
        self.stories.step(direction)

    def _row_changed(self, row: int | None) -> None:
        if row is None or self.evidence is None:
            return
        self.story = self._order[row]
        aligned = self._alignment_jobs.select(self.story)
        if aligned is not None:
            self._show_aligned(aligned)
        elif is_long(self.evidence.text, self.evidence.stories[self.story].text):
            problem = translate(
                "Stories of more than {count} words are not aligned here.",
                count=count(LONGEST_ALIGNED),
            )
            self._show_aligned(AlignmentResult(self.evidence, (self.story,), None, problem))
        else:
            self._alignment_jobs.align()

    def _show_aligned(self, aligned: AlignmentResult) -> None:
        evidence, alignment = self.evidence, aligned.alignment
        if evidence is None:
            return
        total = len(evidence.stories)
        titles = (
            translate("Submitted"),
            translate("Human story {value} of {count}", value=self.story + 1, count=count(total)),
        )
        chip = _best_of(total) if self.story == evidence.best else ""
        if alignment is not None:
            self.alignment.show_alignment(alignment, titles, chip)
            self.sum.show_alignment(alignment)
        else:
            human = evidence.stories[self.story]
            self.alignment.show_texts(evidence.text.split(), human.text.split(), titles, chip)
            self.sum.show_note(number(human.score), aligned.problem)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_N:
                self.step(1)
            case Qt.Key.Key_Up | Qt.Key.Key_P:
                self.step(-1)
            case Qt.Key.Key_Period | Qt.Key.Key_Comma:
                self.alignment.keyPressEvent(event)
            case _:
                event.ignore()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selected human stories as tab-separated text, else the submitted story."""
        if self.stories.hasFocus() or self.evidence is None:
            return self.stories.selection_text(headers=headers)
        return self.evidence.text

    def exports(self) -> Sequence[Export]:
        return picture_exports(self.alignment, translate("Alignment")) if self.evidence else ()


def _columns(evidence: StoryEvidence, order: Sequence[int]) -> tuple[Column, ...]:
    stories = [evidence.stories[i] for i in order]
    best = [i for i, story in enumerate(order) if story == evidence.best]
    return (
        NumberColumn(
            "number",
            translatable("No."),
            np.array(order, np.int64) + 1,
            decimals=0,
            tooltip=translatable("In the order of the file"),
        ),
        TextColumn(
            "text",
            translatable("Human story"),
            [display_text(story.text, SHOWN_TEXT) for story in stories],
        ),
        NumberColumn(
            "meteor",
            "METEOR",
            np.array([story.score for story in stories], np.float64),
            tooltip=translatable("METEOR of the submitted story against this one"),
            paint=lambda row: "good" if row in best else "",
        ),
    )


def _best_of(total: int) -> str:
    if 0 < total <= len(BEST):
        return translate(BEST[total - 1])
    return translate("best of {count}", count=count(total))


INSPECTOR = StoryInspector
