"""The browser checker in Qt's JavaScript engine, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtQml import QJSEngine, QJSValue

from jurydesk.core.participant_kit.browser_page import (
    PAGE_SCRIPT,
    checker_page_part,
    page_data,
    page_languages,
    page_scripts,
)
from jurydesk.core.readers.bounded_defects import MOST
from support.kits.cases import Case

BROWSER = """
const document = { documentElement: { lang: "en", querySelectorAll: () => [] },
  createTreeWalker: () => ({ nextNode: () => null }) };
const NodeFilter = { SHOW_TEXT: 4 };
const Intl = { PluralRules: class {
  select(count) {
    if (count % 10 === 1 && count % 100 !== 11) return "one";
    const isFew = [2, 3, 4].includes(count % 10) && ![12, 13, 14].includes(count % 100);
    return isFew ? "few" : "many";
  }
} };
"""
"""What a browser has and Qt's JavaScript engine does not."""
BRIDGE = """
const told = (text) => (Language.current() === "en" ? String(text) : Language.show(text));
const shown = (defect) => Object.assign({}, defect, ...["found", "expected", "hint"].map(
  (name) => ({ [name]: told(defect[name]) })));
const answerOf = (check) => (buffer, path, packed) => {
  try {
    return JSON.stringify(check(new Uint8Array(buffer), path, packed).map(shown));
  } catch (fault) {
    if (!(fault instanceof UnsupportedFile)) throw fault;
    return JSON.stringify(told(fault.said));
  }
};
"""


class BrowserChecker:
    """Checker of the page of a case's kit; it needs a Qt application.

    `rules` are added to those that the page has. With `places` it tells also what a file is that
    has no place there, as the whole page does. The page is in `language`, and stores so many
    defects one by one.
    """

    def __init__(
        self,
        case: Case,
        folder: Path,
        *,
        places: bool = False,
        language: str = "en",
        stored: int = MOST,
        **rules: Any,
    ) -> None:
        self._engine = QJSEngine()
        assert case.task.submission_checks.redaction is not None
        scripts = page_scripts(case.task.submission_checks.redaction)
        kit = case.kit(folder)
        data: Any = page_data(kit)
        data["rules"] |= rules
        known: Any = page_languages(kit, [*scripts, checker_page_part(PAGE_SCRIPT)])
        use = f"Language.use({json.dumps(known[language])});"
        self._scripts = "\n".join([BROWSER, *scripts, use, BRIDGE])
        self._check = self._evaluate(
            f"const kit = {json.dumps(data)}; Text.use(kit.characters);"
            f"BoundedDefects.LIMIT = {stored};"
            "const check = checker(kit.facts, kit.options, kit.rules);"
            f"answerOf({'RoleCheck.checking(check, kit)' if places else 'check'})"
        )

    def check(self, content: bytes, path: Path, *, packed: bool = False) -> Any:
        """The defects of a file with this content, each as `Defect.to_json` gives it.

        A sentence stands for them where the page says that it cannot read the file.
        """
        buffer = self._engine.toScriptValue(QByteArray(content))
        found = self._check.call([buffer, QJSValue(str(path)), QJSValue(packed)])
        assert not found.isError(), (
            f"line {found.property('lineNumber').toInt()}: {found.toString()}"
        )
        return json.loads(found.toString())

    def run(self, code: str) -> Any:
        """Return the value of an expression, as a JSON value."""
        return json.loads(self._evaluate(f"JSON.stringify({code})").toString())

    def _evaluate(self, code: str) -> QJSValue:
        # The stubs declare the pair of the overload with a list of stack traces.
        found: Any = self._engine.evaluate(f"{self._scripts}\n{code}")
        assert not found.isError(), found.toString()
        value: QJSValue = found
        return value
