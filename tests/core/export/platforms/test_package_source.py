from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.export.platforms.engine_package import write_members
from jurydesk.core.export.platforms.package_source import (
    LARGEST_OPTION,
    PackageSettings,
    PackageSource,
    left_out,
    package_columns,
    read_package_settings,
    reference_members,
)
from jurydesk.core.export.platforms.scoring_program import score_submission_folder
from jurydesk.core.model.evaluation import MetricInfo, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.oracles import oracle


def test_keys_of_columns_are_unique_and_plain() -> None:
    names = ["P@5", "P 5", "x" * 50, "Ж"]
    infos = [MetricInfo(name, name * 9, "", (0.0, 1.0), "higher", "") for name in names]
    columns = package_columns(infos)
    assert [column["key"] for column in columns] == ["p_5", "p_5_2", "x" * 36, "score"]
    assert max(len(str(column["title"])) for column in columns) == 36


def test_times_of_the_settings_become_utc(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text('start: "2026-03-01 23:59 AoE"\nend: 2026-04-01 12:00:00+02:00\ncolumns: [map]')
    found = read_package_settings(path)
    assert found.start == datetime(2026, 3, 2, 11, 59, tzinfo=UTC)
    assert found.end == datetime(2026, 4, 1, 10, tzinfo=UTC)
    assert found.columns == ("map",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("titel: x", "Unknown setting titel."),
        ("- a", "Unknown setting"),
        ("docker_image: python:3.9-slim", "the libraries brought along are those of python:3"),
        ("public_share: 2", "public_share must be a number from 0 to 1."),
        ("max_submissions: 0", "max_submissions must be a number from 1 on."),
        ("submission_rule: Force Last", "submission_rule: allowed are Add,"),
        ("\tx", "is not a YAML file"),
        *(
            (f"{name}: {value}", f"{name} must be a text.")
            for name in ("title", "description", "terms", "docker_image", "engine")
            for value in ("5", "[x]", "null", '"\\ud800"')
        ),
        ("columns: 5", "columns must be a list of metrics."),
        *(
            (f"{name}: {value}", f"{name} is not a time such as")
            for name in ("start", "end")
            for value in (
                "5",
                "[x]",
                "{}",
                "soon",
                "0001-01-01 00:00:00+14:00",
                '"9999-12-31 23:59 AoE"',
            )
        ),
    ],
)
def test_settings_that_cannot_be_used_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=sentence):
        read_package_settings(path)


def test_defaults_need_no_settings() -> None:
    assert read_package_settings(None) == PackageSettings()


def test_an_image_with_this_python_or_of_another_name_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "settings.yaml"
    for image in (f"{PackageSettings().docker_image}-slim", "ours/evaluation:4"):
        path.write_text(f"docker_image: {image}")
        assert read_package_settings(path).docker_image == image


def russian_captions(folder: Path, **options: object) -> PackageSource:
    """Return a competition whose options name files, with a folder of pictures."""
    words = folder / "words.db"
    words.write_bytes(oracle("fusionbrain/shared_toy_ruwordnet.db").read_bytes())
    contents = {"truth": ["кошка на столе"], "predictions": "кошка на стуле"}
    for role, content in contents.items():
        entry = {"7": [{"type": "text", "content": content}]}
        (folder / f"{role}.json").write_text(json.dumps(entry))
    (folder / "pictures").mkdir()
    chosen = FusionBrainOptions(subtask="vqa", ruwordnet=str(words), **options)  # type: ignore[arg-type]
    inputs = {"truth": [folder / "truth.json"], "images": [folder / "pictures"]}
    info = MetricInfo("vqa_meteor", "METEOR", "", (0.0, 1.0), "higher", "")
    digests = frozenset((hashlib.sha256(words.read_bytes()).hexdigest(),))
    return PackageSource(TASK, chosen, inputs, [info], "T", {}, [], digests=digests)


@pytest.mark.parametrize("name", ["../a", "/a", "b/../../a", "C:/a", "b\\..\\..\\a", "a\0"])
def test_no_member_is_written_outside_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="a member with the name"):
        write_members(tmp_path / "folder", {name: b"x"})
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_a_file_of_an_option_that_no_stamp_names_stays_here(tmp_path: Path) -> None:
    source = russian_captions(tmp_path)
    (tmp_path / "words.db").write_bytes(b"a secret that a desk from elsewhere asks for")
    assert sorted(reference_members(source, "T")) == ["jurydesk.json", "truth-0.json"]
    assert left_out(source) == ["images", "ruwordnet"]


def test_a_file_of_an_option_as_large_as_word_vectors_stays_here(tmp_path: Path) -> None:
    source = russian_captions(tmp_path)
    with (tmp_path / "words.db").open("r+b") as file:
        file.truncate(LARGEST_OPTION + 1)
    digests = frozenset((fingerprint(tmp_path / "words.db").sha256,))
    assert left_out(replace(source, digests=digests)) == ["images", "ruwordnet"]


def test_files_of_options_come_along_and_no_path_of_this_computer_does(tmp_path: Path) -> None:
    source = russian_captions(tmp_path, weights=("ruclip=/models/clip",))
    desk = {**source.inputs, "predictions": [tmp_path / "predictions.json"]}
    (entry,) = score_submissions(
        TASK, files_by_role(desk), source.options, Run(), resamples=0
    ).entries
    members = reference_members(source, "T")
    assert sorted(members) == ["jurydesk.json", "option-ruwordnet.db", "truth-0.json"]
    assert not re.search(rb"/models|/tmp|words\.db", members["jurydesk.json"])
    assert left_out(source) == ["images", "weights"]

    write_members(tmp_path / "input" / "ref", members)
    answer = {"predictions.json": (tmp_path / "predictions.json").read_bytes()}
    write_members(tmp_path / "input" / "res", answer)
    (tmp_path / "words.db").unlink()
    assert score_submission_folder(tmp_path / "input", tmp_path) == 0
    found = json.loads((tmp_path / "scores.json").read_text())
    assert entry.evaluation is not None
    assert found == {"vqa_meteor": entry.evaluation.score("vqa_meteor").value}
