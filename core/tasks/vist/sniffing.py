"""What the first bytes of a file look like to the story competition."""

from __future__ import annotations

import re

from core.task import Sniff
from core.tasks.text_file import UTF8_MARK, head_of

SUBMISSION_FORMAT = "VIST stories (JSON)"
TEMPLATE_FORMAT = "a VIST template (JSON)"
GOLD_FORMAT = "VIST stories in sequence (JSON)"
_TEXT = re.compile(rb'"story_text_normalized"\s*:\s*"([^"])?')
_GOLD = (b'"worker_arranged_photo_order"', b'"photo_flickr_id"', b'"story-in-sequence"')
_IMAGES = (b'"datetaken"', b'"album_id"')


def sniff(head: bytes) -> Sniff | None:
    """A submission, the template (whose stories are empty) or the human stories, or None."""
    head = head_of(head).removeprefix(UTF8_MARK)
    if not head.lstrip().startswith(b"{"):
        return None
    if b'"output_stories"' in head:
        begins = _TEXT.findall(head)
        if begins and not any(begins):
            return Sniff("template", 0.9, TEMPLATE_FORMAT)
        return Sniff("submission", 0.95, SUBMISSION_FORMAT)
    if any(mark in head for mark in _GOLD):
        return Sniff("references", 0.95, GOLD_FORMAT)
    if all(mark in head for mark in _IMAGES):
        return Sniff("references", 0.8, GOLD_FORMAT)
    return None
