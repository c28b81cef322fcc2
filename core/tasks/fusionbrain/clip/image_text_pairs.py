"""Picture-text pairs for the CLIP score, by the rules of the published program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from jurydesk.core.language import translatable
from jurydesk.core.readers.json_cursor import JsonCursor, parse_text
from jurydesk.core.tasks.fusionbrain.questions import Predictions, SubtaskQuestion, contents
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFile, PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import (
    TEXT,
    element_content,
    element_kind,
    elements,
    is_bare,
    is_void,
    picture_path,
    record_fault,
)

SENTENCE_END = ". "
PREDICTION, INPUT = translatable("prediction"), translatable("input")
"""Records of which messages speak."""


@dataclass(frozen=True, slots=True)
class ClipPair:
    """Picture and text of one key, or the reason why there is no pair."""

    key: str
    place: PictureFile
    text: str | None
    reason: str = ""


def generation_pairs(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    pictures: PictureFinder,
    *,
    published: bool,
) -> Iterator[ClipPair]:
    """Yield the pairs of generated pictures and their captions.

    The published program expects the picture as the second element of a prediction. For an input
    with three or more elements it reuses the text of the previous key.
    """
    texts: list[ClipPair] = []  # pairs whose text the published program may reuse
    for question in questions:
        record = predictions.records.get(question.key)
        place = _picture(record, pictures.generated_picture, PREDICTION, published=published)
        text = _target_text(question.asked, published=published)
        if isinstance(text, _ReusedText):
            previous = next((pair for pair in reversed(texts) if _is_decodable(pair.place)), None)
            text = text if previous is None else previous.text
        pair = _pair(question.key, place, text)
        if not pair.reason or _replaces_text(question.asked):
            texts.append(pair)
        yield pair


def captioning_pairs(
    questions: Sequence[SubtaskQuestion],
    predictions: Predictions,
    pictures: PictureFinder,
    *,
    published: bool,
) -> Iterator[ClipPair]:
    """Yield the pairs of input pictures and predicted captions.

    The published program expects the picture as the second element of the input, and the text as
    the first element of the prediction.
    """
    for question in questions:
        record = predictions.records.get(question.key)
        place = _picture(question.asked, pictures.of_input, INPUT, published=published)
        yield _pair(question.key, place, _predicted_caption(record, published=published))


def _replaces_text(asked: JsonCursor | None) -> bool:
    """Return True if the second element is not a text; the previous text is then lost as well."""
    contained = elements(asked) if asked is not None else []
    if len(contained) != 2 or not isinstance(contained[1], dict):
        return False
    return not isinstance(contained[1].get("content", ""), str)


class _ReusedText:
    """Marker of an input that reuses the previous key's text; `reason` applies if there is none."""

    reason = "The input has three or more elements, and no previous key has a text."


def _pair(key: str, place: PictureFile, text: str | _ReusedText | None) -> ClipPair:
    if place.file is None:
        return ClipPair(key, place, text if isinstance(text, str) else None, place.reason)
    if isinstance(text, _ReusedText):
        return ClipPair(key, place, None, text.reason)
    if text is None:
        return ClipPair(key, place, None, "There is no text for the picture.")
    return ClipPair(key, place, text)


def _picture(
    record: JsonCursor | None, find: Callable[[str], PictureFile], what: str, *, published: bool
) -> PictureFile:
    """Return a record's picture file."""
    path, reason = picture_path(record, what, published=published)
    return PictureFile("", None, reason) if path is None else find(path)


def _target_text(asked: JsonCursor | None, *, published: bool) -> str | _ReusedText | None:
    """Return the text for a generated picture."""
    if asked is None or (is_bare(asked) and published):
        return None
    if record_fault(asked) is not None and not (is_void(asked) and published):
        return None
    contained = elements(asked)
    if len(contained) == 1:
        text = parse_text(element_content(contained[0]))
        return None if text is None else text.partition(SENTENCE_END)[2]
    if len(contained) == 2:
        return parse_text(element_content(contained[1]))
    texts = contents(asked, TEXT)
    return _ReusedText() if published else (texts[1] if len(texts) > 1 else None)


def _predicted_caption(record: JsonCursor | None, *, published: bool) -> str | None:
    if record is None or is_bare(record):
        return None
    if not published:
        return next(iter(contents(record, TEXT)), None)
    first = next(iter(elements(record)), None)
    return parse_text(element_content(first)) if element_kind(first) == TEXT else None


def _is_decodable(place: PictureFile) -> bool:
    """Return True if a picture can be decoded; else the published program loses its text."""
    from PIL import Image, UnidentifiedImageError

    if place.file is None:
        return False
    try:
        with Image.open(place.file) as picture:
            picture.convert("RGB")
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return False
    return True
