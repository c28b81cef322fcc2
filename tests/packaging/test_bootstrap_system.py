"""System packages that the set-up requests."""

from __future__ import annotations

import subprocess

DPKG = "libgl1 installed\nlibegl1 not-installed\nlibglib2.0-0t64 installed\n"
APT = "Package: libasound2t64\nVersion: 1.2\n\nPackage: libasound2t64\nVersion: 1.1\n"


def test_missing_packages_are_looked_up_under_both_names(system, monkeypatch):
    monkeypatch.setattr(
        system.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, DPKG)
    )
    missing = system.missing_packages()
    assert "libegl1" in missing
    assert not {"libgl1", "libglib2.0-0"} & set(missing)


def test_packages_are_requested_by_the_name_of_this_release(system, monkeypatch):
    monkeypatch.setattr(
        system.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, APT)
    )
    assert system.available(["libasound2", "libgl1"]) == ["libasound2t64", "libgl1"]


def test_without_permission_to_install_the_exact_command_is_printed(system, monkeypatch, capsys):
    monkeypatch.setattr(system.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system, "missing_packages", lambda more: ["libegl1", "libxcb-cursor0"])
    monkeypatch.setattr(system, "available", list)
    monkeypatch.setattr(system, "administrator_prefix", lambda: None)
    system.install_system_packages()
    assert "  sudo apt-get install -y libegl1 libxcb-cursor0\n" in capsys.readouterr().out
    monkeypatch.setattr(system.shutil, "which", lambda name: name != "sudo")
    system.install_system_packages()
    assert "  su - -c 'apt-get install -y libegl1 libxcb-cursor0'\n" in capsys.readouterr().out


def test_only_packaging_needs_a_display_server(system, monkeypatch):
    monkeypatch.setattr(
        system.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, DPKG)
    )
    assert "xvfb" not in system.missing_packages()
    assert "xvfb" in system.missing_packages(system.PACKAGING_PACKAGES)
