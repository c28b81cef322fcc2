"""Every number of every export is recomputed: each alteration is reported."""

from __future__ import annotations

import base64
import copy
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.slice_leaderboard import slice_leaderboard
from jurydesk.core.analysis.slices import slice_by_query, slices_by_column
from jurydesk.core.analysis.verify import verify_stamp
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.export.board_file import FORMATS, BoardContent, Format, board_file
from jurydesk.core.export.recomputation import (
    BoardSettings,
    find_difference,
    find_result_difference,
    recompute_board,
)
from jurydesk.core.export.results_json import system_json
from jurydesk.core.export.stamps_export import read_export_settings, read_stamps
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.provenance.stamp import Stamp, StampError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support import toy

ITEMS = 12
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
MARKUP = re.compile(r"(?s)<head>.*?</head>|<script.*?</script>|<[a-z]+|</[a-z0-9]+>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A desk of three systems, whose guesses are near, less near and far."""
    folder = tmp_path_factory.mktemp("recomputed")
    truth = {f"i{number}": number / ITEMS for number in range(ITEMS)}
    files = [toy.write(folder / "truth.txt", truth)]
    for system, distance in enumerate((0.01, 0.012, 0.2)):
        guesses = {
            name: value + distance * ((5 * k + system) % 7)
            for k, (name, value) in enumerate(truth.items())
        }
        files.append(toy.write(folder / f"s{system}.txt", guesses))
    inputs = {"truth": files[:1], "guesses": files[1:]}
    with Desk.create(folder / "toy.jurydesk") as desk:
        desk.set_competition("toy", "A toy", {})
    files_of = CompetitionFiles(folder / "toy.jurydesk", toy.TASK, inputs, toy.Options())
    score_competition(files_of, Run())
    return folder


@cache
def exported(folder: Path, kind: Format, *, sliced: bool = False, **inference: Any) -> str:
    """An export of the desk, as the command and the window write it."""
    chosen = Inference(**inference)
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        summaries, run = desk.evaluations(), Run()
        significance = desk_significance(desk, toy.TASK, summaries, run, chosen)
        whole = make_leaderboard(toy.TASK, summaries, significance)
        attributes = ItemAttributes(desk, toy.TASK, summaries, run)
        slices = [
            slice_by_query(attributes, "closeness > 0.9"),
            *slices_by_column(attributes, "square")[:2],
        ]
        boards = [
            (one, slice_leaderboard(desk, toy.TASK, summaries, one, run, chosen)) for one in slices
        ]
        content = BoardContent(desk, toy.TASK, whole, chosen, boards if sliced else [])
        return board_file(kind, content, run).decode()


def parts(text: str, kind: Format) -> tuple[BoardSettings, list[Evaluation], Any]:
    """The settings of an export, its stamps scored again, and its document or text."""
    document = json.loads(text) if kind == "json" else text
    if kind == "json":
        settings = document["settings"]
        stamps = [system["stamp"] for system in document["systems"]]
    else:
        settings, stamps = read_export_settings(text), read_stamps(text)
    return (
        BoardSettings.from_json(settings),
        [scored_again(json.dumps(one)) for one in stamps],
        document,
    )


@cache
def made_again(folder: Path, kind: Format, *, sliced: bool = False) -> tuple[Any, Any, str]:
    """The settings and the document of an export, and the same export made again."""
    settings, evaluations, document = parts(exported(folder, kind, sliced=sliced), kind)
    again, metrics = recompute_board(toy.TASK, evaluations, settings, Run())
    assert metrics == {"closeness", "rmse", "listed"}
    return settings, document, again.decode()


@cache
def scored_again(text: str) -> Evaluation:
    record = json.loads(text)
    stamp = Stamp.from_json(record)
    verdict = verify_stamp(stamp, toy.TASK, (), Run())
    assert verdict.match
    assert verdict.evaluation is not None
    return replace(verdict.evaluation, system=stamp.system, stamp=record)


def leaves(value: Any, *place: Any) -> Iterator[tuple[Any, ...]]:
    """The places of all numbers and texts with numbers in a document, without stamps."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in ("stamp", "settings", "schema"):
                yield from leaves(one, *place, key)
    elif isinstance(value, int | float) or (isinstance(value, str) and NUMBER.search(value)):
        yield place


def forged(document: Any, place: tuple[Any, ...]) -> Any:
    """The document with another number at a place."""
    document = copy.deepcopy(document)
    at = document
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = other(at[place[-1]])
    return document


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return NUMBER.sub(lambda found: f"9{found[0]}", value, count=1)
    return value * (1 + 1e-9) if isinstance(value, float) and value else value + 1


def forged_texts(text: str, kind: Format) -> Iterator[tuple[str, str]]:
    """The text with each number altered in turn, outside its stamps, settings and scripts."""
    kept = [found.span() for found in MARKUP.finditer(text)] if kind == "html" else []
    if kind == "csv":
        kept = [found.span() for found in re.finditer(r'"(?:\{[^\n]*\})"', text)]
    if kind in ("latex", "methods"):
        kept = [one.span() for one in re.finditer(r"(?m)^% (?:stamp |settings |toy\|).*$", text)]
    for found in NUMBER.finditer(text):
        if not any(start <= found.start() < end for start, end in kept):
            number = found[0]
            first = str((int(number[0]) + 5) % 10)
            yield number, f"{text[: found.start()]}{first}{text[found.start() + 1 :]}"


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("sliced", [False, True], ids=["whole", "slices"])
def test_each_altered_number_of_an_export_is_told(folder, kind, sliced):
    settings, recorded, recomputed = made_again(folder, kind, sliced=sliced)
    assert find_difference(settings, recorded, recomputed) == (None, [])
    count = 0
    if kind == "json":
        for place in leaves(recorded):
            found, _ = find_difference(settings, forged(recorded, place), recomputed)
            assert found is not None, place
            assert found.recorded != found.recomputed
            count += 1
    else:
        for number, altered in forged_texts(recorded, kind):
            found, _ = find_difference(settings, altered, recomputed)
            assert found is not None, number
            count += 1
    assert count > (10 if kind == "methods" else 25)


def test_the_data_of_a_report_are_compared_too(folder):
    settings, text, recomputed = made_again(folder, "html")
    elements = re.findall(r'(?s)<script type="([^"]*)" id="([^"]*)">(.*?)</script>', text)
    assert [name for _, name, _ in elements] == ["report", "stamps", "numbers", "texts-0"]
    for kind, name, content in elements:
        if name == "stamps":
            continue
        is_packed = kind == "text/plain"
        data = json.loads(zlib.decompress(base64.b64decode(content)) if is_packed else content)
        for place in leaves(data):
            altered = json.dumps(forged(data, place))
            if is_packed:
                altered = base64.b64encode(zlib.compress(altered.encode())).decode()
            found, _ = find_difference(settings, text.replace(content, altered), recomputed)
            assert found is not None, place
            assert found.place.startswith(name)


def test_packed_items_that_are_larger_or_damaged_differ_and_are_not_unpacked(folder):
    settings, text, recomputed = made_again(folder, "html")
    content = re.search(r'id="numbers">(.*?)</script>', text)[1]
    bomb = base64.b64encode(zlib.compress(b" " * 10_000_000)).decode()
    for packed in (bomb, "AAAA", "é"):
        found, _ = find_difference(settings, text.replace(content, packed), recomputed)
        assert found is not None
        assert found.place == "numbers"


@pytest.mark.parametrize(
    "inference",
    [{"grouped": False, "interval": "percentile"}, {"correction": "holm"}, {"interval": "t"}],
)
def test_a_board_with_other_statistics_is_made_again_with_them(folder, inference):
    settings, evaluations, document = parts(exported(folder, "json", **inference), "json")
    again, _ = recompute_board(toy.TASK, evaluations, settings, Run())
    assert find_difference(settings, document, again.decode()) == (None, [])
    default = replace(settings, inference=Inference())
    again, _ = recompute_board(toy.TASK, evaluations, default, Run())
    assert find_difference(settings, document, again.decode())[0] is not None


def test_the_first_difference_is_named_with_both_values(folder):
    settings, document, again = made_again(folder, "json")
    document = copy.deepcopy(document)
    before = document["comparisons"][0]["pairs"][1]["p_corrected"]
    document["comparisons"][0]["pairs"][1]["p_corrected"] = 0.5
    found, _ = find_difference(settings, document, again)
    assert found.sentence == (
        f"comparisons[0].pairs[1].p_corrected: the file has 0.5, recomputed {before}."
    )


@pytest.mark.parametrize("value", [None, 10**400, "0.5", [], {}, True])
def test_a_value_of_another_type_differs(folder, value):
    settings, document, again = made_again(folder, "json")
    document = copy.deepcopy(document)
    document["comparisons"][0]["pairs"][0]["p"] = value
    assert find_difference(settings, document, again)[0].place == "comparisons[0].pairs[0].p"


def test_removed_parts_and_pairs_differ_and_added_ones_are_told(folder):
    settings, document, again = made_again(folder, "json")
    for place in (["comparisons"], ["systems", 0, "rank"], ["systems", 0, "details"]):
        fewer = copy.deepcopy(document)
        at = fewer
        for key in place[:-1]:
            at = at[key]
        del at[place[-1]]
        assert find_difference(settings, fewer, again)[0].recorded == "nothing"
    fewer = copy.deepcopy(document)
    fewer["comparisons"][0]["pairs"].pop()
    assert find_difference(settings, fewer, again)[0].recorded == "2 entries"
    more = {**document, "correlations": [0.5]}
    assert find_difference(settings, more, again) == (None, ["correlations"])


def test_each_altered_number_of_results_is_told(folder):
    _, evaluations, _ = parts(exported(folder, "json"), "json")
    document = {"systems": [json.loads(json.dumps(system_json(one))) for one in evaluations]}
    assert find_result_difference(document, evaluations) is None
    places = [one for one in leaves(document) if one[2] not in ("defects", "name", "profile")]
    assert len(places) > 20
    for place in places:
        found = find_result_difference(forged(document, place), evaluations)
        assert found is not None, place


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "pdf"),
        ("interval", "guess"),
        ("correction", []),
        ("results", "many"),
        ("slices", [["one"]]),
        ("groups file", {"path": "x"}),
    ],
)
def test_damaged_settings_are_refused_with_a_sentence(folder, name, value):
    settings = json.loads(exported(folder, "json"))["settings"]
    with pytest.raises(StampError, match=r"^The settings in the file are damaged: "):
        BoardSettings.from_json({**settings, name: value})
    with pytest.raises(StampError):
        BoardSettings.from_json([settings])


def test_rows_with_other_settings_contradict_each_other(folder):
    text = exported(folder, "csv")
    assert read_export_settings(text)["format"] == "csv"
    with pytest.raises(StampError, match="contradict each other"):
        read_export_settings(text.replace('""romano-wolf""', '""holm""', 1))
