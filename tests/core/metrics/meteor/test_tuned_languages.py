from __future__ import annotations

from jurydesk.core.metrics.meteor.languages import ENGLISH, OTHER


def test_a_language_without_parameters_of_a_task_is_not_tuned_for_it() -> None:
    assert ENGLISH.is_tuned("rank") is True
    assert OTHER.is_tuned("rank") is True
