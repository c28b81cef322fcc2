"""Models: what is expected of each role, where it goes, and what was found."""

from __future__ import annotations

import hashlib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from core.run.weights import ROLES


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


@pytest.fixture
def page(qtbot, window, monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    window.show_page("models")
    qtbot.waitUntil(lambda: len(window.page.rows) == len(ROLES))
    return window.page


def test_every_role_is_listed_with_what_is_expected_and_where_it_goes(page, tmp_path):
    assert page.finding.startswith(f"0 of {len(ROLES)} models are there.")
    shown = texts(page.rows["inception"])
    assert shown[:3] == ["Inception", "missing", "For Frechet distance of pictures."]
    assert f"Looked for in {tmp_path / 'home' / 'weights' / 'inception'}" in shown


def test_the_folder_of_a_role_is_made_and_opened(qtbot, page, opened, tmp_path):
    (button,) = page.rows["clip"].findChildren(QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    place = tmp_path / "home" / "weights" / "clip"
    assert opened == [str(place)]
    assert place.is_dir()


def test_a_model_that_was_put_there_is_found_and_hashed_on_request(qtbot, page, tmp_path):
    folder = tmp_path / "home" / "weights" / "fasttext"
    folder.mkdir(parents=True)
    (folder / "own.bin").write_bytes(b"vectors")
    page.look()
    qtbot.waitUntil(lambda: "found" in texts(page.rows["fasttext"]))
    assert f"{folder / 'own.bin'} (7 bytes)" in texts(page.rows["fasttext"])
    (button,) = page.rows["fasttext"].findChildren(QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    digest = hashlib.sha256(b"vectors").hexdigest()
    qtbot.waitUntil(lambda: f"own.bin: SHA-256 {digest[:16]}…" in texts(page.rows["fasttext"]))
    assert digest in page.copied(headers=True)
