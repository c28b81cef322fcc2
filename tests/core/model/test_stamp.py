from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import replace
from importlib import metadata
from typing import Any

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.model.evaluation import Interval, Score, Source
from jurydesk.core.model.stamp import (
    Stamp,
    StampError,
    combined_digest,
    library_versions,
    short_stamp,
)

GOLD = Source("references", "/data/gold.json", 10, "ab12cd34" + "0" * 56)
STAMP = Stamp(
    task="vist",
    system="cyan",
    profile="published",
    options={"profile": "published", "folds": [1, 2]},
    settings={"meteor": "1.5", "task": "hter", "norm": "none"},
    references=(GOLD,),
    submission=Source("submission", "/data/cyan.json", 20, "9f0c5e77" + "1" * 56),
    resources={"paraphrases": "22" * 32},
    versions={"jurydesk": "0.1.0", "python": "3.11.7"},
    device="cpu",
    seeds={"bootstrap": 1, "resamples": 1000},
    policies={"undefined items": "left out of the mean"},
    scores=(Score("meteor", 1 / 3, 3, 0.1, Interval(0.25, 0.5)), Score("empty", math.nan, 0)),
    created="2026-01-02T03:04:05+00:00",
)


def test_the_short_form_names_task_settings_profile_files_and_version() -> None:
    assert short_stamp(STAMP) == (
        "vist|meteor:1.5|task:hter|norm:none|profile:published"
        "|gold:ab12cd34000000000000|sub:9f0c5e77111111111111|jurydesk:0.1.0"
    )


def test_a_separator_within_a_setting_is_escaped() -> None:
    assert "|tie:a/b|" in short_stamp(replace(STAMP, settings={"tie": "a|b"}))


def test_inputs_without_a_hash_are_none() -> None:
    piped = replace(STAMP, submission=replace(STAMP.submission, sha256=""), references=())
    assert "|gold:none|sub:none|" in short_stamp(piped)


def test_several_references_have_one_digest_in_any_order() -> None:
    second = Source("template", "/data/template.json", 1, "cd" * 32)
    lines = f"references {GOLD.sha256}\ntemplate {second.sha256}\n"
    expected = hashlib.sha256(lines.encode()).hexdigest()
    assert combined_digest([GOLD, second]) == combined_digest([second, GOLD]) == expected


def test_a_stamp_is_read_back_from_json_with_every_digit() -> None:
    text = json.dumps(STAMP.to_json(), allow_nan=False)
    assert repr(Stamp.from_json(json.loads(text))) == repr(STAMP)


def test_the_long_form_contains_the_short_one() -> None:
    assert STAMP.to_json()["short"] == short_stamp(STAMP)


def change_stamp(**values: Any) -> dict[str, Any]:
    return {**STAMP.to_json(), **values}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "This is not a stamp: it is not a JSON object with a schema number."),
        ({"schema": "1"}, "This is not a stamp: it is not a JSON object with a schema number."),
        (
            change_stamp(schema=7),
            "The stamp has schema 7; this version of Jurydesk reads up to 1. "
            "Install the version that made it, or a newer one.",
        ),
        ({"schema": 1}, "The stamp is not complete: 'task' is missing."),
        (change_stamp(seeds={}), "The stamp is not complete: 'bootstrap' is missing."),
        (change_stamp(task=5), "The stamp has a value of the wrong type: 'task' is 5."),
        (
            change_stamp(references=["gold"]),
            "The stamp has a value of the wrong type: "
            "expected an object with 'role', found 'gold'.",
        ),
    ],
)
def test_an_invalid_stamp_is_refused_with_a_message(data: object, sentence: str) -> None:
    with pytest.raises(StampError, match=f"^{re.escape(sentence)}$"):
        Stamp.from_json(data)


def test_versions_list_the_packages_that_compute() -> None:
    assert list(library_versions()) == ["jurydesk", "python", "numpy", "platform"]


def test_installed_packages_that_affect_numbers_are_listed_with_their_versions() -> None:
    found = library_versions(("pymorphy3-dicts-ru", "no-such-package-anywhere"))
    assert found["pymorphy3-dicts-ru"].startswith("2.4.")
    assert "no-such-package-anywhere" not in found


def test_every_package_that_a_competition_names_is_a_dependency() -> None:
    """A misspelt name would silently be left out."""
    needed = {
        re.split(r"[^A-Za-z0-9-]", one)[0].lower().replace("_", "-")
        for one in metadata.requires("jurydesk") or ()
    }
    named = {name for task in registry().tasks.values() for name in task.scoring.libraries}
    assert {"pymorphy3-dicts-ru", "snowballstemmer"} <= named <= needed


def test_the_short_form_that_was_read_is_no_part_of_the_value() -> None:
    read = replace(STAMP, short_form="as read")
    assert read == STAMP
    assert "as read" not in repr(read)
