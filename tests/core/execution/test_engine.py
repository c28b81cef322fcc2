from __future__ import annotations

import hashlib
import math
import random
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.competition.task import Inputs
from jurydesk.core.execution.engine import (
    CompetitionResult,
    SubmissionResult,
    check_inputs,
    score_submissions,
)
from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.stamp import Stamp, short_stamp
from support import toy

TRUTH = {f"i{k:02d}": k / 50 for k in range(40)}


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, list[Path]]:
    dice = np.random.default_rng(0)
    files = [toy.write(tmp_path / "truth.txt", TRUTH)]
    guesses = []
    for name, spread in (("near", 0.01), ("far", 0.3), ("middle", 0.1)):
        values = {key: value + float(dice.normal(0, spread)) for key, value in TRUTH.items()}
        guesses.append(toy.write(tmp_path / f"{name}.txt", values))
    return {"truth": files, "guesses": guesses}


def score(inputs: Inputs, **more: object) -> CompetitionResult:
    return score_submissions(toy.TASK, files_by_role(inputs), toy.Options(), Run(), **more)  # type: ignore[arg-type]


def without_time(entry: SubmissionResult) -> str:
    """Return everything of an entry that must not change between runs."""
    assert entry.evaluation is not None
    stamp = replace(Stamp.from_json(entry.evaluation.stamp), created="")
    columns = {name: values.tolist() for name, values in entry.evaluation.items.columns.items()}
    return repr((entry.path, entry.system, entry.evaluation.scores, stamp, columns))


class TestScoring:
    def test_every_submission_becomes_an_entry_in_the_given_order(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        result = score(inputs)
        assert [entry.system for entry in result.entries] == ["near", "far", "middle"]
        assert [entry.path for entry in result.entries] == inputs["guesses"]
        assert result.reference_defects == result.defects == ()

    def test_no_number_depends_on_the_order_of_the_submissions(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        first = {entry.path: without_time(entry) for entry in score(inputs).entries}
        dice = random.Random(1)
        for _ in range(3):
            shuffled = dict(inputs, guesses=dice.sample(inputs["guesses"], 3))
            again = {entry.path: without_time(entry) for entry in score(shuffled).entries}
            assert again == first

    def test_one_job_gives_what_two_give(self, inputs: dict[str, list[Path]]) -> None:
        def with_jobs(jobs: int) -> list[str]:
            result = score_submissions(
                toy.TASK, files_by_role(inputs), toy.Options(), Run(jobs=jobs)
            )
            return [without_time(entry) for entry in result.entries]

        assert with_jobs(1) == with_jobs(2)

    def test_the_next_file_is_read_before_the_previous_entry_is_reported(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        second_was_read = threading.Event()
        read = toy.TASK.readers.read_submission

        def reader(path: Path, *rest: object) -> object:
            if path.stem == "far":
                second_was_read.set()
            return read(path, *rest)

        readers = replace(toy.TASK.readers, read_submission=reader)
        reported = []

        def notify(entry: SubmissionResult) -> None:
            reported.append((entry.system, second_was_read.wait(10)))

        task = replace(toy.TASK, readers=readers)
        score_submissions(task, files_by_role(inputs), toy.Options(), Run(jobs=2), on_entry=notify)
        assert reported == [("near", True), ("far", True), ("middle", True)]

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_an_exception_in_the_callback_is_raised(
        self, jobs: int, inputs: dict[str, list[Path]]
    ) -> None:
        def fail(entry: SubmissionResult) -> None:
            raise OSError("the disk is full")

        with pytest.raises(OSError, match="the disk is full"):
            score_submissions(
                toy.TASK, files_by_role(inputs), toy.Options(), Run(jobs=jobs), on_entry=fail
            )

    def test_a_file_given_twice_is_one_system(self, inputs: dict[str, list[Path]]) -> None:
        twice = dict(inputs, guesses=[*inputs["guesses"], inputs["guesses"][0]])
        assert len(score(twice).entries) == 3

    def test_each_entry_is_reported_when_it_is_ready(self, inputs: dict[str, list[Path]]) -> None:
        reported: list[SubmissionResult] = []
        result = score(inputs, on_entry=reported.append)
        assert tuple(reported) == result.entries

    def test_progress_names_the_intervals(self, inputs: dict[str, list[Path]]) -> None:
        reported: list[Progress] = []
        score_submissions(
            toy.TASK, files_by_role(inputs), toy.Options(), Run(progress=reported.append)
        )
        assert any(one.text.startswith("intervals of ") for one in reported)

    def test_scoring_can_be_cancelled(self, inputs: dict[str, list[Path]]) -> None:
        token = CancelToken()
        reported: list[SubmissionResult] = []

        def stop(entry: SubmissionResult) -> None:
            reported.append(entry)
            token.cancel()

        with pytest.raises(Cancelled):
            score_submissions(
                toy.TASK, files_by_role(inputs), toy.Options(), Run(cancel=token), on_entry=stop
            )
        assert len(reported) == 1


class TestNames:
    def test_a_name_in_the_file_replaces_the_stem_and_a_user_s_name_replaces_both(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        a = toy.write(tmp_path / "a.txt", TRUTH, "Team A")
        b = toy.write(tmp_path / "b.txt", TRUTH, "Team B")
        files = files_by_role(dict(inputs, guesses=[a, b, inputs["guesses"][0]]))
        named = [replace(one, name="Ours" if one.path == b else "") for one in files]
        result = score_submissions(toy.TASK, named, toy.Options(), Run())
        names = [entry.system for entry in result.entries]
        assert names == ["Team A", "Ours", "near"]

    def test_equal_names_are_made_distinct_and_earlier_entries_reported_again(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        a = toy.write(tmp_path / "a.txt", TRUTH, "Team")
        b = toy.write(tmp_path / "b.txt", TRUTH, "Team")
        reported: list[SubmissionResult] = []
        result = score(dict(inputs, guesses=[a, b]), on_entry=reported.append)
        assert [entry.system for entry in reported] == ["Team", "Team (a)", "Team (b)"]
        for entry in result.entries:
            assert entry.evaluation is not None
            assert entry.evaluation.system == entry.system
            assert entry.evaluation.stamp["system"] == entry.system

    def test_checking_assigns_the_same_names(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        a = toy.write(tmp_path / "a.txt", TRUTH, "Team")
        b = toy.write(tmp_path / "b.txt", TRUTH, "Team")
        files = dict(inputs, guesses=[a, b])
        names = [
            entry.system
            for entry in check_inputs(toy.TASK, files_by_role(files), toy.Options(), Run()).entries
        ]
        assert names == ["Team (a)", "Team (b)"]


class TestDefects:
    def test_an_error_in_the_references_prevents_all_entries(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        inputs["truth"][0].write_text("i00 what\ni01 0.5\ni02 that\n")
        for result in (
            score(inputs),
            check_inputs(toy.TASK, files_by_role(inputs), toy.Options(), Run()),
        ):
            assert [defect.found for defect in result.reference_defects] == [
                '"what" is no number.',
                '"that" is no number.',
            ]
            assert result.entries == ()

    def test_an_error_in_one_submission_does_not_affect_the_others(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        inputs["guesses"][1].write_text("i00 what\n")
        reported: list[SubmissionResult] = []
        result = score(inputs, on_entry=reported.append)
        assert [entry.evaluation is None for entry in result.entries] == [False, True, False]
        assert [one.system for one in result.evaluations] == ["near", "middle"]
        assert [str(defect.place) for defect in result.defects] == ["far.txt, line 1"]
        assert len(reported) == 3

    def test_a_submission_with_a_warning_is_scored_and_keeps_the_warning(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        some = toy.write(tmp_path / "some.txt", {"i00": 0.0, "i01": 0.0})
        (entry,) = score(dict(inputs, guesses=[some])).entries
        assert entry.evaluation is not None
        assert {defect.severity for defect in entry.defects} == {Severity.WARNING}
        assert entry.evaluation.defects == entry.defects
        assert len(entry.defects) == 38

    def test_checking_scores_nothing(self, inputs: dict[str, list[Path]]) -> None:
        result = check_inputs(toy.TASK, files_by_role(inputs), toy.Options(), Run())
        assert [entry.evaluation for entry in result.entries] == [None] * 3
        assert result.sources == ()


class TestStamps:
    def test_a_stamp_contains_every_input_with_its_hash(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        result = score(inputs)
        stamp = Stamp.from_json(result.evaluations[0].stamp)
        for source, path in zip(
            stamp.inputs, [inputs["truth"][0], inputs["guesses"][0]], strict=True
        ):
            content = path.read_bytes()
            assert source.path == str(path)
            assert source.sha256 == hashlib.sha256(content).hexdigest()
            assert source.size == len(content)
        assert [source.path for source in result.sources] == [
            str(path) for path in (*inputs["truth"], *inputs["guesses"])
        ]

    def test_folders_are_recorded_but_not_part_of_the_stamp(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        result = score({**inputs, "images": [tmp_path]})
        assert ("images", "") in {(source.role, source.sha256) for source in result.sources}
        stamp = Stamp.from_json(result.evaluations[0].stamp)
        assert [source.role for source in stamp.references] == ["truth"]

    def test_the_seed_and_the_number_of_resamples_are_recorded(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        result = score(inputs, seed=5, resamples=10)
        stamp = Stamp.from_json(result.evaluations[0].stamp)
        assert stamp.seeds == {"bootstrap": 5, "resamples": 10}

    def test_the_short_form_lists_only_changed_options(self, inputs: dict[str, list[Path]]) -> None:
        result = score_submissions(
            toy.TASK, files_by_role(inputs), toy.Options("corrected", "zero"), Run()
        )
        text = short_stamp(Stamp.from_json(result.evaluations[0].stamp))
        assert text.startswith("toy|distance:absolute|missing:zero|profile:corrected|gold:")
        default = short_stamp(Stamp.from_json(score(inputs).evaluations[0].stamp))
        assert default.startswith("toy|distance:absolute|profile:published|gold:")


class TestIntervals:
    def test_means_and_own_metrics_have_an_interval_and_counts_have_none(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        evaluation = score(inputs).evaluations[0]
        for metric in ("closeness", "rmse"):
            found = evaluation.score(metric)
            assert found.interval is not None
            assert found.interval.low < found.value < found.interval.high
        assert evaluation.score("listed").interval is None

    def test_all_systems_have_the_same_resamples(
        self, tmp_path: Path, inputs: dict[str, list[Path]]
    ) -> None:
        shifted = {key: value + 0.1 for key, value in TRUTH.items()}
        (plain,) = score(dict(inputs, guesses=[toy.write(tmp_path / "a.txt", shifted)])).entries
        reordered = toy.write(tmp_path / "other.txt", dict(reversed(TRUTH.items())))
        files = {"truth": [reordered], "guesses": [tmp_path / "a.txt"]}
        (turned,) = score(files).entries
        assert plain.evaluation is not None
        assert turned.evaluation is not None
        assert turned.evaluation.items.ids != plain.evaluation.items.ids
        for metric in ("closeness", "rmse"):
            assert (
                turned.evaluation.score(metric).interval == plain.evaluation.score(metric).interval
            )

    def test_a_single_item_has_no_interval(self, tmp_path: Path) -> None:
        one = {"i0": 0.5}
        files = {
            "truth": [toy.write(tmp_path / "truth.txt", one)],
            "guesses": [toy.write(tmp_path / "a.txt", one)],
        }
        assert [one.interval for one in score(files).evaluations[0].scores] == [None] * 3

    def test_an_undefined_score_has_no_interval(self, tmp_path: Path) -> None:
        files = {
            "truth": [toy.write(tmp_path / "truth.txt", TRUTH)],
            "guesses": [toy.write(tmp_path / "a.txt", {"elsewhere": 1.0})],
        }
        found = score(files).evaluations[0].score("closeness")
        assert math.isnan(found.value)
        assert found.interval is None

    def test_a_score_that_is_not_its_column_s_mean_has_no_interval(
        self, inputs: dict[str, list[Path]]
    ) -> None:
        def crooked(*arguments: object) -> object:
            evaluation = toy.evaluate(*arguments)  # type: ignore[arg-type]
            first = replace(evaluation.scores[0], value=0.123)
            return replace(evaluation, scores=(first, *evaluation.scores[1:]))

        task = replace(toy.TASK, scoring=replace(toy.TASK.scoring, evaluate=crooked))  # type: ignore[arg-type]
        result = score_submissions(task, files_by_role(inputs), toy.Options(), Run())
        assert result.evaluations[0].score("closeness").interval is None
        assert result.evaluations[0].score("rmse").interval is not None
