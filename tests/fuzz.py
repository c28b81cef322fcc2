"""Fuzzing of every role of a file: `python tests/fuzz.py --seconds 600 [--seed N]`.

Readers, desks and packets by themselves: JSON documents get other values, other files other bytes
(`support.files.mutations`), desks other cells. The files of `tests/oracles/fuzz`, named
`READER.ROLE.WHAT`, are tried first as they are, and then mutated like the examples. Then
`--roles COUNT` changes the structure of files in every role (`support.fuzzing`), makes their hashes
again, and runs the commands that read them. Each case runs in a process of its own, with at most
1 GB and 10 s of processor time. An undocumented exception, an exceeded limit, a refusal without a
word or control characters in the output are failures; the file is kept in `build/fuzz`, and
belongs into `tests/oracles/fuzz` when it is fixed. Recorded: `tests/bench/fuzz.md`.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
from support.files.limited_process import failure
from support.files.mutations import VALUES, mutated
from support.fuzzing.all_roles import all_roles
from support.fuzzing.roles import Role, judge
from support.fuzzing.structure import changed
from support.rating.rated_examples import scored_desk
from support.rating.studies import contents, study

KEPT = Path(__file__).resolve().parents[1] / "build" / "fuzz"
CORPUS = Path(__file__).resolve().parent / "oracles" / "fuzz"
PACKET = "packet"
"""Reader of the packets in the corpus; the others are competitions."""
Attempt = tuple[Path, Callable[[], object]]


def reader_attempts(task: AnyTask, folder: Path, dice: random.Random) -> Iterator[Attempt]:
    """Yield readings of one mutated input file of an example."""
    inputs = example_inputs(task, folder_of(task))
    options, run = task.scoring.options(), Run()
    submissions = task.submission_input().role
    references = task.readers.read_references(inputs, options, run).data

    def attempt(role: str, source: Path, content: bytes) -> Attempt:
        path = folder / source.name
        path.write_bytes(content)
        if role == submissions:
            return path, partial(task.readers.read_submission, path, references, options, run)
        files = [path, *inputs.get(role, ())[1:]]
        return path, partial(task.readers.read_references, {**inputs, role: files}, options, run)

    files = {role: [one for one in paths if one.is_file()] for role, paths in inputs.items()}
    for role, source in corpus(task.id):
        files.setdefault(role, []).append(source)
        yield attempt(role, source, source.read_bytes())
    while True:
        role = dice.choice([role for role in sorted(files) if files[role]])
        source = dice.choice(files[role])
        content = next(mutated(source.read_bytes(), 1, dice.randrange(2**32)))
        yield attempt(role, source, content)


def corpus(reader: str) -> list[tuple[str, Path]]:
    """Return the corpus of a reader: the role of each file, and its path."""
    return [(path.name.split(".")[1], path) for path in sorted(CORPUS.glob(f"{reader}.*"))]


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
    sources, path = [path], folder / "mutated.jurypacket"
    for _, source in corpus(PACKET):
        sources.append(source)
        path.write_bytes(source.read_bytes())
        yield path, partial(read_packet, path)
    while True:
        content = dice.choice(sources).read_bytes()
        path.write_bytes(next(mutated(content, 1, dice.randrange(2**32))))
        yield path, partial(read_packet, path)


def fuzz(seconds: float, seed: int, folder: Path, least: int = 1) -> tuple[int, list[str]]:
    """Try mutated files for some seconds; return their number and the tracebacks.

    At least so many are tried, however slow the machine is.
    """
    dice = random.Random(seed)
    sources = [desk_attempts(folder, dice), packet_attempts(folder, dice)]
    for name, task in registry().tasks.items():
        (folder / name).mkdir()
        sources.append(reader_attempts(task, folder / name, dice))
    prepared = [next(source) for source in sources]  # reading and scoring examples takes a while
    attempts = [
        itertools.chain([first], rest) for first, rest in zip(prepared, sources, strict=True)
    ]
    count, faults = 0, []
    end = time.monotonic() + seconds
    while count < least or time.monotonic() < end:
        path, attempt = next(attempts[count % len(attempts)])
        count += 1
        if told := failure(attempt):
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"{seed}-{count}-{path.name}").write_bytes(path.read_bytes())
            faults.append(f"{path.name}: {told}")
    return count, faults


def fuzz_roles(roles: Sequence[Role], count: int, seed: int) -> Iterator[tuple[Role, str]]:
    """Try `count` changed files in the roles, in turn; yield each role and the failure."""
    dice = random.Random(seed)
    for number in range(count):
        role = roles[number % len(roles)]
        source = dice.choice(role.sources)
        content = source.read_bytes()
        if content.startswith(b"SQLite format 3") and dice.random() < 0.7:
            role.put(content, source, dice)
            change_cell(role.place_of(source), dice)
        else:
            role.put(changed(content, dice), source, dice)
        command = role.command(source, dice)
        told = failure(partial(judge, command))
        if told:
            KEPT.mkdir(parents=True, exist_ok=True)
            kept = role.place_of(source).read_bytes()
            (KEPT / f"{seed}-{number}-{role.place_of(source).name}").write_bytes(kept)
            told = f"{' '.join(command)}\n{told}"
        yield role, told


def main() -> int:
    """Fuzz, print the failures, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Fuzz every role of a file.")
    parser.add_argument("--seconds", type=float, default=600, help="for readers by themselves")
    parser.add_argument("--roles", type=int, default=0, help="number of files for commands")
    parser.add_argument("--only", nargs="*", help="names of the roles of these files; else all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="jurydesk-fuzz-") as folder:
        os.environ.update(JURYDESK_HOME=folder, JURYDESK_LANG="en")
        if options.seconds:
            (Path(folder) / "readers").mkdir()
            count, faults = fuzz(options.seconds, options.seed, Path(folder) / "readers")
            print(f"{count} mutated files for readers, {len(faults)} failures")
        if options.roles:
            (Path(folder) / "roles").mkdir()
            roles, tried, failed = all_roles(Path(folder) / "roles"), Counter[str](), Counter[str]()
            roles = [one for one in roles if not options.only or one.name in options.only]
            for role, told in fuzz_roles(roles, options.roles, options.seed):
                tried[role.name] += 1
                failed[role.name] += bool(told)
                if told:
                    faults.append(told)
                    print(told, flush=True)
            print("\n".join(f"| {name} | {tried[name]} | {failed[name]} |" for name in tried))
            print(f"{tried.total()} files in {len(roles)} roles, {failed.total()} failures")
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
