"""Command `jurydesk fid A B`: Frechet distance of two sets of pictures, and other measures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, output_errors
from jurydesk.core.cli.output import deliver, json_option, target_option
from jurydesk.core.cli.parameters import PATH, PLACE, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tables.text_table import align_columns

PRESETS = ("fusionbrain", "pytorch-fid", "clean")
NETWORKS = ("inception", "clip", "ruclip", "dinov2")
CLIP = ("clip", "ruclip")
ALL, CMMD = "all", "cmmd"
ALSO = ("kid", "kid_full", "precision", "recall", "density", "coverage", CMMD, ALL)
"""Measures beside the distance; `all` are those that the network has."""


@click.pass_obj
def fid_command(
    context: CommandContext,
    /,
    one: Path,
    other: Path | None,
    preset: str,
    network: tuple[str, ...],
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
    networks = tuple(dict.fromkeys(network or NETWORKS[:1]))
    if len(networks) > 1 and (json or save):
        raise click.UsageError("--json and --save are for one --network.")
    distances = [
        FidCalculator(
            weight_arguments(weights),
            preset,
            "exact" if exact else "published",
            network=name,
            also=chosen_measures(also, name, networks),
            resamples=resamples,
        )
        for name in networks
    ]
    try:
        if save is not None:
            return save_statistics(context, distances[0], one, save)
        if other is None:
            raise click.UsageError("Give a second folder or .npz file, or --save FILE.npz.")
        return print_distances(context, distances, one, other, json)
    except UnusablePictures as unusable:
        context.report(unusable.defects)
        raise CommandError(str(unusable), INPUT_ERRORS) from unusable
    except UsageError as unusable:
        # The arguments are valid at this point: the error is about the content of a path.
        raise CommandError(str(unusable), INPUT_ERRORS) from unusable


def print_distances(
    context: CommandContext, distances: Sequence[Any], one: Path, other: Path, json: Path | None
) -> int:
    """Compute the distance of two sets by each network, and print them or write one as JSON."""
    from jurydesk.core.neural.inception.fid_record import make_record
    from jurydesk.core.neural.inception.joint_features import distances_together

    with open_run(context) as run:
        results = distances_together(distances, one, other, run)
        records = [
            make_record(calculator, found, (one, other), run)
            for calculator, found in zip(distances, results, strict=True)
        ]
    defects = dict.fromkeys(defect for found in results for defect in found.defects)
    context.report(tuple(defects))
    return deliver(distance_lines(records), (json, records[0].to_json(results[0].defects)))


def chosen_measures(
    names: tuple[str, ...], network: str, networks: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the measures of the option for a network, each once and in one order.

    CMMD is left to CLIP if CLIP is one of the networks.
    """
    lacks = network not in CLIP and (ALL in names or set(networks) & set(CLIP))
    every = ALSO[:-1] if ALL in names else names
    return tuple(name for name in ALSO[:-1] if name in every and not (lacks and name == CMMD))


def distance_lines(records: Sequence[Any]) -> list[str]:
    """Return the distance alone, or a line for every network and measure with its uncertainty."""
    first, *others = records
    if not (others or first.measures) and first.interval is None:
        return [repr(first.fid)]
    rows = [row for record in records for row in distance_rows(record)]
    if others:
        networks = [record.network for record in records for _ in distance_rows(record)]
        rows = [(network, *row) for network, row in zip(networks, rows, strict=True)]
    return align_columns(rows[0], rows[1:])


def distance_rows(record: Any) -> list[tuple[str, ...]]:
    """Return name, value and uncertainty of a distance and of the measures beside it."""
    low, high = record.interval or (None, None)
    distance = ("fid", repr(record.fid), "" if low is None else f"[{low:.6g}, {high:.6g}]")
    rows = [
        (one.name, repr(one.value), "" if one.error is None else f"± {one.error:.2g}")
        for one in record.measures
    ]
    return [distance, *rows]


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
            multiple=True,
            help="Network whose features are compared, inception by default; with several, each "
            "picture is decoded once.",
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
            type=PLACE,
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
