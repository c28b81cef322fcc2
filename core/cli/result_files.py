"""Files of results that a command writes: `--items` and `--desk`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO

import click

from jurydesk.core.cli.exit_codes import CommandError, output_errors, require_writable
from jurydesk.core.cli.output import target_option
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.export.items_export import ITEM_FORMATS, csv_blocks
from jurydesk.core.language import translate
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.workflow.target_desk import target_desk

Blocks = Callable[[Sequence[Evaluation]], Iterator[bytes]]


def items_option() -> click.Option:
    """Return the option `--items FILE`."""
    option = target_option("--items", help="Write one row per item to a .csv or .jsonl file.")
    option.callback = _require_item_format
    return option


def _require_item_format(
    ctx: click.Context, option: click.Parameter, target: Path | None
) -> Path | None:
    require_writable(target, option.opts[0])
    if target is not None:
        item_format(target)
    return target


def desk_option() -> click.Option:
    """Return the option `--desk FILE`."""
    return target_option(
        "--desk", help="Save the results in a desk (.jurydesk), which the window can open."
    )


def item_format(target: Path) -> Blocks:
    """Return the item format of a file name; raise CommandError for another ending."""
    if target.exists() and not target.is_file():
        return csv_blocks  # a pipe or device has no suffix
    blocks = ITEM_FORMATS.get(target.suffix.lower().removeprefix("."))
    if blocks is None:
        raise CommandError(
            translate(
                "{path}: the name must end with {endings}.",
                path=f"--items {target}",
                endings=translate(" or ").join(f".{one}" for one in ITEM_FORMATS),
            )
        )
    return blocks


def write_items(target: Path, evaluations: Sequence[Evaluation]) -> None:
    """Write one row per item and system."""
    blocks = item_format(target)

    def write(file: BinaryIO) -> None:
        for block in blocks(evaluations):
            file.write(block)

    with output_errors(target):
        write_atomically(target, write)


def create_target_desk(
    path: Path | None, task: AnyTask, options: Any, title: str = ""
) -> AbstractContextManager[Desk | None]:
    """Open or create the desk at `path` for a competition; None without a path."""
    return target_desk(path, task, options, title, refusals=(CommandError, ResourceMissing))
