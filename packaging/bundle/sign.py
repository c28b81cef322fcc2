"""Signatures of programs on Windows and macOS, with what the owner of the project supplies.

    python3 packaging/bundle/sign.py dist/desk/Jurydesk.app                 on macOS
    python3 packaging/bundle/sign.py dist/desk/jurydesk/jurydesk.exe ...    on Windows

`JURYDESK_SIGN_IDENTITY` names the certificate: on macOS one of the keychain ("Developer ID
Application: ..."), on Windows the SHA-1 of one of the user's store. `JURYDESK_NOTARY_PROFILE` names
the credentials that `xcrun notarytool store-credentials` stored, for Apple's notary. Without an
identity nothing is signed, and the output says how an unsigned program is opened. A bundle is
sealed with its manifest in either case. Never run on these systems by the authors.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
ENTITLEMENTS = PACKAGING / "macos" / "entitlements.plist"
TIMESTAMPS = "http://timestamp.digicert.com"
UNSIGNED = {
    "darwin": "Unsigned: right-click the program and choose Open, or run "
    "`xattr -d com.apple.quarantine Jurydesk.app`.",
    "win32": "Unsigned: choose More info, then Run anyway, when Windows asks.",
}


def main(arguments: list[str]) -> int:
    """Sign each program, or say that it is unsigned."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=Path)
    identity = os.environ.get("JURYDESK_SIGN_IDENTITY", "")
    for program in parser.parse_args(arguments).programs:
        if sys.platform == "darwin":
            add_manifest(program)
        for command in commands(program, identity, os.environ.get("JURYDESK_NOTARY_PROFILE", "")):
            subprocess.run(command, check=True)
        if not identity:
            print(f"{program.name}. {UNSIGNED.get(sys.platform, 'This system signs nothing.')}")
    return 0


def add_manifest(bundle: Path) -> None:
    """Copy the manifest into a macOS bundle, before the bundle is sealed."""
    manifest = bundle.parent / "jurydesk" / "manifest.json"
    shutil.copy2(manifest, bundle / "Contents" / "Resources" / "manifest.json")


def commands(program: Path, identity: str, notary: str) -> list[list[str]]:
    """Return the commands that sign a program on this system, in their order."""
    if sys.platform == "win32":
        sign = ["signtool", "sign", "/sha1", identity, "/fd", "sha256", "/td", "sha256"]
        return [[*sign, "/tr", TIMESTAMPS, str(program)]] if identity else []
    if sys.platform != "darwin":
        return []
    # The web engine's helper makes code at run time; an identity "-" seals without a certificate.
    sign = ["codesign", "--force", "--deep", "--options", "runtime", "--entitlements"]
    seal = [*sign, str(ENTITLEMENTS), "--sign", identity or "-", str(program)]
    if not (identity and notary):
        return [seal]
    archive = str(program.with_suffix(".zip"))
    return [
        [*seal[:-1], "--timestamp", seal[-1]],
        ["ditto", "-c", "-k", "--keepParent", str(program), archive],
        ["xcrun", "notarytool", "submit", archive, "--keychain-profile", notary, "--wait"],
        ["rm", archive],  # else it would be a file of the release, without its ticket
        ["xcrun", "stapler", "staple", str(program)],
    ]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
