"""Design of ratings by people: rated items and entries, their nouns, and the task's settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.model.defects import Reading
    from jurydesk.core.model.evaluation import ItemTable, Json

Noun = tuple[str, str]
"""A noun in the singular and in the plural."""


LONGEST_WORD = 40


def noun_from_json(data: Json) -> Noun:
    """Return the noun in a JSON value; ValueError if it holds none."""
    singular, plural = data
    if not all(isinstance(word, str) and 0 < len(word) <= LONGEST_WORD for word in data):
        raise ValueError(f"a noun of 1 to {LONGEST_WORD} letters is expected")
    return singular, plural


@dataclass(frozen=True, slots=True)
class PictureRef:
    """Reference to a picture, or to its part inside `box` (x, y, width, height in pixels).

    `name` is what data call it: a name of the picture folder, with or without suffix. `found` is
    the absolute path of the file at scoring, if the competition found one.
    """

    name: str
    box: tuple[int, int, int, int] | None = None
    found: str = ""

    @property
    def id(self) -> str:
        """Name without the folder."""
        return PurePath(self.name).name

    @property
    def key(self) -> str:
        """Unique key of the picture."""
        name = self.found or self.name
        return name if self.box is None else "\n".join([name, *map(str, self.box)])


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """Output of one system for an item: a text, pictures, or both."""

    text: str = ""
    pictures: tuple[PictureRef, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """Content that raters see of one item of one system.

    `context` (titles and texts) and `pictures` are the same for all systems, and must not reveal
    correct answers. `human` are texts written by people for the item, of which one can be rated
    like a system's. `item` is the item's id, if it differs from the id of its row.
    """

    entry: SystemOutput
    context: tuple[tuple[str, str], ...] = ()
    pictures: tuple[PictureRef, ...] = ()
    human: tuple[str, ...] = ()
    item: str = ""


@dataclass(frozen=True, slots=True)
class RatedItem:
    """Item with its context, and one entry per system in the order of the pool."""

    id: str
    entries: tuple[SystemOutput, ...]
    pictures: tuple[PictureRef, ...] = ()
    context: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RatingPool:
    """Systems and items that a plan can draw from."""

    systems: tuple[str, ...]
    items: tuple[RatedItem, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """Nouns for items, entries and pictures, and the text of attention checks.

    The defaults are those of the VIST Challenge 2018, for studies stored without a wording.
    """

    item: Noun = ("sequence", "sequences")
    entry: Noun = ("story", "stories")
    picture: Noun = ("photo", "photos")
    attention: str = (
        "this is no story , but a check that the texts are read . please choose {answer} for "
        "every statement ."
    )
    overall: str = "overall"
    """Name of the mean of all statements; no metric may have it."""


STORIES = Wording()


def human_name(entries: str, systems: Sequence[str]) -> str:
    """Return the system name under which texts written by people are rated."""
    name = f"human {entries}"
    while name in systems:
        name = f"{name} (people)"
    return name


ATTENTION = (
    "This is not one of the {entries}, but a check that the texts are read. Please choose "
    "{answer} for every statement."
)
"""Default text of attention checks."""

FileReader = Callable[..., "Reading[RatingPool]"]
"""Function of the submissions, the references, `human`, `seed` and `names`."""


@dataclass(frozen=True, slots=True)
class RatingDesign:
    """Settings of a competition for ratings by people.

    By default raters see an item's explanation: its shared passages as context, the others as the
    entry. `questionnaire` is the default questionnaire: a file, or the name of an included one.
    """

    item_noun: Noun | None = None
    """Noun for items, if it differs from the task's."""
    entry_noun: Noun = ("entry", "entries")
    picture_noun: Noun = ("picture", "pictures")
    questionnaire: str | Path = "general"
    attention: str = ATTENTION
    entry: Callable[[ItemTable, int], RatedEntry | None] | None = None
    """Returns the rated content of an item by its row, or None if it cannot be rated."""
    read_files: FileReader | None = None
    """Reads the pool from files that have not been scored."""
    has_human_entries: bool = False
    """True if the references are human texts, which can be rated like systems."""
    folder_optional: bool = False
    """True if items can be rated without a picture folder."""

    def wording(self, item_noun: Noun) -> Wording:
        """Return the wording of a study, with `item_noun` as the default noun for items."""
        item = self.item_noun or item_noun
        return Wording(item, self.entry_noun, self.picture_noun, self.attention)
