"""Time to save an answer, to merge a large study and to compute its results.

Run as `python tests/bench/rating.py [FOLDER]`; the folder (default: the system's temporary one)
decides which disk is measured. Saving is measured in a session of 1,000 stories, half of them
answered, alternating with a bare SQLite commit on the same disk. The merge is of 100 raters who
rate 300 stories each on six statements: 180,000 answers. The times of the page (`rating_page.py`)
come last, from a separate process, if the web engine is installed.
"""

from __future__ import annotations

import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes, make_answers
from jurydesk.core.human_evaluation.answers.merge_answers import merge_answers
from jurydesk.core.human_evaluation.answers.rating_session import EventStore, RatingSession
from jurydesk.core.human_evaluation.design.balanced_plan import PlanRequest, make_plan
from jurydesk.core.human_evaluation.design.study import make_study
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet import PacketContent, packet_content
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.human_evaluation.results.ranking import agreements, question_results
from jurydesk.core.human_evaluation.results.rater_reports import rater_reports
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from support.rating import random_answers, studies
from support.rating.questionnaires import builtin_questionnaire

ANSWERS = 600


def milliseconds(action: Callable[[], object]) -> float:
    """Return the wall milliseconds of one action."""
    began = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - began)


def show(what: str, times: list[float]) -> None:
    """Print a line of the report: median, 95th percentile and longest of some times."""
    ordered = sorted(times)
    p95 = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{what:<44} {statistics.median(times):9.2f} {p95:9.2f} {ordered[-1]:9.2f}")


def bare(path: Path) -> Callable[[], None]:
    """Time bare commits of one row, as durable as ours."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE event (number INTEGER PRIMARY KEY, value TEXT)")

    def commit() -> None:
        connection.execute("INSERT INTO event (value) VALUES ('4')")

    return commit


def saving(folder: Path) -> None:
    """Time saving answers one by one in a packet of 1,000 stories, half of them answered."""
    study = studies.study(sequences=1000, raters=3, ratings=1)
    rater = study.raters[0]
    content = packet_content(study, rater, PhotoFolder(None))
    store = EventStore(folder / "saving.db", content.sha256)
    ids = [item.id for item in content.items]
    store.append(random_answers.whole_sitting(ids, study.questionnaire, random.Random(0))[:3500])
    session = RatingSession(content, store)
    commit = bare(folder / "bare.db")
    ours, peer = [], []
    questions = study.questionnaire.questions
    for number in range(ANSWERS):
        question = questions[number % len(questions)].id
        item = session.state.item
        peer.append(milliseconds(commit))
        ours.append(milliseconds(lambda i=item, q=question: answer(session, i, q)))
        if number % len(questions) == len(questions) - 1:
            session.do("next", item, "", None, 1.0)
    print(f"{'milliseconds of ' + str(ANSWERS):<44} {'median':>9} {'95 %':>9} {'longest':>9}")
    show(f"save and view, {len(content.items):,} stories", ours)
    show("bare commit of SQLite", peer)
    session.close()


def answer(session: RatingSession, item: str, question: str) -> None:
    """Save one answer like the bridge."""
    if not session.do("answer", item, question, 4, 1.0)["saved"]:
        raise RuntimeError("the answer was not saved")


def merging(folder: Path) -> None:
    """Time merging 100 raters with 300 stories each, and all results of the study."""
    request = PlanRequest(3, 1000, 100, 10, 1000)
    seconds(f"plan {request.raters} raters", lambda: make_plan(request, 1))
    study = make_study(studies.pool(1000), builtin_questionnaire("vist2018"), request, 1)
    contents = [packet_content(study, rater, PhotoFolder(None)) for rater in study.raters]
    paths = [write(folder, content, seed) for seed, content in enumerate(contents)]
    desk = Desk.create(folder / "merging.jurydesk")
    store = RatingStore(desk)
    store.set_study(study)
    for content in contents:
        store.add_packet(content.sha256, content.rater)
    items = len(contents[0].items)
    taken = seconds(
        f"merge {len(paths)} raters x {items} stories", lambda: merge_answers(store, paths)
    )
    again = seconds("merge them again", lambda: merge_answers(store, paths))
    ratings = seconds("collect the ratings", lambda: load_ratings(store))
    seconds("means, intervals and ranks", lambda: question_results(ratings))
    seconds("alpha, ICC and equal share with intervals", lambda: agreements(ratings))
    seconds("reports on all raters", lambda: rater_reports(ratings))
    print(f"merged {taken.taken}, known {again.known}")
    desk.close()


def write(folder: Path, content: PacketContent, seed: int) -> Path:
    """Write the answers of a rater who answers everything."""
    ids = [item.id for item in content.items]
    events = random_answers.whole_sitting(ids, content.questionnaire, random.Random(seed))
    path = folder / f"{content.rater}.juryanswers"
    path.write_bytes(
        answers_bytes(make_answers(content.sha256, content.rater, events, content.key))
    )
    return path


def seconds(what: str, action: Callable[[], object]):  # type: ignore[no-untyped-def]
    """Print wall and CPU seconds of an action, and return its result."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = action()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what:<44} {wall:9.2f} {cpu:9.2f}")
    return result


def main(parent: Path | None) -> None:
    with tempfile.TemporaryDirectory(dir=parent) as folder:
        saving(Path(folder))
        print(f"\n{'seconds':<44} {'wall':>9} {'CPU':>9}")
        merging(Path(folder))
    page = [sys.executable, str(Path(__file__).with_name("rating_page.py"))]
    print(flush=True)
    subprocess.run([*page, str(parent)] if parent else page, check=False)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
