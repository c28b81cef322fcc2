"""System packages that Jurydesk needs on Debian and Ubuntu, and their installation.

Only the standard library is used, in the syntax of Python 3.9.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

from bootstrap_parts.commands import Trouble, run_logged, say
from bootstrap_parts.python import version

# What Qt and its web engine load at run time, and what a bare system lacks (Debian 12 and 13).
QT_LIBRARIES = (
    "libgl1",
    "libegl1",
    "libxkbcommon0",
    "libfontconfig1",
    "libglib2.0-0",
    "libdbus-1-3",
    "libnss3",
    "libgssapi-krb5-2",
    "libxcomposite1",
    "libxfixes3",
    "libxdamage1",
    "libxrandr2",
    "libxtst6",
    "libasound2",
    "libxkbfile1",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-keysyms1",
    "libxcb-shape0",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
)
# What building the packaged program and trying it needs: a display that nobody sees, and xz.
PACKAGING_PACKAGES = ("xvfb", "xz-utils")


def install_system_packages(more: tuple[str, ...] = ()) -> None:
    """Install missing packages with apt, or print the command for it."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return
    missing = missing_packages(more)
    if not missing:
        return
    administrator = administrator_prefix()
    if administrator is None:
        line = installing(available(missing))
        say(f"Some system packages are missing, and the window may not start. Run:\n  {line}")
        return
    say(f"Installing {len(missing)} system packages ({', '.join(missing[:4])} ...).")
    apt = [*administrator, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    try:
        run_logged([*apt, "update"])
        run_logged([*apt, "install", "-y", "--no-install-recommends", *available(missing)])
    except Trouble as trouble:
        say(f"{trouble}\nGoing on without them; the window may not start.")


def missing_packages(more: tuple[str, ...] = ()) -> list[str]:
    """Return the required packages that are not installed under their old or new name."""
    wanted = [*QT_LIBRARIES, *more]
    if sys.base_prefix == "/usr":
        # The interpreter is the system's own: its venv and its headers are packages of their own.
        wanted += [f"python{version(sys.version_info)}-{part}" for part in ("venv", "dev")]
    if not shutil.which("cc"):
        wanted += ["gcc", "libc6-dev"]
    status = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout
    installed = {line.split()[0] for line in status.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if not installed & {name, f"{name}t64"}]


def available(names: list[str]) -> list[str]:
    """Return the names of the packages in this release: Debian 13 added `t64` to some."""
    answer = subprocess.run(
        ["apt-cache", "show", *(f"{name}t64" for name in names)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    ).stdout
    known = {line[9:] for line in answer.splitlines() if line.startswith("Package: ")}
    return [f"{name}t64" if f"{name}t64" in known else name for name in names]


def installing(names: list[str]) -> str:
    """Return the command with which an administrator installs these packages."""
    line = shlex.join(["apt-get", "install", "-y", *names])
    return f"sudo {line}" if shutil.which("sudo") else f"su - -c {shlex.quote(line)}"


def administrator_prefix() -> list[str] | None:
    """Return the prefix of a command that needs root; None without the right to use it."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        allowed = subprocess.run(["sudo", "-n", "true"], stderr=subprocess.DEVNULL, check=False)
        if allowed.returncode == 0:
            return ["sudo", "-n"]
    return None
