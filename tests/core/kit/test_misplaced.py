"""The page says of a file that belongs elsewhere what the program says of it."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_checker import BrowserChecker
from kits import Case, json_cases, ranked_cases

from core.intake.misplaced import placed_submission
from core.paths import resources

CASES = {case.task.id: case for case in (*json_cases(), *ranked_cases())}
BYTES = 12_000
EXAMPLES = resources() / "examples"

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
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0",
    b"GIF89a",
    b"\x93NUMPY\x01\0",
    b"\x7fELF\x02",
    b" <!DOCTYPE  html><p>",
    b"<html><p>",
    b"<htmlish>",
    b"q1 0 d1 1_0\nq1 0 d2 .5e-3\n",
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
    """Files of all competitions, whole and cut, and files of none, plain and packed."""
    for path in sorted(EXAMPLES.rglob("*")):
        if path.suffix in (".json", ".xml", ".qrels", ".run"):
            content = path.read_bytes()
            yield content[:BYTES], False
            yield content[: len(content) // 3][:BYTES], True
    for content in (*OTHERS, tar(folder)):
        yield content, False
        yield content, True


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_file_without_a_place_is_named_as_the_program_names_it(
    case: Case, tmp_path: Path
) -> None:
    page, kit = BrowserChecker(case, tmp_path, places=True), case.kit(tmp_path)
    path = tmp_path / "a submission"
    seen: Counter[str] = Counter()
    for content, packed in contents(tmp_path):
        path.write_bytes(gzip.compress(content) if packed else content)
        wanted = placed_submission(case.task, path, case.participant(path, kit))
        found = page.check(content, path, packed=packed)
        if isinstance(found, str):
            continue  # the page says that it cannot read it
        assert found == json.loads(json.dumps([one.to_json() for one in wanted])), content[:99]
        seen.update(" ".join(one.found.split()[:3]) for one in wanted[:1])
    assert seen["This looks like"] > 20
    assert seen["This is a"] > 10
