"""The marker `slow`: tests that `packaging/bootstrap.py test --fast` leaves out.

    python3 packaging/bootstrap.py test --record-cpu build/cpu.jsonl
    .venv/bin/python tests/support/suite/slow_tests.py build/cpu.jsonl

writes `slow_tests.txt` anew: the names of all tests that took more processor time than `SECONDS`,
that of their fixtures and of the processes they started included.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path

import pytest

SECONDS = 0.15
LIST = Path(__file__).parents[2] / "slow_tests.txt"


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-cpu",
        metavar="FILE",
        type=Path,
        help="append the name and the CPU seconds of every test to FILE, as JSON lines",
    )


@functools.cache
def slow_tests() -> frozenset[str]:
    """Return the names in the list."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def mark(items: Iterable[pytest.Item]) -> None:
    """Mark the tests of the list."""
    for item in items:
        if encoded(item.nodeid) in slow_tests():
            item.add_marker("slow")


def encoded(name: str) -> str:
    """Return a test's name as one line of ASCII."""
    return name.encode("unicode_escape").decode("ascii")


def measured(item: pytest.Item) -> Generator[None, object, object]:
    """Run one test, and append its CPU seconds to the file of `--record-cpu`."""
    before = cpu_seconds()
    result = yield
    path = item.config.getoption("--record-cpu")
    if path is not None:
        line = json.dumps([encoded(item.nodeid), round(cpu_seconds() - before, 3)])
        with (item.config.rootpath / path).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    return result


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of those that it waited for."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def slower_than(seconds: float, records: Iterable[str]) -> list[str]:
    """Return the names in records that took longer at least once."""
    pairs = map(json.loads, records)
    return sorted({name for name, taken in pairs if taken > seconds})


def main(arguments: Sequence[str]) -> None:
    """Write the list from a file of records."""
    with Path(arguments[0]).open(encoding="utf-8") as records:
        names = slower_than(SECONDS, records)
    LIST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    print(f"{LIST}: {len(names)} tests")


if __name__ == "__main__":
    main(sys.argv[1:])
