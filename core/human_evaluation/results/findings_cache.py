"""Findings made once for each state of a desk, and kept in it.

They follow from the answers and evaluations in the desk alone. Kept, a board opens at once, also
long after, without the files that the numbers came from.
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
from jurydesk.core.human_evaluation.results.findings_json import findings_from_json, findings_json
from jurydesk.core.human_evaluation.results.metric_correlation import (
    correlate_metrics,
    rating_metrics,
)
from jurydesk.core.human_evaluation.results.ranking import agreements, question_results, story_means
from jurydesk.core.human_evaluation.results.rater_reports import rater_reports
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.model.json_codec import score_json
from jurydesk.core.statistics.inference import Inference

KEPT_AS = "findings of ratings"
VERSION = 5
STEPS = 4


def load_findings(desk: Desk, run: Run, *, keep: bool = True) -> StudyFindings | None:
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
    kept = _load_cached(desk, state)
    if kept is not None:
        return kept
    found = _compute(desk, store, summaries, run)
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


def _load_cached(desk: Desk, state: str) -> StudyFindings | None:
    content = desk.cache.get(KEPT_AS)
    if content is None:
        return None
    try:
        data = json.loads(zlib.decompress(content))
        return findings_from_json(data["findings"]) if data["state"] == state else None
    except (ValueError, KeyError, TypeError, zlib.error):
        return None  # damaged: it is made again


def _compute(
    desk: Desk, store: RatingStore, summaries: Sequence[Summary], run: Run
) -> StudyFindings:
    def step(done: int, what: str) -> None:
        run.report(done, STEPS, what)

    def check(done: int) -> None:
        run.check()

    step(0, "Reading the ratings")
    ratings = load_ratings(store)
    step(1, "Ranking the systems")
    inference = load_inference(desk)
    found = question_results(ratings, inference=inference)
    step(2, "How far raters agree")
    agreed = agreements(ratings, check=check, inference=inference)
    step(3, "How far metrics follow people")
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
