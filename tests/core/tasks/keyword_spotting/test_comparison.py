"""Systems of ranked lists are compared as by ranx 0.3.21 (`compare`, 10,000 permutations)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.comparison.pairwise import MetricComparison, compare_systems
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.files.trec import judgement_lines, result_lines, write_pair

RANX = {
    # pair, measure: the first's score, Student's p, Fisher's p, wins, ties, losses
    ("A", "B", "map"): (0.36870995351691505, 8.966532573389552e-06, 0.0, 9, 0, 31),
    ("A", "B", "recip_rank"): (0.5877588383838384, 0.04591517774018528, 0.0457, 9, 11, 20),
    ("A", "B", "ndcg"): (0.6238786302910169, 0.000292512333452361, 0.0007, 9, 0, 31),
    ("A", "C", "map"): (0.36870995351691505, 4.3357090460812935e-07, 0.0, 5, 0, 35),
    ("A", "C", "recip_rank"): (0.5877588383838384, 0.001215775547558991, 0.0013, 4, 14, 22),
    ("A", "C", "ndcg"): (0.6238786302910169, 1.3269916610063626e-06, 0.0, 6, 0, 34),
    ("B", "C", "map"): (0.49123329732554455, 0.08653752649382579, 0.0871, 15, 0, 25),
    ("B", "C", "recip_rank"): (0.7516666666666666, 0.21320563216236796, 0.2099, 8, 19, 13),
    ("B", "C", "ndcg"): (0.7180667952321165, 0.08809295498613258, 0.0922, 15, 0, 25),
}


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entrant]:
    """Return three systems of increasing quality: five of thirty documents are relevant."""
    random = np.random.default_rng(7).random
    judged: dict[str, dict[str, int]] = {}
    listed: dict[str, dict[str, list[tuple[str, float]]]] = {name: {} for name in "ABC"}
    for query in range(40):
        relevant = np.argsort(random(30))[:5]
        judged[f"q{query}"] = {f"d{document}": 1 for document in relevant}
        shared = random(30)
        for name, gain in zip("ABC", (0.25, 0.4, 0.45), strict=True):
            scores = shared + random(30) * 0.8
            scores[relevant] += gain
            listed[name][f"q{query}"] = [
                (f"d{document}", round(float(score), 4)) for document, score in enumerate(scores)
            ]
    return {
        name: _entrant(name, tmp_path_factory.mktemp(name), judgement_lines(judged), lists)
        for name, lists in listed.items()
    }


def _entrant(name: str, folder: Path, judgements: str, lists: dict) -> Entrant:
    evaluation = write_pair(folder, judgements, result_lines(lists)).evaluation()
    return Entrant(name, evaluation.score("map").value, evaluation.items)


@pytest.fixture(params=RANX, ids="-".join)
def compared(request: pytest.FixtureRequest, systems: dict[str, Entrant]) -> tuple:
    first, second, name = request.param
    metric = TASK.metric(name)
    found = compare_systems(TASK, metric, "published", systems[first], systems[second], Run())
    return found, RANX[request.param]


def p_value(comparison: MetricComparison, test: str) -> float:
    return next(one.p for one in comparison.tests if one.name == test)


def test_scores_and_wins_equal_ranx_s(compared) -> None:
    comparison, (score, _, _, *outcomes) = compared
    items = comparison.items
    assert items.first.mean() == pytest.approx(score, rel=1e-12)
    assert [items.wins, items.ties, items.losses] == outcomes


def test_student_s_p_value_equals_ranx_s(compared) -> None:
    comparison, (_, student, *_) = compared
    assert p_value(comparison, "paired t") == pytest.approx(student, rel=1e-9)


def test_fisher_s_p_value_equals_ranx_s_within_sampling_error(compared) -> None:
    comparison, (_, _, fisher, *_) = compared
    ours = p_value(comparison, "approximate randomisation")
    deviation = np.sqrt(2 * max(fisher, 1e-4) / 10_000)
    assert abs(ours - fisher) < 4 * deviation + 1e-4
