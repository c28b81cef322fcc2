"""Remarks on lists of queries and words: names that are repeated, or that nothing bears."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, note, warning

QUERY_SET, QUERY_GROUPS, STOP_WORDS, WORD_LIST = "query-set", "query-groups", "stop-words", "words"
EFFECTS = {
    QUERY_SET: translatable("Such a query counts only if results list it."),
    QUERY_GROUPS: translatable("Such a query counts only if results list it."),
    STOP_WORDS: translatable("They are not used."),
    WORD_LIST: translatable("Their lines are events that are not relevant."),
}
"""Roles of the lists, and what becomes of a name that the relevance file lacks."""
LISTS = tuple(EFFECTS)


def list_remarks(
    names: Mapping[str, tuple[str, Sequence[str]]],
    is_open: Collection[str],
    known: Collection[str],
    relevance: str,
) -> Iterator[Defect]:
    """Yield remarks on lists, given by role with path and names as they are compared.

    `is_open` are the roles of files without an end of their last line.
    """
    for role, (path, listed) in names.items():
        place = Place(path)
        counts = Counter(listed)
        again = [name for name, count in counts.items() if count > 1]
        if again:
            found = fill(
                "{queries} listed twice: {names}.", counted(len(again), "name"), name_list(again)
            )
            yield note(place, found, "Each counts once.", count=len(again))
        unused = [name for name in counts if name not in known]
        if unused:
            found = fill(
                "Not in {where}: {count} ({names}).",
                Path(relevance).name,
                counted(len(unused), "name"),
                name_list(unused),
            )
            effect = EFFECTS[role]
            if role in is_open and listed[-1] in unused:
                effect = "The last name may be cut off: the file ends within its line."
            if len(unused) == len(counts):
                yield warning(place, found, effect, count=len(unused))
            else:
                yield note(place, found, effect, count=len(unused))


def unused_choices(paths: Mapping[str, str]) -> Iterator[Defect]:
    """Yield a warning for each list of queries that groups make superfluous."""
    for role in (QUERY_SET, STOP_WORDS):
        if QUERY_GROUPS in paths and role in paths:
            found = "Groups of queries were given too: they alone choose the queries."
            yield warning(Place(paths[role]), found, "This file is not used.")
