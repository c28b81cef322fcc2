"""Tables of a study's results: raters, agreement, ranking, correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.export.export_settings import ExportOrigin, desk_origin
from jurydesk.core.human_evaluation.design.study_store import ratings_source
from jurydesk.core.language import Message, counted, fill, translatable, translate, translate_text
from jurydesk.core.model.evaluation import IntArray
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import UNDEFINED

if TYPE_CHECKING:
    from jurydesk.core.competition.rating_design import Noun
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.human_evaluation.design.study import RatingStudy
    from jurydesk.core.human_evaluation.results.findings import StudyFindings
    from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
    from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
    from jurydesk.core.statistics.raters.agreement import Agreement

STUDY = "study table"
"""Kind of the tables; a format has the form after it."""
RATERS, AGREEMENT, RANKING, CORRELATIONS = "raters", "agreement", "ranking", "correlations"
PREFERENCES, PROGRAMS = "preferences", "programs"
REPORTS: tuple[tuple[str, str, int | None, str], ...] = (
    ("seconds", translatable("Seconds"), 0,
     translatable("The median time of an item, in seconds.")),
    ("straight", translatable("Straight"), None,
     translatable("Items with the same answer to all statements.")),
    ("severity", translatable("Severity"), 2, translatable(
        "The mean distance to the other raters' means; negative values are stricter.")),
    ("drift", translatable("Drift"), 2, translatable(
        "Spearman's correlation of severity with time: far from 0, the standard changed.")),
    ("consistency", translatable("Same again"), None,
     translatable("Equal answers to entries shown twice.")),
)  # fmt: skip
"""Numbers of a rater's report: name, title, decimals (None for a share), and explanation."""
MEASURES = (
    ("alpha", translatable("Alpha"),
     translatable("Krippendorff's alpha: 1 is full agreement, 0 what chance would give.")),
    ("icc", translatable("ICC(2,k)"), translatable(
        "Reliability of the mean of as many raters, if all rate the same entries "
        "(Shrout and Fleiss 1979).")),
    ("icc_1k", translatable("ICC(1,k)"),
     translatable("The same if each entry has its own raters, whose severity counts as error.")),
    ("gwet", translatable("Gwet's AC"), translatable(
        "AC2 of steps, AC1 of categories: agreement beyond chance that stays high where nearly all "
        "answers are alike (Gwet 2008).")),
    ("exact", translatable("Equal"),
     translatable("Share of equal pairs among ratings of the same entry.")),
)  # fmt: skip
HIGH, LOW = 0.8, 0.4
"""Share of equal pairs that is high, and alpha that is low."""
KINDS = (
    ("pearson", translatable("Pearson"), translatable("Pearson's r")),
    ("spearman", translatable("Spearman"), translatable("Spearman's rho")),
    ("kendall", translatable("Kendall"), translatable("Kendall's tau-b")),
)
COUNTS = (
    ("given", translatable("Given", "of ratings")),
    ("planned", translatable("Planned", "of ratings")),
)
"""Numbers of ratings of each system."""
PREFERRED = (
    ("preferred", translatable("Preferred")),
    ("other_preferred", translatable("Other preferred")),
    ("neither", translatable("Neither", "of two systems")),
)
"""Counts of a pair of systems."""
RANKS = translatable("Mean (ranks that the ratings leave possible at 95 %).")
Label = Callable[[str], str]


def study_table(
    name: str,
    study: RatingStudy,
    people: StudyFindings | None,
    profile: str,
    *,
    label: Label = str,
    title: Label = str,
) -> list[Column]:
    """Return a table by its name; `profile` is that of the metrics, for correlations.

    On the screen raters have their `label`, and metrics their `title`. Raises KeyError for another
    name, and for results without answers.
    """
    if name == RATERS:
        return rater_table(study, people, label)
    if people is None:
        raise KeyError(name)
    if name == CORRELATIONS:
        return correlation_table(people, people.correlations.get(profile, ()), title)
    tables = {
        AGREEMENT: agreement_table,
        RANKING: ranking_table,
        PREFERENCES: preference_table,
        PROGRAMS: program_table,
    }
    return tables[name](people)


def study_table_origin(
    desk: Desk, task: AnyTask, name: str, rows: IntArray, profile: str
) -> ExportOrigin | None:
    """Return the origin of these rows of a table as CSV; None without answers.

    Correlations follow from the desk's results too.
    """
    ratings = ratings_source(desk)
    if ratings is None:
        return None
    summaries = desk.evaluations() if name == CORRELATIONS else ()
    return desk_origin(
        *(f"{STUDY} csv", desk, task, summaries, load_inference(desk), ratings),
        table=name,
        profile=profile,
        rows=rows.tolist(),
    )


def rater_table(
    study: RatingStudy, people: StudyFindings | None, label: Label = str
) -> list[Column]:
    """Return a row for each rater of the plan: progress, speed and care."""
    found = {one.rater: one for one in people.raters} if people else {}
    codes = [rater.code for rater in study.raters]
    reports = [found.get(code) for code in codes]
    attention = [one.attention if one else (None, 0) for one in reports]

    def checks(row: int) -> str:
        passed, asked = attention[row]
        return translate("{part} of {whole}", part=passed, whole=asked) if asked else UNDEFINED

    judged = {rater.code: len(rater.tasks) for rater in study.judges if people}
    done = [
        one.done if one else judged.get(code, 0) for code, one in zip(codes, reports, strict=True)
    ]
    return [
        TextColumn("rater", translatable("Rater"), list(map(label, codes)), file_cells=codes),
        _counts("done", translatable("Done"), done),
        _counts("items", translatable("Of"), [len(rater.tasks) for rater in study.raters]),
        *(_report(reports, *declared) for declared in REPORTS),
        NumberColumn(
            "missing", translatable("No pictures"),
            np.array([one.missing if one else 0 for one in reports], np.int64),
            tooltip=translatable(
                "Items that the rater could not rate because pictures were missing."
            ),
            file_cells=[one and one.missing for one in reports],
        ),
        NumberColumn(
            "checks_passed", translatable("Checks", "of a rater"),
            np.array([(passed or 0) / asked if asked else np.nan for passed, asked in attention]),
            tooltip=translatable("Items with a known answer that the rater answered correctly."),
            show=checks, detail=checks,
            file_cells=[passed for passed, _ in attention],
            beside=[("checks", [one and one.attention[1] for one in reports])],
        ),
    ]  # fmt: skip


def _counts(name: str, title: str, values: Sequence[int]) -> NumberColumn:
    return NumberColumn(name, title, np.array(values, np.int64))


def _report(
    reports: Sequence[RaterReport | None], name: str, title: str, decimals: int | None, tooltip: str
) -> NumberColumn:
    values = np.array([getattr(one, name) if one else np.nan for one in reports])
    if decimals is not None:
        return NumberColumn(name, title, values, decimals=decimals, tooltip=tooltip)

    def share(row: int) -> str:
        return UNDEFINED if np.isnan(values[row]) else f"{100 * values[row]:.0f} %"

    return NumberColumn(name, title, values, tooltip=tooltip, show=share)


def agreement_table(people: StudyFindings) -> list[Column]:
    """Return a row for each statement: measures of agreement with intervals."""
    found = people.agreements
    return [
        _statements(people, [one.question for one in found]),
        *(
            _measure(name, title, [getattr(one, name) for one in found], tooltip)
            for name, title, tooltip in MEASURES
        ),
    ]


def ranking_table(people: StudyFindings) -> list[Column]:
    """Return a row for each system, by the mean of all statements: means, with shared ranks."""
    last = people.outcomes[-1].scores if people.outcomes else ()
    means = [score.value if score.n else -np.inf for score in last] or [0.0] * len(people.systems)
    order = sorted(range(len(people.systems)), key=lambda at: (-means[at], at))
    places = range(len(people.outcomes))
    return [
        TextColumn("system", translatable("System"), [people.systems[at] for at in order]),
        *(_means(people, place, order) for place in (*places[-1:], *places[:-1])),
        *(
            _counts(name, title, [getattr(people.counts[at], name) for at in order])
            for name, title in COUNTS
            if people.counts
        ),
    ]


def _means(people: StudyFindings, place: int, order: Sequence[int]) -> NumberColumn:
    outcome, info = people.outcomes[place], people.metrics[place]
    scores = [outcome.scores[at] for at in order]
    ranks = [str(outcome.ranks[at]) for at in order]

    def show(row: int) -> str:
        if not scores[row].n:
            return UNDEFINED
        return f"{numbers.number(scores[row].value, info.decimals)}  ({ranks[row]})"

    return NumberColumn(
        outcome.question,
        info.title,
        np.array([score.value for score in scores]),
        tooltip=f"{info.summary}\n{RANKS}",
        intervals=[score.interval for score in scores],
        show=show,
        beside=[(f"{outcome.question}_rank", ranks)],
    )


def preference_table(people: StudyFindings) -> list[Column]:
    """Return a row for each pair of systems and question: preferences, difference of strengths."""
    pairs = [(one.question, pair) for one in people.preferences for pair in one.pairs]
    found = [pair for _, pair in pairs]
    return [
        _statements(people, [question for question, _ in pairs]),
        TextColumn("system", translatable("System"), [one.system for one in found]),
        TextColumn("other", translatable("Other"), [one.other for one in found]),
        *(_counts(name, title, [getattr(one, name) for one in found]) for name, title in PREFERRED),
        NumberColumn(
            "difference",
            translatable("Difference", "of strengths"),
            np.array([one.difference for one in found], np.float64),
            decimals=2,
            is_signed=True,
            tooltip=translatable(
                "Logarithm of the odds to be preferred; intervals are corrected for all pairs."
            ),
            intervals=[one.interval for one in found],
        ),
        NumberColumn(
            "p_all_pairs",
            translatable("p, all pairs"),
            np.array([one.p for one in found], np.float64),
            decimals=3,
            is_p=True,
            tooltip=pair_family(people),
            beside=[("family", [pair_family(people)] * len(found))],
        ),
    ]


def program_table(people: StudyFindings) -> list[Column]:
    """Return a row for each program, statement and system: agreement, bias, likely mean."""
    rows = [
        (judge, system, mean)
        for judge in people.judges
        for system, mean in zip(people.systems, judge.means, strict=True)
    ]
    means = [mean for _, _, mean in rows]
    return [
        TextColumn("program", translatable("Program"), [one.program for one, _, _ in rows]),
        _statements(people, [one.question for one, _, _ in rows]),
        TextColumn("system", translatable("System"), [system for _, system, _ in rows]),
        NumberColumn(
            "people",
            translatable("People's mean"),
            np.array([mean.value for mean in means]),
            decimals=2,
            tooltip=translatable(
                "Estimate of people's mean over all entries: the program's judgements, corrected "
                "by its errors where people rated too (prediction-powered inference)."
            ),
            intervals=[mean.interval for mean in means],
        ),
        _counts("both", translatable("By both"), [mean.both for mean in means]),
        _counts("more", translatable("By the program"), [mean.more for mean in means]),
        _measure(
            "agreement",
            translatable("Agreement with people"),
            [one.agreement for one, _, _ in rows],
            translatable("Spearman's correlation of the program with people's means of entries."),
        ),
        NumberColumn(
            "bias",
            translatable("Bias"),
            np.array([one.bias for one, _, _ in rows]),
            decimals=2,
            is_signed=True,
            tooltip=translatable("Mean difference of the program to people, on the same entries."),
        ),
    ]


def pair_family(people: StudyFindings) -> str:
    """Return which family of pairs the p values of preferences are corrected over."""
    systems = len(people.systems)
    return fill(
        "p is corrected over the {pairs} of {systems} (Romano-Wolf), for each question.",
        counted(systems * (systems - 1) // 2, "pair", "pairs"),
        counted(systems, "system", "systems"),
    )


def effect_lines(people: StudyFindings) -> list[str]:
    """Return the effect of position of every question that compares entries."""
    lines = []
    for one in people.preferences:
        if one.position is not None:
            value, span = math.exp(one.position.value), one.position.interval
            ends = span and numbers.interval(
                replace(span, low=math.exp(span.low), high=math.exp(span.high)), 2
            )
            lines.append(
                translate(
                    "{question}: the entry shown first is preferred {factor} times as often"
                    "{interval}, other things equal.",
                    question=one.question,
                    factor=numbers.number(value, 2),
                    interval=f" ({ends})" if ends else "",
                )
            )
    return lines


def correlation_table(
    people: StudyFindings, correlations: Sequence[RatingCorrelation], title: Label = str
) -> list[Column]:
    """Return a row for each metric, statement and level: three correlations with intervals."""
    rows: dict[tuple[str, str, str, int], dict[str, Agreement]] = {}
    for one in correlations:
        rows.setdefault((one.metric, one.question, one.level, one.n), {})[one.kind] = one.found
    metrics, questions, levels, counts = zip(*rows, strict=True) if rows else ((), (), (), ())
    return [
        TextColumn(
            "metric", translatable("Metric"), list(map(title, metrics)),
            is_prose=True, file_cells=metrics,
        ),
        _statements(people, questions),
        TextColumn(
            "over", translatable("Over"),
            [_over(level, people.entry) for level in levels],
            is_prose=True, file_cells=levels,
        ),
        _counts("n", "N", counts),
        *(
            _measure(kind, name, [row.get(kind) for row in rows.values()], tooltip)
            for kind, name, tooltip in KINDS
        ),
    ]  # fmt: skip


def _over(level: str, entry: Noun) -> str:
    """Return what a correlation compares: systems, the entries of each system, or of all."""
    if level == "both":
        return fill("each {noun} of all systems", Message(entry[0]))
    if level == "system":
        return fill("each {noun}", Message(level))
    return fill("each {noun} of a system", Message(level))


def _statements(people: StudyFindings, ids: Sequence[str]) -> TextColumn:
    titles = {info.name: info.title for info in people.metrics}
    shown = [titles.get(id, id) for id in ids]
    return TextColumn("question", translatable("Statement"), shown, is_prose=True, file_cells=ids)


def _measure(
    name: str, title: str, found: Sequence[Agreement | None], tooltip: str
) -> NumberColumn:
    """Return a column of measures; the tooltip explains undefined ones."""
    column = NumberColumn(
        name,
        title,
        np.array([np.nan if one is None else one.value for one in found]),
        decimals=3,
        tooltip=tooltip,
        intervals=[None if one is None else one.interval for one in found],
    )

    def show(row: int) -> str:
        one = found[row]
        return UNDEFINED if one is None or one.undefined else measure_text(one)

    def detail(row: int) -> str:
        one = found[row]
        if one is None or not one.undefined:
            note = translate_text(one.note) if one else ""
            return "\n".join(filter(None, [column.exact(row), note]))
        return translate("Undefined: {reason}.", reason=translate_text(one.undefined))

    return replace(column, show=show, detail=detail)


def measure_text(found: Agreement, decimals: int = 2) -> str:
    """Return a measure with its interval, `0.21  (0.16 – 0.26)`, or why it is undefined."""
    if found.undefined:
        return translate("undefined: {reason}", reason=translate_text(found.undefined))
    ends = numbers.interval(found.interval, decimals) or translate_text(found.note)
    value = numbers.number(found.value, decimals)
    return f"{value}  ({ends})" if ends else value


def agreement_remarks(people: StudyFindings) -> list[str]:
    """Return how many judged, why measures are undefined, and where alpha is low by its design.

    A reason that holds for some statements names them.
    """
    titles = {info.name: translate_text(info.title) for info in people.metrics}
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, title, _ in MEASURES:
        for one in people.agreements:
            if why := getattr(one, name).undefined:
                shown = titles.get(one.question, one.question)
                reasons.setdefault((title, why), []).append(shown)
    undefined = [
        translate(
            "{measure} is undefined: {reason}.",
            measure=translate(title)
            if len(questions) == len(people.agreements)
            else f"{translate(title)} ({', '.join(questions)})",
            reason=translate_text(why),
        )
        for (title, why), questions in reasons.items()
    ]
    alike = [
        translate(
            "{question}: {share} of the pairs are equal and alpha is low, as nearly all answers "
            "are alike; Gwet's AC is less sensitive to that.",
            question=titles.get(one.question, one.question),
            share=numbers.percent(one.exact.value),
        )
        for one in people.agreements
        if one.exact.value >= HIGH and one.alpha.value < LOW
    ]
    return [*_who_judged(people), *undefined, *alike]


def _who_judged(people: StudyFindings) -> Iterator[str]:
    raters = sum(one.done > 0 for one in people.raters)
    entries = {score.n for one in people.outcomes for score in one.scores}
    if raters and max(entries, default=0):
        yield translate(
            "{raters} judged {entries} of each system."
            if len(entries) == 1
            else "{raters} judged up to {entries} of a system.",
            raters=numbers.quantity(raters, "rater"),
            entries=numbers.quantity(max(entries), *people.entry),
        )
