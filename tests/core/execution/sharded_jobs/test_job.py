"""A job as a folder: missing, altered and foreign files are named, nothing is counted twice."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.execution.sharded_jobs import shard_file
from jurydesk.core.execution.sharded_jobs.manifest import (
    RESULTS,
    JobError,
    Manifest,
    read_manifest,
    result_path,
    shard_path,
    write_manifest,
)
from jurydesk.core.execution.sharded_jobs.merge_shards import (
    check_shards,
    gather_results,
    unscored_shards,
)
from jurydesk.core.execution.sharded_jobs.score_shard import open_shard, score_shard
from jurydesk.core.execution.sharded_jobs.shard_file import DamagedFileError, Parcel
from jurydesk.core.execution.sharded_jobs.split_job import ShardWriter
from jurydesk.core.model import chunk_codec
from jurydesk.core.model.chunk_codec import (
    DamagedBundleError,
    content_digest,
    pack_dataclass,
    unpack_dataclass,
)
from jurydesk.core.model.defects import Severity
from support.execution import square_chunks

WORKS = {work.id: work for work in (square_chunks.BY_THREADS, square_chunks.BY_PROCESSES)}


@pytest.fixture
def job(tmp_path):
    """Return nine chunks in five shards, all scored."""
    folder = tmp_path / "job"
    write_job(folder, square_chunks.request(9))
    for number in range(1, 6):
        score_one(folder, f"{number:04d}")
    return folder


def write_job(folder, *requests):
    folder.mkdir()
    splitter = ShardWriter(folder, per_shard=2)
    for request in requests:
        splitter.take(request)
    splitter.write()
    write_manifest(folder, Manifest(splitter.job, "toy", {}, {}, (), tuple(splitter.shards)))
    return splitter


def score_one(folder, name, results=None):
    shard = open_shard(shard_path(folder, name), WORKS)
    score_shard(shard, result_path(results or folder / RESULTS, name), Run(jobs=1))


def gathered(folder, *places):
    return gather_results(read_manifest(folder), folder, places)


def sentences(defects):
    return [str(defect).splitlines()[0] for defect in defects]


def values(folder, *places):
    """Return the statistics of all chunks, from the results only."""
    run = Run(cache=gathered(folder, *places), jobs=1, postpone=pytest.fail)
    return [value for part in run.each(square_chunks.request(9)) for value in part.values.tolist()]


class TestMerging:
    def test_the_results_contain_all_chunks(self, job):
        assert gathered(job).defects == []
        assert values(job) == square_chunks.squares(9)

    def test_repeated_results_are_harmless(self, job, tmp_path):
        shutil.copytree(job / RESULTS, tmp_path / "again")
        assert gathered(job, tmp_path / "again", tmp_path / "again").defects == []
        assert values(job, tmp_path / "again") == square_chunks.squares(9)

    def test_results_can_be_anywhere_and_have_any_name(self, job, tmp_path):
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        for number, path in enumerate(sorted((job / RESULTS).iterdir(), reverse=True)):
            path.rename(elsewhere / f"machine {number}.result")
        assert values(job, elsewhere) == square_chunks.squares(9)
        assert values(job, *sorted(elsewhere.iterdir())) == square_chunks.squares(9)

    def test_a_chunk_shared_by_two_systems_is_written_once(self, tmp_path):
        splitter = write_job(tmp_path / "job", square_chunks.request(3), square_chunks.request(4))
        assert [len(shard.chunks) for shard in splitter.shards] == [2, 2]

    def test_a_missing_result_is_named(self, job):
        result_path(job / RESULTS, "0003").unlink()
        found = gathered(job)
        assert [shard.name for shard in found.missing] == ["0003"]
        assert sentences(unscored_shards(found, job)) == [
            "note  job: 1 shard of 5 not scored: 0003."
        ]

    def test_a_result_of_another_job_is_foreign(self, job, tmp_path):
        write_job(tmp_path / "other", square_chunks.request(9))
        score_one(tmp_path / "other", "0001")
        found = gathered(job, tmp_path / "other" / RESULTS)
        assert sentences(found.defects) == [
            "error  0001.result: This result cannot be used: it belongs to another job."
        ]

    def test_a_result_of_an_altered_shard_is_foreign(self, job):
        manifest = read_manifest(job)
        first = replace(manifest.shards[0], sha256="0" * 64)
        write_manifest(job, replace(manifest, shards=(first, *manifest.shards[1:])))
        assert "was altered" in sentences(gathered(job).defects)[0]

    def test_another_version_is_reported(self, job):
        write_manifest(job, replace(read_manifest(job), jurydesk="0.0.1"))
        reported = sentences(gathered(job).defects)
        assert "The job was split by Jurydesk 0.0.1" in reported[0]

    def test_a_different_result_of_the_same_shard_is_reported_and_the_first_is_used(
        self, job, tmp_path
    ):
        path = result_path(tmp_path / "other", "0002")
        shard = open_shard(shard_path(job, "0002"), WORKS)
        (request, keys) = shard.requests[0]
        wrong = replace(
            request.kind, score=lambda settings, chunk, check: square_chunks.Squares(chunk.values)
        )
        score_shard(replace(shard, requests=((replace(request, kind=wrong), keys),)), path, Run())
        found = gathered(job, tmp_path / "other")
        assert [defect.severity for defect in found.defects] == [Severity.WARNING]
        assert "Shard 0002 has a different result" in found.defects[0].found
        assert values(job, tmp_path / "other") == square_chunks.squares(9)


class TestDamage:
    @pytest.mark.parametrize("place", [50, 200, 500])
    def test_an_altered_result_is_not_used(self, job, place):
        path = result_path(job / RESULTS, "0004")
        content = bytearray(path.read_bytes())
        content[place] ^= 0xFF
        path.write_bytes(bytes(content))
        found = gathered(job)
        assert sentences(found.defects)[0].startswith("error  0004.result: This result cannot be")
        assert [shard.name for shard in found.missing] == ["0004"]

    def test_a_truncated_result_is_not_used(self, job):
        path = result_path(job / RESULTS, "0004")
        path.write_bytes(path.read_bytes()[:-40])
        assert len(gathered(job).defects) == 1

    def test_missing_altered_and_unknown_shards_are_named(self, job):
        shard_path(job, "0001").unlink()
        with shard_path(job, "0002").open("ab") as file:
            file.write(b"more")
        (job / "shards" / "notes.txt").write_text("mine")
        assert sentences(check_shards(read_manifest(job), job)) == [
            "error  0001.shard: Shard 0001 is missing.",
            "error  0002.shard: Shard 0002 was altered.",
            "warning  notes.txt: This file is not a shard of the job.",
        ]

    def test_a_compressed_file_is_refused_before_it_is_unpacked(self, tmp_path):
        path = tmp_path / "bomb.shard"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("head.json", " " * (50 << 20))
        with pytest.raises(DamagedFileError, match="it is compressed"):
            Parcel(path)

    def test_a_file_of_too_many_chunks_is_refused_before_they_are_listed(self, job, monkeypatch):
        monkeypatch.setattr(shard_file, "MAX_MEMBERS", 2)
        monkeypatch.setattr(zipfile, "ZipFile", None)  # what lists them
        with pytest.raises(DamagedFileError, match="it has more than 2 chunks"):
            Parcel(shard_path(job, "0001"))

    @pytest.mark.parametrize("head", [[], {}, {"members": [1]}, {"members": [{"key": []}]}, None])
    def test_a_header_of_another_kind_is_reported(self, tmp_path, head):
        path = tmp_path / "odd.shard"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("head.json", json.dumps(head))
        with pytest.raises(DamagedFileError, match="it cannot be read"):
            Parcel(path)

    def test_an_unknown_kind_of_chunk_is_reported(self, job):
        with pytest.raises(DamagedFileError, match="the kind of chunk 'squares'"):
            open_shard(shard_path(job, "0001"), {})

    @pytest.mark.parametrize("name", ["../../etc/passwd", "a", "0001/..", ""])
    def test_no_name_in_a_manifest_is_used_as_a_path(self, job, name):
        manifest = read_manifest(job)
        write_manifest(job, replace(manifest, shards=(replace(manifest.shards[0], name=name),)))
        with pytest.raises(JobError, match="a shard has the name"):
            read_manifest(job)

    def test_a_folder_without_a_manifest_is_not_a_job(self, tmp_path):
        with pytest.raises(JobError, match=r"is not a job: it has no manifest\.json"):
            read_manifest(tmp_path)


class TestBundle:
    def test_a_bundle_is_read_back_as_it_was_written(self):
        one = square_chunks.Numbers(np.array([1.5, np.nan, -0.0]))
        again = unpack_dataclass(square_chunks.Numbers, pack_dataclass(one))
        assert again.values.tobytes() == one.values.tobytes()
        settings = square_chunks.Settings(0.5, "a \ud800 lone surrogate")
        assert content_digest(
            unpack_dataclass(square_chunks.Settings, pack_dataclass(settings))
        ) == content_digest(settings)

    @pytest.mark.parametrize(
        "content", [b"", b"PK", b"\x93NUMPY", pack_dataclass(square_chunks.Settings())]
    )
    def test_anything_else_is_damage(self, content):
        with pytest.raises(DamagedBundleError, match="it is not a squares bundle"):
            unpack_dataclass(square_chunks.Squares, content)

    def test_a_pickle_in_a_bundle_is_never_loaded(self, tmp_path):
        path = tmp_path / "bad.npz"
        np.savez(path, values=np.array([{"a": 1}], dtype=object), texts=np.zeros(2, np.uint8))
        with pytest.raises(DamagedBundleError):
            unpack_dataclass(square_chunks.Squares, path.read_bytes())

    def test_a_bundle_of_more_arrays_than_the_limit_is_not_listed(self, monkeypatch):
        content = pack_dataclass(square_chunks.Squares(np.zeros(3)))
        monkeypatch.setattr(chunk_codec, "MOST_ARRAYS", 2)
        unpack_dataclass(square_chunks.Squares, content)
        monkeypatch.setattr(chunk_codec, "MOST_ARRAYS", 1)
        with pytest.raises(DamagedBundleError, match="more than 1 members"):
            unpack_dataclass(square_chunks.Squares, content)

    def test_wrong_shapes_are_damage(self):
        content = pack_dataclass(square_chunks.Squares(np.zeros(3)))
        with pytest.raises(DamagedBundleError, match="it is not a settings bundle"):
            unpack_dataclass(square_chunks.Settings, content)
