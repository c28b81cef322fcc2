"""Names: one name for one thing, and file names that identify the file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_FILES_OF_A_NAME = 4
FIXED_NAMES = {"__init__.py", "conftest.py"}
"""Names that Python and pytest give."""
HOOKS = {
    "attributes",
    "evaluate",
    "explain_difference",
    "explain_item",
    "list_item",
    "policies",
    "read_references",
    "read_submission",
    "redacted_references",
    "redaction_facts",
    "resources",
    "scoring_remarks",
    "settings",
    "sniff",
    "submission_texts",
}
"""What competitions give by the same name, since it is the same thing of each."""
ENTRY_POINTS = {"main", "score"}
"""`main` of the program and of its command line; `score` of the Python interface and of METEOR."""


def modules() -> Iterator[Path]:
    for folder in ("app", "core"):
        yield from sorted((ROOT / folder).rglob("*.py"))


@cache
def parsed() -> dict[Path, ast.Module]:
    """Return the modules, parsed once for all tests."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules()}


def definitions(kind: type[ast.stmt]) -> dict[str, list[str]]:
    """Return the modules that define each name of a kind at their top level."""
    found = defaultdict(list)
    for path, tree in parsed().items():
        for node in tree.body:
            if isinstance(node, kind):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_no_class_name_stands_for_two_things():
    assert {
        name: places
        for name, places in definitions(ast.ClassDef).items()
        if len(places) > 1 and not name.startswith("_")
    } == {}


def test_no_public_function_name_stands_for_two_things():
    assert {
        name: places
        for name, places in definitions(ast.FunctionDef).items()
        if len(places) > 1 and not name.startswith("_") and name not in HOOKS | ENTRY_POINTS
    } == {}


def test_hooks_are_used_by_competitions_only():
    found = definitions(ast.FunctionDef)
    for name in HOOKS:
        assert len(found[name]) > 1, name
        assert all(place.startswith("core/tasks/") for place in found[name]), name


def test_no_file_name_occurs_often():
    found = defaultdict(list)
    for folder in ("app", "core", "packaging", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name not in FIXED_NAMES:
                found[path.name].append(path)
    assert [name for name, places in found.items() if len(places) > MOST_FILES_OF_A_NAME] == []


def test_every_folder_describes_its_content():
    faces = [path for path in parsed() if path.name == "__init__.py"]
    assert len(faces) > 50
    for path in faces:
        docstring = ast.get_docstring(parsed()[path])
        assert docstring, path
        assert "TODO" not in docstring, path
