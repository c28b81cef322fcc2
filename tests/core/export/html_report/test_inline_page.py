"""Data of pages are small, cannot end their script, and are read back as they were."""

import json

import pytest

from jurydesk.core.export.html_report.inline_page import data_element, script_safe_json


def test_letters_of_any_script_are_written_as_they_are():
    assert script_safe_json("Проверка «ё» 図") == '"Проверка «ё» 図"'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("</script>", r'"\u003c/script\u003e"'),
        ("<!-- &amp;", r'"\u003c!-- \u0026amp;"'),
        ("a\u2028b\u2029c", r'"a\u2028b\u2029c"'),
        ("\ud800", r'"\ud800"'),
        ("\ufeff\x85", r'"\ufeff\u0085"'),
    ],
)
def test_characters_that_a_page_cannot_hold_are_escaped_and_read_back(text: str, written: str):
    assert script_safe_json(text) == written
    assert json.loads(written) == text
    assert script_safe_json(text).encode("utf-8").decode("utf-8") == written


def test_data_end_where_their_element_ends():
    assert data_element("kit", {"a": "</script>"}).count("</script>") == 1
