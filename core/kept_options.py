"""Options of a competition as a desk keeps them, made options again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any


def options_from_json(options: type[Any], data: Mapping[str, Any]) -> Any:
    """The options that `options_json` wrote; what an older version did not know has its default."""
    known = {entry.name for entry in fields(options)}
    values = {name: value for name, value in data.items() if name in known}
    return options(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
