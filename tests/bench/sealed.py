"""How far a team climbs a hidden board by looking often, without getting better.

    python tests/bench/sealed.py [REPETITIONS]

A system is right on 70 % of 1,000 hidden items and guesses on 400 of them. Each entry guesses some
of these anew; the team keeps what it is told to be better. Its real accuracy never changes, so
that all it gains is chance. For each policy and number of looks, the number of items that are
guessed anew is the one that gains most. Figures: `docs/sealed.md`.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from jurydesk.core.model.evaluation import Interval, MetricInfo, Score
from jurydesk.core.workflow.entries.returned_scores import (
    is_new_best,
    standard_error,
    told_score,
)

ITEMS, GUESSED, RIGHT = 1000, 400, 500
"""Hidden items, those that are guessed, and those of the others that are right."""
ACCURACY = MetricInfo("accuracy", "Accuracy", "", (0.0, 1.0), "higher", "")
STEPS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 400)
Z = 1.959963984540054


@dataclass(frozen=True)
class Policy:
    """What is told: rounded scores or exact ones, with or without the Ladder."""

    title: str
    rounds: bool
    ladder: bool


POLICIES = (
    Policy("exact scores", rounds=False, ladder=False),
    Policy("rounded", rounds=True, ladder=False),
    Policy("Ladder", rounds=False, ladder=True),
    Policy("default: rounded, Ladder", rounds=True, ladder=True),
)


def score_of(right: int) -> Score:
    """Return the accuracy with its interval, that of a mean of items."""
    value = right / ITEMS
    half = Z * math.sqrt(value * (1 - value) / ITEMS)
    return Score("accuracy", value, ITEMS, interval=Interval(value - half, value + half))


def climb(policy: Policy, looks: int, step: int, dice: np.random.Generator) -> float:
    """Return the accuracy on the hidden items less 0.7 after a number of looks."""
    guesses = dice.random(GUESSED) < 0.5
    best, told = guesses, -1.0
    counted = math.nan
    for _ in range(looks):
        entry = best.copy()
        chosen = dice.choice(GUESSED, step, replace=False)
        entry[chosen] = dice.random(step) < 0.5
        score = score_of(RIGHT + int(entry.sum()))
        error = standard_error(score, ACCURACY)
        counts = math.isnan(counted) or is_new_best(score.value, counted, error, "higher")
        if policy.ladder and not counts:
            continue
        value = float(told_score(score, ACCURACY, rounds=policy.rounds)["value"])
        if counts:
            counted = score.value
        if value > told or (policy.ladder and counts):
            best, told = entry, value
    return (RIGHT + int(best.sum())) / ITEMS - (RIGHT + GUESSED / 2) / ITEMS


def most_gained(policy: Policy, looks: int, repetitions: int) -> tuple[float, int]:
    """Return the largest mean gain over the numbers of items guessed anew, and that number."""
    dice = np.random.default_rng(46)
    gains = {
        step: float(np.mean([climb(policy, looks, step, dice) for _ in range(repetitions)]))
        for step in STEPS
    }
    return max((gain, step) for step, gain in gains.items())


def main(repetitions: int) -> None:
    print("| policy | 5 looks | 500 looks |\n|---|---:|---:|")
    for policy in POLICIES:
        cells = []
        for looks in (5, 500):
            gain, step = most_gained(policy, looks, repetitions)
            cells.append(f"{100 * gain:+.1f} ({step})")
        print(f"| {policy.title} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
