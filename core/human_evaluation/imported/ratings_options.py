"""Options of an imported table of ratings: which column is what, and how answers are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RatingsOptions:
    """Options of a table of ratings; an empty column is found by its name.

    Attributes:
        map: Name of the map of the program that wrote the file; `auto` finds it, `none` uses none.
        rater: Column of the raters.
        item: Column of the items.
        system: Columns of the system, or of those that were compared.
        statement: Column of the statements.
        value: Columns of answers.
        order: Words of the answers from the lowest.
        scale: Lowest and highest number of the scale.
        title: Form of a question's title, such as `{item} by {system}: {statement}`.
        programs: Raters that are programs.
        lower: Statements by which less is better.
    """

    map: str = "auto"
    rater: str = ""
    item: str = ""
    system: tuple[str, ...] = ()
    statement: str = ""
    value: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    scale: tuple[float, float] | None = None
    title: str = ""
    programs: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()

    def named_columns(self) -> tuple[str, ...]:
        """Return all columns that the options name."""
        single = (self.rater, self.item, self.statement)
        return (*filter(None, single), *self.system, *self.value)
