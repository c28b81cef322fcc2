"""Tables of the Rate page as columns: raters, agreement, ranking, correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.app.pages.leaderboard.rating_correlation import measure
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Interval
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn

if TYPE_CHECKING:
    from jurydesk.core.competition.rating_design import Noun
    from jurydesk.core.human_evaluation.design.study import RatingStudy
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
    from jurydesk.core.statistics.agreement import Agreement

NOTHING_OPEN = translatable("People rate stories, captions or answers: open a desk or the example.")
NO_FILES = translatable("Drop the systems' {entries} onto the window, then plan who rates what.")
NOT_SCORED = translatable("Score the systems first (Ctrl+R), then plan who rates their {entries}.")
PLAN = translatable(
    "There are no ratings yet. Plan who rates what; every {entry} gets the same number of ratings."
)
NOT_RATED = translatable("These {entries} have no ratings.")
KINDS = {
    "pearson": (translatable("Pearson"), translatable("Pearson's r")),
    "spearman": (translatable("Spearman"), translatable("Spearman's rho")),
    "kendall": (translatable("Kendall"), translatable("Kendall's tau-b")),
}
RANKS = translatable("Mean (rank); ranks are shared without a significant difference.")
MEASURES = {
    "alpha": (
        translatable("Alpha"),
        translatable("Krippendorff's alpha: 1 is full agreement, 0 what chance would give."),
    ),
    "icc": (
        translatable("ICC(2,k)"),
        translatable(
            "Reliability of the mean of as many raters, if all rate the same entries "
            "(Shrout and Fleiss 1979)."
        ),
    ),
    "icc_1k": (
        translatable("ICC(1,k)"),
        translatable("The same if each entry has its own raters, whose severity counts as error."),
    ),
    "exact": (
        translatable("Equal"),
        translatable("Share of equal pairs among ratings of the same entry."),
    ),
}


@dataclass(frozen=True)
class WordedColumn(NumberColumn):
    """Column of numbers shown with an interval, a rank or a reason."""

    words: Sequence[str] = ()
    """Cells as shown."""

    whole: Sequence[str] = ()
    """Cells with all digits."""

    def text(self, row: int) -> str:
        """Return the number as shown."""
        return self.words[row]

    def exact(self, row: int) -> str:
        """Return the number with all digits."""
        return self.whole[row]


def measures(name: str, title: str, found: Sequence[Agreement | None], help: str) -> WordedColumn:
    """Return a column of measures with intervals; the tooltip explains undefined ones."""
    return WordedColumn(
        name,
        title,
        np.array([np.nan if one is None else one.value for one in found]),
        tooltip=help,
        words=[_agreement_text(one) for one in found],
        whole=[_overall_text(one) for one in found],
    )


def _agreement_text(found: Agreement | None) -> str:
    return numbers.UNDEFINED if found is None or found.undefined else measure(found)


def _overall_text(found: Agreement | None) -> str:
    if found is None:
        return numbers.UNDEFINED
    if found.undefined:
        return translate("Undefined: {reason}.", reason=translate_text(found.undefined))
    return _value_with_ends(found.value, found.interval)


def _value_with_ends(value: float, interval: Interval | None) -> str:
    if interval is None:
        return numbers.exact(value)
    ends = f"{numbers.exact(interval.low)} – {numbers.exact(interval.high)}"
    level, method = numbers.percent(interval.level), translate_text(interval.method)
    return f"{numbers.exact(value)}; {level}: {ends} ({method})"


# Raters


def rater_columns(
    study: RatingStudy,
    packed: frozenset[str],
    answered: frozenset[str],
    people: StudyFindings | None,
    label: Callable[[str], str] = str,
) -> tuple[Column, ...]:
    """Return one row per rater of the plan: progress, speed and care; `label` names a rater."""
    found = {one.rater: one for one in people.raters} if people else {}
    contradicting = {one.place.path for one in people.defects} if people else set()
    reports = [found.get(rater.code) for rater in study.raters]
    codes = [rater.code for rater in study.raters]

    def state(code: str) -> str:
        if code in found:
            return translatable(
                "answers are in" if _is_done(found[code]) else "some answers are in"
            )
        if f"rater {code}" in contradicting:
            return translatable("answers contradict each other")
        if code in answered:
            return translatable("answers are being read")
        return translatable("packet is made" if code in packed else "no packet yet")

    states = [state(code) for code in codes]
    return (
        TextColumn("rater", translatable("Rater"), list(map(label, codes))),
        TextColumn(
            "state",
            translatable("State"),
            states,
            paint=lambda row: _tone(states[row]),
            is_prose=True,
        ),
        NumberColumn(
            "done", translatable("Done"), np.array([r.done if r else 0 for r in reports], np.int64)
        ),
        NumberColumn(
            "items",
            translatable("Of"),
            np.array([len(rater.tasks) for rater in study.raters], np.int64),
        ),
        _numbers(
            reports,
            "seconds",
            translatable("Seconds"),
            0,
            translatable("The median time of an item, in seconds."),
        ),
        _shares(
            reports,
            "straight",
            translatable("Straight"),
            translatable("Items with the same answer to all statements."),
        ),
        _numbers(
            reports,
            "severity",
            translatable("Severity"),
            2,
            translatable(
                "The mean distance to the other raters' means; negative values are stricter."
            ),
        ),
        _numbers(
            reports,
            "drift",
            translatable("Drift"),
            2,
            translatable(
                "Spearman's correlation of severity with time: far from 0, the standard changed."
            ),
        ),
        _checks(reports),
        _shares(
            reports,
            "consistency",
            translatable("Same again"),
            translatable("Equal answers to entries shown twice."),
        ),
        NumberColumn(
            "missing",
            translatable("No pictures"),
            np.array([r.missing if r else 0 for r in reports], np.int64),
            tooltip=translatable(
                "Items that the rater could not rate because pictures were missing."
            ),
        ),
    )


def _is_done(report: RaterReport) -> bool:
    return report.done >= report.items


def _tone(state: str) -> str:
    return {"answers are in": "good", "answers contradict each other": "bad"}.get(state, "muted")


def _numbers(
    reports: Sequence[RaterReport | None], name: str, title: str, decimals: int, help: str
) -> NumberColumn:
    values = np.array([getattr(one, name) if one else np.nan for one in reports], np.float64)
    return NumberColumn(name, title, values, decimals=decimals, tooltip=help)


def _shares(
    reports: Sequence[RaterReport | None], name: str, title: str, help: str
) -> WordedColumn:
    values = np.array([getattr(one, name) if one else np.nan for one in reports], np.float64)
    words = [numbers.UNDEFINED if np.isnan(v) else f"{100 * v:.0f} %" for v in values]
    return WordedColumn(
        name, title, values, tooltip=help, words=words, whole=list(map(numbers.exact, values))
    )


def _checks(reports: Sequence[RaterReport | None]) -> WordedColumn:
    asked = [one.attention if one and one.attention[1] else None for one in reports]
    values = np.array([one[0] / one[1] if one else np.nan for one in asked])
    words = [
        translate("{part} of {whole}", part=one[0], whole=one[1]) if one else numbers.UNDEFINED
        for one in asked
    ]
    help = translatable("Items with a known answer that the rater answered correctly.")
    return WordedColumn(
        "checks",
        translatable("Checks", "of a rater"),
        values,
        tooltip=help,
        words=words,
        whole=words,
    )


# Results


def agreement_columns(people: StudyFindings) -> tuple[Column, ...]:
    """Return one row per statement: measures of agreement with intervals."""
    found = people.agreements
    return (
        TextColumn(
            "statement",
            translatable("Statement"),
            [_title(people, one.question) for one in found],
            is_prose=True,
        ),
        *(
            measures(name, title, [getattr(one, name) for one in found], help)
            for name, (title, help) in MEASURES.items()
        ),
    )


def ranking_columns(people: StudyFindings) -> tuple[Column, ...]:
    """Return one row per system, best first: means, with ranks that ties share."""
    from jurydesk.core.human_evaluation.results.study_tables import ranking_order

    places = range(len(people.outcomes))
    order = ranking_order(people)
    return (
        TextColumn("system", translatable("System"), [people.systems[at] for at in order]),
        *(_outcome_column(people, at, order) for at in (*places[-1:], *places[:-1])),
    )


def _outcome_column(people: StudyFindings, at: int, order: Sequence[int]) -> WordedColumn:
    outcome = people.outcomes[at]
    info = people.metrics[at]
    scores = [outcome.scores[place] for place in order]
    ranks = [outcome.ranks[place] for place in order]
    words = [
        f"{numbers.number(score.value, info.decimals)}  ({rank})" if score.n else numbers.UNDEFINED
        for score, rank in zip(scores, ranks, strict=True)
    ]
    return WordedColumn(
        outcome.question,
        info.title,
        np.array([score.value for score in scores]),
        tooltip=f"{info.summary}\n{RANKS}",
        words=words,
        whole=[_value_with_ends(score.value, score.interval) for score in scores],
    )


def correlation_columns(
    people: StudyFindings, profile: str, title: Callable[[str], str]
) -> tuple[Column, ...]:
    """Return one row per metric, statement and level: three correlations with intervals."""
    rows: dict[tuple[str, str, str], dict[str, Agreement]] = {}
    counts: dict[tuple[str, str, str], int] = {}
    for one in people.correlations.get(profile, ()):
        key = (one.metric, one.question, one.level)
        rows.setdefault(key, {})[one.kind] = one.found
        counts[key] = one.n
    return (
        TextColumn(
            "metric",
            translatable("Metric"),
            [title(metric) for metric, _, _ in rows],
            is_prose=True,
        ),
        TextColumn(
            "statement",
            translatable("Statement"),
            [_title(people, q) for _, q, _ in rows],
            is_prose=True,
        ),
        TextColumn(
            "over",
            translatable("Over"),
            [translatable("each {noun}").format(noun=level) for _, _, level in rows],
            is_prose=True,
        ),
        NumberColumn("n", "N", np.array(list(counts.values()), np.int64)),
        *(
            measures(kind, name, [row.get(kind) for row in rows.values()], help)
            for kind, (name, help) in KINDS.items()
        ),
    )


def _title(people: StudyFindings, question: str) -> str:
    return next((info.title for info in people.metrics if info.name == question), question)


def undefined_reasons(people: StudyFindings) -> str:
    """Return why measures of agreement are undefined, each reason once."""
    reasons = [
        (title, getattr(one, name).undefined)
        for name, (title, _) in MEASURES.items()
        for one in people.agreements
        if getattr(one, name).undefined
    ]
    return " ".join(
        translate(
            "{measure} is undefined: {reason}.",
            measure=translate(title),
            reason=translate_text(why),
        )
        for title, why in dict.fromkeys(reasons)
    )


def no_plan_sentence(entry: Noun | None, *, systems: bool, by_files: bool, read_only: bool) -> str:
    """Return the finding without a plan; `entry` is the noun of entries, None with nothing open.

    `systems` is true if there are systems to rate, `by_files` if their files are enough.
    """
    if entry is None:
        return translate(NOTHING_OPEN)
    if systems and not read_only:
        return translate(PLAN, entry=translate(entry[0]))
    sentence = NOT_RATED if read_only else NO_FILES if by_files else NOT_SCORED
    return translate(sentence, entries=translate(entry[1]))


def progress_sentence(study: RatingStudy, people: StudyFindings | None) -> str:
    """Return a sentence with the number of finished ratings."""
    total = sum(len(rater.tasks) for rater in study.raters)
    reports = people.raters if people else ()
    done = sum(one.done for one in reports)
    if not done:
        return translate(
            "No answers are in yet: {items} to rate.", items=numbers.quantity(total, "item")
        )
    return translate(
        "{done} of {items} are rated, by {raters} of {all}.",
        done=numbers.count(done),
        items=numbers.quantity(total, "item"),
        raters=numbers.quantity(len(reports), "rater"),
        all=numbers.count(len(study.raters)),
    )


def leaders_sentence(people: StudyFindings) -> str:
    """Return who leads by all statements together, or how many systems share rank 1."""
    outcome, info = people.outcomes[-1], people.metrics[-1]
    first = [rank.system for rank in outcome.ranks if rank.first == 1]
    question = translate_text(info.title).lower()
    if len(first) == 1:
        found = translate(
            "{system} is rated best ({question}), ahead of all others at 95 %.",
            system=first[0],
            question=question,
        )
    else:
        found = translate(
            "{systems} share rank 1 ({question}) at 95 %.",
            systems=numbers.quantity(len(first), "system"),
            question=question,
        )
    return f"{found} {translate_text(outcome.remark)}".rstrip()
