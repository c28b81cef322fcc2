"""Check of a built wheel: its contents, then every command that needs no source tree.

python -m build --outdir dist .                        (with the package `build`)
python packaging/bundle/check_wheel.py dist/*.whl             in an environment of its own
python packaging/bundle/check_wheel.py dist/*.whl --contents  the contents alone
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
NEVER = {".c", ".pyc"}
TOP_LEVEL = "jurydesk"


def main(arguments: Sequence[str]) -> int:
    """Check the wheel; return 1 for errors."""
    parser = argparse.ArgumentParser(description="Check the contents of a wheel and run it.")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--contents", action="store_true", help="do not install it")
    options = parser.parse_args(arguments)
    with zipfile.ZipFile(options.wheel) as archive:
        wrong = list(faults(archive.namelist()))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    if not wrong and not options.contents:
        with tempfile.TemporaryDirectory() as folder:
            run_wheel(options.wheel.resolve(), Path(folder))
    return 1 if wrong else 0


def faults(names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each error in the files of a wheel."""
    paths = [PurePosixPath(name) for name in names]
    tops = {path.parts[0] for path in paths if not path.parts[0].endswith(".dist-info")}
    if tops != {TOP_LEVEL}:
        yield f"The wheel installs {', '.join(sorted(tops))}, not {TOP_LEVEL} alone."
    for path in paths:
        if path.suffix in NEVER or "__pycache__" in path.parts:
            yield f"{path} does not belong into a wheel."
    for module in compiled_modules():
        stem = module.replace(".", "/")
        if not any(
            name.startswith(f"{stem}.") and name.endswith((".so", ".pyd")) for name in names
        ):
            yield f"The compiled module {module} is missing: was there a compiler?"
    for wanted in ("py.typed", "resources/guide.md", "resources/selftest/vectors.json"):
        if f"{TOP_LEVEL}/{wanted}" not in names:
            yield f"{TOP_LEVEL}/{wanted} is missing."
    for licence in ("LICENSE", "NOTICE"):
        if not any(name.endswith(f".dist-info/licenses/{licence}") for name in names):
            yield f"{licence} is missing."


def compiled_modules() -> list[str]:
    """Return the names of the compiled modules that the project declares."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return [entry["name"] for entry in project["tool"]["setuptools"]["ext-modules"]]


def run_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into an empty environment and run it; CalledProcessError if that fails."""
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "JURYDESK_HOME": str(folder / "home"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    if os.name == "posix" and os.geteuid() == 0:
        environment["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    scripts = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
    run = [
        [scripts / "python", "-m", "pip", "install", "--quiet", wheel],
        [scripts / "jurydesk", "--version"],
        [scripts / "jurydesk", "doctor", "--quiet"],
        [scripts / "jurydesk", "meteor", "--prepare"],
        [scripts / "jurydesk", "selftest"],
        [scripts / "jurydesk", "demo", "--text", "--quiet"],
        [scripts / "python", "-c", "import jurydesk; print(jurydesk.meteor(['a'], [['a']]))"],
        [scripts / "jurydesk", "--smoke"],
    ]
    work = folder / "work"
    work.mkdir()
    for command in run:
        began, used = time.monotonic(), processor_seconds()
        print(" ".join(map(str, command)), flush=True)
        subprocess.run(list(map(str, command)), check=True, cwd=work, env=environment)
        took = f"{time.monotonic() - began:.1f} s"
        print(f"  {took}, {processor_seconds() - used:.1f} s of processor time", flush=True)


def processor_seconds() -> float:
    """Return the processor time of all commands that have ended; Windows does not tell it."""
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
