"""Scripts that add the packaged program to a Linux desktop's menu and remove it."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent.parent
LINUX = ROOT / "packaging" / "linux"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a Linux desktop")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / ".local" / "share" / "jurydesk" / "weights").mkdir(parents=True)
    (folder / ".local" / "share" / "jurydesk" / "weights" / "mine.bin").write_bytes(b"mine")
    (folder / ".cache" / "jurydesk").mkdir(parents=True)
    (folder / ".cache" / "jurydesk" / "made.index").write_bytes(b"made")
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a read-only package in a folder whose name has all special characters."""
    folder = tmp_path / 'Суд & "desk" 100 % $HOME'
    shutil.copytree(LINUX, folder)
    icons = folder / "share" / "icons" / "hicolor" / "32x32" / "apps"
    icons.mkdir(parents=True)
    (icons / "jurydesk.png").write_bytes(b"icon")
    (folder / "jurydesk").write_text("#!/bin/sh\necho started\n")
    (folder / "jurydesk").chmod(0o755)
    subprocess.run(["chmod", "-R", "a-w", str(folder)], check=True)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)


def run(script: Path, home: Path) -> None:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run(["sh", str(script)], env=environment, check=True, capture_output=True)


def files(home: Path) -> list[str]:
    return sorted(p.relative_to(home).as_posix() for p in home.rglob("*") if not p.is_dir())


def test_installing_adds_a_menu_entry_file_types_icons_and_a_command(program, home):
    run(program / "install.sh", home)
    share = home / ".local" / "share"
    assert (share / "mime" / "packages" / "jurydesk.xml").is_file()
    assert (share / "icons" / "hicolor" / "32x32" / "apps" / "jurydesk.png").is_file()
    command = home / ".local" / "bin" / "jurydesk"
    assert subprocess.check_output([command], text=True) == "started\n"


def test_the_menu_entry_starts_the_program_whatever_the_name_of_its_folder(program, home):
    run(program / "install.sh", home)
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(home / ".local" / "share" / "applications" / "jurydesk.desktop", "utf-8")
    said = entry["Desktop Entry"]["Exec"]
    assert said.endswith('" %f')
    quoted = said.removesuffix(" %f")[1:-1].replace("\\\\", "\\")  # the escapes of every value
    marked = quoted.replace("%%", "%")
    assert marked == str(program / "jurydesk").replace('"', '\\"').replace("$", "\\$")


def test_a_plain_place_is_not_quoted_for_xdg_open(program, home, tmp_path):
    plain = Path("/tmp") / f"jurydesk-{os.getpid()}"
    shutil.copytree(program, plain)
    try:
        run(plain / "install.sh", home)
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(plain)], check=True)
        shutil.rmtree(plain)
    lines = (home / ".local/share/applications/jurydesk.desktop").read_text().splitlines()
    assert f"Exec={plain}/jurydesk %f" in lines


def test_uninstalling_leaves_only_the_user_s_files(program, home):
    before = files(home)
    run(program / "install.sh", home)
    assert len(files(home)) > len(before)
    run(program / "uninstall.sh", home)
    assert files(home) == [".local/share/jurydesk/weights/mine.bin"]


def test_uninstalling_does_not_change_other_programs(program, home):
    share = home / ".local" / "share"
    others = (
        share / "applications" / "other.desktop",
        share / "mime" / "packages" / "other.xml",
        share / "icons" / "hicolor" / "32x32" / "apps" / "other.png",
        home / ".local" / "bin" / "other",
    )
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<mime-info/>" if path.suffix == ".xml" else "")
    run(program / "install.sh", home)
    run(program / "uninstall.sh", home)
    assert all(path.is_file() for path in others)
    assert not any("jurydesk." in name for name in files(home))


def test_installing_twice_changes_nothing(program, home):
    run(program / "install.sh", home)
    once = files(home)
    run(program / "install.sh", home)
    assert files(home) == once


def test_the_menu_entry_opens_both_registered_file_types():
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(LINUX / "share" / "applications" / "jurydesk.desktop")
    opened = set(filter(None, entry["Desktop Entry"]["MimeType"].split(";")))
    types = ElementTree.parse(LINUX / "share" / "mime" / "packages" / "jurydesk.xml").getroot()
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert {one.get("type") for one in types} == opened
    patterns = {glob.get("pattern") for glob in types.iterfind("m:mime-type/m:glob", space)}
    assert patterns == {"*.jurydesk", "*.jurypacket"}
