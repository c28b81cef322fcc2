"""Telling the four files of a competition apart by their first bytes."""

from __future__ import annotations

import re

from core.task import Sniff
from core.tasks.text_file import head_of

FORMATS = {
    "truth": "FusionBrain's accepted answers (JSON)",
    "input": "FusionBrain's questions (JSON)",
    "predictions": "FusionBrain predictions (JSON)",
}
IDS = re.compile(rb'\s*\{(\s*"[^"]*"\s*:\s*"?[0-5]"?\s*,)*\s*"[^"]*"\s*:\s*"?[0-5]"?\s*[,}]')
RECORD = re.compile(rb'\{\s*"[^"]*"\s*:\s*[\[{]\s*\{?\s*"(type|content)"\s*:')
LIST_CONTENT = re.compile(rb'"content"\s*:\s*\[')
TEXT_CONTENT = re.compile(rb'"content"\s*:\s*"((?:[^"\\]|\\.)*)"')
QUESTION = re.compile(rb"\?")

CERTAIN, LIKELY = 0.9, 0.6
FEW_QUESTIONS = 0.1
"""Where more of the texts than this hold a question mark, the file asks."""


def sniff(head: bytes) -> Sniff | None:
    """The ids, the truth (its contents are lists), the input (it asks) or predictions."""
    text = head_of(head).removeprefix(b"\xef\xbb\xbf").lstrip()
    if IDS.match(text):
        return Sniff("task-ids", CERTAIN, "FusionBrain task ids (JSON)")
    if not RECORD.match(text):
        return None
    if LIST_CONTENT.search(text):
        return Sniff("truth", CERTAIN, FORMATS["truth"])
    contents = TEXT_CONTENT.findall(text)
    asking = sum(bool(QUESTION.search(content)) for content in contents)
    role = "input" if asking > FEW_QUESTIONS * len(contents) else "predictions"
    return Sniff(role, LIKELY, FORMATS[role])
