"""The languages of a report: sentences for its reader, and the same numbers and data."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report.report import ReportSection, report_html
from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.evaluation import Passage
from jurydesk.core.tables.columns import TextColumn
from jurydesk.core.tables.html_table import html_table
from support.language import shown_in
from tests.core.export.html_report.test_report import presented, report, retrieval


def parts(text: str) -> dict[str, str]:
    return dict(re.findall(r'<script type="[^"]*" id="([^"]*)">(.*?)</script>', text, flags=re.S))


def test_a_report_has_its_sentences_in_russian():
    made = report(retrieval("one"), retrieval("two", 2))
    text = report_html(made, Run()).decode()
    languages = json.loads(parts(text)["languages"])
    texts = languages["ru"]["texts"]
    assert languages["en"]["texts"] == {}
    for sentence in ("The best of every metric is bold.", "Values of {metric}", "Plots", "Stamps"):
        assert re.search("[а-яё]", texts[sentence])


def test_the_texts_of_items_figures_and_sections_and_plurals_are_in_russian():
    system = retrieval("one")
    curve = replace(system.figures[0], band="from the worst to the best of them")
    passages = (
        Passage(
            "Never listed", "Never a word of these.", fill("and {more:,} with lower scores", 2)
        ),
    )
    made = presented([replace(system, figures=(curve,))], lambda evidence: passages)
    head = TextColumn("choice", Message("leave out"), [])
    section = ReportSection("Slice", "", html_table([head], ""))
    board = replace(made.board, finding=counted(3, "query", "queries"))
    text = report_html(replace(made, board=board, sections=[section]), Run()).decode()
    found = json.loads(parts(text)["languages"])["ru"]
    assert {
        *("Never listed", "and {more:,} with lower scores"),
        *("from the worst to the best of them", "leave out"),
    } <= found["texts"].keys()
    assert found["forms"]["{count} query"][0].endswith("запрос")


def test_numbers_and_data_do_not_depend_on_the_language():
    systems = [retrieval("one"), retrieval("two", 2)]
    made = {}
    for code in ("en", "ru", "xx"):
        with shown_in(code):
            made[code] = report_html(report(*systems), Run())
    assert made["en"] == made["ru"] == made["xx"]
