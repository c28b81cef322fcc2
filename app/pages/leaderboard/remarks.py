"""Remarks on the reliability of a board's columns: raters, models of random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jurydesk.app.pages.leaderboard.leaderboard_model import Remark
from jurydesk.app.style.numbers import count, quantity

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.results.findings import StudyFindings

RANDOM = Remark(
    "models of random numbers",
    "Not reliable: random numbers replace the models. Choose real ones on the page Models.",
    is_reliable=False,
)


def rating_remarks(people: StudyFindings | None) -> dict[str, Remark]:
    """Return a remark for each question that raters were asked."""
    if people is None:
        return {}
    raters = sum(one.done > 0 for one in people.raters)
    entries = {
        one.question: max((score.n for score in one.scores), default=0) for one in people.outcomes
    }
    return {
        info.name: _of_raters(raters, entries.get(info.name, 0), people.entry)
        for info in people.metrics
    }


def _of_raters(raters: int, entries: int, nouns: tuple[str, str]) -> Remark:
    who, what = quantity(raters, "rater"), quantity(entries, *nouns)
    if raters == 1:
        sentence = f"Not reliable: only 1 rater judged {what} of each system."
        return Remark("1 rater", sentence, is_reliable=False)
    return Remark(f"{who}, {count(entries)}", f"{who} judged {what} of each system.")


def random_remarks(options: Any) -> dict[str, Remark]:
    """Return a remark for each metric whose model is replaced by random numbers."""
    meaningless = getattr(options, "meaningless_metrics", None)
    return dict.fromkeys(meaningless(), RANDOM) if meaningless is not None else {}
