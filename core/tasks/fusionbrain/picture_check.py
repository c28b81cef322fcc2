"""Check of the pictures of a submission without networks: missing, damaged and left out ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.fid.inception_weights import DIMS
from jurydesk.core.metrics.fid.preprocessing import PRESETS
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.neural.inception.image_features import UnusablePictures
from jurydesk.core.neural.inception.picture_sets import PictureSet, few_pictures_defects
from jurydesk.core.readers.images import PictureError, open_picture, picture_defects
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import (
    ClipPair,
    captioning_pairs,
    generation_pairs,
)
from jurydesk.core.tasks.fusionbrain.damage_policy import clip_defect
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING, GENERATION
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import record_place
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import (
    count_mismatch,
    existing_pictures,
    fid_not_computed,
    fid_pictures,
    real_source,
)

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

KEPT_STATES = 1 << 16

PictureState = tuple[str, tuple[str, ...]]
"""Reason why a picture cannot be used, or empty, and remarks on decoding it."""


def picture_remarks(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of the pictures, without any network."""
    finder, published = PictureFinder(competition, predictions), options.published
    by_subtask = {GENERATION: generation_pairs, CAPTIONING: captioning_pairs}
    for name, find_pairs in by_subtask.items():
        questions = competition.questions.get(name, ())
        pairs = list(find_pairs(questions, predictions, finder, published=published))
        if name == CAPTIONING and competition.input is None:
            continue  # its pictures are those of the input
        has_text = competition.input is not None
        answered = [pair for pair in pairs if pair.key in predictions.records]
        yield from _clip_remarks(answered, predictions.path, run, has_text, published)
        if name == GENERATION and pairs:
            yield from _fid_remarks(pairs, competition, finder, run, published)


def _clip_remarks(
    pairs: Sequence[ClipPair], path: Path, run: Run, has_text: bool, published: bool
) -> Iterator[Defect]:
    states = _states(existing_pictures(pairs), run)
    for pair in pairs:
        reason = pair.reason if has_text else pair.place.reason
        broken, remarks = states.get(pair.place.file, ("", ()))
        if broken and not reason:
            reason = fill("The picture {phrase}.", Message(broken))
        if reason:
            yield clip_defect(record_place(str(path), pair.key), reason, published=published)
        if pair.place.file is not None:
            yield from picture_defects(pair.place.file, remarks)


def _fid_remarks(
    pairs: Sequence[ClipPair],
    competition: Challenge,
    finder: PictureFinder,
    run: Run,
    published: bool,
) -> Iterator[Defect]:
    path = finder.predictions.path
    generated, real = existing_pictures(pairs), real_source(competition, finder)
    if real is None:
        return
    mismatch = count_mismatch(generated, real, path) if published else None
    if mismatch is not None:
        yield mismatch
        return
    for source in (generated, real):
        found = fid_pictures(source, path, every=not published)
        if not isinstance(found, PictureSet):
            continue
        yield from found.defects
        try:
            yield from _set_remarks(found, run)
        except UsageError as fault:
            yield fid_not_computed(path, fault)
            return


def _set_remarks(pictures: PictureSet, run: Run) -> Iterator[Defect]:
    """Yield the remarks on a set of pictures; raise UsageError as their features would."""
    pictures.require_two(PRESETS["fusionbrain"])
    states = _states(pictures.files, run)
    for file in pictures.files:
        yield from picture_defects(file, states[file][1])
    broken = [
        error(Place(str(file)), fill("The picture {reason}.", Message(states[file][0])))
        for file in pictures.files
        if states[file][0]
    ]
    if broken:
        raise UnusablePictures(pictures.place, broken)
    yield from few_pictures_defects(pictures.place, len(pictures.files), DIMS[-1])


def _states(files: Sequence[Path], run: Run) -> Mapping[Path | None, PictureState]:
    """Return the state of every picture; a file is decoded once, until it changes."""
    unique = list(dict.fromkeys(files))
    states = run.map(_state, unique, total=len(unique), text="Looking at the pictures")
    return dict(zip(unique, states, strict=True))


def _state(file: Path) -> PictureState:
    try:
        status = file.stat()
    except OSError:
        return _decode(file, 0, 0)
    return _decode(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=KEPT_STATES)
def _decode(file: Path, size: int, time: int) -> PictureState:
    """Decode a picture; size and time are part of the key of the cache."""
    try:
        return "", open_picture(file).remarks
    except PictureError as fault:
        return str(fault), ()
