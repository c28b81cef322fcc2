from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.intake.role_check import explain_submission_role
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.participant_kit.browser_page import (
    checker_page_bytes,
    checker_page_part,
    has_page,
)
from jurydesk.core.participant_kit.kit import KitError
from support import chromium
from support.kits.cases import Case, json_cases, ranked_cases
from support.suite.samples import sample_size

MUTATIONS = sample_size(2, of=4)
SEND = """
(async () => {{
  const text = atob({content});
  const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
  await Page.checkFiles([new File([bytes], {name})]);
  return document.querySelector(".file p").textContent;
}})()
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Chromium]:
    program = chromium.installed()
    if program is None:
        pytest.skip("no Chromium is installed")
    opened = chromium.Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()


def write_page(case: Case, folder: Path) -> Path:
    assert case.task.submission_checks.redaction is not None
    path = folder / "kit.html"
    path.write_bytes(checker_page_bytes(case.kit(folder), case.task.submission_checks.redaction))
    return path


@pytest.mark.parametrize("case", [*json_cases()[::2], *ranked_cases()[::2]], ids=str)
def test_the_page_in_a_real_browser_reports_the_same_defects_as_the_organiser(
    case: Case, tmp_path: Path, browser: chromium.Chromium
) -> None:
    browser.open(write_page(case, tmp_path))
    kit = case.kit(tmp_path)
    path = tmp_path / "submission.json"
    for content in case.contents(MUTATIONS):
        if content.startswith(b"\x1f\x8b") or len(content) > 200_000:
            continue
        path.write_bytes(content)
        reported = explain_submission_role(case.task, path, case.participant(path, kit))
        wanted = to_json(reported)
        code = (
            f"JSON.stringify(Page.check(Uint8Array.from({list(content)}), {json.dumps(str(path))}))"
        )
        assert json.loads(browser.run(code)) == json.loads(json.dumps(wanted)), content[:200]
    assert browser.complaints() == []
    assert [one for one in browser.requested() if not one.startswith("file:")] == []


def test_a_dropped_file_is_shown_with_its_defects_as_text(
    tmp_path: Path, browser: chromium.Chromium
) -> None:
    from base64 import b64encode

    case = json_cases()[0]
    browser.open(write_page(case, tmp_path))
    hostile = b'{"output_stories": [{"<img src=x onerror=alert(1)>": 1}]}'
    for content in (hostile, gzip.compress(hostile)):
        reported = browser.run(
            SEND.format(content=json.dumps(b64encode(content).decode()), name='"<b>mine</b>.json"')
        )
        assert reported.endswith(" A file with errors cannot be scored.")
    assert browser.run("document.querySelectorAll('.file').length") == 2
    assert browser.run("document.querySelectorAll('.file img, .file b b, h2 b').length") == 0
    assert browser.run("document.querySelector('.file h2').textContent") == "<b>mine</b>.json"
    assert browser.complaints() == []


def test_a_valid_file_is_reported_as_valid(tmp_path: Path, browser: chromium.Chromium) -> None:
    from base64 import b64encode

    case = json_cases()[0]
    browser.open(write_page(case, tmp_path))
    content = b64encode(case.submissions[3].read_bytes()).decode()
    reported = browser.run(SEND.format(content=json.dumps(content), name='"mine.json"'))
    assert reported == "Nothing is wrong with this file."


@pytest.mark.parametrize("case", ranked_cases()[::2], ids=str)
def test_a_large_file_is_read_in_steps_between_which_the_page_responds(
    case: Case, tmp_path: Path, browser: chromium.Chromium
) -> None:
    from base64 import b64encode

    browser.open(write_page(case, tmp_path))
    head, line, tail = _with_many_words(case.submissions[0])
    content = gzip.compress(head + line * 150_000 + tail)
    browser.run(
        # Every reading of the clock takes 10 ms, so that even a fast machine pauses.
        "let now = 0; performance.now = () => { now += 10; return now; };"
        "window.seen = new Set(); window.turns = 0; setInterval(() => { window.turns += 1; }, 1);"
        "const busy = document.getElementById('busy');"
        "const look = () => window.seen.add(busy.textContent);"
        "const all = { childList: true, characterData: true, subtree: true };"
        "new MutationObserver(look).observe(busy, all); 1"
    )
    send = SEND.format(content=json.dumps(b64encode(content).decode()), name='"mine.gz"')
    reported = {
        "xml": "It can be scored.",
        "trec": "A file with errors cannot be scored.",
    }
    assert browser.run(send).endswith(reported[case.references().data.format])
    assert browser.run("[...window.seen].filter((text) => text.endsWith(' %')).length") > 3
    assert browser.run("window.turns") > 3
    assert browser.complaints() == []


def _with_many_words(path: Path) -> tuple[bytes, bytes, bytes]:
    """Return a submission, cut at one of its words."""
    lines = path.read_bytes().splitlines(keepends=True)
    return b"".join(lines[:4]), lines[4], b"".join(lines[5:])


def test_a_file_that_the_page_cannot_read_is_reported_as_unread(
    tmp_path: Path, browser: chromium.Chromium
) -> None:
    from base64 import b64encode

    browser.open(write_page(ranked_cases()[0], tmp_path))
    for content, reported in (
        (
            b"<?xml version='1.0' encoding='koi8-r'?><a/>",
            "names the encoding koi8-r, which this page",
        ),
        (b"\x1f\x8bxxxx", "The gzip data cannot be unpacked here: unpack it first."),
    ):
        encoded = json.dumps(b64encode(content).decode())
        assert reported in browser.run(SEND.format(content=encoded, name='"mine.xml"'))
    assert browser.run("document.querySelectorAll('#limits li').length") == 3
    assert browser.run("document.getElementById('busy').textContent") == ""
    assert browser.complaints() == []


def test_the_page_permits_only_its_own_scripts() -> None:
    assert "innerHTML" not in "".join(map(checker_page_part, ("page.js", "page.html")))


def test_a_title_cannot_inject_markup_into_the_page(
    tmp_path: Path, browser: chromium.Chromium
) -> None:
    case = json_cases()[0]
    assert case.task.submission_checks.redaction is not None
    title = "</script><script>window.broken = 1</script><!--scripts-->"
    kit = replace(case.kit(tmp_path), title=title)
    path = tmp_path / "kit.html"
    path.write_bytes(checker_page_bytes(kit, case.task.submission_checks.redaction))
    browser.open(path)
    assert browser.run("document.getElementById('title').textContent") == title
    assert browser.run("window.broken === undefined")


@pytest.mark.parametrize("scripts", [(), ("not-in-the-package.js",)])
def test_a_competition_without_a_browser_checker_is_reported(
    tmp_path: Path, scripts: tuple[str, ...]
) -> None:
    case = json_cases()[0]
    assert case.task.submission_checks.redaction is not None
    without = replace(case.task.submission_checks.redaction, scripts=scripts)
    assert not has_page(without)
    with pytest.raises(KitError, match="has no browser checker"):
        checker_page_bytes(case.kit(tmp_path), without)
