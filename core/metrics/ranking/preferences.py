"""Measures of preference judgements: how many judged preferences a ranked list fulfils.

Definitions of trec_eval 9.0.8 (`prefs_*`). A judgement group (JG) holds one person's preferences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType

import numpy as np

from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PreferenceJudgement:
    """Level of a document in a subgroup of a judgement group; higher levels are preferred."""

    group: str
    subgroup: str
    document: str
    level: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgementGroup:
    """Preferences of one group.

    `preferred` (documents, documents) counts the judgements that prefer one document to another.
    `relevant` and `rejected` mark documents of a level above 0 and of 0; `lowest` are the
    documents of the lowest level by rank, with repetitions, if there is one subgroup only.
    """

    preferred: IntArray
    relevant: BoolArray
    rejected: BoolArray
    lowest: IntArray | None


@dataclass(frozen=True, slots=True, eq=False)
class PreferenceStatistics:
    """Judgement groups of a query; documents are numbered by rank, listed ones (`listed`) first."""

    groups: tuple[JudgementGroup, ...]
    listed: int

    @classmethod
    def of(
        cls, judgements: Sequence[PreferenceJudgement], ranks: Mapping[str, int]
    ) -> PreferenceStatistics:
        """Return the statistics of judgements under the ranks of listed documents.

        Raises:
            ValueError: Judgements of a group contradict each other.
        """
        documents = {judgement.document for judgement in judgements}
        listed = sorted(documents & ranks.keys(), key=ranks.__getitem__)
        others = sorted(documents - ranks.keys(), key=str.encode)
        numbers = {document: number for number, document in enumerate((*listed, *others))}
        ordered = sorted(
            judgements,
            key=lambda one: (
                one.group.encode(), one.subgroup.encode(), -one.level, numbers[one.document]
            ),
        )  # fmt: skip
        groups = groupby(ordered, attrgetter("group"))
        return cls(tuple(_group(tuple(rows), numbers) for _, rows in groups), len(listed))


def _group(rows: Sequence[PreferenceJudgement], numbers: Mapping[str, int]) -> JudgementGroup:
    preferred = np.zeros((len(numbers), len(numbers)), np.int64)
    levels = np.full(len(numbers), np.nan)
    subgroups = [list(part) for _, part in groupby(rows, attrgetter("subgroup"))]
    for subgroup in subgroups:
        classes = [
            np.array([numbers[row.document] for row in part])
            for _, part in groupby(subgroup, attrgetter("level"))
        ]
        for upper, higher in enumerate(classes):
            for lower in classes[upper + 1 :]:
                np.add.at(preferred, (higher[:, np.newaxis], lower), 1)
    for row in rows:
        number = numbers[row.document]
        if (levels[number] > 0 and row.level == 0) or (levels[number] == 0 and row.level > 0):
            raise ValueError(f"document {row.document} has the level 0 and another one")
        levels[number] = row.level
    if len(subgroups) > 1:
        preferred = _transitive_closure(preferred > 0)
    if ((preferred > 0) & (preferred.T > 0)).any():
        raise ValueError(f"the preferences of group {rows[0].group} contradict each other")
    lowest = classes[-1] if len(subgroups) == 1 else None
    if lowest is None:
        return JudgementGroup(preferred, levels > 0, levels == 0, None)
    return JudgementGroup(preferred, levels > 0, ~np.isnan(levels) & (levels <= 0), lowest)


def _transitive_closure(preferred: BoolArray) -> IntArray:
    """Return the transitive closure of a relation."""
    closure = preferred | np.eye(len(preferred), dtype=np.bool_)
    while True:
        following = (closure.astype(np.float32) @ closure.astype(np.float32)) > 0
        if np.array_equal(following, closure):
            np.fill_diagonal(closure, val=False)
            return closure.astype(np.int64)
        closure = following


def _preference_counts(preferred: IntArray, listed: int) -> tuple[int, int, int, int, int]:
    """Return preferences fulfilled and not between listed documents, implied ones, and others."""
    both = preferred[:listed, :listed]
    fulfilled = int(np.triu(both, 1).sum())
    return (
        fulfilled,
        int(both.sum()) - fulfilled,
        int(preferred[:listed, listed:].sum()),
        int(preferred[listed:, :listed].sum()),
        int(preferred[listed:, listed:].sum()),
    )


SCOPES = ("", "_ret", "_imp")
"""Counted preferences: all, those between listed documents, those with a listed document."""


def _counts(preferred: IntArray, listed: int, scope: str) -> tuple[int, int]:
    """Return the fulfilled and the possible preferences of a scope."""
    fulfilled, failed, implied, implied_failed, absent = _preference_counts(preferred, listed)
    if scope == "_ret":
        return fulfilled, fulfilled + failed
    possible = fulfilled + failed + implied + implied_failed
    return fulfilled + implied, possible + (absent if scope == "" else 0)


def _fulfilled_share(query: PreferenceStatistics, scope: str) -> float:
    counts = [_counts(group.preferred, query.listed, scope) for group in query.groups]
    possible = sum(count for _, count in counts)
    return sum(count for count, _ in counts) / possible if possible else 0.0


def _mean_of_pairs(query: PreferenceStatistics, scope: str) -> float:
    totals = sum(group.preferred for group in query.groups)
    above, below = np.triu(totals, 1), np.triu(np.transpose(totals), 1)
    rows, columns = np.nonzero(above + below)
    is_listed = columns if scope == "_ret" else rows
    chosen = (is_listed < query.listed) | (scope == "")
    rows, columns = rows[chosen], columns[chosen]
    shares = above[rows, columns] / (above + below)[rows, columns]
    shares[rows >= query.listed] = 0.0
    order = np.argsort(columns >= query.listed, kind="stable")  # the order of addition
    return float(np.cumsum(shares[order])[-1] / len(shares)) if len(shares) else 0.0


def _mean_of_groups(query: PreferenceStatistics, scope: str) -> float:
    counts = [_counts(group.preferred, query.listed, scope) for group in query.groups]
    total = 0.0
    for fulfilled, possible in counts:
        total += fulfilled / possible if possible else 0.0
    return total / len(query.groups)


def _mean_of_recounted_groups(query: PreferenceStatistics, scope: str) -> float:
    """Return the mean over groups with as many rejected documents as relevant ones."""
    total = 0.0
    for group in query.groups:
        limit = query.listed if scope else len(group.relevant)
        relevant, rejected = (
            int(marked[:limit].sum()) for marked in (group.relevant, group.rejected)
        )
        if relevant >= rejected:
            fulfilled, possible = _counts(group.preferred, query.listed, scope)
            fulfilled += int(group.relevant[: query.listed].sum()) * (relevant - rejected)
            possible += int(group.relevant.sum()) * (relevant - rejected)
        else:
            fulfilled, possible = _recount(group, query.listed, scope, relevant)
        total += fulfilled / possible if possible else np.nan
    return total / len(query.groups) if total > 0 else 0.0


def _recount(group: JudgementGroup, listed: int, scope: str, relevant: int) -> tuple[int, int]:
    """Return the counts with the first `relevant` rejected documents only, as trec_eval does."""
    if group.lowest is None:
        rejected = np.flatnonzero(group.rejected)
        cut = int(group.relevant.sum())
        first_discarded = rejected[cut] if cut < len(rejected) else len(group.rejected)
        kept = ~group.rejected | (np.arange(len(group.rejected)) < first_discarded)
        preferred = group.preferred * np.outer(kept, kept)
        return _counts(preferred, listed, scope)
    lowest, chosen = group.lowest, group.lowest[:relevant]
    preferred = group.preferred.copy()
    preferred[:, lowest] = 0
    every = np.flatnonzero(group.relevant | group.rejected)
    # trec_eval compares all documents, the rejected ones too, with the chosen ones.
    preferred[np.ix_(every, chosen)] += 1
    if scope:
        preferred = preferred[:listed, :listed]
    below = np.arange(len(preferred))[:, np.newaxis] < np.arange(len(preferred))
    below[listed:] = False
    return int(preferred[below].sum()), int(preferred.sum())


PreferenceMeasure = Callable[[PreferenceStatistics], float]


def _declare_scopes(
    name: str, measure: Callable[[PreferenceStatistics, str], float], scopes: Sequence[str]
) -> dict[str, PreferenceMeasure]:
    return {
        f"prefs_{name}{scope}": lambda query, scope=scope: measure(query, scope)  # type: ignore[misc]
        for scope in scopes
    }


def _number(query: PreferenceStatistics, scope: str, part: int) -> float:
    return float(sum(_counts(one.preferred, query.listed, scope)[part] for one in query.groups))


PREFERENCE_MEASURES: Mapping[str, PreferenceMeasure] = MappingProxyType(
    {
        "prefs_num_prefs_poss": lambda query: _number(query, "", 1),
        "prefs_num_prefs_ful": lambda query: _number(query, "", 0),
        "prefs_num_prefs_ful_ret": lambda query: _number(query, "_ret", 0),
        **_declare_scopes("simp", _fulfilled_share, SCOPES),
        **_declare_scopes("pair", _mean_of_pairs, SCOPES),
        **_declare_scopes("avgjg", _mean_of_groups, SCOPES),
        **_declare_scopes("avgjg_Rnonrel", _mean_of_recounted_groups, SCOPES[:2]),
    }
)


def preference_values(
    queries: Sequence[PreferenceStatistics], measure: PreferenceMeasure
) -> FloatArray:
    """Return a measure's value of every query (queries,)."""
    return np.array([measure(query) for query in queries])
