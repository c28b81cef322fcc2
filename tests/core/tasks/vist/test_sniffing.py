from __future__ import annotations

import gzip
import json

import pytest

from jurydesk.core.tasks.vist.vist_task import sniff
from support.files.vist import ONE, story, story_annotations, submission

IMAGES = {"images": [{"datetaken": "2006-01-01", "album_id": "7", "id": "11"}]}


@pytest.mark.parametrize(
    ("value", "role"),
    [
        (submission(story(ONE)), "submission"),
        (submission(), "submission"),
        (submission(story(ONE, "")), "template"),
        ({"annotations": story_annotations("1", ONE, "abcde")}, "references"),
        (IMAGES, "references"),
        ({"type": "story-in-sequence"}, "references"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_files_are_recognized_by_their_first_bytes(value: object, role: str, packed: bool) -> None:
    head = json.dumps(value).encode()
    guess = sniff(gzip.compress(head) if packed else head)
    assert guess is not None
    assert guess.role == role


@pytest.mark.parametrize("head", [b"", b"<xml>", b"[1]", b'{"a": 1}', b"\x1f\x8b", b"\xff\xfe{"])
def test_other_files_are_not_recognized(head: bytes) -> None:
    assert sniff(head) is None
