"""Set Jurydesk up on this machine, then start it or test it.

    python3 packaging/bootstrap.py app      set up, then open the window
    python3 packaging/bootstrap.py test     set up, then run the tests
    python3 packaging/bootstrap.py setup    set up only
    python3 packaging/bootstrap.py package  set up, then build the packaged program and try it

Only the standard library is used, in the syntax of Python 3.9, so that an old Python can say what
is missing. Running it again is quick: a stamp in `.venv` tells what is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "jurydesk-setup.json"
LOG = ROOT / "build" / "setup.log"
# In a process of their own: PyTorch's compiler library crashes where it is loaded after the web
# engine. The program never has both in one process either.
WEB_TESTS = "tests/app/rating"
NEURAL_GIGABYTES = 12
FULL_EXTRAS = ("neural", "cluster", "test", "dev")
LIGHT_EXTRAS = ("cluster", "test", "dev")

# What Qt and its web engine load at run time, and what a bare system lacks (Debian 12).
QT_LIBRARIES = (
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libglib2.0-0",
    "libdbus-1-3",
    "libnss3",
    "libgssapi-krb5-2",
    "libxcomposite1",
    "libxdamage1",
    "libxrandr2",
    "libxtst6",
    "libasound2",
    "libxkbfile1",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
)
# What building the packaged program and trying it needs: a display that nobody sees, and xz.
PACKAGING_PACKAGES = ("xvfb", "xz-utils")


class Trouble(Exception):  # noqa: N818 - the word that the user reads
    """Something that the user must know of, said in a sentence; the set-up stops."""


def main() -> int:
    """Set up, then do what was asked; 1 after a trouble, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(
        description="Set Jurydesk up on this machine, then start it or test it.",
        epilog="Further arguments go to the program or to pytest.",
        allow_abbrev=False,
    )
    actions = {"app": start, "test": test, "setup": finish, "package": package}
    parser.add_argument("action", choices=tuple(actions), nargs="?", default="app")
    parser.add_argument("--light", action="store_true", help="leave torch and its models out")
    options, rest = parser.parse_known_args()
    try:
        require_python()
        set_up(options.light, PACKAGING_PACKAGES if options.action == "package" else ())
        return actions[options.action](rest)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or ROOT}: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on.", file=sys.stderr)
        return 130


def require_python() -> None:
    """Refuse a Python that is too old, and name a newer one where there is one."""
    if sys.version_info >= OLDEST_PYTHON:
        return
    names = [f"python3.{minor}" for minor in range(20, OLDEST_PYTHON[1] - 1, -1)]
    newer = next((name for name in names if shutil.which(name)), None)
    advice = (
        f"Run: {newer} packaging/bootstrap.py"
        if newer
        else "Install a newer Python from your system's packages or https://www.python.org."
    )
    raise Trouble(
        f"Jurydesk needs Python {version(OLDEST_PYTHON)} or later; this is "
        f"{platform.python_version()} ({sys.executable}). {advice}"
    )


def version(numbers: tuple) -> str:
    """`3.11` of (3, 11, ...)."""
    return ".".join(str(number) for number in numbers[:2])


def set_up(light: bool, more_packages: tuple = ()) -> None:
    """Everything that the program needs on this machine; quick where nothing changed."""
    install_system_packages(more_packages)
    make_environment()
    install_project(light)
    prepare_language_data()


# ---- System packages (Debian and Ubuntu) --------------------------------------------------------


def install_system_packages(more: tuple = ()) -> None:
    """Install what apt has and this machine lacks, or print the line that does it."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return
    missing = missing_packages(more)
    if not missing:
        return
    administrator = administrator_prefix()
    if administrator is None:
        line = shlex.join(["sudo", "apt-get", "install", "-y", *available(missing)])
        say(f"Some system libraries are missing. If the window does not start, run:\n  {line}")
        return
    say(f"Installing {len(missing)} system packages ({', '.join(missing[:4])} ...).")
    apt = [*administrator, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    try:
        run_logged([*apt, "update"])
        run_logged([*apt, "install", "-y", "--no-install-recommends", *available(missing)])
    except Trouble as trouble:
        say(f"{trouble}\nGoing on without them; the window may not start.")


def missing_packages(more: tuple = ()) -> list:
    """The packages that are wanted and not installed, under their old or their new name."""
    wanted = [*QT_LIBRARIES, *more]
    if sys.base_prefix == "/usr":
        # The interpreter is the system's own: its venv and its headers are packages of their own.
        wanted += [f"python{version(sys.version_info)}-{part}" for part in ("venv", "dev")]
    if not shutil.which("cc"):
        wanted += ["gcc", "libc6-dev"]
    status = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    installed = {line.split()[0] for line in status.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if not installed & {name, f"{name}t64"}]


def available(names: list) -> list:
    """The names under which this release has the packages: Debian 13 added `t64` to some."""
    answer = subprocess.run(
        ["apt-cache", "show", *(f"{name}t64" for name in names)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    ).stdout
    known = {line[9:] for line in answer.splitlines() if line.startswith("Package: ")}
    return [f"{name}t64" if f"{name}t64" in known else name for name in names]


def administrator_prefix() -> list | None:
    """What to put before a command that needs root, or None where we may not."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        allowed = subprocess.run(["sudo", "-n", "true"], stderr=subprocess.DEVNULL, check=False)
        if allowed.returncode == 0:
            return ["sudo", "-n"]
    return None


# ---- The environment ----------------------------------------------------------------------------


def python() -> str:
    """The interpreter of the environment."""
    return str(VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def program() -> str:
    """The installed program; unlike `python -m` it never takes a module of the current folder."""
    return str(VENV / ("Scripts/jurydesk.exe" if os.name == "nt" else "bin/jurydesk"))


def make_environment() -> None:
    """Make `.venv`, unless a sound one is there."""
    if Path(python()).exists() and environment_is_sound():
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise Trouble(
            "This Python cannot make an environment: its venv package is missing. Run:\n"
            f"  sudo apt-get install -y python{version(sys.version_info)}-venv"
        )
    say("Making the environment .venv.")
    if VENV.exists():
        shutil.rmtree(VENV)
    run_logged([sys.executable, "-m", "venv", str(VENV)])


def environment_is_sound() -> bool:
    """Whether the environment's interpreter starts, is new enough and has pip."""
    question = f"import sys, pip; sys.exit(sys.version_info < {OLDEST_PYTHON!r})"
    answer = subprocess.run([python(), "-c", question], stderr=subprocess.DEVNULL, check=False)
    return answer.returncode == 0


def install_project(light: bool) -> None:
    """Install Jurydesk with what it needs, unless the stamp says that this was done."""
    stamp = read_stamp()
    installed = set(stamp.get("extras", ())) if stamp.get("made_from") == fingerprint() else set()
    extras = LIGHT_EXTRAS if light or "neural" in installed else extras_for_this_disk()
    if installed.issuperset(extras):
        return
    duration = "a minute" if "neural" not in extras else "a few minutes"
    say(f"Installing Jurydesk and what it needs into .venv ({duration}).")
    target = f".[{','.join(extras)}]"
    run_logged([python(), "-m", "pip", "install", "--disable-pip-version-check", "-e", target])
    require_qt()
    STAMP.write_text(json.dumps({"made_from": fingerprint(), "extras": list(extras)}))


def extras_for_this_disk() -> tuple:
    """All extras, or without torch where the disk is too small for it."""
    free = shutil.disk_usage(ROOT).free / 1e9
    if free >= NEURAL_GIGABYTES:
        return FULL_EXTRAS
    say(
        f"Only {free:.0f} GB are free here, and torch with its models wants {NEURAL_GIGABYTES}: "
        "it is left out, and the metrics that need it will say so."
    )
    return LIGHT_EXTRAS


def read_stamp() -> dict:
    """What an earlier set-up wrote; empty where there was none or it is damaged."""
    try:
        return json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}


def fingerprint() -> str:
    """A digest of all that decides what an installation contains."""
    digest = hashlib.sha256(f"{ROOT} {sys.platform}".encode())
    for path in (ROOT / "pyproject.toml", *sorted(ROOT.glob("core/**/*.pyx"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def require_qt() -> None:
    """Say which system library is missing, where Qt cannot be loaded."""
    command = [python(), "-c", "import PySide6.QtWidgets"]
    answer = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if answer.returncode != 0:
        reason = (answer.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise Trouble(
            f"Qt cannot be loaded ({reason}). On Debian or Ubuntu run:\n"
            f"  sudo apt-get install -y {' '.join(QT_LIBRARIES)}\n"
            "Elsewhere install the package that has the missing library."
        )


def prepare_language_data() -> None:
    """Build METEOR's index of language data once; the program shows how far it is."""
    if run_shown([program(), "meteor", "--prepare"]) != 0:
        say("Without the index, METEOR will be prepared when it is first used.")


# ---- What was asked for -------------------------------------------------------------------------


def start(arguments: list) -> int:
    """Open the window; without a display, score the examples and print the boards."""
    if arguments or has_display():
        return run_shown([program(), *arguments])
    say("There is no display here: the example competitions are scored instead.")
    return run_shown([program(), "demo"])


def test(arguments: list) -> int:
    """Run the test suite without a display."""
    settings = {"QT_QPA_PLATFORM": "offscreen"}
    if os.name == "posix" and os.geteuid() == 0:
        # The web engine's sandbox refuses to run as root.
        settings["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    runs = [arguments] if arguments else [[f"--ignore={WEB_TESTS}"], [WEB_TESTS]]
    codes = [run_shown([python(), "-m", "pytest", *run], settings, ROOT) for run in runs]
    return max(codes)


def package(arguments: list) -> int:
    """Build the packaged program without PyTorch, and run it as a stranger would."""
    scripts = (("build.py", "desk", *(arguments or ["--no-archive"])), ("smoke.py",))
    for script, *more in scripts:
        code = run_shown([sys.executable, str(ROOT / "packaging" / script), *more], None, ROOT)
        if code != 0:
            return code
    return 0


def finish(arguments: list) -> int:
    """Say that all is ready."""
    say("Jurydesk is ready: python3 packaging/bootstrap.py app")
    return 0


def has_display() -> bool:
    """Whether a window can be shown."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# ---- Running commands ---------------------------------------------------------------------------


def environment() -> dict:
    """The environment of every command, without what would lead Python or pip elsewhere."""
    unwanted = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}


def run_shown(command: list, settings: dict | None = None, folder: Path | None = None) -> int:
    """Run a command that speaks for itself; its exit code."""
    sys.stdout.flush()
    return subprocess.call(command, env={**environment(), **(settings or {})}, cwd=folder)


def run_logged(command: list) -> None:
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
            lines = follow(process.stdout, log)
    if process.returncode != 0:
        telling = [line for line in lines if line.startswith(("ERROR:", "E:"))] or lines
        last = "\n".join(f"  {line}" for line in telling[-5:])
        raise Trouble(f"This command failed: {shlex.join(command)}\n{last}\nThe whole log: {LOG}")


def follow(output: IO, log: IO) -> list:
    """Copy what a process says to the log, and its last line to a terminal; all lines of text."""
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
    """Tell the user, at once."""
    print(sentence, flush=True)


if __name__ == "__main__":
    sys.exit(main())
