"""Agreement of raters compared with published worked examples."""

import itertools
from functools import partial

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.raters.agreement import (
    ICC,
    SHARE,
    agreement_with_interval,
    alpha,
    alpha_change,
    alpha_sums,
    alpha_without_raters,
    exact_share,
    exact_share_sums,
    icc_1k,
    icc_1k_sums,
    icc_2k,
)
from jurydesk.core.statistics.raters.gwet_agreement import gwet_ac, gwet_without_raters
from jurydesk.core.statistics.raters.left_out import (
    exact_share_without_raters,
    icc_1k_without_raters,
    icc_2k_without_raters,
)

NAN = np.nan

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example C: four observers,
# twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)

# Shrout and Fleiss (1979), table 2: four judges, six targets.
JUDGES = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
).T


@pytest.mark.parametrize(
    ("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_equals_krippendorff_2011(scale, published):
    assert alpha(OBSERVERS, scale).value == pytest.approx(published, abs=5e-4)


def test_icc_equals_shrout_and_fleiss_1979():
    assert icc_2k(JUDGES).value == pytest.approx(0.62, abs=5e-3)
    assert icc_1k(JUDGES).value == pytest.approx(0.44, abs=5e-3)


def test_exact_share_counts_pairs():
    assert exact_share(np.array([[1, 2], [1, 3], [2, NAN]], float)).value == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("measure", "ratings", "reason"),
    [
        (alpha, [[1, 2]], "no item has two ratings"),
        (alpha, [[3, 3], [3, 3]], "all ratings are the same"),
        (icc_2k, [[1, 2]], "one rater alone"),
        (icc_2k, [[1, NAN], [1, 2]], "fewer than two items were rated by all"),
        (icc_2k, [[3, 3], [3, 3]], "the ratings do not vary"),
        (icc_1k, [[1, NAN], [1, 2]], "fewer than two items have two ratings"),
        (icc_1k, [[1, 2], [2, 1]], "the means of the items do not vary"),
        (exact_share, [[1, NAN], [NAN, 2]], "no item has two ratings"),
    ],
)
def test_undefined_values_have_a_reason(measure, ratings, reason):
    found = measure(np.array(ratings, float))
    assert np.isnan(found.value)
    assert found.undefined == reason


ratings = st.lists(st.lists(st.integers(1, 5), min_size=6, max_size=6), min_size=2, max_size=4)


@given(ratings, st.randoms())
def test_order_of_raters_and_items_does_not_matter(rows, random):
    table = np.array(rows, float)
    raters, items = list(range(len(table))), list(range(table.shape[1]))
    random.shuffle(raters)
    random.shuffle(items)
    shuffled = table[raters][:, items]
    assert alpha(shuffled).value == pytest.approx(alpha(table).value, nan_ok=True)
    assert icc_2k(shuffled).value == pytest.approx(icc_2k(table).value, nan_ok=True)
    assert icc_1k(shuffled).value == pytest.approx(icc_1k(table).value, nan_ok=True)


@given(st.lists(st.integers(1, 5), min_size=3, max_size=8).filter(lambda row: len(set(row)) > 1))
def test_raters_who_agree_completely_have_alpha_one(row):
    assert alpha(np.array([row, row], float)).value == pytest.approx(1.0)


def items_of(ratings) -> Groups:
    return Groups.singletons(ratings.shape[1])


def test_the_interval_is_the_jackknife_of_raters_and_items_by_its_definition():
    """Recompute the transformed measure without each item, and without each rater."""
    ratings = np.random.default_rng(4).integers(1, 6, (4, 12)).astype(float)
    found = agreement_with_interval(
        *(alpha, ratings, items_of(ratings)), sums=alpha_sums, change=alpha_change(ratings)
    )

    def log_ratio(value):
        """Return the logarithm of the variance between items over that within, of 3 ratings."""
        return np.log((1 + 2 * value) / (1 - value))

    variances, degrees = [], []
    for axis, count in ((1, 12), (0, 4)):
        left = [log_ratio(alpha(np.delete(ratings, k, axis)).value) for k in range(count)]
        variances.append((count - 1) / count * ((left - np.mean(left)) ** 2).sum())
        degrees.append(count - 1)
    whole = sum(variances)
    freedom = whole**2 / sum(v**2 / d for v, d in zip(variances, degrees, strict=True))
    reach = scipy.stats.t.ppf(0.975, max(1.0, freedom)) * np.sqrt(whole)
    z = log_ratio(alpha(ratings).value)
    expected = [(np.exp(end) - 1) / (np.exp(end) + 2) for end in (z - reach, z + reach)]
    assert [found.interval.low, found.interval.high] == pytest.approx(expected)
    assert found.interval.method == "jackknife over 12 items and 4 raters"


def test_alpha_below_the_range_of_its_transformation_keeps_its_interval():
    ratings = np.full((20, 300), NAN)
    ratings[0, :200], ratings[1, :200] = 0, 1  # pairs that never agree
    ratings[:, 200:] = (np.arange(20) % 2)[:, np.newaxis]
    change = alpha_change(ratings)
    with np.errstate(invalid="ignore"):
        assert np.isnan(change.forth(np.array(alpha(ratings).value)))
    found = agreement_with_interval(
        *(alpha, ratings, items_of(ratings)), sums=alpha_sums, change=alpha_change(ratings)
    )
    assert found.interval.low < found.value < found.interval.high


def test_the_interval_contains_the_value_and_the_order_changes_nothing():
    ratings = np.random.default_rng(4).integers(1, 6, (4, 12)).astype(float)
    found = agreement_with_interval(icc_2k, ratings, items_of(ratings))
    assert found.interval.low <= found.value <= found.interval.high
    turned = agreement_with_interval(icc_2k, ratings[::-1, ::-1], items_of(ratings))
    assert turned.interval.low == pytest.approx(found.interval.low)


def test_two_raters_are_fixed_and_few_items_are_named():
    ratings = np.random.default_rng(4).integers(1, 4, (2, 8)).astype(float)
    found = agreement_with_interval(exact_share, ratings, items_of(ratings), change=SHARE)
    assert 0 < found.interval.low < found.value < found.interval.high < 1
    assert found.interval.method == "jackknife over 8 items, for these raters, few items"


def test_raters_without_ratings_are_not_counted():
    idle = np.vstack([JUDGES, np.full(JUDGES.shape[1], np.nan)])
    assert icc_2k(idle).value == icc_2k(JUDGES).value


def test_variance_left_by_rounding_is_no_variance():
    for values in itertools.product(range(1, 6), repeat=6):
        found = icc_2k(np.array(values, float).reshape(2, 3))
        assert found.undefined or abs(found.value) < 1e6


def test_the_one_way_icc_does_not_depend_on_who_rated():
    """Give each item two of five raters: the ratings of JUDGES' first two, redistributed."""
    spread = np.full((5, JUDGES.shape[1]), np.nan)
    for item in range(JUDGES.shape[1]):
        spread[[item % 5, (item + 2) % 5], item] = JUDGES[:2, item]
    assert icc_2k(spread).undefined == "fewer than two items were rated by all"
    assert icc_1k(spread).value == pytest.approx(icc_1k(JUDGES[:2]).value)


def test_the_one_way_icc_is_close_to_that_of_the_simulated_ratings():
    """Simulate variances 1 of items and 2 of errors, 2 to 6 ratings each: 1 of 1 + 2 / k."""
    rng = np.random.default_rng(5)
    counts = rng.integers(2, 7, 20_000)
    drawn = rng.normal(size=20_000) + np.sqrt(2) * rng.normal(size=(6, 20_000))
    drawn[np.arange(6)[:, None] >= counts] = np.nan
    assert icc_1k(drawn).value == pytest.approx(1 / (1 + 2 / counts.mean()), abs=0.02)


def test_four_groups_have_no_interval():
    ratings = np.random.default_rng(5).integers(1, 6, (3, 12)).astype(float)
    groups = Groups.of_labels(number % 4 for number in range(12))
    found = agreement_with_interval(exact_share, ratings, groups, change=SHARE)
    assert (found.interval, found.note) == (None, "4 items: no interval")


def test_an_interval_of_everything_is_a_note():
    rng = np.random.default_rng(8)
    found = [
        agreement_with_interval(measure, one, items_of(one), change=ICC)
        for one in (rng.integers(1, 6, (3, 6)).astype(float) for _ in range(200))
        for measure in (icc_1k, icc_2k)
    ]
    notes = [one.note for one in found if one.interval is None and not one.undefined]
    assert notes.count("no interval: anything from 0 to 1 is possible") > 20
    assert all(notes)
    spans = [(one.interval, one.value) for one in found if one.interval is not None]
    assert all(not (span.low < 0.005 and span.high >= 0.995) for span, _ in spans)
    assert all(min(0.0, value) <= span.low <= value <= span.high <= 1 for span, value in spans)
    assert any(value < 0 for _, value in spans)


def test_complete_agreement_says_why_it_has_no_interval():
    ratings = np.tile(np.arange(12) % 5, (3, 1)).astype(float)
    found = agreement_with_interval(icc_1k, ratings, items_of(ratings), change=ICC)
    assert found.interval is None
    assert found.note == "no interval: 1 or undefined without some item or rater"


@pytest.mark.parametrize(
    ("measure", "sums"),
    [
        *(
            (partial(alpha, scale=scale), partial(alpha_sums, scale=scale))
            for scale in ("nominal", "ordinal", "interval")
        ),
        (icc_1k, icc_1k_sums),
        (exact_share, exact_share_sums),
    ],
)
@pytest.mark.parametrize("largest", [2, 5])
def test_groups_left_out_of_sums_equal_those_that_are_measured_one_by_one(measure, sums, largest):
    rng = np.random.default_rng(2)
    ratings = rng.integers(1, largest + 1, (4, 15)).astype(float)
    ratings[rng.random(ratings.shape) < 0.5] = np.nan
    groups = Groups.of_labels(number % 6 for number in range(15))
    for shape in (groups, items_of(ratings)):
        slow = agreement_with_interval(measure, ratings, shape)
        fast = agreement_with_interval(measure, ratings, shape, sums=sums)
        assert slow.interval is not None
        assert fast.value == slow.value
        assert fast.interval.method == slow.interval.method
        assert fast.interval.low == pytest.approx(slow.interval.low, abs=1e-12)
        assert fast.interval.high == pytest.approx(slow.interval.high, abs=1e-12)


def test_sums_whose_items_do_not_vary_are_undefined_too():
    rows, from_sums = icc_1k_sums(np.array([[1, 1, 0.1], [1, 1, 0.3]]))
    assert np.isnan(from_sums(2 * rows[:1])).all()
    assert np.isnan(from_sums(rows[:2].sum(axis=0)[np.newaxis])).all()
    assert np.isfinite(from_sums(rows.sum(axis=0)[np.newaxis])).all()


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("decimals", [0, 3])
def test_raters_and_items_left_out_by_sums_equal_those_left_out_one_by_one(
    missing, decimals, monkeypatch
):
    rng = np.random.default_rng(5)
    ratings = np.round(rng.normal(3, 1, 24) + rng.normal(0, 0.6, (5, 24)), decimals)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    groups, steps = Groups.of_labels(number // 2 for number in range(24)), (1.0, 9.0)
    gwet = partial(gwet_without_raters, categories=steps)
    for measure, without_raters in (
        (alpha, alpha_without_raters),
        (partial(alpha, scale="interval"), partial(alpha_without_raters, scale="interval")),
        (icc_2k, icc_2k_without_raters),
        (icc_1k, icc_1k_without_raters),
        (exact_share, exact_share_without_raters),
        (partial(gwet_ac, categories=steps), gwet),
    ):
        found = []
        for most in (10**9, 1):
            monkeypatch.setattr("jurydesk.core.statistics.raters.agreement.MOST_NUMBERS", most)
            one = agreement_with_interval(measure, ratings, groups, without_raters=without_raters)
            span = one.interval
            found.append([one.value, *((span.low, span.high) if span else ())])
        assert found[0] == pytest.approx(found[1], abs=1e-10, nan_ok=True)
