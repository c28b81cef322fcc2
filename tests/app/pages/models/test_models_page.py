"""Models page: expected files of each role, their folders, and what was found."""

from __future__ import annotations

import hashlib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QScrollArea

from jurydesk.app.style.theme import theme
from jurydesk.core.neural.weights.weight_roles import ROLES, chosen_paths, require_weights
from support.oracles import oracle


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


def press(qtbot, row, text):
    button = next(one for one in row.findChildren(QPushButton) if one.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def choosing(monkeypatch):
    """Return a function that answers the next file dialog."""

    def answer(path):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (str(path), ""))

    return answer


@pytest.fixture
def page(qtbot, window, monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    window.show_page("models")
    qtbot.waitUntil(lambda: len(window.page.rows) == len(ROLES))
    return window.page


def test_every_role_is_listed_with_what_is_expected_and_where_it_goes(page, tmp_path):
    assert page.finding.startswith(f"0 of {len(ROLES)} models found.")
    shown = texts(page.rows["inception"])
    unlocks = "FID, KID, precision, recall, density, coverage; FusionBrain's generation"
    assert shown[:3] == ["Inception", "missing", f"For {unlocks}."]
    source = "releases of mseitzer/pytorch-fid on GitHub, Apache 2.0, 96 MB"
    assert f"Source: {source}." in shown
    assert "They have not run on this machine." in shown
    assert f"Looked for in {tmp_path / 'home' / 'weights' / 'inception'}" in shown


def test_the_folder_of_a_role_is_created_and_opened(qtbot, page, opened, tmp_path):
    press(qtbot, page.rows["clip"], "Open folder")
    place = tmp_path / "home" / "weights" / "clip"
    assert opened == [str(place)]
    assert place.is_dir()


def test_a_model_in_its_folder_is_found_and_hashed_on_request(qtbot, page, tmp_path):
    folder = tmp_path / "home" / "weights" / "fasttext"
    folder.mkdir(parents=True)
    (folder / "own.bin").write_bytes(b"vectors")
    page.search_models()
    qtbot.waitUntil(lambda: "found" in texts(page.rows["fasttext"]))
    assert f"{folder / 'own.bin'} (7 bytes)" in texts(page.rows["fasttext"])
    press(qtbot, page.rows["fasttext"], "Compute hash")
    digest = hashlib.sha256(b"vectors").hexdigest()
    qtbot.waitUntil(lambda: f"own.bin: SHA-256 {digest[:16]}…" in texts(page.rows["fasttext"]))
    assert digest in page.selection_text(headers=True)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_long_name_does_not_widen_the_page(qtbot, window, page, tmp_path):
    folder = tmp_path / "home" / "weights" / "fasttext"
    folder.mkdir(parents=True)
    (folder / f"{'a_long_name_' * 12}.bin").write_bytes(b"vectors")
    theme().set_zoom(1.5)
    window.resize(640, 480)
    page.search_models()
    qtbot.waitUntil(lambda: "found" in texts(page.rows["fasttext"]))
    areas = [one for one in page.findChildren(QScrollArea) if one.isAncestorOf(page.card)]
    qtbot.waitUntil(
        lambda: [area.verticalScrollBar().maximum() > 0 for area in areas].count(True) == 1
    )
    qtbot.waitUntil(lambda: not any(area.horizontalScrollBar().maximum() for area in areas))


WORDNET = oracle("fusionbrain/shared_toy_ruwordnet.db")


def test_a_file_is_chosen_checked_hashed_and_used_until_it_is_forgotten(qtbot, page, choosing):
    choosing(WORDNET)
    press(qtbot, page.rows["ruwordnet"], "Choose …")
    qtbot.waitUntil(lambda: "chosen" in texts(page.rows["ruwordnet"]))
    digest = hashlib.sha256(WORDNET.read_bytes()).hexdigest()
    assert f"{WORDNET.name}: SHA-256 {digest[:16]}…" in texts(page.rows["ruwordnet"])
    assert require_weights("ruwordnet", {}).path == WORDNET
    press(qtbot, page.rows["ruwordnet"], "Forget")
    qtbot.waitUntil(lambda: "missing" in texts(page.rows["ruwordnet"]))


def test_forgetting_a_file_is_undone_and_redone(qtbot, window, page, choosing):
    choosing(WORDNET)
    press(qtbot, page.rows["ruwordnet"], "Choose …")
    qtbot.waitUntil(lambda: "chosen" in texts(page.rows["ruwordnet"]))
    press(qtbot, page.rows["ruwordnet"], "Forget")
    qtbot.waitUntil(lambda: "missing" in texts(page.rows["ruwordnet"]))
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "chosen" in texts(page.rows["ruwordnet"]))
    assert chosen_paths() == {"ruwordnet": WORDNET}
    qtbot.keyClick(
        window,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: "missing" in texts(page.rows["ruwordnet"]))
    assert chosen_paths() == {}


def test_ctrl_z_restores_the_choice_that_another_file_replaced(
    qtbot, window, page, choosing, tmp_path
):
    other = tmp_path / "other.db"
    other.write_bytes(WORDNET.read_bytes())
    for path in (WORDNET, other):
        choosing(path)
        press(qtbot, page.rows["ruwordnet"], "Choose …")
        qtbot.waitUntil(lambda path=path: chosen_paths() == {"ruwordnet": path})
        qtbot.waitUntil(lambda: window.jobs.idle and page.frames.is_empty)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: chosen_paths() == {"ruwordnet": WORDNET})
    qtbot.waitUntil(lambda: window.jobs.idle)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: chosen_paths() == {})


def test_an_unusable_file_is_rejected_with_a_reason_in_its_row(qtbot, page, choosing, tmp_path):
    (tmp_path / "words.db").write_bytes(b"no database")
    choosing(tmp_path / "words.db")
    press(qtbot, page.rows["ruwordnet"], "Choose …")
    sentence = f"RuWordNet: {tmp_path / 'words.db'} is no SQLite database"
    qtbot.waitUntil(
        lambda: any(text.startswith(sentence) for text in texts(page.rows["ruwordnet"])),
    )
    assert "missing" in texts(page.rows["ruwordnet"])


def test_cancelling_the_dialog_changes_nothing(qtbot, page, choosing):
    choosing("")
    press(qtbot, page.rows["ruwordnet"], "Choose …")
    assert page.rows["ruwordnet"].choose.isEnabled()
    assert page.unusable == {}


def test_a_pytorch_file_is_converted_beside_it(qtbot, page, tmp_path):
    torch = pytest.importorskip("torch")
    folder = tmp_path / "home" / "weights" / "ruclip"
    folder.mkdir(parents=True)
    for name in ("config.json", "bpe.model"):
        (folder / name).write_text("{}")
    torch.save({"a": torch.ones(2)}, folder / "pytorch_model.bin")
    page.search_models()
    qtbot.waitUntil(lambda: "found" in texts(page.rows["ruclip"]))
    press(qtbot, page.rows["ruclip"], "Convert")
    qtbot.waitUntil(lambda: (folder / "model.safetensors").is_file(), timeout=60_000)
