"""Cache of the findings in the desk, one per state of the desk.

They follow only from the answers and evaluations in the desk. With the cache a board opens at once,
also without the files that were scored.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence

from jurydesk.core.desk import Desk, Summary
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.answers.merge_answers import find_conflicts
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.findings import StudyFindings
from jurydesk.core.human_evaluation.results.metric_correlation import (
    correlate_metrics,
    rating_metrics,
)
from jurydesk.core.human_evaluation.results.ranking import agreements, question_results, story_means
from jurydesk.core.human_evaluation.results.rater_reports import rater_reports
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.statistics.inference import Inference

CACHE_KEY = "findings of ratings"
VERSION = 6
STEPS = 4


def load_findings(desk: Desk, run: Run, *, keep: bool = True) -> StudyFindings | None:
    """Load the findings of a desk; None without answers. Raises Cancelled.

    Cached findings are reused. With `keep`, new ones are stored, unless the desk is read-only.
    """
    store = RatingStore(desk)
    answers = store.fingerprint()
    if not answers:
        return None
    summaries = desk.evaluations()
    state = _state(answers, summaries, load_inference(desk))
    cached = _load_cached(desk, state)
    if cached is not None:
        return cached
    found = _compute(desk, store, summaries, run)
    if keep and not desk.read_only:
        content = json.dumps({"state": state, "findings": to_json(found)})
        desk.cache.put(CACHE_KEY, zlib.compress(content.encode()))
    return found


def _state(answers: str, summaries: Sequence[Summary], inference: Inference) -> str:
    scored = [[one.id, one.system, one.profile, to_json(one.scores)] for one in summaries]
    whole = json.dumps([VERSION, answers, scored, inference.interval, inference.grouped])
    return hashlib.sha256(whole.encode()).hexdigest()


def _load_cached(desk: Desk, state: str) -> StudyFindings | None:
    content = desk.cache.get(CACHE_KEY)
    if content is None:
        return None
    try:
        data = json.loads(zlib.decompress(content))
        return from_json(StudyFindings, data["findings"]) if data["state"] == state else None
    except (ValueError, KeyError, TypeError, zlib.error):
        return None  # damaged: it is computed again


def _compute(
    desk: Desk, store: RatingStore, summaries: Sequence[Summary], run: Run
) -> StudyFindings:
    def step(done: int, text: str) -> None:
        run.report(done, STEPS, text)

    def check(done: int) -> None:
        run.check()

    step(0, "Reading the ratings")
    ratings = load_ratings(store)
    step(1, "Ranking the systems")
    inference = load_inference(desk)
    found = question_results(ratings, inference=inference)
    step(2, "Computing agreement")
    agreed = agreements(ratings, check=check, inference=inference)
    step(3, "Correlating metrics with ratings")
    profiles = dict.fromkeys(one.profile for one in summaries)
    return StudyFindings(
        ratings.study.pool.systems,
        ratings.study.words.entry,
        tuple(ratings.study.pool.items[one].id for one in ratings.sequences),
        rating_metrics(ratings, found),
        found,
        agreed,
        rater_reports(ratings),
        {
            profile: correlate_metrics(
                desk, ratings, [s for s in summaries if s.profile == profile], check=check
            )
            for profile in profiles
        },
        story_means(ratings),
        tuple(find_conflicts(store.packets(), store.histories())),
    )
