"""Settings of statistics are kept, and what a stranger's desk has in their place counts as none."""

from __future__ import annotations

import pytest

from jurydesk.core.desk.inference_settings import (
    NAME,
    load_inference,
    store_inference,
    stored_settings,
)
from jurydesk.core.statistics.inference import Inference


def test_settings_are_loaded_as_they_were_stored(desk):
    assert (stored_settings(desk), load_inference(desk)) == ({}, Inference())
    store_inference(desk, Inference(interval="t", correction="holm"))
    assert stored_settings(desk)["interval"] == "t"
    assert load_inference(desk) == Inference(interval="t", correction="holm")


@pytest.mark.parametrize("content", ["", "{", "[1]", "null", '{"interval": 3}', "[" * 5000])
def test_damaged_settings_are_the_defaults(desk, content):
    with desk.writing() as connection:
        connection.execute("INSERT INTO setting VALUES (?, ?)", (NAME, content))
    assert load_inference(desk) == Inference()
    assert stored_settings(desk) == ({"interval": 3} if "interval" in content else {})
