"""The environment `.venv`: Python's own, Jurydesk in it, and METEOR's language data.

Only the standard library is used, in the syntax of Python 3.9. A stamp in `.venv` records what is
installed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from bootstrap_parts.commands import ROOT, Trouble, environment, run_logged, run_shown, say
from bootstrap_parts.locks import install, install_lock
from bootstrap_parts.python import OLDEST_PYTHON, version
from bootstrap_parts.system import QT_LIBRARIES, installing

VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "packaging" / "requirements"
STAMP = VENV / "jurydesk-setup.json"
UV = ROOT / "build" / "uv"
LINKS = ROOT / "build" / "tree" / "jurydesk"
NEURAL_GIGABYTES = 12
FULL_EXTRAS = ("neural", "archives", "cluster", "sealed", "test", "dev")
LIGHT_EXTRAS = ("archives", "cluster", "sealed", "test", "dev")


def python() -> str:
    """Return the interpreter of the environment."""
    return str(VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def program() -> str:
    """Return the installed program; unlike `python -m` it never imports from the current folder."""
    return str(VENV / ("Scripts/jurydesk.exe" if os.name == "nt" else "bin/jurydesk"))


def make_environment() -> None:
    """Create `.venv`, unless a working one exists."""
    if Path(python()).exists() and environment_is_sound():
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise Trouble(
            "This Python cannot make an environment: its venv package is missing. Run:\n"
            f"  {installing([f'python{version(sys.version_info)}-venv'])}"
        )
    say("Making the environment .venv.")
    if VENV.exists():
        shutil.rmtree(VENV)
    run_logged([sys.executable, "-m", "venv", str(VENV)])


def environment_is_sound() -> bool:
    """Return whether the environment's interpreter starts, is new enough and has pip."""
    question = f"import sys, pip; sys.exit(sys.version_info < {OLDEST_PYTHON!r})"
    answer = subprocess.run([python(), "-c", question], stderr=subprocess.DEVNULL, check=False)
    return answer.returncode == 0


def install_project(light: bool) -> None:
    """Install Jurydesk with its dependencies, unless the stamp records this installation."""
    stamp = read_stamp()
    installed = set(stamp.get("extras", ())) if stamp.get("made_from") == fingerprint() else set()
    extras = LIGHT_EXTRAS if light or "neural" in installed else extras_for_this_disk()
    if installed.issuperset(extras):
        return
    duration = "a minute" if "neural" not in extras else "a few minutes"
    say(f"Installing Jurydesk and what it needs into .venv ({duration}).")
    install_pins("neural" in extras)
    # Everything that the build needs is installed: nothing unknown is fetched for it.
    install(python(), "--no-deps", "--no-build-isolation", "-e", ".")
    compile_packages()
    require_qt()
    STAMP.write_text(json.dumps({"made_from": fingerprint(), "extras": list(extras)}))


def install_pins(neural: bool) -> None:
    """Install the versions of the lock, whose files must have its hashes.

    Where a local rule forbids its PyTorch, the newest permitted one is taken, without hashes.
    """
    if neural:
        try:
            install_lock(python(), REQUIREMENTS / "setup-neural.txt", UV)
            return
        except Trouble:
            say("The pinned PyTorch cannot be installed here: the newest permitted one is tried.")
    install_lock(python(), REQUIREMENTS / "setup.txt", UV)
    if neural:
        install(python(), "--no-build-isolation", "-e", ".[neural]")


def compile_packages() -> None:
    """Compile what was installed, on all processors; pip would use one.

    Tests of libraries are left out, and large libraries of which little is used. A file that cannot
    be compiled is no fault: some are templates.
    """
    folders = libraries()
    if folders:
        unused = r"[/\\](tests|torch|transformers|sympy)[/\\]"
        options = ("-m", "compileall", "-qq", "-j", "0", "-x", unused)
        command = [python(), *options, *map(str, folders)]
        subprocess.run(command, env=environment(), stderr=subprocess.DEVNULL, check=False)


def libraries() -> list[Path]:
    """Return the folder of installed packages, by the layout of Windows or of POSIX."""
    found = (VENV / "Lib" / "site-packages", *VENV.glob("lib/python*/site-packages"))
    return [folder for folder in found if folder.is_dir()]


def link_packages() -> None:
    """Link the source folders to their import names, for tools that only read files.

    The installation maps `jurydesk.core` to `core` and so on; mypy and import-linter know no such
    map. Where links need a privilege (Windows), these two are all that will not run.
    """
    names = {name: ROOT / name for name in ("app", "core", "resources")}
    names.update({path.name: path for path in (ROOT / "core" / "api").glob("*.*")})
    LINKS.mkdir(parents=True, exist_ok=True)
    for name, target in names.items():
        link = LINKS / name
        if not link.exists():
            with contextlib.suppress(OSError):
                link.symlink_to(os.path.relpath(target, LINKS), target_is_directory=target.is_dir())
    if (LINKS / "core").is_dir():
        for packages in libraries():
            (packages / "jurydesk-sources.pth").write_text(f"{LINKS.parent}\n")


def extras_for_this_disk() -> tuple[str, ...]:
    """Return all extras, without torch if the disk is too small for it."""
    free = shutil.disk_usage(ROOT).free / 1e9
    if free >= NEURAL_GIGABYTES:
        return FULL_EXTRAS
    say(
        f"Only {free:.0f} GB are free here, and torch with its models wants {NEURAL_GIGABYTES}: "
        "it is left out, and the metrics that need it will say so."
    )
    return LIGHT_EXTRAS


def read_stamp() -> dict[str, Any]:
    """Return the stamp of an earlier set-up; empty if it is missing or damaged."""
    try:
        stamp: dict[str, Any] = json.loads(STAMP.read_text())
        return stamp
    except (OSError, ValueError):
        return {}


def fingerprint() -> str:
    """Return a digest of everything that determines the contents of an installation."""
    digest = hashlib.sha256(f"{ROOT} {sys.platform}".encode())
    pins = sorted(REQUIREMENTS.glob("setup*.txt"))
    for path in (ROOT / "pyproject.toml", *pins, *sorted(ROOT.glob("core/**/*.pyx"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def require_qt() -> None:
    """Report the missing system library if Qt cannot be loaded."""
    command = [python(), "-c", "import PySide6.QtWidgets"]
    answer = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if answer.returncode != 0:
        reason = (answer.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Trouble(
            f"Qt cannot be loaded ({reason}). On Debian or Ubuntu run:\n"
            f"  {installing(list(QT_LIBRARIES))}\n"
            "Elsewhere install the package that has the missing library."
        )


def prepare_language_data() -> None:
    """Build METEOR's index of language data once; the program shows the progress."""
    if run_shown([program(), "meteor", "--prepare"]) != 0:
        say("Without the index, METEOR will be prepared when it is first used.")
