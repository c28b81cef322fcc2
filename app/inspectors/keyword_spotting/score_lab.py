"""Slider of the least score of a table: precision, recall, F1 and errors above it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from jurydesk.app.inspectors.keyword_spotting.list_lab import ListLab
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.metrics.spotting.score_what_if import ScoreOutcome, ScoreWhatIf
from jurydesk.core.tables import numbers
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.overlap_lists import list_above, scored_events

LARGEST = 1e6
"""Size of a score up to which a slider has hundredths."""


class ScoreLab(ListLab):
    """Dial of the least score; every listed event counts at its lowest position."""

    def __init__(self) -> None:
        title = translate_text(translatable("Score", "of a hit"))
        super().__init__(title, translate("Least score"), 0.0)

    def fits(self, ranked: RankedList) -> bool:
        return ranked.has_events and all(abs(one) <= LARGEST for one in ranked.candidates[0])

    def as_scored(self, ranked: RankedList) -> float:
        low, high = self.dial.box.minimum(), self.dial.box.maximum()
        scores = ranked.candidates[0]
        wanted = min(low, math.floor(min(scores))), max(high, math.ceil(max(scores)))
        if wanted != (low, high):
            self.dial.set_range(*wanted)
        return self.dial.box.minimum()

    def what_if(self, lists: Sequence[RankedList]) -> ScoreWhatIf:
        return ScoreWhatIf([scored_events(one) for one in lists])

    def list_at(self, ranked: RankedList, threshold: float) -> tuple[RankedList, str]:
        own = describe_outcome(self.what_if([ranked]).at(threshold))
        return list_above(ranked, threshold), translate("This query: {outcome}.", outcome=own)

    def describe_all(self, whole: ScoreWhatIf, threshold: float) -> str:
        outcome = describe_outcome(whole.at(threshold))
        return translate("All queries: {outcome}.", outcome=outcome)


def describe_outcome(found: ScoreOutcome) -> str:
    """Return precision, recall, F1 and the errors of what is listed."""
    return translate(
        "precision {precision}, recall {recall}, F1 {f1}; {wrong}, {missed} missed",
        precision=numbers.number(found.precision),
        recall=numbers.number(found.recall),
        f1=numbers.number(found.f1),
        wrong=numbers.quantity(found.false_positives, "false positive"),
        missed=numbers.count(found.missed),
    )
