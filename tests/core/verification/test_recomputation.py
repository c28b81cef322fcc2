"""Every number of every export is recomputed: each alteration is reported.

Of the numbers of an export a sample is altered; with `JURYDESK_SAMPLES=all`, each in turn.
"""

from __future__ import annotations

import base64
import copy
import csv
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jurydesk.core.analysis.comparison.item_differences import change_table, item_differences
from jurydesk.core.analysis.comparison.pairwise import align_values, pair_items
from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.slice_leaderboard import slice_leaderboards
from jurydesk.core.analysis.slices import slice_by_query, slices_by_column
from jurydesk.core.analysis.stamped_inputs import compare_by_metric
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.export.board_file import (
    FORMATS,
    MARKS,
    BoardContent,
    Format,
    board_file,
    board_stamps,
    export_settings,
)
from jurydesk.core.export.export_settings import ExportSettings, desk_origin, table_origin
from jurydesk.core.export.items_export import ITEM_FORMATS
from jurydesk.core.export.pairwise_export import (
    COMPARISON,
    comparison_values,
    comparisons_json,
)
from jurydesk.core.export.results_json import competition_json, encode_json, system_json
from jurydesk.core.export.robustness import (
    ROBUSTNESS_FORMATS,
    robustness_file,
    robustness_origin,
)
from jurydesk.core.export.stamps_export import (
    read_export_settings,
    read_record_origin,
    read_stamps,
)
from jurydesk.core.export.tables.figure_tables import (
    FIGURE,
    SCALE,
    Distribution,
    Profile,
    figure_export,
)
from jurydesk.core.export.tables.result_tables import (
    CHANGES,
    DIFFERENCES,
    ITEMS,
    changed_entries,
    difference_table,
    item_table,
)
from jurydesk.core.model.evaluation import Evaluation, Figure
from jurydesk.core.model.stamp import Stamp, StampError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.tables.columns import data_columns
from jurydesk.core.tables.table_file import FORMS as TABLE_FORMS
from jurydesk.core.tables.table_file import csv_text, table_file, take_rows
from jurydesk.core.verification.differences import (
    find_difference,
    find_result_difference,
)
from jurydesk.core.verification.recomputation import (
    FORMS,
    recompute_export,
)
from jurydesk.core.verification.scored_again import ScoredAgain
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support import toy
from support.forgeries import NUMBER, alter_number, leaves, scored_again
from support.suite.samples import sample

COUNT = 12
ALTERED = 12
MARKUP = re.compile(r"(?s)<head>.*?</head>|<script.*?</script>|<[a-z]+|</[a-z0-9]+>")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a desk of three systems, whose guesses are near, less near and far."""
    folder = tmp_path_factory.mktemp("recomputed")
    truth = {f"i{number}": number / COUNT for number in range(COUNT)}
    files = [toy.write(folder / "truth.txt", truth)]
    for system, distance in enumerate((0.01, 0.012, 0.2)):
        guesses = {
            name: value + distance * ((5 * k + system) % 7)
            for k, (name, value) in enumerate(truth.items())
        }
        files.append(toy.write(folder / f"s{system}.txt", guesses))
    given = explicit_files(toy.TASK, {"truth": files[:1], "guesses": files[1:]})
    with Desk.create(folder / "toy.jurydesk") as desk:
        desk.set_competition("toy", "A toy", {})
    files_of = CompetitionFiles(folder / "toy.jurydesk", toy.TASK, given, toy.Options())
    score_competition(files_of, Run())
    return folder


@cache
def exported(
    folder: Path,
    kind: Format | None,
    *,
    sliced: bool = False,
    names: tuple[str, ...] = (),
    **inference: Any,
) -> str:
    """Return an export of the desk, as the command and the window write it.

    Without a format, it is the second file of a table. `names` are those of chosen metrics.
    """
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
        boards = slice_leaderboards(desk, toy.TASK, summaries, slices, run, chosen)
        shown = [one for one in whole.metrics if one.name in names]
        content = BoardContent(desk, toy.TASK, whole, chosen, boards if sliced else [], shown)
        return (board_file(kind, content, run) if kind else board_stamps(content)).decode()


def parts(text: str, kind: Format, folder: Path) -> tuple[ExportSettings, list[Evaluation], Any]:
    """Return the settings of an export, its rescored stamps, and its document or text."""
    document = json.loads(text) if kind == "json" else text
    if kind == "json":
        settings = document["settings"]
        stamps = [system["stamp"] for system in document["systems"]]
    elif kind == "csv":
        second = json.loads(exported(folder, None, sliced="slice" in text.split(",")[0]))
        settings, stamps = second["settings"], second["stamps"]
    else:
        settings, stamps = read_export_settings(text), read_stamps(text)
    return (
        ExportSettings.from_json(settings),
        [scored_again(json.dumps(one), folder) for one in stamps],
        document,
    )


@cache
def made_again(folder: Path, kind: Format, *, sliced: bool = False) -> tuple[Any, Any, str]:
    """Return the settings and the document of an export, and its recomputation."""
    settings, evaluations, document = parts(exported(folder, kind, sliced=sliced), kind, folder)
    return settings, document, recomputed(evaluations, settings)


def recomputed(evaluations: list[Evaluation], settings: ExportSettings) -> str:
    return recompute_export(toy.TASK, ScoredAgain(evaluations), settings, Run())[0].decode()


def difference(settings: ExportSettings, recorded: Any, again: str) -> Any:
    """Return the first difference of an export, and the parts that were not recomputed."""
    return find_difference(FORMS.get(settings.kind, "json"), recorded, again)


def test_an_export_of_chosen_metrics_has_these_alone_and_is_made_again(folder):
    text = exported(folder, "latex", names=("rmse",))
    settings, evaluations, recorded = parts(text, "latex", folder)
    assert settings.values["metrics"] == ["rmse"]
    again = recomputed(evaluations, settings)
    assert difference(settings, recorded, again) == (None, [])
    assert len(text) < len(exported(folder, "latex"))


def forged_texts(text: str, kind: Format) -> Iterator[tuple[str, str]]:
    """Yield the text with each number altered in turn, outside its stamps, settings and scripts."""
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
def test_each_altered_number_of_an_export_is_reported(folder, kind, sliced):
    settings, recorded, recomputed = made_again(folder, kind, sliced=sliced)
    assert difference(settings, recorded, recomputed) == (None, [])
    altered = list(
        ((place, alter_number(recorded, place)) for place in leaves(recorded))
        if kind == "json"
        else forged_texts(recorded, kind)
    )
    assert len(altered) > (10 if kind == "methods" else 25)
    for place, changed in sample(altered, ALTERED):
        found, _ = difference(settings, changed, recomputed)
        assert found is not None, place
        assert kind != "json" or found.recorded != found.recomputed


def test_the_data_of_a_report_are_compared_too(folder):
    settings, text, recomputed = made_again(folder, "html")
    elements = re.findall(r'(?s)<script type="([^"]*)" id="([^"]*)">(.*?)</script>', text)
    assert [name for _, name, _ in elements] == [
        "report",
        "languages",
        "stamps",
        "numbers",
        "texts-0",
    ]
    for kind, name, content in elements:
        if name in ("stamps", "languages"):
            continue
        is_packed = kind == "text/plain"
        data = json.loads(zlib.decompress(base64.b64decode(content)) if is_packed else content)
        for place in sample(leaves(data), ALTERED):
            altered = json.dumps(alter_number(data, place))
            if is_packed:
                altered = base64.b64encode(zlib.compress(altered.encode())).decode()
            found, _ = difference(settings, text.replace(content, altered), recomputed)
            assert found is not None, place
            assert found.place.startswith(name)


def test_packed_items_that_are_larger_or_damaged_differ_and_are_not_unpacked(folder):
    settings, text, recomputed = made_again(folder, "html")
    content = re.search(r'id="numbers">(.*?)</script>', text)[1]
    # With its blanks it is as good as the recomputed one, but larger than an unaltered one can be.
    numbers = zlib.decompress(base64.b64decode(content))
    bomb = base64.b64encode(zlib.compress(b" " * 10_000_000 + numbers)).decode()
    for packed in (bomb, "AAAA", "é"):
        found, _ = difference(settings, text.replace(content, packed), recomputed)
        assert found is not None
        assert found.place == "numbers"


@pytest.mark.parametrize(
    "inference",
    [{"grouped": False, "interval": "percentile"}, {"correction": "holm"}, {"interval": "t"}],
)
def test_a_board_with_other_statistics_is_made_again_with_them(folder, inference):
    settings, evaluations, document = parts(exported(folder, "json", **inference), "json", folder)
    assert difference(settings, document, recomputed(evaluations, settings)) == (None, [])
    default = replace(settings, inference=Inference())
    assert difference(settings, document, recomputed(evaluations, default))[0] is not None


def test_the_first_difference_is_named_with_both_values(folder):
    settings, document, again = made_again(folder, "json")
    document = copy.deepcopy(document)
    before = document["comparisons"][0]["pairs"][1]["p_corrected"]
    document["comparisons"][0]["pairs"][1]["p_corrected"] = 0.5
    found, _ = difference(settings, document, again)
    assert found.sentence == (
        f"comparisons[0].pairs[1].p_corrected: the file has 0.5, recomputed {before}."
    )


@pytest.mark.parametrize("value", [None, 10**400, "0.5", [], {}, True])
def test_a_value_of_another_type_differs(folder, value):
    settings, document, again = made_again(folder, "json")
    document = copy.deepcopy(document)
    document["comparisons"][0]["pairs"][0]["p"] = value
    assert difference(settings, document, again)[0].place == "comparisons[0].pairs[0].p"


def test_removed_parts_and_pairs_differ_and_added_ones_are_reported(folder):
    settings, document, again = made_again(folder, "json")
    for place in (["comparisons"], ["systems", 0, "rank"], ["systems", 0, "details"]):
        fewer = copy.deepcopy(document)
        at = fewer
        for key in place[:-1]:
            at = at[key]
        del at[place[-1]]
        assert difference(settings, fewer, again)[0].recorded == "nothing"
    fewer = copy.deepcopy(document)
    fewer["comparisons"][0]["pairs"].pop()
    assert difference(settings, fewer, again)[0].recorded == "2 entries"
    more = {**document, "correlations": [0.5]}
    assert difference(settings, more, again)[0].recomputed == "nothing"
    assert find_difference("json", more, again, incomplete=True) == (None, ["correlations"])


def test_each_altered_number_of_results_is_reported(folder):
    _, evaluations, _ = parts(exported(folder, "json"), "json", folder)
    document = json.loads(json.dumps(competition_json("toy", map(system_json, evaluations))))
    assert find_result_difference(document, evaluations) == (None, [])
    places = [one for one in leaves(document) if "defects" not in one]
    assert len(places) > 20
    for place in sample(places, ALTERED):
        found, _ = find_result_difference(alter_number(document, place), evaluations)
        assert found is not None, place


@pytest.mark.parametrize(
    ("name", "value"),
    [
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
        recomputed([], ExportSettings.from_json({**settings, name: value}))
    with pytest.raises(StampError):
        ExportSettings.from_json([settings])


def test_rows_with_other_settings_contradict_each_other(folder):
    table = exported(folder, "csv")
    with pytest.raises(StampError, match="in a second file"):
        read_stamps(table)
    rows = list(csv.reader(io.StringIO(table)))
    settings = json.loads(exported(folder, None))["settings"]
    holm = {**settings, "correction": "holm"}
    cells = ["settings", *map(json.dumps, [settings, holm, settings])]
    earlier = csv_text([*row[:-1], cell] for row, cell in zip(rows, cells, strict=True)).decode()
    with pytest.raises(StampError, match="contradict each other"):
        read_export_settings(earlier)
    assert read_export_settings(earlier.replace("holm", "romano-wolf")) == settings


# ---- Comparisons, other choices and items ----------------------------------------------------


def table_export(kind: str, evaluations: list[Evaluation]) -> bytes:
    """A table, as the window writes it."""
    name, _, form = kind.removesuffix(" of references").rpartition(" ")
    rows = np.array([7, 2, 11, 0])
    first, second, third = evaluations
    values: dict[str, Any] = {}
    if name == ITEMS:
        used, values = [second], {"columns": ["square", "closeness"], "completed": False}
        columns = item_table(second, values["columns"])
    elif name == DIFFERENCES:
        units = [resampling_units(toy.TASK, one.items, one.profile) for one in evaluations]
        items = pair_items(toy.CLOSENESS, units[2], units[0])
        used, values = [third, first, second], {"metric": "closeness"}
        values["systems"] = [one.system for one in used]
        others = {second.system: align_values(items, units[1], "closeness")}
        columns = difference_table(items, (third.system, first.system), others)
    else:
        used, values = [first, third], {"metric": "closeness", "reference": "of" in kind}
        changed = item_differences(toy.TASK, first, third, "closeness")
        if values["reference"]:
            units = [resampling_units(toy.TASK, one.items, one.profile) for one in (third, first)]
            changed = changed_entries(pair_items(toy.CLOSENESS, *units))
        columns = change_table(changed)
        rows = np.arange(len(changed))
    stamps, format = [one.stamp for one in used], f"{name} {form}"
    origin = table_origin(format, "toy", stamps, rows, len(columns[0].values), **values)
    assert origin is not None
    return table_file(format, take_rows(data_columns(columns), rows), origin.cells())


@cache
def other_export(folder: Path, kind: str) -> str:
    """Return an export of the desk other than a board, as the commands write it."""
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        summaries, run = desk.evaluations(), Run()
        if kind == COMPARISON:
            pair = (summaries[2], summaries[0])
            names = (pair[0].system, pair[1].system)
            found = [
                compare_by_metric(desk, toy.TASK, info, pair, run, None, Inference())
                for info in toy.TASK.scoring.metrics
            ]
            values = comparison_values("published", names, found, None)
            origin = desk_origin(kind, desk, toy.TASK, pair, Inference(), None, **values)
            return encode_json(comparisons_json("toy", "published", names, found, origin)).decode()
        if kind in ROBUSTNESS_FORMATS:
            assessed = assess_robustness(desk, toy.TASK, "published", run)
            settings = robustness_origin(
                kind, desk, toy.TASK, assessed, Inference(), rescoring=True
            )
            return robustness_file(kind, assessed, settings).decode()
        evaluations = [desk.load(one.id) for one in summaries]
        if kind in TABLES:
            return table_export(kind, evaluations).decode()
        return b"".join(ITEM_FORMATS[kind.removeprefix("items ")](evaluations)).decode()


TABLES = [
    *(f"{kind} {form}" for kind in (ITEMS, DIFFERENCES, CHANGES) for form in TABLE_FORMS),
    f"{CHANGES} csv of references",
]
OTHERS = [COMPARISON, *ROBUSTNESS_FORMATS, "items csv", "items jsonl", *TABLES]
FEW = {"robustness latex": 8, f"{ITEMS} csv": 8, f"{ITEMS} json": 8}
"""Numbers in the smallest exports."""


@cache
def other_made_again(folder: Path, kind: str) -> tuple[ExportSettings, Any, str]:
    """Return the settings and the content of such an export, and its recomputation."""
    text = other_export(folder, kind)
    content = json.loads(text) if text.startswith(("[", "{\n")) else text
    if isinstance(content, list):
        stamps, settings = read_record_origin(content[0])
    elif isinstance(content, dict):
        stamps, settings = content["stamps"], content["settings"]
    else:
        stamps, settings = read_stamps(text), read_export_settings(text)
    evaluations = [scored_again(json.dumps(one), folder) for one in stamps]
    read = ExportSettings.from_json(settings)
    names = dict.fromkeys(one for each in stamps for one in Stamp.from_json(each).inputs)
    inputs = [replace(one, path=str(folder / one.path)) for one in names]
    again = recompute_export(toy.TASK, ScoredAgain(evaluations, inputs), read, Run())[0]
    return read, content, again.decode()


def altered_contents(content: Any, kind: str) -> Iterator[tuple[Any, Any]]:
    """Yield the content with each number altered in turn, outside its stamps and settings."""
    form = FORMS.get(kind, "json")
    if form == "json":
        for place in leaves(content):
            if not {"stamps", "settings"} & {*place[:2]}:
                yield place, alter_number(content, place)
    elif form == "jsonl":
        lines = content.splitlines()
        for number, line in enumerate(lines):
            row = json.loads(line)
            for place in leaves(row):
                if place[0] not in ("stamps", "settings"):
                    changed = json.dumps(alter_number(row, place))
                    yield place, "\n".join([*lines[:number], changed, *lines[number + 1 :]])
    else:
        kept = r'(?m)^% (?:stamp|settings) .*$|"(?:\[\{|\{)[^\n]*\}\]?"'
        spans = [found.span() for found in re.finditer(kept, content)]
        for found in NUMBER.finditer(content):
            if not any(start <= found.start() < end for start, end in spans):
                first = str((int(found[0][0]) + 5) % 10)
                at = found.start()
                yield found[0], f"{content[:at]}{first}{content[at + 1 :]}"


@pytest.mark.parametrize("kind", OTHERS)
def test_each_altered_number_of_the_other_exports_is_reported(folder, kind):
    settings, content, again = other_made_again(folder, kind)
    assert difference(settings, content, again) == (None, [])
    altered = list(altered_contents(content, settings.kind))
    assert len(altered) >= FEW.get(kind, 20)
    for place, changed in sample(altered, ALTERED):
        found, _ = difference(settings, changed, again)
        assert found is not None, place
        assert found.recorded != found.recomputed


@pytest.mark.parametrize("kind", ["robustness csv", "items csv", "items jsonl"])
def test_removed_and_repeated_rows_are_reported(folder, kind):
    settings, content, again = other_made_again(folder, kind)
    lines = content.splitlines(keepends=True)
    for rows in (lines[:-1], [*lines, lines[-1]], [*lines[:3], lines[4], lines[3], *lines[5:]]):
        found, unknown = difference(settings, "".join(rows), again)
        assert found is not None or unknown


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (COMPARISON, "profile", "corrected"),
        (COMPARISON, "systems", ["s0"]),
        (COMPARISON, "metrics", ["unknown"]),
        (COMPARISON, "resamples", "many"),
        ("robustness json", "profile", "corrected"),
        ("items csv", "format", "pdf"),
        ("item table csv", "rows", [12]),
        ("item table csv", "rows", "all"),
        ("item table csv", "columns", ["unknown"]),
        ("difference table csv", "metric", "unknown"),
        ("difference table csv", "systems", ["s0", "unknown"]),
    ],
)
def test_settings_that_do_not_fit_the_results_are_refused(folder, kind, name, value):
    settings, content, _ = other_made_again(folder, kind)
    evaluations = [scored_again(json.dumps(one), folder) for one in stamps_of(content)]
    wrong = ExportSettings.from_json({**settings.values, name: value})
    with pytest.raises(StampError, match=r"^The settings in the file "):
        recomputed(evaluations, wrong)


def stamps_of(content: Any) -> Any:
    return content["stamps"] if isinstance(content, dict) else read_stamps(content)


def test_other_choices_are_made_again_although_the_files_were_missing(folder):
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        assessed = assess_robustness(desk, toy.TASK, "published", Run(), rescoring=False)
        reason = "Nothing was scored again. A file was missing."
        missed = replace(assessed, left_out=(reason,), not_rescored=reason)
        kind = "robustness json"
        origin = robustness_origin(kind, desk, toy.TASK, missed, Inference(), rescoring=True)
        document = json.loads(robustness_file(kind, missed, origin))
    evaluations = [scored_again(json.dumps(one), folder) for one in document["stamps"]]
    settings = ExportSettings.from_json(document["settings"])
    assert difference(settings, document, recomputed(evaluations, settings)) == (None, [])


# ---- Figures -------------------------------------------------------------------------------------


def figure_file(figure, evaluation, others, stamps):
    columns, origin = figure_export(f"{FIGURE} csv", figure, evaluation, others, stamps, None)
    assert origin is not None
    return table_file("csv", columns, origin.cells()).decode()


@pytest.mark.parametrize("name", ["curve", "profile", "distribution"])
def test_each_altered_number_of_a_figure_is_reported(folder, name):
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        first, second, _ = (desk.load(one.id) for one in desk.evaluations())
    others = {second.system: second.items.columns["closeness"]} if name == "distribution" else {}
    stamps = [second.stamp] if others else []
    figures = {
        "profile": Profile(toy.CLOSENESS, ""),
        "distribution": Distribution(toy.CLOSENESS, ""),
    }
    figure = figures.get(name) or first.figures[0]
    kind = f"{FIGURE} csv"
    content = figure_file(figure, first, others, stamps)
    settings = ExportSettings.from_json(read_export_settings(content))
    evaluations = [scored_again(json.dumps(one), folder) for one in read_stamps(content)]
    again = recomputed(evaluations, settings)
    assert difference(settings, content, again) == (None, [])
    found = [difference(settings, one, again)[0] for _, one in altered_contents(content, kind)]
    assert len(found) >= 3
    assert None not in found
    wrong = ExportSettings.from_json({**settings.values, "figure": {"number": 7}})
    with pytest.raises(StampError, match="do not fit its results"):
        recomputed(evaluations, wrong)


def in_hundredths(evaluation: Evaluation) -> tuple[Figure, ...]:
    """Return figures whose scores are a hundredth of the stored numbers."""
    return tuple(replace(one, mean=one.mean / 100) for one in evaluation.figures)


RESCALED = replace(toy.TASK, presentation=replace(toy.TASK.presentation, figures=in_hundredths))


@pytest.mark.parametrize("shown", [False, True], ids=["as stored", "as shown"])
def test_a_figure_is_made_again_on_the_scale_of_its_file(folder, shown):
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        first = desk.load(desk.evaluations()[0].id)
    figure = (in_hundredths(first) if shown else first.figures)[0]
    content = figure_file(figure, first, {}, [])
    settings = ExportSettings.from_json(read_export_settings(content))
    scored = ScoredAgain([scored_again(json.dumps(one), folder) for one in read_stamps(content)])
    again = recompute_export(RESCALED, scored, settings, Run())[0].decode()
    assert difference(settings, content, again) == (None, [])
    mean = float(content.splitlines()[1].split(",")[1])
    assert mean == first.figures[0].mean[0] / (100 if shown else 1)


def test_a_report_is_made_again_on_the_scale_of_its_figures(folder):
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        significance = desk_significance(desk, RESCALED, desk.evaluations(), Run(), Inference())
        board = make_leaderboard(RESCALED, desk.evaluations(), significance)
        content = BoardContent(desk, RESCALED, board, Inference())
        text = board_file("html", content, Run()).decode()
        settings = export_settings("html", content)
        earlier = {name: value for name, value in settings.items() if name != SCALE}
        older = board_file("html", content, Run(), earlier).decode()
    means = [
        json.loads(re.search(r'(?s)id="report">(.*?)</script>', one)[1])["figures"][0]["lines"]
        for one in (text, older)
    ]
    for now, then in zip(*means, strict=True):
        assert np.allclose(100 * np.array(now["mean"]), then["mean"])
    for one in (text, older):
        origin, evaluations, document = parts(one, "html", folder)
        again = recompute_export(RESCALED, ScoredAgain(evaluations), origin, Run())[0].decode()
        assert difference(origin, document, again) == (None, [])


DOUBTED = replace(
    toy.TASK,
    scoring=replace(
        toy.TASK.scoring,
        metrics=tuple(
            replace(info, doubt="Not reliable: only 1 rater judged.")
            for info in toy.TASK.scoring.metrics
        ),
    ),
)


@pytest.mark.parametrize(
    ("kind", "notes"),
    [
        ("html", (3, 2, 1, 0)),
        ("latex", (2, 2, 1, 0)),
        ("json", (2, 1, 0, 0)),
    ],
)
def test_an_export_is_made_again_with_the_marks_of_its_time(folder, kind, notes):
    reason = "Not reliable: only 1 rater judged."
    with Desk.open(folder / "toy.jurydesk", read_only=True) as desk:
        significance = desk_significance(desk, DOUBTED, desk.evaluations(), Run(), Inference())
        board = make_leaderboard(DOUBTED, desk.evaluations(), significance)
        content = BoardContent(desk, DOUBTED, board, Inference())
        text = board_file(kind, content, Run()).decode()
        settings = export_settings(kind, content)
        in_finding, in_tables = (
            board_file(kind, content, Run(), {**settings, MARKS: how}).decode() for how in (2, True)
        )
        unmarked = {name: value for name, value in settings.items() if name != MARKS}
        older = board_file(kind, content, Run(), unmarked).decode()
    sentence = "No leader can be named by Closeness."
    for one, least, has_finding in zip(
        (text, in_finding, in_tables, older), notes, (True, True, False, False), strict=True
    ):
        body = re.sub(r"(?s)<script.*?</script>|(?:data-)?(?:title|text)=\"[^\"]*\"", "", one)
        assert body.count(reason) == least
        assert (sentence in body) is has_finding
        origin, evaluations, document = parts(one, kind, folder)
        again = recompute_export(DOUBTED, ScoredAgain(evaluations), origin, Run())[0].decode()
        assert difference(origin, document, again) == (None, [])


def test_numbers_within_a_line_of_text_may_differ_in_the_last_digit():
    recorded = "The means are 0.12345678901234568 and 0.5."
    again = "The means are 0.12345678901234566 and 0.5."
    assert find_difference("lines", recorded, again) == (None, [])
    for changed in ("0.6", "0.50", "00.5", "5e-1", "0.5000000000000000"):
        found, _ = find_difference("lines", recorded, again.replace("0.5", changed))
        assert found is not None, changed


def test_numbers_in_names_are_the_same_digit_for_digit():
    for changed in ("i014", "i14.0", "i14e0"):
        found, _ = find_difference("json", {"item": changed}, json.dumps({"item": "i14"}))
        assert found is not None, changed


@pytest.mark.parametrize("altered", [[{"metric": "ap"}, "x"], "x", 5])
def test_details_that_are_not_a_list_of_objects_differ(altered):
    recomputed = json.dumps({"details": [{"metric": "ap"}]})
    found, _ = find_difference("json", {"details": altered}, recomputed)
    assert found is not None
    assert found.place == "details"
