"""Release: its workflow calls scripts that exist, with options that they have; its files."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
TAG = "$GITHUB_REF_NAME"


def steps(path: Path) -> list[dict[str, object]]:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


def script_commands() -> list[list[str]]:
    lines = (str(step.get("run", "")) for step in steps(RELEASE))
    return [shlex.split(line) for line in lines if "packaging/" in line]


def test_no_expression_is_a_part_of_a_script():
    scripts = [str(step.get("run", "")) for path in WORKFLOWS for step in steps(path)]
    assert any(TAG in one for one in scripts)
    assert [one for one in scripts if "${{ github." in one] == []


def load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def release_files() -> ModuleType:
    return load("packaging/bundle/release_files.py")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a folder like a built one, of three files."""
    folder = tmp_path / "dist" / "jurydesk"
    for name in ("jurydesk", "install.sh", "_internal/data", "share/applications/jurydesk.desktop"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    manifest = {
        "program": "jurydesk",
        "version": "1.2.3",
        "flavour": "desk",
        "platform": "Linux x86_64",
        "python": "3.11.7",
        "requirements": ["numpy==2.4.6", "lxml==6.0.2"],
        "files": dict.fromkeys(("jurydesk", "install.sh", "_internal/data"), "0" * 64),
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def test_every_step_of_the_release_is_a_script_with_these_options():
    found = script_commands()
    assert len(found) >= 10
    for interpreter, script, *words in found:
        assert (ROOT / script).is_file(), script
        if interpreter == "sh":
            continue
        inner = [word for word in words if re.fullmatch("[a-z]+", word)][:1]
        helps = [[], inner] if script.endswith("release_files.py") else [[]]
        said = "".join(
            subprocess.run(
                [sys.executable, ROOT / script, *more, "--help"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for more in helps
        )
        for word in words:
            if word.startswith("--") or word in inner:
                assert word in said, (script, word)


def test_what_a_workflow_installs_is_pinned():
    lines = [str(step.get("run", "")) for path in WORKFLOWS for step in steps(path)]
    words = [
        shlex.split(line.partition("pip install")[2]) for line in lines if "pip install" in line
    ]
    assert words
    assert [one for one in words for word in one if "==" not in word] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_named_by_their_commits(path):
    used = [str(step["uses"]) for step in steps(path) if "uses" in step]
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one)] == []


def test_the_tag_is_the_version_of_the_sources(release_files, capsys):
    version = release_files.require_tag(f"v{load('core/version.py').__version__}")
    assert release_files.main(["tag", f"v{version}"]) == 0
    assert release_files.main(["tag", "v99.0"]) == 1
    assert capsys.readouterr().err == f"The tag is v99.0, but core/version.py has {version}.\n"


def test_the_text_of_a_release_is_the_entry_of_the_changelog(release_files, tmp_path, monkeypatch):
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 2.0 (2026-12-01)\n\nNew.\n\n### Added\n\n- This.\n\n## 1.0\n\n- Old.\n"
    )
    monkeypatch.setattr(release_files, "PROJECT", tmp_path)
    assert release_files.changes("2.0") == "New.\n\n### Added\n\n- This.\n"
    assert release_files.changes("1.0") == "- Old.\n"
    with pytest.raises(ValueError, match=r"CHANGELOG.md has no entry for 3\.0"):
        release_files.changes("3.0")


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("Linux", "x86_64", "linux-x86_64"),
        ("Linux", "aarch64", "linux-arm64"),
        ("Windows", "AMD64", "windows-x86_64"),
        ("Darwin", "arm64", "macos-arm64"),
        ("Darwin", "x86_64", "macos-x86_64"),
    ],
)
def test_archives_are_named_as_the_workflow_names_its_systems(release_files, system, machine, name):
    assert release_files.system_name(system, machine) == name
    assert f"name: {name} }}" in RELEASE.read_text()


def test_the_files_of_two_systems_have_different_names():
    image = (ROOT / "packaging/macos/make-image.sh").read_text()
    assert "-desk-macos-$(uname -m).dmg" in image
    installer = (ROOT / "packaging/windows/jurydesk.iss").read_text()
    (name,) = re.findall(r"OutputBaseFilename=jurydesk-\{#Version\}(\S+)", installer)
    assert f"{name}.exe" in (ROOT / "packaging/windows/make_installer.py").read_text()


def test_the_version_of_the_sources_has_an_entry(release_files):
    assert release_files.changes(load("core/version.py").__version__)


def test_checksums_are_those_of_sha256sum(release_files, tmp_path):
    for name in ("b.tar.xz", "a.deb"):
        (tmp_path / name).write_text(name)
    sums = release_files.write_checksums(tmp_path)
    expected = [
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ("a.deb", "b.tar.xz")
    ]
    assert sums.read_text().splitlines() == expected
    assert release_files.write_checksums(tmp_path).read_text().splitlines() == expected


def test_the_bill_of_materials_names_every_package_with_its_version(release_files, built):
    path = release_files.write_components(built)
    assert path.name == "jurydesk-1.2.3-desk-linux-x86_64.cdx.json"
    document = json.loads(path.read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    assert [one["purl"] for one in document["components"]] == [
        "pkg:generic/python@3.11.7",
        "pkg:pypi/numpy@2.4.6",
        "pkg:pypi/lxml@6.0.2",
    ]


def test_an_archive_holds_the_folder_in_order_of_names_and_tells_nobody_who_built_it(
    built, tmp_path
):
    target = tmp_path / "program.tar.xz"
    load("packaging/bundle/compression.py").archive_folder(built, target)
    with tarfile.open(target) as archive:
        members = archive.getmembers()
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert {(one.uid, one.gid, one.uname, one.gname) for one in members} == {(0, 0, "root", "root")}
    assert [one.name for one in members] == sorted(one.name for one in members)
    for path in built.rglob("*"):
        copy = tmp_path / "unpacked" / built.name / path.relative_to(built)
        assert path.is_dir() or copy.read_bytes() == path.read_bytes()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not installed")
def test_a_debian_package_has_program_menu_entry_and_licence(built, tmp_path):
    script = ROOT / "packaging" / "linux" / "make_deb.py"
    done = subprocess.run(
        [sys.executable, script, built], capture_output=True, text=True, check=True
    )
    package = Path(done.stdout.strip())
    assert package.name == "jurydesk_1.2.3_amd64.deb"
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {line.split()[1] for line in listed} == {"root/root"}
    files = {line.split()[5] for line in listed if not line.startswith("d")}
    assert files == {
        "./usr/bin/jurydesk",
        "./usr/lib/jurydesk/_internal/data",
        "./usr/lib/jurydesk/jurydesk",
        "./usr/lib/jurydesk/manifest.json",
        "./usr/share/applications/jurydesk.desktop",
        "./usr/share/doc/jurydesk/copyright",
    }
    subprocess.run(["dpkg-deb", "--extract", package, tmp_path / "root"], check=True)
    manifest = json.loads((tmp_path / "root/usr/lib/jurydesk/manifest.json").read_text())
    assert [*manifest["files"]] == ["jurydesk", "_internal/data"]  # what the self-test looks for
    control = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout
    assert "Version: 1.2.3\nArchitecture: amd64\n" in control
    assert "libasound2 | libasound2t64" in control


class TestSigning:
    @pytest.fixture
    def sign(self) -> ModuleType:
        return load("packaging/bundle/sign.py")

    def test_a_bundle_without_an_identity_is_sealed_alone(self, sign, monkeypatch):
        monkeypatch.setattr(sign.sys, "platform", "darwin")
        (command,) = sign.commands(Path("Jurydesk.app"), "", "")
        assert command[0] == "codesign"
        assert command[-3:] == ["--sign", "-", "Jurydesk.app"]

    def test_a_bundle_with_an_identity_goes_to_the_notary(self, sign, monkeypatch):
        monkeypatch.setattr(sign.sys, "platform", "darwin")
        found = sign.commands(Path("Jurydesk.app"), "Developer ID", "profile")
        assert [one[0] for one in found] == ["codesign", "ditto", "xcrun", "rm", "xcrun"]
        assert found[0][-4:] == ["--sign", "Developer ID", "--timestamp", "Jurydesk.app"]

    def test_windows_signs_only_with_an_identity(self, sign, monkeypatch):
        monkeypatch.setattr(sign.sys, "platform", "win32")
        assert sign.commands(Path("a.exe"), "", "") == []
        ((program, *_, last),) = sign.commands(Path("a.exe"), "AB12", "")
        assert (program, last) == ("signtool", "a.exe")

    def test_the_manifest_is_in_the_bundle_before_it_is_sealed(self, sign, built):
        resources = built.parent / "Jurydesk.app" / "Contents" / "Resources"
        resources.mkdir(parents=True)
        sign.add_manifest(built.parent / "Jurydesk.app")
        assert (resources / "manifest.json").read_text() == (built / "manifest.json").read_text()

    def test_the_entitlements_let_the_web_engine_compile(self, sign):
        import plistlib

        allowed = plistlib.loads(sign.ENTITLEMENTS.read_bytes())
        assert allowed["com.apple.security.cs.allow-jit"] is True
