"""Output of a command to a file or to standard output, and its option `--json`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jurydesk.core.cli.exit_codes import PRINTED, output_errors
from jurydesk.core.cli.parameters import file_option
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import write_atomically

STANDARD_OUTPUT = Path("-")


def json_option() -> click.Option:
    """Return the option `--json FILE|-`."""
    return file_option(
        "--json",
        metavar="FILE|-",
        help="Write the results as JSON to a file, or to standard output instead of the text.",
    )


def is_standard_output(target: Path | None) -> bool:
    """Return whether the target is `-`."""
    return target == STANDARD_OUTPUT


def write_json_output(target: Path, document: Json) -> None:
    """Write a JSON document to a file, atomically, or to standard output."""
    write_output(target, encode_json(document))


def write_output(target: Path, content: bytes) -> None:
    """Write bytes to a file, atomically, or to standard output."""
    if is_standard_output(target):
        with output_errors(PRINTED):
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        return
    with output_errors(target):
        write_atomically(target, content)
