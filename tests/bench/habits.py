"""Files with the habits of people, in every role: `python tests/bench/habits.py --count 2000`.

Each changed file is scored equal to its clean twin with a note, refused with the right cause, or
counted as WRONG and printed. The table is recorded in `tests/bench/habits.md`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.habits.attempts import attempts
from support.habits.sound_files import sound_files


def main() -> int:
    """Try the files, print the wrong ones and the table, and return 1 if any is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the changed files")
    options = parser.parse_args()
    by_habit: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory(prefix="jurydesk-habits-") as folder:
        os.environ.update(JURYDESK_LANG="en")
        place = options.keep or Path(folder) / "changed"
        files = sound_files(Path(folder))
        for sound, habit, before, after, path in attempts(
            files, place, options.count, options.seed
        ):
            verdict = habit.judge(before, after, alone=sound.is_alone)
            by_habit.setdefault(habit.name, Counter())[verdict] += 1
            if verdict == "WRONG":
                told = [str(one) for one in after.errors or after.says_more_than(before)]
                print(f"{sound.name} | {habit.name} | {path} | {told[:2]}", flush=True)
    verdicts = ("equal", "equal, named", "refused", "other, named", "WRONG")
    print("| habit |", " | ".join(verdicts), "|")
    for name in sorted(by_habit):
        print(f"| {name} |", " | ".join(str(by_habit[name][one]) for one in verdicts), "|")
    total = sum(by_habit.values(), Counter[str]())
    print("| all |", " | ".join(str(total[one]) for one in verdicts), "|")
    return bool(total["WRONG"])


if __name__ == "__main__":
    sys.exit(main())
