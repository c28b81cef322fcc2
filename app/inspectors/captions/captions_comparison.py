"""Comparison of the captions of one image by two systems, beside its references."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from jurydesk.app.inspectors.alignment.alignment_layout import unaligned_drawing
from jurydesk.app.inspectors.alignment.compared_sentences import (
    ComparedTexts,
    MarkedSentence,
    MarkedWord,
    mark_of,
)
from jurydesk.app.inspectors.alignment.sentence_comparison import SentenceComparison
from jurydesk.app.inspectors.captions.captions_inspector import (
    MOST_WORDS,
    PHOTOS,
    shared_spans,
)
from jurydesk.app.inspectors.inspector import InspectedItem
from jurydesk.app.inspectors.vist.photo_strip import COLUMN_SHAPE, GAP, PhotoColumn
from jurydesk.app.style.theme import BASE, HEADING, px
from jurydesk.app.style.visible_text import display_text
from jurydesk.core.language import translate, translate_plural
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence

ROOMY = 620
"""Unscaled width from which the type is larger."""
PICTURE, ROOMY_PICTURE = 112, 168
"""Widths of the picture at the left of the texts."""


class CaptionPicture(PhotoColumn):
    """The picture of a caption, beside the first rows of the texts."""

    def tiles(self) -> list[QRectF]:
        first = super().tiles()[:1]
        height = min(self.width() * COLUMN_SHAPE, self.height() - px(GAP))
        return [QRectF(0, one.top(), self.width(), height) for one in first]

    def _badge(self, painter: QPainter, tile: QRectF, text: str) -> None:
        """Paint no number: there is one picture."""


class CaptionComparison(SentenceComparison):
    """One `CaptionEvidence` of two systems: a caption, the references, the other caption.

    A word of a caption is marked if a reference has it, as often as one of them does.
    """

    def __init__(self) -> None:
        super().__init__()
        self.picture = CaptionPicture(self.grid)
        self.grid.side = self.picture
        self.evidence: tuple[CaptionEvidence, CaptionEvidence] | None = None

    def show_items(self, first: InspectedItem, second: InspectedItem) -> None:
        """Show the captions of another image."""
        one, other = first.evidence, second.evidence
        if not isinstance(one, CaptionEvidence) or not isinstance(other, CaptionEvidence):
            raise TypeError("expected the evidence of two captions")
        self.evidence = one, other
        self._show_next_names()
        folder = next(iter(first.folders.get(PHOTOS, ())), None)
        self.picture.show_photos((one.file_name or one.image,), folder)
        self._place_pictures()
        texts = mark_captions(one, other)
        self.grid.show_texts(texts, "\n".join((one.words, other.words)))
        self.area.verticalScrollBar().setValue(0)
        count = len(one.references)
        self.names[1].show_text(translate_plural("{count} reference", "{count} references", count))
        self.notes[1].show_text(translate("words as the metrics compare them"))
        self._show_notes((len(one.words.split()), len(other.words.split())))
        problem = translate("The other system was scored with other references.")
        same = _references(one) == _references(other)
        self._show_legend(texts, [] if same else [problem], is_whole=same)

    def _place_pictures(self) -> None:
        is_roomy = self.width() >= px(ROOMY)
        has_picture = self.picture.has_photos
        self.grid.type_size = HEADING if is_roomy else BASE
        self.grid.side_width = (ROOMY_PICTURE if is_roomy else PICTURE) if has_picture else 0
        self.picture.setVisible(has_picture)
        self._place_head()


def mark_captions(one: CaptionEvidence, other: CaptionEvidence) -> ComparedTexts:
    """Mark the words of two captions and of the references of the first one.

    If the other one has other references, its words are not marked.
    """
    references = _references(one)
    left, right = one.words.split(), other.words.split()
    own = _covered(left, references)
    its = _covered(right, references) if _references(other) == references else frozenset[int]()
    has_left, has_right = {left[n] for n in own}, {right[n] for n in its}
    columns = (
        (_marked(left, own, has_right, "left"),),
        tuple(_marked_reference(words, left, right if its else []) for words in references),
        (_marked(right, its, has_left, "right"),),
    )
    cut = sum(max(0, len(words) - MOST_WORDS) for words in (left, right, *references))
    nothing = unaligned_drawing((), ())
    return ComparedTexts(columns, cut, (None, None), (nothing, nothing))


def _references(evidence: CaptionEvidence) -> list[list[str]]:
    return [one.words.split() for one in evidence.references]


def _covered(words: Sequence[str], others: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the places of the words that other texts have, too."""
    return frozenset(span.start for span in shared_spans(words, others, 1))


def _marked(
    words: Sequence[str], shared: frozenset[int], others: set[str], own: str
) -> MarkedSentence:
    found = []
    for place, word in enumerate(words[:MOST_WORDS]):
        is_shared, in_other = place in shared, word in others
        has_left, has_right = (True, in_other) if own == "left" else (in_other, True)
        found.append(
            MarkedWord(display_text(word), mark_of(is_shared and has_left, is_shared and has_right))
        )
    return tuple(found)


def _marked_reference(
    words: Sequence[str], left: Sequence[str], right: Sequence[str]
) -> MarkedSentence:
    in_left, in_right = _covered(words, [left]), _covered(words, [right])
    return tuple(
        MarkedWord(display_text(word), mark_of(place in in_left, place in in_right))
        for place, word in enumerate(words[:MOST_WORDS])
    )


COMPARISON = CaptionComparison
