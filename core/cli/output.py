"""Output of a command to files or to standard output, and its options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import DONE, PRINTED, output_errors, require_writable
from jurydesk.core.cli.parameters import file_option
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import remove_abandoned, write_atomically

STANDARD_OUTPUT = Path("-")


def target_option(
    *names: str, help: str, metavar: str = "FILE", required: bool = False
) -> click.Option:
    """Return an option for a file to write; a target that cannot be written is refused at once."""
    option = file_option(*names, help=help, metavar=metavar, required=required)
    option.callback = _require_writable
    return option


def _require_writable(
    ctx: click.Context, option: click.Parameter, target: Path | None
) -> Path | None:
    require_writable(target, option.opts[0])
    return target


def json_option() -> click.Option:
    """Return the option `--json FILE|-`."""
    return target_option(
        "--json",
        metavar="FILE|-",
        help="Write the results as JSON to a file, or to standard output instead of the text.",
    )


def is_standard_output(target: Path | None) -> bool:
    """Return whether the target is `-`."""
    return target == STANDARD_OUTPUT


def deliver(
    lines: Iterable[str],
    *exports: tuple[Path | None, Json | bytes],
    show: Callable[[str], None] = print_result,
) -> int:
    """Write each export with a target, and show the lines unless one goes to standard output."""
    for target, content in exports:
        if target is not None:
            write_output(target, content)
    if not any(is_standard_output(target) for target, _ in exports):
        for line in lines:
            show(line)
    return DONE


def write_output(target: Path, content: Json | bytes) -> None:
    """Write bytes or a JSON document to a file, atomically, or to standard output."""
    data = content if isinstance(content, bytes) else encode_json(content)
    if is_standard_output(target):
        with output_errors(PRINTED):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        return
    with output_errors(target):
        remove_abandoned(target)
        write_atomically(target, data)
