"""Running of commands during the set-up, and their messages.

Only the standard library is used, in the syntax of Python 3.9.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
LOG = ROOT / "build" / "setup.log"


class Trouble(Exception):  # noqa: N818 - the word that the user reads
    """Problem that the user must know of, as a sentence; it stops the set-up."""


def environment() -> dict[str, str]:
    """Return the environment of commands, without variables that redirect Python or pip.

    Modules are compiled without symbols for debuggers, and at the second level of optimization:
    they run as fast as at Python's own, the third, and take three fifths of the time.
    """
    unwanted = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    # The variable replaces Python's own flags, which say more; Windows has none.
    flags = sysconfig.get_config_var("CFLAGS")
    return {"CFLAGS": f"{flags} -O2 -g0", **kept} if flags else kept


def run_shown(
    command: list[str], settings: dict[str, str] | None = None, folder: Path | None = None
) -> int:
    """Run a command whose output the user sees, and return its exit code."""
    sys.stdout.flush()
    return subprocess.call(command, env={**environment(), **(settings or {})}, cwd=folder)


def run_captured(
    command: list[str], settings: dict[str, str] | None = None, folder: Path | None = None
) -> tuple[int, str]:
    """Run a command, and return its exit code and its output."""
    done = subprocess.run(
        command,
        env={**environment(), **(settings or {})},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode, done.stdout


def run_logged(command: list[str]) -> None:
    """Run a long command: its output goes to the log, its last line to a terminal."""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {shlex.join(command)}\n")
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            lines = follow(process.stdout or (), log)
    if process.returncode != 0:
        telling = [line for line in lines if line.startswith(("ERROR:", "E:"))] or lines
        last = "\n".join(f"  {line}" for line in telling[-5:])
        raise Trouble(f"This command failed: {shlex.join(command)}\n{last}\nThe whole log: {LOG}")


def follow(output: Iterable[str], log: IO[str]) -> list[str]:
    """Copy output to the log, and its last line to a terminal; return the lines with text."""
    lines = []
    width = shutil.get_terminal_size().columns - 1
    for line in output:
        log.write(line)
        if line.strip():
            lines.append(line.strip())
            if sys.stdout.isatty():
                print(f"\r{lines[-1][:width]:<{width}}", end="", flush=True)
    if lines and sys.stdout.isatty():
        print("\r" + " " * width, end="\r", flush=True)
    return lines


def say(sentence: str) -> None:
    """Print a message to the user at once."""
    print(sentence, flush=True)
