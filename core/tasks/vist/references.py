"""The reference data of the competition: the human stories, and which sequences count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.defects import Defect, Place, counted, error, listing, note, warning
from core.task import Inputs, Reading
from core.tasks.vist.gold_reader import read_gold
from core.tasks.vist.options import VistOptions
from core.tasks.vist.stories import PhotoSequence, References, SequenceKey, sequence_id
from core.tasks.vist.template_reader import Template, read_template


def read_references(inputs: Inputs, options: VistOptions) -> Reading[References]:
    """The sequences that count, with their human stories.

    The template decides which count, and without one the human stories' sequences do. A sequence
    of the template without human stories must be submitted, and is not scored.
    """
    gold_paths = inputs["references"]
    gold = read_gold(gold_paths)
    template = read_template(inputs["template"][0]) if inputs.get("template") else None
    defects = [*gold.defects, *(template.defects if template else ())]
    if gold.data is None or (template is not None and template.data is None):
        return Reading(None, tuple(defects))
    place = Place(str(gold_paths[0]))
    if template is None or template.data is None:
        named_by = ", ".join(path.name for path in gold_paths)
        references = References(gold.data, named_by)
    else:
        references = _counting(gold.data, template.data)
        defects += _outside(gold.data, template.data, place)
        defects += _without_stories(references, Path(inputs["template"][0]))
    defects += _beyond_ascii(references, options, place)
    if not references.scored:
        found = "No sequence that counts has a human story."
        hint = "Check that the human stories and the template belong together."
        defects.append(error(place, found, hint=hint))
        return Reading(None, tuple(defects))
    return Reading(references, tuple(defects))


def _counting(gold: tuple[PhotoSequence, ...], template: Template) -> References:
    known: dict[SequenceKey, PhotoSequence] = {sequence.photos: sequence for sequence in gold}
    return References(
        tuple(
            PhotoSequence(photos, album, known[photos].stories if photos in known else ())
            for photos, album in template.albums.items()
        ),
        template.name,
    )


def _outside(gold: tuple[PhotoSequence, ...], template: Template, place: Place) -> Iterator[Defect]:
    outside = [entry.photos for entry in gold if entry.photos not in template.albums]
    if outside:
        names = listing([sequence_id(photos) for photos in outside])
        told = counted(len(outside), "sequence")
        found = f"{told} with human stories, but not in the template: {names}."
        yield note(place, found, "They are not scored.", count=len(outside))


def _without_stories(references: References, template: Path) -> Iterator[Defect]:
    empty = [entry.photos for entry in references.sequences if not entry.stories]
    if empty:
        names = listing([sequence_id(photos) for photos in empty])
        told = counted(len(empty), "sequence")
        found = f"{told} of the template without a human story: {names}."
        hint = "Give the missing reference file as well, if there is one."
        yield warning(Place(str(template)), found, "They are not scored.", hint, count=len(empty))


def _beyond_ascii(references: References, options: VistOptions, place: Place) -> Iterator[Defect]:
    texts = (story.text for entry in references.scored for story in entry.stories)
    count, sentence = options.beyond_ascii(texts)
    if count:
        yield note(place, f"Human stories: {sentence}", count=count)
