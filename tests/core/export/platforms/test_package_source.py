from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jurydesk.core.export.platforms.package_source import (
    PackageSettings,
    package_columns,
    read_package_settings,
)
from jurydesk.core.model.evaluation import MetricInfo, UsageError


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
