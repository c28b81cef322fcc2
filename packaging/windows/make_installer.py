r"""Installer of a built folder on Windows, with Inno Setup 6, named with its version.

    py packaging\windows\make_installer.py dist\desk\jurydesk

Never run by the authors; `iscc` must be installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "jurydesk.iss"


def main(arguments: list[str]) -> int:
    """Run the compiler of installers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what packaging/bundle/build.py built")
    folder = parser.parse_args(arguments).folder
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    subprocess.run(["iscc", f"/DVersion={manifest['version']}", str(SCRIPT)], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
