from __future__ import annotations

import itertools
import json
import time
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.export.platforms import configuration
from jurydesk.core.export.platforms.codabench_bundle import check_codabench
from jurydesk.core.export.platforms.configuration import verdict_json
from jurydesk.core.export.platforms.evalai_challenge import check_evalai
from support.files.platforms import BUNDLE, BUNDLE_FILES, codabench_bundle, zipped
from support.oracles import golden

Change = Callable[[dict[str, Any]], None]


def verdict(folder: Path, change: Change = lambda bundle: None, **files: bytes) -> dict[str, Any]:
    bundle = deepcopy(BUNDLE)
    change(bundle)
    path = folder / "bundle.zip"
    path.write_bytes(zipped({**codabench_bundle(bundle), **files}))
    return verdict_json(check_codabench(path))


def test_a_whole_bundle_is_accepted_without_a_word(tmp_path: Path) -> None:
    assert verdict(tmp_path) == {"accepted": True, "messages": [], "warnings": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda b: b.pop("version"), 'error: version: version is missing. Write version: "2".'),
        (
            lambda b: b["phases"][0].update(tasks=["0"]),
            "error: phases[0].tasks: There is no task with the index '0'.",
        ),
        (
            lambda b: b.update(leaderboard=b.pop("leaderboards")),
            "error: leaderboards: leaderboards is missing. Write leaderboards, in the plural.",
        ),
        (
            lambda b: b["tasks"][0].update(scoring_program="P.zip"),
            "error: tasks[0].scoring_program: P.zip is not in the archive. The archive has p.zip.",
        ),
        (
            lambda b: b["leaderboards"][0].update(submission_rule="Force Last"),
            "error: leaderboards[0].submission_rule: submission_rule is Force Last. Allowed: Add, "
            "Add_And_Delete, Add_And_Delete_Multiple, Force_Last, Force_Latest_Multiple, "
            "Force_Best.",
        ),
    ],
)
def test_what_codabench_refuses_is_said_with_its_place(
    tmp_path: Path, change: Change, message: str
) -> None:
    found = verdict(tmp_path, change)
    assert found["accepted"] is False
    assert message in found["messages"]


def test_a_time_without_quotes_loses_its_time_of_day(tmp_path: Path) -> None:
    text = json.dumps(BUNDLE).replace('"2029-01-19 00:00:00"', "2029-01-19 23:59:00")
    found = verdict(tmp_path, **{"competition.yaml": text.encode()})
    assert found["messages"] == [
        "warning: phases[0].start: Without quotes the time of day is lost: the day begins at "
        '00:00. Write "2029-01-19 23:59:00".'
    ]


def test_a_folder_around_the_bundle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"b/competition.yaml": b"version: 2"}))
    assert verdict_json(check_codabench(path))["messages"] == [
        "error: competition.yaml is not at the top of the archive. Pack b/competition.yaml without "
        "its folder, under that name."
    ]


@pytest.mark.parametrize("check", [check_codabench, check_evalai])
@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"- a", b"\tx: 1", b"a: &a [*a]", b"[" * 300, b"version: \xff", b"a: 1e999"),
        *(b"x: !!python/object:os.system", b"#" * (3 << 20)),
    ],
)
def test_any_yaml_gives_messages_and_no_exception(
    tmp_path: Path, check: Callable[..., Any], text: bytes
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"competition.yaml": text, "challenge_config.yaml": text}))
    assert verdict_json(check(path))["accepted"] is False


@pytest.mark.parametrize("check", [check_codabench, check_evalai])
@pytest.mark.parametrize("value", [None, [], {}, 1, "x", [1], {"a": 1}, True, [[]], [{}], -1.5])
def test_values_of_any_type_give_messages_and_no_exception(
    tmp_path: Path, check: Callable[..., Any], value: object
) -> None:
    path = tmp_path / "a.zip"
    for name in (*BUNDLE, *CHALLENGE, "solutions", "prizes", "sponsors", "tags"):
        bundle, challenge = {**BUNDLE, name: value}, {**CHALLENGE, name: value}
        texts = {
            "competition.yaml": json.dumps(bundle).encode(),
            "challenge_config.yaml": json.dumps(challenge).encode(),
        }
        path.write_bytes(zipped({**BUNDLE_FILES, **texts}))
        verdict_json(check(path))


@pytest.mark.parametrize("check", [check_codabench, check_evalai])
def test_aliases_that_stand_for_millions_of_values_are_refused_at_once(
    tmp_path: Path, check: Callable[..., Any]
) -> None:
    names = "abcdefghi"
    lines = [f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]"
             for before, after in itertools.pairwise(names)]  # fmt: skip
    text = "\n".join(["a: &a [x]", *lines, "title: *i", "version: *i", "tags: *i", "domain: *i"])
    path = tmp_path / "a.zip"
    yaml = text.encode()
    path.write_bytes(zipped({"competition.yaml": yaml, "challenge_config.yaml": yaml}))
    before = time.process_time()
    (message,) = verdict_json(check(path))["messages"]
    assert time.process_time() - before < 2
    assert "aliases of aliases" in message


@pytest.mark.parametrize(
    "inner", [b"\0" * (65 << 20), zipped({"metadata.yaml": b"a: 1\n" * 900_000})]
)
def test_a_program_that_unpacks_to_far_more_than_its_size_is_not_unpacked(
    tmp_path: Path, inner: bytes
) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**codabench_bundle(BUNDLE), "p.zip": inner}.items():
            archive.writestr(name, content)
    before = time.process_time()
    found = verdict_json(check_codabench(path))
    assert time.process_time() - before < 2
    assert any("tasks[0].scoring_program" in one for one in found["messages"])


def test_a_program_of_too_many_files_is_refused_before_they_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bundle.zip"
    many = zipped({f"{number}.py": b"" for number in range(40)})
    path.write_bytes(zipped({**codabench_bundle(BUNDLE), "p.zip": many}))
    assert "has more than" not in str(verdict_json(check_codabench(path))["messages"])
    monkeypatch.setattr(configuration, "MAX_MEMBERS", 39)
    (message,) = verdict_json(check_codabench(path))["messages"]
    assert "The archive has more than 39 files." in message


def test_an_archive_with_any_byte_changed_is_accepted_or_refused_with_messages(
    tmp_path: Path,
) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in codabench_bundle(BUNDLE).items():
            archive.writestr(name, member)
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        found = verdict_json(check_codabench(path))
        assert found["accepted"] or found["messages"], at


def test_no_archive_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no")
    for path in (tmp_path / "a.zip", tmp_path / "none.zip", tmp_path):
        assert verdict_json(check_codabench(path))["accepted"] is False


CHALLENGE: dict[str, Any] = {
    "title": "Retrieval",
    **dict.fromkeys(
        ("description", "evaluation_details", "terms_and_conditions", "submission_guidelines"),
        "a.html",
    ),
    "evaluation_script": "e.zip",
    "start_date": "2029-01-09 00:00:00",
    "end_date": "2029-12-31 23:59:59",
    "leaderboard": [{"id": 1, "schema": {"labels": ["MAP"], "default_order_by": "MAP"}}],
    "challenge_phases": [
        {
            "id": 1,
            "name": "Dev",
            "description": "a.html",
            "codename": "dev",
            "start_date": "2029-01-10 00:00:00",
            "end_date": "2029-06-01 23:59:59",
            "test_annotation_file": "a.json",
        }
    ],
    "dataset_splits": [{"id": 1, "name": "Dev", "codename": "dev"}],
    "challenge_phase_splits": [
        {
            "challenge_phase_id": 1,
            "leaderboard_id": 1,
            "dataset_split_id": 1,
            "visibility": 3,
            "leaderboard_decimal_precision": 4,
            "is_leaderboard_order_descending": True,
        }
    ],
}


def challenge_verdict(folder: Path, change: Change = lambda challenge: None) -> dict[str, Any]:
    challenge = deepcopy(CHALLENGE)
    change(challenge)
    members = {
        "challenge_config.yml": json.dumps(challenge).encode(),
        "a.html": b"<p>a</p>",
        "a.json": b"{}",
        "e.zip": zipped({"__init__.py": b""}),
    }
    (folder / "c.zip").write_bytes(zipped(members))
    return verdict_json(check_evalai(folder / "c.zip"))


def test_a_whole_challenge_is_accepted_without_a_word(tmp_path: Path) -> None:
    assert challenge_verdict(tmp_path) == {"accepted": True, "messages": [], "warnings": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda c: c["leaderboard"][0].update(id="1"),
            "error: challenge_phase_splits[0].leaderboard_id: 1 is the id of none that is "
            "accepted.",
        ),
        (
            lambda c: c.update(end_date="31/12/2029 23:59"),
            "error: end_date: 31/12/2029 23:59 is not a date with a time. "
            "Write 2026-03-01 23:59:00.",
        ),
        (lambda c: c.update(tags=list("abcde")), "error: tags: There are 5 tags; the limit is 4."),
        (
            lambda c: c["challenge_phases"][0].update(max_submissions=-8),
            "warning: challenge_phases[0].max_submissions: max_submissions is -8.",
        ),
    ],
)
def test_what_evalai_refuses_or_accepts_to_one_s_harm_is_said(
    tmp_path: Path, change: Change, message: str
) -> None:
    found = challenge_verdict(tmp_path, change)
    assert found["accepted"] is message.startswith("warning")
    assert message in found["messages"]


@pytest.mark.parametrize(
    ("name", "check"),
    [("codabench_bundles", check_codabench), ("evalai_challenges", check_evalai)],
)
def test_every_recorded_package_has_the_platform_s_verdict(
    tmp_path: Path, name: str, check: Callable[..., Any]
) -> None:
    recorded = json.loads(golden(f"platforms/{name}.json").read_text("utf-8"))
    with zipfile.ZipFile(golden(f"platforms/{name}.zip")) as archive:
        for one in recorded:
            path = tmp_path / one["name"]
            path.write_bytes(archive.read(one["name"]))
            assert verdict_json(check(path))["accepted"] == one["accepted"], one["name"]


def test_references_in_what_participants_get_are_named(tmp_path: Path) -> None:
    gold = zipped({"gold/truth.json": b"the truth", "empty.txt": b""})
    kit = zipped({"README": b"x", "data/example.json": b"the truth", "empty.txt": b""})
    found = verdict(
        tmp_path,
        lambda b: b["phases"][0].update(starting_kit="kit.zip", public_data="r.zip"),
        **{"r.zip": gold, "kit.zip": kit},
    )
    assert found["messages"] == [
        "warning: phases[0].starting_kit: It holds 1 file of the reference data: "
        "data/example.json. Participants can read it: leave it out.",
        "warning: phases[0].public_data: It holds 2 files of the reference data: r.zip, "
        "gold/truth.json. Participants can read it: leave it out.",
    ]


@pytest.mark.parametrize("content", [b"title: x", b"- a", b"\xff", b"command:\n"])
def test_a_program_without_a_command_is_named(tmp_path: Path, content: bytes) -> None:
    found = verdict(tmp_path, **{"p.zip": zipped({"metadata.yaml": content})})
    assert found["messages"] == [
        "warning: tasks[0].scoring_program: The program's metadata has no command: no submission "
        "gets scores."
    ]
