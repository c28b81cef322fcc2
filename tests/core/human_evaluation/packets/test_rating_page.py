"""The packet as one HTML file: its bytes, and how it works in a real Chromium."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.human_evaluation.answers.answers_file import (
    event_lines,
    make_answers,
    read_answers,
)
from jurydesk.core.human_evaluation.answers.merge_answers import merge_answers
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet import PacketItem
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_bytes
from support import chromium
from support.execution.square_chunks import wait_until
from support.rating import studies

HOSTILE = "</script><script>document.title = 'owned'</script><!-- <img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def images(tmp_path_factory) -> Path:
    return studies.photos_in(tmp_path_factory.mktemp("photos"))


@pytest.fixture(scope="module")
def study(images):
    return studies.study(images=str(images))


@pytest.fixture(scope="module")
def content(study, images):
    return studies.contents(study, images)[0]


@pytest.fixture
def page(content, tmp_path) -> Path:
    path = tmp_path / "r01.html"
    path.write_bytes(rating_page_bytes(content))
    return path


def test_the_page_needs_no_other_file_and_no_network(page):
    text = page.read_text(encoding="utf-8")
    without_data = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.S)
    assert re.findall(r'(?:src|href)="', without_data) == []
    assert "http" not in without_data.replace("http-equiv", "")


def test_the_policy_of_the_page_permits_only_its_own_scripts(page):
    text = page.read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    scripts = re.findall(r"<script>(.*?)</script>", text, flags=re.S)
    assert len(scripts) == 5
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_story_cannot_close_the_script_that_contains_it(content):
    item = PacketItem(content.items[0].id, (), (HOSTILE,))
    text = rating_page_bytes(replace(content, items=(item,))).decode()
    assert "document.title = 'owned'" in text
    assert "<script>document.title = 'owned'" not in text


needs_chromium = pytest.mark.skipif(
    chromium.installed() is None or os.name != "posix", reason="no Chromium is installed"
)


@pytest.fixture
def browser(tmp_path):
    found = chromium.Chromium(chromium.installed() or "", tmp_path / "chromium")
    yield found
    found.close()


def begin(browser, page: Path) -> None:
    browser.open(page)
    browser.until("document.documentElement.dataset.ready !== undefined")
    browser.run("document.getElementById('sheet').close()")


def rate(browser, *keys: str) -> None:
    for key in keys:
        before = browser.run("Number(document.documentElement.dataset.ready)")
        browser.press(key, "\r" if key == "Enter" else "")
        browser.until(f"Number(document.documentElement.dataset.ready) > {before}")


def saved(browser) -> Path:
    """Return the answers file that the page's button saves."""
    browser.run("document.getElementById('download').click()")

    def downloaded() -> list[Path]:
        return [one for one in browser.downloads.glob("*.juryanswers") if one.stat().st_size]

    wait_until(downloaded)
    return downloaded()[0]


@needs_chromium
class TestInChromium:
    def test_answers_given_by_keys_can_be_merged(self, browser, page, study, content, tmp_path):
        begin(browser, page)
        rate(browser, "1", "2", "3", "4", "5", "1", "Enter", "5", "u", "s", "ArrowLeft")
        answers = read_answers(saved(browser)).data
        assert answers.packet == content.sha256
        acts = [event.act for event in answers.events]
        assert acts == [*["answer"] * 6, "next", "answer", "undo", "skip", "previous"]
        assert [event.value for event in answers.events[:6]] == [1, 2, 3, 4, 5, 1]
        with studies.desk_with(tmp_path / "s.jurydesk", study) as desk:
            store = RatingStore(desk)
            store.add_packet(content.sha256, content.rater)
            assert merge_answers(store, [saved(browser)]).taken == 1
        assert browser.complaints() == []

    def test_a_reopened_page_continues_at_the_same_statement(self, browser, page):
        begin(browser, page)
        rate(browser, *["3"] * 6, "Enter", "4")
        browser.open(page)
        browser.until("document.documentElement.dataset.ready === '8'")
        assert browser.run("document.getElementById('place').textContent").startswith("2 of ")
        current = "document.querySelector('.question.current').dataset.question"
        assert browser.run(current) == "coherent"

    def test_the_page_sends_no_network_request(self, browser, page):
        begin(browser, page)
        rate(browser, "4")
        asked = {address.split(":")[0] for address in browser.requested()}
        assert asked <= {"file", "data", "about"}
        browser.run("fetch('https://example.org').catch(() => { window.failed = 1 })")
        browser.until("window.failed === 1")

    def test_photos_are_shown_and_missing_ones_named(self, browser, page, content):
        begin(browser, page)
        seen = set()
        for _ in content.items[1:]:
            images = browser.run("document.querySelectorAll('#photos img').length")
            gaps = browser.run("document.querySelectorAll('#photos .gap').length")
            assert images + gaps == 5
            seen.add(images)
            browser.until(
                "[...document.querySelectorAll('#photos img')].every((i) => i.naturalWidth > 0)"
            )
            rate(browser, "s")
        assert 5 in seen

    def test_a_hostile_story_is_shown_as_text(self, browser, content, tmp_path):
        item = PacketItem(content.items[0].id, (), (HOSTILE,))
        path = tmp_path / "hostile.html"
        path.write_bytes(rating_page_bytes(replace(content, items=(item,))))
        begin(browser, path)
        assert browser.run("document.querySelector('.story').textContent") == HOSTILE
        assert browser.run("document.title").startswith("Rating")
        assert browser.complaints() == []

    def test_the_hash_of_the_page_is_sha_256(self, browser, page):
        begin(browser, page)
        for text in ("", "abc", "a" * 55, "a" * 56, "a" * 64, "ü€😀" * 1000):
            found = browser.run(f"sha256(new TextEncoder().encode({text!r}))")
            assert found == hashlib.sha256(text.encode()).hexdigest()

    def test_the_signature_of_the_page_is_that_of_the_program(self, browser, page, content):
        begin(browser, page)
        rate(browser, *["2"] * 6, "Enter")
        signed = read_answers(saved(browser)).data
        assert signed.is_signed_with(content.key)
        assert not signed.is_signed_with("0" * 64)
        assert signed == make_answers(content.sha256, content.rater, signed.events, content.key)

    def test_the_file_of_the_page_equals_the_one_that_the_program_writes(
        self, browser, page, content
    ):
        begin(browser, page)
        rate(browser, *["2"] * 6, "Enter")
        lines = browser.run("Offline.file()").split("\n", 1)[1].encode()
        events = read_answers(saved(browser)).data.events
        assert make_answers(content.sha256, content.rater, events, content.key).sha256 == (
            hashlib.sha256(event_lines(events)).hexdigest()
        )
        assert lines.count(b"\n") == len(events) == 7
