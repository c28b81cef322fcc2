"""ControlCap's result files by annotation id (val_rank0.json), joined with the ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.metrics.detection.detection_rules import RULES, Profile
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.tasks.densecap.densecap_options import SHAPE_PROGRAMS
from jurydesk.core.tasks.densecap.readers.program_files import first_element, score_or_one
from jurydesk.core.tasks.densecap.readers.region_reader import check_caption, check_score
from jurydesk.core.tasks.densecap.readers.regions import Regions

PLACED = ("image_id", "bbox", "box")
"""Members of results that have their own place."""
IDS = "Ids of the ground truth's annotations are expected."


@dataclass(frozen=True, slots=True)
class _Result:
    place: JsonCursor
    caption: str
    score: float


def has_annotation_results(file: JsonFile) -> bool:
    """Return whether a file is a list of captions by annotation id, without places."""
    entries = file.data
    if not isinstance(entries, list) or not entries:
        return False
    return all(
        isinstance(one, dict) and {"id", "caption"} <= one.keys() and one.keys().isdisjoint(PLACED)
        for one in entries
    )


def read_annotation_results(
    files: Sequence[JsonFile], truth: Regions, profile: Profile
) -> Reading[Regions]:
    """Return the annotations of the ground truth that have a result, with its caption and score.

    They are in the order of the ground truth, into which ControlCap's program writes them.
    """
    results, defects = dict[str, _Result](), list[Defect]()
    total = 0
    for file in files:
        root = JsonCursor.of(file)
        texts = [one["id"] for one in root.value if _is_number_text(one["id"])]
        if texts:
            first = texts[0]
            read = fill('Ids as text are read as numbers: "{text}" as {id}.', first, first)
            root.note(read, count=len(texts))
        found = [one for one in _results(root, profile) if one is not None]
        total += len(found)
        results |= dict(found)
        defects += root.defects.to_tuple()
    place = Place(str(files[0].path))
    if not has_errors(defects):
        defects += _unknown(results, truth, place)
    if repeated := total - len(results):
        text = fill("Repeated annotations: {count:,}.", repeated)
        effect = "PyTorch's distributed sampler repeats items to fill the last batch."
        defects.append(
            warning(place, text, effect, reason("The last result counts."), count=repeated)
        )
    if has_errors(defects):
        return Reading(None, tuple(defects))
    said = note(
        place,
        "The boxes are those of the ground truth's annotations.",
        "ControlCap's results by annotation id have none.",
    )
    return Reading(_joined(results, truth, place.path), (*defects, said))


def _results(root: JsonCursor, profile: Profile) -> list[tuple[str, _Result] | None]:
    return [_result(root[number], value, profile) for number, value in enumerate(root.value)]


def _result(
    place: JsonCursor, value: dict[str, Json], profile: Profile
) -> tuple[str, _Result] | None:
    key, caption = value["id"], first_element(value["caption"])
    score = score_or_one(value.get("score", value.get("scores")), RULES[profile].misses_scores)
    sound = (
        check_caption(place.at(f"{place.path}.caption", caption)),
        check_score(place.at(f"{place.path}.score", score)),
        _check_id(place),
    )
    return (str(key), _Result(place, caption, float(score))) if all(sound) else None


def _check_id(place: JsonCursor) -> bool:
    is_sound = type(place.value["id"]) in (int, str)
    if not is_sound:
        place["id"].error(place.describe_fault("id"), IDS)
    return is_sound


def _is_number_text(key: Json) -> bool:
    return isinstance(key, str) and key.isdecimal()


def _unknown(results: dict[str, _Result], truth: Regions, place: Place) -> list[Defect]:
    """Return the error about ids that are not those of the ground truth's annotations."""
    known = set(truth.ids) - {""}
    unknown = [name for name in results if name not in known]
    if not unknown:
        return []
    return [
        error(
            results[unknown[0]].place.place if known else place,
            fill(
                "{results} of annotations that are not in the ground truth: {names}.",
                counted(len(unknown), "result"),
                name_list(unknown),
            ),
            IDS,
            "Give val.json, which has the boxes.",
        )
    ]


def _joined(results: dict[str, _Result], truth: Regions, path: str) -> Regions:
    rows = np.array([row for row, name in enumerate(truth.ids) if name in results], np.int64)
    found = [results[truth.ids[row]] for row in rows.tolist()]
    return replace(
        truth,
        starts=np.searchsorted(rows, truth.starts),
        boxes=truth.boxes[rows],
        captions=tuple(one.caption for one in found),
        scores=np.array([one.score for one in found], np.float64),
        source_boxes=truth.source_boxes[rows],
        path=path,
        programs=SHAPE_PROGRAMS["controlcap"],
        ids=tuple(truth.ids[row] for row in rows.tolist()),
    )
