"""Installation of the versions that a lock of `requirements/` pins, with their hashes.

Only the standard library is used, in the syntax of Python 3.9.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from bootstrap_parts.commands import ROOT, Trouble, environment, run_logged

PINS_OF_UV = ROOT / "packaging" / "requirements" / "setup.txt"


def install_lock(python: str, lock: Path, work: Path) -> None:
    """Install a lock into `python`'s environment by uv, which is three times as quick as pip.

    uv is unpacked in the folder `work`, not among the packages. It does not know pip's settings:
    where they name an index, or uv fails, pip installs.
    """
    arguments = ("--require-hashes", "-r", str(lock))
    if not pip_has_an_index(python):
        with contextlib.suppress(Trouble):
            options = ("--python", python, "--cache-dir", str(work / "cache"), "--system-certs")
            run_logged([unpacked_uv(python, work), "pip", "install", *options, *arguments])
            shutil.rmtree(work, ignore_errors=True)
            return
        shutil.rmtree(work, ignore_errors=True)
    install(python, *arguments)


def unpacked_uv(python: str, work: Path) -> str:
    """Unpack the pinned uv in a folder, and return the program."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    pin = work / "uv.txt"
    pin.write_text(pin_of("uv", PINS_OF_UV))
    install(python, "--target", str(work), "--require-hashes", "-r", str(pin))
    return str(work / "bin" / ("uv.exe" if os.name == "nt" else "uv"))


def pip_has_an_index(python: str) -> bool:
    """Return whether pip's settings name an index, a proxy, constraints, or forbid the network."""
    listed = subprocess.run(
        [python, "-m", "pip", "config", "list"],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return bool(re.search(r"\.(index-url|proxy|no-index|constraint)=", listed.stdout))


def pin_of(name: str, lock: Path) -> str:
    """Return the lines of a lock that pin one package: its version and its hashes."""
    found = re.search(rf"^{name}==(?:.*\\\n)*.*\n", lock.read_text(encoding="utf-8"), re.MULTILINE)
    return found.group() if found else ""


def install(python: str, *arguments: str) -> None:
    """Run pip in an environment."""
    options = ("--disable-pip-version-check", "--no-compile")
    run_logged([python, "-m", "pip", "install", *options, *arguments])
