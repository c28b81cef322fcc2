"""Runs the packaged program as a stranger would, and fails where it does not work.

    python3 packaging/smoke.py [FOLDER]

The folder is copied to a path with blanks and Cyrillic letters, made read-only, and run under a
virtual display with an empty home and without network; where this script runs as root, by an
ordinary user, so that the web engine keeps its sandbox.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BUILT = PROJECT / "dist" / "desk" / "jurydesk"
NOBODY = 65534
SECONDS = 240
QUIET = (
    "This plugin does not support",  # Qt under Xvfb
    "propagateSizeHints",
)


def main() -> int:
    """The exit code is 0 when every step has worked and nothing was said on the console."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=BUILT)
    built = parser.parse_args().folder
    place = Path(tempfile.mkdtemp(prefix="jurydesk-smoke-"))
    place.chmod(0o755)
    try:
        program = moved(built, place / "Новая папка с судом")
        home = place / "home"
        home.mkdir()
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        for title, arguments, display in steps():
            step(title, [program, *arguments], home, display=display)
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(place)], check=False)
        shutil.rmtree(place, ignore_errors=True)
    return 0


def steps() -> list[tuple[str, list[str], bool]]:
    """What is tried: its name, the arguments, and whether it opens a window."""
    tasks = sorted(
        path.parent.name.replace("_", "-")
        for path in (PROJECT / "resources" / "examples").glob("*/example.json")
    )
    return [
        ("its version", ["--version"], False),
        ("doctor", ["doctor"], False),
        *((f"the example of {task}", ["demo", task], False) for task in tasks),
        ("every page", ["--smoke"], True),
    ]


def moved(built: Path, folder: Path) -> Path:
    """A read-only copy of the program in `folder`; its path."""
    if not (built / "jurydesk").is_file():
        raise SystemExit(f"There is no program in {built}: run packaging/build.py first.")
    shutil.copytree(built, folder, symlinks=True)
    subprocess.run(["chmod", "-R", "a-w,a+rX", str(folder)], check=True)
    return folder / "jurydesk"


def step(title: str, command: list[str | Path], home: Path, *, display: bool) -> None:
    """Run one step; anything on standard error, or another exit code than 0, ends the script."""
    began = time.monotonic()
    done = subprocess.run(
        confined([str(part) for part in command], display=display),
        cwd=home,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    noise = [line for line in done.stderr.splitlines() if line and not is_quiet(line)]
    if display and noise:
        raise SystemExit(f"{title}: on the console stands\n{done.stderr}")
    if done.returncode:
        raise SystemExit(f"{title}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{title}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)


def is_quiet(line: str) -> bool:
    """Whether a line comes from the virtual display and not from the program."""
    return any(part in line for part in QUIET)


def confined(command: list[str], *, display: bool) -> list[str]:
    """The command under a virtual display, as an ordinary user, without network where possible."""
    if display:
        command = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x800x24", *command]
    if os.geteuid() != 0:
        return command
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
    probe = subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True)
    return ["unshare", "--net", *command] if probe.returncode == 0 else command


def environment(home: Path) -> dict[str, str]:
    """An almost empty environment: a home, a path, and UTF-8."""
    return {"HOME": str(home), "PATH": "/usr/sbin:/usr/bin:/bin", "LANG": "C.UTF-8"}


if __name__ == "__main__":
    raise SystemExit(main())
