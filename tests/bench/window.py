"""Time to the first window compared with a bare QMainWindow: `python tests/bench/window.py`.

Cold processes, alternating, offscreen. Times run from the start of the process to the first paint;
CPU seconds are those of the process until then. The second table opens each page once.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
RUNS = 9

REPORT = """
import json, os, resource, sys, time
def report(**more):
    used = resource.getrusage(resource.RUSAGE_SELF)
    wall = time.time() - float(os.environ["SPAWNED"])
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak, **more}))
"""

BARE = (
    REPORT
    + """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Bare(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, self.done)
    def done(self):
        report()
        app.quit()
app = QApplication([])
window = Bare()
window.resize(1280, 828)
window.show()
app.exec()
"""
)

OURS = (
    REPORT
    + """
import jurydesk.app.startup.start
from jurydesk.app.__main__ import main
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
show = jurydesk.app.startup.start._show
def _show(window_type, *arguments, **options):
    class Timed(window_type):
        is_painted = False
        def paintEvent(self, event):
            if not self.is_painted:
                self.is_painted = True
                QTimer.singleShot(0, self.done)  # before what waits for the first paint
            super().paintEvent(event)
        def done(self):
            report()
            if "PAGES" in os.environ:
                QTimer.singleShot(0, self.walk)
            else:
                self.close()
        def walk(self):
            from jurydesk.app.pages import PAGES
            for page in PAGES:
                began = time.perf_counter()
                self.show_page(page.id)
                QApplication.processEvents()
                print(json.dumps({"page": page.id, "wall": time.perf_counter() - began}))
            self.close()
    return show(Timed, *arguments, **options)
jurydesk.app.startup.start._show = _show
main([])
"""
)


def measure(code: str, **more: str) -> list[dict[str, float]]:
    """Return the report of a fresh process."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
            "QT_QPA_PLATFORM": "offscreen",
            "JURYDESK_HOME": home,
            "SPAWNED": str(time.time()),
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Measure both alternately; print medians and their ratio."""
    results: dict[str, list[dict[str, float]]] = {"bare QMainWindow": [], "Jurydesk": []}
    for code in (BARE, OURS):
        measure(code)  # warms the disk cache
    for _ in range(RUNS):
        results["bare QMainWindow"] += measure(BARE)
        results["Jurydesk"] += measure(OURS)
    print(f"first paint, median of {RUNS}    wall s    CPU s   peak MB")
    medians = {}
    for name, runs in results.items():
        row = {key: statistics.median(run[key] for run in runs) for key in ("wall", "cpu", "peak")}
        medians[name] = row
        print(f"{name:28} {row['wall']:8.3f} {row['cpu']:8.3f} {row['peak']:9.0f}")
    bare, ours = medians.values()
    print(f"{'ratio':28} {ours['wall'] / bare['wall']:8.2f} {ours['cpu'] / bare['cpu']:8.2f}")
    print("\npage first shown              wall s")
    for row in measure(OURS, PAGES="1")[1:]:
        print(f"{row['page']:28} {row['wall']:8.3f}")


if __name__ == "__main__":
    main()
