from __future__ import annotations

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.competition.stamped_options import _has_type_of, make_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.model.evaluation import Interval, Source
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.stamp import Stamp, StampError
from jurydesk.core.verification.stamp_record import record_differences
from jurydesk.core.verification.verify_stamp import Verdict, verify_stamp
from jurydesk.core.version import __version__
from support import toy

TRUTH = {f"i{k}": k / 10 for k in range(10)}


@pytest.fixture
def stamp(tmp_path: Path) -> Stamp:
    inputs = {
        "truth": [toy.write(tmp_path / "there" / "truth.txt", TRUTH)],
        "guesses": [toy.write(tmp_path / "there" / "a.txt", dict.fromkeys(TRUTH, 0.4))],
    }
    options = toy.Options(missing="zero")
    result = score_submissions(
        toy.TASK, files_by_role(inputs), options, Run(), resamples=20, seed=7
    )
    return Stamp.from_json(result.evaluations[0].stamp)


def verdict(stamp: Stamp, *folders: Path) -> Verdict:
    return verify_stamp(stamp, toy.TASK, folders, Run())


def sentences(found: Verdict) -> list[str]:
    return [one.sentence for one in found.differences]


class TestMatching:
    def test_the_same_inputs_match(self, stamp: Stamp) -> None:
        assert verdict(stamp) == Verdict((), (), same_code=True)
        assert verdict(stamp).match

    def test_inputs_are_found_beside_the_stamp_or_in_a_given_folder(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        (tmp_path / "beside").mkdir()
        (tmp_path / "given").mkdir()
        shutil.move(tmp_path / "there" / "truth.txt", tmp_path / "beside")
        shutil.move(tmp_path / "there" / "a.txt", tmp_path / "given")
        assert not verdict(stamp, tmp_path / "beside").match
        assert verdict(stamp, tmp_path / "beside", tmp_path / "given").match

    def test_the_right_content_is_preferred_to_the_nearer_file(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        (tmp_path / "given").mkdir()
        shutil.copy(tmp_path / "there" / "a.txt", tmp_path / "given")
        toy.write(tmp_path / "there" / "a.txt", {"i0": 0.0})
        assert verdict(stamp, tmp_path / "given").match

    def test_a_windows_path_is_searched_by_its_file_name(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        elsewhere = replace(stamp.submission, path="C:\\runs\\a.txt")
        assert verdict(replace(stamp, submission=elsewhere), tmp_path / "there").match

    def test_the_last_digit_may_differ(self, stamp: Stamp) -> None:
        first = stamp.scores[0]
        close = replace(first, value=first.value * (1 + 1e-14))
        assert verdict(replace(stamp, scores=(close, *stamp.scores[1:]))).match


class TestDifferences:
    def test_a_missing_input_is_named(self, stamp: Stamp, tmp_path: Path) -> None:
        (tmp_path / "there" / "a.txt").unlink()
        assert sentences(verdict(stamp, tmp_path)) == [
            f"a.txt is missing from {tmp_path / 'there'}{os.sep}, {tmp_path}: "
            "give its folder with --inputs FOLDER."
        ]
        assert not verdict(stamp, tmp_path).compared

    def test_a_missing_folder_of_pictures_leaves_nothing_to_compare(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        images = tmp_path / "there" / "images"
        there = replace(stamp, folders=(Source("images", str(images), 0, ""),))
        assert sentences(verdict(there, tmp_path)) == [
            f"The folder images is missing: searched for {images}, {tmp_path / 'images'}. "
            "Give its parent folder with --inputs FOLDER."
        ]
        assert not verdict(there, tmp_path).compared
        (tmp_path / "images").mkdir()
        assert verdict(there, tmp_path).match

    @pytest.mark.parametrize(("version", "is_told"), [(__version__, True), ("0.1", False)])
    def test_only_the_record_of_an_older_stamp_may_lack_a_member(
        self, stamp: Stamp, version: str, is_told: bool
    ) -> None:
        dated = replace(stamp, versions={**stamp.versions, "jurydesk": version})
        record = dict(dated.to_json())
        assert list(record_differences(record, dated)) == []
        gone = next(name for name in record if name not in ("versions", "scores"))
        del record[gone]
        named = [one.name for one in record_differences(record, dated)]
        assert named == ([gone] if is_told else [])
        (more,) = record_differences({**dated.to_json(), "more": 1}, dated)
        assert more.name == "more"

    def test_a_picture_that_is_gone_leaves_nothing_to_compare(self, stamp: Stamp) -> None:
        found = verdict(replace(stamp, pictures={"p.png": "0" * 64}))
        assert sentences(found) == ["1 picture no longer found: p.png."]
        assert not found.compared

    def test_missing_files_and_folders_are_named_together(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        (tmp_path / "there" / "a.txt").unlink()
        there = replace(stamp, folders=(Source("images", str(tmp_path / "images"), 0, ""),))
        assert [one.name for one in verdict(there).differences] == ["a.txt", "images"]

    def test_a_changed_input_is_reported_with_its_effect_on_the_scores(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        toy.write(tmp_path / "there" / "a.txt", TRUTH)
        found = verdict(stamp)
        assert [(one.kind, one.name) for one in found.differences] == [
            ("input", "a.txt"),
            ("score", "closeness"),
            ("score", "rmse"),
        ]
        before = stamp.submission.sha256[:12]
        assert re.fullmatch(
            rf"a\.txt changed: its SHA-256 is [0-9a-f]{{12}}, the stamp has {before}\.",
            found.differences[0].sentence,
        )
        value = stamp.scores[0].value
        assert found.differences[1].sentence == f"closeness: 1.0 now, {value!r} in the stamp."

    def test_an_input_that_cannot_be_scored_any_more_is_reported(
        self, stamp: Stamp, tmp_path: Path
    ) -> None:
        (tmp_path / "there" / "a.txt").write_text("i0 what\n")
        assert sentences(verdict(stamp))[1:] == [
            'The inputs can no longer be scored. a.txt, line 1: "what" is no number.'
        ]

    def test_an_input_that_was_a_pipe_is_reported(self, stamp: Stamp) -> None:
        piped = replace(stamp, submission=replace(stamp.submission, sha256=""))
        assert sentences(verdict(piped)) == [
            "a.txt was not a regular file when it was scored: it cannot be verified."
        ]

    @pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
    def test_a_stamp_that_names_a_pipe_does_not_hang(self, stamp: Stamp, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        trap = replace(stamp, submission=replace(stamp.submission, path=str(tmp_path / "pipe")))
        assert sentences(verdict(trap)) == [
            f"pipe is missing from {tmp_path}/: give its folder with --inputs FOLDER."
        ]

    def test_another_size_of_the_same_content_is_reported_by_name(self, stamp: Stamp) -> None:
        size = stamp.submission.size
        found = verdict(replace(stamp, submission=replace(stamp.submission, size=size + 1000)))
        name = Path(stamp.submission.path).name
        assert sentences(found) == [f"{name} has {size:,} bytes, {size + 1000:,} in the stamp."]

    def test_added_and_removed_scores_are_reported(self, stamp: Stamp) -> None:
        renamed = replace(stamp.scores[2], metric="total")
        found = verdict(replace(stamp, scores=(*stamp.scores[:2], renamed)))
        assert sentences(found) == [
            "total: 10.0 in the stamp, not given now.",
            "listed: 10.0 now, not in the stamp.",
        ]

    def test_another_number_of_items_is_reported(self, stamp: Stamp) -> None:
        fewer = replace(stamp.scores[0], n=9)
        found = verdict(replace(stamp, scores=(fewer, *stamp.scores[1:])))
        assert sentences(found) == ["closeness: over 10 items now, over 9 in the stamp."]

    def test_another_interval_is_reported(self, stamp: Stamp) -> None:
        first = stamp.scores[0]
        assert first.interval is not None
        other = replace(first, interval=replace(first.interval, low=0.0))
        found = verdict(replace(stamp, scores=(other, *stamp.scores[1:])))
        assert [(one.kind, one.name) for one in found.differences] == [("interval", "closeness")]

    def test_a_removed_interval_is_reported(self, stamp: Stamp) -> None:
        other = replace(stamp.scores[0], interval=None)
        found = verdict(replace(stamp, scores=(other, *stamp.scores[1:])))
        assert sentences(found) == ["closeness: it has an interval now, and none in the stamp."]

    def test_an_added_interval_is_reported(self, stamp: Stamp) -> None:
        k = next(k for k, one in enumerate(stamp.scores) if one.interval is None)
        other = replace(stamp.scores[k], interval=Interval(0.0, 1.0))
        scores = (*stamp.scores[:k], other, *stamp.scores[k + 1 :])
        found = verdict(replace(stamp, scores=scores))
        assert sentences(found) == [
            f"{other.metric}: it has an interval in the stamp, and none now."
        ]

    @pytest.mark.parametrize("change", [{"level": 0.9}, {"method": "by hand"}])
    def test_an_interval_of_another_method_is_reported(
        self, stamp: Stamp, change: dict[str, Any]
    ) -> None:
        first = stamp.scores[0]
        assert first.interval is not None
        other = replace(first, interval=replace(first.interval, **change))
        found = verdict(replace(stamp, scores=(other, *stamp.scores[1:])))
        assert [one.kind for one in found.differences] == ["interval"]

    def test_another_standard_deviation_is_reported(self, stamp: Stamp) -> None:
        other = replace(stamp.scores[0], std=0.5)
        found = verdict(replace(stamp, scores=(other, *stamp.scores[1:])))
        assert "closeness: standard deviation " in sentences(found)[0]

    @pytest.mark.parametrize(
        ("change", "reported"),
        [
            ({"profile": "corrected"}, "The stamp's profile is corrected; its options give publ"),
            ({"short_form": "toy|x"}, "The stamp's short form does not match its fields: toy|dis"),
            ({"settings": {"distance": "squared"}}, "The stamp's setting distance is squared; its"),
            ({"settings": {}}, "The stamp's setting distance is missing; its options give absol"),
            ({"policies": {"missing": "?"}}, "The stamp's policy "),
        ],
    )
    def test_contradicting_fields_are_reported(
        self, stamp: Stamp, change: dict[str, Any], reported: str
    ) -> None:
        found = verdict(replace(stamp, **change))
        assert found.compared
        assert any(sentence.startswith(reported) for sentence in sentences(found)), sentences(found)

    def test_a_stamp_of_an_older_version_may_have_fewer_fields(self, stamp: Stamp) -> None:
        older = replace(
            stamp, versions={**stamp.versions, "jurydesk": "0.1.0"}, settings={}, short_form=""
        )
        assert verdict(older).match

    def test_other_code_with_the_same_numbers_matches_with_a_note(self, stamp: Stamp) -> None:
        assert len(stamp.code) == 64
        for code, same in ((stamp.code, True), ("0" * 64, False), ("", None)):
            found = verdict(replace(stamp, code=code))
            assert found.match
            assert found.same_code is same

    def test_another_resource_is_reported(self, stamp: Stamp) -> None:
        then = replace(stamp, resources={"paraphrases": "ab" * 32, "stems": "cd" * 32})
        task = replace(
            toy.TASK,
            scoring=replace(
                toy.TASK.scoring, resources=lambda references, options: {"paraphrases": "ef" * 32}
            ),
        )
        found = verify_stamp(then, task, (), Run())
        assert sentences(found) == [
            "paraphrases: SHA-256 is efefefefefef now, abababababab in the stamp.",
            "stems: SHA-256 is missing now, cdcdcdcdcdcd in the stamp.",
        ]

    def test_other_versions_and_devices_are_notes(self, stamp: Stamp) -> None:
        other = replace(stamp, versions={**stamp.versions, "numpy": "1.0"}, device="cuda:0")
        found = verdict(other)
        assert found.match
        assert [(one.kind, one.name) for one in found.notes] == [
            ("version", "numpy"),
            ("device", "device"),
        ]
        assert found.notes[1].sentence == "Computed on cpu now, on cuda:0 in the stamp."


class TestForeignStamps:
    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"task": "vist"}, "The stamp is for vist, not for toy."),
            (
                {"options": {"colour": "red"}},
                "The stamp has an option 'colour', which toy does not have.",
            ),
            (
                {"options": {"missing": "guess"}},
                "The stamp's option missing is 'guess'; allowed: skip, zero.",
            ),
            (
                {"options": {"missing": ["zero"]}},
                "The stamp's option missing is ('zero',); allowed: skip, zero.",
            ),
            (
                {"seeds": {"bootstrap": 1, "resamples": 10**12}},
                "The stamp asks for 1,000,000,000,000 resamples with the seed 1.",
            ),
        ],
    )
    def test_inconsistencies_are_reported(
        self, change: dict[str, Any], sentence: str, stamp: Stamp
    ) -> None:
        with pytest.raises(StampError, match=f"^{re.escape(sentence)}$"):
            verdict(replace(stamp, **change))

    def test_verification_can_be_cancelled(self, stamp: Stamp) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            verify_stamp(stamp, toy.TASK, (), Run(cancel=token))


@pytest.mark.parametrize(
    ("value", "default", "fits"),
    [
        (1, 0.5, True),
        (0.5, 1, False),
        (True, 1, False),
        ("a", "b", True),
        ("a", None, True),
        (1, "b", False),
        ("a", 0.5, False),
    ],
)
def test_a_whole_number_is_accepted_where_a_fraction_is_expected(value, default, fits):
    assert _has_type_of(value, default) is fits


def test_verdicts_are_equal_whatever_was_scored_again():
    assert Verdict((), evaluation=object()) == Verdict(())
    assert "evaluation" not in repr(Verdict(()))


def test_a_stamp_names_no_file_to_write(tmp_path: Path) -> None:
    target = tmp_path / "written.json"
    data = {"profile": "published", "save_frequencies": str(target)}
    with pytest.raises(StampError, match="has an option 'save_frequencies', which"):
        make_options(registry().tasks["visdial"], data)
