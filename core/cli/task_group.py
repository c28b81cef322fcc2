"""A command that takes the name of a competition, and then that competition's own options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from core.cli.command import Suggesting
from core.tasks.registry import competition, registry


class TaskGroup(Suggesting):
    """One command for each competition, made by `build` when it is asked for."""

    noun = "competition"

    def __init__(self, name: str, build: Callable[[Any], click.Command], **kwargs: Any) -> None:
        super().__init__(name, subcommand_metavar="TASK [OPTIONS]", **kwargs)
        self._build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The ids of all competitions."""
        return sorted(registry().tasks)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for one competition, or None."""
        task = competition(name)
        return None if task is None else self._build(task)
