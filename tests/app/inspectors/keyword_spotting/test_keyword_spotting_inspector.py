"""Inspector of a ranked list: the ranks, the strip of hits, and the words on their pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.inspector import InspectedItem, inspected_item
from jurydesk.app.inspectors.inspector_registry import INSPECTORS
from jurydesk.app.inspectors.keyword_spotting.keyword_spotting_inspector import (
    RankingInspector,
    kind_of,
)
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.files.spotting import score_texts
from support.windows.evaluations import ranked_list

Key = Qt.Key
NAN = float("nan")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder with three pages and a broken one."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in (1, 2, 3):
        image = QImage(900, 1000, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        assert image.save(str(folder / f"page_{number:03d}.PNG"))
    (folder / "page_004.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing more")
    return folder


def item(ranked: RankedList, pages: Path | None = None) -> InspectedItem:
    folders = {"images": [pages]} if pages else {}
    return InspectedItem(ranked.query, "lexicon-hmm", ranked, {}, folders)


@pytest.fixture
def view(qtbot: QtBot) -> RankingInspector:
    view = RankingInspector()
    qtbot.addWidget(view)
    view.resize(1000, 500)
    view.show()
    return view


def current(view: RankingInspector) -> RankedItem:
    assert view.table.current_row is not None
    return view.items[view.table.current_row]


def wait_for_page(qtbot: QtBot, view: RankingInspector) -> None:
    view._loader.wait()
    qtbot.wait(1)


def go_to_page(qtbot: QtBot, view: RankingInspector, name: str) -> None:
    row = next(row for row, entry in enumerate(view.items) if entry.name == name)
    view.table.set_current_row(row)
    wait_for_page(qtbot, view)


def test_the_inspector_is_registered_under_the_declared_name(qtbot: QtBot) -> None:
    view = INSPECTORS.make("keyword_spotting")
    assert isinstance(view, RankingInspector)
    qtbot.addWidget(view)


def test_the_first_hit_is_selected_initially(view: RankingInspector) -> None:
    ranked = ranked_list(7)
    view.show_item(item(ranked))
    assert current(view).hit
    assert current(view).rank == min(entry.rank for entry in ranked.items if entry.hit)
    assert view.strip.current_rank == current(view).rank


def test_every_rank_and_every_missed_item_has_a_row(view: RankingInspector) -> None:
    ranked = ranked_list(7)
    view.show_item(item(ranked))
    assert view.table.table_model.rowCount() == len(ranked.items) + len(ranked.missed)


def test_n_and_p_step_through_the_hits(qtbot: QtBot, view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    hits = [entry.rank for entry in view.items if entry.hit]
    for rank in hits[1:]:
        qtbot.keyClick(view.table, Key.Key_N)
        assert current(view).rank == rank
    qtbot.keyClick(view.table, Key.Key_N)
    assert current(view).rank == hits[-1]
    qtbot.keyClick(view.table, Key.Key_P)
    assert current(view).rank == hits[-2]


def test_a_click_on_the_strip_goes_to_the_hit(qtbot: QtBot, view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    rank = view.strip.ranks[-1]
    position = QPointF(view.strip.offset(rank), 9).toPoint()
    qtbot.mouseClick(view.strip, Qt.MouseButton.LeftButton, pos=position)
    assert current(view).rank == rank


def test_the_strip_describes_its_hits_for_screen_readers(view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    assert view.strip.accessibleName() == "7 hits in 300 ranks"


def test_without_a_folder_there_is_no_page(view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    assert not view.pages.isVisible()
    assert view.advice.isVisible()
    view.resize(1000, 300)
    assert not view.advice.isVisible()


def test_a_large_page_leaves_the_list_more_than_half_of_the_room(
    qtbot: QtBot, view: RankingInspector, tmp_path: Path
) -> None:
    picture = QImage(3000, 2000, QImage.Format.Format_RGB32)
    assert picture.save(str(tmp_path / "page_002.png"))
    view.resize(700, 150)
    view.show_item(item(ranked_list(7), tmp_path))
    go_to_page(qtbot, view, "page_002")
    assert not view.pages.isVisible()
    view.resize(700, 500)
    list_width, page_width = view._split.sizes()
    assert list_width > page_width > 0


def test_the_page_shows_the_words_of_the_list(
    qtbot: QtBot, view: RankingInspector, pages: Path
) -> None:
    view.show_item(item(ranked_list(7), pages))
    go_to_page(qtbot, view, "page_002")
    rows = {box.row for box in view.pages.boxes}
    assert rows == {row for row, entry in enumerate(view.items) if entry.name == "page_002"}
    assert view.page_note.text().startswith("page_002.PNG ")
    assert view.pages.current_row == view.table.current_row


def test_a_low_view_shows_only_the_list(qtbot: QtBot, view: RankingInspector, pages: Path) -> None:
    view.show_item(item(ranked_list(7), pages))
    assert not view.page_note.isHidden()
    view.resize(1000, 180)
    assert not view.page_note.isVisible()


def test_a_narrow_view_shows_the_page_under_the_list_or_not_at_all(
    view: RankingInspector, pages: Path
) -> None:
    view.show_item(item(ranked_list(7), pages))
    view.resize(300, 600)
    assert view.page_note.isVisible()
    assert view.pages.width() > 250
    view.resize(300, 380)
    assert not view.page_note.isVisible()
    assert view.table.width() > 250


def test_a_click_on_a_box_goes_to_its_row(
    qtbot: QtBot, view: RankingInspector, pages: Path
) -> None:
    view.show_item(item(ranked_list(7), pages))
    go_to_page(qtbot, view, "page_002")
    box = view.pages.boxes[-1]
    point = view.pages.mapFromScene(box.x + box.width / 2, box.y + box.height / 2)
    inside = [
        other
        for other in view.pages.boxes
        if other.x <= box.x + box.width / 2 <= other.x + other.width
        and other.y <= box.y + box.height / 2 <= other.y + other.height
    ]
    smallest = min(inside, key=lambda other: other.width * other.height)
    qtbot.mouseMove(view.pages.viewport(), point)
    assert view.table.hovered_place == smallest.row
    qtbot.mouseClick(view.pages.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.table.current_row == smallest.row


def test_a_hovered_row_marks_its_box(qtbot: QtBot, view: RankingInspector, pages: Path) -> None:
    view.show_item(item(ranked_list(7), pages))
    centre = view.table.visualRect(view.table.table_model.index(3, 0)).center()
    qtbot.mouseMove(view.table.viewport(), centre)
    assert view.pages.hovered_row == 3


def test_a_page_is_announced_until_it_is_read(
    qtbot: QtBot, view: RankingInspector, pages: Path
) -> None:
    view.show_item(item(ranked_list(7), pages))
    go_to_page(qtbot, view, "page_001")
    row = next(row for row, entry in enumerate(view.items) if entry.name == "page_002")
    view.table.set_current_row(row)
    assert view.page_note.text() == "page_002.PNG is being read …"
    wait_for_page(qtbot, view)
    assert view.page_note.text().startswith("page_002.PNG ")
    assert "being read" not in view.page_note.text()


def test_a_broken_page_is_reported(qtbot: QtBot, view: RankingInspector, pages: Path) -> None:
    view.show_item(item(ranked_list(7), pages))
    go_to_page(qtbot, view, "page_004")
    assert view.page_note.text().startswith("page_004.png cannot be shown: ")
    assert not view.pages.isVisible()


@pytest.mark.parametrize("name", ["page_009", "../page_001", "/etc/passwd", ""])
def test_a_name_is_looked_up_in_the_folder_and_never_joined_to_a_path(
    qtbot: QtBot, view: RankingInspector, pages: Path, name: str
) -> None:
    word = RankedItem(1, name, True, 1.0, NAN, (1, 2, 3, 4))
    view.show_item(item(RankedList("q", 1, 1, (word,), (), ()), pages / ".."))
    view.show_item(item(RankedList("q", 1, 1, (word,), (), ()), pages))
    assert (
        view.page_note.text() == f"{name}: the folder of page images has no picture of that name."
    )
    assert not view.pages.isVisible()


def test_keys_zoom_the_page_from_the_table(
    qtbot: QtBot, view: RankingInspector, pages: Path
) -> None:
    view.show_item(item(ranked_list(7), pages))
    go_to_page(qtbot, view, "page_001")
    whole = view.pages.transform().m11()
    qtbot.keyClick(view.table, Key.Key_Plus)
    assert view.pages.transform().m11() == pytest.approx(whole * 1.25)
    qtbot.keyClick(view.table, Key.Key_Z)
    assert view.pages.transform().m11() > whole * 1.5
    qtbot.keyClick(view.table, Key.Key_0)
    assert view.pages.transform().m11() == pytest.approx(whole)
    qtbot.keyClick(view.table, Key.Key_Minus)
    assert view.pages.transform().m11() == pytest.approx(whole)


def test_less_important_columns_are_hidden_first(qtbot: QtBot, view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    names = [column.name for column in view.table.table_model.columns]
    qtbot.waitUntil(lambda: not view.table.isColumnHidden(names.index("box")))
    view.resize(380, 400)
    qtbot.waitUntil(lambda: view.table.isColumnHidden(names.index("box")))
    assert not view.table.isColumnHidden(names.index("rank"))
    assert view.table.horizontalHeader().length() <= view.table.viewport().width()


def test_an_empty_list_is_shown(view: RankingInspector) -> None:
    view.show_item(item(RankedList("q", 0, 3, (), (), ())))
    assert view.summary.text() == "0 of 3 relevant items found in 0 ranks."
    assert view.table.current_row is None


def test_selected_ranks_are_copied(view: RankingInspector) -> None:
    view.show_item(item(RankedList("q", 1, 1, (RankedItem(1, "d", True, 1.0),), (), ())))
    assert (
        view.selection_text(True) == "Rank\tFound\tDocument\tPrecision\tGain\n1.0\thit\td\t1.0\t1.0"
    )


def test_another_kind_of_evidence_is_a_type_error(view: RankingInspector) -> None:
    wrong = InspectedItem("q", "s", object(), {}, {})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="got object"):
        view.show_item(wrong)


class TestFilter:
    """The filter line above the ranks."""

    @pytest.fixture
    def filtered(self, qtbot: QtBot, view: RankingInspector) -> RankingInspector:
        view.show_item(item(ranked_list(7)))
        assert view.ranks.line.isVisible()
        view.ranks.line.field.setFocus()
        qtbot.keyClicks(view.ranks.line.field, "rank > 3")
        assert view.table.table_model.rowCount() < view.table.table_model.total
        return view

    def test_a_typed_condition_filters_the_ranks(self, filtered: RankingInspector) -> None:
        rows = filtered.table.table_model.rows.tolist()
        assert rows
        assert all(filtered.items[row].rank > 3 for row in rows)

    def test_a_hit_that_is_chosen_in_the_strip_clears_the_filter_that_hides_it(
        self, filtered: RankingInspector
    ) -> None:
        filtered.strip.rank_chosen.emit(1)
        assert current(filtered).rank == 1
        assert filtered.ranks.line.query == ""

    def test_the_filter_stays_for_the_next_query_and_selects_a_visible_rank(
        self, filtered: RankingInspector
    ) -> None:
        filtered.show_item(item(ranked_list(8)))
        assert filtered.ranks.line.query == "rank > 3"
        assert current(filtered).rank > 3


def test_the_table_has_all_of_the_height_of_low_windows(qtbot: QtBot, view: RankingInspector):
    view.show_item(item(ranked_list(7)))
    page = QWidget()  # a window would be as high as the layout of the inspector
    qtbot.addWidget(page)
    view.setParent(page)
    view.show()
    page.show()
    view.resize(500, 130)
    assert view.strip.isVisible()
    assert view.summary.isVisible()
    view.resize(500, view.minimumSizeHint().height())
    assert view.height() < 70
    assert not view.strip.isVisible()
    assert not view.summary.isVisible()
    qtbot.waitUntil(lambda: view.ranks.mapTo(view, QPoint(0, 0)).y() == 0)
    view.setParent(None)


# The slider of the least overlap

WORDS = "and p 0 0 100 10\nand p 0 40 100 10\nthe p 200 0 100 10\n"
LISTED = "and p 0 0 60 10 .9\nand p 0 40 40 10 .5\nthe p 200 0 100 10 .9\nthe p 0 0 60 10 .1\n"


@pytest.fixture
def boxes(tmp_path: Path) -> Evaluation:
    found = score_texts(tmp_path, WORDS, LISTED, protocol="iou50").evaluation
    assert found is not None
    return found


def test_the_slider_makes_the_claims_again(
    qtbot: QtBot, view: RankingInspector, boxes: Evaluation
) -> None:
    shown = inspected_item(TASK, boxes, boxes.items.ids.index("and"), {})
    assert shown is not None
    view.show_item(shown)
    assert view.lab.dial.value == 0.5
    assert [kind_of(one) for one in view.items] == ["hit", "other", "missed"]
    view.lab.dial.slider.setFocus()
    with qtbot.waitSignal(view.lab.changed):
        qtbot.keyClick(view.lab.dial.slider, Key.Key_PageDown)
    assert view.lab.threshold == pytest.approx(0.41)
    for _ in range(2):
        qtbot.keyClick(view.lab.dial.slider, Key.Key_Left)
    assert [kind_of(one) for one in view.items] == ["hit", "hit"]
    # By hand at .39: AP 1 for both queries; as scored 1/2 and 1.
    qtbot.waitUntil(lambda: "as scored" in view.lab.sentence.text())
    assert "Mean AP 1.0000 (0.7500 as scored): 3 hits" in view.lab.sentence.text()
    other = inspected_item(TASK, boxes, boxes.items.ids.index("the"), {})
    assert other is not None
    view.show_item(other)
    assert view.lab.threshold == pytest.approx(0.39)
    qtbot.mouseClick(view.lab.reset, Qt.MouseButton.LeftButton)
    assert view.lab.threshold is None
    assert view.lab.dial.value == 0.5


EVENTS = "l1 and 1 .9\nl2 and 0 .6\nl3 and 1 .4\nl4 and 1 -1\nl1 the 0 .8\nl2 the 1 .3\n"


def test_the_slider_of_a_table_cuts_the_events_at_a_score(
    qtbot: QtBot, view: RankingInspector, tmp_path: Path
) -> None:
    chosen = {"protocol": "table", "keep_negative": True}
    found = score_texts(tmp_path, EVENTS, EVENTS, **chosen).evaluation
    assert found is not None
    shown = inspected_item(TASK, found, found.items.ids.index("and"), {})
    assert shown is not None
    view.show_item(shown)
    assert not view.lab.isVisible()
    assert [kind_of(one) for one in view.items] == ["hit", "other", "hit", "missed"]
    view.score_lab.dial.slider.setFocus()
    for _ in range(5):
        qtbot.keyClick(view.score_lab.dial.slider, Key.Key_PageUp)
    assert view.score_lab.threshold == pytest.approx(0.5)
    assert [kind_of(one) for one in view.items] == ["hit", "other", "missed", "missed"]
    assert view.summary.text().startswith("1 of 3")
    # By hand, from .5 on: one of two events of "and" is right, and one of three of both words.
    qtbot.waitUntil(lambda: "All queries" in view.score_lab.sentence.text())
    assert view.score_lab.sentence.text() == (
        "This query: precision 0.5000, recall 0.3333, F1 0.4000; 1 false positive, 2 missed. "
        "All queries: precision 0.3333, recall 0.2500, F1 0.2857; 2 false positives, 3 missed."
    )
    qtbot.mouseClick(view.score_lab.reset, Qt.MouseButton.LeftButton)
    assert len(view.ranked.items) == 3


def test_the_slider_of_a_table_begins_below_its_lowest_score(view: RankingInspector) -> None:
    scores = (0.5, -3.2)
    ranked = replace(ranked_list(1), rules="", candidates=(scores, (1,), (0,), (1.0,)))
    lab = view.score_lab
    assert lab.fits(ranked)
    assert lab.as_scored(ranked) == -4.0
    assert lab.what_if([ranked]).at(-4.0).listed == 2
    assert not lab.fits(replace(ranked, candidates=((1e300, 0.5), (1,), (0,), (1.0,))))


def test_errors_are_named_in_the_list(view: RankingInspector, boxes: Evaluation) -> None:
    row = boxes.items.ids.index("the")
    shown = inspected_item(TASK, boxes, row, {})
    assert shown is not None
    view.show_item(shown)
    found = next(one for one in view.table.table_model.columns if one.name == "found")
    assert [found.text(row) for row in range(2)] == ["hit", "wrong word"]


def test_a_list_without_boxes_has_no_slider(view: RankingInspector) -> None:
    view.show_item(item(ranked_list(7)))
    assert not view.lab.isVisible()


def test_each_listed_word_is_shown_by_its_part_of_the_page(qtbot, view, pages):
    page = QImage(900, 1000, QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    words = ((100, 200, 80, 30), (500, 600, 60, 30))
    for box, tone in zip(words, (Qt.GlobalColor.red, Qt.GlobalColor.blue), strict=True):
        for x in range(box[0], box[0] + box[2]):
            for y in range(box[1], box[1] + box[3]):
                page.setPixelColor(x, y, tone)
    assert page.save(str(pages / "page_001.PNG"))
    listed = [
        RankedItem(1, "page_001", hit=True, box=words[0]),
        RankedItem(2, "page_001", hit=False, box=words[1]),
        RankedItem(3, "page_404", hit=False, box=words[1]),
    ]
    ranked = replace(ranked_list(7), items=tuple(listed), missed=())
    view.show_item(item(ranked, pages))
    rows, column = view.table.viewport(), 2

    def colours(row: int) -> set[str]:
        rect = view.table.visualRect(view.table.table_model.index(row, column))
        seen = rows.grab(rect).toImage()
        shades = (seen.pixelColor(x, rect.height() // 2) for x in range(5, 60))
        return {one.name() for one in shades} & {"#ff0000", "#0000ff"}

    qtbot.waitUntil(lambda: colours(0) == {"#ff0000"} and colours(1) == {"#0000ff"})
    assert colours(2) == set()
    view.show_item(item(ranked))
    qtbot.waitUntil(lambda: colours(0) == set())


def test_images_of_words_leave_when_a_table_has_no_room_for_them(qtbot, view, pages):
    view.show_item(item(ranked_list(7), pages))
    view.resize(300, 500)
    qtbot.waitUntil(lambda: view.table.horizontalScrollBar().maximum() == 0)
