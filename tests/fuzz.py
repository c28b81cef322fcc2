"""Fuzzing of readers, desks and packets: `python tests/fuzz.py --seconds 600 [--seed N]`.

JSON documents get other values, other files other bytes (`support.files.mutations`), desks other
cells. An exception that is not the documented one is a failure; its file is kept in `build/fuzz`.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.packets.packet import write_packet
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from support.examples import folder_of
from support.files.mutations import VALUES, mutated
from support.rating.rated_examples import scored_desk
from support.rating.studies import contents, study

KEPT = Path(__file__).resolve().parents[1] / "build" / "fuzz"
Attempt = tuple[Path, Callable[[], object]]


def reader_attempts(task: AnyTask, folder: Path, dice: random.Random) -> Iterator[Attempt]:
    """Yield readings of one mutated input file of an example."""
    inputs = example_inputs(task, folder_of(task))
    options, run = task.scoring.options(), Run()
    submissions = task.submission_input().role
    references = task.readers.read_references(inputs, options, run).data
    while True:
        role = dice.choice(sorted(inputs))
        place = dice.randrange(len(inputs[role]))
        source = inputs[role][place]
        if not source.is_file():
            continue
        path = folder / source.name
        path.write_bytes(next(mutated(source.read_bytes(), 1, dice.randrange(2**32))))
        if role == submissions:
            yield path, partial(task.readers.read_submission, path, references, options, run)
        else:
            files = [*inputs[role][:place], path, *inputs[role][place + 1 :]]
            changed = {**inputs, role: files}
            yield path, partial(task.readers.read_references, changed, options, run)


def desk_attempts(folder: Path, dice: random.Random) -> Iterator[Attempt]:
    """Yield openings of a desk with another cell or other bytes."""
    sound = scored_desk("vist", folder).read_bytes()
    path = folder / "mutated.jurydesk"
    while True:
        if dice.random() < 0.3:
            path.write_bytes(next(mutated(sound, 1, dice.randrange(2**32))))
        else:
            path.write_bytes(sound)
            change_cell(path, dice)
        yield path, partial(open_desk, path)


def change_cell(path: Path, dice: random.Random) -> None:
    """Write another value into one column of one row of a desk."""
    connection = sqlite3.connect(path)
    try:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        table = dice.choice([row[0] for row in connection.execute(tables)])
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        value = dice.choice([one for one in VALUES if isinstance(one, str | float | bool | None)])
        where = f'rowid = (SELECT rowid FROM "{table}" ORDER BY random() LIMIT 1)'
        with connection:
            query = f'UPDATE "{table}" SET "{dice.choice(columns)}" = ? WHERE {where}'
            connection.execute(query, (value,))
    except sqlite3.Error:
        pass  # a constraint forbids the value: the desk is unchanged
    finally:
        connection.close()


def open_desk(path: Path) -> None:
    """Open a desk for reading and load all its evaluations."""
    try:
        with Desk.open(path, read_only=True) as desk:
            for summary in desk.evaluations():
                desk.load(summary.id)
    except DeskError:
        pass


def packet_attempts(folder: Path, dice: random.Random) -> Iterator[Attempt]:
    """Yield readings of a packet with other bytes."""
    path = folder / "sound.jurypacket"
    with path.open("wb") as file:
        write_packet(contents(study())[0], file)
    sound, path = path.read_bytes(), folder / "mutated.jurypacket"
    while True:
        path.write_bytes(next(mutated(sound, 1, dice.randrange(2**32))))
        yield path, partial(read_packet, path)


def fuzz(seconds: float, seed: int, folder: Path) -> tuple[int, list[str]]:
    """Try mutated files for some seconds; return their number and the tracebacks."""
    dice = random.Random(seed)
    sources = [desk_attempts(folder, dice), packet_attempts(folder, dice)]
    for name, task in registry().tasks.items():
        (folder / name).mkdir()
        sources.append(reader_attempts(task, folder / name, dice))
    for source in sources:
        next(source)  # reading references and scoring a desk takes a while
    count, faults = 0, []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        path, attempt = next(sources[count % len(sources)])
        count += 1
        try:
            attempt()
        except Exception:  # noqa: BLE001 - every one is a failure to report
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"{seed}-{count}-{path.name}").write_bytes(path.read_bytes())
            faults.append(f"{path.name}: {traceback.format_exc()}")
    return count, faults


def main() -> int:
    """Fuzz, print the failures, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Fuzz readers, desks and packets.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-fuzz-") as folder:
        count, faults = fuzz(options.seconds, options.seed, Path(folder))
    print("\n".join([*faults, f"{count} mutated files, {len(faults)} failures"]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
