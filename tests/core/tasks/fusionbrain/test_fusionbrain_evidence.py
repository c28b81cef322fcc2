from __future__ import annotations

import math

from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import nan_to_none


def test_only_a_score_that_is_nan_is_none_in_json() -> None:
    assert [nan_to_none(value) for value in (0.0, 0.5, math.nan)] == [0.0, 0.5, None]
