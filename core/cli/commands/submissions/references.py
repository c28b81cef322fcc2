"""`jurydesk references`: build VisDial's reference sets, or cluster correlations alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    input_errors,
    output_errors,
    require_writable,
)
from jurydesk.core.cli.output import (
    is_standard_output,
    json_option,
    write_json_output,
    write_output,
)
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.text.text_table import align_columns
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, Json
from jurydesk.core.readers.npz import DAMAGES, require_valid_npz
from jurydesk.core.system.paths import cache_folder

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.visdial.reference_sets.order import BuildSpec, BuildSummary

FOLDER = "references"
"""Where finished parts of sets are kept within the cache."""
SLICE = 512
"""Questions that are clustered between two looks at a cancel."""
SHAPE = 'Arrays "correlations" (questions, candidates) and "gt_index" (questions,) are expected.'


@click.pass_obj
def build_reference_sets(surroundings: CommandContext, /, json: Path | None, **values: Any) -> int:
    """Read everything, tell the defects, build and write the sets, print their meters."""
    from jurydesk.core.execution.cache import FolderCache
    from jurydesk.core.tasks.visdial.reference_sets.order import build_and_write, read_build_inputs

    order = reference_set_order(**values)
    for target, option in ((order.out, "--out"), (order.correlations, "--correlations"),
                           (json, "--json")):  # fmt: skip
        require_writable(target, option)
    with open_run(surroundings, FolderCache(cache_folder() / FOLDER)) as run:
        reading = read_build_inputs(order, run)
        surroundings.report(reading.defects)
        if reading.data is None:
            return INPUT_ERRORS
        with output_errors(order.out):
            delivery = build_and_write(order, reading.data, run)
    if json is not None:
        write_json_output(json, delivery_json(order, delivery))
    if not is_standard_output(json):
        for line in delivery_lines(delivery):
            print_result(line)
    return DONE


def reference_set_order(
    method: Any, cca: Any, annotated: bool, components: int, power: float, **files: Any
) -> BuildSpec:
    """The order that the arguments describe."""
    from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions
    from jurydesk.core.tasks.visdial.reference_sets.order import BuildSpec

    if method != "H" and files["embeddings"] is None:
        raise click.UsageError(f"Method {method} needs --embeddings FILE.bin, a fastText model.")
    return BuildSpec(recipe=BuildOptions(method, cca, annotated, components, power), **files)


def delivery_lines(delivery: BuildSummary) -> list[str]:
    """How many sets there are, and the mean and standard deviation of each meter."""
    rows = [
        [meter.name, f"{meter.mean:.4f}", f"{meter.std:.4f}", f"{meter.n:,}"]
        for meter in delivery.meters
    ]
    return [
        f"{delivery.sets:,} reference sets",
        *align_columns(("", "mean", "std", "n"), rows, right={1, 2, 3}),
    ]


def delivery_json(order: BuildSpec, delivery: BuildSummary) -> Json:
    """The same as JSON, with an undefined number as null."""
    return {
        "schema": 1,
        "method": order.recipe.method,
        "sets": delivery.sets,
        "meters": {
            meter.name: {
                "mean": meter.mean if meter.n else None,
                "std": meter.std if meter.n > 1 else None,
                "n": meter.n,
            }
            for meter in delivery.meters
        },
    }


@click.pass_obj
def masks_command(
    surroundings: CommandContext, /, correlations: Path, method: Any, out: Path
) -> int:
    """Cluster the correlations of a file, and write which candidates are chosen."""
    require_writable(out, "--out")
    values, truth = read_correlations(correlations)
    with open_run(surroundings) as run:
        chosen = cluster_correlations(values, truth, method, run)
    write_output(out, json.dumps({"masks": chosen.astype(int).tolist()}).encode())
    return DONE


def cluster_correlations(values: FloatArray, truth: IntArray, method: Any, run: Run) -> BoolArray:
    """The reference sets (questions, candidates), some questions at a time."""
    from jurydesk.core.tasks.visdial.reference_sets.methods import reference_masks

    starts = range(0, len(values), SLICE)
    parts = run.map(
        lambda start: reference_masks(
            values[start : start + SLICE], truth[start : start + SLICE], method
        ),
        starts,
        total=len(starts),
        text="Reference sets",
    )
    return np.concatenate([np.zeros((0, values.shape[1]), dtype=bool), *parts])


def read_correlations(path: Path) -> tuple[FloatArray, IntArray]:
    """The correlations and true answers of an .npz file; a Fault for anything else."""
    try:
        with input_errors(), path.open("rb") as file:
            require_valid_npz(file, ("correlations", "gt_index"))
            with np.load(file, allow_pickle=False) as arrays:
                if not {"correlations", "gt_index"} <= set(arrays):
                    raise CommandError(
                        f"{path}: it is no .npz with the arrays. {SHAPE}", INPUT_ERRORS
                    )
                values, truth = arrays["correlations"], arrays["gt_index"]
    except DAMAGES as fault:
        raise CommandError(
            f"{path}: it is no .npz of plain numbers. {SHAPE}", INPUT_ERRORS
        ) from fault
    problem = shape_problem(values, truth)
    if problem:
        raise CommandError(f"{path}: {problem} {SHAPE}", INPUT_ERRORS)
    return values, truth.astype(np.int64)


def shape_problem(values: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> str:
    """What is wrong with the two arrays; empty where nothing is."""
    from jurydesk.core.tasks.visdial.reference_sets.conversations import FEWEST

    if values.ndim != 2 or values.dtype.kind != "f" or values.shape[1] < FEWEST:
        return f'"correlations" is {values.dtype} {values.shape}.'
    if truth.shape != values.shape[:1] or truth.dtype.kind not in "iu":
        return f'"gt_index" is {truth.dtype} {truth.shape}.'
    if not np.isfinite(values).all():
        return "A correlation is not finite."
    if len(truth) and not (int(truth.min()) >= 0 and int(truth.max()) < values.shape[1]):
        return 'A "gt_index" names no candidate.'
    return ""


METHOD = click.Option(
    ["--method"],
    type=click.Choice(["S", "M", "G"]),
    required=True,
    help="S: within a standard deviation of the best; M: mean shift; G: five clusters by Ward.",
)


BUILD = CliCommand(
    "build",
    callback=build_reference_sets,
    params=[
        click.Option(
            ["--method"],
            type=click.Choice(["S", "M", "G", "H"]),
            required=True,
            help="S: within a standard deviation of the best; M: mean shift; G: five clusters by "
            "Ward; H: what people found relevant.",
        ),
        file_option("--dialogs", help="Dialogues to build sets for (VisDial JSON).", required=True),
        file_option("--embeddings", help="A fastText model; H can do without.", metavar="FILE.bin"),
        file_option("--relevance", help="What people found relevant in those dialogues."),
        file_option("--train", help="Dialogues to learn from; those of --dialogs if not given."),
        file_option(
            "--train-relevance", help="What people found relevant in the training dialogues."
        ),
        file_option("--out", help="Where the sets go (JSON).", required=True),
        click.Option(
            ["--cca"],
            type=click.Choice(["full", "human"]),
            default="full",
            show_default=True,
            help="Learn from every true answer, or from the answers that people found relevant.",
        ),
        flag("--annotated", help="Only sets for annotated rounds."),
        click.Option(
            ["--components"],
            type=click.IntRange(min=1),
            metavar="N",
            default=300,
            show_default=True,
            help="How many canonical directions are used.",
        ),
        click.Option(
            ["--power"],
            type=float,
            metavar="NUMBER",
            default=1.0,
            show_default=True,
            help="Each direction weighs its eigenvalue to this power.",
        ),
        file_option("--correlations", help="Write the correlations too.", metavar="FILE.npz"),
        flag(
            "--explained", help="Write correlations and threshold into the sets, for the inspector."
        ),
        json_option(),
    ],
    short_help="Build the sets from dialogues.",
    help="Build VisDial's reference sets: which candidate answers count as right.\n\n"
    "Stopped work goes on where it was when the same command is given again.",
)

MASKS = CliCommand(
    "masks",
    callback=masks_command,
    params=[
        file_option(
            "--correlations",
            help='Arrays "correlations" (questions, candidates) and "gt_index".',
            required=True,
            metavar="FILE.npz",
        ),
        METHOD,
        file_option("--out", help='Where {"masks": ...} goes.', required=True, metavar="FILE.json"),
    ],
    short_help="Choose reference sets from correlations alone.",
    help="Choose reference sets from correlations alone.",
)

command = SuggestingGroup(
    "references",
    commands=[BUILD, MASKS],
    help="Build reference sets of visual dialogues.",
)
