"""`jurydesk coco-caption ANNOTATIONS RESULTS`: the output of pycocoevalcap's example."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CHUNKS, CliCommand, CommandContext
from jurydesk.core.cli.drop_in import evaluate_one
from jurydesk.core.cli.exit_codes import DONE, input_errors
from jurydesk.core.cli.output import target_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.model.decoding import whole_number
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.captions.captions_options import ALL, RESULTS
from jurydesk.core.tasks.captions.coco_api import coco_report, coco_scores, image_scores


@click.pass_obj
def coco_caption(
    context: CommandContext,
    /,
    annotations: Path,
    results: Path,
    images: str,
    scores: Path | None,
    per_image: Path | None,
) -> int:
    """Print the scores and optionally write them as JSON."""
    inputs = {"references": [annotations], "results": [results]}
    evaluation = evaluate_one(context, inputs, "captions", images=images)
    values = coco_scores(evaluation)
    sys.stdout.write(coco_report(evaluation))
    sys.stdout.writelines(f"{name}: {value:.3f}\n" for name, value in values.items())
    if scores is not None:
        _write(scores, values)
    if per_image is not None:
        _write(per_image, image_scores(evaluation, map(_image_id, evaluation.items.ids)))
    return DONE


def _image_id(item: str) -> int | str:
    """Return an image's id as in the annotations: an integer if the text is one."""
    number = whole_number(item)
    return item if number is None or str(number) != item else number


def _write(path: Path, value: Any) -> None:
    with input_errors():
        write_atomically(path, (json.dumps(value) + "\n").encode())


command = CliCommand(
    "coco-caption",
    callback=coco_caption,
    uses=CHUNKS,
    params=[
        click.Argument(["annotations"], type=PATH),
        click.Argument(["results"], type=PATH),
        click.Option(
            ["--images"],
            type=click.Choice([RESULTS, ALL]),
            default=RESULTS,
            show_default=True,
            help="Score the images of the results, as pycocoevalcap's example does, or all.",
        ),
        target_option("--eval", "scores", help="Write the scores as JSON."),
        target_option("--evalImgs", "per_image", help="Write the scores of each image as JSON."),
    ],
    help="Print the output of pycocoevalcap's example, for scripts that call it.",
)
