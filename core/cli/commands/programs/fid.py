"""Command `jurydesk fid A B`: Frechet distance of two sets of pictures, and other measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, output_errors
from jurydesk.core.cli.output import deliver, json_option, target_option
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tables.text_table import align_columns

PRESETS = ("fusionbrain", "pytorch-fid", "clean")
NETWORKS = ("inception", "clip", "ruclip", "dinov2")
ALL = "all"
ALSO = ("kid", "kid_full", "precision", "recall", "density", "coverage", "cmmd", ALL)
"""Measures beside the distance; `all` are those that the network has."""


@click.pass_obj
def fid_command(
    context: CommandContext,
    /,
    one: Path,
    other: Path | None,
    preset: str,
    network: str,
    also: tuple[str, ...],
    resamples: int,
    exact: bool,
    weights: tuple[str, ...],
    save: Path | None,
    json: Path | None,
) -> int:
    """Print the distance, or save the statistics of one set."""
    from jurydesk.core.neural.inception.fid_score import FidCalculator
    from jurydesk.core.neural.inception.image_features import UnusablePictures
    from jurydesk.core.neural.weights.weight_roles import weight_arguments

    for place in filter(None, (one, other)):
        if not place.exists():
            raise CommandError(
                fill("{place}: there is no such file or folder.", place), INPUT_ERRORS
            )
    distances = FidCalculator(
        weight_arguments(weights),
        preset,
        "exact" if exact else "published",
        network=network,
        also=chosen_measures(also, network),
        resamples=resamples,
    )
    try:
        if save is not None:
            return save_statistics(context, distances, one, save)
        if other is None:
            raise click.UsageError("Give a second folder or .npz file, or --save FILE.npz.")
        return print_distance(context, distances, one, other, json)
    except UnusablePictures as unusable:
        context.report(unusable.defects)
        raise CommandError(str(unusable), INPUT_ERRORS) from unusable
    except UsageError as unusable:
        # The arguments are valid at this point: the error is about the content of a path.
        raise CommandError(str(unusable), INPUT_ERRORS) from unusable


def print_distance(
    context: CommandContext, distances: Any, one: Path, other: Path, json: Path | None
) -> int:
    """Compute the distance of two sets, and print it or write it as JSON."""
    from jurydesk.core.neural.inception.fid_record import make_record

    with open_run(context) as run:
        found = distances.between(one, other, run)
        record = make_record(distances, found, (one, other), run)
    context.report(found.defects)
    return deliver(distance_lines(record), (json, record.to_json(found.defects)))


def chosen_measures(names: tuple[str, ...], network: str) -> tuple[str, ...]:
    """Return the measures of the option, each once and in one order."""
    has_texts = network in ("clip", "ruclip")
    every = [name for name in ALSO if name != ALL and (has_texts or name != "cmmd")]
    return tuple(name for name in ALSO[:-1] if name in names or (ALL in names and name in every))


def distance_lines(record: Any) -> list[str]:
    """Return the distance alone, or a line for every measure with its uncertainty."""
    if not record.measures and record.interval is None:
        return [repr(record.fid)]
    low, high = record.interval or (None, None)
    distance = ("fid", repr(record.fid), "" if low is None else f"[{low:.6g}, {high:.6g}]")
    rows = [
        (one.name, repr(one.value), "" if one.error is None else f"± {one.error:.2g}")
        for one in record.measures
    ]
    return align_columns(distance, rows)


def save_statistics(context: CommandContext, distances: Any, place: Path, target: Path) -> int:
    """Write mean and covariance of a set, which can replace its pictures."""
    from jurydesk.core.neural.inception.npz_statistics import is_statistics_file, write_statistics

    reads_pictures = not is_statistics_file(place)
    with open_run(context) as run:
        reader = distances.reader(run) if reads_pictures else None
        found, defects = distances.statistics(place, reader, run)
    context.report(defects)
    with output_errors(target):
        write_statistics(target, found)
    return DONE


command = CliCommand(
    "fid",
    callback=fid_command,
    uses=COMPUTING,
    params=[
        click.Argument(["one"], type=PATH, metavar="A"),
        click.Argument(["other"], type=PATH, metavar="B", required=False),
        click.Option(
            ["--preset"],
            type=click.Choice(PRESETS),
            default=PRESETS[0],
            show_default=True,
            help="Resize pictures as this program does.",
        ),
        click.Option(
            ["--network"],
            type=click.Choice(NETWORKS),
            default=NETWORKS[0],
            show_default=True,
            help="Network whose features are compared; all but inception prepare pictures "
            "themselves.",
        ),
        click.Option(
            ["--also"],
            type=click.Choice(ALSO),
            multiple=True,
            help="Compute another measure of the same features; A is generated, B real.",
        ),
        click.Option(
            ["--resamples"],
            type=click.IntRange(0, 10_000),
            default=0,
            metavar="N",
            show_default=True,
            help="Give an interval of the distance from this many resamples of A.",
        ),
        flag("--exact", help="Compute the trace without rounding noise."),
        click.Option(
            ["--weights"],
            multiple=True,
            metavar="ROLE=PATH",
            help="Path of the weights: inception=FILE, or clip=FOLDER for another network.",
        ),
        target_option(
            "--save", metavar="FILE.npz", help="Write the statistics of A instead of comparing."
        ),
        json_option(),
    ],
    help="Compute the Frechet distance of two folders of pictures or .npz files, by Inception or "
    "another network, with KID, precision and recall and others on request.",
)
