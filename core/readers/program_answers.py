"""Texts for ids that other programs wrote, read under the names of a competition.

A program is known by the members of its records. Records of no known program are read if one other
name for the id, and one for the text, leave no choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.id_spellings import plain_id
from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.readers.result_table import read_result_table

Steps = tuple[str | int, ...]
"""Names and places that lead from a record to a value."""

CAPTION_TOKENS = ("<CAPTION>", "<DETAILED_CAPTION>", "<MORE_DETAILED_CAPTION>")
"""Tasks of Florence-2 whose result is a caption."""
PREDICTED = (
    *("prediction", "predicted", "pred", "predicted_answer", "pred_answer", "model_answer"),
    *("predicted_caption", "pred_caption", "generated_caption", "caption_pred"),
    *("generated_text", "model_output", "response", "output", *CAPTION_TOKENS),
)
"""Names of a text that a model gave."""
OTHER_IDS: Mapping[str, tuple[str, ...]] = {
    "image_id": ("imageId", "img_id", "image", "image_name", "img_name", "file_name", "filename"),
}
"""Other names of an id, by that of a competition; programs of questions refuse such."""
READ_AS = translatable("The file is an output of {program}: {members} are read.")
OTHER_NAMES = translatable('"{id}" and "{text}" are read as "{id2}" and "{text2}".')


@dataclass(frozen=True, slots=True)
class AnswerProgram:
    """Program that writes a record for each prompt, whose members tell it.

    `ids` and `texts` are the places of the id and of the text; the first that a record has counts.
    """

    name: str
    members: frozenset[str]
    ids: tuple[Steps, ...]
    texts: tuple[Steps, ...]


_NAMES_OF_IDS = ("question_id", "questionId", "image_id", "id")
PROGRAMS = (
    AnswerProgram(
        "LLaVA",
        frozenset(("question_id", "text", "answer_id", "model_id")),
        (("question_id",),),
        (("text",),),
    ),
    AnswerProgram(
        "OpenAI's Batch API",
        frozenset(("custom_id", "response")),
        (("custom_id",),),
        (
            ("response", "body", "choices", 0, "message", "content"),
            ("response", "body", "choices", 0, "text"),
            ("response", "body", "output", 0, "content", 0, "text"),
        ),
    ),
    AnswerProgram(
        "Anthropic's Message Batches",
        frozenset(("custom_id", "result")),
        (("custom_id",),),
        (("result", "message", "content", 0, "text"),),
    ),
    AnswerProgram(
        "lm-evaluation-harness",
        frozenset(("doc", "filtered_resps")),
        tuple(("doc", name) for name in _NAMES_OF_IDS),
        (("filtered_resps", 0), ("filtered_resps",)),
    ),
)


def read_program_answers(
    file: JsonFile, id_name: str, text_name: str, *, text_ids: bool = False
) -> JsonFile:
    """Return a file of another program, or a table, as a list of entries with an id and a text.

    A note says what was read. Any other file is returned as it is, with a warning if its entries
    have a second text that a model may have given. Ids that are written as whole numbers are
    numbers, unless all ids are texts (`text_ids`).
    """
    if not file.is_readable:
        return _with_table_entries(file, id_name, text_name, text_ids=text_ids)
    records = _records(file.data)
    if records is None:
        return file
    first = records[0]
    if id_name in first and text_name in first:
        return _with_doubt(file, records, text_name)
    found = _of_program(records) or _by_other_names(records, id_name, text_name)
    if found is None:
        return file
    ids, texts, said = found
    entries: list[Json] = [
        {
            id_name: written_id(key) if isinstance(key, str) and not text_ids else key,
            text_name: text,
        }
        for key, text in zip(ids, texts, strict=True)
    ]
    return replace(file, data=entries, defects=(*file.defects, note(Place(str(file.path)), said)))


def written_id(text: str) -> int | str:
    """Return an id of a text: a number if it is written as a whole number."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if is_number and str(int(text)) == text else text


MOST_DIGITS = 18


def _records(data: Json) -> list[dict[str, Json]] | None:
    """Return the records of a list, or of lmms-eval's member `logs`; None for anything else."""
    if isinstance(data, dict) and {"model_configs", "logs"} <= data.keys():
        data = data["logs"]
    are_records = isinstance(data, list) and data and all(isinstance(one, dict) for one in data)
    return data if are_records else None


Found = tuple[list[Json], list[Json], str]


def _of_program(records: Sequence[dict[str, Json]]) -> Found | None:
    """Return ids and texts of the records of a known program, with a note."""
    for program in PROGRAMS:
        if not all(program.members <= one.keys() for one in records):
            continue
        key_steps, text_steps = (
            _steps(records, program.ids),
            _steps(records, program.texts),
        )
        if key_steps is None or text_steps is None:
            return None
        members = name_list([_written(key_steps), _written(text_steps)])
        said = fill(READ_AS, program.name, members)
        return _values(records, [key_steps]), _values(records, program.texts), said
    return None


def _steps(records: Sequence[dict[str, Json]], known: Iterable[Steps]) -> Steps | None:
    """Return the first way that leads to a text or a number in any of the records."""
    ways = (way for way in known for one in records if type(_at(one, way)) in (str, int))
    return next(ways, None)


def _values(records: Sequence[dict[str, Json]], ways: Sequence[Steps]) -> list[Json]:
    """Return the value of each record by the first way that leads to one; None without."""

    def value(record: dict[str, Json]) -> Json:
        found = (_at(record, way) for way in ways)
        return next((one for one in found if type(one) in (str, int)), None)

    return list(map(value, records))


def _at(value: Any, way: Steps) -> Any:
    for step in way:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def _written(way: Steps) -> str:
    return "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in way)[1:]


def _by_other_names(
    records: Sequence[dict[str, Json]], id_name: str, text_name: str
) -> Found | None:
    """Return ids and texts under other names of theirs, if there is no choice, with a note."""
    if id_name not in OTHER_IDS:
        return None
    ids = [id_name] if id_name in records[0] else [*_in_all(records, OTHER_IDS[id_name])]
    texts = [text_name] if text_name in records[0] else [*_in_all(records, PREDICTED)]
    if len(ids) != 1 or len(texts) != 1:
        return None
    said = fill(OTHER_NAMES, ids[0], texts[0], id_name, text_name)
    return _values(records, [(ids[0],)]), [one.get(texts[0]) for one in records], said


def _in_all(records: Sequence[dict[str, Json]], names: Iterable[str]) -> Iterator[str]:
    """Yield the names of a text or a number that every record has."""
    return (
        name
        for name in names
        if name in records[0] and all(type(one.get(name)) in (str, int) for one in records)
    )


def _with_doubt(file: JsonFile, records: Sequence[dict[str, Json]], text_name: str) -> JsonFile:
    """Return a file with a warning if its texts may be the true ones beside those of a model."""
    others = [*_in_all(records, (one for one in PREDICTED if one != text_name))]
    return replace(file, defects=(*file.defects, *_doubt(file, others, text_name)))


def _doubt(file: JsonFile, others: Sequence[str], text_name: str) -> Iterator[Defect]:
    if others:
        names = name_list([f'"{one}"' for one in others])
        found = fill('"{text}" is read; the entries also have {names}.', text_name, names)
        yield warning(Place(str(file.path)), found, "", "Check which is the model's.")


def _with_table_entries(
    file: JsonFile, id_name: str, text_name: str, *, text_ids: bool
) -> JsonFile:
    """Return a file that is a table with an id and a text as a list of entries."""
    table = file.described_table
    if not table:
        return file
    wanted = (id_name, text_name, *OTHER_IDS.get(id_name, ()), *PREDICTED)
    reading = read_result_table(file.path, wanted)
    if reading.data is None:
        return replace(file, defects=reading.defects)
    cells = reading.data.cells
    rows = [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
    found = fill("The file is {table}.", table)
    said = note(Place(str(file.path)), found, "It was read as a list of results.")
    listed = replace(file, data=rows, defects=(*reading.defects, said))
    if id_name in cells and text_name in cells:
        keys = (plain_id(one[id_name]) for one in rows)
        ids = [key if text_ids else written_id(key) for key in keys]
        entries = [{**one, id_name: key} for key, one in zip(ids, rows, strict=True)]
        return _with_doubt(replace(listed, data=entries), rows, text_name)
    read = read_program_answers(listed, id_name, text_name, text_ids=text_ids) if rows else listed
    return file if read is listed else read
