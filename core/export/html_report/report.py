"""Report of a desk: leaderboard, plots and items as one HTML file for any browser.

The file loads and sends nothing. Numbers and texts of items are embedded compressed, and
decompressed on demand; all text is inserted as text, never as HTML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_table import shown_metrics
from jurydesk.core.competition.task import Task
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.export.html_report.inline_page import data_element, page_head, script_elements
from jurydesk.core.export.html_report.report_head import head_json
from jurydesk.core.export.html_report.report_items import pack_items
from jurydesk.core.export.html_report.report_table import board_table, marks_note
from jurydesk.core.export.methods import methods_text
from jurydesk.core.export.stamps_export import Stamps, stamps_json
from jurydesk.core.export.tables.figure_tables import SCALE
from jurydesk.core.language import LANGUAGES, translatable
from jurydesk.core.language.page_catalogue import language_script, page_catalogue
from jurydesk.core.language.text_direction import isolate_runs
from jurydesk.core.model.evaluation import Evaluation, Figure, Json, MetricInfo
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.statistics.inference import CORRECTION_NAMES
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tables.html_table import message_data

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run

SCRIPTS = ("text.js", "data.js", "chart.js", "figures.js", "plots.js", "items.js", "page.js")
STYLE = "report.css"
METHODS = translatable("Methods")
PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Section below the board of a report: a heading, a sentence, and a table."""

    title: str
    sentence: str
    table: str
    """HTML made by `jurydesk.core.export.html_report.report_table`."""


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Content of a report; `load` returns an evaluation by the id of its summary."""

    task: Task[Any, Any, Any]
    title: str
    board: Leaderboard
    load: Callable[[int], Evaluation]
    stamps: Stamps
    metrics: Sequence[MetricInfo] = ()
    """Metrics shown by default; if empty, the first that rank."""
    sections: Sequence[ReportSection] = field(default=())
    settings: Json = None
    """Settings with which `jurydesk verify` makes the report again."""


def desk_report(
    desk: Desk,
    task: Task[Any, Any, Any],
    board: Leaderboard,
    metrics: Sequence[MetricInfo] = (),
    sections: Sequence[ReportSection] = (),
    settings: Json = None,
    stamps: Stamps | None = None,
) -> Report:
    """Return the report of a desk, which must stay open until the report is written."""
    competition = desk.competition
    title = competition.title if competition else board.title

    def load(key: int) -> Evaluation:
        return desk.load(key, task.readers.load_evidence, with_members=False)

    stamps = load_stamps(desk) if stamps is None else stamps
    return Report(task, title, board, load, stamps, metrics, sections, settings)


def report_html(report: Report, run: Run) -> bytes:
    """Return the report as UTF-8; evaluations are loaded one by one. Raises Cancelled."""
    board = report.board
    shown = list(report.metrics) or shown_metrics(board)
    evaluations = {
        row.summary.id: report.load(row.summary.id) for row in board.rows if row.summary.id > 0
    }
    scripts = [language_script(), *(_read_part(name) for name in SCRIPTS)]
    items = pack_items(report.task, board, evaluations, shown, run)
    table = board_table(board, shown, stamps=report.stamps)
    notes = marks_note(board)
    head = head_json(report.task, board, shown, _figures(report, evaluations))
    tables = "".join((table, notes, *(one.table for one in report.sections)))
    messages = map(unescape, re.findall('data-(?:text|title)="([^"]*)"', tables))
    figures = json.dumps([head["figures"], items.head], ensure_ascii=False)
    sources = [*scripts, tables, *messages, figures, *items.sentences]
    data = [
        data_element("report", {**head, **items.head}),
        data_element("languages", report_languages(report, sources)),
        data_element("stamps", stamps_json(board, report.stamps, report.settings)),
        *(f'<script type="text/plain" id="{name}">{text}</script>' for name, text in items.packed),
    ]
    parts = {
        "head": page_head(scripts, _read_part(STYLE)),
        "title": escape(report.title),
        "heading": escape(report.title),
        "finding": _paragraph(board.finding, ' id="finding"')
        + (_paragraph(board.received) if board.received else ""),
        "board": table,
        "marks": notes,
        "sections": "\n".join([*map(_section, report.sections), _methods(report, shown)]),
        "data": "\n".join(data),
        "scripts": script_elements(scripts),
    }
    return fill_template(_read_part(PAGE), parts).encode("utf-8", "xmlcharrefreplace")


def report_languages(report: Report, sources: Sequence[str]) -> Json:
    """Return the sentences of a report by language; `sources` are its scripts and what it shows.

    Numbers and data do not depend on the language.
    """
    board, task = report.board, report.task
    texts = [(info.title, info.summary) for info in board.metrics]
    names = [
        METHODS,
        task.item_noun,
        task.scoring.group_noun,
        board.finding,
        board.received,
        *board.remarks.values(),
        *CORRECTION_NAMES.values(),
    ]
    names += [(one.title, one.sentence) for one in report.sections]
    names += [(one.method, one.size(task.item_noun)) for one in board.significance_tests.values()]
    said = json.dumps(to_json([texts, names], messages=True), ensure_ascii=False)
    source = "\n".join([_read_part(PAGE), *sources, said])
    return {code: page_catalogue(code, source) for code in LANGUAGES}


def fill_template(page: str, parts: dict[str, str]) -> str:
    """Replace each `<!--name-->` in a page once; parts are not scanned for markers."""
    found: list[str] = []
    rest = page
    for name, part in parts.items():
        before, mark, rest_after = rest.partition(f"<!--{name}-->")
        if not mark:
            raise KeyError(name)
        found += [before, part]
        rest = rest_after
    return "".join([*found, rest])


def _paragraph(text: str, more: str = "") -> str:
    return f"<p{more}{message_data(text)}>{escape(isolate_runs(text))}</p>"


def _section(section: ReportSection) -> str:
    return (
        f'<section class="part"><h2{message_data(section.title)}>{escape(section.title)}</h2>'
        f"{_paragraph(section.sentence)}"
        f'<div class="card scroll" tabindex="0">{section.table}</div></section>'
    )


def _figures(report: Report, evaluations: Mapping[int, Evaluation]) -> dict[int, Sequence[Figure]]:
    """Return the figures to show; a report of an earlier version has them as they are stored."""
    is_earlier = report.settings is not None and SCALE not in report.settings
    show = (lambda one: one.figures) if is_earlier else report.task.presentation.figures
    return {key: show(evaluation) for key, evaluation in evaluations.items()}


def _methods(report: Report, shown: Sequence[MetricInfo]) -> str:
    """Return the methods section; empty if nothing was scored."""
    paragraphs, bibtex = methods_text(report.task, report.board, report.stamps, shown)
    if not paragraphs:
        return ""
    text = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
    return (
        f'<section class="part"><h2>{METHODS}</h2><div lang="en">{text}'
        f"<details><summary>BibTeX</summary><pre>{escape(bibtex)}</pre></details></div></section>"
    )


def _read_part(name: str) -> str:
    folder: Path = resources_folder() / "web" / "report"
    return (folder / name).read_text(encoding="utf-8")
