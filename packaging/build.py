"""Builds the packaged program: a folder, an archive of it, and a manifest with hashes.

    python3 packaging/build.py [desk|desk-neural] [--no-archive]

Works in `build/FLAVOUR`: an environment of its own from the pinned requirements, METEOR's index,
the icons, and PyInstaller's files. The result lies in `dist/FLAVOUR`.
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
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
FLAVOURS = ("desk", "desk-neural")
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)

INDEX = """
import sys
from pathlib import Path
from core.metrics.meteor.build import build
from core.metrics.meteor.data import installed
build(installed(), Path(sys.argv[1]))
"""

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
    """Build one flavour; the exit code is 0 when the manifest has been written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flavour", nargs="?", default="desk", choices=FLAVOURS)
    parser.add_argument("--no-archive", action="store_true", help="leave the .tar.xz out")
    wanted = parser.parse_args()
    began = time.monotonic()
    work = PROJECT / "build" / wanted.flavour
    out = PROJECT / "dist" / wanted.flavour
    python = environment(work / "venv", wanted.flavour)
    parts = made_parts(python, work / "parts")
    freeze(python, wanted.flavour, parts, work, out)
    folder = out / "jurydesk"
    integrate(folder, parts)
    write_manifest(folder, wanted.flavour, python)
    say(f"{size_of(folder) / 1e6:,.0f} MB in {folder}")
    if not wanted.no_archive:
        archive = archived(folder, out, wanted.flavour)
        say(f"{archive.stat().st_size / 1e6:,.0f} MB in {archive}")
    say(f"built in {time.monotonic() - began:.0f} s")
    return 0


def say(sentence: str) -> None:
    """Tell what happens, on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def run(*command: str | Path, **more: object) -> None:
    """Run a step; a failed one ends the build with its exit code."""
    done = subprocess.run([str(part) for part in command], check=False, **more)
    if done.returncode:
        raise SystemExit(f"This step failed ({done.returncode}): {' '.join(map(str, command))}")


def environment(folder: Path, flavour: str) -> Path:
    """An environment with the pinned requirements and this version of the program."""
    pins = HERE / "requirements" / f"{flavour}.txt"
    mark = folder / "pins.sha256"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not mark.is_file() or mark.read_text() != wanted:
        say(f"Installing the pinned requirements of {flavour} …")
        shutil.rmtree(folder, ignore_errors=True)
        run(sys.executable, "-m", "venv", folder)
        run(python, "-m", "pip", "install", "--quiet", "--requirement", pins)
        mark.write_text(wanted)
    say("Installing the program …")
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--force-reinstall")
    run(python, "-m", "pip", "install", *options, PROJECT)
    return python


def made_parts(python: Path, folder: Path) -> Path:
    """METEOR's index and the icons, which are made once."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "english.index").is_file():
        say("Preparing METEOR's index …")
        run(python, "-c", INDEX, folder / "english.index", cwd=folder)
    drawing = PROJECT / "resources" / "icons" / "jurydesk.svg"
    offscreen = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    run(python, "-c", ICONS, drawing, folder, *map(str, ICON_SIZES), cwd=folder, env=offscreen)
    if sys.platform in ("win32", "darwin"):
        ending = "ico" if sys.platform == "win32" else "icns"
        picture = folder / "jurydesk-512.png"
        line = "import sys; from PIL import Image; Image.open(sys.argv[1]).save(sys.argv[2])"
        run(python, "-c", line, picture, folder / f"jurydesk.{ending}")
    return folder


def freeze(python: Path, flavour: str, parts: Path, work: Path, out: Path) -> None:
    """Run PyInstaller on the installed program, away from the sources."""
    say("Collecting the program …")
    variables = {"JURYDESK_FLAVOUR": flavour, "JURYDESK_PARTS": str(parts)}
    run(
        python,
        *("-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
        *("--workpath", work / "pyinstaller", "--distpath", out),
        HERE / "jurydesk.spec",
        cwd=work,
        env=os.environ | variables,
    )


def integrate(folder: Path, parts: Path) -> None:
    """What a Linux desktop wants beside the program: menu entry, file types, icons."""
    if not sys.platform.startswith("linux"):
        return
    share = folder / "share"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(HERE / "linux" / "share", share)
    for size in ICON_SIZES:
        place = share / "icons" / "hicolor" / f"{size}x{size}" / "apps"
        place.mkdir(parents=True)
        shutil.copy2(parts / f"jurydesk-{size}.png", place / "jurydesk.png")
    scalable = share / "icons" / "hicolor" / "scalable" / "apps"
    scalable.mkdir(parents=True)
    shutil.copy2(PROJECT / "resources" / "icons" / "jurydesk.svg", scalable)
    for script in ("install.sh", "uninstall.sh"):
        shutil.copy2(HERE / "linux" / script, folder / script)
        (folder / script).chmod(0o755)


def write_manifest(folder: Path, flavour: str, python: Path) -> None:
    """`manifest.json`: the version, what it was built from, and the hash of every file."""
    version = subprocess.run(
        [python, "-c", "import core; print(core.__version__)"],
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
    pins = (HERE / "requirements" / f"{flavour}.txt").read_text(encoding="utf-8").split()
    content = {
        "program": "jurydesk",
        "version": version,
        "flavour": flavour,
        "platform": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "requirements": [pin for pin in pins if "==" in pin],
        "files": files,
    }
    manifest.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def archived(folder: Path, out: Path, flavour: str) -> Path:
    """The folder as one compressed file."""
    say("Compressing …")
    name = f"jurydesk-{flavour}-{platform.system().lower()}-{platform.machine()}"
    if os.name == "nt":
        return Path(shutil.make_archive(str(out / name), "zip", out, folder.name))
    archive = out / f"{name}.tar.xz"
    if shutil.which("xz"):
        compress = os.environ | {"XZ_OPT": "-T0 -6"}
        run("tar", "--sort=name", "-C", out, "-cJf", archive, folder.name, env=compress)
        return archive
    return Path(shutil.make_archive(str(out / name), "xztar", out, folder.name))


def size_of(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if not path.is_symlink())


if __name__ == "__main__":
    raise SystemExit(main())
