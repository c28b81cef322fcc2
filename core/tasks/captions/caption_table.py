"""Captions in a table of separated values, read as a list of results."""

from __future__ import annotations

import re
from dataclasses import replace

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Place, note
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.readers.result_table import read_result_table
from jurydesk.core.tasks.captions.annotation_reader import CAPTION, IMAGE_ID
from jurydesk.core.tasks.captions.captions import ImageId

_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")


def with_table_entries(file: JsonFile) -> JsonFile:
    """Return a file that is a table with `image_id` and `caption` as a list of results.

    Any other file is returned as it is: JSON, or one whose error says what it is.
    """
    table = "" if file.is_readable else file.described_table
    if not table:
        return file
    reading = read_result_table(file.path, (IMAGE_ID.name, CAPTION.name))
    if reading.data is None:
        return replace(file, defects=reading.defects)
    cells = reading.data.cells
    if len(cells) < 2:
        return file
    entries: list[Json] = [
        {IMAGE_ID.name: written_id(image), CAPTION.name: caption}
        for image, caption in zip(cells[IMAGE_ID.name], cells[CAPTION.name], strict=True)
    ]
    found = fill("The file is {table}.", table)
    said = note(Place(str(file.path)), found, "It was read as a list of results.")
    return replace(file, data=entries, defects=(*reading.defects, said))


def written_id(text: str) -> ImageId:
    """Return an image id of a text: a number if it is written as a whole number."""
    return int(text) if _WHOLE.fullmatch(text) else text
