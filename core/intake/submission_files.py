"""Which files of a folder are submissions: told by their first bytes, and else by their names."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.intake.file_signatures import own
from jurydesk.core.readers.text_file import head_of, head_of_file

Kind = Literal["submission", "maybe", "other"]
"""`maybe`: its name is one of a submission, and its content tells nothing."""

SURE, CERTAIN = 0.5, 0.85
DOCUMENTS = ("readme*", "license*", "licence*", "copying*", "*.md", "*.pdf", "*.docx", "*.log")


def kind_of(task: AnyTask, path: Path) -> tuple[Kind, str]:
    """What a file is to a competition, and what it looks like where that is no submission."""
    head = head_of_file(path)
    if what := own(head):
        return "other", f"This is {what}, not a submission."
    guess, wanted = task.readers.sniff(head_of(head)), task.submission_input()
    if guess is not None and guess.role == wanted.role and guess.confidence >= SURE:
        return "submission", ""
    if guess is not None and guess.role != wanted.role and guess.confidence >= CERTAIN:
        label = next(one.label for one in task.inputs if one.role == guess.role)
        told = f"It looks like a shared file of the competition ({label}), not a submission."
        return "other", told
    name = path.name.lower()
    if is_document(path):
        return "other", ""
    patterns = [pattern for pattern in wanted.patterns if pattern != "*"]
    return ("maybe" if any(fnmatch(name, pattern) for pattern in patterns) else "other"), ""


def is_document(path: Path) -> bool:
    """Whether the name is one of what teams put beside their submission for people to read."""
    return any(fnmatch(path.name.lower(), pattern) for pattern in DOCUMENTS)
