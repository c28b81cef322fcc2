"""Slider of the least overlap: verdicts on a list, and mean AP, at any threshold."""

from __future__ import annotations

from collections.abc import Sequence

from jurydesk.app.inspectors.keyword_spotting.list_lab import ListLab
from jurydesk.core.language import translate
from jurydesk.core.metrics.spotting.overlap_what_if import OverlapWhatIf
from jurydesk.core.tables import numbers
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import RankedList
from jurydesk.core.tasks.keyword_spotting.overlap_lists import (
    candidate_list,
    list_at,
    stored_rules,
)

LEAST = 0.01


class OverlapLab(ListLab):
    """Dial of the least overlap, at which only the claims are made again."""

    def __init__(self) -> None:
        super().__init__(translate("Overlap"), translate("Least overlap"), LEAST)

    def fits(self, ranked: RankedList) -> bool:
        return ranked.has_candidates

    def as_scored(self, ranked: RankedList) -> float:
        return stored_rules(ranked).threshold

    def what_if(self, lists: Sequence[RankedList]) -> OverlapWhatIf:
        return OverlapWhatIf([candidate_list(one) for one in lists], stored_rules(lists[0]))

    def list_at(self, ranked: RankedList, threshold: float) -> tuple[RankedList, str]:
        what_if = self.what_if([ranked])
        outcome = what_if.at(threshold)
        own = translate("AP of this query {ap}.", ap=numbers.number(float(outcome.ap[0])))
        return list_at(ranked, what_if, outcome), own

    def describe_all(self, whole: OverlapWhatIf, threshold: float) -> str:
        all_of_them, scored = whole.at(threshold), whole.at(whole.rules.threshold)
        return translate(
            "Mean AP {mean} ({scored} as scored): {hits}, {repeated}, {wrong}.",
            mean=numbers.number(all_of_them.mean),
            scored=numbers.number(scored.mean),
            hits=numbers.quantity(all_of_them.hits, "hit"),
            repeated=numbers.quantity(all_of_them.repetitions, "repetition"),
            wrong=numbers.quantity(all_of_them.false_positives, "false positive"),
        )
