"""Writes `requirements/FLAVOUR.txt`: the version of every package that a flavour is built from.

    .venv/bin/python packaging/pins.py

pip chooses the newest versions that `pyproject.toml` allows, as on a bare machine; what is
installed here plays no part. Look at the difference before committing it, and build both flavours.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
EXTRAS = {"desk": ("cluster",), "desk-neural": ("cluster", "neural")}
TITLES = {
    "desk": "What the packaged program is built from, without PyTorch.",
    "desk-neural": "What the packaged program with PyTorch is built from.",
}
BUILDERS = ("pyinstaller", "setuptools", "cython")
LINUX_ONLY = ("nvidia-", "cuda-", "triton")
"""PyTorch asks for these on Linux alone."""


def main() -> int:
    """Write the pins of both flavours."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for flavour, extras in EXTRAS.items():
        wanted = requirements(project, extras)
        lines = [f"# {TITLES[flavour]}", *map(pinned, resolved(wanted))]
        path = HERE / "requirements" / f"{flavour}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{path}: {len(lines) - 1} packages", file=sys.stderr)
    return 0


def requirements(project: dict, extras: tuple[str, ...]) -> list[str]:
    """What `pyproject.toml` asks for, with what builds the package."""
    optional = project["project"]["optional-dependencies"]
    base = project["project"]["dependencies"]
    builders = [line for line in optional["dev"] if line.startswith(BUILDERS)]
    builders += project["build-system"]["requires"]
    return [*base, *(line for extra in extras for line in optional[extra]), *builders]


def resolved(wanted: list[str]) -> list[str]:
    """`name==version` of all that pip would install on a bare machine, by name."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["-qq", "--disable-pip-version-check", "--report", "-", *wanted]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    packages = (one["metadata"] for one in report["install"])
    return sorted(f"{normal(one['name'])}=={one['version']}" for one in packages)


def normal(name: str) -> str:
    """A package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(package: str) -> str:
    """A line of the file."""
    marker = "; sys_platform == 'linux'" if package.startswith(LINUX_ONLY) else ""
    return package + marker


if __name__ == "__main__":
    raise SystemExit(main())
