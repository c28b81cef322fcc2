"""Restrictions of the page, whatever a story contains."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl

from jurydesk.app.rating_client.url_scheme import POLICY, SchemeHandler, page_files
from jurydesk.core.human_evaluation.packets.packet import PacketItem

OVERRIDE, ISOLATE, END, BELL = "\u202e", "\u2066", "\u2069", "\u0007"
HOSTILE = {
    "script": "<script>document.title = 'owned'</script> the end .",
    "event handler": "<img src=x onerror=\"document.title='owned'\"> the end .",
    "closing tags": "</p></main></body></html><h1>owned</h1>",
    "entity": "&lt;b&gt; &amp; &#0; <b>bold</b>",
    "template": "${document.title='owned'} {{7*7}} `x`",
    "script end in JSON": "</script><script>document.title='owned'</script><!-- ]]>",
    "override": f"left {OVERRIDE}gnihtyreve{ISOLATE} right{END}",
    "control characters": f"a{BELL}b\x1b[31mc\x00d\x7fe",
    "one long word": "a" * 5000,
    "lone surrogate": "half \ud83d of it",
    "other scripts": "ذهبت العائلة إلى الشاطئ . 家族は海へ行った .",
}


def with_story(content, text):
    """Return the packet with a single story."""
    first = content.items[0]
    return replace(content, items=(PacketItem(first.id, first.photos, (text,), False),))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_story_is_shown_as_text_and_does_nothing(content, open_rater, name):
    text = HOSTILE[name].encode("utf-8", "replace").decode()
    rater = open_rater(with_story(content, text))
    rater.begin()
    shown = rater.run("document.querySelector('.story').textContent")
    for hidden, seen in (
        (OVERRIDE, "⟦U+202E⟧"), (ISOLATE, "⟦U+2066⟧"), (END, "⟦U+2069⟧"),
        (BELL, "␇"), ("\x1b", "␛"), ("\x00", "␀"), ("\x7f", "⟦U+007F⟧"),
    ):  # fmt: skip
        text = text.replace(hidden, seen)
    assert shown == text
    assert rater.run("document.querySelector('.story').children.length") == 0
    assert rater.run("document.title").startswith("Rating")
    assert rater.run("document.querySelectorAll('h1').length") == 1
    rater.keys(Qt.Key.Key_4)
    assert rater.text("saved") == "✓ saved"
    assert rater.view.interceptor.blocked == []


def test_a_text_of_a_book_s_length_is_shown_and_scrolls_within_its_box(content, open_rater):
    text = "word " * 40_000
    rater = open_rater(with_story(content, text))
    rater.begin()
    assert rater.run("document.querySelector('.story').textContent.length") == len(text)
    assert rater.run("document.querySelector('.story').clientHeight < innerHeight / 2")
    assert rater.run("document.documentElement.scrollWidth <= innerWidth")
    rater.keys(*[Qt.Key.Key_4] * 6, Qt.Key.Key_Return)


def test_missing_photos_cannot_smuggle_markup(content, open_rater):
    odd = [replace(photo, name="", missing="<b>7</b>") for photo in content.items[0].photos]
    item = replace(content.items[0], photos=tuple(odd))
    rater = open_rater(replace(content, items=(item,)))
    assert rater.run("document.querySelectorAll('.gap b').length") == 0
    assert "<b>7</b>" in rater.run("document.querySelector('.gap').textContent")


class TestThePage:
    """Tests that share one page, since none of them changes it."""

    def test_no_script_but_the_page_s_own_runs(self, rater):
        refused: list[str] = []
        rater.view.page().javaScriptConsoleMessage = lambda level, text, *_: refused.append(text)
        rater.run(
            "(() => { const s = document.createElement('script'); s.textContent = "
            "'document.title = 1'; document.body.append(s); return 1; })()"
        )
        assert rater.run("document.title").startswith("Rating")
        assert any("Content Security Policy" in text for text in refused)

    @pytest.mark.parametrize(
        "address",
        ["https://example.org/", "http://127.0.0.1:9/", "file:///etc/passwd", "data:text/html,x",
         "about:blank", "jurydesk://rating/nothing.html", "jurydesk://elsewhere/page.html"],
    )  # fmt: skip
    def test_the_page_cannot_navigate_away(self, rater, address):
        rater.view.page().javaScriptConsoleMessage = lambda *_: None
        rater.run(f"(location.href = {json.dumps(address)}, 1)")
        rater.qtbot.wait(150)
        rater.qtbot.waitUntil(lambda: rater.ready == 0)
        assert rater.view.url() == QUrl("jurydesk://rating/page.html")
        assert rater.run("document.getElementById('title').textContent").startswith("Rating")

    def test_the_page_fetches_nothing_from_the_network(self, rater):
        refused: list[str] = []
        rater.view.page().javaScriptConsoleMessage = lambda level, text, *_: refused.append(text)
        rater.run("(fetch('https://example.org/').catch((e) => { window.failed = 1; }), 1)")
        rater.until("window.failed === 1")
        assert refused

    def test_the_page_stores_nothing_on_the_disk(self, rater):
        profile = rater.view.page().profile()
        assert profile.isOffTheRecord()
        assert rater.run(
            "(() => { try { return localStorage.length } catch { return 'no' } })()"
        ) in (
            "no",
            None,
        )

    def test_the_channel_offers_exactly_six_calls(self, rater):
        from jurydesk.app.rating_client.rating_window import Bridge

        calls = {
            bytes(Bridge.staticMetaObject.method(i).name().data()).decode()
            for i in range(
                Bridge.staticMetaObject.methodOffset(), Bridge.staticMetaObject.methodCount()
            )
        }
        assert calls - {"themeChanged"} == {
            "save",
            "next",
            "previous",
            "skip",
            "undo",
            "show_folder",
        }


class TestTheBridge:
    """Calls of the bridge by a foreign page."""

    @pytest.mark.parametrize(
        ("question", "value"),
        [
            ("focused", "6"),
            ("focused", "0"),
            ("focused", "null, 1"),
            ("focused", ""),
            ("focused", "[" * 10_000),
            ("focused", '"' + "x" * 100_000 + '"'),
            ("focused", "1e400"),
            ("focused", "true"),
            ("'; DROP TABLE event; --", "3"),
            ("__proto__", "3"),
        ],
    )
    def test_an_answer_to_no_question_is_not_saved(self, rater, question, value):
        item = rater.session.state.item
        reply = json.loads(rater.view.bridge.save(item, question, value, 1.0))
        assert reply["saved"] is False
        assert rater.session.state.number == 0

    def test_only_the_current_item_can_be_answered(self, rater, content):
        reply = json.loads(rater.view.bridge.save(content.items[3].id, "focused", "3", 1.0))
        assert reply["saved"] is False
        assert json.loads(rater.view.bridge.skip("", 1.0))["saved"] is False
        assert json.loads(rater.view.bridge.next("", "nowhere", 1.0))["saved"] is False

    @pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -float("inf")])
    def test_an_invalid_time_is_refused(self, rater, seconds):
        item = rater.session.state.item
        assert json.loads(rater.view.bridge.skip(item, seconds))["saved"] is False

    def test_time_is_bounded(self, rater):
        item = rater.session.state.item
        assert json.loads(rater.view.bridge.save(item, "focused", "3", -5.0))["saved"]
        assert json.loads(rater.view.bridge.save(item, "focused", "3", 1e300))["saved"]
        assert [event.seconds for event in rater.session.events] == [0.0, 86_400.0]


class TestTheHandler:
    @pytest.mark.parametrize(
        "address",
        ["jurydesk://rating/", "jurydesk://rating/photos/", "jurydesk://rating/photos/..%2Fx.jpg",
         "jurydesk://rating/../../etc/passwd", "jurydesk://rating/page.html?x",
         "jurydesk://other/page.html", "jurydesk://rating/photos/nothing.jpg"],
    )  # fmt: skip
    def test_only_listed_files_are_served(self, qapp, address):
        photos = {"a" * 20: b"jpeg"}
        assert SchemeHandler(photos.__getitem__).content(QUrl(address)) is None

    @pytest.mark.parametrize("end", ["", ".png", ".jpg.txt"])
    def test_a_photo_has_its_own_ending_alone(self, qapp, end):
        served = SchemeHandler(lambda name: b"jpeg")
        assert served.content(QUrl(f"jurydesk://rating/photos/{'a' * 20}{end}")) is None

    def test_photos_of_the_packet_are_served(self, qapp):
        handler = SchemeHandler({"a" * 20: b"jpeg"}.__getitem__)
        assert handler.content(QUrl(f"jurydesk://rating/photos/{'a' * 20}.jpg")) == b"jpeg"

    def test_the_policy_admits_nothing_from_other_origins(self):
        rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
        assert rules["default-src"] == "'none'"
        assert set(rules.values()) == {"'none'", "'self'"}
        assert "unsafe" not in POLICY

    def test_the_page_holds_no_inline_script_or_style(self):
        page = page_files()["/page.html"].decode()
        assert "style=" not in page
        assert "<style" not in page
        assert " on" not in page.replace(" one", "").replace(" only", "")


def test_the_page_never_names_the_systems(rater, content):
    """Check the text and the addresses of everything shown."""
    page = rater.run("document.documentElement.outerHTML")
    for word in ("ZEBRAnet", "QUAGGAnet", "OKAPInet"):
        assert word.lower() not in page.lower()


def test_no_script_writes_markup():
    """Check that story text reaches the page as text nodes only."""
    for name, text in page_files().items():
        if name in ("/rating.js", "/bridge.js"):
            for way in (
                b"innerHTML",
                b"outerHTML",
                b"insertAdjacentHTML",
                b"document.write",
                b"eval(",
            ):
                assert way not in text
