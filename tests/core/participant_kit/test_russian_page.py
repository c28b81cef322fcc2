"""The page of a kit says the same about a file as the program, in Russian."""

from __future__ import annotations

import json

import pytest

from jurydesk.core.intake.role_check import explain_submission_role
from jurydesk.core.language import translate_text
from jurydesk.core.language.message import encode_message
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import json_cases, ranked_cases
from support.suite.samples import sample, sample_size

MUTATIONS = sample_size(4, of=12)
CASES = [*json_cases(), *ranked_cases()]


def shown(page: BrowserChecker, text: str) -> str:
    """Return a text of the kit as the page shows it."""
    data = json.dumps(encode_message(text))
    found: str = page.run(f"Language.show(Message.of({data}))")
    return found


@pytest.mark.parametrize("case", sample(CASES, 11), ids=str)
def test_page_and_program_say_the_same_sentence_in_russian(case, tmp_path, qapp):
    page, kit = BrowserChecker(case, tmp_path, places=True, language="ru"), case.kit(tmp_path)
    path, said = tmp_path / "submission.txt", 0
    for content in case.contents(MUTATIONS):
        if content.startswith(b"\x1f\x8b"):  # the browser decompresses them
            continue
        path.write_bytes(content)
        defects = explain_submission_role(case.task, path, case.participant(path, kit))
        found = page.check(content, path)
        if isinstance(found, str):
            continue  # the page cannot read it
        texts = [text for one in defects for text in (one.found, one.expected, one.hint)]
        its = [one[name] for one in found for name in ("found", "expected", "hint")]
        assert its == [translate_text(text, "ru") for text in texts]
        assert [
            text for text, other in zip(texts, its, strict=True) if text and text == other
        ] == []
        said += len(texts)
    assert said > 10


@pytest.mark.parametrize("case", CASES[::3], ids=str)
def test_what_the_page_knows_is_in_russian(case, tmp_path, qapp):
    page, kit = BrowserChecker(case, tmp_path, language="ru"), case.kit(tmp_path)
    for one in [*(fact.says for fact in kit.facts), *kit.unable]:
        assert shown(page, one) == translate_text(one, "ru") != one
