"""The checker for browsers says, in a JavaScript engine, what the kit says in the program."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path

import pytest
from kits import Case, json_cases
from PySide6.QtCore import QCoreApplication
from PySide6.QtQml import QJSEngine

from core.kit.page import SCRIPTS, page_data, part

MUTATIONS = 25
BRIDGE = """
const bytesOf = (text) => {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(text.substr(2 * i, 2), 16);
  return bytes;
};
"""


class Engine:
    """A checker's scripts in Qt's JavaScript engine."""

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
        found = self._check.call([content.hex(), str(path)])
        assert not found.isError(), (
            f"line {found.property('lineNumber').toInt()}: {found.toString()}"
        )
        return json.loads(found.toString())


@pytest.fixture(scope="module", autouse=True)
def application():
    """The engine wants an application of any kind."""
    return QCoreApplication.instance() or QCoreApplication([])


@pytest.mark.parametrize("case", json_cases(), ids=str)
def test_the_script_tells_exactly_what_the_kit_tells(case: Case, tmp_path: Path) -> None:
    engine = Engine(case, tmp_path)
    kit = case.kit(tmp_path)
    path = tmp_path / "a submission.json"
    severities: Counter[str] = Counter()
    for content in case.contents(MUTATIONS):
        if content.startswith(b"\x1f\x8b"):
            continue  # a browser unpacks by itself: see the page's own test
        path.write_bytes(content)
        wanted = [one.to_json() for one in case.participant(path, kit)]
        found = engine.check(content, path)
        assert found == json.loads(json.dumps(wanted)), base64.b64encode(content[:2000])
        severities.update(one["severity"] for one in wanted)
    assert severities["error"] > 20 or case.options.get("profile") == "corrected"
    assert severities["warning"] + severities["note"] > 20
