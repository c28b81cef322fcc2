"""Console output: results on standard output, everything else on standard error."""

from __future__ import annotations

from collections.abc import Sequence

import click

from jurydesk.core.cli.exit_codes import PRINTED, output_errors
from jurydesk.core.language import translate, translate_text
from jurydesk.core.language.text_direction import escape_control_characters
from jurydesk.core.model.defects import Defect, format_defects

SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


def print_result(text: str) -> None:
    """Print a result, unless `--quiet` is set."""
    print_escaped(escape_control_characters(text))


def print_escaped(text: str) -> None:
    """Print a result without control characters, unless `--quiet` is set."""
    if not is_quiet():
        print_always(text)


def print_always(text: str) -> None:
    """Print a line that `--quiet` does not suppress, such as errors found by a check."""
    with output_errors(PRINTED):
        click.echo(text)


def is_quiet() -> bool:
    """Return whether the running command was given `--quiet`."""
    context = click.get_current_context(silent=True)
    return context is not None and getattr(context.obj, "quiet", False)


def print_error(text: str) -> None:
    """Print an error message in the current language on standard error."""
    label = click.style(translate("Error:"), fg="red")
    click.echo(f"{label} {escape_control_characters(translate_text(text))}", err=True)


def print_remark(text: str) -> None:
    """Print a diagnostic in the current language on standard error."""
    click.echo(escape_control_characters(translate_text(text)), err=True)


def defect_lines(defects: Sequence[Defect]) -> list[str]:
    """Format defects as lines in the current language, with the severity in its colour."""
    lines = []
    for defect, sentence in zip(defects, format_defects(defects), strict=True):
        severity, rest = escape_control_characters(translate_text(sentence)).split("  ", 1)
        lines.append(f"{click.style(severity, fg=SEVERITY_COLOURS[defect.severity])}  {rest}")
    return lines
