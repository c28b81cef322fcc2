"""Content of a package, and its manifest."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parent.parent.parent / "packaging"
VERSION = PACKAGING.parent / "core" / "version.py"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"packaging_{name}", PACKAGING / "bundle" / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def build() -> ModuleType:
    return script("build")


def test_a_package_is_built_from_sources_only(build, tmp_path, monkeypatch):
    project = tmp_path / "project"
    for name in ("app", "core", "resources/icons", "resources/screenshots"):
        (project / name).mkdir(parents=True)
    for name in build.SOURCES[3:]:
        (project / name).write_text("")
    names = ("core/a.py", "core/_b.pyx", "core/_b.c", "core/_b.so", "resources/screenshots/s.png")
    for name in names:
        (project / name).write_text("")
    monkeypatch.setattr(build, "PROJECT", project)
    build.copy_sources(tmp_path / "copy")
    copied = {p.relative_to(tmp_path / "copy").as_posix() for p in tmp_path.glob("copy/**/*.*")}
    assert copied == {"core/a.py", "core/_b.pyx", *build.SOURCES[3:]}


def test_the_manifest_has_the_hash_of_every_file(build, tmp_path, monkeypatch):
    folder = tmp_path / "jurydesk"
    (folder / "_internal").mkdir(parents=True)
    (folder / "jurydesk").write_bytes(b"program")
    (folder / "_internal" / "data").write_bytes(b"data")
    monkeypatch.setattr(build, "installed", lambda python: ["numpy==2.4.6"])
    build.write_manifest(folder, "desk", Path(sys.executable))
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["files"] == {
        "_internal/data": hashlib.sha256(b"data").hexdigest(),
        "jurydesk": hashlib.sha256(b"program").hexdigest(),
    }
    assert f'__version__ = "{manifest["version"]}"' in VERSION.read_text("utf-8")
    assert (manifest["flavour"], manifest["requirements"]) == ("desk", ["numpy==2.4.6"])


def test_a_failed_step_ends_the_build(build):
    with pytest.raises(SystemExit, match=r"This step failed \(3\)"):
        build.run(sys.executable, "-c", "raise SystemExit(3)")


def test_the_catalogue_is_checked_before_anything_is_made_from_the_program(
    build, tmp_path, monkeypatch
):
    steps: list[list[str]] = []
    monkeypatch.setattr(build, "run", lambda *command, **_: steps.append([*map(str, command)]))
    build.install_and_make_index(Path("python"), tmp_path, tmp_path / "english.index")
    assert steps[1][1:] == [str(PACKAGING / "extract_messages.py"), "--check"]
    assert len(steps) == 3


def test_the_licences_name_every_package_and_contain_their_texts(tmp_path, capsys):
    script("collect_licences").main(tmp_path / "licences")
    table = (tmp_path / "licences" / "README.md").read_text("utf-8")
    for name in ("numpy", "pyside6", "rapidfuzz", "pymorphy3-dicts-ru"):
        assert f"| {name} | {importlib.metadata.version(name)} | " in table
    assert "| pyinstaller |" not in table
    assert "| polars |" not in table
    assert list((tmp_path / "licences" / "numpy").iterdir())
    wordnet = (tmp_path / "licences" / "COPYING.WORDNET").read_text("latin-1")
    assert "Princeton University" in wordnet
    assert (tmp_path / "licences" / "METEOR.md").is_file()
    assert "Apache License" in (tmp_path / "licences" / "LICENSE").read_text("utf-8")
    assert "METEOR" in (tmp_path / "licences" / "NOTICE").read_text("utf-8")
