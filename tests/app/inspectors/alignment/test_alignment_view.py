from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.alignment.alignment_layout import (
    SHOWN_WORDS,
    AlignmentLayout,
    WordSpan,
    drawing_of,
)
from jurydesk.app.inspectors.alignment.alignment_view import (
    AlignmentView,
    alignment_summary,
    match_sentence,
    paint_underline,
)
from jurydesk.app.plots.plot_export import png_bytes, svg_bytes
from jurydesk.app.style.theme import current, theme
from jurydesk.core.metrics.meteor.alignment.alignment import AlignmentMatch
from support.windows.alignments import HYPOTHESIS, REFERENCE, alignment

TITLES = ("Submitted", "Human story 3 of 5")


@pytest.fixture(params=["light", "dark"])
def look(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    theme().install(qapp, request.param)
    yield request.param
    theme().install(qapp, "light")


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> AlignmentView:
    theme().install(qapp, "light")
    made = AlignmentView()
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show_alignment(alignment(), TITLES, "best of five")
    return made


def point(view: AlignmentView, word: int, *, reference: bool = False) -> QPoint:
    """Return the middle of a word."""
    place = view.place(view.width())
    block = place.reference if reference else place.hypothesis
    found = block.flow.words[word]
    return QPoint(int(found.left + found.width / 2), block.line_top(found.line) + 12)


def hover(view: AlignmentView, place: QPoint) -> None:
    none = Qt.MouseButton.NoButton
    kind, keys = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(
        view, QMouseEvent(kind, QPointF(place), QPointF(place), none, none, keys)
    )


def colours_of(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_every_module_is_drawn_in_its_own_colour(look: str, view: AlignmentView) -> None:
    theme().set_mode("light" if look == "light" else "dark")
    seen = colours_of(view.grab().toImage())
    palette = current()
    assert {palette.exact, palette.stem, palette.synonym, palette.paraphrase} <= seen


@pytest.mark.parametrize(
    ("module", "lines", "has_gaps"),
    [("exact", 1, False), ("stem", 2, False), ("synonym", 1, True), ("paraphrase", 1, True)],
)
def test_every_module_has_a_line_of_its_own(
    view: AlignmentView, module: str, lines: int, has_gaps: bool
) -> None:
    image = QImage(100, 40, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_underline(painter, QRectF(10, 5, 80, 30), module)
    painter.end()
    down = [image.pixelColor(50, y).name() != "#ffffff" for y in range(40)]
    across = [any(image.pixelColor(x, y).lightness() < 200 for y in range(40)) for x in range(100)]
    assert across[15:85].count(False) > 5 if has_gaps else all(across[15:85])
    if not has_gaps:
        assert sum(one and not before for before, one in pairwise(down)) == lines


def test_a_word_under_the_mouse_marks_its_match(view: AlignmentView) -> None:
    marked: list[object] = []
    view.match_marked.connect(marked.append)
    hover(view, point(view, 8))
    assert view.marked == 6
    hover(view, point(view, 3, reference=True))
    assert view.marked == 1
    hover(view, point(view, 9))
    assert view.marked is None
    assert marked == [6, 1, None]


def test_keys_step_through_the_matches(view: AlignmentView) -> None:
    QTest.keyClick(view, Qt.Key.Key_Period)
    assert view.marked == 0
    QTest.keyClick(view, Qt.Key.Key_Comma)
    assert view.marked == 7
    QTest.keyClick(view, Qt.Key.Key_Period)
    assert view.marked == 0


def test_a_marked_match_has_a_connecting_line(view: AlignmentView) -> None:
    before = view.grab().toImage()
    view.mark(6)
    assert view.grab().toImage() != before


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (1, "paraphrase: “went to” and “headed for”, weight 0.8, chunk 1 of 3"),
        (3, "stem: “beaches” and “beach”, weight 0.2, chunk 1 of 3"),
        (6, "synonym: “enjoyed” and “liked”, weight 0.6, chunk 2 of 3"),
        (7, "exact: “walk” and “walk”, weight 1, chunk 3 of 3"),
    ],
)
def test_a_match_is_described_in_words(number: int, sentence: str) -> None:
    found = alignment()
    assert match_sentence(found, found.matches[number]) == sentence


def test_the_tooltip_shows_markup_as_text(view: AlignmentView) -> None:
    nasty = "<b>x</b>"
    view.show_alignment(alignment([nasty], [nasty], (AlignmentMatch(0, 1, 0, 1, 0),)), TITLES)
    where = point(view, 0)
    assert "&lt;b&gt;x&lt;/b&gt;" in view.tooltip_at(where.x(), where.y())
    assert view.tooltip_at(0, 0) == ""


def test_the_view_has_a_description_for_screen_readers(view: AlignmentView) -> None:
    assert view.accessibleName() == "Alignment"
    assert view.accessibleDescription() == (
        "10 of 11 words matched in 3 chunks: 5 exact, 1 stem, 1 synonym, 1 paraphrase."
    )
    assert alignment_summary(alignment(["a"], ["b"], ())) == "None of 1 word matched."


def test_the_height_follows_the_width(view: AlignmentView) -> None:
    assert view.heightForWidth(300) > view.heightForWidth(900)
    assert view.place(900).has_single_lines
    assert not view.place(300).has_single_lines


def test_a_wide_legend_breaks_into_lines(view: AlignmentView) -> None:
    wide, narrow = view.place(900).legend, view.place(200).legend
    assert wide.lines == 1 < narrow.lines
    assert all(0 <= label.left < label.right <= 200 for label in narrow.words)
    assert view.place(200).height > view.place(200).reference.bottom + narrow.lines * 26


def test_chunks_are_stretches_of_both_sentences() -> None:
    picture = drawing_of(alignment())
    assert picture.chunk_spans(reference=False) == (WordSpan(0, 6), WordSpan(6, 3), WordSpan(10, 1))
    assert picture.chunk_spans(reference=True) == (WordSpan(0, 6), WordSpan(7, 3), WordSpan(11, 1))
    assert drawing_of(alignment(["a"], ["b"], ())).chunk_spans(reference=True) == ()


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ([], []),
        (["x" * 1_000_000], ["y"]),
        (["word"] * 200_000, ["word"] * 10),
        (["שלום", "עולם"], ["مرحبا"]),
        (["\x00", "\x1b[2J", "\u202e", "\ud7ff", "\U0001f600"], ["Z\u0335\u0336\u0337" * 30]),
    ],
)
def test_any_text_can_be_shown(
    view: AlignmentView, hypothesis: list[str], reference: list[str]
) -> None:
    view.show_alignment(alignment(hypothesis, reference, ()), TITLES)
    assert not view.grab().toImage().isNull()
    view.show_texts(hypothesis, reference, TITLES)
    assert not view.grab().toImage().isNull()


def test_very_long_texts_are_cut_and_matches_beyond_are_not_drawn(view: AlignmentView) -> None:
    long = ["w"] * (SHOWN_WORDS + 5)
    matches = tuple(AlignmentMatch(i, 1, i, 1, 0) for i in range(len(long)))
    view.show_alignment(alignment(long, long, matches), TITLES)
    assert view.picture.hypothesis.cut == 5
    assert len(view.picture.matches) == SHOWN_WORDS
    assert view.match_at(5, 40) == 0


def test_right_to_left_text_is_right_aligned(view: AlignmentView) -> None:
    view.show_alignment(alignment(["שלום"], ["a"], ()), TITLES)
    place: AlignmentLayout = view.place(view.width())
    assert place.hypothesis.flow.words[0].right == view.width()
    assert place.reference.flow.words[0].left == 0


def test_texts_without_an_alignment_have_no_matches(view: AlignmentView) -> None:
    view.show_texts(HYPOTHESIS, REFERENCE, TITLES)
    assert view.alignment is None
    assert view.match_at(20, 40) is None
    QTest.keyClick(view, Qt.Key.Key_Period)
    assert view.marked is None
    assert view.accessibleDescription() == "Not aligned."


def test_the_alignment_is_exported_as_a_picture(view: AlignmentView) -> None:
    image = QImage.fromData(png_bytes(view))
    assert image.width() == 2 * view.width()
    assert QColor(image.pixel(3, 3)).name() == current().card
    assert b"Submitted" in svg_bytes(view, "Alignment")
