from __future__ import annotations

import pytest

from jurydesk.core.neural.weights.weight_origins import FILE, ORIGINS, record_use, use_text
from jurydesk.core.neural.weights.weight_roles import ROLES
from jurydesk.core.system.paths import HOME_VARIABLE, cache_folder


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))


def test_every_role_has_an_origin():
    assert set(ORIGINS) == {role.id for role in ROLES}


def test_the_last_use_of_weights_is_told():
    assert use_text("clip") == "They have not run on this machine."
    record_use("clip", "ab", "cpu")
    record_use("dinov2", "cd", "cuda:0")
    assert use_text("clip").endswith(", device cpu.")
    assert use_text("dinov2").endswith(", device cuda:0.")


def test_a_damaged_list_of_uses_counts_as_empty():
    record_use("clip", "ab", "cpu")
    for content in ("{", "[]", '{"clip": 1}'):
        (cache_folder() / FILE).write_text(content)
        assert use_text("clip") == "They have not run on this machine."
    record_use("clip", "ab", "cpu")
    assert use_text("clip").endswith(", device cpu.")
