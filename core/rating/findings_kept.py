"""Findings made once for each state of a desk, and kept in it.

They follow from the answers and evaluations in the desk alone. Kept, a board opens at once, also
long after, without the files that the numbers came from.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence

from core.desk import Desk, Summary
from core.desk.inference import load_inference
from core.rating.board import correlations, rating_metrics
from core.rating.findings import Findings
from core.rating.findings_record import findings_from_json, findings_json
from core.rating.merge import conflicts
from core.rating.raters import rater_reports
from core.rating.ratings import ratings_in
from core.rating.results import agreements, outcomes, story_means
from core.rating.store import RatingStore
from core.record import score_json
from core.run.run import Run
from core.stats.inference import Inference

KEPT_AS = "findings of ratings"
VERSION = 4
STEPS = 4


def findings_in(desk: Desk, run: Run, *, keep: bool = True) -> Findings | None:
    """The findings of a desk; None where it holds no answers. Raises Cancelled.

    What was found before is taken from the desk. With `keep`, what is new is kept there, unless
    the desk is for reading only.
    """
    store = RatingStore(desk)
    answers = store.fingerprint()
    if not answers:
        return None
    summaries = desk.evaluations()
    state = _state(answers, summaries, load_inference(desk))
    kept = _kept(desk, state)
    if kept is not None:
        return kept
    found = _found(desk, store, summaries, run)
    if keep and not desk.read_only:
        content = json.dumps({"state": state, "findings": findings_json(found)})
        desk.cache.put(KEPT_AS, zlib.compress(content.encode()))
    return found


def _state(answers: str, summaries: Sequence[Summary], inference: Inference) -> str:
    """A hash of all that findings follow from."""
    scored = [
        [one.id, one.system, one.profile, list(map(score_json, one.scores))] for one in summaries
    ]
    whole = json.dumps([VERSION, answers, scored, inference.interval, inference.grouped])
    return hashlib.sha256(whole.encode()).hexdigest()


def _kept(desk: Desk, state: str) -> Findings | None:
    content = desk.cache.get(KEPT_AS)
    if content is None:
        return None
    try:
        data = json.loads(zlib.decompress(content))
        return findings_from_json(data["findings"]) if data["state"] == state else None
    except (ValueError, KeyError, TypeError, zlib.error):
        return None  # damaged: it is made again


def _found(desk: Desk, store: RatingStore, summaries: Sequence[Summary], run: Run) -> Findings:
    def step(done: int, what: str) -> None:
        run.report(done, STEPS, what)

    def check(done: int) -> None:
        run.check()

    step(0, "Reading the ratings")
    ratings = ratings_in(store)
    step(1, "Ranking the systems")
    found = outcomes(ratings, inference=load_inference(desk))
    step(2, "How far raters agree")
    agreed = agreements(ratings, check=check)
    step(3, "How far metrics follow people")
    profiles = dict.fromkeys(one.profile for one in summaries)
    return Findings(
        ratings.study.pool.systems,
        ratings.study.words.entry,
        tuple(ratings.study.pool.items[one].id for one in ratings.sequences),
        rating_metrics(ratings, found),
        found,
        agreed,
        rater_reports(ratings),
        {
            profile: correlations(
                desk, ratings, [s for s in summaries if s.profile == profile], check=check
            )
            for profile in profiles
        },
        story_means(ratings),
        tuple(conflicts(store.packets(), store.histories())),
    )
