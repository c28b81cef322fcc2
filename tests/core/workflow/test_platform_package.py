"""Packages made from a desk; with METEOR the program brings the index along."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.export.platforms.dry_run import installed_program
from jurydesk.core.export.platforms.engine_package import Trial, engine_members
from jurydesk.core.export.platforms.package_source import (
    MOST_COLUMNS,
    PackageSettings,
    PackageSource,
    reference_members,
)
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.workflow.platform_package import _remarks, read_package_source
from support.files.retrieval import FILES

CAPTIONS = {1: "A man rides a brown horse.", 2: "Two boats sail on the calm water."}
SAID = {1: "A man is riding a horse.", 2: "Two boats on the sea."}


def captions_source(folder: Path, **settings: object) -> PackageSource:
    """Score two captions into a desk, and return what a package is made from."""
    references = {
        "images": [{"id": key} for key in CAPTIONS],
        "annotations": [
            {"id": key, "image_id": key, "caption": text} for key, text in CAPTIONS.items()
        ],
    }
    results = [{"image_id": key, "caption": text} for key, text in SAID.items()]
    (folder / "references.json").write_text(json.dumps(references))
    (folder / "mine.json").write_text(json.dumps(results))
    desk = folder / "c.jurydesk"
    given = ("--references", folder / "references.json", "--results", folder / "mine.json")
    assert main([*map(str, ("score", "captions", *given, "--desk", desk))]) == 0
    with Desk.open(desk) as opened:
        task = registry().tasks["captions"]
        return read_package_source(opened, task, PackageSettings(**settings), Run())  # type: ignore[arg-type]


@pytest.mark.timeout(400)
def test_a_program_with_meteor_gives_the_desk_s_numbers(tmp_path: Path) -> None:
    source = captions_source(tmp_path)
    references = reference_members(source, "T")
    (system,) = source.systems.values()
    members = engine_members("python:3.12", Trial(references, system.path), source.index)
    res = tmp_path / "res"
    res.mkdir()
    (res / "mine.json").write_bytes(system.path.read_bytes())
    with installed_program(members, references) as score:
        found = score(res)
    assert found.code == 0, found.said
    assert found.scores == source.wanted(system)
    assert "meteor" in source.wanted(system)


def test_columns_that_the_board_does_not_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='The board has no metric "nothing"'):
        captions_source(tmp_path, columns=("nothing",))


def test_every_metric_of_a_short_board_is_a_column(tmp_path: Path) -> None:
    source = captions_source(tmp_path)
    names = ["cider", "bleu_1", "bleu_2", "bleu_3", "bleu_4", "meteor", "rouge_l"]
    assert ([one.name for one in source.metrics], source.other_metrics) == (names, [])


def test_metrics_of_a_long_board_without_a_column_are_named(tmp_path: Path) -> None:
    for name in ("relevance.txt", "mine.txt"):
        (tmp_path / name).write_text(FILES[name])
    given = ("--relevance", tmp_path / "relevance.txt", "--results", tmp_path / "mine.txt")
    desk = tmp_path / "r.jurydesk"
    assert main([*map(str, ("score", "keyword-spotting", *given, "--desk", desk))]) == 0
    with Desk.open(desk) as opened:
        task = registry().tasks["keyword-spotting"]
        source = read_package_source(opened, task, PackageSettings(), Run())
        remarks = [*_remarks(source, PackageSettings(terms="Be fair."))]
    assert len(source.metrics) == MOST_COLUMNS
    assert any(one.startswith("Metrics without a column: ") for one in remarks)
    assert "recip_rank" in source.other_metrics


def test_chosen_columns_keep_their_order(tmp_path: Path) -> None:
    source = captions_source(tmp_path, columns=("meteor", "cider"))
    assert [one.name for one in source.metrics] == ["meteor", "cider"]
