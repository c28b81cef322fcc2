"""`--groups`, `--interval` and `--correction`: how uncertainty is computed."""

from __future__ import annotations

import click

from jurydesk.core.statistics.group_intervals import METHODS
from jurydesk.core.statistics.inference import CORRECTIONS


def inference_options(*, correction: bool = True) -> list[click.Option]:
    """Return the options; scoring alone corrects nothing."""
    options = [
        click.Option(
            ["--groups"],
            metavar="FILE|none",
            help="Resample the groups of a file (two columns: item, group) in the place of those "
            "that the competition declares; none resamples items.",
        ),
        click.Option(
            ["--interval"],
            type=click.Choice(METHODS),
            help="The kind of intervals (studentized).",
        ),
    ]
    if correction:
        options.append(
            click.Option(
                ["--correction"],
                type=click.Choice(CORRECTIONS),
                help="The correction for comparing many systems (romano-wolf).",
            )
        )
    return options
