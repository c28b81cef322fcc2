"""Plug-ins that end the program, print, or have damaged metadata are contained and reported."""

from __future__ import annotations

import pytest

from jurydesk.core.competition.plug_ins import PlugInError, entry_points_of, load_plug_in
from jurydesk.core.competition.task_registry import ENTRY_POINTS, registry
from support.plug_ins.installation import plug_in


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a module with this code as the plug-in `odd`, and return the registry."""

    def install(code: str):
        folder = plug_in(tmp_path / "site", "odd", "jurydesk_odd:TASK")
        (folder / "jurydesk_odd.py").write_text(code)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(__import__("sys").modules, "jurydesk_odd", raising=False)
        registry.cache_clear()
        return folder

    yield install
    registry.cache_clear()


def test_a_plug_in_that_exits_is_broken_and_ends_nothing(installed):
    installed("import sys\nsys.exit(5)")
    (broken,) = registry().broken
    assert (broken.name, broken.error) == (
        "odd",
        "PlugInError: it ends the program at import (code 5)",
    )
    assert "vist" in registry().tasks
    (entry,) = (one for one in entry_points_of(ENTRY_POINTS)[0] if one.name == "odd")
    with pytest.raises(PlugInError):
        load_plug_in(entry)


def test_what_a_plug_in_prints_at_import_goes_to_standard_error(installed, capsys):
    installed("print('hello')\nfrom support.toy import TASK")
    assert "toy" in registry().tasks
    assert capsys.readouterr() == ("", "hello\n")


def test_damaged_metadata_of_a_package_are_reported_and_hide_no_other_plug_in(installed):
    folder = installed("from support.toy import TASK")
    other = folder / "strange-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text("no section = x\n[a]\nwithout equals\n= = =\n")
    entries, damaged = entry_points_of(ENTRY_POINTS)
    assert "odd" in {one.name for one in entries}
    assert {name for name, _ in damaged} <= {"strange"}
    registry.cache_clear()
    assert "toy" in registry().tasks
    assert {one.name for one in registry().broken} == {name for name, _ in damaged}
