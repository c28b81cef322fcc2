"""Races of programs that create one desk: `python -m support.kills.desk_races FOLDER ROUNDS SEED`.

Two to eight forks score into one new path at the same moment; in some rounds one of them has
nothing to score, and would delete what it created. What ended with 0 must be in the desk, and who
was refused must be told that another program was busy. In every third round each clock is set back
against the one before. Prints the counts as JSON.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from unittest import mock

from support.processes.quiet_program import fork_program, run_quietly

MOST = 8
DAY = 86_400.0
REASON = "is being written by another program"


def write_competition(folder: Path) -> None:
    """Write the relevance file, the ranked lists of all programs, and a damaged one."""
    (folder / "q.txt").write_text("".join(f"q{i} 0 rel 1\n" for i in range(8)))
    for system in range(MOST):
        lines = [
            f"q{i} Q0 {'rel' if j == 1 + (i + system) % 4 else f'd{j}'} {j} {9 - j} x\n"
            for i in range(8)
            for j in range(1, 6)
        ]
        (folder / f"s{system}.txt").write_text("".join(lines))
    (folder / "damaged.txt").write_text("no ranked list\n")


def command(folder: Path, desk: Path, results: str) -> list[object]:
    """Return the arguments that score one ranked list into a desk."""
    given = ["--relevance", folder / "q.txt", "--results", folder / f"{results}.txt"]
    return ["score", "keyword-spotting", *given, "--desk", desk, "--quiet"]


def earlier(shift: float) -> float:
    """Return the time of a clock that is set back."""
    return time.clock_gettime(time.CLOCK_REALTIME) - shift


def race(
    folder: Path, desk: Path, results: list[str], clocks: list[float]
) -> list[tuple[int, str]]:
    """Let programs score into one path at once; return their exit codes and what they said."""
    start = time.monotonic() + 0.02

    def begin(shift: float) -> None:
        if shift:
            mock.patch("time.time", side_effect=partial(earlier, shift)).start()
        while time.monotonic() < start:
            time.sleep(0.001)

    told = [folder / f"told{number}" for number in range(len(results))]
    children = [
        fork_program(command(folder, desk, name), path, partial(begin, shift))
        for name, path, shift in zip(results, told, clocks, strict=True)
    ]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return [(code, path.read_text()) for code, path in zip(codes, told, strict=True)]


def systems_of(desk: Path) -> set[str]:
    """Return the systems in a sound desk; none without a desk."""
    if not desk.exists():
        return set()
    connection = sqlite3.connect(f"file:{desk}?mode=ro", uri=True)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {row[0] for row in connection.execute("SELECT system FROM evaluation")}
    finally:
        connection.close()


def main(folder: Path, rounds: int, seed: int) -> None:
    write_competition(folder)
    code, output = run_quietly(command(folder, folder / "first.jurydesk", "s0"))
    assert code == 0, output
    dice, counts, others = random.Random(seed), Counter[str](), Counter[str]()
    for number in range(rounds):
        desk = folder / f"r{number}.jurydesk"
        results = [f"s{system}" for system in range(dice.randint(2, MOST))]
        if number % 4 == 0:
            results.insert(dice.randrange(len(results)), "damaged")
        clocks = [DAY * place if number % 3 == 0 else 0.0 for place in range(len(results))]
        ends = race(folder, desk, results, clocks)
        have = systems_of(desk)
        counts["programs"] += len(results)
        for name, (code, said) in zip(results, ends, strict=True):
            if name == "damaged":
                counts["refused files"] += code == 1
                if code != 1:
                    others[f"{name}: {code} {said}"] += 1
                continue
            counts["ended with 0"] += code == 0
            counts["lost"] += code == 0 and name not in have
            counts["told why"] += code != 0 and REASON in said
            if code != 0 and REASON not in said:
                others[f"{name}: {code} {said}"] += 1
        left = [path.name for path in folder.glob(f".r{number}.*")]
        left += [path.name for path in folder.glob(f"r{number}.jurydesk-*")]
        counts["files left"] += len(left)
        desk.unlink(missing_ok=True)
    other = {"other ends": others.total(), "said": others.most_common(5)}
    print(json.dumps({"rounds": rounds, **counts, **other}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
