"""Result and ground-truth files of ControlCap, DynRefer, JIVC and densecap-pytorch.

Their members are not those of a list of regions. Each reader returns the regions with their
places in the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from jurydesk.core.language import fill
from jurydesk.core.metrics.detection.detection_rules import RULES, Profile
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.tasks.densecap.densecap_options import SHAPE_PROGRAMS
from jurydesk.core.tasks.densecap.readers.json_shapes import (
    Field,
    ParallelLists,
    RawRegions,
    Role,
    add_image,
    add_size,
    coco_images,
    layout_path,
    report_id,
)
from jurydesk.core.tasks.densecap.readers.segmentations import segmentation_box

SMALLEST = 1e-10
"""What JIVC's program subtracts from a probability."""
Annotation = dict[str, Json]


def read_program_file(root: JsonCursor, role: Role, profile: Profile) -> RawRegions | None:
    """Return the regions of a program's own file; None for any other."""
    holder = root.value
    if not isinstance(holder, dict) or not holder:
        return None
    if _is_segmented(holder, role):
        return _read_segmented(root, role, profile)
    members = holder.values()
    if all(isinstance(one, dict) for one in members):
        if role == "ground-truth" and all("regions" in one for one in members):
            return _read_jivc_truth(root)
        if role == "detections" and all({"boxes", "captions"} <= one.keys() for one in members):
            return _read_jivc_results(root)
    if role == "detections" and all(isinstance(one, list) for one in members):
        regions = [region for one in members for region in one]
        if regions and all(map(_is_described, regions)):
            return _read_described_pictures(root)
    return None


def _is_described(region: Json) -> bool:
    return isinstance(region, dict) and "box" in region and "cap" in region


def _is_segmented(holder: Annotation, role: Role) -> bool:
    """Return whether annotations have segmentations from which ControlCap takes the boxes.

    Its `bbox` holds corners, unlike COCO's.
    """
    annotations = holder.get("annotations")
    if not isinstance(annotations, list) or not annotations:
        return False
    if not all(isinstance(one, dict) and "segmentation" in one for one in annotations):
        return False
    if role == "detections":
        return any("extra_info" in one for one in annotations)
    if "dataset" in holder or any("extra_info" in one for one in annotations):
        return True
    boxes = [one.get("bbox") for one in annotations]
    return boxes == [segmentation_box(one["segmentation"]) for one in annotations]


def _read_segmented(root: JsonCursor, role: Role, profile: Profile) -> RawRegions:
    annotations = root.value["annotations"]
    layout = RawRegions("xyxy", has_fixed_format=True, programs=SHAPE_PROGRAMS["controlcap"])
    layout.images = coco_images(root, layout)
    numbers = {image: number for number, image in enumerate(layout.images)}
    places = list[int]()
    for place, one in enumerate(annotations):
        predicted = _predicted(one)
        if role == "detections" and predicted is None:
            continue
        image = one.get("image_id")
        if not isinstance(image, str | int):
            report_id(root.at(f"annotations[{place}].image_id"), image)
        layout.owners.append(numbers.setdefault(str(image), len(numbers)))
        layout.ids.append(one.get("id"))
        segmentation = one["segmentation"]
        layout.boxes.append(segmentation_box(segmentation) or segmentation)
        if role == "detections":
            layout.captions.append(first_element((predicted or {}).get("caption")))
            layout.scores.append(_score(one, predicted or {}, profile))
        else:
            layout.captions.append(one.get("caption"))
        places.append(place)
    layout.images = list(numbers)
    root.note(
        "The boxes are those of the segmentations.", "ControlCap's file has corners in its bbox."
    )
    if role == "detections" and len(places) < len(annotations):
        found = fill("{missing:,} annotations have no pred_result.", len(annotations) - len(places))
        root.note(found, "They are not detections.")
    prefix = ".extra_info.pred_result" if role == "detections" else ""
    names: dict[Field, str] = {
        "box": ".segmentation",
        "caption": f"{prefix}.caption",
        "score": f"{prefix}.score",
        "image_id": ".image_id",
    }
    layout.path = lambda region, key: f"annotations[{places[region]}]{names[key]}"
    return layout


def _predicted(annotation: Annotation) -> Annotation | None:
    info = annotation.get("extra_info")
    predicted = info.get("pred_result") if isinstance(info, dict) else None
    return predicted if isinstance(predicted, dict) else None


def _score(annotation: Annotation, predicted: Annotation, profile: Profile) -> Json:
    """Return the score of a detection; DynRefer prefers that of GRiT."""
    score = predicted.get("score", predicted.get("scores"))
    grit = annotation["extra_info"].get("grit_result")
    if profile == "dynrefer" and isinstance(grit, dict) and grit:
        score = grit.get("score", score)
    return score_or_one(score, RULES[profile].misses_scores)


def score_or_one(score: Json, misses_scores: bool) -> Json:
    """Return a score or the first of a list; 1 for none where the program takes it so."""
    found = first_element(score)
    return 1.0 if found is None and misses_scores else found


def first_element(value: Json) -> Json:
    """Return the first element of a list; anything else unchanged."""
    return value[0] if isinstance(value, list) and value else value


def _read_jivc_truth(root: JsonCursor) -> RawRegions:
    layout, places = RawRegions("xywh", has_fixed_format=True), list[str]()
    for image, entry in root.value.items():
        layout.images.append(image)
        add_size(layout, image, entry)
        for place, region in _objects(root, f"{image}.regions", entry["regions"]):
            layout.owners.append(len(layout.images) - 1)
            layout.boxes.append([region.get(side) for side in ("x", "y", "width", "height")])
            layout.captions.append(region.get("phrase"))
            places.append(place)
    names = {"box": "x", "caption": "phrase"}
    layout.path = lambda region, key: f"{places[region]}.{names[key]}"
    return layout


def _objects(root: JsonCursor, path: str, regions: Json) -> Iterator[tuple[str, Annotation]]:
    """Yield the objects of a list with their places; report everything else."""
    if not isinstance(regions, list):
        root.at(path).error("The value is not a list.", "A list of objects is expected.")
        return
    for number, region in enumerate(regions):
        if isinstance(region, dict):
            yield f"{path}[{number}]", region
        else:
            root.at(f"{path}[{number}]").error("The element is not an object.")


_JIVC = ParallelLists("", "image_id", "xyxy", "boxes", "captions", "logprobs")


def _read_jivc_results(root: JsonCursor) -> RawRegions:
    """Read lists by image; a score is the probability, less a ten-billionth."""
    layout, starts = RawRegions("xyxy", has_fixed_format=True, programs=SHAPE_PROGRAMS["jivc"]), [0]
    prefixes = list[str]()
    for image, entry in root.value.items():
        if add_image(layout, {**entry, "image_id": image}, root.at(image, entry), _JIVC):
            prefixes.append(image)
            starts.append(len(layout.boxes))
    layout.scores = [
        math.exp(score) - SMALLEST if type(score) in (int, float) and abs(score) < 700 else score
        for score in layout.scores
    ]
    layout.path = layout_path(starts, prefixes, _JIVC.names())
    return layout


def _read_described_pictures(root: JsonCursor) -> RawRegions:
    layout, places = RawRegions("xyxy", has_fixed_format=True), list[str]()
    layout.programs = SHAPE_PROGRAMS["densecap-pytorch"]
    for image, regions in root.value.items():
        layout.images.append(image)
        for number, region in enumerate(regions):
            layout.owners.append(len(layout.images) - 1)
            layout.boxes.append(region["box"])
            layout.captions.append(region["cap"])
            layout.scores.append(region.get("score"))
            places.append(f"{image}[{number}]")
    root.note(
        "Boxes and scores are rounded to two decimals.",
        "Tied scores are in the order of the program's sort.",
    )
    names = {"box": "box", "caption": "cap", "score": "score"}
    layout.path = lambda region, key: f"{places[region]}.{names[key]}"
    return layout
