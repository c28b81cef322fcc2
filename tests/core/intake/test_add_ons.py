"""Add-ons: which wheels are taken, whole or not at all, and how they are removed."""

from __future__ import annotations

import hashlib
import sys

import pytest

from jurydesk.core.execution.run import Cancelled
from jurydesk.core.intake import add_ons as module
from jurydesk.core.intake.add_ons import AddOnError, install, installed, listed_wheels, remove
from jurydesk.core.system import add_ons as places
from jurydesk.core.system.add_ons import activate_add_ons, add_ons_folder
from support.plug_ins.wheels import make_wheel

TRIED = module._tried
TASKS = "[jurydesk.tasks]\nnumbers = thing:TASK\n[console_scripts]\nthing = thing:main\n"


def nothing() -> None:
    return


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(module, "_tried", lambda folder, check: "")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a plug-in and the wheel that it needs."""
    place = tmp_path / "wheels"
    place.mkdir()
    make_wheel(place, {"thing/__init__.py": "TASK = 1\n"}, entry_points=TASKS)
    make_wheel(place, {"needed.py": ""}, name="needed")
    return place


@pytest.fixture
def neural(tmp_path, monkeypatch):
    """Return a folder with the only wheel that the program's list has."""
    place = tmp_path / "neural"
    place.mkdir()
    wheel = make_wheel(place, {"torch/__init__.py": ""}, name="torch")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(module, "listed_wheels", lambda: {digest: "torch"})
    return place


def left() -> list[str]:
    return sorted(one.name for one in add_ons_folder().iterdir() if one.name != ".lock")


def test_a_plug_in_is_installed_with_what_it_needs_and_removed(folder):
    made = install(folder, nothing, trusted=True)
    assert (made.name, made.packages) == ("thing", ("needed 1.0", "thing 1.0"))
    assert made.brings == (("tasks", ("numbers",)),)
    assert installed() == [made]
    remove("thing", nothing)
    assert installed() == []
    assert left() == []


def test_a_plug_in_needs_the_users_trust(folder):
    with pytest.raises(AddOnError, match="thing is a plug-in, whose code may do all that you may"):
        install(folder, nothing, trusted=False)
    assert installed() == []


def test_listed_wheels_are_the_neural_add_on(neural):
    assert install(neural, nothing, trusted=False).name == "neural"


@pytest.mark.parametrize("trusted", [False, True])
def test_a_wheel_with_another_hash_is_refused(neural, trusted):
    make_wheel(neural, {"torch/__init__.py": "changed = 1\n"}, name="torch")
    with pytest.raises(
        AddOnError, match="neither a plug-in nor, by its hash, a wheel of the neural"
    ):
        install(neural, nothing, trusted=trusted)
    assert installed() == []


def test_a_listed_hash_under_another_name_is_refused(neural, monkeypatch):
    (wheel,) = neural.iterdir()
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    monkeypatch.setattr(module, "listed_wheels", lambda: {digest: "numpy"})
    with pytest.raises(AddOnError, match="neither a plug-in nor"):
        install(neural, nothing, trusted=False)


def test_the_list_of_the_program_names_pytorch_with_the_hashes_of_its_pins():
    names = set(listed_wheels().values())
    assert {"torch", "torchvision", "open-clip-torch", "transformers", "safetensors"} <= names
    assert names.isdisjoint({"numpy", "scipy", "pyside6", "triton"})
    assert all(len(digest) == 64 for digest in listed_wheels())


def test_what_does_not_work_is_not_installed(folder, monkeypatch):
    monkeypatch.setattr(module, "_tried", lambda folder, check: "ImportError: no libcudart.so.13")
    with pytest.raises(AddOnError, match=r"thing does not work here: ImportError: no libcudart"):
        install(folder, nothing, trusted=True)
    assert left() == []


def test_a_wheel_that_fails_leaves_nothing(folder):
    make_wheel(folder, {"../escaped.py": ""}, name="zealous")
    with pytest.raises(AddOnError, match="leads out of the archive"):
        install(folder, nothing, trusted=True)
    assert left() == []


def test_an_interrupted_installation_is_cleared_by_the_next(folder):
    unfinished = add_ons_folder() / ".thing.0123456789ab.tmp"
    unfinished.mkdir(parents=True)
    assert installed() == []
    install(folder, nothing, trusted=True)
    assert left() == ["thing"]


def test_an_add_on_is_not_installed_twice(folder):
    install(folder, nothing, trusted=True)
    with pytest.raises(AddOnError, match="thing is installed: remove it first"):
        install(folder, nothing, trusted=True)


def test_two_versions_of_a_package_are_refused(folder):
    make_wheel(folder, {}, name="needed", tags="py2.py3-none-any")
    with pytest.raises(AddOnError, match="has two wheels of needed"):
        install(folder, nothing, trusted=True)


def test_what_needs_more_than_the_disk_has_is_refused(folder, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 10)
    with pytest.raises(AddOnError, match=r"The add-on needs 0\.0 GiB; there is room for 0\.0 GiB"):
        install(folder, nothing, trusted=True)


def test_an_add_on_is_refused_where_it_would_be_lost(folder, monkeypatch):
    monkeypatch.setattr(module, "is_temporary_folder", lambda folder: True)
    with pytest.raises(AddOnError, match="an add-on would be lost"):
        install(folder, nothing, trusted=True)
    assert not add_ons_folder().exists()


def test_a_folder_without_wheels_is_named(tmp_path):
    with pytest.raises(AddOnError, match="has no wheels"):
        install(tmp_path, nothing, trusted=True)
    with pytest.raises(FileNotFoundError):
        install(tmp_path / "absent", nothing, trusted=True)


def test_a_folder_of_more_wheels_than_an_add_on_has_is_refused_unread(tmp_path):
    for number in range(200):
        (tmp_path / f"{number}.whl").touch()
    with pytest.raises(AddOnError, match=r"\.whl"):
        install(tmp_path, nothing, trusted=True)
    (tmp_path / "more.whl").touch()
    with pytest.raises(AddOnError, match="has more than 200 wheels"):
        install(tmp_path, nothing, trusted=True)


def test_a_name_that_is_a_path_removes_nothing(folder, tmp_path):
    install(folder, nothing, trusted=True)
    for name in ("../wheels", str(folder), ".", "", "other"):
        with pytest.raises(AddOnError, match="There is no add-on"):
            remove(name, nothing)
    assert len(list(folder.iterdir())) == 2
    assert left() == ["thing"]


def test_what_is_installed_is_named_where_a_name_is_unknown(folder):
    with pytest.raises(AddOnError) as raised:
        remove("other", nothing)
    assert str(raised.value) == 'There is no add-on "other"; installed: none.'
    install(folder, nothing, trusted=True)
    with pytest.raises(AddOnError) as raised:
        remove("other", nothing)
    assert str(raised.value) == 'There is no add-on "other"; installed: thing.'


@pytest.mark.parametrize("content", ["", "[]", "{", '{"name": 1}', '{"name": "x", "brings": 3}'])
def test_a_damaged_record_is_a_finding(folder, content):
    install(folder, nothing, trusted=True)
    (add_ons_folder() / "thing" / "add-on.json").write_text(content)
    (one,) = installed()
    assert one.name == "thing"
    assert one.trouble == "Its record is damaged: remove it, and add it again."
    remove("thing", nothing)


def test_files_that_are_cut_off_are_a_finding(folder):
    record = "thing/__init__.py,sha256=x,9\nthing-1.0.dist-info/RECORD,,\n../../up,sha256=x,3\n"
    members = {"thing/__init__.py": "TASK = 1\n", "thing-1.0.dist-info/RECORD": record}
    make_wheel(folder, members, entry_points=TASKS)
    install(folder, nothing, trusted=True)
    place = add_ons_folder() / "thing" / "thing" / "__init__.py"
    assert "__init__" not in installed()[0].trouble
    place.write_text("TASK")
    assert "cut off" in installed()[0].trouble
    assert "thing/__init__.py" in installed()[0].trouble


def test_modules_of_add_ons_come_after_all_others(folder, monkeypatch):
    make_wheel(folder, {"json.py": "raise SystemExit\n"}, name="zealous")
    install(folder, nothing, trusted=True)
    before = list(sys.path)
    monkeypatch.setattr(sys, "path", list(before))
    activate_add_ons()
    activate_add_ons()
    assert sys.path == [*before, str(add_ons_folder() / "thing")]


def test_links_and_files_among_the_add_ons_are_not_followed(folder, monkeypatch, tmp_path):
    install(folder, nothing, trusted=True)
    (add_ons_folder() / "stray.txt").write_text("")
    (add_ons_folder() / "link").symlink_to(tmp_path)
    assert [one.name for one in installed()] == ["thing"]


def test_trust_in_one_plug_in_installs_no_other(folder):
    make_wheel(folder, {"other.py": ""}, name="other", entry_points=TASKS)
    with pytest.raises(AddOnError, match="are several plug-ins: other, thing"):
        install(folder, nothing, trusted=True)
    assert installed() == []


def test_a_wheels_record_that_is_no_table_is_a_finding(folder):
    members = {"thing-1.0.dist-info/RECORD": '"' + "x" * 200_000}
    make_wheel(folder, members, entry_points=TASKS)
    install(folder, nothing, trusted=True)
    assert [one.trouble for one in installed()] == [
        "Its record is damaged: remove it, and add it again."
    ]


def test_add_ons_for_another_processor_are_not_seen(folder, monkeypatch):
    install(folder, nothing, trusted=True)
    monkeypatch.setattr(places, "EXTENSION_SUFFIXES", [".cpython-311-riscv64-linux-gnu.so"])
    assert installed() == []


def test_the_trial_of_an_add_on_ends_when_it_is_cancelled_or_takes_too_long(tmp_path, monkeypatch):
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    monkeypatch.setattr(module, "program_command", lambda: sleeper)
    with pytest.raises(Cancelled):
        TRIED(tmp_path, cancel)
    monkeypatch.setattr(module, "TRIAL_SECONDS", 0)
    assert TRIED(tmp_path, nothing) == "It takes longer than 0 s to load."


def cancel() -> None:
    raise Cancelled


def test_a_plug_in_is_tried_by_its_entries_and_another_add_on_by_its_modules(tmp_path, monkeypatch):
    tried, imported = [], []
    monkeypatch.setattr(module.sys, "path", [*module.sys.path])
    monkeypatch.setattr(module, "load_plug_in", lambda entry: tried.append(entry.name))
    monkeypatch.setattr(module.importlib, "import_module", imported.append)
    module.try_out(tmp_path)
    assert (tried, imported) == ([], list(module.MODULES))
    about = tmp_path / "thing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[other]\nx = a:B\n[jurydesk.tasks]\ny = a:C\n")
    module.try_out(tmp_path)
    assert (tried, len(imported)) == (["y"], len(module.MODULES))
