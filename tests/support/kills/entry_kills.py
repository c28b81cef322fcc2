"""Openings of a sealed entry that are killed: `... entry_kills FOLDER ROUNDS SEED`.

After a kill at a random moment the desk must be sound and its ledger unbroken; a certificate was
written only if the ledger has its look, and the look only with its scores. The same command once
more must leave one look and its certificate. Prints the counts as JSON.
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
from pathlib import Path

from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import SCORED, read_ledger
from jurydesk.core.sealed.certificate import read_certificate
from support.processes.quiet_program import fork_program, run_quietly
from support.sealed_entries import Contest


def prepared(folder: Path) -> tuple[Path, Path]:
    """Return the desk of a small competition, and an entry to it; the organiser's key is ours."""
    home = folder / "home"
    os.environ["JURYDESK_HOME"] = str(home)
    contest = Contest.make(folder)
    home.mkdir(exist_ok=True)
    (home / "config").mkdir(exist_ok=True)
    shutil.copytree(folder / "organiser" / "keys", home / "config" / "keys")
    entry = contest.seal([1])
    contest.desk.close()
    return folder / "contest.jurydesk", entry


def state(desk: Path, out: Path) -> tuple[int, int, int]:
    """Return the numbers of looks, of results and of valid certificates of a sound desk."""
    connection = sqlite3.connect(desk)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    with Desk.open(desk, read_only=True) as opened:
        rows = [row for row in read_ledger(opened) if row.kind == SCORED]
        results = len(opened.evaluations()) - 2
    certificates = [read_certificate(path) for path in out.glob("*.jurycert")]
    assert all(one.ledger.hash in {row.hash for row in rows} for one in certificates)
    return len(rows), results, len(certificates)


def main(folder: Path, rounds: int, seed: int) -> None:
    first, entry = prepared(folder)
    dice, counts = random.Random(seed), Counter[str]()

    def command(desk: Path, out: Path) -> list[object]:
        return ["entry", "open", desk, entry, "--out", out, "--quiet"]

    longest = 0.0
    for number in range(rounds + 2):
        desk, out = folder / f"k{number}.jurydesk", folder / f"out{number}"
        shutil.copy(first, desk)
        out.mkdir()
        began = time.monotonic()
        if number < 2:  # loads the modules, then measures
            assert run_quietly(command(desk, out))[0] == 0
            longest = time.monotonic() - began
            continue
        child = fork_program(command(desk, out), folder / "told")
        time.sleep(dice.uniform(0.3, 1.8) * longest)  # most of it is before the transaction
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        looks, results, certificates = state(desk, out)
        counts["kills"] += os.WIFSIGNALED(status)
        counts["with a look"] += looks
        counts["with a certificate"] += certificates
        counts["look without scores, or scores without a look"] += looks != results
        counts["certificate without a look"] += certificates > looks
        code, output = run_quietly(command(desk, out))
        assert code == 0, output
        counts["not one look afterwards"] += state(desk, out) != (1, 1, 1)
        desk.unlink()
    print(json.dumps({"rounds": rounds, **counts}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
