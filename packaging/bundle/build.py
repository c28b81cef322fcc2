"""Build of the packaged program: a folder, an archive of it, and a manifest with hashes.

    python3 packaging/bundle/build.py [desk|desk-neural] [--no-archive] [--work DIR] [--out DIR]

Works in `build/FLAVOUR`: an environment of its own from the pinned requirements, a clean copy of
the sources, METEOR's index, the icons, and PyInstaller's files. The result lies in `dist/FLAVOUR`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from bootstrap_parts.commands import (  # noqa: E402 - found beside this script alone
    environment as command_environment,
)
from bootstrap_parts.locks import install_lock  # noqa: E402 - the same
from bundle.compression import archive_folder  # noqa: E402 - the same
from bundle.trim import trim  # noqa: E402 - the same

PACKAGING = HERE.parent
PROJECT = PACKAGING.parent
FLAVOURS = ("desk", "desk-neural")
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
SOURCES = ("app", "core", "resources", "pyproject.toml", "README.md")
MADE = ("__pycache__", "*.so", "*.pyd", "*.c", "screenshots")
"""What an earlier installation left among the sources, and the pictures of the README."""

INDEX = """
import sys
from pathlib import Path
from jurydesk.core.metrics.meteor.language_data import index_location
from jurydesk.core.system.paths import fingerprint, write_atomically
made = index_location.open_or_build_index(check=True).path
if fingerprint(made).sha256 != index_location.PREPARED_SHA256:
    raise SystemExit(f"{made} is not METEOR's prepared index: its SHA-256 is another.")
write_atomically(Path(sys.argv[1]), made.read_bytes())
"""
"""The index is made once on a machine, in the user's cache; the set-up takes the same one."""

ICONS = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
application = QGuiApplication(["icons"])
drawing = QSvgRenderer(sys.argv[1])
for size in map(int, sys.argv[3:]):
    image = QImage(size, size, QImage.Format_ARGB32)
    image.fill(Qt.transparent)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    image.save(str(Path(sys.argv[2]) / f"jurydesk-{size}.png"))
"""


def main() -> int:
    """Build one flavour; return 0 if everything was written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flavour", nargs="?", default="desk", choices=FLAVOURS)
    parser.add_argument("--no-archive", action="store_true", help="leave the .tar.xz out")
    parser.add_argument("--work", type=Path, help="where to build; build/FLAVOUR if not given")
    parser.add_argument("--out", type=Path, help="for the result; dist/FLAVOUR if not given")
    wanted = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)  # only what the environment has is collected
    began = time.monotonic()
    flavour = wanted.flavour
    work = (wanted.work or PROJECT / "build" / flavour).resolve()
    out = (wanted.out or PROJECT / "dist" / flavour).resolve()
    python = environment(work / "venv", flavour)
    install_and_make_parts(python, work)
    freeze(python, flavour, work, out)
    folder = out / "jurydesk"
    trim(folder)
    sign(folder)
    integrate(folder, work / "parts")
    write_manifest(folder, flavour, python)
    say(f"{size_of(folder) / 1e6:,.0f} MB in {folder}")
    if not wanted.no_archive:
        archive = archived(folder, out, flavour)
        say(f"{archive.stat().st_size / 1e6:,.0f} MB in {archive}")
    say(f"Built in {time.monotonic() - began:.0f} s{processor_time()}.")
    return 0


def say(sentence: str) -> None:
    """Print progress on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def run(*command: str | Path, **more: Any) -> None:
    """Run a step; a failed step ends the build with its exit code."""
    done = subprocess.run([str(part) for part in command], check=False, **more)
    if done.returncode:
        raise SystemExit(f"This step failed ({done.returncode}): {' '.join(map(str, command))}")


# ---- What the package is made from --------------------------------------------------------------


def environment(folder: Path, flavour: str) -> Path:
    """Return the interpreter of an environment with only the pinned requirements."""
    pins = PACKAGING / "requirements" / f"{flavour}.txt"
    mark = folder / "pins.sha256"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not mark.is_file() or mark.read_text() != wanted:
        say(f"Installing the pinned requirements of {flavour} …")
        shutil.rmtree(folder, ignore_errors=True)
        run(sys.executable, "-m", "venv", folder)
        install_lock(str(python), pins, folder.with_name("uv"))
        mark.write_text(wanted)
    return python


def install_and_make_parts(python: Path, work: Path) -> None:
    """Install the program from a clean copy, and build METEOR's index and the icons."""
    source, parts = work / "source", work / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    copy_sources(source)
    say("Installing the program, making METEOR's index, the icons and the list of licences …")
    steps = (
        partial(install_and_make_index, python, source, parts / "english.index"),
        partial(make_icons, python, parts),
        partial(run, python, HERE / "collect_licences.py", parts / "licences"),
    )
    with ThreadPoolExecutor(len(steps)) as pool:
        for step in [pool.submit(step) for step in steps]:
            step.result()


def copy_sources(folder: Path) -> None:
    """Copy the sources without leftovers of installations and runs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in SOURCES:
        path = PROJECT / name
        if path.is_dir():
            shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns(*MADE))
        else:
            shutil.copy2(path, folder / name)


def install_program(python: Path, source: Path) -> None:
    """Install the program into the environment, with its optional compiled modules."""
    options = ("-qq", "--no-compile", "--no-deps", "--no-build-isolation", "--force-reinstall")
    run(python, "-m", "pip", "install", *options, source, env=command_environment())


def install_and_make_index(python: Path, source: Path, index: Path) -> None:
    """Install the program and build METEOR's index with it, unless the index exists."""
    install_program(python, source)
    run(python, PACKAGING / "extract_messages.py", "--check", cwd=index.parent)
    if not index.is_file():
        run(python, "-c", INDEX, index, cwd=index.parent)


def make_icons(python: Path, folder: Path) -> None:
    """Make the icons in all sizes that desktops need."""
    drawing = PROJECT / "resources" / "icons" / "jurydesk.svg"
    offscreen = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    run(python, "-c", ICONS, drawing, folder, *map(str, ICON_SIZES), cwd=folder, env=offscreen)
    if sys.platform in ("win32", "darwin"):
        ending = "ico" if sys.platform == "win32" else "icns"
        picture = folder / "jurydesk-512.png"
        line = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2])"
        run(python, "-c", line, picture, folder / f"jurydesk.{ending}")


# ---- The package --------------------------------------------------------------------------------


def freeze(python: Path, flavour: str, work: Path, out: Path) -> None:
    """Run PyInstaller on the installed program, away from the sources."""
    say("Collecting the program …")
    variables = {"JURYDESK_FLAVOUR": flavour, "JURYDESK_PARTS": str(work / "parts")}
    run(
        python,
        *("-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"),
        *("--workpath", work / "pyinstaller", "--distpath", out),
        HERE / "jurydesk.spec",
        cwd=work,
        env=os.environ | variables,
    )


def sign(folder: Path) -> None:
    """Sign the programs of Windows, before their hashes are recorded and they are packed."""
    if sys.platform == "win32":
        run(sys.executable, HERE / "sign.py", *sorted(folder.glob("*.exe")))


def integrate(folder: Path, parts: Path) -> None:
    """Add the menu entry, file types and icons for Linux desktops."""
    if not sys.platform.startswith("linux"):
        return
    share = folder / "share"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(PACKAGING / "linux" / "share", share)
    for size in ICON_SIZES:
        place = share / "icons" / "hicolor" / f"{size}x{size}" / "apps"
        place.mkdir(parents=True)
        shutil.copy2(parts / f"jurydesk-{size}.png", place / "jurydesk.png")
    scalable = share / "icons" / "hicolor" / "scalable" / "apps"
    scalable.mkdir(parents=True)
    shutil.copy2(PROJECT / "resources" / "icons" / "jurydesk.svg", scalable)
    for script in ("install.sh", "uninstall.sh"):
        shutil.copy2(PACKAGING / "linux" / script, folder / script)
        (folder / script).chmod(0o755)


def write_manifest(folder: Path, flavour: str, python: Path) -> None:
    """Write `manifest.json`: the version, its sources, and the hash of every file."""
    version = subprocess.run(
        [python, "-c", "import jurydesk; print(jurydesk.__version__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder.parent,
    ).stdout.strip()
    manifest = folder / "manifest.json"
    files = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink() and path != manifest
    }
    content = {
        "program": "jurydesk",
        "version": version,
        "flavour": flavour,
        "platform": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "requirements": installed(python),
        "files": files,
    }
    manifest.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def installed(python: Path) -> list[str]:
    """Return `name==version` of the environment's packages, without the program itself."""
    command = [str(python), "-m", "pip", "freeze", "--exclude", "jurydesk"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()


def archived(folder: Path, out: Path, flavour: str) -> Path:
    """Compress the folder into one file."""
    say("Compressing …")
    version = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["version"]
    name = f"jurydesk-{version}-{flavour}-{system_name(platform.system(), platform.machine())}"
    if os.name == "nt":
        return Path(shutil.make_archive(str(out / name), "zip", out, folder.name))
    archive = out / f"{name}.tar.xz"
    archive_folder(folder, archive)
    return archive


def system_name(system: str, machine: str) -> str:
    """Return a system and a processor as the names of releases have them: `macos-arm64`."""
    systems, machines = {"darwin": "macos"}, {"amd64": "x86_64", "aarch64": "arm64"}
    system, machine = system.lower(), machine.lower()
    return f"{systems.get(system, system)}-{machines.get(machine, machine)}"


def size_of(folder: Path) -> int:
    """Return the total size of all files below a folder in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if not path.is_symlink())


def processor_time() -> str:
    """Return the processor time of the build in seconds, if the system reports it."""
    try:
        import resource
    except ImportError:
        return ""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return f", {sum(one.ru_utime + one.ru_stime for one in used):.0f} s of processor time"


if __name__ == "__main__":
    raise SystemExit(main())
