"""Size of a report, time to write it, and time to open it in Chromium.

    python tests/bench/report.py [SYSTEMS] [ITEMS]

Two made-up competitions: stories (each item told with five human stories and one story of every
system), and ranked lists with curves. Open means: every script has run, board, plots and the
table of items stand. Writing includes the making of the stories.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.significance.pairwise_significance import compare_all_pairs
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import summarize
from jurydesk.core.execution.run import Run
from jurydesk.core.export.html_report.report import Report, report_html
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import Evaluation, IntArray, ItemTable, Score
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_explanation import (
    explain_item as tell_lists,
)
from jurydesk.core.tasks.vist.vist_evidence import ScoredStory, StoryEvidence
from jurydesk.core.tasks.vist.vist_task import TASK as VIST
from support import chromium
from support.windows import evaluations

WORDS, PHRASES, PHRASE, STORY, HUMANS = 12_000, 40_000, 4, 14, 5
LISTED = 40
ROUNDS = 5
NO_ALIGNMENT = Alignment((), (), (), (), *(0,) * 10, (), ())


class Writer:
    """Stories of invented phrases, which compress no better than real ones (420 letters: 129 B)."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        letters = np.array(list("etaoinshrdlucmfwypvbgk"))
        sizes = np.clip(np.log2(np.arange(WORDS) + 2).astype(int), 1, 9)
        words = ["".join(rng.choice(letters, size)) for size in sizes]
        drawn = _by_zipf(rng, WORDS, (PHRASES, PHRASE))
        self._phrases = [" ".join(words[word] for word in phrase) for phrase in drawn.tolist()]

    @lru_cache(maxsize=20_000)  # noqa: B019 - one writer lives as long as the program
    def story(self, seed: int) -> str:
        """Return a story, a different one for every seed."""
        drawn = _by_zipf(np.random.default_rng(seed), PHRASES, (STORY,))
        return " . ".join(self._phrases[phrase] for phrase in drawn.tolist())


def _by_zipf(rng: np.random.Generator, count: int, shape: tuple[int, ...]) -> IntArray:
    """Draw numbers below `count` from Zipf's distribution (exponent 1)."""
    edges = np.cumsum(1 / (np.arange(count) + 2.7))
    return np.searchsorted(edges / edges[-1], rng.random(shape))


def stories(system: int, items: int, writer: Writer) -> Evaluation:
    """Return a system of the story competition."""
    rng = np.random.default_rng(system)
    meteor = np.clip(rng.normal(0.31 + 0.002 * system, 0.06, items), 0, 1)

    def evidence(item: int) -> StoryEvidence:
        human = [
            ScoredStory(str(n), writer.story(10**6 + item * HUMANS + n), float(meteor[item]) * 0.9)
            for n in range(HUMANS)
        ]
        own = writer.story(10**7 + system * items + item)
        photos = (str(item),) * 5
        return StoryEvidence(str(item), photos, own, "published", tuple(human), 0, NO_ALIGNMENT)

    ids = tuple("-".join(str(500_000 + 7 * item + n) for n in range(5)) for item in range(items))
    table = ItemTable(ids, {"meteor": meteor}, evidence)
    scores = (Score("meteor", float(meteor.mean()), items, float(meteor.std())),)
    return Evaluation("vist", f"system-{system:02d}", "published", scores, table)


def lists(system: int, items: int) -> Evaluation:
    """Return a system of ranked lists, each with its own words."""
    made = evaluations.retrieval(items, f"system-{system:02d}", system + 1)
    known = {"ap", "precAt5"}

    def evidence(item: int) -> RankedList:
        rng = np.random.default_rng(system * items + item)
        places = rng.integers(0, 900, (LISTED, 5)).tolist()
        words = tuple(
            RankedItem(rank, f"page_{page:03d}", page % 3 == 0, 1.0, box=(x, y, 40 + w, 20 + h))
            for rank, (page, x, y, w, h) in enumerate(places, start=1)
        )
        return RankedList(made.items.ids[item], LISTED, 20, words, words[:3], ())

    scores = tuple(one for one in made.scores if one.metric in known)
    return replace(made, scores=scores, items=replace(made.items, evidence=evidence))


def report(task: AnyTask, systems: list[Evaluation]) -> Report:
    """Return the report of these systems with all pairwise comparisons."""
    numbered = dict(enumerate(systems, start=1))
    summaries = [replace(summarize(one), id=key) for key, one in numbered.items()]
    headline = next(info for info in task.scoring.metrics if info.headline)
    entrants = [Entrant(one.system, one.score(headline.name).value, one.items) for one in systems]
    found = compare_all_pairs(task, headline, "published", entrants, Run())
    made = make_leaderboard(task, summaries, {"published": found} if found else {})
    return Report(task, task.title, made, numbered.__getitem__, {})


def measure(name: str, make: Callable[[], Report], folder: Path) -> None:
    """Measure a report and print its row."""
    made = make()
    began, cpu = time.perf_counter(), time.process_time()
    page = report_html(made, Run())
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    path = folder / f"{name}.html"
    path.write_bytes(page)
    told = re.search(rb'"told":(\d+)', page)
    print(
        f"{name:8} {len(page) / 1e6:6.2f} MB, {told[1].decode() if told else 0} items told; "
        f"written in {wall:.1f} s wall, {cpu:.1f} s CPU"
    )
    program = chromium.installed()
    if program is None:
        print("         no Chromium is installed")
        return
    browser = chromium.Chromium(program, folder / "browser")
    try:
        times = [time_opening(browser, path) for _ in range(ROUNDS)]
    finally:
        browser.close()
    shown = ", ".join(f"{seconds:.2f}" for seconds in times)
    print(f"         open in {min(times):.2f} s at best, {max(times):.2f} s at worst ({shown})")


def time_opening(browser: chromium.Chromium, path: Path) -> float:
    """Return the seconds from the request to the end of the last script."""
    browser.call("Page.navigate", url="about:blank")
    began = time.perf_counter()
    browser.call("Page.navigate", url=path.as_uri())
    browser.until("document.documentElement?.dataset.ready === 'true'")
    return time.perf_counter() - began


def main() -> None:
    """Measure both competitions."""
    systems, items = (int(word) for word in [*sys.argv[1:], "20", "2000"][:2])
    writer = Writer()
    ranked = replace(
        evaluations.TASK,
        presentation=replace(evaluations.TASK.presentation, explain_item=tell_lists),
    )
    print(f"{systems} systems, {items:,} items")
    with tempfile.TemporaryDirectory(prefix="jurydesk-report-") as name:
        folder = Path(name)
        measure(
            "stories",
            lambda: report(VIST, [stories(n, items, writer) for n in range(systems)]),
            folder,
        )
        measure("lists", lambda: report(ranked, [lists(n, items) for n in range(systems)]), folder)


if __name__ == "__main__":
    main()
