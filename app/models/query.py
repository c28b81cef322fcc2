"""The search line above a table: the core's language over the table's columns."""

from __future__ import annotations

from collections.abc import Sequence

from app.models.columns import Column, NumberColumn, TextColumn
from core import query as language
from core.model import BoolArray


def matching(query: str, columns: Sequence[Column]) -> BoolArray | None:
    """Which rows (n,) fit every part of `query`; None where it asks for nothing.

    Columns are found by their names or titles without case.
    """
    if not query.strip():
        return None  # no text is looked at, of which there may be a million
    rows = len(columns[0].values) if columns else 0
    found = [column for column in columns if isinstance(column, NumberColumn)]
    titles = {column.title.casefold(): column.values for column in found}
    names = {column.name.casefold(): column.values for column in found}
    texts = {c.name.casefold(): c.folded for c in columns if isinstance(c, TextColumn)}
    return language.matching(query, rows, titles | names, texts)
