from __future__ import annotations

import pytest

from jurydesk.core.metrics.meteor.alignment import engine_compiled
from jurydesk.core.metrics.meteor.alignment.engine import ENGINE_VARIABLE, engine


@pytest.mark.parametrize(
    ("is_available", "asked", "used"),
    [(True, "", "compiled"), (True, "python", "python"), (False, "", "python")],
)
def test_the_compiled_engine_is_used_where_it_is_available_and_not_declined(
    monkeypatch: pytest.MonkeyPatch, is_available: bool, asked: str, used: str
) -> None:
    monkeypatch.setattr(engine_compiled, "AVAILABLE", is_available)
    monkeypatch.setenv(ENGINE_VARIABLE, asked)
    assert engine() == used
