"""Calibration by simulation: do intervals cover, do tests keep their level, do ranks hold?

    python tests/bench/calibration.py [PART ...] [--trials 2000] [--seed N]

Parts: intervals, shares, structures, tests, boards, ranks, detectable, ratings, and those of
`calibration_cells.py` and `calibration_differences.py`. Every repetition draws new scores from a
population whose means are known. `tests/bench/calibration_map.py` is for mAP.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator

import calibration_cells
import calibration_differences
import numpy as np
from scipy import stats

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
from jurydesk.core.statistics.combined_scores import stepdown_p
from jurydesk.core.statistics.group_intervals import UNLIMITED, mean_intervals
from jurydesk.core.statistics.group_tests import (
    PairedGroups,
    group_t_test,
    randomise_groups,
    studentized_p,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import PairedDifferences, all_pairs, holm
from jurydesk.core.statistics.power import largest_critical, minimum_detectable_differences
from jurydesk.core.statistics.quantiles import student_quantile
from jurydesk.core.statistics.rank_intervals import ranks
from jurydesk.core.statistics.raters.crossed_intervals import CrossedErrors, pigeonhole_means

ALPHA = 0.05
CORRELATIONS = (0.0, 0.3, 0.5, 0.7)
ICFHR = (*[5] * 9, *[6] * 7, *[7] * 4, *[8] * 4, *[9] * 4, 10, 10, 11, 11, 12, 12, 12, 16, 17, 26)
VIST = (*[2] * 967, *[1] * 4)
VISDIAL = (10,) * 2064
RARE = 0.05
AP_QUANTILES = stats.beta(0.6, 0.9).ppf((np.arange(100_000) + 0.5) / 100_000)
ROUNDS = 499
MANY_ROUNDS = 2_999
BATCH = 10
"""So many repetitions of a structure share one plan of resamples."""


def sizes(kind: str, groups: int, rng: np.random.Generator) -> IntArray:
    """Return the sizes of groups: all 8, or from 5 to 26."""
    return np.full(groups, 8) if kind == "8" else rng.integers(5, 27, groups)


def correlated(codes: IntArray, rho: float, columns: int, rng: np.random.Generator) -> FloatArray:
    """Return standard normals (items, columns) with this correlation within groups."""
    shared = rng.standard_normal((int(codes.max()) + 1, columns))[codes]
    return math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.standard_normal((len(codes), columns))


def mixed(codes: IntArray, rho: float, columns: int, rng: np.random.Generator) -> FloatArray:
    """Return 0/1 values of which pairs within a group are the group's own with probability rho."""
    shape = (len(codes), columns)
    shared = (rng.random((int(codes.max()) + 1, columns)) < RARE)[codes]
    from_group = rng.random(shape) < math.sqrt(rho)
    return np.where(from_group, shared, rng.random(shape) < RARE).astype(float)


def beta_binomial(
    codes: IntArray, rho: float, columns: int, rng: np.random.Generator
) -> FloatArray:
    """Return 0/1 values whose groups have beta-distributed shares of 1."""
    share = np.full((int(codes.max()) + 1, columns), RARE)
    if rho:
        both = 1 / rho - 1
        share = rng.beta(RARE * both, (1 - RARE) * both, share.shape)
    return (rng.random((len(codes), columns)) < share[codes]).astype(float)


Scores = Callable[[IntArray, float, int, np.random.Generator], FloatArray]


def transformed(change: Callable[[FloatArray], FloatArray]) -> Scores:
    """Return scores that are a function of correlated normals."""
    return lambda codes, rho, columns, rng: change(correlated(codes, rho, columns, rng))


def ap_of(normal: FloatArray) -> FloatArray:
    """Return values like average precisions: many near 0 and 1."""
    place = (stats.norm.cdf(normal) * len(AP_QUANTILES)).astype(int)
    return AP_QUANTILES[np.minimum(place, len(AP_QUANTILES) - 1)]


MEANS: dict[str, tuple[Scores, float]] = {
    "normal": (correlated, 0.0),
    "exponential": (transformed(lambda z: -stats.norm.logsf(z)), 1.0),
    "AP-like": (transformed(ap_of), float(AP_QUANTILES.mean())),
    "lognormal": (transformed(np.exp), math.exp(0.5)),
}
SHARES: dict[str, tuple[Scores, float]] = {
    "threshold of normals": (
        transformed(lambda z: (z < stats.norm.ppf(RARE)).astype(float)),
        RARE,
    ),
    "beta-binomial": (beta_binomial, RARE),
    "common cause": (mixed, RARE),
}


def coverage(
    scores: Scores,
    truth: float,
    span: tuple[float, float],
    draw_sizes: Callable[[np.random.Generator], IntArray],
    rho: float,
    seed: tuple[int, ...],
    trials: int,
) -> tuple[dict[str, float], float]:
    """Return the share of trials that each interval covers, and of those with too few events."""
    held = dict.fromkeys(("studentized", "t", "percentile"), 0)
    few = 0
    for batch in range(trials // BATCH):
        rng = np.random.default_rng([*seed, batch])
        drawn = draw_sizes(rng)
        codes = np.repeat(np.arange(len(drawn)), drawn)
        columns = scores(codes, rho, BATCH, rng)
        groups = Groups(codes, len(drawn))
        plan = ResamplingPlan(groups.count, seed=int(rng.integers(2**31)))
        for method in held:
            found = mean_intervals(columns, groups, plan, method, ranges=[span] * BATCH)  # type: ignore[arg-type]
            for limits in found:
                held[method] += limits is not None and limits.low <= truth <= limits.high
                few += method == "studentized" and "too few" in limits.method if limits else 0
    return {method: count / trials for method, count in held.items()}, few / trials


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def error_of(trials: int, share: float = 0.05) -> str:
    return f"{100 * math.sqrt(share * (1 - share) / trials):.1f}"


def intervals(trials: int, seed: int) -> Iterator[str]:
    yield f"## Intervals of means\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials)} points at 95 %. Coverage in percent.\n"
    yield "| scores | groups | size | correlation | studentized | t | percentile |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, (scores, truth) in MEANS.items():
        for groups in (10, 20, 38):
            for kind in ("8", "5-26"):
                for rho in CORRELATIONS:
                    held, _ = coverage(
                        scores,
                        truth,
                        UNLIMITED,
                        lambda rng, g=groups, k=kind: sizes(k, g, rng),
                        rho,
                        (seed, 1, groups, int(10 * rho), len(kind)),
                        trials,
                    )
                    cells = " | ".join(map(percent, held.values()))
                    yield f"| {name} | {groups} | {kind} | {rho} | {cells} |"


def shares(trials: int, seed: int) -> Iterator[str]:
    yield f"## Intervals of rare 0/1 values (5 %)\n\n{trials:,} repetitions a cell, Monte Carlo "
    yield f"error {error_of(trials)} points at 95 %. `marked`: how many say too few events.\n"
    yield "| scores | groups | size | correlation | Wilson | marked | percentile |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, (scores, truth) in SHARES.items():
        for groups in (20, 38, 100):
            for kind in ("8", "5-26"):
                for rho in (0.0, 0.3, 0.7):
                    held, few = coverage(
                        scores,
                        truth,
                        (0.0, 1.0),
                        lambda rng, g=groups, k=kind: sizes(k, g, rng),
                        rho,
                        (seed, 2, groups, int(10 * rho), len(kind)),
                        trials,
                    )
                    cells = f"{percent(held['studentized'])} | {percent(few)}"
                    cells += f" | {percent(held['percentile'])}"
                    yield f"| {name} | {groups} | {kind} | {rho} | {cells} |"


def structures(trials: int, seed: int) -> Iterator[str]:
    yield f"## Real structures of groups\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials)} points. `items` is today's percentile interval over items.\n"
    yield "| competition | scores | correlation | studentized | t | percentile | items |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    named = {"ICFHR (38 keywords)": ICFHR, "VIST (971 albums)": VIST, "VisDial (2,064)": VISDIAL}
    for competition, fixed in named.items():
        cells = CORRELATIONS if competition.startswith("ICFHR") else (0.5,)
        for name in MEANS if len(cells) > 1 else ("normal", "AP-like"):
            for rho in cells:
                scores, truth = MEANS[name]
                key = (seed, 3, len(fixed), int(10 * rho))
                held, _ = coverage(
                    scores, truth, UNLIMITED, lambda rng, f=fixed: np.array(f), rho, key, trials
                )
                alone = of_items(scores, truth, np.array(fixed), rho, key, min(trials, 500))
                shown = " | ".join(map(percent, (*held.values(), alone)))
                yield f"| {competition} | {name} | {rho} | {shown} |"


def of_items(
    scores: Scores, truth: float, fixed: IntArray, rho: float, seed: tuple[int, ...], trials: int
) -> float:
    """Return the coverage of percentile intervals that take items for independent."""
    held = 0
    codes = np.repeat(np.arange(len(fixed)), fixed)
    for batch in range(trials // BATCH):
        rng = np.random.default_rng([*seed, 9, batch])
        columns = scores(codes, rho, BATCH, rng)
        plan = ResamplingPlan(len(codes), seed=int(rng.integers(2**31)))
        found = mean_intervals(columns, Groups.singletons(len(codes)), plan, "percentile")
        held += sum(one is not None and one.low <= truth <= one.high for one in found)
    return held / trials


def tests(trials: int, seed: int) -> Iterator[str]:
    yield f"## Two systems\n\n{trials:,} repetitions a cell, Monte Carlo error {error_of(trials)} "
    yield "points at 5 % (1.1 at half). Share with p < 0.05 without a difference, and with a true "
    yield "one of 2.5 standard errors. `held to 5 %`: the t test with the critical value that "
    yield "makes it reject 5 % of equal systems. Groups of 5 to 26 items.\n"
    yield "| scores | groups | correlation | randomisation | studentized bootstrap | t "
    yield "| power: randomisation | power: t | power: t held to 5 % |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name in ("normal", "exponential", "AP-like"):
        for groups in (10, 20, 38):
            for rho in (0.0, 0.5):
                cells = two_systems(MEANS[name][0], groups, rho, (seed, 4, groups), trials)
                yield f"| {name} | {groups} | {rho} | {' | '.join(map(percent, cells))} |"


def two_systems(
    scores: Scores, groups: int, rho: float, seed: tuple[int, ...], trials: int
) -> list[float]:
    """Return how often three tests reject without a difference, and three with one."""
    boards = [_pair_of_systems(scores, groups, rho, (*seed, trial)) for trial in range(trials)]
    null = [PairedGroups(values, [(0, 1)], units) for values, units in boards]
    true_error = float(np.std([one.mean[0] for one in null]))
    limit = np.quantile([abs(one.mean[0] / one.robust[0]) for one in null], 1 - ALPHA)
    found = np.zeros(6)
    for trial, (values, units) in enumerate(boards):
        values[:, 0] += 2.5 * true_error
        pair = PairedGroups(values, [(0, 1)], units)
        found += [
            randomise_groups(null[trial], trial, MANY_ROUNDS).p[0] < ALPHA,
            studentized_p(null[trial], ResamplingPlan(groups, ROUNDS, trial)) < ALPHA,
            group_t_test(null[trial])[0] < ALPHA,
            randomise_groups(pair, trial, MANY_ROUNDS).p[0] < ALPHA,
            group_t_test(pair)[0] < ALPHA,
            abs(pair.mean[0] / pair.robust[0]) > limit,
        ]
    return list(found / trials)


def _pair_of_systems(
    scores: Scores, groups: int, rho: float, seed: tuple[int, ...]
) -> tuple[FloatArray, Groups]:
    rng = np.random.default_rng([*seed, int(10 * rho)])
    codes = np.repeat(np.arange(groups), rng.integers(5, 27, groups))
    return scores(codes, rho, 2, rng), Groups(codes, groups)


def board(
    groups: int,
    systems: int,
    rng: np.random.Generator,
    shared: float = 0.5,
    *,
    skewed: bool = False,
    families: int = 1,
) -> FloatArray:
    """Return scores (groups, systems) of equal systems; `shared` is the correlation of systems.

    It is that of the systems of one family.
    """
    normal = math.sqrt(shared) * _teams(groups, systems, families, rng)
    normal = normal + math.sqrt(1 - shared) * rng.standard_normal((groups, systems))
    return -stats.norm.logsf(normal) if skewed else normal


def _teams(groups: int, systems: int, families: int, rng: np.random.Generator) -> FloatArray:
    return rng.standard_normal((groups, families))[:, np.arange(systems) * families // systems]


def boards(trials: int, seed: int) -> Iterator[str]:
    yield f"## Boards of equal systems\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials)} points. Share of boards with any significant pair at 95 %.\n"
    yield "| scores | correlation of systems | systems | groups | Romano-Wolf | Holm |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, shared in (("normal", 0.5), ("exponential", 0.5), ("normal, two families", 0.95)):
        for systems in (2, 10, 40):
            for groups in (10, 20, 100) if systems < 40 else (20,):
                wrong = [0, 0]
                pairs = all_pairs(systems)
                for trial in range(trials):
                    rng = np.random.default_rng([seed, 5, groups, systems, trial])
                    skewed, families = name == "exponential", 1 + ("two" in name)
                    values = board(groups, systems, rng, shared, skewed=skewed, families=families)
                    found = PairedGroups(values, pairs, Groups.singletons(groups))
                    p = randomise_groups(found, trial, ROUNDS)
                    wrong[0] += bool(np.nanmin(p.corrected) < ALPHA)
                    wrong[1] += bool(np.nanmin(holm(group_t_test(found))) < ALPHA)
                cells = " | ".join(percent(count / trials) for count in wrong)
                yield f"| {name} | {shared} | {systems} | {groups} | {cells} |"


def lattice(p: FloatArray, groups: int) -> FloatArray:
    """Return p values that are no lower than randomising so many groups can give."""
    return np.maximum(p, 2.0 ** (1 - groups))


def true_scores(name: str, systems: int, error: float) -> FloatArray:
    """Return true scores of a board, in units of the error of a difference."""
    if name == "clustered":
        return np.repeat(np.arange(4) * 3.0, systems // 4) * error
    gap = {"equal": 0.0, "spread": 0.75}[name]
    return np.arange(systems) * gap * error


def rank_board(name: str, groups: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return scores of 20 systems and the true ones; families are four teams of five variants."""
    systems = 20
    if name == "families":
        team = rng.standard_normal((groups, 4)).repeat(5, axis=1)
        own = rng.standard_normal((groups, systems))
        values = math.sqrt(0.95) * team + math.sqrt(0.05) * own
        within = math.sqrt(2 * 0.05 / groups)
        truth = np.tile(np.arange(5) * within, 4) + np.repeat(np.arange(4), 5) * 2.5 / math.sqrt(
            groups
        )
        return values + truth, truth
    truth = true_scores(name, systems, math.sqrt(1 / groups))
    return board(groups, systems, rng) + truth, truth


def rank_intervals(trials: int, seed: int) -> Iterator[str]:
    yield f"## Ranks of 20 systems\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials)} points. `all held`: boards whose true ranks all are within their "
    yield "intervals. Length: worst less best rank, on average. Before: Holm over paired t tests,"
    yield "which sampled swaps come near (they cannot reach the p values of few groups).\n"
    yield "| true scores | groups | all held | before | length | before | shorter by | "
    yield "pairs found | before |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    pairs = all_pairs(20)
    for name in ("equal", "spread", "clustered", "families"):
        for groups in (10, 20, 100):
            held, length, found_pairs = np.zeros(2), np.zeros(2), np.zeros(2)
            for trial in range(trials):
                rng = np.random.default_rng([seed, 6, groups, trial])
                values, truth = rank_board(name, groups, rng)
                best = 1 + (truth[None, :] > truth[:, None] + 1e-12).sum(axis=1)
                found = PairedGroups(values, pairs, Groups.singletons(groups))
                stepped = randomise_groups(found, trial, ROUNDS).corrected
                for number, p in enumerate((stepped, holm(lattice(group_t_test(found), groups)))):
                    own = ranks(20, pairs, found.mean, p, ALPHA)
                    held[number] += all(
                        one.best <= place <= one.worst for one, place in zip(own, best, strict=True)
                    )
                    length[number] += np.mean([one.worst - one.best for one in own])
                    found_pairs[number] += (p < ALPHA).sum()
            length, found_pairs = length / trials, found_pairs / trials
            shorter = percent(1 - length[0] / length[1])
            cells = [*map(percent, held / trials), f"{length[0]:.2f}", f"{length[1]:.2f}", shorter]
            cells += [f"{count:.1f}" for count in found_pairs]
            yield f"| {name} | {groups} | {' | '.join(cells)} |"


def detectable(trials: int, seed: int) -> Iterator[str]:
    yield f"## Minimum detectable difference\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials, 0.2)} points. One system is better than all others by the minimum "
    yield "detectable difference (mean over boards of equal systems): mean power of its tests.\n"
    yield "| systems | groups | difference / error | significant |"
    yield "|--:|--:|--:|--:|"
    for systems in (2, 10, 20):
        pairs = all_pairs(systems)
        for groups in (10, 20, 100, 400):
            units = Groups.singletons(groups)
            stated = []
            for trial in range(max(40, 200 // systems)):
                values = board(groups, systems, np.random.default_rng([seed, 7, groups, trial]))
                found = PairedGroups(values, pairs, units)
                critical = largest_critical(values, pairs, 1 - ALPHA, groups - 1, trial)
                errors = found.robust
                stated.append(minimum_detectable_differences(errors, groups - 1, critical)[0])
            effect = float(np.mean(stated))
            rejections = 0.0
            for trial in range(trials):
                values = board(groups, systems, np.random.default_rng([seed, 8, groups, trial]))
                values[:, 0] += effect
                p = randomise_groups(PairedGroups(values, pairs, units), trial, ROUNDS).corrected
                rejections += float((p[: systems - 1] < ALPHA).mean())
            ratio = effect / math.sqrt(1 / groups)
            yield f"| {systems} | {groups} | {ratio:.2f} | {percent(rejections / trials)} |"


def rating_design(
    raters: int, stories: int, each: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Return the rater and the story of every rating; each story has so many raters, in turns."""
    story = np.repeat(np.arange(stories), each)
    return rng.permutation(raters)[np.arange(stories * each) % raters], story


def ratings(trials: int, seed: int) -> Iterator[str]:
    yield f"## Ratings by people\n\n{trials:,} repetitions a cell, Monte Carlo error "
    yield f"{error_of(trials)} points. A rating is the sum of its rater's, its story's and its own "
    yield "normal deviation. `significant`: boards of five equal systems with significant pairs.\n"
    yield "| raters | stories | raters a story | rater | story | crossed | pigeonhole percentiles "
    yield "| percentiles over stories | significant |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for raters, each in ((5, 5), (5, 3), (10, 10), (10, 3), (20, 3)):
        for stories in (20, 60):
            for of_rater, of_story in ((0.5, 0.5), (0.5, 0.2), (0.0, 0.5), (0.0, 0.0)):
                held = np.zeros(4)
                for trial in range(trials):
                    rng = np.random.default_rng([seed, 10, raters, stories, each, trial])
                    design = (raters, stories, each, of_rater, of_story)
                    held += rated_board(*design, rng)
                cells = " | ".join(map(percent, held / trials))
                yield f"| {raters} | {stories} | {each} | {of_rater} | {of_story} | {cells} |"


def rated_board(
    raters: int,
    stories: int,
    each: int,
    of_rater: float,
    of_story: float,
    rng: np.random.Generator,
) -> list[bool]:
    """Return which intervals contain the mean 0, and whether any of five equal systems differ."""
    rater, story = rating_design(raters, stories, each, rng)
    systems = 5
    given = of_rater * rng.standard_normal((raters, systems))[rater]
    given += of_story * rng.standard_normal((stories, systems))[story]
    given += 0.8 * rng.standard_normal(given.shape)
    mean = given.mean(axis=0)
    errors = CrossedErrors((given - mean) / len(given), rater, story)
    reach = student_quantile(errors.degrees, 1 - ALPHA / 2) * errors.of_means()[0]
    sums, numbers = np.zeros((raters, stories, 1)), np.zeros((raters, stories, 1))
    np.add.at(sums, (rater, story), given[:, :1])
    np.add.at(numbers, (rater, story), 1.0)
    own = sums.sum(axis=0)[:, 0] / each
    draws = count_draws(rng.integers(0, stories, (400, stories)))
    plan = ResamplingPlan(raters, 400, int(rng.integers(2**31)))
    ((_, found),) = pigeonhole_means(sums, numbers, plan)
    kept = draws * np.isfinite(found[:, :, 0])
    drawn = (kept * np.nan_to_num(found[:, :, 0])).sum(axis=1) / np.maximum(kept.sum(axis=1), 1)
    pairs = all_pairs(systems)
    difference = np.array([mean[one] - mean[other] for one, other in pairs])
    differences = PairedDifferences(difference, errors.of_differences(pairs), np.ones(len(pairs)))
    p, _ = stepdown_p(differences, errors.spread, pairs, errors.degrees, seed=1)
    tails = [ALPHA / 2, 1 - ALPHA / 2]
    low, high = np.quantile(drawn, tails)
    low_alone, high_alone = np.quantile(draws @ own / stories, tails)
    return [
        abs(mean[0]) <= reach,
        low <= 0 <= high,
        low_alone <= 0 <= high_alone,
        bool(p.min() < ALPHA),
    ]


PARTS: dict[str, Callable[[int, int], Iterator[str]]] = {
    "intervals": intervals,
    "shares": shares,
    "structures": structures,
    "tests": tests,
    "boards": boards,
    "ranks": rank_intervals,
    "detectable": detectable,
    "ratings": ratings,
    **calibration_cells.PARTS,
    **calibration_differences.PARTS,
}


def main() -> None:
    """Simulate the chosen parts and print them as Markdown."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=19)
    arguments = parser.parse_args()
    for part in arguments.parts:
        began = time.perf_counter()
        for line in PARTS[part](arguments.trials, arguments.seed):
            print(line, flush=True)
        print(flush=True)
        print(f"{part}: {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
