from __future__ import annotations

from jurydesk.core.tasks.vist.vist_explanation import _explain_non_ascii


def test_twelve_characters_outside_ascii_are_examples() -> None:
    found = _explain_non_ascii("the story", ["абвгдежзийклмн"])
    assert found.startswith("14 characters of the story outside ASCII (а б в г д е ж з и й к л):")
    assert _explain_non_ascii("the story", ["plain"]) == ""
