"""SQL statements on desks are executed only in `jurydesk.core.desk`."""

from __future__ import annotations

import ast
from pathlib import Path

import jurydesk.core

ROOT = Path(jurydesk.core.__file__).resolve().parent.parent
EXECUTING = frozenset(("execute", "executemany", "executescript"))
OTHERS = {
    "core/metrics/russian_meteor/ruwordnet.py",  # a database of another program
}


def test_no_other_module_executes_sql():
    found = set()
    for path in (*ROOT.glob("core/**/*.py"), *ROOT.glob("app/**/*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith("core/desk/"):
            text = path.read_text(encoding="utf-8")
            if not any(word in text for word in EXECUTING):
                continue  # parsing takes longer
            tree = ast.parse(text)
            calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
            if any(isinstance(call, ast.Attribute) and call.attr in EXECUTING for call in calls):
                found.add(name)
    assert found == OTHERS
