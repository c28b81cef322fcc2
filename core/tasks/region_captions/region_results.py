"""Reader of a system's region captions, in one file or in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list, reason
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.id_spellings import KnownIds
from jurydesk.core.readers.json_cursor import Attribute, JsonCursor, describe_value, parse_text
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.captions.annotation_reader import (
    CAPTION,
    IMAGE_ID,
    report_separators,
    surrogate_defects,
)
from jurydesk.core.tasks.captions.captions import (
    CaptionSubmission,
    ImageId,
    image_id,
    image_names,
)
from jurydesk.core.tasks.captions.result_reader import OBJECTS, find_entries
from jurydesk.core.tasks.region_captions.region_annotations import RegionReferences
from jurydesk.core.tasks.region_captions.region_captions_options import (
    CAPTION_OPTIONS,
    RegionCaptionOptions,
)
from jurydesk.core.tasks.result_parts import is_json_name, system_stem

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

REGION_IDS = ("annotation_id", "region_id", "id")
"""Names of a region's id in results."""
PER_REGION_HINT = "Score each region: set the profile to per-region."
PREDICTED = Attribute("caption", "Text is expected.", parse_text)


@dataclass(frozen=True, slots=True)
class _Result:
    """Caption of a region, or of an image without the region's id."""

    place: JsonCursor
    region: ImageId | None
    image: ImageId | None
    caption: str


def read_region_results(
    path: Path, references: RegionReferences, options: RegionCaptionOptions, run: Run
) -> Reading[CaptionSubmission]:
    """Read one system's captions of all its files, with their defects."""
    parts, defects = references.parts.get(path, ()), list[Defect]()
    results = list[_Result]()
    for part in (path, *parts):
        if part != path and not is_json_name(part):
            defects.append(note(Place(str(part)), "This is no JSON file: it was skipped."))
            continue
        found_here, reported = _read_file(part, run)
        results += found_here
        defects += reported
    if has_errors(defects):
        return Reading(None, tuple(defects))
    keyed = _Keys(references, str(path))
    captions = _by_item([(keyed.of(one), one) for one in results], references, keyed)
    defects += keyed.defects()
    defects += _missing(captions, references, options, str(path))
    if not captions and not has_errors(defects):
        defects.append(error(Place(str(path)), "The file has no caption.", OBJECTS))
    if has_errors(defects):
        return Reading(None, tuple(defects))
    texts = {key: one.caption for key, one in captions.items()}
    if options.strict:
        texts |= {one.id: "" for one in references.items.images if one.id not in texts}
    return Reading(
        CaptionSubmission(str(path), texts),
        tuple(defects),
        name=system_stem(path) if parts else "",
    )


def _read_file(path: Path, run: Run) -> tuple[list[_Result], tuple[Defect, ...]]:
    file = run.call(read_json_file, path, damaged="replace", not_finite=True)
    defects = BoundedDefects(surrogate_defects(file.defects, CAPTION_OPTIONS))
    root = JsonCursor(file, defects, file.data)
    results = list(_results(root)) if file.is_readable else []
    return results, root.defects.to_tuple()


def _results(root: JsonCursor) -> Iterator[_Result]:
    """Yield the valid captions of a file; report the others."""
    holder = root.value
    if isinstance(holder, dict) and isinstance(holder.get("annotations"), list):
        yield from _predictions(root["annotations"])
        return
    entries = find_entries(root)
    if entries is None:
        return
    for number, value in enumerate(entries.value):
        place = entries[number]
        if not isinstance(value, dict):
            place.error(fill("The element is {kind}.", describe_value(value)), OBJECTS)
            continue
        region = next((image_id(value[name]) for name in REGION_IDS if name in value), None)
        if region is None:
            place.report_invalid(IMAGE_ID)
        caption = place.read(CAPTION)
        image = IMAGE_ID.of(value)
        if caption is not None and (region is not None or image is not None):
            yield _checked(_Result(place, region, image, caption))


def _predictions(annotations: JsonCursor) -> Iterator[_Result]:
    """Yield the predicted captions of ControlCap's annotations; report those without one."""
    missing = list[str]()
    for number, value in enumerate(annotations.value):
        place = annotations[number]
        image = place.read(IMAGE_ID)
        if image is None:
            continue
        info = value.get("extra_info")
        predicted = info.get("pred_result") if isinstance(info, dict) else None
        if not isinstance(predicted, dict):
            missing.append(str(value.get("id")))
            continue
        caption = place["extra_info"]["pred_result"].read(PREDICTED)
        if caption is not None:
            yield _checked(_Result(place, image_id(value.get("id")), image, caption))
    if missing:
        annotations.error(
            fill(
                "Without a pred_result: {annotations} ({names}).",
                counted(len(missing), "annotation"),
                name_list(missing),
            ),
            "ControlCap's program stops here.",
            "Write a result for each annotation.",
        )


def _checked(result: _Result) -> _Result:
    """Return the result; report it if the tokenizer would start a new line in its caption."""
    if not result.caption.isprintable():
        key = result.region if result.region is not None else result.image
        caption = result.place.at(f"{result.place.path}.caption", result.caption)
        report_separators(caption, fill("The caption of {key}", key), CAPTION_OPTIONS)
    return result


class _Keys:
    """Items of results, with what was found of those that belong to none."""

    def __init__(self, references: RegionReferences, path: str) -> None:
        self.references = references
        self._path = path
        self._known = {one.id for one in references.items.images}
        self._names: KnownIds[ImageId] | None = None
        self._unknown = dict[str, _Result]()
        self._ambiguous = dict[str, _Result]()
        self._read = dict[ImageId, ImageId]()
        self.repeated = list[_Result]()
        self.different = dict[ImageId, tuple[_Result, _Result]]()

    def of(self, result: _Result) -> ImageId | None:
        """Return the item of a result; None if there is none."""
        references, region, image = self.references, result.region, result.image
        if image is None and region is not None:
            image = references.images.get(region)
        elif image is not None and image not in references.regions:
            image = self._meant(image)
        if image is None:
            named = region if result.image is None else result.image
            self._unknown.setdefault(_as_written(named), result)
            return None
        if not references.is_per_region:
            return image
        if region in references.images:
            return region
        if region is not None:
            self._unknown.setdefault(_as_written(region), result)
            return None
        regions = references.regions[image]
        if len(regions) == 1:
            return regions[0]
        self._ambiguous.setdefault(str(image), result)
        return None

    def _meant(self, image: ImageId) -> ImageId | None:
        """Return the image that another spelling of its id means."""
        if image not in self._read:
            self._names = self._names or image_names(self.references.pictures)
            meant = self._names.find(image)
            if meant is None:
                return None
            self._read[image] = meant
        return self._read[image]

    def _ids_like(self, result: _Result) -> list[ImageId]:
        """Return the ids of which an unknown result's is none: of regions, or of images."""
        references = self.references
        by_region = result.image is None or result.image in references.regions
        return list(references.images if by_region else references.regions)

    def defects(self) -> Iterator[Defect]:
        """Yield what is wrong with the results as a whole."""
        named_by = self.references.items.named_by
        if self._read:
            first = next(iter(self._read))
            found = fill(
                "File names are read as image ids: {first} as {id}.", first, self._read[first]
            )
            yield note(Place(self._path), found, count=len(self._read))
        if self._unknown:
            first_result = next(iter(self._unknown.values()))
            found = fill("Not in {named_by}: {names}.", named_by, name_list(list(self._unknown)))
            known = name_list([_as_written(one) for one in self._ids_like(first_result)])
            expected = fill("Ids of the annotations are expected: {names}.", known)
            yield error(first_result.place.place, found, expected)
        if self._ambiguous:
            first_result = next(iter(self._ambiguous.values()))
            yield error(
                first_result.place.place,
                fill(
                    "{images} with several regions and results without a region's id: {names}.",
                    counted(len(self._ambiguous), "image"),
                    name_list(list(self._ambiguous)),
                ),
                '"annotation_id" is expected in each result.',
            )
        if self.different:
            yield self._difference()
        if self.repeated:
            yield self._repetition()

    def _difference(self) -> Defect:
        item, (first, second) = next(iter(self.different.items()))
        several = not self.references.is_per_region and any(
            len(self.references.regions.get(key, ())) > 1 for key in self.different
        )
        noun = "region" if self.references.is_per_region else "image"
        return error(
            second.place.place,
            fill(
                "{items} with two different captions: {item}, first in {file}.",
                counted(len(self.different), noun),
                str(item),
                first.place.file.path.name,
            ),
            "One caption is expected.",
            PER_REGION_HINT if several else "Keep the results of one run.",
        )

    def _repetition(self) -> Defect:
        place = self.repeated[0].place.place
        is_sum = all(one.place.file.path.name.startswith("merged") for one in self.repeated)
        cause = (
            "merged.json is the sum of the other files."
            if is_sum
            else "PyTorch's distributed sampler repeats items to fill the last batch."
        )
        found = fill("Repeated with the same caption: {captions}.", len(self.repeated))
        return warning(place, found, cause, reason("They count once."), count=len(self.repeated))


def _by_item(
    keyed: Sequence[tuple[ImageId | None, _Result]], references: RegionReferences, keys: _Keys
) -> Mapping[ImageId, _Result]:
    """Return the first caption of each item; note repeated and different ones."""
    captions = dict[ImageId, _Result]()
    for key, result in keyed:
        if key is None:
            continue
        first = captions.setdefault(key, result)
        if first is result:
            continue
        if first.caption == result.caption:
            keys.repeated.append(result)
        else:
            keys.different.setdefault(key, (first, result))
    return captions


def _missing(
    captions: Mapping[ImageId, _Result],
    references: RegionReferences,
    options: RegionCaptionOptions,
    path: str,
) -> Iterator[Defect]:
    """Yield warnings about items without a result, and about pooled references."""
    place, per_region = Place(path), references.is_per_region
    missing = [str(one.id) for one in references.items.images if one.id not in captions]
    if missing and captions:
        found = fill(
            "{items} without a result: {names}.",
            counted(len(missing), "region" if per_region else "image"),
            name_list(missing),
        )
        effect = (
            "They are scored as empty captions."
            if options.strict
            else "They are left out, as the programs do; --strict counts them."
        )
        yield warning(place, found, effect, count=len(missing))
    several = (key for key, own in references.regions.items() if len(own) > 1)
    pooled = [str(key) for key in several if key in captions]
    if pooled and not per_region:
        found = fill(
            "{images} with several regions: {names}.",
            counted(len(pooled), "image"),
            name_list(pooled),
        )
        effect = "The captions of all regions are references: BLEU and METEOR are too high."
        yield warning(place, found, effect, PER_REGION_HINT, count=len(pooled))


def _as_written(key: object) -> str:
    """Return an id as the file has it: one that is text in quotes."""
    return f'"{key}"' if isinstance(key, str) else str(key)
