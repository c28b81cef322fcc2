"""The page of a kit reports the same about a file as the program, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtQml import QJSEngine, QJSValue

from jurydesk.core.intake.role_check import explain_submission_role
from jurydesk.core.language.display_language import translate_text
from jurydesk.core.language.page_catalogue import language_script
from jurydesk.core.participant_kit.browser_page import (
    PAGE_SCRIPT,
    checker_page_part,
    page_languages,
    page_scripts,
)
from support.kits.cases import Case, json_cases, ranked_cases

MUTATIONS = 12
AMBIGUOUS = " line separator"
"""Part of a sentence that the page, which knows no templates, leaves in English."""
BROWSER = """
const document = { documentElement: { lang: "en", querySelectorAll: () => [] },
  createTreeWalker: () => ({ nextNode: () => null }) };
const NodeFilter = { SHOW_TEXT: 4 };
Object.hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name);
Array.prototype.flatMap = function (made) { return [].concat(...this.map(made)); };
String.prototype.trimEnd = function () { return this.replace(/\\s+$/, ""); };
String.prototype.matchAll = function (pattern) {
  const [found, one] = [[], new RegExp(pattern.source, "g")];
  for (let match = one.exec(this); match; match = one.exec(this)) found.push(match);
  return found;
};
const Intl = { PluralRules: class {
  select(count) {
    if (count % 10 === 1 && count % 100 !== 11) return "one";
    return [2, 3, 4].includes(count % 10) && ![12, 13, 14].includes(count % 100) ? "few" : "many";
  }
} };
"""
"""What a browser has and Qt's JavaScript engine does not."""

CASES = [*json_cases(), *ranked_cases()]


class PageLanguage:
    """The language script of a kit's page, in Russian."""

    def __init__(self, case: Case, folder: Path) -> None:
        redaction = case.task.submission_checks.redaction
        assert redaction is not None
        scripts = [*page_scripts(redaction), checker_page_part(PAGE_SCRIPT)]
        languages: Any = page_languages(case.kit(folder), scripts)
        self._engine = QJSEngine()
        russian = json.dumps(languages["ru"])
        script = language_script().replace("[^\\p{L}]", "[^A-Za-z]")  # no such classes there
        script = script.replace(r"/\p{L}/u", "/[A-Za-z]/")
        code = f"{BROWSER}\n{script}\nLanguage.use({russian});\nLanguage.sentence"
        self._sentence = self._engine.evaluate(code)
        assert not self._sentence.isError(), self._sentence.toString()

    def sentence(self, text: str) -> str:
        """Return a finished English sentence as the page shows it."""
        return self._sentence.call([QJSValue(text)]).toString()


def sentences(case: Case, folder: Path) -> set[str]:
    """Return every sentence that the program reports about damaged files of a case."""
    kit, path, found = case.kit(folder), folder / "submission.txt", set()
    for content in case.contents(MUTATIONS):
        if content.startswith(b"\x1f\x8b"):  # the browser decompresses them
            continue
        path.write_bytes(content)
        for one in explain_submission_role(case.task, path, case.participant(path, kit)):
            found |= {one.found, one.expected, one.hint} - {""}
    return {one for one in found if AMBIGUOUS not in one}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_page_and_program_say_the_same_sentence_in_russian(case, tmp_path, qapp):
    page = PageLanguage(case, tmp_path)
    said = sentences(case, tmp_path)
    assert len(said) > 10
    russian = {one: translate_text(one, "ru") for one in said}
    assert {one: page.sentence(one) for one in said} == russian
    assert [one for one, shown in russian.items() if one == shown] == []


@pytest.mark.parametrize("case", CASES[::3], ids=str)
def test_what_the_page_knows_is_in_russian(case, tmp_path, qapp):
    page, kit = PageLanguage(case, tmp_path), case.kit(tmp_path)
    for one in kit.unable:  # facts come with their templates
        assert page.sentence(one) == translate_text(one, "ru") != one
