"""Command `jurydesk references`: build VisDial's reference sets, or only cluster correlations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    CommandError,
    input_errors,
    output_errors,
)
from jurydesk.core.cli.output import (
    deliver,
    json_option,
    target_option,
    write_output,
)
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import (
    fill,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, Json
from jurydesk.core.readers.npz import DAMAGES, require_valid_npz
from jurydesk.core.system.paths import cache_folder
from jurydesk.core.tables.numbers import number
from jurydesk.core.tables.text_table import align_columns

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.visdial.reference_sets.order import BuildSpec, BuildSummary

FOLDER = "references"
"""Folder of finished parts of sets in the cache."""
BATCH_QUESTIONS = 512
"""Number of questions that are clustered between two checks for a cancellation."""
EXPECTED_ARRAYS = (
    'Expected arrays "correlations" (questions, candidates) and "gt_index" (questions,).'
)


@click.pass_obj
def build_reference_sets(context: CommandContext, /, json: Path | None, **values: Any) -> int:
    """Read the inputs, print defects, build and write the sets, print their statistics."""
    from jurydesk.core.execution.cache import FolderCache
    from jurydesk.core.tasks.visdial.reference_sets.order import build_and_write, read_build_inputs

    spec = build_spec(**values)
    with open_run(context, FolderCache(cache_folder() / FOLDER)) as run:
        reading = read_build_inputs(spec, run)
        context.report(reading.defects)
        if reading.data is None:
            return INPUT_ERRORS
        with output_errors(spec.out):
            summary = build_and_write(spec, reading.data, run)
    return deliver(summary_lines(summary), (json, summary_json(spec, summary)))


def build_spec(
    method: Any, cca: Any, annotated: bool, components: int, power: float, **files: Any
) -> BuildSpec:
    """Return the build specification of the arguments."""
    from jurydesk.core.tasks.visdial.reference_sets.builder import BuildOptions
    from jurydesk.core.tasks.visdial.reference_sets.order import BuildSpec

    if method != "H" and files["embeddings"] is None:
        raise click.UsageError(
            fill("Method {method} needs --embeddings FILE.bin, a fastText model.", method)
        )
    return BuildSpec(recipe=BuildOptions(method, cca, annotated, components, power), **files)


def summary_lines(summary: BuildSummary) -> list[str]:
    """Format the number of sets, and the mean and standard deviation of each statistic."""
    rows = [
        [
            translate_text(meter.name),
            *map(number, (meter.mean, meter.std)),
            number(meter.n, 0),
        ]
        for meter in summary.meters
    ]
    heads = ("", translate("mean"), translate("std"), "n")
    return [
        translate_plural("{count} reference set", "{count} reference sets", summary.sets),
        *align_columns(heads, rows, right={1, 2, 3}),
    ]


def summary_json(spec: BuildSpec, summary: BuildSummary) -> Json:
    """Return the summary as JSON values, with undefined numbers as null."""
    return {
        "schema": 1,
        "method": spec.recipe.method,
        "sets": summary.sets,
        "meters": {
            meter.name: {
                "mean": meter.mean if meter.n else None,
                "std": meter.std if meter.n > 1 else None,
                "n": meter.n,
            }
            for meter in summary.meters
        },
    }


@click.pass_obj
def masks_command(context: CommandContext, /, correlations: Path, method: Any, out: Path) -> int:
    """Cluster the correlations of a file, and write the chosen candidates."""
    values, truth = read_correlations(correlations)
    with open_run(context) as run:
        chosen = cluster_correlations(values, truth, method, run)
    write_output(out, json.dumps({"masks": chosen.astype(int).tolist()}).encode())
    return DONE


def cluster_correlations(values: FloatArray, truth: IntArray, method: Any, run: Run) -> BoolArray:
    """Return the reference sets (questions, candidates), computed in batches."""
    from jurydesk.core.tasks.visdial.reference_sets.methods import reference_masks

    starts = range(0, len(values), BATCH_QUESTIONS)
    parts = run.map(
        lambda start: reference_masks(
            values[start : start + BATCH_QUESTIONS], truth[start : start + BATCH_QUESTIONS], method
        ),
        starts,
        total=len(starts),
        text="Reference sets",
    )
    return np.concatenate([np.zeros((0, values.shape[1]), dtype=bool), *parts])


def read_correlations(path: Path) -> tuple[FloatArray, IntArray]:
    """Read correlations and true answers of an .npz file; raise CommandError on errors."""
    try:
        with input_errors(), path.open("rb") as file:
            require_valid_npz(file, ("correlations", "gt_index"))
            with np.load(file, allow_pickle=False) as arrays:
                if not {"correlations", "gt_index"} <= set(arrays):
                    raise CommandError(
                        translate(
                            "{path} lacks arrays. {expected}",
                            path=path,
                            expected=translate_text(EXPECTED_ARRAYS),
                        ),
                        INPUT_ERRORS,
                    )
                values, truth = arrays["correlations"], arrays["gt_index"]
    except DAMAGES as fault:
        raise CommandError(
            translate(
                "{path} is not an .npz file of numbers. {expected}",
                path=path,
                expected=translate_text(EXPECTED_ARRAYS),
            ),
            INPUT_ERRORS,
        ) from fault
    problem = shape_problem(values, truth)
    if problem:
        reason = f"{translate_text(problem)} {translate_text(EXPECTED_ARRAYS)}"
        raise CommandError(f"{path}: {reason}", INPUT_ERRORS)
    return values, truth.astype(np.int64)


def shape_problem(values: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> str:
    """Return the problem of the two arrays; empty if there is none."""
    from jurydesk.core.tasks.visdial.reference_sets.conversations import FEWEST

    if values.ndim != 2 or values.dtype.kind != "f" or values.shape[1] < FEWEST:
        return fill('"correlations" is {dtype} {shape}.', values.dtype, values.shape)
    if truth.shape != values.shape[:1] or truth.dtype.kind not in "iu":
        return fill('"gt_index" is {dtype} {shape}.', truth.dtype, truth.shape)
    if not np.isfinite(values).all():
        return "A correlation is not finite."
    if len(truth) and not (int(truth.min()) >= 0 and int(truth.max()) < values.shape[1]):
        return 'A value of "gt_index" is out of range.'
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
    uses=("jobs",),
    params=[
        click.Option(
            ["--method"],
            type=click.Choice(["S", "M", "G", "H"]),
            required=True,
            help="S: within a standard deviation of the best; M: mean shift; G: five clusters by "
            "Ward; H: answers that people judged relevant.",
        ),
        file_option("--dialogs", help="Dialogues to build sets for (VisDial JSON).", required=True),
        file_option("--embeddings", help="A fastText model; not needed for H.", metavar="FILE.bin"),
        file_option("--relevance", help="Relevance judgements of those dialogues."),
        file_option("--train", help="Training dialogues; those of --dialogs if not given."),
        file_option("--train-relevance", help="Relevance judgements of the training dialogues."),
        target_option("--out", help="File for the sets (JSON).", required=True),
        click.Option(
            ["--cca"],
            type=click.Choice(["full", "human"]),
            default="full",
            show_default=True,
            help="Train on every true answer, or on the answers that people judged relevant.",
        ),
        flag("--annotated", help="Build only sets of annotated rounds."),
        click.Option(
            ["--components"],
            type=click.IntRange(min=1),
            metavar="N",
            default=300,
            show_default=True,
            help="Number of canonical directions.",
        ),
        click.Option(
            ["--power"],
            type=float,
            metavar="NUMBER",
            default=1.0,
            show_default=True,
            help="Exponent of the eigenvalues that weight the directions.",
        ),
        target_option("--correlations", help="Write the correlations too.", metavar="FILE.npz"),
        flag("--explained", help="Add correlations and threshold to the sets, for the inspector."),
        json_option(),
    ],
    short_help="Build the sets from dialogues.",
    help="Build VisDial's reference sets: the candidate answers that count as right.\n\n"
    "Run the same command again to continue a build that was stopped.",
)

MASKS = CliCommand(
    "masks",
    callback=masks_command,
    uses=("jobs",),
    params=[
        file_option(
            "--correlations",
            help='Arrays "correlations" (questions, candidates) and "gt_index".',
            required=True,
            metavar="FILE.npz",
        ),
        METHOD,
        target_option("--out", help='File for {"masks": ...}.', required=True, metavar="FILE.json"),
    ],
    short_help="Choose reference sets from correlations alone.",
    help="Choose reference sets from correlations alone.",
)

command = SuggestingGroup(
    "references",
    commands=[BUILD, MASKS],
    help="Build reference sets of visual dialogues.",
)
