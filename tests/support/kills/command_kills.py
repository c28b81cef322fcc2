"""Commands that are killed while they write a desk: `... command_kills FOLDER ROUNDS SEED`.

In turn: a scoring of entries of several teams, a merge of shards, and a merge of raters' answers.
After a kill the desk must be sound, hold what it held before, and after the same command once more
everything that a run without a kill leaves. Prints the counts as JSON.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from jurydesk.core.system.paths import resources_folder
from support.processes.quiet_program import fork_program, run_quietly
from support.rating.studies import desk_with, study, write_answers

EXAMPLES = resources_folder() / "examples"
TABLES = ("evaluation", "item", "submission", "rating_history", "rating_packet", "input")
Arguments = list[str | Path]


def scoring(folder: Path) -> tuple[Path | None, Callable[[Path], Arguments]]:
    """Return no desk, and the command that scores the entries of four teams."""
    trec = EXAMPLES / "keyword_spotting" / "trec_eval"
    for team in "abcd":
        (folder / "teams" / team).mkdir(parents=True)
        shutil.copy(trec / "stroke-matcher.run", folder / "teams" / team / "run.txt")
    given = ["--relevance", trec / "relevance.qrels", "--submissions", folder / "teams"]
    return None, lambda desk: ["score", "keyword-spotting", *given, "--jobs", "1", "--desk", desk]


def shards(folder: Path) -> tuple[Path | None, Callable[[Path], Arguments]]:
    """Return no desk, and the command that merges a job."""
    vist, job = EXAMPLES / "vist", folder / "job"
    given = ["--submission", vist / "happy.json", vist / "storyteller.json"]
    given += ["--references", vist / "human-stories.json"]
    split = ["shards", "split", "vist", *given, "--out", job]
    for step in (split, ["shards", "score", job, "--jobs", "1"]):
        code, output = run_quietly(step)
        assert code == 0, output
    return None, lambda desk: ["shards", "merge", job, "--jobs", "1", "--desk", desk]


def ratings(folder: Path) -> tuple[Path | None, Callable[[Path], Arguments]]:
    """Return a desk with a study, and the command that merges the answers of its raters."""
    made = study()
    first = folder / "study.jurydesk"
    desk_with(first, made).close()
    answers = [write_answers(folder, made, number) for number in range(4)]
    return first, lambda desk: ["ratings", "merge", *answers, "--desk", desk]


def contents(desk: Path) -> dict[str, int] | None:
    """Return the number of rows of the tables of a sound desk; None without a desk."""
    if not desk.exists():
        return None
    connection = sqlite3.connect(desk)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        found = "SELECT name FROM sqlite_master WHERE type = 'table'"
        known = {row[0] for row in connection.execute(found)}
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in TABLES
            if table in known
        }
    finally:
        connection.close()


def main(folder: Path, rounds: int, seed: int) -> None:
    dice, counts = random.Random(seed), Counter[str]()
    for number, work in enumerate((scoring, shards, ratings)):
        place = folder / work.__name__
        place.mkdir()
        first, command = work(place)
        whole = place / "whole.jurydesk"
        if first:
            shutil.copy(first, whole)
        began = time.monotonic()
        code, output = run_quietly(command(whole))  # modules are loaded
        assert code == 0, output
        whole.unlink()
        if first:
            shutil.copy(first, whole)
        began = time.monotonic()
        assert run_quietly(command(whole))[0] == 0
        longest = time.monotonic() - began
        expected = contents(whole)
        for one in range(number, rounds, 3):
            desk = place / f"k{one}.jurydesk"
            if first:
                shutil.copy(first, desk)
            before = contents(desk)
            child = fork_program(command(desk), place / "told")
            time.sleep(dice.uniform(0, longest))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            after = contents(desk)
            counts[f"{work.__name__}: kills"] += 1
            rows, known = after or {}, before or {}
            counts["lost"] += any(rows.get(table, 0) < n for table, n in known.items())
            counts["unfinished"] += after != expected
            code, output = run_quietly(command(desk))
            counts["not finished afterwards"] += code != 0 or contents(desk) != expected
            left = [path.name for path in place.iterdir() if path.name.startswith(f".k{one}.")]
            left += [path.name for path in place.glob(f"k{one}.jurydesk-*")]
            counts["files left"] += len(left)
            desk.unlink()
    print(json.dumps({"rounds": rounds, **counts}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
