"""Stored lists of boxes at another overlap than they were scored with."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from jurydesk.core.metrics.spotting.claims import HIT, NONE
from jurydesk.core.metrics.spotting.overlap_what_if import (
    CandidateList,
    OverlapOutcome,
    OverlapWhatIf,
)
from jurydesk.core.metrics.spotting.protocols import SpottingRules
from jurydesk.core.metrics.spotting.score_what_if import ScoredEvents
from jurydesk.core.model.json_codec import from_json
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    Box,
    RankedItem,
    RankedList,
)


def stored_rules(ranked: RankedList) -> SpottingRules:
    """Return the rules under which a list was scored."""
    return from_json(SpottingRules, json.loads(ranked.rules))


def candidate_list(ranked: RankedList) -> CandidateList:
    """Return the scores and candidates of a list."""
    scores, rank, target, overlap = ranked.candidates
    return CandidateList(
        np.array(scores, np.float64),
        ranked.relevant,
        np.array(rank, np.int64),
        np.array(target, np.int64),
        np.array(overlap, np.float64),
    )


def list_at(ranked: RankedList, what_if: OverlapWhatIf, outcome: OverlapOutcome) -> RankedList:
    """Return a list with the verdicts of an outcome; what is found no more is missed."""
    words = _words(ranked, what_if)
    verdicts, targets = outcome.verdict.tolist(), outcome.target.tolist()
    items = [_judged(one, verdicts, targets, words) for one in ranked.items]
    shown = {one.rank for one in items}
    items += [
        _deep_hit(ranked, place + 1, words[targets[place]])
        for place in np.flatnonzero(outcome.verdict == HIT).tolist()
        if place + 1 not in shown and targets[place] in words
    ]
    items.sort(key=lambda one: one.rank)
    found = set(outcome.target[outcome.target != NONE].tolist())
    missed = tuple(
        RankedItem(0, word.name, False, 1.0, box=word.box, text=word.text)
        for target, word in sorted(words.items())
        if target not in found
    )
    return replace(ranked, items=tuple(items), missed=missed)


def scored_events(ranked: RankedList) -> ScoredEvents:
    """Return the events of a word of a table."""
    scores, ranks = ranked.candidates[:2]
    is_relevant = np.zeros(len(scores), np.bool_)
    is_relevant[np.array(ranks, np.int64) - 1] = True
    return ScoredEvents(np.array(scores, np.float64), is_relevant, ranked.relevant)


def list_above(ranked: RankedList, threshold: float) -> RankedList:
    """Return a list of a table without the events below a score; relevant ones are missed."""
    kept = tuple(one for one in ranked.items if one.score >= threshold)
    cut = (one for one in ranked.items if one.score < threshold and one.hit)
    missed = (*(replace(one, rank=0, hit=False) for one in cut), *ranked.missed)
    listed = sum(score >= threshold for score in ranked.candidates[0])
    return replace(ranked, items=kept, missed=missed, listed=listed)


def _deep_hit(ranked: RankedList, rank: int, word: RankedItem) -> RankedItem:
    """Return a hit below the ranks that are stored, whose own box is not known."""
    score = ranked.candidates[0][rank - 1]
    return RankedItem(
        *(rank, word.name, True, 1.0, score, None, word.text), near=word.box, verdict=HIT
    )


def _words(ranked: RankedList, what_if: OverlapWhatIf) -> dict[int, RankedItem]:
    """Return the relevant words by number: those that were hit, and in their order the missed."""
    scored = what_if.at(what_if.rules.threshold).target.tolist()
    known: dict[int, RankedItem] = {}
    for one in ranked.items:
        target = scored[one.rank - 1] if one.rank <= len(scored) else NONE
        if target != NONE and one.near is not None:
            known[target] = RankedItem(0, one.name, False, box=one.near, text=one.text)
    number = 0
    for word in ranked.missed:
        while number in known:
            number += 1
        known[number] = word
    return known


def _judged(
    one: RankedItem, verdicts: list[int], targets: list[int], words: dict[int, RankedItem]
) -> RankedItem:
    verdict, target = verdicts[one.rank - 1], targets[one.rank - 1]
    near: Box | None = one.near
    if target in words:
        near = words[target].box
    hit = verdict == HIT
    return replace(one, hit=hit, verdict=verdict, gain=1.0 if hit else float("nan"), near=near)
