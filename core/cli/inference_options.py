"""Options that choose how uncertainty is computed: `--groups`, `--interval`, `--correction`."""

from __future__ import annotations

import click

from jurydesk.core.statistics.group_intervals import METHODS
from jurydesk.core.statistics.inference import CORRECTIONS


def inference_options(*, correction: bool = True) -> list[click.Option]:
    """Return the options; `--correction` is left out for scoring, which compares nothing."""
    options = [
        click.Option(
            ["--groups"],
            metavar="FILE|none",
            help="Resample the groups in a file (two columns: item, group) instead of those of the "
            "competition; none resamples items.",
        ),
        click.Option(
            ["--interval"],
            type=click.Choice(METHODS),
            help="Confidence interval method; studentized if not given.",
        ),
    ]
    if correction:
        options.append(
            click.Option(
                ["--correction"],
                type=click.Choice(CORRECTIONS),
                help="Correction for multiple comparisons; romano-wolf if not given.",
            )
        )
    return options
