"""Data frames without polars."""

import pytest

import jurydesk
from jurydesk.core.model.evaluation import ResourceMissing


def test_without_polars_a_table_names_the_extra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ResourceMissing, match=r"pip install 'jurydesk\[frames\]'"):
        jurydesk.ranking({"q": {"a": 1}}, {"q": {"a": 0.5}})
