"""The languages of a report: sentences for its reader, and the same numbers and data."""

from __future__ import annotations

import json
import re

from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report.report import report_html
from support.language import shown_in
from tests.core.export.html_report.test_report import report, retrieval


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


def test_numbers_and_data_do_not_depend_on_the_language():
    systems = [retrieval("one"), retrieval("two", 2)]
    made = {}
    for code in ("en", "ru", "xx"):
        with shown_in(code):
            made[code] = report_html(report(*systems), Run())
    assert made["en"] == made["ru"] == made["xx"]
