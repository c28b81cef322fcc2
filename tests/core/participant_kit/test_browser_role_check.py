"""The page and the program report the same about a file in a wrong role."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import find_competition, registry
from jurydesk.core.intake.role_check import explain_submission_role
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.participant_kit.kit import require_redaction
from jurydesk.core.system.paths import resources_folder
from support.examples import TASKS_WITH_KIT
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import example_case
from support.plug_ins.example import EXAMPLE, installed
from support.suite.samples import sample

BYTES = 12_000
FILES = 101
"""An odd number takes whole files and cut ones, plain and compressed."""
EXAMPLES = resources_folder() / "examples"

OTHERS = (
    b'{"format": "jurydesk participant kit", "version": 1}',
    b'\xef\xbb\xbf {"format" : "jurydesk answers", "version": 1}',
    b'{"schema": 1, "short": "vist|meteor:1.5"}',
    b'{"schema": 1, "jurydesk": "0.1.0"}',
    b'{"schema": 1, "task": "vist", "systems": []}',
    b'{"title": "A \\" title", "task": "vist"}',
    b"system,profile,item,meteor\n",
    b'{"system": "a", "profile": "published", "item": "1"}\n',
    b"SQLite format 3\0" + b"\0" * 52 + b"JURY" + b"\0" * 100,
    b"SQLite format 3\0" + b"\0" * 200,
    b"%PDF-1.7\n",
    b"PK\x03\x04rest",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"BZh9",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF89a",
    b"\x93NUMPY\x01\0",
    b"\x7fELF\x02",
    b'[{"custom_id": "1", "response": {}}]',
    b'{"a.jpg": {"<OD>": {"bboxes": [[1, 2, 3, 4]], "labels": ["a"]}}}',
    b'{"a.jpg": {"<OCR>": "a"}}',
    b'\xef\xbb\xbf [{"boxes": [[1, 2, 3, 4]], "labels": [1], "scores": [0.5]}]',
    b'[{"image_id": 1, "category_id": 1, "bbox": [], "score": 1, "caption": "a"}]',
    b"| image_id | caption |\n|---|:---:|\n| 1 | a |\n",
    b" <!DOCTYPE  html><p>",
    b"<html><p>",
    b"<htmlish>",
    b"q1 0 d1 1_0\nq1 0 d2 .5e-3\n",
    b"0 letter p1l1 0.9\n1 letter p1l2 nan\n",
    b"# judged\nq1 0 d1 inf\nq1 0 d2 none\n",
    b"q1 Q0 d1 1 NaN run more\nq1 Q0 d2 2 1. run\ncut",
    b"q1 Q0 d1\x0b1\x0c0.5 run",
    "<?xml version='1.0'?><RelevanceListings/>".encode("utf-16"),
    "\ufeff<GroundTruthRelevanceJudgements >".encode("utf-16-be"),
    b"<!-- <x> --><!DOCTYPE a [<!ELEMENT b (c)>]>\n<RelevanceListings\t",
    b'{"datetaken": 1, "album_id": 2}',
    b'{"output_stories": [{"story_text_normalized": ""}, {"story_text_normalized" : "a"}]}',
    b'{"output_stories": [{"story_text_normalized": ""}, {"story_text_normalized" : ""}]}',
    b'{"1": [{"type": "text", "content": "why?"}], "2": [{"content": "\\"?"}]}',
    b'{"1": 0, "2": "5"}',
    b'[{"caption": "a", "bbox": []}]',
    b'[{"caption": "a", "box": [], "score": 1}]',
    b'{"image_id": 1, "round_id": 1, "refs": []}',
)


def tar(folder: Path) -> bytes:
    with tarfile.open(folder / "a.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        archive.add(EXAMPLES / "vist" / "template.json", "template.json")
    return (folder / "a.tar").read_bytes()


def contents(folder: Path) -> Iterator[tuple[bytes, bool]]:
    """Return files of all competitions, whole and cut, and other files, plain and compressed."""
    for path in sorted(EXAMPLES.rglob("*")):
        if path.suffix in (".json", ".xml", ".qrels", ".run"):
            content = path.read_bytes()
            yield content[:BYTES], False
            yield content[: len(content) // 3][:BYTES], True
    for content in (*OTHERS, tar(folder)):
        yield content, False
        yield content, True


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from installed(monkeypatch)


@pytest.mark.parametrize("name", sample([*TASKS_WITH_KIT, "signs"], 6))
def test_a_misplaced_file_is_named_as_by_the_program(name: str, tmp_path: Path) -> None:
    task = find_competition(name)
    assert task is not None
    case = example_case(task)
    page, kit = BrowserChecker(case, tmp_path, places=True), case.kit(tmp_path)
    path = tmp_path / "a submission"
    seen: Counter[str] = Counter()
    for content, packed in sample(contents(tmp_path), FILES):
        path.write_bytes(gzip.compress(content) if packed else content)
        wanted = explain_submission_role(case.task, path, case.participant(path, kit))
        found = page.check(content, path, packed=packed)
        if isinstance(found, str):
            continue  # the page reports that it cannot read it
        assert found == json.loads(json.dumps(to_json(wanted))), content[:99]
        seen.update(" ".join(one.found.split()[:3]) for one in wanted[:1])
    # Any table may be results of a declared competition, whatever it looks like.
    assert (seen["This looks like"] > 20) != (name == "declared")
    assert seen["This is a"] > 10


def sentences(name: str, content: bytes, folder: Path) -> list[str]:
    """Return the sentences of a competition's page about a file."""
    task = find_competition(name)
    assert task is not None
    page = BrowserChecker(example_case(task), folder, places=True)
    return [one["found"] for one in page.check(content, folder / "a submission")]


def test_a_file_of_an_installed_package_is_named_on_the_pages_of_others(tmp_path: Path) -> None:
    readings = (EXAMPLE / "careful.json").read_bytes()
    assert sentences("vist", readings, tmp_path) == [
        "This looks like readings of street signs, a file of another competition "
        "(Street signs: Readings)."
    ]
    signs = (EXAMPLE / "signs.json").read_bytes()
    assert sentences("signs", signs, tmp_path) == [
        "This looks like street signs: it belongs to Signs (--signs), not to Readings (--readings)."
    ]


@pytest.mark.parametrize(
    "script",
    [
        b"function recognize() { throw new Error(); }",
        b"no.such.thing();",
        b"function recognize() { return { role: 'none', confidence: 1, form: 'x' }; }",
        b"/* \xff */ function recognize() { return 1; }",
        None,
    ],
)
def test_a_broken_recognizer_does_not_affect_others(
    script: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kit.js").touch()
    if script is not None:
        (tmp_path / "kit_recognizer.js").write_bytes(script)
    task = registry().tasks["signs"]
    outline = replace(require_redaction(task), scripts=(tmp_path / "kit.js",))
    checks = replace(task.submission_checks, redaction=outline)
    changed = replace(task, submission_checks=checks)
    monkeypatch.setitem(registry().tasks, "signs", changed)
    answers = (EXAMPLES / "visdial" / "careful.json").read_bytes()
    assert sentences("vist", answers, tmp_path)[0].startswith("This looks like VisDial answers")
    readings = (EXAMPLE / "careful.json").read_bytes()
    assert not [one for one in sentences("vist", readings, tmp_path) if "This looks" in one]
