"""The checker for browsers in Qt's JavaScript engine: it needs no browser."""

from __future__ import annotations

import json
from pathlib import Path

from kits import Case
from PySide6.QtQml import QJSEngine

from core.kit.page import SCRIPTS, page_data, part

BRIDGE = """
const bytesOf = (text) => {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(text.substr(2 * i, 2), 16);
  return bytes;
};
"""


class BrowserChecker:
    """What the page of a case's kit tells of a file; an application must be there."""

    def __init__(self, case: Case, folder: Path) -> None:
        self._engine = QJSEngine()
        assert case.task.outline is not None
        scripts = [part(name) for name in (*SCRIPTS, *case.task.outline.scripts)]
        data = json.dumps(page_data(case.kit(folder)))
        start = (
            f"const kit = {data}; Text.use(kit.characters);"
            "const check = checker(kit.facts, kit.options, kit.rules);"
            "(hex, path) => JSON.stringify(check(bytesOf(hex), path))"
        )
        self._check = self._engine.evaluate("\n".join([*scripts, BRIDGE, start]))
        assert not self._check.isError(), self._check.toString()

    def check(self, content: bytes, path: Path) -> list[dict]:
        """The defects of a file with this content, each as `Defect.to_json` gives it."""
        found = self._check.call([content.hex(), str(path)])
        assert not found.isError(), (
            f"line {found.property('lineNumber').toInt()}: {found.toString()}"
        )
        return json.loads(found.toString())
