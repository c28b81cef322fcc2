"""Reader of a system's ranks, or of scores in their place."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason, translatable
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json
from jurydesk.core.readers.id_spellings import note_number_ids, parse_number_id
from jurydesk.core.readers.json_cursor import Attribute, JsonCursor, describe_value, parse_list
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import (
    Ranking,
    RankReferences,
    RoundKey,
    round_id,
)
from jurydesk.core.tasks.visdial_ranks.dialog_reader import LIMIT
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_options import VisDialRanksOptions

EXPECTED = 'A list of objects with "image_id", "round_id" and "ranks" is expected.'


def _parse_count(value: Json) -> int | None:
    """Return a whole number of at least 0, also of another spelling; None for anything else."""
    number = parse_number_id(value)
    return number if number is not None and number >= 0 else None


IMAGE = Attribute("image_id", "A whole number is expected.", _parse_count)
ROUND = Attribute("round_id", "A whole number is expected.", _parse_count)
RANKS = Attribute("ranks", "A list of ranks is expected.", parse_list)
OTHER_IMAGES = translatable("{entries} of images that are not in {name}: {names}.")
OTHER_ROUNDS = translatable("{entries} of rounds without options in {name}: {names}.")
LAST = 10
"""Last round of a complete dialogue, counted from 1."""


@dataclass(frozen=True, slots=True)
class RankEntry:
    """Valid element of the list: its index, image, round as written, and values."""

    index: int
    image: int
    round: int
    values: list[Json]
    name: str


def read_ranks(
    path: Path, references: RankReferences, options: VisDialRanksOptions
) -> Reading[Ranking]:
    """Read the ranks of the rounds with options."""
    file = read_json_file(path, limit=LIMIT, not_finite=True)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    if not isinstance(root.value, list) or not root.value:
        found = (
            "The list is empty."
            if root.value == []
            else fill("The file holds {type}.", describe_value(root.value))
        )
        root.error(found, EXPECTED)
        return Reading(None, root.defects.to_tuple())
    entries = [*_entries(root)]
    note_number_ids(root, (IMAGE.name, ROUND.name), _is_placed)
    _note_odd_ranks(root, entries)
    base = find_base(root, entries, references, options) if entries else None
    if base is None:
        return Reading(None, root.defects.to_tuple())
    ranks, scores, first = _pair(root, entries, base, references, options)
    is_whole = len(entries) == len(root.value)
    rounds = _required(root, first, references, options, is_whole=is_whole)
    defects = root.defects.to_tuple()
    if has_errors(defects):
        return Reading(None, defects)
    listed = tuple(ranks.get(number) for number in rounds.tolist())
    return Reading(Ranking(str(path), rounds, listed, scores, base), defects)


def _entries(root: JsonCursor) -> Iterator[RankEntry]:
    """Yield the entries with an image, a round and a list of ranks or scores; report others."""
    for index, value in enumerate(root.value):
        if type(value) is dict:
            image, turn = IMAGE.of(value), ROUND.of(value)
            name = "scores" if "ranks" not in value and "scores" in value else "ranks"
            values = value.get(name)
            if image is not None and turn is not None and type(values) is list:
                read = values if name == "scores" else _whole_ranks(values)
                yield RankEntry(index, image, turn, read, name)
                continue
        entry = root[index]
        if not isinstance(value, dict):
            entry.error(fill("The element is {kind}.", describe_value(value)), EXPECTED)
        elif IMAGE.of(value) is None or ROUND.of(value) is None:
            entry.report_invalid(IMAGE, ROUND)
        else:
            entry.report_invalid(Attribute(name, RANKS.expected, parse_list))


def _is_placed(entry: Json) -> bool:
    return isinstance(entry, dict) and None not in (IMAGE.of(entry), ROUND.of(entry))


def _whole_ranks(values: list[Json]) -> list[Json]:
    """Return ranks that are texts or fractions as whole numbers; others as they are."""
    if set(map(type, values)) <= {int}:
        return values
    numbers = [parse_number_id(one) for one in values]
    return values if None in numbers else [*numbers]


def _note_odd_ranks(root: JsonCursor, entries: Sequence[RankEntry]) -> None:
    odd = [one for one in entries if one.values is not root.value[one.index][one.name]]
    if odd:
        found = fill("Text or fractions as ranks: {lists}.", counted(len(odd), "list"))
        place = root[odd[0].index][odd[0].name]
        place.note(found, "They are read as whole numbers.", count=len(odd))


def find_base(
    root: JsonCursor,
    entries: Sequence[RankEntry],
    references: RankReferences,
    options: VisDialRanksOptions,
) -> int | None:
    """Return the number of the first round in the file; None after an error."""
    if options.round_base != "auto":
        return int(options.round_base)
    rounds = [one.round for one in entries]
    count = counted(len(rounds), "entry", "entries")
    zero = next((one for one in entries if one.round == 0), None)
    ten = next((one for one in entries if one.round == LAST), None)
    if zero is not None and ten is not None:
        found = fill("Round 0 is at [{zero}] and round 10 at [{ten}].", zero.index, ten.index)
        root.error(found, "Rounds from 0 to 9, or from 1 to 10, are expected.")
        return None
    if zero is not None or ten is not None:
        base = 0 if zero is not None else 1
        root.note(fill("{count}; the rounds count from {base}.", count, base))
        return base
    fits = [
        all((one.image, one.round + 1 - base) in references.index for one in entries)
        for base in (0, 1)
    ]
    if all(fits):
        hint = "Both fit; --round-base 0 reads them from 0."
        root.note(fill("{count}; the rounds count from {base}.", count, 1), hint)
        return 1
    base = 0 if fits[0] else 1
    root.note(fill("{count}; the rounds count from {base}.", count, base))
    return base


def _pair(
    root: JsonCursor,
    entries: Sequence[RankEntry],
    base: int,
    references: RankReferences,
    options: VisDialRanksOptions,
) -> tuple[dict[int, IntArray], dict[int, FloatArray], dict[int, int]]:
    """Return ranks, scores and the first entry by index of the round; report invalid ones."""
    ranks: dict[int, IntArray] = {}
    scores: dict[int, FloatArray] = {}
    first: dict[int, int] = {}
    unknown: list[tuple[int, RoundKey]] = []
    lowest, sizes = int(options.rank_base), references.sizes.tolist()
    for entry in entries:
        key: RoundKey = entry.image, entry.round + 1 - base
        index = references.index.get(key)
        if index is None:
            unknown.append((entry.index, key))
            continue
        if index in first:
            found = fill("Round {id} is also at [{first}].", round_id(key), first[index])
            root[entry.index].error(found, "One entry for each round is expected.")
            continue
        first[index] = entry.index
        size = sizes[index]
        if entry.name == "scores":
            if _are_scores(root[entry.index][entry.name], entry.values, size):
                scores[index] = np.array(entry.values, np.float64)
                order = np.argsort(-scores[index], kind="stable")
                ranks[index] = np.empty(size, np.int64)
                ranks[index][order] = np.arange(1, size + 1)
        elif _are_permutation(entry.values, size, lowest):
            ranks[index] = np.array(entry.values, np.int64) + (1 - lowest)
            if options.lists == "order":
                ranks[index] = np.argsort(ranks[index]) + 1
        else:
            _report_list(root[entry.index][entry.name], entry.values, size, lowest)
    _report_unknown(root, unknown, references)
    return ranks, scores, first


def _report_unknown(
    root: JsonCursor, unknown: Sequence[tuple[int, RoundKey]], references: RankReferences
) -> None:
    """Report entries of no round with options: those of other images, and of other rounds."""
    images = {image for image, _ in references.keys}
    foreign = [(index, str(key[0])) for index, key in unknown if key[0] not in images]
    others = [(index, round_id(key)) for index, key in unknown if key[0] in images]
    for listed, sentence in ((foreign, OTHER_IMAGES), (others, OTHER_ROUNDS)):
        if listed:
            count = counted(len(listed), "entry", "entries")
            names = name_list([name for _, name in listed])
            found = fill(sentence, count, references.named_by, names)
            hint = "Check that both files are of the same dialogues."
            root[listed[0][0]].error(found, "A round of the dialogues is expected.", hint)


def _are_permutation(values: list[Json], size: int, lowest: int) -> bool:
    """Return whether the values are the ranks of so many options, each once."""
    is_whole = len(values) == size and set(map(type, values)) == {int}
    return is_whole and set(values) == set(range(lowest, lowest + size))


def _report_list(place: JsonCursor, values: list[Json], size: int, lowest: int) -> None:
    """Report why a list is not a permutation of the ranks."""
    if len(values) != size:
        place.error(
            fill("The list has {ranks}.", counted(len(values), "rank")),
            fill("One for each of the {size} options is expected.", size),
        )
        return
    number = next((i for i, value in enumerate(values) if type(value) is not int), None)
    if number is None:
        _report_ranks(place, values, size, lowest)
        return
    found = fill("The rank is {type}.", describe_value(values[number]))
    place[number].error(found, "A whole number is expected.")


def _report_ranks(place: JsonCursor, values: list[int], size: int, lowest: int) -> None:
    highest = size + lowest - 1
    expected = fill("Each rank from {lowest} to {highest} is expected once.", lowest, highest)
    if lowest == 1 and 0 in values and max(values) < size:
        hint = "Add 1 to every rank, or use --rank-base 0."
        place.error("The ranks count from 0.", expected, hint)
        return
    for number, value in enumerate(values):
        if not lowest <= value <= highest:
            found = fill("The rank is {type}.", describe_value(value, int))
            place[number].error(found, expected)
            return
    seen: dict[int, int] = {}
    for number, value in enumerate(values):
        if value in seen:
            found = fill("Rank {rank} is also at [{first}].", value, seen[value])
            hint = reason("Tied ranks, or a list of scores, look like this.")
            place[number].error(found, expected, hint)
            return
        seen[value] = number


def _are_scores(place: JsonCursor, values: list[Json], size: int) -> bool:
    if len(values) != size:
        place.error(
            fill("The list has {scores}.", counted(len(values), "score")),
            fill("One for each of the {size} options is expected.", size),
        )
        return False
    for number, value in enumerate(values):
        if type(value) not in (int, float) or not abs(value) <= sys.float_info.max:
            found = fill("The score is {type}.", describe_value(value))
            place[number].error(found, "A finite number is expected.")
            return False
    return True


def _required(
    root: JsonCursor,
    first: Mapping[int, int],
    references: RankReferences,
    options: VisDialRanksOptions,
    *,
    is_whole: bool,
) -> IntArray:
    """Return the scored rounds; report those that are missing or not required."""
    rounds = options.rounds
    dense = references.relevance
    if rounds == "auto":
        is_dense = bool(dense) and len(first) < len(references.keys) and set(first) == set(dense)
        rounds = "dense" if is_dense else "all"
    if rounds == "dense" and not dense:
        found = "There are no dense annotations, whose rounds are required."
        root.error(found, "", "Give them with --relevance FILE.")
    required = references.required(rounds)
    if len(required) < len(references.keys):
        found = fill(
            "{part:,} of {rounds:,} rounds are scored.", len(required), len(references.keys)
        )
        root.note(found, "Other rounds of the file are left out.")
    missing = [number for number in required.tolist() if number not in first]
    if not missing or not is_whole:  # an invalid entry may be the one that is missing
        return required
    names = name_list([round_id(references.keys[number]) for number in missing])
    found = fill("{rounds} without ranks: {names}.", counted(len(missing), "round"), names)
    if options.missing == "error":
        hint = "Add them, or use --missing worst or --missing chance."
        root.error(found, "Ranks are expected for every required round.", hint)
    elif options.missing == "worst":
        root.warning(found, "They count as the worst ranks.", count=len(missing))
    else:
        root.warning(found, "They count as random ranks.", count=len(missing))
    return required
