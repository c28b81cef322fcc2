"""Cells of the calibration whose design was chosen to break a method.

Parts for `tests/bench/calibration.py`: unequal groups, few events, nearly equal values, combined
scores, correlations, agreement, ratings by few raters, and preferences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy import stats

from jurydesk.core.metrics.captioning.bleu import corpus_bleu
from jurydesk.core.metrics.meteor.config import profile
from jurydesk.core.metrics.meteor.formula import corpus_meteor
from jurydesk.core.model.evaluation import FloatArray, IntArray, Interval
from jurydesk.core.statistics.bootstrap import RESAMPLES, ResamplingPlan, resampled_values
from jurydesk.core.statistics.combined_scores import (
    combined_interval,
    degrees_of_freedom,
    resampled_differences_with_errors,
    student_p,
)
from jurydesk.core.statistics.correlation import (
    KINDS,
    correlate_both,
    correlate_systems,
    correlate_within_systems,
)
from jurydesk.core.statistics.group_intervals import mean_intervals
from jurydesk.core.statistics.group_tests import PairedGroups, group_t_test, randomise_groups
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import all_pairs, holm
from jurydesk.core.statistics.power import largest_critical, minimum_detectable_differences
from jurydesk.core.statistics.preferences.davidson import Comparisons, DavidsonDesign
from jurydesk.core.statistics.preferences.strengths import StrengthEstimate, estimate_strengths
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.statistics.raters.agreement import (
    ICC,
    SHARE,
    Agreement,
    agreement_with_interval,
    alpha,
    alpha_change,
    alpha_sums,
    exact_share,
    exact_share_sums,
    icc_1k,
    icc_1k_sums,
)
from jurydesk.core.statistics.raters.two_way import two_way_mean, two_way_tests

ALPHA = 0.05
METEOR = corpus_meteor(profile("coco").weights)
"""METEOR of all captions as the competition of captions computes it."""
UNIT = (0.0, 1.0)
BATCH = 10
AP_QUANTILES = stats.beta(0.6, 0.9).ppf((np.arange(10_000) + 0.5) / 10_000)
TIE_QUANTILES = np.array([0.0] * 3 + [0.25, 0.5, 0.5, 0.75] + [1.0] * 3)


def _held(limits: Interval | None, truth: float) -> bool:
    return limits is not None and limits.low <= truth <= limits.high


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _head(title: str, trials: int, *columns: str) -> Iterator[str]:
    error = 100 * math.sqrt(0.05 * 0.95 / trials)
    yield f"## {title}\n\n{trials:,} repetitions a cell, Monte Carlo error {error:.1f} points.\n"
    yield _row(*columns)
    yield "|" + "---|" * len(columns)


def _normals(codes: IntArray, rho: float, columns: int, rng: np.random.Generator) -> FloatArray:
    shared = rng.standard_normal((int(codes.max()) + 1, columns))[codes]
    return math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.standard_normal((len(codes), columns))


def _quantiles(table: FloatArray) -> Callable[[FloatArray], FloatArray]:
    def of(normal: FloatArray) -> FloatArray:
        place = (stats.norm.cdf(normal) * len(table)).astype(int)
        return table[np.minimum(place, len(table) - 1)]

    return of


VALUES: dict[str, tuple[Callable[[FloatArray], FloatArray], float, tuple[float, float]]] = {
    "normal": (lambda z: z, 0.0, (-math.inf, math.inf)),
    "AP-like": (_quantiles(AP_QUANTILES), float(AP_QUANTILES.mean()), UNIT),
    "ties": (_quantiles(TIE_QUANTILES), float(TIE_QUANTILES.mean()), UNIT),
}


def giant_codes(share: float, groups: int, small: int = 4) -> IntArray:
    """Return the groups of items, of which one group has this share."""
    largest = round(small * (groups - 1) * share / (1 - share))
    return np.repeat(np.arange(groups), [largest, *[small] * (groups - 1)])


def unequal(trials: int, seed: int) -> Iterator[str]:
    yield from _head(
        "One large group",
        trials,
        *("largest", "groups", "correlation", *VALUES, "paired t", "randomisation", "5 systems"),
        "detectable found",
    )
    for share in (0.25, 0.5, 0.75):
        for groups in (10, 20, 40, 100):
            for rho in (0.1, 0.5):
                codes = giant_codes(share, groups)
                rng = np.random.default_rng([seed, 31, groups, int(100 * share), int(10 * rho)])
                units, cells = Groups(codes, groups), []
                if units.effective < 3:
                    continue
                for change, truth, span in VALUES.values():
                    held = 0
                    for _ in range(trials // BATCH):
                        columns = change(_normals(codes, rho, BATCH, rng))
                        plan = ResamplingPlan(groups, seed=int(rng.integers(2**31)))
                        found = mean_intervals(columns, units, plan, ranges=[span] * BATCH)
                        held += sum(_held(one, truth) for one in found)
                    cells.append(held / trials)
                cells += _unequal_tests(codes, units, rho, trials, rng)
                yield _row(f"{share:.0%}", groups, rho, *map(_percent, cells))


def _unequal_tests(
    codes: IntArray, units: Groups, rho: float, trials: int, rng: np.random.Generator
) -> list[float]:
    """Return how often two tests reject two equal systems, one five, and what one detects."""
    found = np.zeros(3)
    stated: list[float] = []
    for trial in range(trials):
        values = _normals(codes, rho, 5, rng)
        alone = PairedGroups(values[:, :2], [(0, 1)], units)
        board = PairedGroups(values, all_pairs(5), units)
        found += [
            group_t_test(alone)[0] < ALPHA,
            randomise_groups(alone, trial, 999).p[0] < ALPHA,
            randomise_groups(board, trial, 999).corrected.min() < ALPHA,
        ]
        if trial < 40:
            sums, sizes = units.totals(values)
            residuals = sums - sums.sum(axis=0) / sizes.sum(axis=0) * sizes
            degrees = board.median_degrees
            critical = largest_critical(residuals, all_pairs(5), 1 - ALPHA, degrees, trial)
            stated.append(minimum_detectable_differences(board.robust, degrees, critical)[0])
    seen = 0.0
    for trial in range(trials):
        values = _normals(codes, rho, 5, rng)
        values[:, 0] += np.mean(stated)
        board = PairedGroups(values, all_pairs(5), units)
        seen += float((randomise_groups(board, trial, 999).corrected[:4] < ALPHA).mean())
    return [*(found / trials), seen / trials]


def events(trials: int, seed: int) -> Iterator[str]:
    columns = ("share", "groups", "correlation", "covered", "too few", "median width")
    yield from _head("0/1 values in groups of 2 to 26", trials, *columns)
    for share in (0.05, 0.5, 0.9):
        for groups in (8, 10, 20, 40, 100):
            for rho in (0.1, 0.5, 0.7):
                rng = np.random.default_rng([seed, 32, groups, int(100 * share), int(10 * rho)])
                held, few, widths = 0, 0, []
                for _ in range(trials):
                    codes = np.repeat(np.arange(groups), rng.integers(2, 27, groups))
                    both = 1 / rho - 1
                    own = rng.beta(share * both, (1 - share) * both, groups)
                    values = (rng.random(len(codes)) < own[codes]).astype(float)
                    plan = ResamplingPlan(groups, 10)
                    (found,) = mean_intervals(
                        values[:, None], Groups(codes, groups), plan, ranges=[UNIT]
                    )
                    held += _held(found, share)
                    if found is not None:
                        few += "too few" in found.method
                        widths.append(found.high - found.low)
                numbers = _percent(held / trials), _percent(few / trials)
                yield _row(share, groups, rho, *numbers, f"{np.median(widths):.3f}")


OTHERS: dict[str, tuple[Callable[[np.random.Generator, int], FloatArray], float]] = {
    "Beta(2, 2)": (lambda rng, n: rng.beta(2, 2, n), 0.5),
    "Beta(0.5, 1)": (lambda rng, n: rng.beta(0.5, 1, n), 1 / 3),
    "1 / rank": (
        lambda rng, n: 1 / rng.integers(1, 11, n),
        float((1 / np.arange(1, 11)).mean()),
    ),
}


def nearly_equal(trials: int, seed: int) -> Iterator[str]:
    columns = ("others", "zeros", "items", "covered", "mirrored", "few values")
    yield from _head("Nearly equal values", trials, *columns)
    for name, (draw, mean) in OTHERS.items():
        for zeros in (0.7, 0.8, 0.9, 0.95, 0.98):
            for items in (20, 40, 100, 400):
                rng = np.random.default_rng([seed, 33, items, int(100 * zeros)])
                held, few = np.zeros(2), 0
                for _ in range(trials // BATCH):
                    values = draw(rng, BATCH * items).reshape(items, BATCH)
                    values[rng.random(values.shape) < zeros] = 0.0
                    plan = ResamplingPlan(items, seed=int(rng.integers(2**31)))
                    units, spans = Groups.singletons(items), [UNIT] * BATCH
                    truth = (1 - zeros) * mean
                    for number, (one, wanted) in enumerate(
                        ((values, truth), (1 - values, 1 - truth))
                    ):
                        found = mean_intervals(one, units, plan, ranges=spans)
                        held[number] += sum(_held(limits, wanted) for limits in found)
                        few += number == 0 and sum(
                            "few values" in (x.method if x else "") for x in found
                        )
                yield _row(name, zeros, items, *map(_percent, (*(held / trials), few / trials)))


def caption_population(rng: np.random.Generator, captions: int = 4000) -> FloatArray:
    """Return BLEU's counts (captions, 6) of captions of 7 to 15 words with correlated matches."""
    words = rng.integers(7, 16, captions)
    ease = rng.beta(3, 2, captions)
    rows = [words, words + rng.integers(-2, 3, captions)]
    matched = words
    for n in range(4):
        matched = rng.binomial(np.minimum(matched, words - n), ease)
        rows.append(matched)
    return np.column_stack(rows).astype(float)


def meteor_population(rng: np.random.Generator, captions: int = 4000) -> FloatArray:
    """Return METEOR's counts (captions, 23) of such captions; equal words and stems match."""
    words, ease = rng.integers(7, 16, captions), rng.beta(3, 2, captions)
    of_reference = words + rng.integers(-2, 3, captions)
    counts = np.zeros((captions, 23))
    counts[:, 0], counts[:, 1] = words, of_reference
    counts[:, 2], counts[:, 3] = rng.binomial(words, 0.4), rng.binomial(of_reference, 0.4)
    function = rng.binomial(np.minimum(counts[:, 2], counts[:, 3]).astype(int), ease)
    content = np.minimum(words - counts[:, 2], of_reference - counts[:, 3]).astype(int)
    equal = rng.binomial(content, ease)
    stems = rng.binomial(content - equal, 0.2 * ease)
    for column, matched in ((4, equal), (6, function), (8, stems)):
        counts[:, column] = counts[:, column + 1] = matched
    total = equal + function + stems
    counts[:, 20] = np.where(total > 0, 1 + rng.binomial(np.maximum(total - 1, 0), 1 - ease), 0)
    counts[:, 21] = counts[:, 22] = total
    return counts


def combined(trials: int, seed: int) -> Iterator[str]:
    yield from _head("Combined scores", trials, "score", "items", "covered", "equal systems differ")
    rng = np.random.default_rng([seed, 34])
    population = caption_population(rng)
    logs = np.log(np.maximum(rng.beta(0.3, 1.2, (200_000, 1)), 1e-5))
    scores: dict[str, tuple[FloatArray, Callable[[FloatArray], float], tuple[int, ...]]] = {
        **{
            f"BLEU-{n + 1}": (
                population,
                lambda rows, n=n: float(corpus_bleu(rows)[n]),
                (20, 50, 200),
            )
            for n in range(4)
        },
        "METEOR": (meteor_population(np.random.default_rng([seed, 41])), METEOR, (20, 50, 200)),
        "geometric mean of AP": (
            logs,
            lambda rows: float(np.exp(rows.mean())),
            (5, 10, 20, 50, 100),
        ),
    }
    for name, (rows, combine, sizes) in scores.items():
        truth = combine(rows)
        for items in sizes:
            held = rejected = 0
            for trial in range(trials):
                drawn = [(rows[rng.integers(0, len(rows), items)], combine) for _ in range(2)]
                plan = ResamplingPlan(items, RESAMPLES // 4, trial)
                resampled = resampled_values(drawn, plan)
                values = np.array([combine(one) for one, _ in drawn])
                held += _held(combined_interval(values[0], resampled[:, 0], items), truth)
                apart = resampled_differences_with_errors(values, resampled, [(0, 1)], items)
                degrees = degrees_of_freedom(items, len(resampled))
                rejected += bool(student_p(apart, degrees)[0] < ALPHA)
            yield _row(name, items, _percent(held / trials), _percent(rejected / trials))


def correlations(trials: int, seed: int) -> Iterator[str]:
    yield from _head("Correlations over systems", trials, "truth", "systems", *KINDS)
    for truth in (0.0, 0.5, 0.8, 0.95):
        of_kind = {
            "pearson": truth,
            "spearman": 6 / math.pi * math.asin(truth / 2),
            "kendall": 2 / math.pi * math.asin(truth),
        }
        for systems in (6, 8, 10, 20, 50):
            rng = np.random.default_rng([seed, 35, int(100 * truth), systems])
            held, known = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
            for _ in range(trials):
                one, own = rng.standard_normal((2, systems))
                other = truth * one + math.sqrt(1 - truth**2) * own
                for kind in KINDS:
                    found = correlate_systems(one, other, kind, rounds=1).interval
                    known[kind] += found is not None
                    held[kind] += _held(found, of_kind[kind])
            yield _row(truth, systems, *(_percent(held[k] / max(1, known[k])) for k in KINDS))


def stories(trials: int, seed: int) -> Iterator[str]:
    yield "Metric and ratings are unrelated; how often an interval excludes 0.\n"
    columns = ("stories", "systems", "deviation of systems", *KINDS)
    yield from _head("Correlations within systems", trials, *columns)
    for items in (5, 10, 20, 50):
        for systems in (3, 5, 10):
            for deviation in (0.0, 0.4):
                rng = np.random.default_rng([seed, 36, items, systems, int(10 * deviation)])
                wrong = dict.fromkeys(KINDS, 0)
                for _ in range(trials):
                    shape = (items, systems)
                    metric = 1.5 * rng.standard_normal(systems) + rng.standard_normal(shape)
                    rating = deviation * rng.standard_normal(systems) + 0.8 * rng.standard_normal(
                        shape
                    )
                    rating += 0.5 * rng.standard_normal((items, 1))
                    for kind in KINDS:
                        found = correlate_within_systems(metric, rating, kind).interval
                        wrong[kind] += found is not None and not found.low <= 0 <= found.high
                yield _row(items, systems, deviation, *(_percent(wrong[k] / trials) for k in KINDS))


def stories_and_systems(trials: int, seed: int) -> Iterator[str]:
    yield "Metric and ratings are unrelated; how often an interval of all cells excludes 0.\n"
    columns = ("stories", "systems", "deviation of systems", "pearson", "spearman")
    yield from _head("Correlations over stories and systems", trials, *columns)
    for items in (5, 10, 20):
        for systems in (6, 10):
            for deviation in (0.0, 0.4):
                rng = np.random.default_rng([seed, 40, items, systems, int(10 * deviation)])
                wrong = np.zeros(2)
                for _ in range(trials):
                    shape = (items, systems)
                    metric = 1.5 * rng.standard_normal(systems) + rng.standard_normal(shape)
                    rating = deviation * rng.standard_normal(systems)
                    rating = rating + 0.8 * rng.standard_normal(shape)
                    rating += 0.5 * rng.standard_normal((items, 1))
                    for number, kind in enumerate(("pearson", "spearman")):
                        found = correlate_both(metric, rating, kind).interval
                        wrong[number] += found is not None and not found.low <= 0 <= found.high
                yield _row(items, systems, deviation, *map(_percent, wrong / trials))


MEASURES = (
    ("alpha", alpha, alpha_sums, alpha_change),
    ("ICC(1,k)", icc_1k, icc_1k_sums, lambda _: ICC),
    ("equal", exact_share, exact_share_sums, lambda _: SHARE),
)


def likert(raters: int, items: int, severity: float, rng: np.random.Generator) -> FloatArray:
    """Return answers (raters, items) from 1 to 5."""
    given = 3 + severity * rng.standard_normal((raters, 1)) + 0.8 * rng.standard_normal(items)
    return np.clip(np.round(given + 0.7 * rng.standard_normal((raters, items))), 1, 5)


def agreement(trials: int, seed: int) -> Iterator[str]:
    columns = ("raters", "severity", "items", *(name for name, *_ in MEASURES), "for these: alpha")
    yield from _head("Agreement of raters", trials, *columns)
    for raters in (3, 5, 10):
        for severity in (0.0, 0.5):
            rng = np.random.default_rng([seed, 37, raters, int(10 * severity)])
            truths = _true_agreement(raters, severity, rng)
            for items in (5, 10, 20, 50):
                held, known = np.zeros(4), np.zeros(4)
                for _ in range(trials):
                    given = likert(raters, items, severity, rng)
                    units = Groups.singletons(items)
                    found = [
                        agreement_with_interval(
                            measure, given, units, sums=sums, change=change(given)
                        )
                        for _, measure, sums, change in MEASURES
                    ]
                    found.append(
                        agreement_with_interval(
                            alpha, given[:2], units, sums=alpha_sums, change=alpha_change(given[:2])
                        )
                    )
                    known += [one.interval is not None for one in found]
                    held += [_held(o.interval, t) for o, t in zip(found, truths, strict=True)]
                yield _row(raters, severity, items, *map(_percent, held / np.maximum(known, 1)))


def _true_agreement(raters: int, severity: float, rng: np.random.Generator) -> list[float]:
    """Return the measures of so many raters and very many items; alpha does not depend on them."""
    many = likert(400, 4000, severity, rng)
    means: list[Agreement] = [alpha(many)]
    drawn = [likert(raters, 4000, severity, rng) for _ in range(200)]
    of_raters = [[measure(one).value for one in drawn] for measure in (icc_1k, exact_share)]
    return [means[0].value, *(float(np.mean(one)) for one in of_raters), means[0].value]


def few_raters(trials: int, seed: int) -> Iterator[str]:
    columns = (
        "raters",
        "stories",
        "tastes",
        "mean covered",
        "equal: 2 systems",
        "equal: 5 systems",
    )
    yield from _head(
        "Two-way random effects", trials, *columns, "0.3 found", "0.6 found", "0.6 of 5"
    )
    for raters in (3, 4, 5, 8, 12):
        for items in (20, 30, 50):
            for taste in (0.0, 0.15, 0.3, 0.6):
                rng = np.random.default_rng([seed, 38, raters, items, int(100 * taste)])
                counts = np.zeros(6)
                for _ in range(trials):
                    counts += _rated(raters, items, taste, rng)
                yield _row(raters, items, taste, *map(_percent, counts / trials))


def _rated(raters: int, items: int, taste: float, rng: np.random.Generator) -> list[bool]:
    systems = 5
    given = 0.5 * rng.standard_normal((raters, 1, 1)) + 0.5 * rng.standard_normal((items, 1))
    given = given + taste * rng.standard_normal((raters, 1, systems))
    given = given + 0.3 * rng.standard_normal((items, systems))
    given = given + 0.8 * rng.standard_normal((raters, items, systems))
    own = two_way_mean(given[:, :, 0])
    reach = student_quantile(own.degrees, 1 - ALPHA / 2) * own.error
    apart = given[:, :, 0] - given[:, :, 1]
    pairs = two_way_tests(given, all_pairs(systems))
    given[:, :, 0] += 0.6
    pairs_of_better = two_way_tests(given, all_pairs(systems))
    return [
        abs(own.mean) <= reach,
        two_way_mean(apart).p < ALPHA,
        bool(holm(pairs).min() < ALPHA),
        two_way_mean(apart + 0.3).p < ALPHA,
        two_way_mean(apart + 0.6).p < ALPHA,
        bool(holm(pairs_of_better)[0] < ALPHA),
    ]


def preferences(trials: int, seed: int) -> Iterator[str]:
    yield "A rater's tastes are normal deviations of strengths; ties and position have effects.\n"
    columns = ("raters", "answers each", "tastes", "strengths", "own intervals", "differences")
    yield from _head("Preferences", trials, *columns, "all differences", "all ranks")
    for raters, answers in ((10, 20), (20, 20), (5, 30), (3, 50), (4, 50)):
        for taste in (0.0, 0.3):
            for name, strengths in (
                ("equal", np.zeros(6)),
                ("spread", np.linspace(-0.75, 0.75, 6)),
            ):
                rng = np.random.default_rng([seed, 39, raters, int(10 * taste), len(name)])
                truth = strengths if name == "equal" else _true_strengths(strengths, taste, rng)
                best = 1 + (truth[None, :] > truth[:, None] + 1e-12).sum(axis=1)
                held, known = np.zeros(4), 0
                for trial in range(trials):
                    drawn = compared_entries(strengths, raters, answers, taste, rng)
                    found = estimate_strengths(drawn, trial)
                    if not found.sample:
                        continue
                    known += 1
                    held += _held_strengths(found, truth, best)
                shares = map(_percent, held / max(1, known))
                yield _row(raters, answers, taste, name, *shares)


def compared_entries(
    strengths: FloatArray, raters: int, answers: int, taste: float, rng: np.random.Generator
) -> Comparisons:
    """Return preferences of raters who each compare so many pairs, with ties and a position."""
    systems, rows = len(strengths), []
    pairs = [(one, other) for one in range(systems) for other in range(systems) if one != other]
    for rater in range(raters):
        own = strengths + taste * rng.standard_normal(systems)
        order = np.concatenate([rng.permutation(len(pairs)) for _ in range(answers // 30 + 1)])
        for item, place in enumerate(order[:answers]):
            one, other = pairs[place]
            odds = np.exp([own[one] + 0.2, own[other], (own[one] + own[other]) / 2 - 0.5])
            outcome = rng.choice(3, p=odds / odds.sum())
            rows.append((one, other, outcome, rater, (item + rater) % answers))
    return Comparisons(systems, *np.array(rows).T)


def _true_strengths(strengths: FloatArray, taste: float, rng: np.random.Generator) -> FloatArray:
    """Return the strengths that very many raters with these tastes have together."""
    design = DavidsonDesign(compared_entries(strengths, 3000, 60, taste, rng))
    parameters = design.fit(design.counts()[0])
    assert parameters is not None
    return np.asarray(design.contrasts @ parameters[: len(strengths) - 1])


def _held_strengths(found: StrengthEstimate, truth: FloatArray, best: IntArray) -> list[float]:
    own = [_held(one.interval, at) for one, at in zip(found.strengths, truth, strict=True)]
    apart = [
        _held(one.difference.interval, truth[one.pair[0]] - truth[one.pair[1]])
        for one in found.pairs
    ]
    placed = all(
        rank.best <= place <= rank.worst for rank, place in zip(found.ranks, best, strict=True)
    )
    return [float(np.mean(own)), float(np.mean(apart)), float(all(apart)), float(placed)]


PARTS: dict[str, Callable[[int, int], Iterator[str]]] = {
    "unequal": unequal,
    "events": events,
    "nearly-equal": nearly_equal,
    "combined": combined,
    "correlations": correlations,
    "stories": stories,
    "stories-and-systems": stories_and_systems,
    "agreement": agreement,
    "few-raters": few_raters,
    "preferences": preferences,
}
