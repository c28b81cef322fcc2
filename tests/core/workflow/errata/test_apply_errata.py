"""Errata: new reference data, every system rescored, and what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import find_score
from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import store_inference
from jurydesk.core.desk.tables.errata_table import restore_results
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck, combine
from jurydesk.core.model.defects import Place, warning
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.workflow.errata.apply_errata import ReferenceErrors, prepare_erratum
from jurydesk.core.workflow.errata.errata_export import score_change_table
from jurydesk.core.workflow.errata.errata_record import (
    apply_erratum,
    erratum_from_json,
    erratum_json,
    load_errata,
)
from jurydesk.core.workflow.errata.erratum import erratum_sentences
from support import toy

ITEMS = 60


def truths(wrong: int = 0) -> dict[str, float]:
    """Return true values, of which the first `wrong` are too high by 0.4."""
    return {f"n{i:02d}": i / ITEMS + (0.4 if i < wrong else 0.0) for i in range(ITEMS)}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    rng = np.random.default_rng(1)
    noise = {name: rng.normal(0, 0.05, ITEMS) for name in ("one", "two")}
    truth = toy.write(tmp_path / "truth.txt", truths(wrong=30))
    guesses = [
        toy.write(tmp_path / "one.txt", _guesses(truths(), noise["one"]), "one"),
        toy.write(tmp_path / "two.txt", _guesses(truths(wrong=30), noise["two"] + 0.1), "two"),
    ]
    with Desk.create(tmp_path / "toy.jurydesk") as opened:
        opened.set_competition("toy", "Toy", {"profile": "published", "missing": "skip"})
        result = score_submissions(
            toy.TASK, files_by_role({"truth": [truth], "guesses": guesses}), toy.Options(), Run()
        )
        for evaluation in result.evaluations:
            opened.add(evaluation)
        opened.merge_inputs(result.sources, "guesses")
        yield opened


def _guesses(values: dict[str, float], noise: np.ndarray) -> dict[str, float]:
    return {key: value + float(n) for (key, value), n in zip(values.items(), noise, strict=True)}


@pytest.fixture
def mended(tmp_path: Path) -> Path:
    return toy.write(tmp_path / "mended.txt", truths())


def leaders(desk: Desk) -> list[tuple[str, float]]:
    found = [(one.system, find_score(one, "closeness").value) for one in desk.evaluations()]
    return sorted(found, key=lambda one: -one[1])


def test_changes_and_swapped_ranks_are_reported_without_an_interval_or_a_p_value(desk, mended):
    before = dict(leaders(desk))
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    (part,) = prepared.erratum.parts
    assert [one.system for one in part.systems] == ["one", "two"]
    one, two = part.systems
    assert one.before.value == before["one"]
    assert one.change == pytest.approx(one.after.value - one.before.value)
    assert one.change > 0 > two.change
    assert (one.rank_before.best, one.rank_after.best) == (2, 1)
    assert len(one.items) == 30
    assert [abs(after - was) for _, was, after in one.items] == sorted(
        (abs(after - was) for _, was, after in one.items), reverse=True
    )
    assert list(erratum_sentences(prepared.erratum)) == [
        f"Closeness changed for 2 of 2 systems, by {two.change:+.4f} to {one.change:+.4f}. "
        "one is higher by score than before.",
    ]
    names = [column.name for column in score_change_table((part,))]
    assert names == ["system", "before", "after", "change", "ranks", "items"]


def test_the_new_scores_equal_those_of_scoring_with_the_new_file(desk, mended, tmp_path):
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    inputs = {"truth": [mended], "guesses": [tmp_path / "one.txt", tmp_path / "two.txt"]}
    fresh = score_submissions(toy.TASK, files_by_role(inputs), toy.Options(), Run()).evaluations
    ours = {one.system: one.scores for one in prepared.evaluations}
    assert {one.system: one.scores for one in fresh} == ours


def test_preparing_changes_nothing_and_applying_changes_everything_at_once(desk, mended):
    before = leaders(desk)
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    assert leaders(desk) == before
    assert load_errata(desk, toy.TASK) == []
    apply_erratum(desk, toy.TASK, prepared)
    assert leaders(desk)[0][0] == "one"
    assert {entry.path.name for entry in desk.inputs()} == {"mended.txt", "one.txt", "two.txt"}
    assert not any(one.stale for one in desk.evaluations())
    (kept,) = load_errata(desk, toy.TASK)
    assert kept == prepared.erratum
    assert [source.path for source in kept.before] == [str(mended.with_name("truth.txt"))]
    assert [source.path for source in kept.after] == [str(mended)]


def test_an_erratum_keeps_the_records_of_submissions(desk, mended, tmp_path):
    one, two = str(tmp_path / "one.txt"), str(tmp_path / "two.txt")
    late = warning(Place(one), "one came in 1 h after the deadline.")
    odd = warning(Place(two), "Odd.")
    files = tuple(FileCheck(path, "guesses", "passed") for path in (one, two))
    desk.add_check(CheckRecord("before", files, DefectLog((), (late,), (odd,))))
    (tmp_path / "two.txt").unlink()
    apply_erratum(desk, toy.TASK, prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run()))
    known = combine(desk.check_records(), [one, two])
    assert known.defects.resolution == (late,)
    assert odd in known.defects.reading
    assert {Path(file.path).name: file.outcome for file in known.files} == {
        "mended.txt": "passed",
        "one.txt": "passed",
        "two.txt": "passed",
    }
    assert {entry.path.name for entry in desk.inputs()} == {"mended.txt", "one.txt", "two.txt"}


def test_an_erratum_that_cannot_be_written_leaves_the_desk_unchanged(desk, mended, monkeypatch):
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    before = leaders(desk)

    def fails(*arguments: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("jurydesk.core.desk.tables.input_table.write_inputs", fails)
    with pytest.raises(OSError, match="full"):
        apply_erratum(desk, toy.TASK, prepared)
    assert leaders(desk) == before
    assert load_errata(desk, toy.TASK) == []


def contents(desk: Desk) -> list[object]:
    """Return everything that an erratum changes."""
    paths = [str(entry.path) for entry in desk.inputs()]
    items = [desk.load(one.id).items.columns["closeness"].tolist() for one in desk.evaluations()]
    checked = replace(combine(desk.check_records(), paths), time="")
    return [desk.evaluations(), desk.inputs(), items, checked, load_errata(desk, toy.TASK)]


def test_an_erratum_is_undone_with_results_inputs_and_checks(desk, mended, tmp_path):
    roles = {"truth": "truth", "one": "guesses", "two": "guesses"}
    files = [
        FileCheck(str(tmp_path / f"{name}.txt"), role, "failed") for name, role in roles.items()
    ]
    odd = warning(Place(files[1].path), "Odd.")
    desk.add_check(CheckRecord("before", tuple(files), DefectLog((), (), (odd,))))
    before = contents(desk)
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    replaced = apply_erratum(desk, toy.TASK, prepared)
    assert all(new != old for new, old in zip(contents(desk), before, strict=True))
    restore_results(desk, replaced)
    assert contents(desk) == before


def test_undoing_an_erratum_keeps_systems_that_were_scored_since(desk, mended, tmp_path):
    before = dict(leaders(desk))
    replaced = apply_erratum(
        desk, toy.TASK, prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    )
    late = toy.write(tmp_path / "late.txt", truths(), "late")
    inputs = {"truth": [mended], "guesses": [tmp_path / "one.txt", late]}
    result = score_submissions(toy.TASK, files_by_role(inputs), toy.Options(), Run())
    for evaluation in result.evaluations:
        desk.add(evaluation)
    desk.merge_inputs(result.sources, "guesses")
    restore_results(desk, replaced)
    assert dict(leaders(desk)) == {**before, "late": 1.0}
    assert {one.system: one.stale for one in desk.evaluations()} == {
        "one": False,
        "two": False,
        "late": True,
    }
    names = {entry.path.name for entry in desk.inputs()}
    assert names == {"truth.txt", "one.txt", "two.txt", "late.txt"}


def test_errata_follow_the_ranking_metric(desk, mended):
    store_inference(desk, Inference(rank_by="rmse"))
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    (part,) = prepared.erratum.parts
    assert part.metric.name == "rmse"
    after = [one.after.value for one in part.systems]
    assert after == sorted(after)  # the smallest error first
    assert [one.rank_after.best for one in part.systems] == [1, 2]
    (sentence,) = erratum_sentences(prepared.erratum)
    assert sentence.startswith("Error changed for 2 of 2 systems, by ")


def test_identical_reference_data_change_no_score(desk, tmp_path):
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [tmp_path / "truth.txt"]}, Run())
    (part,) = prepared.erratum.parts
    assert [(one.change, one.items) for one in part.systems] == [(0.0, ()), (0.0, ())]
    assert list(erratum_sentences(prepared.erratum)) == ["No system's Closeness changed."]


def test_an_order_that_stays_is_said(desk, tmp_path):
    values = truths(wrong=30)
    values["n40"] += 0.2
    path = toy.write(tmp_path / "one-more.txt", values)
    erratum = prepare_erratum(desk, toy.TASK, {"truth": [path]}, Run()).erratum
    (part,) = erratum.parts
    assert [len(one.items) for one in part.systems] == [1, 1]
    (sentence,) = erratum_sentences(erratum)
    assert sentence.endswith("The order by score is the same.")


def test_a_missing_or_changed_submission_keeps_its_result_and_is_reported(desk, mended, tmp_path):
    (tmp_path / "two.txt").unlink()
    prepared = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    assert prepared.erratum.left_out == (("two", "Its file is missing."),)
    apply_erratum(desk, toy.TASK, prepared)
    assert {one.system: one.stale for one in desk.evaluations()} == {"one": False, "two": True}


def test_without_any_submission_there_is_nothing_to_score(desk, mended, tmp_path):
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("n00 1\n")
    with pytest.raises(UsageError) as refused:
        prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    nothing = f"{desk.path.name} has no submission that can be scored again."
    assert str(refused.value) == f"{nothing} The files of one, two are changed."
    (tmp_path / "one.txt").unlink()
    with pytest.raises(UsageError) as refused:
        prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run())
    reported = "The file of one is missing. The file of two is changed."
    assert str(refused.value) == f"{nothing} {reported}"


def test_reference_data_with_errors_are_refused_with_every_defect(desk, tmp_path):
    path = tmp_path / "broken.txt"
    path.write_text("n00 one\nn01 two\n")
    with pytest.raises(ReferenceErrors) as refused:
        prepare_erratum(desk, toy.TASK, {"truth": [path]}, Run())
    assert len(refused.value.defects) == 2


def test_an_erratum_is_read_back_as_it_was_written(desk, mended):
    erratum = prepare_erratum(desk, toy.TASK, {"truth": [mended]}, Run()).erratum
    record = erratum_json(erratum)
    assert erratum_from_json(toy.TASK, record) == erratum
    (part,) = record["parts"]
    earlier = [{**one, "interval": {"low": -0.1, "high": 0.2}} for one in part["systems"]]
    record["parts"] = [{**part, "systems": earlier}]
    assert erratum_from_json(toy.TASK, record) == erratum


def test_new_references_with_errors_are_named() -> None:
    assert str(ReferenceErrors([])) == "The new reference data have errors."
