"""Every number of an erratum is made again from the stamps before and after it."""

from __future__ import annotations

import copy
import json
import random
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import store_inference
from jurydesk.core.execution.groups_file import inference_from_values, read_groups
from jurydesk.core.execution.run import Run
from jurydesk.core.export.export_settings import ExportSettings
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.model.stamp import StampError
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.verification.differences import find_difference
from jurydesk.core.verification.recomputation import recompute_export
from jurydesk.core.verification.scored_again import ScoredAgain
from jurydesk.core.workflow.errata.apply_errata import prepare_erratum
from jurydesk.core.workflow.errata.errata_export import errata_json
from jurydesk.core.workflow.errata.errata_record import (
    apply_erratum,
    load_stamped_errata,
    stamped_erratum,
)
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support import toy
from support.forgeries import alter_number, leaves, scored_again

COUNT = 12


def write_truth(folder: Path, name: str, shift: float) -> Path:
    """Write true values of which every other one is shifted."""
    values = {f"i{k}": k / COUNT + shift * (k % 2) for k in range(COUNT)}
    return toy.write(folder / name, values, "truth")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a desk of two profiles of three systems, whose reference data were replaced twice."""
    folder = tmp_path_factory.mktemp("errata")
    PLACES[:] = [folder]
    truth = write_truth(folder, "truth.txt", 0.0)
    for system, distance in enumerate((0.01, 0.03, 0.2)):
        guesses = {f"i{k}": k / COUNT + distance * ((5 * k + system) % 7) for k in range(COUNT)}
        toy.write(folder / f"s{system}.txt", guesses)
    path = folder / "toy.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("toy", "A toy", {})
    for profile in ("published", "corrected"):
        score(path, truth, profile)
    with Desk.open(path) as desk:
        for shift, inference in ((0.05, Inference()), (0.3, Inference(correction="holm"))):
            store_inference(desk, inference)
            replace_truth(desk, write_truth(folder, f"truth-{shift}.txt", shift))
        store_inference(desk, Inference(interval="t"))
    return path


@pytest.fixture
def desk_path(made):
    """Return a copy of the desk beside it."""
    path = made.with_name("copy.jurydesk")
    shutil.copy(made, path)
    return path


def score(desk: Path, truth: Path, profile: str) -> None:
    guesses = [desk.with_name(f"s{system}.txt") for system in range(3)]
    files = explicit_files(toy.TASK, {"truth": [truth], "guesses": guesses})
    options = toy.Options(profile=profile)
    score_competition(CompetitionFiles(desk, toy.TASK, files, options), Run())


def replace_truth(desk: Desk, truth: Path) -> None:
    apply_erratum(desk, toy.TASK, prepare_erratum(desk, toy.TASK, {"truth": [truth]}, Run()))


def exported(desk_path: Path) -> Any:
    with Desk.open(desk_path, read_only=True) as desk:
        return json.loads(encode_json(errata_json(toy.TASK, load_stamped_errata(desk, toy.TASK))))


def recomputed(document: Any) -> str:
    """Return the document that its stamps and settings give."""
    return recomputed_text(json.dumps(document))


PLACES: list[Path] = []
"""Folder of the input files."""


def scored_in(stamps: Any) -> ScoredAgain:
    return ScoredAgain([scored_again(json.dumps(one), PLACES[0]) for one in stamps])


@cache
def recomputed_text(text: str) -> str:
    document = json.loads(text)
    settings = ExportSettings.from_json(document["settings"])
    found = scored_in(document["stamps"])
    return recompute_export(toy.TASK, found, settings, Run())[0].decode()


def test_each_altered_number_of_errata_is_reported(desk_path):
    document = exported(desk_path)
    again = recomputed(document)
    found, unknown = find_difference("json", document, again, incomplete=True)
    assert found is None
    assert unknown == []
    places = [place for place in leaves(document) if place[0] == "errata"]
    assert len(places) > 150
    for place in random.Random(1).sample(places, 50):
        found, _ = find_difference("json", alter_number(document, place), again, incomplete=True)
        assert found is not None, place
        assert found.place.startswith("errata.")


def test_names_of_reference_files_and_systems_are_compared_too(desk_path):
    document = exported(desk_path)
    again = recomputed(document)
    for place in (("after", 0, "path"), ("before", 0, "sha256"), ("parts", 1, "profile")):
        forged = copy.deepcopy(document)
        at = forged["errata"][1]
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = "another"
        found, _ = find_difference("json", forged, again, incomplete=True)
        assert found is not None
        assert found.recorded == "another"


def test_an_erratum_that_was_tried_is_made_again_like_a_recorded_one(desk_path):
    with Desk.open(desk_path, read_only=True) as desk:
        truth = write_truth(desk_path.parent, "third.txt", 0.1)
        prepared = prepare_erratum(desk, toy.TASK, {"truth": [truth]}, Run())
    document = json.loads(encode_json(errata_json(toy.TASK, [stamped_erratum(prepared)])))
    assert find_difference("json", document, recomputed(document), incomplete=True)[0] is None
    assert len(document["stamps"]) == 12


def test_results_that_were_scored_later_are_not_taken_for_those_of_an_erratum(desk_path):
    before = exported(desk_path)
    score(desk_path, desk_path.with_name("truth.txt"), "published")
    assert exported(desk_path)["errata"] == before["errata"]
    assert exported(desk_path)["stamps"] == before["stamps"]


def test_groups_of_a_file_are_those_of_the_erratum(desk_path):
    path = desk_path.parent / "groups.tsv"
    path.write_text("".join(f"i{k}\tg{k % 6}\n" for k in range(COUNT)), encoding="utf-8")
    labels = read_groups(path)
    inference = inference_from_values({"groups": str(path)}, Inference())
    with Desk.open(desk_path) as desk:
        store_inference(desk, inference)
        replace_truth(desk, write_truth(desk_path.parent, "grouped.txt", 0.07))
    document = exported(desk_path)
    assert len(document["errata"]) == 3
    assert [one["place"] for one in document["settings"]["errata"]] == [2]
    settings = ExportSettings.from_json(document["settings"])
    assert settings.groups.path == path.name
    settings = replace(settings, inference=replace(settings.inference, labels=labels))
    found = scored_in(document["stamps"])
    again = recompute_export(toy.TASK, found, settings, Run())[0].decode()
    difference, unknown = find_difference("json", document, again, incomplete=True)
    assert difference is None
    assert len(unknown) == 2  # errata without the file


@pytest.mark.parametrize("places", [[0, 0], [99], [-1], ["one"], None])
def test_places_of_stamps_that_are_not_valid_are_refused(desk_path, places):
    document = exported(desk_path)
    document["settings"]["errata"][0]["stamps_before"] = places
    with pytest.raises(StampError, match="settings in the file are damaged"):
        recomputed(document)
