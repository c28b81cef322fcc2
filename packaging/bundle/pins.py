"""Writer of `requirements/FLAVOUR.txt`: versions and hashes of all packages of a flavour.

The flavours are the two packaged programs, and the environments that `bootstrap.py` makes. What
`desk-neural` has more than `desk` is the neural add-on, whose list is in the program.

    .venv/bin/python packaging/bundle/pins.py             keeps the versions that still fit
    .venv/bin/python packaging/bundle/pins.py --upgrade   chooses the newest ones

uv (in the extra `dev`) resolves what `pyproject.toml` asks for, for all systems and Pythons at
once; what is installed here plays no part. Look at the difference before committing it, and build
both flavours.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PACKAGING = Path(__file__).resolve().parents[1]
PROJECT = PACKAGING.parent
SETUP = ("archives", "cluster", "frames", "meteor", "sealed", "test", "dev")
EXTRAS = {
    "desk": ("archives", "cluster", "meteor", "sealed"),
    "desk-neural": ("archives", "cluster", "meteor", "neural", "sealed"),
    "setup": SETUP,
    "setup-neural": ("neural", *SETUP),
}
TITLES = {
    "setup": "What bootstrap.py --light installs.",
    "setup-neural": "What bootstrap.py installs, with PyTorch.",
    "desk": "What the packaged program is built from, without PyTorch.",
    "desk-neural": "What the packaged program with PyTorch is built from.",
}
FLAVOURS = ("desk", "desk-neural")
ADD_ON = PROJECT / "resources" / "add_ons" / "neural.txt"
ADD_ON_TITLE = "Wheels of the neural add-on, which `jurydesk addon install` takes by these hashes."
LEFT_OUT = {"triton"}
"""PyTorch's compiler of kernels, one GB, which this program never calls."""
BUILDERS = ("pyinstaller", "setuptools", "cython")
SETTINGS = (
    "--universal",
    "--python-version=3.11",
    "--fork-strategy=fewest",  # one version of each package for all Pythons
    "--generate-hashes",
    "--no-header",
    "--no-annotate",
    "--quiet",
)


def main(arguments: Sequence[str]) -> int:
    """Write the pins of all flavours."""
    parser = argparse.ArgumentParser(description="Pin what is built and installed.")
    parser.add_argument("--upgrade", action="store_true", help="choose the newest versions")
    more = ("--upgrade",) if parser.parse_args(arguments).upgrade else ()
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    for flavour, extras in EXTRAS.items():
        path = PACKAGING / "requirements" / f"{flavour}.txt"
        resolve(requirements(project, extras), path, more)
        text = f"# {TITLES[flavour]}\n{path.read_text(encoding='utf-8')}"
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {len(pins(text))} packages", file=sys.stderr)
    write_add_on()
    return 0


def write_add_on() -> None:
    """Write the list of the neural add-on: the pins that only the larger flavour has."""
    small, large = (blocks(PACKAGING / "requirements" / f"{name}.txt") for name in FLAVOURS)
    more = [block for name, block in large.items() if name not in small and name not in LEFT_OUT]
    ADD_ON.parent.mkdir(exist_ok=True)
    ADD_ON.write_text(f"# {ADD_ON_TITLE}\n{''.join(more)}", encoding="utf-8")
    print(f"{ADD_ON}: {len(more)} packages", file=sys.stderr)


def blocks(path: Path) -> dict[str, str]:
    """Return the lines of each package of a file of pins by name."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^(([^#\s=]+)==(?:.*\\\n)*.*\n)", text, re.MULTILINE)
    return {name: block for block, name in found}


def requirements(project: dict[str, Any], extras: tuple[str, ...]) -> list[str]:
    """Return the requirements of `pyproject.toml` and of the build."""
    optional = project["project"]["optional-dependencies"]
    base = project["project"]["dependencies"]
    builders = [line for line in optional["dev"] if line.startswith(BUILDERS)]
    builders += project["build-system"]["requires"]
    return [*base, *(line for extra in extras for line in optional[extra]), *builders]


def resolve(wanted: Sequence[str], path: Path, more: Sequence[str]) -> None:
    """Write versions and hashes of all packages for a bare machine."""
    command = [sys.executable, "-m", "uv", "pip", "compile", *SETTINGS, *more]
    subprocess.run(
        [*command, "--output-file", path, "-"],
        input="\n".join(wanted),
        encoding="utf-8",
        stdout=subprocess.DEVNULL,
        check=True,
    )


def pins(text: str) -> dict[str, str]:
    """Return the pinned versions by name."""
    return dict(re.findall(r"^([^#\s]+)==([^\s;]+)", text, re.MULTILINE))


def normal(name: str) -> str:
    """Return the normalized name of a package, as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
