"""`jurydesk coco-caption ANNOTATIONS RESULTS`: what the example of pycocoevalcap prints."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.drop_in import evaluate_one
from jurydesk.core.cli.exit_codes import DONE, input_errors, require_writable
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.captions.captions_options import ALL, RESULTS
from jurydesk.core.tasks.captions.coco_api import coco_report, coco_scores, image_scores


@click.pass_obj
def coco_caption(
    surroundings: CommandContext,
    /,
    annotations: Path,
    results: Path,
    images: str,
    scores: Path | None,
    of_images: Path | None,
) -> int:
    """Print the scores, and write them as JSON where that is asked for."""
    require_writable(scores, "--eval")
    require_writable(of_images, "--evalImgs")
    inputs = {"references": [annotations], "results": [results]}
    evaluation = evaluate_one(surroundings, inputs, "captions", images=images)
    found = coco_scores(evaluation)
    sys.stdout.write(coco_report(evaluation))
    sys.stdout.writelines(f"{name}: {value:.3f}\n" for name, value in found.items())
    if scores is not None:
        _write(scores, found)
    if of_images is not None:
        _write(of_images, image_scores(evaluation, map(_image_id, evaluation.items.ids)))
    return DONE


def _image_id(item: str) -> int | str:
    """Return an image's id as the annotations have it: a whole number, mostly."""
    return int(item) if item.isdecimal() and str(int(item)) == item else item


def _write(path: Path, value: Any) -> None:
    with input_errors():
        write_atomically(path, (json.dumps(value) + "\n").encode())


command = CliCommand(
    "coco-caption",
    callback=coco_caption,
    params=[
        click.Argument(["annotations"], type=PATH),
        click.Argument(["results"], type=PATH),
        click.Option(
            ["--images"],
            type=click.Choice([RESULTS, ALL]),
            default=RESULTS,
            show_default=True,
            help="Score the images of the results, as the example does, or all.",
        ),
        file_option("--eval", "scores", help="Write the scores as JSON."),
        file_option("--evalImgs", "of_images", help="Write the scores of each image as JSON."),
    ],
    help="Print what the example of pycocoevalcap prints, for scripts that called it.",
)
