"""Plan of a rating study: its JSON, as a crafted desk could contain it."""

from __future__ import annotations

from typing import Any

import pytest

from jurydesk.core.human_evaluation.design.study import study_from_json
from support.rating import studies


def planned(study: Any) -> Any:
    """Return the first item of the first rater, as in the study's JSON."""
    return study["raters"][0][1][0][1]


def test_a_study_is_read_as_it_was_written() -> None:
    made = studies.study()
    assert study_from_json(made.to_json()) == made


@pytest.mark.parametrize(("part", "number"), [("sequence", 6), ("systems", [3])])
def test_an_item_or_a_system_beyond_the_last_of_the_study_is_refused(
    part: str, number: object
) -> None:
    data = studies.study(sequences=6).to_json()
    planned(data)[part] = number
    with pytest.raises(ValueError, match="not in the study"):
        study_from_json(data)


@pytest.mark.parametrize(("part", "number"), [("sequence", 5), ("systems", [2])])
def test_the_last_item_and_the_last_system_are_in_the_study(part: str, number: object) -> None:
    data = studies.study(sequences=6).to_json()
    planned(data)[part] = number
    study_from_json(data)
