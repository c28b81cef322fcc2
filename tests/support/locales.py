"""Programs that run in another locale and language."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LOCALES = ("ru_RU", "de_DE", "tr_TR")
CREATED = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
"""Time of a score."""
SOURCES = Path("/usr/share/i18n/locales")
ORDER = re.compile(r"^LC_COLLATE$.*?^END LC_COLLATE$", re.DOTALL | re.MULTILINE)
PLAIN_ORDER = 'LC_COLLATE\ncopy "POSIX"\nEND LC_COLLATE'
"""An order of words that is compiled at once, instead of one that takes more than a second."""
OWN_ORDER = "tr_TR"
"""The locale that keeps its order."""


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
        command = ["localedef", "--no-archive", "-i", str(source), "-f", "UTF-8"]
        command.append(str(folder / f"{name}.UTF-8"))
        subprocess.run(command, check=True, capture_output=True)
    return folder


def files_made_in(
    name: str, folder: Path, work: str, *arguments: str
) -> tuple[list[str], dict[str, bytes]]:
    """Return the first lines that a program prints in a locale, and the files that it writes.

    `work` is a Python program, whose arguments are a folder and `arguments`; it writes into the
    folder's `out`. The folder has the same name each time: files contain paths.
    """
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    plain = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    plain.pop("JURYDESK_LANG", None)
    place = {"LC_ALL": name, "LANG": name, "LANGUAGE": "", "LOCPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", work, home, *arguments],
        env={**plain, **place, "PYTHONUTF8": "1", "JURYDESK_HOME": str(folder / "data")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    out = {
        path.name: CREATED.sub(b"", path.read_bytes()) for path in sorted((home / "out").iterdir())
    }
    return done.stdout.splitlines()[:2], out
