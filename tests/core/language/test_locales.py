"""Scores and files do not depend on the locale or the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.locales import compiled_locales, files_made_in

WORK = """
import locale, sys
from pathlib import Path
from jurydesk.core.cli import main
from jurydesk.core.competition.examples import copy_example, example_inputs
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.language import choose_language, current_language

try:
    locale.setlocale(locale.LC_ALL, "")  # as Qt does; Python itself sets only LC_CTYPE
except locale.Error:
    print("C")
else:
    print(locale.setlocale(locale.LC_ALL))
choose_language([])
print(current_language())
folder, task = Path(sys.argv[1]), registry().tasks["keyword-spotting"]
copy = copy_example(task, folder / "example")
arguments = [
    text
    for role, paths in example_inputs(task, copy).items()
    for text in (f"--{role}", *map(str, paths))
]
out = folder / "out"
out.mkdir()
desk = str(folder / "a.jurydesk")
assert not main(["score", task.id, *arguments, "--json", f"{out}/scores.json",
                 "--items", f"{out}/items.csv", "--desk", desk, "--quiet"])
assert not main(["board", desk, "--csv", f"{out}/board.csv", "--latex", f"{out}/board.tex",
                 "--json", f"{out}/board.json", "--methods", f"{out}/methods.txt"])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return compiled_locales(tmp_path_factory.mktemp("locales"))


@pytest.fixture(scope="module")
def expected(folder) -> dict[str, bytes]:
    """Return the files made in the locale C."""
    shown, found = files_made_in("C", folder, WORK)
    assert shown == ["C", "en"]
    assert {"scores.json", "items.csv", "board.csv", "board.tex"} <= set(found)
    return found


@pytest.mark.parametrize(("name", "language"), [("ru_RU", "ru"), ("de_DE", "en"), ("tr_TR", "en")])
def test_files_are_the_same_in_every_locale(folder, expected, name, language):
    shown, found = files_made_in(f"{name}.UTF-8", folder, WORK)
    has_locale = (folder / f"{name}.UTF-8").exists()
    assert shown == [f"{name}.UTF-8" if has_locale else "C", language]
    assert found == expected
