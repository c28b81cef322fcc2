"""What people rate: items with a context that all systems share, and an entry of each system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.core.competition.task import Reading
    from jurydesk.core.model.evaluation import ItemTable, Json

Noun = tuple[str, str]
"""A noun in the singular and in the plural."""


LONGEST_WORD = 40


def noun_from_json(data: Json) -> Noun:
    """Return the noun that JSON values hold; ValueError where they hold none."""
    one, several = data
    if not all(isinstance(word, str) and 0 < len(word) <= LONGEST_WORD for word in (one, several)):
        raise ValueError(f"a noun of 1 to {LONGEST_WORD} letters is expected")
    return one, several


@dataclass(frozen=True, slots=True)
class PictureRef:
    """A picture, or the part of one inside `box` (x, y, width, height in pixels).

    `name` is the file's name without ending in the folder of pictures, or an absolute path.
    """

    name: str
    box: tuple[int, int, int, int] | None = None

    @property
    def id(self) -> str:
        """The name without its folder."""
        return PurePath(self.name).name

    @property
    def key(self) -> str:
        """The picture as one text, which no other picture has."""
        return self.name if self.box is None else "\n".join([self.name, *map(str, self.box)])


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """What one system made of an item: a text, pictures, or both."""

    text: str = ""
    pictures: tuple[PictureRef, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedEntry:
    """What raters see of one item of one system.

    `context` (titles and texts) and `pictures` are the same for all systems, and must not tell
    which answers count as right. `human` are the texts that people wrote for the item, of which
    one can be rated as if it were a system's. `item` is the item's id, where that is not the id
    of its row.
    """

    entry: SystemOutput
    context: tuple[tuple[str, str], ...] = ()
    pictures: tuple[PictureRef, ...] = ()
    human: tuple[str, ...] = ()
    item: str = ""


@dataclass(frozen=True, slots=True)
class RatedItem:
    """An item with its context, and one entry of each system in the order of the pool's."""

    id: str
    entries: tuple[SystemOutput, ...]
    pictures: tuple[PictureRef, ...] = ()
    context: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RatingPool:
    """All that a plan can draw from."""

    systems: tuple[str, ...]
    items: tuple[RatedItem, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """What items, entries and pictures are called, and the text of an item with a known answer.

    The defaults are those of the VIST Challenge 2018, which studies without a wording are of.
    """

    item: Noun = ("sequence", "sequences")
    entry: Noun = ("story", "stories")
    picture: Noun = ("photo", "photos")
    attention: str = (
        "this is no story , but a check that the texts are read . please choose {answer} for "
        "every statement ."
    )
    overall: str = "overall"
    """The name of the mean of all statements, which no metric may have."""


STORIES = Wording()


def human_name(entries: str, systems: Sequence[str]) -> str:
    """Return the name under which the texts of people are rated beside the systems."""
    name = f"human {entries}"
    while name in systems:
        name = f"{name} (people)"
    return name


ATTENTION = (
    "This is not one of the {entries}, but a check that the texts are read. Please choose "
    "{answer} for every statement."
)
"""An item with a known answer, where a task says nothing else."""

FileReader = Callable[..., "Reading[RatingPool]"]
"""Called with the submissions, the references, `human`, `seed` and `names`."""


@dataclass(frozen=True, slots=True)
class RatingDesign:
    """How the items of a competition are rated by people.

    By default raters see an item's explanation: what all systems share as context, the rest as
    the entry. `questionnaire` is the file that is used where the organiser chooses none, or the
    name of one that comes with the program.
    """

    item_noun: Noun | None = None
    """What an item is called here, where that is not the task's noun."""
    entry_noun: Noun = ("entry", "entries")
    picture_noun: Noun = ("picture", "pictures")
    questionnaire: str | Path = "general"
    attention: str = ATTENTION
    entry: Callable[[ItemTable, int], RatedEntry | None] | None = None
    """What raters see of an item by its row; None where it cannot be rated."""
    read_files: FileReader | None = None
    """Reads the pool from files that nobody has scored."""
    has_human_entries: bool = False
    """Whether the references are texts that people wrote, which can be rated beside the systems."""
    folder_optional: bool = False
    """Whether items can be judged without their pictures, if no folder of them is given."""

    def wording(self, item_noun: Noun) -> Wording:
        """Return the words of a study of items of this noun."""
        attention = self.attention.replace("{entries}", self.entry_noun[1])
        return Wording(self.item_noun or item_noun, self.entry_noun, self.picture_noun, attention)
