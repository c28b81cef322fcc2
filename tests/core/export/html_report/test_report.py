"""HTML report: the content of the file, its security, and how it opens in a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairTest,
    PairwiseSignificance,
)
from jurydesk.core.desk import Summary
from jurydesk.core.desk import summarize as summary_of
from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report import report_items
from jurydesk.core.export.html_report.report import Report, ReportSection, report_html
from jurydesk.core.language.message import encode_message
from jurydesk.core.model.evaluation import Evaluation, Interval, ItemTable, Passage
from jurydesk.core.tables.columns import TextColumn
from jurydesk.core.tables.html_table import html_table
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import (
    explain_item as explain_query,
)
from support import chromium
from support.windows import evaluations

HOSTILE = "</script><script>document.title='owned'</script><!--board--><img src=x onerror=alert(1)>"
TASK = replace(
    evaluations.TASK,
    presentation=replace(evaluations.TASK.presentation, explain_item=explain_query),
)


def unpack_json_base64(text):
    """Unpack a value as the page's script does."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


def retrieval(system: str = "lexicon-hmm", seed: int = 1) -> Evaluation:
    """Return a system with the numbers of the declared metrics only."""
    made = evaluations.retrieval(system=system, seed=seed)
    return replace(made, scores=tuple(one for one in made.scores if one.metric != "num_rel"))


def report(*systems: Evaluation, **parts: object) -> Report:
    numbered = dict(enumerate(systems, start=1))
    summaries: list[Summary] = [replace(summary_of(one), id=key) for key, one in numbered.items()]
    made = Report(TASK, "Harbour", make_leaderboard(TASK, summaries), numbered.__getitem__, {})
    return replace(made, **parts)


def presented(systems, explain_item) -> Report:
    """Return a report of a competition whose items this function explains."""
    presentation = replace(TASK.presentation, explain_item=explain_item)
    return replace(report(*systems), task=replace(TASK, presentation=presentation))


def failing(evidence: object) -> tuple[Passage, ...]:
    raise KeyError("colour")


def text_of(made: Report) -> str:
    return report_html(made, Run()).decode()


def element(text: str, name: str) -> str:
    found = re.search(rf'<script type="[^"]*" id="{name}">(.*?)</script>', text, flags=re.S)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def systems() -> list[Evaluation]:
    return [retrieval(), retrieval("shapes", 2), retrieval(HOSTILE, 3)]


@pytest.fixture(scope="module")
def text(systems) -> str:
    return text_of(report(*systems))


class TestTheFile:
    def test_the_report_needs_no_other_file_and_no_network(self, text):
        without_data = re.sub(r'<script type="[^"]*" id=.*?</script>', "", text, flags=re.S)
        own = without_data.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in own
        assert re.findall(r'(?:src|href)="(?!#)', without_data) == []

    def test_the_policy_of_the_report_permits_only_its_own_scripts(self, text):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        scripts = re.findall(r"<script>(.*?)</script>", text, flags=re.S)
        assert len(scripts) == 8
        for script in scripts:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in policy
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy

    def test_every_metric_is_in_a_row_once(self, systems):
        made = text_of(report(systems[0]))
        row = made[made.index("<tbody>") : made.index("</tbody>")]
        metrics = re.findall(r'data-metric="([^"]+)"', row)
        assert sorted(metrics) == sorted(
            info.name for info in make_leaderboard(TASK, [summary_of(systems[0])]).metrics
        )
        assert row.count('data-method="') == sum(
            one.interval is not None for one in systems[0].scores
        )

    def test_the_method_of_an_interval_is_beside_its_number(self, systems):
        first, *others = systems[0].scores
        limits = Interval(0.25, 0.5, method='Student\'s t over "words"')
        one = replace(systems[0], scores=(replace(first, interval=limits), *others))
        row = text_of(report(one)).split("<tbody>")[1].split("</tbody>")[0]
        assert re.findall(r'data-method="([^"]*)"', row) == [
            "Student&#x27;s t over &quot;words&quot;"
        ]

    def test_a_rule_stands_where_the_next_profile_begins_and_nowhere_else(self):
        profiles = ("published", "published", "corrected", "corrected")
        made = [
            replace(retrieval(f"system {number}", number), profile=profile)
            for number, profile in enumerate(profiles)
        ]
        assert text_of(report(*made)).count('<tr class="next"') == 1
        assert '<tr class="next"' not in text_of(report(*made[:2]))

    def test_a_name_is_text_everywhere(self, text):
        page = Tags()
        page.feed(text)
        assert "img" not in page.tags
        assert page.tags.count("script") == 8 + 6
        assert HOSTILE in page.names

    def test_the_board_can_be_read_without_scripts(self, text):
        page = Tags()
        page.feed(text)
        assert sorted(page.names) == sorted(["lexicon-hmm", "shapes", HOSTILE])
        head = text[text.index("<thead>") : text.index("</thead>")]
        assert re.findall(r">([^<>]+)</th>", head) == ["Rank", "System", "AP", "P@5"]

    def test_sections_are_below_the_board_with_their_text_as_text(self, systems):
        section = ReportSection(
            "Errata <1>", "Two & three.", html_table([TextColumn("a", "a", ["<b>"])], "Moves")
        )
        page = text_of(report(*systems, sections=[section]))
        assert "<h2>Errata &lt;1&gt;</h2><p>Two &amp; three.</p>" in page
        assert '<th scope="row">&lt;b&gt;</th>' in page


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: list[str] = []
        self._in_name = False

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self._in_name = ("class", "name") in attributes

    def handle_data(self, data):
        if self._in_name:
            self.names.append(data)
            self._in_name = False


class TestItems:
    def test_numbers_are_those_of_the_items_with_the_most_disputed_first(self, systems, text):
        numbers = unpack_json_base64(element(text, "numbers"))
        (ap, at_5) = numbers["columns"]
        assert (ap["name"], at_5["name"]) == ("ap", "precAt5")
        order = [systems[0].items.ids.index(key) for key in numbers["ids"]]
        head = json.loads(element(text, "report"))
        first = [one["name"] for one in head["systems"]].index("lexicon-hmm")
        own = systems[0].items.columns["ap"][order]
        shown = [np.nan if value is None else value for value in ap["values"][first]]
        np.testing.assert_allclose(shown, own, atol=1e-6, equal_nan=True)
        columns = [np.nan_to_num(one.items.columns["ap"][order]) for one in systems]
        ranges = np.ptp(columns, axis=0)
        assert ranges[0] > np.median(ranges)
        assert ranges[-1] < np.median(ranges)

    def test_every_item_is_explained_for_every_system(self, systems, text):
        numbers = unpack_json_base64(element(text, "numbers"))
        block = unpack_json_base64(element(text, "texts-0"))
        assert len(block) == report_items.BLOCK
        shared, own = block[0]
        assert shared == []
        assert len(own) == 3
        evidence = systems[0].items.show(systems[0].items.ids.index(numbers["ids"][0]))
        expected = [
            [encode_message(one.title), one.text, encode_message(one.note)]
            for one in explain_query(evidence)
        ]
        assert expected in own

    def test_data_shared_by_all_systems_are_stored_once(self, systems):
        def telling(evidence):
            return (Passage("Question", "what?", shared=True), Passage("Answer", evidence.query))

        shared, own = unpack_json_base64(element(text_of(presented(systems, telling)), "texts-0"))[
            0
        ]
        assert shared == [["Question", "what?", ""]]
        assert own[0] == own[1]

    def test_an_item_that_a_plug_in_cannot_explain_is_reported(self, systems, caplog):
        broken = presented(systems, failing)
        _, own = unpack_json_base64(element(text_of(broken), "texts-0"))[0]
        sentence = f"{TASK.title} cannot explain this item. KeyError: 'colour'"
        assert own == [[["Without explanation", sentence, ""]]] * 3
        broken = presented(systems, lambda evidence: ["no"])
        _, own = unpack_json_base64(element(text_of(broken), "texts-0"))[0]
        assert own[0][0][1].endswith("TypeError: explain_item does not return passages")
        assert not caplog.records

    def test_an_exception_of_our_own_explanation_is_raised(self, systems, monkeypatch):
        monkeypatch.setattr(failing, "__module__", "jurydesk.core.tasks.vist.vist_explanation")
        with pytest.raises(KeyError):
            text_of(presented(systems, failing))

    def test_items_beyond_the_size_limit_are_left_to_the_desk(self, systems, monkeypatch):
        monkeypatch.setattr(report_items, "MAX_NUMBERS", 3 * 10)
        monkeypatch.setattr(report_items, "MAX_TEXTS", 3 * 4)
        text = text_of(report(*systems))
        items = json.loads(element(text, "report"))["items"]
        assert (items["count"], items["of"], items["with_texts"]) == (10, 40, 4)
        numbers = unpack_json_base64(element(text, "numbers"))
        assert [len(numbers["ids"]), len(numbers["columns"])] == [10, 1]

    def test_a_desk_without_items_still_has_a_board(self, systems):
        bare = replace(systems[0], items=ItemTable((), {}), figures=())
        head = json.loads(element(text_of(report(bare)), "report"))
        assert head["items"] is None
        assert head["figures"] == []


def test_the_axes_of_a_figure_contain_all_systems(systems):
    (curve,) = systems[1].figures
    higher = replace(curve, y_axis=replace(curve.y_axis, limits=(-0.5, 2.0)))
    made = report(systems[0], replace(systems[1], figures=(higher,)))
    (figure,) = json.loads(element(text_of(made), "report"))["figures"]
    assert figure["y"]["limits"] == [-0.5, 2.0]
    assert figure["x"]["limits"] == [0.0, 1.0]
    assert [len(line["mean"]) for line in figure["lines"]] == [101, 101]


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[chromium.Chromium]:
    program = chromium.installed()
    if program is None:
        pytest.skip("needs Chromium")
    opened = chromium.Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def text_of_sixteen() -> str:
    """Return the report of sixteen systems with long names that differ at their end."""
    names = [
        f"{'Unbroken' * 12}{n}" if n % 2 else f"National Institute of Documents, entry {n}"
        for n in range(16)
    ]
    one = retrieval()
    columns = {name: values[:3] for name, values in one.items.columns.items()}
    one = replace(one, items=replace(one.items, ids=one.items.ids[:3], columns=columns))
    made = report(*(replace(one, system=name) for name in names))
    pairs = tuple(PairTest(*two, 0.1, None, 0.1, 0.001) for two in combinations(names, 2))
    ap = made.board.metrics[0]
    tests = PairwiseSignificance(ap, tuple(names), (), pairs, 0.1, 9, "test", 100)
    profile = made.board.rows[0].summary.profile
    board = replace(made.board, significance_tests={profile: tests})
    return text_of(replace(made, board=board))


FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def resize(page: chromium.Chromium, width: int) -> None:
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )


class TestInABrowser:
    @pytest.fixture
    def page(self, browser, text, tmp_path) -> chromium.Chromium:
        path: Path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        browser.seen.clear()
        browser.open(path)
        browser.until("document.documentElement.dataset.ready === 'true'")
        return browser

    def test_the_report_opens_from_a_disk_and_requests_nothing(self, page):
        assert page.complaints() == []
        assert [url for url in page.requested() if not url.startswith("file:")] == []
        assert page.run("document.title") == "Harbour"
        assert page.run("document.querySelectorAll('img').length") == 0

    def test_the_board_is_sorted_by_its_headers(self, page):
        names = "[...document.querySelectorAll('#board .name')].map((one) => one.textContent)"
        before = page.run(names)
        page.run("document.querySelectorAll('#board thead button')[1].focus()")
        page.press("Enter", "\r")
        assert page.run(names) == sorted(before)
        page.press("Enter", "\r")
        assert page.run(names) == sorted(before, reverse=True)
        heads = "[...document.querySelectorAll('#board [aria-sort]')].map((one) => one.ariaSort)"
        assert page.run(heads) == ["descending"]

    def test_an_item_opens_by_the_keyboard_steps_and_closes(self, page):
        page.run("document.querySelector('#item-table tbody button').focus()")
        first = page.run("document.activeElement.textContent")
        page.press("Enter", "\r")
        page.until("document.getElementById('item').open")
        name = "document.getElementById('item-name').textContent"
        assert page.run(name) == first
        body = page.run("document.getElementById('item-body').textContent")
        assert HOSTILE in body
        assert "First ranks" in body
        page.press("ArrowRight")
        page.until(f"{name} !== {json.dumps(first)}")
        page.run("document.getElementById('item-close').focus()")
        page.press("Enter", "\r")
        page.until("!document.getElementById('item').open")
        assert page.run("document.activeElement.textContent") != first

    def test_items_are_found_by_the_words_of_their_explanations(self, page):
        page.run(
            "(() => { const search = document.querySelector('#item-tools input');"
            "search.value = 'sb0007'; search.dispatchEvent(new Event('input')); })()"
        )
        page.until("document.querySelectorAll('#item-table tbody tr').length === 1")
        assert (
            page.run("document.querySelector('#item-table tbody button').textContent") == "sb0007"
        )

    def test_figures_are_drawn_for_every_system(self, page):
        titles = "[...document.querySelectorAll('#plots h3')].map((one) => one.textContent)"
        assert page.run(titles) == ["Intervals", "Precision and recall", "Values of the items"]
        assert page.run("document.querySelectorAll('#plots path.line').length") == 3

    @pytest.fixture
    def wide(self, browser, text_of_sixteen, tmp_path) -> Iterator[chromium.Chromium]:
        """Return the page of sixteen systems on a telephone."""
        path = tmp_path / "wide.html"
        path.write_text(text_of_sixteen, encoding="utf-8")
        browser.seen.clear()
        resize(browser, 400)
        browser.open(path)
        browser.until("document.documentElement.dataset.ready === 'true'")
        yield browser
        browser.call("Emulation.clearDeviceMetricsOverride")
        browser.call("Emulation.setEmulatedMedia", media="", features=[])

    def test_a_page_of_long_names_is_no_wider_than_a_telephone(self, wide):
        assert wide.complaints() == []
        assert wide.run(FITS)
        first = "document.querySelector('#board td.number').getBoundingClientRect()"
        assert wide.run(f"{first}.right") < 400
        search = "document.querySelector('#item-tools input')"
        assert wide.run(f"{search}.scrollWidth <= {search}.clientWidth")

    def test_names_in_plots_are_legible_apart_and_inside(self, wide):
        boxes = (
            "[...document.querySelectorAll('#plots svg')].map((svg) => ["
            "[...svg.querySelectorAll('text.name')].map((name) => {"
            "const box = name.getBoundingClientRect(), around = svg.getBoundingClientRect();"
            "return [box.left - around.left, box.top, box.bottom]; })])"
        )
        plots = [names for (names,) in wide.run(boxes) if names]
        assert [len(names) for names in plots] == [16, 16, 16]
        for names in plots:
            assert all(left >= -0.5 and bottom - top > 12 for left, top, bottom in names)
            tops = [top for _, top, _ in names]
            assert min(b - a for a, b in pairwise(tops)) >= 15
        ends = "[...document.querySelectorAll('#plots .legend span')].map((one) => one.textContent)"
        legend = wide.run(ends)
        assert (len(legend), len({*legend})) == (16, 16)
        assert all(re.search(r"….*\d$", name) for name in legend)

    def test_a_dark_page_is_printed_dark_on_white_with_all_columns(self, wide):
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        wide.call("Emulation.setEmulatedMedia", media="print", features=dark)
        resize(wide, 700)
        color = "getComputedStyle(document.querySelector('#plots text.name')).fill"
        assert wide.run(color) == "rgb(31, 35, 40)"
        assert wide.run(FITS)
        shown = "getComputedStyle(document.querySelector('#board thead button')).display"
        assert wide.run(shown) == "contents"
