"""Whole submissions scored on other machines: refusals of workers, and results of a stopped run.

That desks are the same is tested in `tests/core/workflow/test_same_desk.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.examples import copy_example, example_inputs
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution import submission_chunks
from jurydesk.core.execution.cache import FolderCache
from jurydesk.core.execution.engine import CompetitionResult, SubmissionResult, score_submissions
from jurydesk.core.execution.run import Cancelled, ChunksPostponed, Run
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.model.input_file import files_by_role
from support.execution.elsewhere import Elsewhere
from support.execution.square_chunks import request


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, list[Path]]:
    task = find_competition("keyword-spotting")
    assert task is not None
    folder = copy_example(task, tmp_path / "files")
    return {role: list(paths) for role, paths in example_inputs(task, folder).items()}


def score(
    inputs: dict[str, list[Path]], workers: Elsewhere | None = None, **more: Any
) -> CompetitionResult:
    task = find_competition("keyword-spotting")
    assert task is not None
    cache = more.pop("cache", None)
    with Run(jobs=1, workers=workers and (lambda: workers), cache=cache) as run:
        return score_submissions(
            task, files_by_role(inputs), task.scoring.options(), run, resamples=50, **more
        )


def comparable_entries(result: CompetitionResult) -> list[object]:
    """Return systems, defects, scores and evidence of a result."""
    return [
        (
            entry.system,
            entry.defects,
            entry.evaluation and (entry.evaluation.scores, repr(entry.evaluation.items.show(0))),  # type: ignore[union-attr]
        )
        for entry in result.entries
    ]


def no_resource(*_: object) -> None:
    raise ResourceMissing("There is no language data.")


def a_network(*_: object) -> None:
    raise ChunksPostponed


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("submission_chunks._score", no_resource),
        ("submission_chunks._score", a_network),
        ("submission_chunks.find_competition", lambda name: None),
    ],
)
def test_the_desk_scores_what_workers_refuse(
    place: str,
    fault: Callable[..., Any],
    inputs: dict[str, list[Path]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = score(inputs)
    monkeypatch.setattr(f"jurydesk.core.execution.{place}", fault)
    workers = Elsewhere()
    assert comparable_entries(score(inputs, workers)) == comparable_entries(here)
    assert workers.scored == []


def test_workers_with_other_resources_refuse(
    inputs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = score(inputs)
    checks = [{"resources": "desk"}, {"resources": "worker"}]
    monkeypatch.setattr(submission_chunks, "_checks", lambda *_: checks.pop(0))
    workers = Elsewhere()
    assert comparable_entries(score(inputs, workers)) == comparable_entries(here)
    assert workers.scored == []


def test_another_file_of_the_same_path_is_scored_by_the_desk(
    inputs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = score(inputs)
    first = str(inputs["results"][0])
    known = submission_chunks.fingerprint
    monkeypatch.setattr(
        submission_chunks,
        "fingerprint",
        lambda path: replace(known(path), sha256="") if str(path) == first else known(path),
    )
    workers = Elsewhere(by_path=True)
    assert comparable_entries(score(inputs, workers)) == comparable_entries(here)
    assert workers.scored == [str(path) for path in inputs["results"][1:]]


def test_chunks_of_networks_are_left_to_the_desk() -> None:
    whole = request(2)
    run = submission_chunks._WorkerRun(jobs=1)
    assert len(list(run.each(whole))) > 0
    with pytest.raises(ChunksPostponed):
        run.each(replace(whole, kind=replace(whole.kind, on_device=True)))


def test_a_stopped_run_scores_no_finished_submission_again(
    inputs: dict[str, list[Path]], tmp_path: Path
) -> None:
    cache = FolderCache(tmp_path / "cache")

    def stop(entry: SubmissionResult) -> None:
        raise Cancelled

    first, second = Elsewhere(), Elsewhere()
    with pytest.raises(Cancelled):
        score(inputs, first, cache=cache, on_entry=stop)
    resumed = score(inputs, second, cache=cache)
    assert str(inputs["results"][0]) in first.scored
    assert second.scored == [str(path) for path in inputs["results"][1:]]
    assert comparable_entries(resumed) == comparable_entries(score(inputs))


def test_a_damaged_submission_in_a_cache_is_scored_again(
    inputs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = score(inputs)
    whole = submission_chunks.score_submission

    def damaged(*arguments: Any) -> Any:
        done = whole(*arguments)
        items = {**done.rows["items"], "blocks": done.rows["items"]["blocks"][1:]}
        return replace(done, rows={**done.rows, "items": items})

    kind = replace(submission_chunks.SUBMISSIONS, score=damaged)
    monkeypatch.setattr(submission_chunks, "SUBMISSIONS", kind)
    with monkeypatch.context() as local:
        local.setattr("pickle.dumps", lambda value, *_: value)  # a local function has no pickle
        local.setattr("pickle.loads", lambda value: value)
        assert comparable_entries(score(inputs, Elsewhere())) == comparable_entries(here)
