"""Every change of an export is found, and named so that its row is found."""

from __future__ import annotations

import base64
import copy
import csv
import io
import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.export.results_json import competition_json, system_json
from jurydesk.core.model.defects import Place, warning
from jurydesk.core.verification.differences import (
    NOTHING,
    _index_by_number,
    _is_close,
    find_difference,
    find_result_difference,
    without_folders,
)
from support.desks.toy_desk import evaluation

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.sampled_from(["", "a", "0.5"]))
NAMES = st.sampled_from(["name", "details", "value"])
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=3,
)
OTHER = "another value"


def test_rows_are_named_by_their_number_from_1_and_by_what_they_are_about():
    rows = [{"system": "a", "item": "i1", "value": 1}, {"value": 2}, {"system": "", "item": "i2"}]
    found = _index_by_number(rows)
    assert list(found) == ["row 1 (a, i1)", "row 2", "row 3 (i2)"]
    assert found["row 2"] == {"value": 2}


def test_a_whole_number_beyond_every_float_equals_nothing():
    assert not _is_close(10**400, 1.0)
    assert not _is_close(1.0, 10**400)
    assert not _is_close(float("inf"), float("inf"))
    assert _is_close(1.0, 1.0 + 1e-15)


def changes(value):
    """Yield every copy of a JSON value with one leaf, member or entry changed, added or removed."""
    if isinstance(value, dict):
        yield {**value, "added": OTHER}
        for name, one in value.items():
            yield {key: other for key, other in value.items() if key != name}
            yield from ({**value, name: changed} for changed in changes(one))
    elif isinstance(value, list):
        yield [*value, OTHER]
        for number, one in enumerate(value):
            yield value[:number] + value[number + 1 :]
            yield from ([*value[:number], new, *value[number + 1 :]] for new in changes(one))
    else:
        yield OTHER
        yield [value]


@given(document=DOCUMENTS)
def test_every_change_of_a_document_is_found(document):
    made = json.dumps(document)
    assert find_difference("json", copy.deepcopy(document), made) == (None, [])
    for changed in changes(document):
        found, unknown = find_difference("json", changed, made)
        assert found is not None
        assert unknown == []


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"a": {"b": [1, 3]}}, "a.b[1]: the file has 3, recomputed 2."),
        ({"a": {"b": [1]}}, "a.b: the file has 1 entries, recomputed 2 entries."),
        ({"a": {"b": [1, 2], "c": 0}}, "a.c: the file has 0, recomputed nothing."),
        ({"a": {}}, "a.b: the file has nothing, recomputed [1, 2]."),
        ({"a": {"b": [1, True]}}, "a.b[1]: the file has true, recomputed 2."),
        ({"a": {"b": [1, "x" * 99]}}, "a.b[1]: the file has xxxxx"),
    ],
)
def test_the_first_difference_has_its_place_and_both_values(changed, sentence):
    found, _ = find_difference("json", changed, '{"a": {"b": [1, 2]}}')
    assert found.sentence.startswith(sentence)


def test_a_list_of_anything_but_records_is_compared_as_it_is():
    assert find_difference("json", ["x", 1], '["x", 1]') == (None, [])
    found, _ = find_difference("json", ["x", 1], '["x", 2]')
    assert (found.place, found.recomputed) == ("[1]", "2")


def test_what_an_incomplete_recomputation_lacks_is_listed_unless_it_is_empty():
    given = {"a": 1, "b": {"c": 2}, "empty": []}
    assert find_difference("json", given, '{"a": 1}', incomplete=True) == (None, ["b"])
    found, _ = find_difference("json", {"a": 1}, '{"a": 1, "b": 2}', incomplete=True)
    assert (found.place, found.recorded) == ("b", NOTHING)


@given(
    rows=st.lists(
        st.lists(st.text("ab1. ,\"'", max_size=4), min_size=2, max_size=2), min_size=1, max_size=4
    ),
    data=st.data(),
)
def test_every_change_of_a_table_is_found(rows, data):
    def text(cells):
        csv.writer(written := io.StringIO(), lineterminator="\n").writerows(cells)
        return written.getvalue()

    table = [["system", "value"], *rows]
    assert find_difference("csv", text(table), text(table)) == (None, [])
    row = data.draw(st.integers(0, len(table) - 1))
    for changed in (
        [*table[:row], [table[row][0], OTHER], *table[row + 1 :]],
        [*table[:row], [*table[row], OTHER], *table[row + 1 :]],
        [*table[:row], ["more", "cells"], *table[row:]],
        [*table[:row], *table[row + 1 :]],
    ):
        if changed != table and text(changed) != text(table):
            assert find_difference("csv", text(changed), text(table))[0] is not None
    assert find_difference("csv", f"{text(table)}\n", text(table))[0] is not None


@pytest.mark.parametrize("form", ["lines", "jsonl"])
def test_every_change_of_a_line_is_found(form):
    text = '{"item": "a", "ap": 0.5}\n{"item": "b", "ap": 0.25}\n'
    assert find_difference(form, text, text) == (None, [])
    lines = text.splitlines()
    others = ['{"item": "a", "ap": 0.6}', '{"item": "a"}', "no JSON", "[]"]
    for changed in (
        *([other, lines[1]] for other in others),
        [*lines, lines[0]],
        lines[:1],
        ['{"item": "a", "ap": 0.6, "ap": 0.5}', lines[1]],
    ):
        assert find_difference(form, "\n".join(changed) + "\n", text)[0] is not None


def packed(value):
    return base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()


PAGE = f"""<!doctype html>
<html lang="en"><head><title>Board</title><style>p {{color: red}}</style></head>
<body><p class="lead">Ann leads with 0.5</p>
<section class="part"><h2>Robustness</h2><p>Stable</p></section>
<section class="part"><h2>Items</h2><p>Two</p></section>
<script type="application/json" id="board">{{"ap": 0.5}}</script>
<script type="text/plain" id="items">{packed({"ap": [1, 2, 3]})}</script>
<script>show(board)</script>
</body></html>
"""


def test_every_letter_of_a_page_counts():
    assert find_difference("html", PAGE, PAGE) == (None, [])
    for place, letter in enumerate(PAGE):
        other = "7" if letter != "7" else "8"
        changed = PAGE[:place] + other + PAGE[place + 1 :]
        assert find_difference("html", changed, PAGE)[0] is not None, PAGE[place - 20 : place + 5]


def test_data_of_a_page_are_compared_by_their_values_and_named():
    spaced = PAGE.replace('{"ap": 0.5}', '{ "ap":0.5 }')
    assert find_difference("html", spaced, PAGE) == (None, [])
    for content, place in (
        (packed({"ap": [1, 2, 4]}), "items.ap[2]"),
        (packed({"ap": [1, 2, 3], "more": "x" * 99}), "items"),
        (packed({"ap": [1, 2, 3]})[:-8], "items"),
        ("no base64!", "items"),
    ):
        forged = PAGE.replace(packed({"ap": [1, 2, 3]}), content)
        found, _ = find_difference("html", forged, PAGE)
        assert found.place.startswith(place)


def test_a_section_that_cannot_be_made_again_is_named_and_no_other():
    recorded = PAGE.replace("Stable", "Unstable")
    assert find_difference("html", recorded, PAGE, ("Robustness",)) == (None, ["Robustness"])
    assert find_difference("html", recorded, PAGE, ("Items",))[0].place.startswith("Robustness")
    without = PAGE.replace('<section class="part"><h2>Items</h2><p>Two</p></section>\n', "")
    assert find_difference("html", without, without, ("Items",)) == (None, [])


def test_every_change_of_a_result_is_found_and_systems_without_a_stamp_are_named():
    scored = replace(evaluation(items=3), stamp={"task": "toy"})
    defects = (warning(Place("/here/truth.txt", 2), "Odd.", "", "Look."),)
    document = competition_json("toy", [system_json(scored)], defects)
    recorded = json.loads(json.dumps(document))
    assert find_result_difference(recorded, [scored], defects) == (None, [])
    for changed in changes(recorded):
        if changed.get("systems") and all(
            isinstance(one, dict) and one.get("stamp") for one in changed["systems"]
        ):
            found, unknown = find_result_difference(changed, [scored] * 2, defects)
            assert found is not None or unknown
    unscored = {"name": "b", "profile": "published", "stamp": None}
    both = {**recorded, "systems": [*recorded["systems"], unscored]}
    assert "systems[1]" in find_result_difference(both, [scored], defects)[1]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("/a/b.txt", "b.txt"),
        (r"C:\a\b.txt", "b.txt"),
        ([{"path": "x/y", "n": 3}], [{"path": "y", "n": 3}]),
        (None, None),
    ],
)
def test_places_are_compared_by_the_names_of_files(value, names):
    assert without_folders(value) == names
