"""List of items with texts and thumbnails, declared by the captioning competition."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.image_loader import read_picture
from jurydesk.app.pages.items.items_listing import (
    LEAST_WITH_PICTURE,
    LISTED_HEIGHT,
    WORD_WIDTH,
    ListedCells,
    Listing,
    listing_of,
    paint_lines,
)
from jurydesk.app.pages.items.items_view import STACKED_STRIP, ItemsView
from jurydesk.app.style.theme import colour, px, theme
from jurydesk.app.tables.table_view import ROW_HEIGHT, Table
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task import ItemListEntry, JsonEvidence
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.columns import TextColumn
from jurydesk.core.tasks.captions.captions_task import TASK
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList

PHOTOS = example_folder(TASK) / "photos"
METRICS = [info for info in TASK.scoring.metrics if info.name in ("cider", "rouge_l")]
LISTED = replace(
    TASK,
    presentation=replace(
        TASK.presentation,
        inspector="",
        listed=lambda evidence: ItemListEntry(evidence.data["text"], evidence.data["file"]),
    ),
)
TEXT = "a man who walks his two small dogs along the shore of a wide lake in the late evening"


def evaluation(show=None) -> Evaluation:
    names = [path.name for path in sorted(PHOTOS.iterdir())]
    columns = {"cider": np.arange(float(len(names))), "rouge_l": np.ones(len(names)) / 2}
    show = show or (lambda row: JsonEvidence({"text": f"{TEXT} row{row}", "file": names[row]}))
    return Evaluation(
        "captions", "one", "published", (), ItemTable(tuple(names), columns, show, "image")
    )


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> ItemsView:
    theme().install(qapp, "light")
    made = ItemsView()
    qtbot.addWidget(made)
    made.resize(1000, 760)
    return made


def show(view: ItemsView, task=LISTED, folders=None, shown=None) -> ListedCells:
    folders = {"photos": [PHOTOS]} if folders is None else folders
    view.show_evaluation(shown or evaluation(), METRICS, ("image", "images"), task, folders)
    view.show()
    return view.table.itemDelegateForColumn(0)


def test_an_item_has_its_thumbnail_its_text_and_one_number(view, qtbot):
    cells = show(view)
    view.table.grab()
    cells.thumbnails.wait()
    path = cells.listing.picture(0)
    assert path == sorted(PHOTOS.iterdir())[0]
    qtbot.waitUntil(lambda: cells.thumbnails.image(path) is not None)
    assert cells.listing.of(3).text == f"{TEXT} row3"
    qtbot.waitUntil(lambda: view.table.rowHeight(0) == px(LISTED_HEIGHT))
    shown = [column.name for column in view.list.shown_columns() if column.numeric]
    assert len(shown) == 1
    with_pictures = view.table.grab().toImage()
    cells.listing.pictures = {}
    view.table.viewport().update()
    assert view.table.grab().toImage() != with_pictures


def test_an_item_stands_before_figures_that_only_sort_one_metric(view, qtbot):
    view.resize(1400, 800)
    show(view)
    view.show_metric(METRICS[0])
    qtbot.waitUntil(lambda: view.item.isVisible() and not view.figures.isVisible())
    view.switch.choose(1)
    assert view.figures.isVisible()
    assert not view.item.isVisible()
    view.resize(1400, px(STACKED_STRIP))
    view.reset_layout()
    qtbot.waitUntil(lambda: view.item.isVisible() and view.figures.isVisible())
    assert view.item.height() > 3 * view.figures.height()


@pytest.mark.parametrize("height", [360, 345, 315])
def test_rows_are_a_little_lower_where_twelve_are_then_in_sight(qtbot, height):
    table = Table("Items")
    qtbot.addWidget(table)
    ListedCells(table)
    table.table_model.show([TextColumn("item", "Item", [str(n) for n in range(40)])])
    table.resize(300, height + table.horizontalHeader().height())
    table.show()
    qtbot.waitUntil(lambda: table.viewport().height() // table.rowHeight(0) == 12)
    table.resize(300, 200)
    assert table.rowHeight(0) == px(ROW_HEIGHT)


def test_twelve_items_are_in_sight_where_few_rows_of_two_lines_are(view, qtbot):
    cells = show(view)
    view.resize(820, 490)  # of a window of 1024 x 700
    qtbot.waitUntil(lambda: cells.lines == 1)
    assert view.table.viewport().height() // view.table.rowHeight(0) >= 12
    view.resize(1000, 760)
    qtbot.waitUntil(lambda: cells.lines == 2)


def test_words_are_found_in_the_texts(view):
    show(view)
    QTest.keyClicks(view.list.search, "lake row3")
    assert view.table.table_model.rows.tolist() == [3]
    view.list.search.clear()
    QTest.keyClicks(view.list.search, "lake cider > 7")
    assert sorted(view.table.table_model.rows.tolist()) == [8, 9]


def test_attributes_of_the_competition_are_read_where_a_condition_names_them(view):
    read = []

    def kinds():
        read.append(True)
        return ["Odd" if row % 2 else "even" for row in range(10)]

    presentation = replace(LISTED.presentation, attributes=lambda items: {"kind of row": kinds})
    show(view, task=replace(LISTED, presentation=presentation))
    QTest.keyClicks(view.list.search, "lake cider > 7")
    assert not read
    view.list.line.set_query("kind_of_row=odd cider > 7")
    assert view.table.table_model.rows.tolist() == [9]
    view.list.line.set_query("kind_of_row!=odd cider > 7")
    assert (view.table.table_model.rows.tolist(), read) == ([8], [True])
    view.list.line.set_query("kind_of_rows=odd")
    assert view.list.line.problem.meant == "kind_of_row"


def test_many_texts_are_read_in_a_job(view, qtbot, monkeypatch):
    monkeypatch.setattr("jurydesk.app.pages.items.items_listing.QUICK_TEXTS", 0)
    threads = set()

    def slowly(row: int) -> JsonEvidence:
        threads.add(threading.current_thread())
        return JsonEvidence({"text": f"{TEXT} row{row}", "file": ""})

    show(view, shown=evaluation(slowly))
    QTest.keyClicks(view.list.search, "lake row3")
    qtbot.waitUntil(lambda: view.table.table_model.rows.tolist() == [3])
    assert threads - {threading.main_thread()}


def test_without_pictures_only_texts_are_shown_and_missing_ones_are_no_error(view, tmp_path):
    cells = show(view, folders={})
    assert cells.listing.picture(0) is None
    assert not view.table.grab().isNull()
    (tmp_path / "another.png").touch()
    cells.listing.pictures = PictureFolder(tmp_path)
    assert cells.listing.picture(0) is None
    assert not view.table.grab().isNull()


def test_a_competition_without_a_listing_shows_ids(view):
    show(view)
    show(view, task=replace(LISTED, presentation=replace(LISTED.presentation, listed=None)))
    assert view.table.rowHeight(0) == px(ROW_HEIGHT)
    assert view.table.itemDelegateForColumn(0) is view.table.itemDelegate()


def test_an_item_without_details_is_listed_by_its_id(view):
    def gone(row: int) -> JsonEvidence:
        raise DeskError("The desk is closed.")

    cells = show(view, shown=evaluation(gone))
    assert cells.listing.of(0) == ItemListEntry("4017.png")
    none = evaluation(lambda row: None)
    assert listing_of(none, LISTED, {}).of(1) == ItemListEntry("4034.png")


def test_a_long_text_has_two_lines_and_a_short_one_is_centred(qapp):
    theme().install(qapp, "light")
    tall = {}
    for text in (TEXT, "dogs"):
        image = QImage(160, 80, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFF)
        painter = QPainter(image)
        painter.setPen(colour("text"))
        paint_lines(painter, image.rect().toRectF(), text, False)
        painter.end()
        inked = [
            y
            for y in range(80)
            if any(image.pixel(x, y) & 0xFFFFFF != 0xFFFFFF for x in range(160))
        ]
        tall[text] = inked[-1] - inked[0]
        assert abs(inked[0] + inked[-1] - 79) < 12
    assert tall[TEXT] > 1.5 * tall["dogs"]


def test_the_competition_lists_captions_with_their_files():
    class Caption:
        text, file_name, image = "a dog", "", "7"

    assert TASK.presentation.listed(Caption()) == ItemListEntry("a dog", "7")


def test_stories_and_questions_are_listed_by_their_words():
    tasks = registry().tasks
    story = SimpleNamespace(text="we met our captain", photos=("11", "12"))
    assert tasks["vist"].presentation.listed(story) == ItemListEntry("we met our captain", "11")
    question = SimpleNamespace(question="Is it red?")
    assert tasks["visdial"].presentation.listed(question) == ItemListEntry("Is it red?")


def test_questions_of_fusionbrain_are_listed_with_their_answers(view, qtbot):
    listed = registry().tasks["fusionbrain"].presentation.listed
    entry = listed(SimpleNamespace(question="Draw it.\na red house", prediction="house"))
    assert entry == ItemListEntry("Draw it. a red house → house")
    missing = listed(SimpleNamespace(question="What is 2 + 2?", prediction=None))
    assert missing == ItemListEntry("What is 2 + 2? → –")


def ranked(query: str, *words: tuple[str, float]) -> RankedList:
    items = [RankedItem(0, "page", False, gain, text=text) for text, gain in words]
    return RankedList(query, 0, len(items), (), tuple(items), ())


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (ranked("17", ("barrels", 0.8), ("barrel", 1.0), ("keg", 0.0)), "barrel · 17"),
        (ranked("barrel", ("barrels", 0.8), ("Barrel", 1.0)), "barrel"),
        (ranked("17", ("", 1.0)), "17"),
        (ranked("17"), "17"),
    ],
)
def test_queries_are_listed_by_the_word_of_the_most_relevant_item(query, text):
    assert registry().tasks["keyword-spotting"].presentation.listed(query).line == text


def test_a_query_is_listed_with_the_image_of_its_most_relevant_word():
    words = [
        RankedItem(1, "page2", True, 0.8, box=(1, 2, 30, 40), text="barrels"),
        RankedItem(2, "page1", True, 1.0, box=(5, 6, 70, 80), text="barrel"),
        RankedItem(3, "page3", False, 0.0, box=(9, 9, 9, 9)),
    ]
    entry = (
        registry()
        .tasks["keyword-spotting"]
        .presentation.listed(RankedList("17", 3, 2, tuple(words), (), ()))
    )
    assert entry == ItemListEntry("barrel", "page1", "17", (5, 6, 70, 80))


def test_the_image_of_a_word_is_its_part_of_the_page_before_word_and_id(view, qtbot, tmp_path):
    page = QImage(400, 300, QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    painter = QPainter(page)
    painter.fillRect(100, 50, 80, 20, Qt.GlobalColor.red)
    painter.end()
    assert page.save(str(tmp_path / "page.png"))

    def entry(evidence: JsonEvidence) -> ItemListEntry:
        return ItemListEntry("barrel", "page", evidence.data["file"], (100, 50, 80, 20))

    worded = replace(LISTED.presentation, listed=entry, listed_lines=1)
    cells = show(view, replace(LISTED, presentation=worded), {"images": [tmp_path]})
    view.resize(1000, 760)
    qtbot.waitUntil(lambda: cells.lines == 2)
    view.table.grab()
    path, box = cells.listing.picture(0), (100, 50, 80, 20)
    qtbot.waitUntil(lambda: cells.thumbnails.image(path, box) is not None)
    word = cells.thumbnails.image(path, box)
    assert (word.width(), word.height()) == (80, 20)
    assert word.pixelColor(40, 10) == Qt.GlobalColor.red
    assert view.table.columnWidth(0) >= px(WORD_WIDTH) + px(LEAST_WITH_PICTURE) / 2


def test_a_box_beside_its_page_has_no_image(tmp_path):
    page = QImage(40, 30, QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    assert page.save(str(tmp_path / "page.png"))
    for box in ((50, 0, 10, 10), (0, 0, -5, 10), (10**12, 0, 10, 10)):
        assert read_picture(tmp_path / "page.png", 160, box).problem
    part = read_picture(tmp_path / "page.png", 160, (30, 20, 10**12, 10**12))
    assert (part.image.width(), part.image.height()) == (10, 10)


def test_short_names_have_one_line_and_ids_alone_are_shown_as_ids(view):
    one = replace(LISTED, presentation=replace(LISTED.presentation, listed_lines=1))
    show(view, task=one)
    assert view.table.rowHeight(0) == px(ROW_HEIGHT)
    assert isinstance(view.table.itemDelegateForColumn(0), ListedCells)
    assert not view.table.grab().isNull()
    nameless = evaluation(lambda row: JsonEvidence({"text": "", "file": ""}))
    assert listing_of(nameless, one, {}) is None
    assert listing_of(nameless, LISTED, {}) is not None


def test_an_item_is_titled_by_its_first_words_and_its_tooltip_has_the_id(view, qtbot):
    explained = replace(LISTED.presentation, explain_item=lambda evidence: ())
    show(view, task=replace(LISTED, presentation=explained))
    view.table.set_current_row(2)
    qtbot.waitUntil(lambda: view.frames.is_empty)
    name = sorted(PHOTOS.iterdir())[2].name
    assert view.item.name.text() == "a man who walks his two small dogs along the …"
    assert name in view.item.name.toolTip()
    index = view.table.model().index(2, 0)
    assert f"{TEXT} row2<br>{name}" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert f"{TEXT} row2" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert view.figures.item_name(2) == view.item.name.text()


def test_an_item_without_text_is_listed_by_its_id():
    items = evaluation()
    listing = Listing(items, lambda evidence: ItemListEntry(" ", "x.png"), {}, items.items.ids)
    assert listing.read(1) == ItemListEntry(items.items.ids[1], "x.png")
