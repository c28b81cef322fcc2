from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.analysis.explain_number import Explanation, explain, parse_target, variants
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import UsageError
from support import toy


@pytest.mark.parametrize(
    ("text", "found", "met"),
    [
        ("0.231", 0.23149, True),
        ("0.231", 0.2305, True),
        ("0.231", 0.23199, True),
        ("0.231", 0.2321, False),
        ("23.1", 0.23149, True),
        ("23,1 %", 0.2310, True),
        ("0.231", float("nan"), False),
        ("1", 1.4, True),
        ("0.5", 0.449, False),
    ],
)
def test_a_number_matches_when_rounded_truncated_or_in_percent(
    text: str, found: float, met: bool
) -> None:
    assert parse_target(text).is_met(found) == met


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf"])
def test_text_that_is_not_a_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a number"):
        parse_target(text)


def test_choices_are_tried_with_the_fewest_changes_first() -> None:
    tried = list(variants(toy.Options()))
    assert [len(changes) for changes, _ in tried] == [0, 1, 1, 2]
    assert tried[0][1] == toy.Options()
    assert tried[-1][1] == toy.Options(profile="corrected", missing="zero")


def explained(tmp_path: Path, metric: str, text: str) -> list[Explanation]:
    return [one for one in tried(tmp_path, metric, text) if one.is_match]


def tried(tmp_path: Path, metric: str, text: str) -> list[Explanation]:
    truth = toy.write(tmp_path / "truth.txt", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    guesses = toy.write(tmp_path / "guesses.txt", {"a": 1.0, "b": 2.25, "c": 3.25})
    inputs = {"truth": [truth], "guesses": [guesses]}
    return explain(toy.TASK, inputs, toy.Options(), metric, parse_target(text), Run())


def test_the_option_that_gives_the_number_is_found_with_the_changed_items(
    tmp_path: Path,
) -> None:
    (found,) = explained(tmp_path, "closeness", "0.625")  # (1 + 0.75 + 0.75 + 0) / 4
    assert found.changes == (("missing", "zero"),)
    assert (found.metric, found.value) == ("closeness", 0.625)
    (move,) = found.moves
    assert (move.item, move.after) == ("d", 0.0)


def test_the_options_in_use_need_no_change(tmp_path: Path) -> None:
    first = explained(tmp_path, "closeness", "0.833")[0]
    assert first.changes == ()
    assert first.moves == ()


def test_another_metric_with_the_same_number_is_listed_later(tmp_path: Path) -> None:
    (found,) = explained(tmp_path, "closeness", "3")
    assert found.metric == "listed"


def test_a_number_that_no_option_gives_is_not_explained(tmp_path: Path) -> None:
    assert explained(tmp_path, "closeness", "0.123") == []


def test_other_options_are_listed_with_the_nearest_first(tmp_path: Path) -> None:
    # closeness: (1 + 0.75 + 0.75) / 3 = 0.8333, or / 4 = 0.625 with missing items as zero
    found = tried(tmp_path, "closeness", "0.63")
    values = [(one.is_match, round(one.value, 4)) for one in found if len(one.changes) < 2]
    assert (True, 0.625) in values[:1]
    missed = tried(tmp_path, "closeness", "60 %")
    assert not any(one.is_match for one in missed)
    assert missed[0].changes == (("missing", "zero"),)
    assert missed[0].difference == pytest.approx(2.5)
    distances = [abs(one.difference) for one in missed]
    assert distances == sorted(distances)
    assert len(missed) == 4
