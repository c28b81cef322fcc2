"""Settings are kept after a restart; damaged ones have their defaults."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray

from jurydesk.app.state.settings import RECENT_DESKS, Settings


def again(settings: Settings, tmp_path: Path) -> Settings:
    settings.save()
    return Settings(tmp_path / "settings" / "window.ini")


def test_every_kind_of_value_is_kept(settings, tmp_path):
    settings.keep("theme", "dark")
    settings.keep("zoom", 1.25)
    settings.keep("columns/toy", ["listed"])
    settings.keep("columns/none", [])
    settings.keep("geometry", QByteArray(b"\x00\x01"))
    kept = again(settings, tmp_path)
    assert kept.text("theme") == "dark"
    assert kept.number("zoom", 1.0) == 1.25
    assert kept.texts("columns/toy") == ["listed"]
    assert kept.texts("columns/none") == []
    assert kept.blob("geometry") == QByteArray(b"\x00\x01")


def test_damaged_values_have_their_defaults(settings):
    settings.keep("zoom", "much")
    settings.keep("recent", '["a", 3')
    assert settings.number("zoom", 1.0) == 1.0
    assert settings.texts("recent") == []
    assert settings.blob("geometry").isEmpty()


def test_recent_desks_are_few_and_exist(settings, tmp_path):
    paths = [tmp_path / f"{n}.jurydesk" for n in range(RECENT_DESKS + 2)]
    for path in paths:
        path.touch()
        settings.add_recent(path)
    assert settings.recent() == paths[:1:-1]
    paths[-1].unlink()
    assert settings.recent() == paths[-2:1:-1]
    settings.add_recent(paths[2])
    assert settings.recent()[0] == paths[2]


def test_folders_are_remembered_by_purpose(settings, tmp_path):
    assert settings.folder("open") == Path.home()
    settings.keep_folder("open", tmp_path / "file.txt")
    assert settings.folder("open") == tmp_path
    assert settings.folder("save") == tmp_path
    (tmp_path / "saved").mkdir()
    settings.keep_folder("save", tmp_path / "saved")
    assert settings.folder("save") == tmp_path / "saved"
