"""`jurydesk convert densecap`: ground truth as one of the programs prepares it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.cli.parameters import file_option
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Place, error, has_errors
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.preparation import PREPARATIONS, prepare_regions
from jurydesk.core.tasks.densecap.readers.image_data import with_image_sizes
from jurydesk.core.tasks.densecap.readers.region_reader import read_regions

if TYPE_CHECKING:
    from jurydesk.core.tasks.densecap.readers.regions import Regions


@click.pass_obj
def convert_ground_truth(
    context: CommandContext,
    /,
    competition: str,
    ground_truth: Path,
    image_data: Path | None,
    prepare: str,
    json: Path | None,
) -> int:
    """Write the prepared boxes and captions of each image."""
    with open_run(context) as run:
        reading = read_regions(ground_truth, "ground-truth", DenseCapOptions(), run)
        defects = list(reading.defects)
        if reading.data is not None and image_data is not None:
            reading = with_image_sizes(reading.data, image_data, run)
            defects += reading.defects
    if reading.data is not None and (unsized := _unsized_images(reading.data)):
        defects.append(
            error(
                Place(str(ground_truth)),
                fill("The sizes of {images} are unknown: {names}.", *unsized),
                '"width" and "height" of every image are expected.',
            )
        )
    context.report(defects)
    if reading.data is None or has_errors(defects):
        return INPUT_ERRORS
    images = prepare_regions(reading.data, PREPARATIONS[prepare])
    kept = sum(len(image["boxes"]) for image in images)
    line = fill(
        "{kept:,} of {boxes:,} boxes of {images} are kept.",
        kept,
        len(reading.data.captions),
        counted(len(images), "image"),
    )
    deliver([line], (json, {"images": list(images)}))
    return DONE


def _unsized_images(regions: Regions) -> tuple[str, str] | None:
    """Return how many images with boxes have no size, and their names; None if all have one."""
    counts = np.diff(regions.starts).tolist()
    unsized = [
        image
        for image, count in zip(regions.images, counts, strict=True)
        if count and image not in regions.sizes
    ]
    return (counted(len(unsized), "image"), name_list(unsized)) if unsized else None


command = CliCommand(
    "convert",
    callback=convert_ground_truth,
    params=[
        click.Argument(["competition"], type=click.Choice(["densecap"])),
        file_option("--ground-truth", required=True, help="Captioned boxes by people (JSON)."),
        file_option("--image-data", help="Sizes of the images: Visual Genome's image_data.json."),
        click.Option(
            ["--prepare"],
            required=True,
            type=click.Choice(list(PREPARATIONS)),
            help="Program whose preparation of boxes and captions is applied.",
        ),
        json_option(),
    ],
    help="Prepare ground truth of dense captioning as one of the programs does.",
)
