"""Packages that the set-up installs into the environment, and when."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

UV_PIN = "uv==0.1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n"
PIP = ("--disable-pip-version-check", "--no-compile")


def lock(environment, name):
    return str(environment.REQUIREMENTS / name)


@pytest.fixture(autouse=True)
def pip_has_an_index(locks, monkeypatch):
    """Let pip install, and return the function that would ask it."""
    asked = locks.pip_has_an_index
    monkeypatch.setattr(locks, "pip_has_an_index", lambda python: True)
    return asked


@pytest.fixture
def logged(environment, locks, monkeypatch):
    """Return what lets a function run the commands of the set-up."""

    def replace(run):
        for module in (locks, environment):
            monkeypatch.setattr(module, "run_logged", run)

    return replace


def test_nothing_is_installed_twice(environment, logged):
    environment.STAMP.write_text(
        json.dumps({"made_from": environment.fingerprint(), "extras": environment.FULL_EXTRAS})
    )
    logged(lambda command: pytest.fail("pip was called"))
    environment.install_project(light=False)
    environment.install_project(light=True)


@pytest.mark.parametrize(("light", "gigabytes"), [(True, 500), (False, 3)])
def test_torch_is_left_out_on_request_or_where_it_is_unavailable(
    environment, logged, monkeypatch, capsys, light, gigabytes
):
    commands = []
    logged(commands.append)
    monkeypatch.setattr(environment, "require_qt", lambda: None)
    monkeypatch.setattr(
        environment.shutil, "disk_usage", lambda path: SimpleNamespace(free=gigabytes * 10**9)
    )
    environment.install_project(light=light)
    assert [command[3:] for command in commands] == [
        [*("install", *PIP), "--require-hashes", "-r", lock(environment, "setup.txt")],
        ["install", *PIP, "--no-deps", "--no-build-isolation", "-e", "."],
    ]
    assert ("Only 3 GB are free here" in capsys.readouterr().out) is not light


def test_a_change_of_the_project_file_is_installed(environment, logged, monkeypatch):
    commands = []
    logged(commands.append)
    monkeypatch.setattr(environment, "require_qt", lambda: None)
    environment.install_project(light=True)
    environment.install_project(light=True)
    (environment.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    environment.install_project(light=True)
    assert len(commands) == 4


def test_pytorch_has_hashes_too_unless_the_pinned_one_is_forbidden(environment, logged, capsys):
    commands, forbidden = [], []

    def run(command):
        commands.append(command[6:])
        if forbidden and command[-1] == forbidden[0]:
            raise environment.Trouble("ResolutionImpossible")

    logged(run)
    environment.install_pins(True)
    assert commands == [["--require-hashes", "-r", lock(environment, "setup-neural.txt")]]
    forbidden.append(lock(environment, "setup-neural.txt"))
    environment.install_pins(True)
    assert commands[1:] == [
        ["--require-hashes", "-r", lock(environment, "setup-neural.txt")],
        ["--require-hashes", "-r", lock(environment, "setup.txt")],
        ["--no-build-isolation", "-e", ".[neural]"],
    ]
    assert "The pinned PyTorch cannot be installed here" in capsys.readouterr().out


def test_the_lock_s_own_uv_installs_the_lock_and_pip_where_it_fails(
    environment, locks, logged, monkeypatch, tmp_path
):
    commands, pins, broken = [], [], []
    work = tmp_path / "build" / "uv"

    def run(command):
        commands.append(command)
        if "--target" in command:
            pins.append((work / "uv.txt").read_text())
        if broken and command[0].startswith(str(work)):
            raise environment.Trouble("no route")

    found, python = tmp_path / "setup.txt", environment.python()
    found.write_text(f"urllib3==2 \\\n    --hash=sha256:cc\n{UV_PIN}    # via jurydesk\nzict==3\n")
    logged(run)
    monkeypatch.setattr(locks, "PINS_OF_UV", found)
    monkeypatch.setattr(locks, "pip_has_an_index", lambda python: False)
    locks.install_lock(python, found, work)
    hashes = ["--require-hashes", "-r"]
    target = ["--target", str(work)]
    pip = [python, "-m", "pip", "install", *PIP]
    assert pins == [UV_PIN]
    assert commands[0] == [*pip, *target, *hashes, str(work / "uv.txt")]
    assert commands[1][1:5] == ["pip", "install", "--python", python]
    assert commands[1][-3:] == [*hashes, str(found)]
    assert len(commands) == 2
    assert not work.exists()
    broken.append(True)
    locks.install_lock(python, found, work)
    assert commands[-1] == [*pip, *hashes, str(found)]
    assert not work.exists()


@pytest.mark.parametrize(
    ("setting", "forbids"),
    [
        ("global.index-url='https://mirror.example/simple'", True),
        (":env:.no-index='1'", True),
        ("user.proxy='proxy.example:3128'", True),
        ("global.extra-index-url='https://more.example'", False),
        ("", False),
    ],
)
def test_an_index_of_pip_s_settings_is_left_to_pip(
    locks, pip_has_an_index, monkeypatch, setting, forbids
):
    answer = SimpleNamespace(stdout=f"global.cert='/etc/ca'\n{setting}\n")
    monkeypatch.setattr(locks.subprocess, "run", lambda *_, **__: answer)
    assert pip_has_an_index("python") is forbids


def test_other_pins_are_installed(environment, monkeypatch, tmp_path):
    pins = tmp_path / "setup.txt"
    monkeypatch.setattr(environment, "REQUIREMENTS", tmp_path)
    pins.write_text("one==1\n")
    before = environment.fingerprint()
    pins.write_text("one==2\n")
    assert environment.fingerprint() != before


def test_what_was_installed_is_compiled_without_the_tests_of_libraries(environment, monkeypatch):
    packages = environment.VENV / "lib" / "python3.11" / "site-packages"
    (packages / "library" / "tests").mkdir(parents=True)
    for name in ("library/used.py", "library/tests/unused.py"):
        (packages / name).write_text("NUMBER = 1\n")
    (packages / "library" / "template.py").write_text("import {{ name }}\n")
    monkeypatch.setattr(environment, "python", lambda: sys.executable)
    environment.compile_packages()
    (compiled,) = packages.rglob("*.pyc")
    assert compiled.name.startswith("used.")


@pytest.mark.skipif(sys.platform == "win32", reason="Links need a privilege on Windows")
def test_tools_that_read_files_find_the_sources_by_their_import_names(environment, tmp_path):
    for folder in ("app", "core/api", "resources"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "core" / "api" / "__init__.py").write_text("NAME = 'jurydesk'\n")
    packages = environment.VENV / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    environment.link_packages()
    environment.link_packages()
    (tree,) = (packages / "jurydesk-sources.pth").read_text().splitlines()
    assert (Path(tree) / "jurydesk" / "__init__.py").read_text() == "NAME = 'jurydesk'\n"
    assert (Path(tree) / "jurydesk" / "core").resolve() == tmp_path / "core"
