"""Tests of building reference sets: results, cancellation, resumption, file format."""

import json
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.visdial.reference_sets import builder
from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions
from jurydesk.core.tasks.visdial.reference_sets.methods import reference_masks
from jurydesk.core.tasks.visdial.reference_sets.order import (
    BuildSpec,
    build_and_write,
    read_build_inputs,
)

FOLDER = resources_folder() / "examples" / "visdial" / "building"


@pytest.fixture
def order(tmp_path):
    return BuildSpec(
        dialogs=FOLDER / "dialogs.json",
        out=tmp_path / "sets.json",
        recipe=BuildOptions("S"),
        embeddings=FOLDER / "words.bin",
        relevance=FOLDER / "relevance.json",
        train=FOLDER / "training.json",
        correlations=tmp_path / "correlations.npz",
    )


def build(order, run=None):
    run = run or Run()
    delivery = build_and_write(order, read_build_inputs(order, run).data, run)
    sets = json.loads(order.out.read_text(encoding="utf-8"))
    return delivery, sets


def arrays(order):
    with np.load(order.correlations, allow_pickle=False) as found:
        return found["correlations"], found["gt_index"]


@pytest.mark.parametrize("method", ["S", "M", "G"])
def test_sets_have_the_published_shape(order, method):
    _, sets = build(replace(order, recipe=BuildOptions(method)))
    masks = reference_masks(*arrays(order), method)
    assert [one["in_cluster_idxs"] for one in sets] == masks.astype(int).tolist()
    members = {"image_id", "round_id", "in_cluster_idxs", "refs", "question", "gt_answer"}
    assert {frozenset(one) for one in sets} == {frozenset(members)}
    assert sets[11]["question"] == "how old is the man"
    for one in sets:
        assert len(one["refs"]) == sum(one["in_cluster_idxs"])
        assert one["gt_answer"] in one["refs"]


def test_the_true_answer_correlates_perfectly_with_itself(order):
    build(order)
    correlations, truth = arrays(order)
    assert correlations[np.arange(30), truth] == pytest.approx(np.ones(30))
    assert np.abs(correlations).max() <= 1 + 1e-12


def test_candidates_are_correlated_with_the_answer_at_its_stated_index(order, tmp_path):
    build(order)
    sound, truth = arrays(order)
    content = json.loads(order.dialogs.read_text(encoding="utf-8"))
    first = content["data"]["dialogs"][0]["dialog"][0]
    first["gt_index"] = (first["gt_index"] + 1) % len(first["answer_options"])
    moved = tmp_path / "moved.json"
    moved.write_text(json.dumps(content))
    _, sets = build(replace(order, dialogs=moved))
    again, places = arrays(order)
    assert again == pytest.approx(sound)
    assert (places != truth).sum() == 1
    assert sets[0]["in_cluster_idxs"][places[0]] == 1


def test_people_s_choices_use_method_h_and_need_no_model(order):
    chosen = replace(order, recipe=BuildOptions("H"), embeddings=None)
    delivery, sets = build(chosen)
    meters = {meter.name: meter for meter in delivery.meters}
    assert (meters["precision"].mean, meters["IOU"].mean) == (100, 100)
    assert meters["cluster_mean"].n == 0
    assert len(sets) == 30


def test_agreement_with_people_is_measured(order):
    meters = {meter.name: meter.mean for meter in build(order)[0].meters}
    assert meters["gt_in_cluster"] == 100
    assert 50 < meters["precision"] < 100
    assert meters["IOU"] < min(meters["precision"], meters["recall"])


@pytest.fixture
def few(order, tmp_path):
    """Return the same with five annotated rounds."""
    entries = json.loads((FOLDER / "relevance.json").read_text(encoding="utf-8"))
    path = tmp_path / "few.json"
    path.write_text(json.dumps(entries[3:8]))
    return replace(order, relevance=path)


def test_sets_can_be_built_of_annotated_rounds_only(few):
    delivery, sets = build(replace(few, recipe=BuildOptions("S", annotated=True)))
    assert [one["round_id"] for one in sets] == [3, 4, 5, 6, 7]
    assert delivery.sets == 5


def test_unannotated_rounds_are_built_and_not_measured(few):
    meters = {meter.name: meter.n for meter in build(few)[0].meters}
    assert (meters["precision"], meters["cluster_size"]) == (5, 30)


def test_correlating_people_s_choices_gives_other_sets(order):
    own = replace(order, train=None)
    full, human = (
        build(replace(own, recipe=BuildOptions("S", pairs)))[1] for pairs in ("full", "human")
    )
    assert full != human


def test_correlations_and_threshold_explain_the_sets(order):
    _, sets = build(replace(order, explained=True))
    for one in sets:
        inside = [
            c for c, mark in zip(one["correlations"], one["in_cluster_idxs"], strict=True) if mark
        ]
        outside = [
            c
            for c, mark in zip(one["correlations"], one["in_cluster_idxs"], strict=True)
            if not mark
        ]
        assert min(inside) >= one["threshold"] - 1e-4
        assert max(outside) < one["threshold"] + 1e-4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"recipe": BuildOptions("H"), "relevance": None}, "required for sets of annotated rounds"),
        (
            {"recipe": BuildOptions("S", annotated=True), "relevance": None},
            "required for sets of annotated rounds",
        ),
        ({"recipe": BuildOptions("S", "human")}, "required for correlating with human annotations"),
    ],
)
def test_files_with_insufficient_data_are_refused(order, changes, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_build_inputs(replace(order, **changes), Run())


def test_training_dialogues_without_relevance_name_their_own_option(order):
    spec = replace(order, recipe=BuildOptions("S", "human"), train=order.dialogs)
    with pytest.raises(UsageError, match="--train-relevance"):
        read_build_inputs(spec, Run())


def test_defects_of_all_files_are_reported_at_once(order, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text("[]")
    reading = read_build_inputs(replace(order, dialogs=bad, train=bad), Run())
    assert reading.data is None
    assert [d.found for d in reading.defects] == ["The file is not a VisDial file."] * 2


def test_an_invalid_model_is_reported(order):
    with pytest.raises(ResourceMissing, match="it is not a fastText word model"):
        build(replace(order, embeddings=FOLDER / "training.json"))


@pytest.fixture
def chunked(monkeypatch):
    monkeypatch.setattr(builder, "CHUNK", 4)


def test_a_cancelled_build_writes_nothing_and_resumes(order, tmp_path, chunked, monkeypatch):
    order = replace(order, recipe=BuildOptions("M"))
    whole = build(order)[1]
    order.out.unlink()
    asked, cancel = [], CancelToken()

    def masks(*arguments):
        asked.append(1)
        if len(asked) == 3:
            cancel.cancel()
        return reference_masks(*arguments)

    monkeypatch.setattr(builder, "reference_masks", masks)
    cache = FolderCache(tmp_path / "cache")
    with pytest.raises(Cancelled):
        build(order, Run(cancel=cancel, cache=cache, jobs=1))
    assert not order.out.exists()
    before = len(asked)
    assert build(order, Run(cache=cache, jobs=1))[1] == whole
    assert len(asked) - before < 8
    asked.clear()
    assert build(order, Run(cache=cache, jobs=1))[1] == whole
    assert asked == []


@pytest.mark.parametrize("power", [-1e9, float("nan")])
def test_a_power_that_no_eigenvalue_has_is_refused(order, power):
    with pytest.raises(UsageError, match=r"--power .*: not every eigenvalue has a power of"):
        build(replace(order, recipe=BuildOptions("S", power=power)))


def test_dialogues_that_cannot_be_correlated_are_refused(order, monkeypatch):
    def few(*_):
        raise np.linalg.LinAlgError(
            "there are too few distinct observations for the number of dimensions"
        )

    monkeypatch.setattr(builder, "canonical_correlations", few)
    with pytest.raises(UsageError, match="Give more or other training dialogues"):
        build(order)
    assert not order.out.exists()
