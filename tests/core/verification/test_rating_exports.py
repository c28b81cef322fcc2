"""Exports of ratings are recomputed from the desk's answers: each altered number is reported.

Of the numbers of an export a sample is altered; with `JURYDESK_SAMPLES=all`, each in turn.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.export.export_settings import ExportSettings
from jurydesk.core.export.stamps_export import allow_long_cells
from jurydesk.core.human_evaluation.answers.merge_answers import remove_answers
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.results.findings import load_findings
from jurydesk.core.human_evaluation.results.ratings_export import (
    RATINGS_FORMATS,
    ratings_file,
    ratings_origin,
)
from jurydesk.core.human_evaluation.results.study_tables import (
    AGREEMENT,
    CORRELATIONS,
    PREFERENCES,
    RANKING,
    RATERS,
    study_table,
    study_table_origin,
)
from jurydesk.core.tables.columns import data_columns
from jurydesk.core.tables.table_file import table_file, take_rows
from jurydesk.core.tasks.vist.vist_task import TASK
from jurydesk.core.verification.differences import find_difference
from jurydesk.core.verification.recomputation import (
    FORMS,
    locate_ratings,
    recompute_export,
)
from jurydesk.core.verification.scored_again import ScoredAgain
from support.rating import studies
from support.rating.random_answers import PAIR
from support.rating.rated_examples import answer_all, scored_desk
from support.suite.samples import sample

ALTERED = 12
ALONE = ["agreement", "every rating"]
TABLE_OF_AGREEMENT = f"{AGREEMENT} table"
STUDY_TABLES = [RATERS, TABLE_OF_AGREEMENT, RANKING]
"""Tables of the Rate page that follow from the ratings alone."""


@pytest.fixture(scope="module")
def rated(tmp_path_factory) -> Path:
    """Return a desk with the ratings of three raters, and no results scored from files."""
    path = tmp_path_factory.mktemp("rated") / "s.jurydesk"
    return studies.rated_desk(path, studies.study(sequences=5, raters=3, ratings=2), raters=3)


def exported(path: Path, kind: Any) -> str:
    with Desk.open(path, read_only=True) as desk:
        if kind in (*STUDY_TABLES, PREFERENCES, CORRELATIONS):
            name = kind.removesuffix(" table")
            study, people = RatingStore(desk).required_study(), load_findings(desk, Run())
            columns = data_columns(study_table(name, study, people, "published"))
            rows = np.arange(len(columns[0][1]))[::-1]
            origin = study_table_origin(desk, TASK, name, rows, "published")
            assert origin is not None
            return table_file("csv", take_rows(columns, rows.tolist()), origin.cells()).decode()
        return ratings_file(kind, desk, TASK, Run(), ratings_origin(kind, desk, TASK)).decode()


def leaves(value: Any, *place: Any) -> Iterator[tuple[Any, ...]]:
    """Return the places of all numbers of a document, without stamps and settings."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in ("stamps", "settings", "stamp", "schema"):
                yield from leaves(one, *place, key)
    elif isinstance(value, int | float):
        yield place


def alter_number(document: Any, place: tuple[Any, ...]) -> Any:
    document = copy.deepcopy(document)
    at = document
    for key in place[:-1]:
        at = at[key]
    number = at[place[-1]]
    at[place[-1]] = not number if isinstance(number, bool) else number + 1
    return document


def alter_each_number(text: str, kind: str) -> Iterator[tuple[Any, Any]]:
    """Yield the export with each number altered in turn."""
    if text.startswith("{"):
        document = json.loads(text)
        for place in leaves(document):
            yield place, alter_number(document, place)
        return
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells[:-2]):
            if cell.removeprefix("-").replace(".", "", 1).isdigit():
                changed = copy.deepcopy(rows)
                changed[row][column] = f"{float(cell) + 1}"
                written = io.StringIO()
                csv.writer(written, lineterminator="\n").writerows([head, *changed])
                yield (row, head[column]), written.getvalue()


@pytest.mark.parametrize("kind", [*ALONE, *STUDY_TABLES])
def test_each_altered_number_of_an_export_of_ratings_is_reported(rated, kind):
    assert count_reported_alterations(rated, kind) > (20 if kind in ALONE else 5)


@pytest.mark.parametrize("kind", ["agreement", RANKING, PREFERENCES])
def test_each_altered_number_of_an_export_of_preferences_is_reported(tmp_path, kind):
    made = studies.study(sequences=5, raters=3, ratings=3, questionnaire=PAIR)
    rated = studies.rated_desk(tmp_path / "s.jurydesk", made, raters=3)
    assert count_reported_alterations(rated, kind) > 10


def count_reported_alterations(rated: Path, kind: Any) -> int:
    """Alter numbers of an export in turn; return how many there are, the altered all reported."""
    text = exported(rated, kind)
    form = "json" if text.startswith("{") else "csv"
    content: Any = json.loads(text) if form == "json" else text
    head = csv.DictReader(io.StringIO(text, newline=""))
    data = content["settings"] if form == "json" else json.loads(next(head)["settings"])
    settings = ExportSettings.from_json(data)
    assert (settings.results, settings.stamps) == (0, 0)
    again = recompute_export(TASK, ScoredAgain([], (), rated), settings, Run())[0].decode()
    assert find_difference(form, content, again) == (None, [])
    altered = list(alter_each_number(text, kind))
    for place, changed in sample(altered, ALTERED):
        found, _ = find_difference(form, changed, again)
        assert found is not None, place
    return len(altered)


def test_the_desk_of_the_ratings_is_found_by_study_and_answers(rated, tmp_path):
    with Desk.open(rated) as desk:
        settings = ExportSettings.from_json(ratings_origin("agreement", desk, TASK).settings)
    wanted = settings.ratings
    assert wanted is not None
    assert locate_ratings(wanted, [tmp_path, rated.parent]) == rated
    moved = shutil.copy(rated, tmp_path / "renamed.jurydesk")
    away = type(wanted)("ratings", str(tmp_path / "s.jurydesk"), 0, wanted.sha256)
    assert locate_ratings(away, [tmp_path]) == moved
    with Desk.open(moved) as desk:
        store = RatingStore(desk)
        store.change([], [store.histories()[0].sha256])
    assert locate_ratings(away, [tmp_path]) == (
        "s.jurydesk with the ratings is missing: give its folder with --inputs FOLDER."
    )
    shutil.copy(moved, tmp_path / "s.jurydesk")
    assert locate_ratings(away, [tmp_path]) == (
        "s.jurydesk changed: its ratings are not those of the file."
    )


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    """Return the folder of a scored and rated example, with all exports of its ratings."""
    folder = tmp_path_factory.mktemp("example")
    desk = scored_desk("vist", folder)
    shutil.copytree(example_folder(registry().tasks["vist"]), folder / "files")
    plan = ["--items", "5", "--raters", "3", "--ratings-per-entry", "2", "--seed", "1"]
    assert main(["ratings", "plan", "--desk", str(desk), *plan, "--quiet"]) == 0
    packets = folder / "packets"
    assert main(["ratings", "packet", "--desk", str(desk), "--out", str(packets), "--quiet"]) == 0
    answers = [str(one) for one in answer_all(packets, folder)]
    assert main(["ratings", "merge", "--desk", str(desk), *answers, "--quiet"]) == 0
    for kind in RATINGS_FORMATS:
        suffix = "csv" if FORMS.get(kind) == "csv" else "json"
        (folder / f"{kind}.{suffix}").write_text(exported(desk, kind), encoding="utf-8")
    (folder / "correlations.csv").write_text(exported(desk, CORRELATIONS), encoding="utf-8")
    boards = [f"--{kind}={folder / f'board.{kind}'}" for kind in ("csv", "json", "html")]
    assert main(["board", str(desk), *boards, "--quiet"]) == 0
    return folder


EXPORTS = [
    *("agreement.json", "ratings board.json", "study results.json", "every rating.csv"),
    *("board.csv", "board.json", "board.html", "correlations.csv"),
]


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_with_ratings_is_made_again_from_files_and_answers(example, name, capsys):
    assert main(["verify", str(example / name)]) == 0
    printed = capsys.readouterr()
    assert "match" in printed.out
    assert "ecomputed" not in printed.err


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("agreement.json", ("agreement", 0, "alpha", "value")),
        ("ratings board.json", ("correlations", 3, "value")),
        ("ratings board.json", ("systems", 0, "scores", "overall")),
        ("study results.json", ("outcomes", 1, "scores", 0, "value")),
        ("board.json", ("systems", 1, "scores", "overall")),
    ],
)
def test_an_altered_number_of_ratings_is_named(example, tmp_path, capsys, name, place):
    document = json.loads((example / name).read_text("utf-8"))
    path = tmp_path / name
    path.write_text(json.dumps(alter_number(document, place)), encoding="utf-8")
    assert main(["verify", str(path), "--inputs", str(example)]) == 1
    told = capsys.readouterr().out
    assert "altered: " in told
    assert str(place[-1]) in told


def test_an_altered_correlation_of_a_table_is_named(example, tmp_path, capsys):
    with (
        (example / "correlations.csv").open(encoding="utf-8", newline="") as file,
        allow_long_cells(),
    ):
        head, *rows = csv.reader(file)
    column = head.index("pearson")
    row = next(one for one in rows if one[column])
    row[column] = f"{float(row[column]) + 1e-6}"
    path = tmp_path / "correlations.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    assert main(["verify", str(path), "--inputs", str(example)]) == 1
    assert f".pearson: the file has {row[column]}, recomputed" in capsys.readouterr().out


def test_answers_that_were_removed_are_reported(example, tmp_path, capsys):
    desk = shutil.copy(example / "vist.jurydesk", tmp_path / "vist.jurydesk")
    path = tmp_path / "agreement.json"
    document = json.loads((example / "agreement.json").read_text("utf-8"))
    document["settings"]["ratings"]["path"] = str(desk)
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    with Desk.open(desk) as opened:
        remove_answers(RatingStore(opened), sorted(example.glob("*.juryanswers"))[:1])
    assert main(["verify", str(path)]) == 1
    assert "altered: vist.jurydesk changed" in capsys.readouterr().out


def test_a_board_whose_ratings_are_missing_has_numbers_that_were_not_compared(
    example, tmp_path, capsys
):
    document = json.loads((example / "board.json").read_text("utf-8"))
    document["settings"]["ratings"]["path"] = str(tmp_path / "away" / "vist.jurydesk")
    path = tmp_path / "board.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    inputs = tmp_path / "inputs"
    shutil.copytree(example, inputs, ignore=shutil.ignore_patterns("*.jurydesk"))
    assert main(["verify", str(path), "--inputs", str(inputs)]) == 1
    printed = capsys.readouterr()
    assert "altered: vist.jurydesk with the ratings is missing" in printed.out
    assert "Not checked: " in printed.out
