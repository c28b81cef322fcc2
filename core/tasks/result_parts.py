"""Result files of one system in parts: one file of each process, and sums of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task import Inputs
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.input_file import InputFile

PARTS = "parts"
"""Role of the files that belong to another one."""
MERGED = "merged"
"""Stem of GLaMM's file of all results of the folder, which a second run counts again."""
JSON_SUFFIXES = (".json", ".json.gz", ".json.bz2", ".json.xz")
_RANK = re.compile(r"(?P<stem>.*(?:_|-|rank))(?P<rank>\d{1,4})")
"""Stem of a file and the number of its process: m_vg_0, val_rank0."""


def arrange_parts(files: Sequence[InputFile], role: str) -> Sequence[InputFile]:
    """Return the files with one of each system in the role, and the others as `parts`.

    Files of one folder whose names differ in the number of their process, from 0 on, are one
    system, with `merged.json` and other files beside them. A folder that is given is one system,
    unless its files have several such names.
    """
    found = [one for one in files if one.role != role]
    given = [one for one in files if one.role == role and not one.path.is_dir()]
    folders = [one for one in files if one.role == role and one.path.is_dir()]
    systems = [one for folder in folders for one in _systems_of_folder(folder)]
    for parent in dict.fromkeys(one.path.parent for one in given):
        systems += _systems([one for one in given if one.path.parent == parent])
    for system in systems:
        sources = dict.fromkeys(path for one in system for path in one.given or (one.path,))
        name = next((one.name for one in system if one.name), "")
        found.append(replace(system[0], given=tuple(sources), name=name))
        found += (replace(one, role=PARTS) for one in system[1:])
    return found


def parts_of(path: Path, inputs: Inputs, role: str) -> tuple[Path, ...]:
    """Return the parts that belong to a file of the role, in the order of their processes."""
    found = [part for part in inputs.get(PARTS, ()) if _owner(part, inputs, role) == path]
    return tuple(sorted(found, key=_path_order))


def unused_parts(inputs: Inputs, role: str) -> Iterator[Defect]:
    """Yield a warning on each part that belongs to no file of the role, if there is one."""
    for part in inputs.get(PARTS, ()) if inputs.get(role) else ():
        if _owner(part, inputs, role) is None:
            found = "This part cannot be assigned to a system, so it is not used."
            yield warning(Place(str(part)), found, "Files of one system lie in one folder.")


def is_json_name(path: Path) -> bool:
    """Return whether a file is JSON by its name."""
    return path.name.endswith(JSON_SUFFIXES)


def system_stem(path: Path) -> str:
    """Return the name of a system from that of its first file, without the process's number."""
    match = _rank_of(path)
    return match["stem"].removesuffix("rank").rstrip("_-") if match else ""


def _owner(part: Path, inputs: Inputs, role: str) -> Path | None:
    """Return the results file of a part; None for one of a system that is not scored now."""
    results = inputs[role]
    beside = [one for one in results if one.parent == part.parent]
    family = [one for one in beside if _family(one) == _family(part)]
    if _family(part) and not family and any(map(_family, beside)):
        return None
    is_apart = not family if _family(part) else not beside
    if is_apart and _is_beside_its_own(part, inputs[PARTS]):
        return None
    for candidates in (family, beside, results):
        if len(candidates) == 1:
            return candidates[0]
    return None


def _is_beside_its_own(part: Path, parts: Sequence[Path]) -> bool:
    """Return whether the first file of its system lies in its folder, and is not a part itself."""
    try:
        others = [one for one in part.parent.iterdir() if one not in parts]
    except OSError:
        return False
    if family := _family(part):
        ranks = [_rank_of(one) for one in others if _family(one) == family]
        return any(match and not int(match["rank"]) for match in ranks)
    return _is_extra(part) and not all(map(_is_extra, others))


def _systems_of_folder(folder: InputFile) -> list[list[InputFile]]:
    paths = [one for one in folder.path.iterdir() if one.is_file() and not one.name.startswith(".")]
    files = [replace(folder, path=path, given=(folder.path,)) for path in paths]
    if len({_family(path) for path in paths if _family(path)}) > 1:
        return list(_systems([replace(one, name="") for one in files]))  # of none of several
    return [sorted(files, key=_file_order) or [folder]]


def _systems(files: Sequence[InputFile]) -> Iterator[list[InputFile]]:
    """Yield the files of each system of one folder."""
    families = dict[str, list[InputFile]]()
    for one in files:
        families.setdefault(_family(one.path), []).append(one)
    joined = [several for name, several in families.items() if name and _is_complete(several)]
    others = [one for one in files if not any(one in several for several in joined)]
    if len(joined) == 1 and all(_is_extra(one.path) for one in others):
        yield [*sorted(joined[0], key=_file_order), *others]
        return
    sums = [one for one in others if _is_extra(one.path)]
    if not joined and sums and len(others) - len(sums) == 1:
        yield sorted(others, key=_file_order)
        return
    yield from (sorted(several, key=_file_order) for several in joined)
    yield from ([one] for one in others)


def _is_complete(files: Sequence[InputFile]) -> bool:
    """Return whether there is a file of each process from the first on."""
    ranks = sorted(int(match["rank"]) for one in files if (match := _rank_of(one.path)))
    return len(ranks) > 1 and ranks == list(range(len(files)))


def _is_extra(path: Path) -> bool:
    """Return whether a file beside those of the processes adds nothing to them."""
    return not is_json_name(path) or _stem(path) == MERGED


def _file_order(file: InputFile) -> tuple[bool, bool, int, str]:
    return _path_order(file.path)


def _path_order(path: Path) -> tuple[bool, bool, int, str]:
    match = _rank_of(path)
    rank = int(match["rank"]) if match else 0
    return not is_json_name(path), _stem(path) == MERGED, rank, path.name


def _family(path: Path) -> str:
    match = _rank_of(path)
    return match["stem"] if match else ""


def _rank_of(path: Path) -> re.Match[str] | None:
    return _RANK.fullmatch(_stem(path)) if is_json_name(path) else None


def _stem(path: Path) -> str:
    return path.name.partition(".json")[0] if is_json_name(path) else path.name
