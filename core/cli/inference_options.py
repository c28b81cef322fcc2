"""`--groups`, `--interval` and `--correction`: how uncertainty is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from core.model import Source
from core.paths import fingerprint
from core.run.groups_file import read_groups
from core.stats.group_intervals import METHODS
from core.stats.inference import CORRECTIONS, Inference

NO_GROUPS = "none"
"""The value of `--groups` that resamples items."""


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


def chosen_inference(values: Mapping[str, Any], base: Inference) -> Inference:
    """Return the choices of the command line, and those of `base` for what it does not say.

    Raises UsageError where the file of groups cannot be read.
    """
    found = base
    given = values.get("groups")
    if given == NO_GROUPS:
        found = replace(found, grouped=False, labels={}, source=None)
    elif given:
        found = _of_file(found, Path(given))
    for name in ("interval", "correction"):
        if values.get(name):
            found = replace(found, **{name: values[name]})
    return found


def _of_file(base: Inference, path: Path) -> Inference:
    labels, print_ = read_groups(path), fingerprint(path)
    source = Source("groups", str(path.absolute()), print_.size, print_.sha256)
    return replace(base, grouped=True, labels=labels, source=source)
