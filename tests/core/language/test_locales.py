"""Scores and files do not depend on the locale or the language."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LOCALES = ("ru_RU", "de_DE", "tr_TR")
CREATED = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
"""Time of a score."""
SOURCES = Path("/usr/share/i18n/locales")
ORDER = re.compile(r"^LC_COLLATE$.*?^END LC_COLLATE$", re.DOTALL | re.MULTILINE)
PLAIN_ORDER = 'LC_COLLATE\ncopy "POSIX"\nEND LC_COLLATE'
"""An order of words that is compiled at once, instead of one that takes more than a second."""
OWN_ORDER = "tr_TR"
"""The locale that keeps its order."""
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


def compiled_locales(folder: Path) -> Path:
    """Return a folder with the locales, compiled from the sources of glibc if they are there.

    Without them the process keeps the locale C, but sees the variables of the others.
    """
    if shutil.which("localedef") is None or not (SOURCES / OWN_ORDER).exists():
        return folder
    for name in LOCALES:
        source = folder / name
        text = (SOURCES / name).read_text(encoding="latin-1")
        text = text if name == OWN_ORDER else ORDER.sub(PLAIN_ORDER, text)
        source.write_text(text, encoding="latin-1")
        command = ["localedef", "--no-archive", "-i", source, "-f", "UTF-8"]
        subprocess.run([*command, folder / f"{name}.UTF-8"], check=True, capture_output=True)
    return folder


def files_made_in(name: str, folder: Path) -> tuple[list[str], dict[str, bytes]]:
    """Return the first lines that a process prints in a locale, and the files that it writes.

    The process runs in a folder of the same name each time: files contain paths.
    """
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    plain = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    plain.pop("JURYDESK_LANG", None)
    place = {"LC_ALL": name, "LANG": name, "LANGUAGE": "", "LOCPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", WORK, home],
        env={**plain, **place, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    out = {
        path.name: CREATED.sub(b"", path.read_bytes()) for path in sorted((home / "out").iterdir())
    }
    return done.stdout.splitlines()[:2], out


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return compiled_locales(tmp_path_factory.mktemp("locales"))


@pytest.fixture(scope="module")
def expected(folder) -> dict[str, bytes]:
    """Return the files made in the locale C."""
    shown, found = files_made_in("C", folder)
    assert shown == ["C", "en"]
    assert {"scores.json", "items.csv", "board.csv", "board.tex"} <= set(found)
    return found


@pytest.mark.parametrize(("name", "language"), [("ru_RU", "ru"), ("de_DE", "en"), ("tr_TR", "en")])
def test_files_are_the_same_in_every_locale(folder, expected, name, language):
    shown, found = files_made_in(f"{name}.UTF-8", folder)
    has_locale = (folder / f"{name}.UTF-8").exists()
    assert shown == [f"{name}.UTF-8" if has_locale else "C", language]
    assert found == expected
