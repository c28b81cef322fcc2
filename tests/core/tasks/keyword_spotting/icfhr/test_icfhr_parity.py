"""Random ICFHR 2014 files have the numbers of the specification's table, computed word by word."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.files.icfhr import judgements_text, results_text

Word = tuple[str, int, int, int, int]
Graded = tuple[Word, float | None]
Hit = tuple[bool, float]


def any_word(dice: random.Random, near: Sequence[Word]) -> Word:
    """Return a word on one of two pages; often one of `near`, there or elsewhere, or nearby."""
    place = (dice.randint(-5, 30), dice.randint(-5, 30), dice.randint(1, 12), dice.randint(1, 12))
    page = dice.choice(["p1", "ä&quot;2"])
    if not near or dice.random() < 0.5:
        return (page, *place)
    name, x, y, width, height = dice.choice(near)
    same = (name, x, y, width, height)
    beside = (name, x + dice.randint(-3, 3), y, max(1, width + dice.randint(-2, 2)), height)
    return dice.choice([same, (page, x, y, width, height), beside])


def files(dice: random.Random) -> tuple[dict[str, list[Graded]], dict[str, list[Word]]]:
    judged: dict[str, list[Graded]] = {}
    listed: dict[str, list[Word]] = {}
    for query in ["q10", "q2", "Ü"][: dice.randint(1, 3)]:
        words: list[Word] = []
        for _ in range(dice.choice([0, 1, 4, 8, 15])):
            words.append(any_word(dice, words[:1]))
        judged[query] = [(word, dice.choice([None, 1.0, 0.0, 0.5, 0.9])) for word in words]
        listed[query] = [any_word(dice, words) for _ in range(dice.choice([0, 3, 7, 12, 40]))]
    listed["q10"] = listed["q10"] or [any_word(dice, ())]
    return judged, listed


def tag(word: Word, grade: float | None = None) -> str:
    name, x, y, width, height = word
    relevance = "" if grade is None else f' Relevance="{grade}"'
    box = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'    <word document="{name}" {box}{relevance} />'


def covered(word: Word, relevant: Word) -> float:
    """Return the intersection divided by the area of the relevant box, on the same page."""
    sides = [
        min(relevant[i] + relevant[i + 2], word[i] + word[i + 2]) - max(relevant[i], word[i])
        for i in (1, 2)
    ]
    both = max(sides[0], 0) * max(sides[1], 0)
    return both / (relevant[3] * relevant[4]) if word[0] == relevant[0] else 0.0


def hits(profile: str, judged: list[Graded], listed: list[Word]) -> tuple[list[Hit], list[float]]:
    """Return whether each listed word is a hit, with its gain; the gains of all relevant words."""
    missing = 0.0 if profile == "icfhr" else 1.0
    relevant = [(word, missing if grade is None else grade) for word, grade in judged]
    if profile == "corrected":
        relevant = list({word: (word, grade) for word, grade in reversed(relevant)}.values())
    free = list(relevant)
    found: list[Hit] = []
    for word in listed:
        if profile == "published":
            fitting = [one for one in relevant if one[0][1:] == word[1:]]
            fitting.sort(key=lambda one: one[0] != word)
        elif profile == "corrected":
            fitting = [one for one in free if one[0] == word]
        else:
            fitting = [one for one in free if covered(word, one[0]) > 0.7]
        if fitting and profile != "published":
            free.remove(fitting[0])
        found.append((bool(fitting), fitting[0][1] if fitting else 0.0))
    return found, [grade for _, grade in relevant]


def values(profile: str, found: list[Hit], gains: list[float]) -> dict[str, float]:
    """Return the measures of one query by the specification; undefined without relevant words."""
    relevant, listed = len(gains), len(found)
    is_hit = [hit for hit, _ in found]

    def possible(k: int) -> int:
        return min(k, relevant, listed) if profile == "icfhr" else min(k, relevant)

    def weight(rank: int) -> float:
        if profile == "icfhr":
            return 1.0 if rank == 1 else 1 / math.log(rank)
        return 1 / math.log2(rank + 1)

    def gain(grades: list[float]) -> float:
        return sum(grade * weight(rank) for rank, grade in enumerate(grades, 1))

    def share(part: float, whole: float) -> float:
        return part / whole if whole else 0.0

    ranks = [rank for rank, hit in enumerate(is_hit, 1) if hit]
    number = np.float32 if profile == "published" else np.float64
    total = number(0)
    for nth, rank in enumerate(ranks, 1):
        total += number(nth) / number(rank)
    return {
        "precAt5": share(sum(is_hit[:5]), possible(5)),
        "precAt10": share(sum(is_hit[:10]), possible(10)),
        "P_10": sum(is_hit[:10]) / 10,
        "ap": float(total / number(relevant)),
        "Rprec": share(sum(is_hit[:relevant]), possible(relevant)),
        "recip_rank": 1 / ranks[0] if ranks else 0.0,
        "ndcg": share(gain([grade for _, grade in found]), gain(sorted(gains, reverse=True))),
        "ndcg_binary": share(gain([float(hit) for hit in is_hit]), gain([1.0] * relevant)),
        "num_rel": float(relevant),
    }


@pytest.mark.parametrize("missing", ["skip", "zero"])
@pytest.mark.parametrize("profile", ["published", "corrected", "icfhr"])
@pytest.mark.parametrize("seed", range(12))
def test_every_measure_of_random_files_equals_that_of_the_table(
    seed: int, profile: str, missing: str, tmp_path: Path
) -> None:
    judged, listed = files(random.Random(seed))
    inputs = {"relevance": (tmp_path / "gt.xml",), "results": (tmp_path / "res.xml",)}
    texts = (
        judgements_text({q: [tag(*word) for word in judged[q]] for q in judged}),
        results_text({q: [tag(word) for word in listed[q]] for q in listed}),
    )
    for (path,), text in zip(inputs.values(), texts, strict=True):
        path.write_text(text, encoding="utf-8")
    options = KeywordSpottingOptions(profile=profile, missing=missing)
    relevance = TASK.readers.read_references(inputs, options, Run()).data
    assert relevance is not None
    lists = TASK.readers.read_submission(inputs["results"][0], relevance, options, Run()).data
    assert lists is not None
    items = TASK.scoring.evaluate(relevance, lists, options, Run()).items
    assert set(items.ids) == {q for q in judged if listed[q] or missing == "zero"}
    for item, query in enumerate(items.ids):
        found, gains = hits(profile, judged[query], listed[query])
        ours = {name: float(column[item]) for name, column in items.columns.items()}
        if not gains:
            assert all(math.isnan(ours[name]) for name in ours if name != "group")
            continue
        theirs = values(profile, found, gains)
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=1e-12)
