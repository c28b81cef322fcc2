"""A command that takes the name of a competition, and then that competition's own options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from core.cli.command import Suggesting, did_you_mean, is_value
from core.tasks.registry import competition, registry


class TaskGroup(Suggesting):
    """One command for each competition, made by `build` when it is asked for."""

    noun = "competition"

    def __init__(self, name: str, build: Callable[[Any], click.Command], **kwargs: Any) -> None:
        super().__init__(name, subcommand_metavar="TASK [OPTIONS]", **kwargs)
        self._build = build

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As of every group; where a file stands in the place of the competition, say so."""
        if is_value(args[0]) and self.get_command(ctx, args[0]) is None and Path(args[0]).exists():
            raise click.UsageError(
                f"{args[0]} stands in the place of the competition: name that first, and then "
                f"each file with its option. {did_you_mean('', self.list_commands(ctx))}",
                ctx,
            )
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The ids of all competitions."""
        return sorted(registry().tasks)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for one competition, or None."""
        task = competition(name)
        return None if task is None else self._build(task)
