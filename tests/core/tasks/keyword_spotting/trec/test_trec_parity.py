"""Random files in any layout that trec_eval reads have pytrec_eval's exact numbers."""

from __future__ import annotations

import gzip
import math
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support.files.trec import WAYS, read_in_one_way, write_pair

pytrec_eval = pytest.importorskip("pytrec_eval")

NAMES = ("a", "B", "9", "10", "é", "日本", "x" * 300, '"q"', "a,b", "#d", "~", "\u2028z")
STANDARD = pytrec_eval.supported_measures - {"runid", "relstring"}
PARAMETERS = {
    "iprec_at_recall.0.05,0.25,0.77,1.0",
    "P.1,3,7,2000",
    "recall.2,9",
    "success.2,4",
    "ndcg_cut.1,3,17",
    "map_cut.1,4,9",
    "relative_P.3,8",
    "Rprec_mult.0.1,0.5,3.3",
}
SPELLINGS = ("{!r}", "{:.4e}", "{:+.3f}", "{:.1f}", "{:.0f}.", "{:.20f}", "{:.17g}")
Judged = dict[str, dict[str, int]]
Listed = dict[str, dict[str, float]]


def judged_by(dice: random.Random) -> Judged:
    names = [*NAMES, *(f"d{number}" for number in range(dice.choice([5, 20, 60])))]
    judged = {}
    for number in range(dice.randint(1, 5)):
        grades = [0, 0, 1, dice.choice([1, 3, 12]), -1 if dice.random() < 0.3 else 0]
        chosen = dice.sample(names, dice.randint(1, len(names)))
        # pytrec_eval reads memory that is not its own where all grades are negative.
        judged[f"q{number}"] = {name: dice.choice(grades) for name in chosen} | {chosen[0]: 1}
    return judged


def listed_by(dice: random.Random, judged: Judged) -> Listed:
    names = [*NAMES, *(f"d{number}" for number in range(40))]
    queries = ["unknown", *judged] if dice.random() < 0.3 else list(judged)
    missing = dice.choice(queries) if len(judged) > 1 else ""
    return {
        query: {
            name: round(
                dice.gauss(0, 2) * 10 ** dice.choice([0, 0, 6, -6, 30]), dice.choice([0, 8])
            )
            for name in dice.sample(names, dice.randint(1, len(names)))
        }
        for query in queries
        if query != missing
    }


def lines_of(dice: random.Random, rows: list[list[str]]) -> bytes:
    """Return the rows with any blanks, line ends, comments and blank lines between them."""

    def lines() -> Iterator[str]:
        for row in rows:
            if dice.random() < 0.1:
                yield dice.choice(["", "  ", "# a comment", "\t"])
            blank = dice.choice([" ", "\t", "  ", " \t "])
            yield blank * dice.randrange(2) + blank.join(row) + blank * dice.randrange(2)

    end = dice.choice(["\n", "\r\n"])
    data = (end.join(lines()) + end * dice.randrange(2)).encode()
    data = b"\xef\xbb\xbf" * dice.randrange(2) + data
    return gzip.compress(data) if dice.random() < 0.2 else data


def expected(judged: Judged, listed: Listed, level: int) -> Mapping[str, Mapping[str, float]]:
    standard, parameters = (
        pytrec_eval.RelevanceEvaluator(judged, measures, relevance_level=level).evaluate(listed)
        for measures in (STANDARD, PARAMETERS)
    )
    return {query: {**standard[query], **parameters[query]} for query in standard}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(12))
def test_every_measure_of_random_files_equals_pytrec_eval_s(
    seed: int, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in_one_way(way, monkeypatch)
    dice = random.Random(seed)
    judged = judged_by(dice)
    listed = listed_by(dice, judged)
    rows = [[q, "0", name, str(grade)] for q in judged for name, grade in judged[q].items()]
    results = []
    for query, name in [(one, name) for one, names in listed.items() for name in names]:
        written = dice.choice(SPELLINGS).format(listed[query][name])
        listed[query][name] = float(written)
        rank = dice.choice(["1", "x", "-1", "99999999999999999999", "1.5"])
        results.append([query, "Q0", name, rank, written, "run", *["more"] * dice.randrange(2)])
    dice.shuffle(rows)
    dice.shuffle(results)
    level = dice.choice([1, 1, 2, 3])
    theirs = expected(judged, listed, level)
    measures = sorted(next(iter(theirs.values())))
    pair = write_pair(tmp_path, lines_of(dice, rows), lines_of(dice, results))
    items = pair.evaluation(level=float(level), measures=",".join(measures)).items
    ours = {
        query: {name: float(items.columns[name][item]) for name in measures}
        for item, query in enumerate(items.ids)
    }
    assert ours == theirs
    assert not any(math.isnan(value) for values in ours.values() for value in values.values())
