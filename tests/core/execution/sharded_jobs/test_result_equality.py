"""Every competition gives the same numbers and stamps, wherever its chunks are scored."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.cache import NoCache
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.execution.sharded_jobs.manifest import (
    RESULTS,
    read_manifest,
    result_path,
    shard_path,
)
from jurydesk.core.execution.sharded_jobs.merge_shards import MergeWorkers, gather_results
from jurydesk.core.execution.sharded_jobs.score_shard import open_shard, score_shard
from jurydesk.core.execution.sharded_jobs.split_job import ShardWriter, split_job
from jurydesk.core.execution.workers.dask_workers import dask_opener
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.neural.inception.fid_score import FidCalculator
from support.execution.dask_cluster import loopback
from support.tiny_models import torch_or_skip

pytest.importorskip("distributed")
pytestmark = pytest.mark.timeout(300)

TASKS = sorted(registry().tasks)
RELATIVE = 1e-12
EXACT = {"keyword-spotting", "vist", "densecap"}
SMALL_CHUNKS = (
    ("jurydesk.core.metrics.meteor.meteor_chunks.CHUNK", 3),
    ("jurydesk.core.tasks.densecap.detection_chunks.IMAGES_PER_CHUNK", 2),
    ("jurydesk.core.tasks.keyword_spotting.ranking_chunks.QUERIES", 4),
    ("jurydesk.core.tasks.fusionbrain.subtasks.captioning_vqa.TEXTS_PER_CHUNK", 1),
    ("jurydesk.core.execution.workers.local_workers.WORTH_SECONDS", 0.0),
    ("jurydesk.core.neural.feature_cache.LONGEST", 3),
)


@dataclass(frozen=True)
class Place:
    """A way to score: its name in stamps, and how to get its result."""

    name: str
    stamped: str


HERE = Place("here", "this machine")
SHARDS = Place("shards", "shards")
PLACES = (Place("two jobs", "this machine"), Place("cluster", "a Dask cluster"), SHARDS)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with loopback(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(autouse=True)
def _many_chunks_and_nothing_kept(monkeypatch):
    for name, value in SMALL_CHUNKS:
        monkeypatch.setattr(name, value)
    for module in (
        "jurydesk.core.neural.inception.fid_score",
        "jurydesk.core.tasks.fusionbrain.clip.clip_score",
    ):
        monkeypatch.setattr(f"{module}.FolderCache", lambda folder: NoCache())
    # The first layers of Inception are enough: the whole network and its distance are slow.
    shallow = partial(FidCalculator, dims=64)
    monkeypatch.setattr(
        "jurydesk.core.tasks.fusionbrain.subtasks.image_generation.FidCalculator", shallow
    )


def competition(name, networks):
    task = registry().tasks[name]
    folder = example_folder(task)
    inputs, options = dict(example_inputs(task, folder)), example_options(task, folder)
    if name == "fusionbrain":
        inputs["predictions"] = inputs["predictions"][:1]
        if networks:
            torch_or_skip()
        else:  # Each new process would import PyTorch, which takes longer than the rest together.
            options = replace(options, weights=())
    return task, inputs, options


def score_at(place, name, networks, cluster, tmp_path):
    task, inputs, options = competition(name, networks)
    if place is SHARDS:
        return by_shards(task, inputs, options, tmp_path / "job")
    there = dask_opener(cluster.address, "paths") if place.name == "cluster" else None
    with Run(jobs=2 if place.name == "two jobs" else 1, workers=there) as run:
        return score_submissions(task, files_by_role(inputs), options, run)


def by_shards(task, inputs, options, folder):
    """Split, score each shard alone, and merge repeated and shuffled results."""
    (folder / "elsewhere").mkdir(parents=True)  # a competition without chunks writes nothing there
    split_job(task, files_by_role(inputs), options, Run(), ShardWriter(folder, per_shard=2))
    manifest = read_manifest(folder)
    works = {work.id: work for work in task.scoring.chunks}
    names = [shard.name for shard in manifest.shards]
    random.Random(5).shuffle(names)
    for name in names:
        shard = open_shard(shard_path(folder, name), works)
        for results in (folder / RESULTS, folder / "elsewhere"):
            score_shard(shard, result_path(results, name), Run(jobs=1))
    results = gather_results(manifest, folder, [folder / "elsewhere"])
    assert results.defects == []
    assert results.missing == []
    lacking = []
    with Run() as run:
        run.merge_from(results, lambda: MergeWorkers(1), lacking.append)
        found = score_submissions(task, files_by_role(inputs), options, run)
    assert lacking == []
    return found


@pytest.fixture(scope="module")
def known():
    """Return the local result, once for each competition, with and without networks."""
    return {}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
@pytest.mark.parametrize("name", TASKS)
def test_numbers_and_stamps_are_equal_everywhere(name, place, cluster, known, tmp_path):
    networks = place is SHARDS and name == "fusionbrain"
    if (name, networks) not in known:
        known[name, networks] = score_at(HERE, name, networks, cluster, tmp_path / "here")
    here, there = known[name, networks], score_at(place, name, networks, cluster, tmp_path)
    assert [one.system for one in there.evaluations] == [one.system for one in here.evaluations]
    assert here.evaluations
    for one, other in zip(here.evaluations, there.evaluations, strict=True):
        assert one.items.ids == other.items.ids
        assert list(one.items.columns) == list(other.items.columns)
        for column, exact in one.items.columns.items():
            if name in EXACT:
                assert exact.tobytes() == other.items.columns[column].tobytes()
            np.testing.assert_allclose(other.items.columns[column], exact, rtol=RELATIVE, atol=0)
        values = {found.metric: (found.value, found.n) for found in one.scores}
        assert {found.metric: (found.value, found.n) for found in other.scores} == {
            metric: (pytest.approx(value, rel=RELATIVE, nan_ok=True), n)
            for metric, (value, n) in values.items()
        }
        assert [str(defect) for defect in other.defects] == [str(defect) for defect in one.defects]
        assert comparable(other.stamp) == comparable(one.stamp)
        has_chunks = place.name != "shards" or registry().tasks[name].scoring.chunks
        has_chunks = has_chunks and not other.stamp.get("part")  # a file of several systems
        assert other.stamp["place"] == (place.stamped if has_chunks else HERE.stamped)
        assert one.stamp["place"] == "this machine"


def comparable(stamp):
    """Return a stamp without time, place and numbers, which are compared separately."""
    without = {key: stamp[key] for key in stamp if key not in ("created", "place", "scores")}
    return json.dumps(without, sort_keys=True)
