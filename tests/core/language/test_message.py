"""Messages: English text with its template and arguments, in pickles and in stored JSON."""

import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.language import (
    Message,
    counted,
    fill,
    format_number,
    name_list,
    round_number,
    translate_text,
)
from jurydesk.core.language.message import decode_message, encode_message
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.json_codec import from_json, to_json
from support.language import shown_in


@given(st.text(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False), st.text(max_size=9))
def test_a_message_is_the_text_that_an_f_string_makes_and_survives_pickles_and_json(a, n, x, b):
    inner = fill("{b}", b)
    made = fill("{a} has {n:,} of {x:.2f} in {inner}.", a, n, x, inner)
    assert made == f"{a} has {n:,} of {x:z.2f} in {b}."
    stored = json.loads(json.dumps(encode_message(made)))
    for again in (pickle.loads(pickle.dumps(made)), decode_message(stored)):
        assert again == made
        assert isinstance(again, Message)
        assert again.template == made.template
        assert again.arguments == made.arguments


@pytest.mark.parametrize("value", [-0.0, -0.00049, 0.00049])
@pytest.mark.parametrize("style", [".3f", "+.3f", ",.3f", ".2%"])
def test_a_number_that_rounds_to_zero_has_no_sign_in_either_language(value, style):
    sentence = fill(f"It is {{value:{style}}}.", value * (0.1 if "%" in style else 1))
    zero = "0.00%" if "%" in style else "0.000"
    assert sentence == f"It is {zero}."
    with shown_in("ru"):
        assert translate_text(sentence) == f"It is {zero.replace('.', ',')}."
        assert translate_text(round_number(value, 3)) == "0,000"


def test_a_number_that_does_not_round_to_zero_keeps_its_sign():
    texts = [format_number(-0.0006, style) for style in (".3f", "+.3f", ".1e")]
    assert texts == ["-0.001", "-0.001", "-6.0e-04"]
    assert [format_number(one, "+.1f") for one in (0.1, -math.inf)] == ["+0.1", "-inf"]


def test_the_text_of_an_exception_keeps_its_template():
    assert str(ValueError(fill("{a}!", 1))).template == "{a}!"


def test_a_stored_defect_is_translated_with_its_counts_and_lists():
    found = fill(
        "{count} with human stories, but not in the template: {names}.",
        counted(2, "sequence"),
        name_list(["a", "b", "c", "d"]),
    )
    defect = warning(Place("x.json"), found, "The file is empty.")
    assert to_json(defect)["found"] == found
    assert type(json.loads(json.dumps(to_json(defect)))["found"]) is str
    stored = json.loads(json.dumps(to_json(defect, messages=True)))
    again = from_json(Defect, stored)
    assert again == defect
    with shown_in("ru"):
        assert translate_text(again.found) == translate_text(found) != found


@pytest.mark.parametrize(
    "data",
    [
        [],
        [1],
        ["a", "b", "c"],
        ["{a.__class__}", {"a": True}],
        ["{a:>999999999}", {"a": 1}],
        ["{a:.99999f}", {"a": 1.0}],
        ["{a:d}", {"a": 1.5}],
        ["{a}" * 30, {"a": "x" * 90_000}],
        ["{a}", {"a": None}],
        ["{count} a", "{count} b", {"count": "1"}],
        ["{a:.2f}", {"a": 10**400}],
        ["x", {"a": ["x", {"a": ["x", {"a": ["x", {"a": ["x", {"a": ["x", {"a": ["x", {"a": [
            "x", {"a": ["x"]}]}]}]}]}]}]}]}],
    ],
)  # fmt: skip
def test_data_of_strangers_that_is_no_message_is_refused(data):
    with pytest.raises(ValueError, match=r"message|format|count|number"):
        decode_message(data)


def test_a_template_of_strangers_reads_no_attribute():
    assert decode_message(["{a.__class__} {a[0]} {b}", {"a": "x"}]) == "{a.__class__} {a[0]} {b}"
