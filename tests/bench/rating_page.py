"""Time from a rater's key to the page that shows it saved, in a packet of 1,000 stories.

Run as `python tests/bench/rating_page.py [FOLDER]`. Real keys are pressed in the real page, which
measures from the key event to the view after the commit. The page is then opened and closed twelve
times, and the time from its start to the first story is printed.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QTWEBENGINE_CHROMIUM_FLAGS", "--log-level=3")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from jurydesk.app.rating_client.url_scheme import register_scheme
from jurydesk.core.human_evaluation.answers.rating_session import EventStore, RatingSession
from jurydesk.core.human_evaluation.packets.packet import PacketContent
from support.rating import random_answers, studies

STORIES, ANSWERED, KEYS, OPENINGS = 1000, 3500, 700, 12
PATIENCE_SECONDS = 60
CLOCK = """
(() => {
  window.waits = [];
  let since = null;
  document.addEventListener("keydown", (event) => { since = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (since !== null) window.waits.push(performance.now() - since);
    since = null;
  }).observe(document.documentElement, { attributeFilter: ["data-ready"] });
  return 1;
})()
"""


class Rater:
    """Return a rater's window on the packet, with the answers in a file of the folder."""

    def __init__(self, content: PacketContent, path: Path) -> None:
        from jurydesk.app.rating_client.rating_window import RatingWindow

        self.session = RatingSession(content, EventStore(path, content.sha256))
        self.window = RatingWindow(self.session, path)
        self.window.show()
        wait(lambda: self.ready >= 0)
        if self.run("document.getElementById('sheet').open"):
            self.press(Qt.Key.Key_Escape)
            wait(lambda: not self.run("document.getElementById('sheet').open"))

    def run(self, code: str) -> object:
        """Return the value of a JavaScript expression, passed as JSON."""
        found: list[str] = []
        self.window.view.page().runJavaScript(f"JSON.stringify({code}) || 'null'", found.append)
        wait(lambda: bool(found))
        return json.loads(found[0]) if found[0] else None

    @property
    def ready(self) -> int:
        shown = self.run("document.documentElement?.dataset.ready")
        return -1 if shown is None else int(str(shown))

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.window.view.focusProxy() or self.window.view, key)

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def wait(done: Callable[[], bool]) -> None:
    """Process events until a condition holds."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("the page did not answer")
        QCoreApplication.processEvents()
        time.sleep(0.001)


def waits(content: PacketContent, path: Path) -> list[float]:
    """Return the milliseconds from each key to the view that shows it saved."""
    with_answers(content, path)
    rater = Rater(content, path)
    rater.run(CLOCK)
    questions = len(content.questionnaire.questions)
    keys = [Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5]
    for number in range(KEYS):
        before = rater.session.state.number
        last = number % (questions + 1) == questions
        rater.press(Qt.Key.Key_Return if last else keys[number % len(keys)])
        wait(lambda b=before: rater.ready > b)
    found = rater.run("window.waits")
    rater.close()
    return [float(one) for one in found] if isinstance(found, list) else []


def with_answers(content: PacketContent, path: Path) -> None:
    """Answer half of the packet, up to the beginning of a story."""
    ids = [item.id for item in content.items]
    store = EventStore(path, content.sha256)
    store.append(
        random_answers.whole_sitting(ids, content.questionnaire, random.Random(0))[:ANSWERED]
    )
    store.close()


def resident_mb() -> float:
    """Return the memory of this process in MB; NaN if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return float("nan")
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def openings(content: PacketContent, folder: Path) -> None:
    """Open and close the page repeatedly; print its times and the memory."""
    times, sizes = [], []
    for number in range(OPENINGS):
        began = time.perf_counter()
        rater = Rater(content, folder / f"opening-{number}.db")
        times.append(time.perf_counter() - began)
        rater.close()
        sizes.append(resident_mb())
    print(f"page opened {OPENINGS} times, seconds: median {statistics.median(times):.2f}, "
          f"longest {max(times):.2f}")  # fmt: skip
    print("memory after each, MB: " + " ".join(f"{size:.0f}" for size in sizes))


def main(parent: Path | None) -> None:
    register_scheme()
    from PySide6.QtWidgets import QApplication

    from jurydesk.app.style.theme import theme

    app = QApplication([])
    theme().install(app, "light")
    study = studies.study(sequences=STORIES, raters=3, ratings=1)
    content = studies.contents(study)[0]
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        found = sorted(waits(content, Path(folder) / "keys.db"))
        p95 = found[int(0.95 * (len(found) - 1))]
        print(
            f"{'milliseconds of ' + str(len(found)):<44} {'median':>9} {'95 %':>9} {'longest':>9}"
        )
        what = f"key to saved view, {len(content.items):,} stories"
        print(f"{what:<44} {statistics.median(found):9.2f} {p95:9.2f} {found[-1]:9.2f}")
        openings(content, Path(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
