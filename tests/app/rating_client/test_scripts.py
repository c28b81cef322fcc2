"""The page's own state machine and hash agree with the program's."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from shiboken6 import Shiboken

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.human_evaluation.answers.rater_state import RaterState
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_part
from jurydesk.core.language import localize_number, translate_text
from jurydesk.core.language.catalogue import PLACE
from jurydesk.core.language.display_language import language_catalogue
from jurydesk.core.language.message import decode_message, encode_message, fill_plural
from jurydesk.core.language.page_catalogue import language_script, page_catalogue
from jurydesk.core.language.text_direction import isolate, isolate_runs
from support.language import shown_in
from support.rating import random_answers

ITEMS = ("a", "b", "c", "d")


@pytest.fixture
def script(qtbot):
    """Return a function that runs JavaScript in an empty page."""
    register_scheme()
    profile = QWebEngineProfile()
    page = QWebEnginePage(profile)

    def run(code: str):
        found: list[str] = []
        page.runJavaScript(code, found.append)
        qtbot.waitUntil(lambda: bool(found), timeout=30_000)
        return json.loads(found[0])

    yield run
    Shiboken.delete(page)
    Shiboken.delete(profile)


TRACE = """
(() => {{
  {source}
  const [items, questionnaire, events] = {data};
  const state = new RaterState(items, questionnaire);
  return JSON.stringify(events.map((event) => {{
    const possible = state.possible(event);
    if (possible) state.apply(event);
    return [possible, state.view()];
  }}));
}})()
"""


def trace(questionnaire, seed: int) -> tuple[list, list]:
    """Return events of any kind, with their effects in the program."""
    dice = random.Random(seed)
    sitting = RaterState(ITEMS, questionnaire)
    events, found = [], []
    for _ in range(150):
        event = random_answers.random_event(sitting, dice)
        possible = sitting.possible(event)
        if possible:
            sitting.apply(event)
        events.append(event.to_json())
        found.append([possible, json.loads(json.dumps(sitting.view()))])
    return events, found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "questionnaire",
    [random_answers.QUESTIONNAIRE, random_answers.FOUR_KINDS, random_answers.PAIR],
    ids=lambda one: one.id,
)
def test_the_browser_s_state_machine_does_what_the_program_s_does(script, questionnaire, seed):
    events, expected = trace(questionnaire, seed)
    assert {possible for possible, _ in expected} == {True, False}
    data = json.dumps([list(ITEMS), questionnaire.to_json(), events])
    found = script(TRACE.format(source=rating_page_part("rater_state.js"), data=data))
    assert found == expected


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 100_003])
def test_the_browser_s_hash_is_sha_256(script, length):
    code = (
        f"(() => {{ {rating_page_part('sha256.js')} return JSON.stringify("
        f"sha256(Uint8Array.from({{length: {length}}}, (_, i) => (i * 7) % 256))); }})()"
    )
    data = bytes((i * 7) % 256 for i in range(length))
    assert script(code) == hashlib.sha256(data).hexdigest()


def test_pages_isolate_right_to_left_text_as_the_program_does(script):
    name = "\u05e9\u05dd"
    texts = [
        *("plain", name, f"\u2068{name}\u2069", f"{name} {name}: 5 of {name}.", "a\u202eb\u2069"),
        *(
            f"{name}-{name} 5",
            "\u0646\u0638\u0627\u0645 2",
            f"\u2068a\u2069 {name}",
            "",
            "\U00010840!",
        ),
    ]
    code = (
        f"(() => {{ {language_script()} const texts = {json.dumps(texts)};"
        "return JSON.stringify([Language.isolate, Language.isolateRuns].map((f) => texts.map(f)));"
        "})()"
    )
    assert script(code) == [[*map(isolate, texts)], [*map(isolate_runs, texts)]]


COUNTS = (1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111, 1000, 1234567)


def test_pages_write_counts_and_numbers_in_russian_as_the_program_does(script):
    catalogue = language_catalogue("ru")
    counted = [
        (one, catalogue.plurals[one])
        for one in catalogue.forms
        if PLACE.findall(one) == [("count", "")]
    ]
    assert len(counted) > 20
    messages = [
        encode_message(fill_plural(one, many, count, {}))
        for one, many in counted
        for count in COUNTS
    ]
    numbers = ["0", "0.25", "-1.5", "1,234.5", "12,345", "1e-05"]
    page = page_catalogue("ru", " ".join(many for _, many in counted))
    code = (
        f"(() => {{ {language_script()} Language.use({json.dumps(page)});"
        f"return JSON.stringify([{json.dumps(messages)}.map(Language.show),"
        f"{json.dumps(numbers)}.map(Language.number)]); }})()"
    )
    with shown_in("ru"):
        shown = [translate_text(decode_message(one)) for one in messages]
        expected = [shown, [*map(localize_number, numbers)]]
    assert script(code) == expected
    assert not set(shown) & {*map(decode_message, messages)}
