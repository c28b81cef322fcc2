"""The browser checker in Qt's JavaScript engine, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray
from PySide6.QtQml import QJSEngine, QJSValue

from jurydesk.core.participant_kit.browser_page import page_data, page_scripts
from support.kits.cases import Case

BRIDGE = """
const answerOf = (check) => (buffer, path, packed) => {
  try {
    return JSON.stringify(check(new Uint8Array(buffer), path, packed));
  } catch (fault) {
    if (!(fault instanceof UnsupportedFile)) throw fault;
    return JSON.stringify(fault.message);
  }
};
"""


class BrowserChecker:
    """Checker of the page of a case's kit; it needs a Qt application.

    `rules` are added to those that the page has. With `places` it tells also what a file is that
    has no place there, as the whole page does.
    """

    def __init__(self, case: Case, folder: Path, *, places: bool = False, **rules: Any) -> None:
        self._engine = QJSEngine()
        assert case.task.submission_checks.redaction is not None
        scripts = page_scripts(case.task.submission_checks.redaction)
        data: Any = page_data(case.kit(folder))
        data["rules"] |= rules
        start = (
            f"const kit = {json.dumps(data)}; Text.use(kit.characters);"
            "const check = checker(kit.facts, kit.options, kit.rules);"
            f"answerOf({'RoleCheck.checking(check, kit)' if places else 'check'})"
        )
        self._scripts = "\n".join([*scripts, BRIDGE])
        self._check = self._evaluate(start)

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
