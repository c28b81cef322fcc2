"""Scorings of one desk that are killed at random moments.

`python -m support.kills.scoring_kills FOLDER ROUNDS SEED` prints as JSON how often the desk was
there afterwards, and how many results it held. It fails at the first desk that is damaged. Every
scoring is a fork, so that a round takes no longer than the scoring itself.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs
from jurydesk.core.desk import Desk
from jurydesk.core.execution.engine import SubmissionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from support import toy

ITEMS = 2000
SYSTEMS = 5
RESAMPLES = 20
CHUNK = bytes(range(256)) * 256
LONGEST_SLEEP = 0.4


def competition(folder: Path) -> dict[str, list[Path]]:
    dice = np.random.default_rng(0)
    truth = {f"i{k}": k / ITEMS for k in range(ITEMS)}
    guesses = []
    for system in range(SYSTEMS):
        noise = dice.normal(0, 0.1, ITEMS)
        values = {key: value + float(noise[i]) for i, (key, value) in enumerate(truth.items())}
        guesses.append(toy.write(folder / f"system{system}.txt", values))
    return {"truth": [toy.write(folder / "truth.txt", truth)], "guesses": guesses}


def score_into(path: Path, inputs: Inputs) -> None:
    options = toy.Options()
    with Desk.open(path) if path.exists() else Desk.create(path) as desk:
        desk.set_competition(toy.TASK.id, "Killed", options_json(options))
        run = Run(cache=desk.cache)

        def keep(entry: SubmissionResult) -> None:
            run.cache.put(entry.system, CHUNK)
            if entry.evaluation is not None:
                desk.add(entry.evaluation)

        result = score_submissions(
            toy.TASK, files_by_role(inputs), options, run, resamples=RESAMPLES, on_entry=keep
        )
        desk.merge_inputs(result.sources, "guesses")
        desk.cache.clear()


def forked(work: Callable[[], None]) -> int:
    """Start `work` in a fork of this process; return its id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def sound(path: Path) -> int:
    """Read everything in the desk; return the number of complete results."""
    with Desk.open(path) as desk:
        summaries = desk.evaluations()
        for one in summaries:
            evaluation = desk.load(one.id, toy.Guess.from_json)
            assert len(evaluation.items) == ITEMS
            assert evaluation.scores == one.scores
            assert evaluation.score("closeness").value == np.mean(
                evaluation.items.columns["closeness"]
            )
            assert evaluation.items.show(ITEMS - 1) is not None
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    return len(summaries)


def kill_rounds(path: Path, inputs: Inputs, rounds: int, dice: random.Random) -> list[int]:
    """Return the number of complete results after each kill; -1 without a desk."""
    began = time.monotonic()
    _, status = os.waitpid(forked(lambda: score_into(path, inputs)), 0)
    assert status == 0
    longest = min(time.monotonic() - began, LONGEST_SLEEP)
    found = []
    for number in range(rounds):
        if number % 5 == 0:
            path.unlink(missing_ok=True)
        child = forked(lambda: score_into(path, inputs))
        time.sleep(dice.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found.append(sound(path) if path.exists() else -1)
    return found


def main(folder: Path, rounds: int, seed: int) -> None:
    inputs = competition(folder)
    path = folder / "killed.jurydesk"
    found = kill_rounds(path, inputs, rounds, random.Random(seed))
    score_into(path, inputs)
    with Desk.open(path) as desk:
        complete = [entry.state for entry in desk.inputs()] == ["current"] * (SYSTEMS + 1)
    print(json.dumps({"found": found, "finally": sound(path), "complete": complete}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
