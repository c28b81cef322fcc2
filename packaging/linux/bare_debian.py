"""Trial of a package in a bare Debian: installed, opened by a double click, rated with, removed.

    python3 packaging/linux/bare_debian.py PACKAGE --suite trixie [--tree FOLDER]

PACKAGE is the `.deb`, or the archive with its install script. The system is debootstrap's smallest,
kept in `build/SUITE` or in the FOLDER; it is used through a layer that is thrown away. Needs root
(or `sudo`), debootstrap and Debian's archive. An ordinary user does in it, on a virtual display,
what `bare_debian.sh` says; whatever the package leaves behind is a failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
from bootstrap_parts.system import QT_LIBRARIES  # noqa: E402 - the folder is no package

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
ARCHIVE = "http://deb.debian.org/debian"
OF_THE_NETWORK = ("resolv.conf", "hosts")
# An own root, not a changed one: in a `chroot` the web engine could have no sandbox.
ENTER = """
set -eu
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$TREE,upperdir=$LAYER/upper,workdir=$LAYER/work" "$LAYER/root"
cd "$LAYER/root"
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs tmp
mkdir -p tmp/trial old
cp -r "$LAYER/files/." tmp/trial
pivot_root . old
umount -l old
rmdir old
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh /tmp/trial/bare_debian.sh "$KIND" "$LIBRARIES"
"""


def main(arguments: list[str]) -> int:
    """Try the package; returns the exit code of the trial."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path, help="a .deb, or an archive .tar.xz")
    parser.add_argument("--suite", default="trixie", help="bookworm, trixie, ...")
    parser.add_argument("--tree", type=Path, help="the bare system; build/SUITE if not given")
    wanted = parser.parse_args(arguments)
    if os.geteuid() != 0:
        script = ["sudo", sys.executable, str(Path(__file__).resolve())]
        return subprocess.run([*script, *arguments], check=False).returncode
    tree = (wanted.tree or PROJECT / "build" / wanted.suite).resolve()
    if not (tree / "etc" / "debian_version").is_file():
        make_system(wanted.suite, tree)
    with tempfile.TemporaryDirectory(prefix="jurydesk-debian-", dir=tree.parent) as name:
        layer = Path(name)
        for part in ("upper", "work", "root", "files"):
            (layer / part).mkdir()
        layer.chmod(0o755)
        (layer / "upper").chmod(0o755)
        for file in (wanted.package, HERE / "bare_debian.sh"):
            shutil.copy2(file, layer / "files")
        network(layer / "upper" / "etc")
        settings = {
            "TREE": str(tree),
            "LAYER": str(layer),
            "KIND": "deb" if wanted.package.suffix == ".deb" else "archive",
            "LIBRARIES": " ".join(QT_LIBRARIES),
        }
        enter = ["unshare", "--mount", "--pid", "--fork", "sh", "-c", ENTER]
        return subprocess.run(enter, env=os.environ | settings, check=False).returncode


def make_system(suite: str, tree: Path) -> None:
    """Make the smallest system of a release."""
    if shutil.which("debootstrap") is None:
        tools = ("debootstrap", "debian-archive-keyring")
        subprocess.run(["apt-get", "install", "-y", *tools], check=True)
    tree.mkdir(parents=True, exist_ok=True)
    options = ["--variant=minbase", f"--keyring={KEYRING}"]
    subprocess.run(["debootstrap", *options, suite, str(tree), ARCHIVE], check=True)


def network(folder: Path) -> None:
    """Let the bare system find Debian's archive as this one does."""
    folder.mkdir()
    for name in OF_THE_NETWORK:
        shutil.copy2(f"/etc/{name}", folder / name)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
