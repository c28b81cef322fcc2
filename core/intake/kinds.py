"""Which files of a folder are submissions: told by their first bytes, and else by their names."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal

from core.task import Task

AnyTask = Task[Any, Any, Any]
Kind = Literal["submission", "maybe", "other"]
"""`maybe`: its name is one of a submission, and its content tells nothing."""

SURE, CERTAIN = 0.5, 0.85
HEAD_BYTES = 64 << 10
DOCUMENTS = ("readme*", "license*", "licence*", "copying*", "*.md", "*.pdf", "*.docx", "*.log")


def kind_of(task: AnyTask, path: Path) -> tuple[Kind, str]:
    """What a file is to a competition, and the label of the shared file that it looks like."""
    try:
        with path.open("rb") as file:
            guess = task.sniff(file.read(HEAD_BYTES))
    except OSError:
        guess = None
    wanted = task.submission_input()
    if guess is not None and guess.role == wanted.role and guess.confidence >= SURE:
        return "submission", ""
    if guess is not None and guess.role != wanted.role and guess.confidence >= CERTAIN:
        return "other", next(one.label for one in task.inputs if one.role == guess.role)
    name = path.name.lower()
    if is_document(path):
        return "other", ""
    patterns = [pattern for pattern in wanted.patterns if pattern != "*"]
    return ("maybe" if any(fnmatch(name, pattern) for pattern in patterns) else "other"), ""


def is_document(path: Path) -> bool:
    """Whether the name is one of what teams put beside their submission for people to read."""
    return any(fnmatch(path.name.lower(), pattern) for pattern in DOCUMENTS)
