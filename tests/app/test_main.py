"""Entry point: a window, a desk in a window, or a command; never an abort."""

from __future__ import annotations

import sys

import pytest

from jurydesk.app.__main__ import main, wants_window
from jurydesk.app.startup.start import has_display
from support.processes.program import run

HEAVY = (
    "torch",
    "pandas",
    "scipy",
    "polars",
    "lxml",
    "pyqtgraph",
    "nltk",
    "numpy",
    "PySide6.QtWebEngineCore",
)

FIRST_WINDOW = """
import sys
from PySide6.QtCore import QTimer
import jurydesk.app.startup.start
from jurydesk.app.startup.first_paint import StartupSequence
from jurydesk.app.window.page_stack import PageStack
seen, settle = [], PageStack.settle
def settle_first(self):  # jobs that it starts import more
    seen.extend(name for name in {heavy!r} if name in sys.modules)
    settle(self)
PageStack.settle = settle_first
StartupSequence.go_on = lambda self: self._window.close()
code = jurydesk.app.startup.start.start([])
print("heavy:", seen)
raise SystemExit(code)
"""


def test_nothing_heavy_is_imported_before_the_first_window(tmp_path):
    done = run(tmp_path, "-c", FIRST_WINDOW.format(heavy=HEAVY))
    assert done.stdout.strip() == "heavy: []", done.stderr
    assert done.returncode == 0


SOURCES_READ = """
import inspect
from jurydesk.app.startup import start
read, getsource = [], inspect.getsource
inspect.getsource = lambda module: read.append(module.__name__) or getsource(module)
def show(window_type, *arguments, **more):
    class Closed(window_type):
        def paintEvent(self, event):
            super().paintEvent(event)
            self.close()
    return shown(Closed, *arguments, **more)
shown, start._show = start._show, show
code = start.start([])
print([name for name in read if name.startswith("jurydesk")])
raise SystemExit(code)
"""


def test_pyside_reads_no_source_of_the_program(tmp_path):
    done = run(tmp_path, "-c", SOURCES_READ)
    assert done.stdout.strip() == "[]", done.stderr
    assert done.returncode == 0


def test_a_missing_display_is_reported_with_exit_code_2(tmp_path):
    done = run(tmp_path, "-m", "jurydesk", QT_QPA_PLATFORM="")
    assert done.returncode == 2
    assert done.stderr.startswith("There is no display to open a window on.")


def test_a_command_needs_neither_a_display_nor_qt(tmp_path):
    code = (
        "import sys; from jurydesk.app.__main__ import main; code = main(['--help']); "
        "print('PySide6' in sys.modules); raise SystemExit(code)"
    )
    done = run(tmp_path, "-c", code, QT_QPA_PLATFORM="")
    assert done.stdout.splitlines()[-1] == "False", done.stderr
    assert done.returncode == 0


def test_the_command_line_parses_the_arguments_itself_and_expands_wildcards_on_windows(monkeypatch):
    asked = []
    monkeypatch.setattr("jurydesk.core.cli.main", lambda argv, **how: asked.append(argv) or 0)
    monkeypatch.setattr("jurydesk.app.__main__.exit_on_interrupt", lambda: None)
    monkeypatch.setattr(sys, "argv", ["jurydesk", "check"])
    assert main() == 0
    assert asked == [None]


def test_the_device_line_describes_device_and_aligner(tmp_path):
    done = run(tmp_path, "-m", "jurydesk", "--device-line", "cpu")
    assert done.stdout.startswith("CPU · ")
    assert done.stdout.endswith(("compiled aligner", "slow Python aligner"))


def test_the_device_line_mentions_the_slow_aligner(tmp_path):
    slow = {"JURYDESK_METEOR_ENGINE": "python"}
    done = run(tmp_path, "-m", "jurydesk", "--device-line", "cpu", **slow)
    assert done.stdout.endswith(" · slow Python aligner")


@pytest.mark.parametrize(
    ("arguments", "window"),
    [
        ([], True),
        (["results.jurydesk"], True),
        (["--smoke"], True),
        (["--page", "board"], True),
        (["--page=board"], True),
        (["score", "toy"], False),
        (["open", "results.jurydesk"], False),
        (["--help"], False),
    ],
)
def test_only_arguments_for_the_window_open_it(arguments, window):
    assert wants_window(arguments) is window


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="displays of X11 and Wayland")
class TestDisplay:
    @pytest.fixture(autouse=True)
    def screenless(self, monkeypatch):
        for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)

    def test_without_variables_there_is_no_display(self):
        assert not has_display()

    def test_an_offscreen_platform_needs_no_display(self, monkeypatch):
        monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
        assert has_display()

    @pytest.mark.parametrize("display", [":4711", "unix:4711.0", "localhost:4711", "nonsense"])
    def test_a_display_without_a_server_is_unusable(self, monkeypatch, display):
        monkeypatch.setenv("DISPLAY", display)
        assert not has_display()

    def test_a_wayland_display_needs_its_socket(self, monkeypatch, tmp_path):
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
        assert not has_display()
        (tmp_path / "wayland-9").touch()
        assert has_display()
