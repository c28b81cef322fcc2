"""A saved desk of many systems on many queries, which benchmarks open like a user."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.model.evaluation import Evaluation, FloatArray, Interval, Score
from jurydesk.core.model.options import options_json
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedItem, RankedList
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from support.windows import evaluations, layout_states

LISTED, HITS = 40, 8
TOLD = 2
"""Number of the best systems, whose lists are stored; benchmarks open no others."""


def write(path: Path, systems: int, items: int) -> None:
    """Write the desk: every system with its columns, intervals and curves."""
    rng = np.random.default_rng(0)
    ease = rng.beta(1.2, 1.2, items)
    with Desk.create(path) as desk:
        desk.set_competition("keyword-spotting", "Many", options_json(KeywordSpottingOptions()))
        for number in range(systems):
            noise = rng.random(items)
            ap = np.clip(ease * 0.6 + noise * 0.4 - 0.002 * number, 0, 1)
            desk.add(_system(number, ap, told=number < TOLD))


def write_example(path: Path, competition: str, systems: int, items: int) -> None:
    """Write a desk of a competition's example, repeated to so many systems and items."""
    scored = layout_states.score_example(registry().tasks[competition], path.parent / "example")
    size, zoom, mode = layout_states.SIZES[0], layout_states.ZOOMS[0], layout_states.MODES[0]
    state = layout_states.State(
        competition, systems, items, layout_states.OWN, size=size, zoom=zoom, mode=mode
    )
    layout_states.write_desk(path, scored, state)


def _system(number: int, ap: FloatArray, *, told: bool) -> Evaluation:
    made = evaluations.retrieval(len(ap), f"system-{number:02d}", number + 1)
    columns = {
        "precAt5": np.round(5 * ap) / 5,
        "precAt10": np.round(10 * ap) / 10,
        "ap": ap,
        "num_rel": np.full(len(ap), 8.0),
    }
    (curve,) = made.figures
    hit = np.ceil(HITS * curve.x) / HITS
    steps = curve.members[:, np.searchsorted(curve.x, hit - 1e-9)]
    curve = replace(curve, form="steps", mean=np.nanmean(steps, axis=0), members=steps)
    scores = tuple(
        Score(name, mean, len(ap), float(columns[name].std()), Interval(mean - 0.01, mean + 0.01))
        for name in ("precAt5", "precAt10", "ap")
        if (mean := float(columns[name].mean()))
    )

    def evidence(item: int) -> RankedList:
        drawn = np.random.default_rng(number * len(ap) + item).integers(0, 900, (LISTED, 5))
        words = tuple(
            RankedItem(rank, f"page_{page:03d}", page % 3 == 0, 1.0, box=(x, y, 40 + w, 20 + h))
            for rank, (page, x, y, w, h) in enumerate(drawn.tolist(), start=1)
        )
        return RankedList(made.items.ids[item], LISTED, 20, words, words[:3], ())

    stored = evaluations.RankedEvidence(len(ap), evidence) if told else None
    items = replace(made.items, columns=columns, evidence=stored)
    return replace(made, scores=scores, items=items, figures=(curve,))
