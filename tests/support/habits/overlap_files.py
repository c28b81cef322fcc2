"""Sound files of keyword spotting by overlap, in every role that lists queries or words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

PLACES = {
    "letter": ("p1 60 10 90 20", "p2 10 10 60 20"),
    "orders": ("p1 160 10 70 20", "p1 10 50 70 20"),
    "october": ("p2 140 10 80 20",),
    "the": ("p1 10 10 40 20", "p2 80 10 40 20", "p2 10 50 40 20"),
}
"""Boxes on pages by word."""
STOP_WORDS = "the\nof\n"
GROUPS = "short the letter\nlong orders october\n"
QUERY_SET = "letter\norders\noctober\n"
WORDS = "letter\norders\noctober\nnovember\n"
LINES = "letter p1l1\nletter p2l1\norders p1l1\norders p1l2\noctober p2l1\nthe p1l1\n"
LISTED = "letter p1l1 0.9\nletter p1l2 0.4\norders p1l1 0.8\norders p2l1 0.3\noctober p2l1 0.6\n"
"""Lines that hold words, and those that are listed."""


def overlap_files(folder: Path) -> Mapping[str, Mapping[str, list[Path]]]:
    """Return files by role: boxes with a set of queries, boxes with groups, and a table."""
    lines = [f"{word} {place}\n" for word, places in PLACES.items() for place in places]
    listed = [f"{line.strip()} {0.9 - number / 20:.2f}\n" for number, line in enumerate(lines)] + [
        "letter p1 10 50 70 20 0.3\n"
    ]
    fields = [{"query_id": word, "length": len(word), "initial": word[0]} for word in PLACES]
    texts = {
        "relevant.txt": "".join(lines),
        "listed.txt": "".join(listed),
        "set.txt": QUERY_SET,
        "groups.txt": GROUPS,
        "stop.txt": STOP_WORDS,
        "words.txt": WORDS,
        "lines.txt": LINES,
        "listed-lines.txt": LISTED,
        "queries.json": json.dumps(fields),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    boxes = {"relevance": "relevant.txt", "results": "listed.txt"}
    names = {
        "boxes": {**boxes, "queries": "queries.json", "stop-words": "stop.txt"},
        "set": {**boxes, "query-set": "set.txt"},
        "groups": {**boxes, "query-groups": "groups.txt"},
        "table": {"relevance": "lines.txt", "results": "listed-lines.txt", "words": "words.txt"},
    }
    return {
        form: {role: [folder / name] for role, name in files.items()}
        for form, files in names.items()
    }
