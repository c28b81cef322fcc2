"""Debian package of a built folder, for Debian and Ubuntu: `jurydesk_VERSION_ARCHITECTURE.deb`.

    python3 packaging/linux/make_deb.py dist/desk/jurydesk [--out DIR]

The program lies in `/usr/lib/jurydesk`; menu entry, file types and icons are where every desktop
looks for them. Whatever it installs, its removal removes; desks and settings of users stay.
Only the standard library is used, and Debian's `dpkg-deb`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGING))
from bootstrap_parts.system import QT_LIBRARIES  # noqa: E402 - the folder is no package
from bundle.compression import compress  # noqa: E402 - the same

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
LANGUAGE_LIBRARIES = ("libstdc++6", "libgcc-s1")
RENAMED = {
    "libasound2": "libasound2 | libasound2t64",
    "libglib2.0-0": "libglib2.0-0 | libglib2.0-0t64",
}
"""Packages with another name from Debian 13 on."""
OWN = ("install.sh", "uninstall.sh", "share")
"""Parts of the folder for those who unpack it themselves."""
CONTROL = """\
Package: jurydesk
Version: {version}
Architecture: {architecture}
Maintainer: The Jurydesk developers
Installed-Size: {size}
Depends: {depends}
Recommends: shared-mime-info, desktop-file-utils
Section: science
Priority: optional
Description: evaluation desk for vision-language and retrieval competitions
 Reads reference data and submissions, lists every defect, computes the numbers
 of the official programs with their uncertainty, and opens each of them down
 to its items. Needs no network.
"""


def main() -> int:
    """Write the package, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="what packaging/bundle/build.py built")
    parser.add_argument("--out", type=Path, help="where to write it; beside the folder by default")
    wanted = parser.parse_args()
    folder = wanted.folder.resolve()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    machine = manifest["platform"].split()[-1]
    architecture = ARCHITECTURES.get(machine, machine)
    out = (wanted.out or folder.parent).resolve()
    out.mkdir(parents=True, exist_ok=True)
    package = out / f"jurydesk_{manifest['version']}_{architecture}.deb"
    with tempfile.TemporaryDirectory(prefix="jurydesk-deb-", dir=out) as place:
        root = Path(place) / "root"
        lay_out(folder, root)
        (root / "DEBIAN").mkdir()
        text = control(manifest["version"], architecture, root)
        (root / "DEBIAN" / "control").write_text(text, encoding="utf-8")
        root.chmod(0o755)
        plain = Path(place) / "plain.deb"
        run("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, plain)
        compress_members(plain, Path(place), package)
    print(package)
    return 0


def run(*command: str | Path) -> None:
    """Run a step without its words; a step that fails ends the program."""
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)


def compress_members(plain: Path, place: Path, package: Path) -> None:
    """Write an uncompressed package with smaller members than dpkg-deb's own, by a twentieth.

    A package is an archive of three members in the format of `ar`: the version of the format, the
    description, the files (deb(5)).
    """
    (place / "debian-binary").write_bytes(b"2.0\n")
    for name, option in (("control.tar.xz", "--ctrl-tarfile"), ("data.tar.xz", "--fsys-tarfile")):
        with subprocess.Popen(["dpkg-deb", option, plain], stdout=subprocess.PIPE) as reading:
            compress(reading.stdout, place / name)
        if reading.returncode:
            raise SystemExit(f"dpkg-deb {option} failed ({reading.returncode})")
    with package.open("wb") as out:
        out.write(b"!<arch>\n")
        for name in ("debian-binary", "control.tar.xz", "data.tar.xz"):
            size = (place / name).stat().st_size
            out.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{size:<10}`\n".encode("ascii"))
            with (place / name).open("rb") as member:
                shutil.copyfileobj(member, out)
            out.write(b"\n" * (size % 2))


def lay_out(folder: Path, root: Path) -> None:
    """Copy the built folder to where Debian has programs, menu entries and licences."""
    library = root / "usr" / "lib" / "jurydesk"
    shutil.copytree(folder, library, symlinks=True, ignore=at_top(folder, OWN))
    manifest = json.loads((library / "manifest.json").read_text(encoding="utf-8"))
    kept = {name: sha for name, sha in manifest["files"].items() if (library / name).is_file()}
    text = json.dumps({**manifest, "files": kept}, indent=1)
    (library / "manifest.json").write_text(f"{text}\n", encoding="utf-8")
    shutil.copytree(folder / "share", root / "usr" / "share")
    programs = root / "usr" / "bin"
    programs.mkdir(parents=True)
    (programs / "jurydesk").symlink_to("../lib/jurydesk/jurydesk")
    papers = root / "usr" / "share" / "doc" / "jurydesk"
    papers.mkdir(parents=True)
    shutil.copy2(PACKAGING.parent / "NOTICE", papers / "copyright")


def at_top(folder: Path, names: tuple[str, ...]) -> object:
    """Return a filter for `copytree` that leaves these names out of the folder itself."""
    return lambda place, found: [name for name in found if Path(place) == folder and name in names]


def control(version: str, architecture: str, root: Path) -> str:
    """Return the description of the package; its size is in KiB, as Debian wants it."""
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return CONTROL.format(
        version=version,
        architecture=architecture,
        size=-(-sum(path.stat().st_size for path in files) // 1024),
        depends=", ".join(RENAMED.get(name, name) for name in (*QT_LIBRARIES, *LANGUAGE_LIBRARIES)),
    )


if __name__ == "__main__":
    raise SystemExit(main())
