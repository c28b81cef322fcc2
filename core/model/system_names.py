"""Unique names of systems, from the submission or its file name."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

LONGEST_NAME = 120
JOINERS = "\u200c\u200d"
"""Joiners are not printable, but are part of Persian words and of composed emoji."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zip")


def file_stem(path: Path) -> str:
    """Return the file's name without its suffix and that of a compression."""
    name = path.name
    for ending in COMPRESSED:
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return Path(name).stem or path.name


def clean_system_name(given: str, path: Path) -> str:
    """Return `given`, or else the file's stem, as a name for terminals, tables and files.

    Control characters and runs of blanks become one blank, surrogates become `?`.
    """
    return _replace_invisible(given) or _replace_invisible(file_stem(path)) or "unnamed"


def one_line(text: str) -> str:
    """Return a text with blanks in the places of line breaks and control characters."""
    kinds = ("Cc", "Zl", "Zp")
    return "".join(" " if unicodedata.category(letter) in kinds else letter for letter in text)


def _replace_invisible(name: str) -> str:
    text = name.encode("utf-8", "replace").decode("utf-8")
    shown = (letter if letter.isprintable() or letter in JOINERS else " " for letter in text)
    return " ".join("".join(shown).split())[:LONGEST_NAME]


def unique_system_names(named: Sequence[tuple[Path, str]]) -> list[str]:
    """Return a unique name for every (path, name): equal names become `name (file stem)`.

    If stems are equal too, the full file name or its folders are used. The names do not depend on
    the order of the files.
    """
    names = [name for _, name in named]
    by_path = sorted(range(len(named)), key=lambda i: str(named[i][0]))
    taken = {name for name, count in Counter(names).items() if count == 1}
    for name in sorted(name for name, count in Counter(names).items() if count > 1):
        group = [i for i in by_path if named[i][1] == name]
        labels = _labels([named[i][0] for i in group])
        for i, label in zip(group, labels, strict=True):
            names[i] = _number_name(f"{name} ({label})", taken)
            taken.add(names[i])
    return names


def possible_names(own: str, path: Path) -> set[str]:
    """Return the names that a submission may have: its own, those of its folders, with labels."""
    parts = {_replace_invisible(part) for part in (*path.parts, path.stem, file_stem(path))}
    labels = {label for labels in _label_kinds([path]) for label in labels}
    return {own, *parts, *(f"{own} ({label})" for label in labels)}


def free_name(name: str, path: Path, taken: Collection[str]) -> str:
    """Return `name (file stem)`, or with more of the path if that is taken."""
    for labels in _label_kinds([path]):
        if f"{name} ({labels[0]})" not in taken:
            return f"{name} ({labels[0]})"
    return _number_name(f"{name} ({path})", taken)


def _labels(paths: Sequence[Path]) -> list[str]:
    """Return the shortest kind of label that is unique for every path."""
    for labels in _label_kinds(paths):
        if len(set(labels)) == len(labels):
            return labels
    return [str(path) for path in paths]


def _label_kinds(paths: Sequence[Path]) -> Iterator[list[str]]:
    yield [file_stem(path) for path in paths]
    yield [path.name for path in paths]
    for depth in range(1, max(len(path.parts) for path in paths)):
        yield ["/".join((*path.parts[:-1][-depth:], path.name)) for path in paths]


def _number_name(name: str, taken: Collection[str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name} {number}"
    return candidate
