r"""Installer of a built folder on Windows, with Inno Setup 6, named with its version.

    py packaging\windows\make_installer.py dist\desk\jurydesk

The installer is signed by `packaging/bundle/sign.py`, or that script says that it is not. Never run
by the authors; `iscc` must be installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "jurydesk.iss"
SIGN = HERE.parent / "bundle" / "sign.py"
DIST = HERE.parents[1] / "dist"


def main(arguments: list[str]) -> int:
    """Run the compiler of installers, and sign its result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what packaging/bundle/build.py built")
    folder = parser.parse_args(arguments).folder
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    version = manifest["version"]
    subprocess.run(["iscc", f"/DVersion={version}", str(SCRIPT)], check=True)
    installer = DIST / f"jurydesk-{version}-desk-windows-x86_64-setup.exe"
    subprocess.run([sys.executable, str(SIGN), str(installer)], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
