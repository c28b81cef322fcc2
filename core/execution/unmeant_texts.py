"""Texts that nobody meant to submit: left-over marks, ids, other Unicode forms, unparted words.

Their scores are those of the published programs; a warning says what makes them low.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import SubmissionText

MOST = 0.5
"""Share of texts above which ids, names of files and unparted words are reported."""
FEWEST_LETTERS = 4

_SPECIAL = (
    r"unk(?:nown)?|s|pad|bos|eos|sos|go|start|end|mask|cls|sep|num|begin_of_text|end_of_text"
    r"|endoftext|startoftext|im_start|im_end|start_of_turn|end_of_turn"
)
_MARKS = re.compile(
    rf"<\|?/?(?i:{_SPECIAL})\|?/?>|\[/?(?:UNK|PAD|CLS|SEP|MASK|BOS|EOS|SOS|INST)\]|@@UNKNOWN@@"
    r"|\|\|\||&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);|[\u2581\u0120]|@@(?=\s)"
    r"|(?<!\S)##(?=\w)|\*\*(?=\S)|```|<image>|\\boxed\{|^=(?=\")"
    r"|^\s*(?:ASSISTANT|USER|SYSTEM|Assistant|User|Human|Answer|Caption|Response)\s?:"
)
_FILE_NAME = re.compile(r"[^\s]+\.(?:jpe?g|png|gif|bmp|tiff?|webp)", re.IGNORECASE)
_ID = re.compile(r"(?=\S*[^\W\d])(?=\S*\d)[\w./:-]+")
_UNPARTED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def unmeant_text_defects(place: Place, texts: Sequence[SubmissionText]) -> Iterator[Defect]:
    """Yield a warning for each kind of text that nobody meant, with its number."""
    yield from _left_marks(place, texts)
    yield from _ids(place, texts)
    yield from _other_unicode_form(place, texts)
    yield from _unparted_words(place, texts)


def _left_marks(place: Place, texts: Sequence[SubmissionText]) -> Iterator[Defect]:
    """Report marks of tokenizers and markup that the references do not have."""
    by_text = [_MARKS.findall(one.text) for one in texts]
    found = {mark for marks in by_text for mark in marks}
    if not found:
        return
    known = {mark for one in texts for text in one.references for mark in _MARKS.findall(text)}
    left = [[mark for mark in marks if mark not in known] for marks in by_text]
    count = sum(map(bool, left))
    if count:
        names = list(dict.fromkeys(mark for marks in left for mark in marks))
        yield warning(
            place,
            fill(
                "Marks of a tokenizer or of markup are left in {count:,} of {texts}: {names}.",
                count,
                counted(len(texts), "text"),
                name_list(names),
            ),
            "They are scored as words.",
            "Remove them before the texts are written.",
            count=count,
        )


def _ids(place: Place, texts: Sequence[SubmissionText]) -> Iterator[Defect]:
    """Report texts that are ids or names of picture files."""
    names = [
        one.text
        for one in texts
        if one.text.strip() not in ("", *one.references) and _is_id(one.text.strip(), one.item)
    ]
    if len(names) > 1 and len(names) > MOST * len(texts):
        yield warning(
            place,
            fill(
                "{count:,} of {texts} are ids or names of files: {names}.",
                len(names),
                counted(len(texts), "text"),
                name_list(names),
            ),
            "Texts about the items are expected.",
            "Check which column was written.",
            count=len(names),
        )


def _is_id(text: str, item: str) -> bool:
    """Return whether a text is the id of its item, or one word with letters and digits."""
    is_item = text in (item, item.rpartition("/")[2])
    return is_item or _FILE_NAME.fullmatch(text) is not None or _ID.fullmatch(text) is not None


def _other_unicode_form(place: Place, texts: Sequence[SubmissionText]) -> Iterator[Defect]:
    """Report letters whose accents are apart (NFD) on one side alone."""
    beyond_ascii = [one for one in texts if not one.text.isascii()]
    apart = [one for one in beyond_ascii if not unicodedata.is_normalized("NFC", one.text)]
    references = {text for one in beyond_ascii for text in one.references if not text.isascii()}
    are_apart = [text for text in references if not unicodedata.is_normalized("NFC", text)]
    count, whole = len(apart), counted(len(texts), "text")
    if apart and references and not are_apart:
        found = fill("Accents are apart from letters (NFD) in {count:,} of {texts}.", count, whole)
    elif are_apart and beyond_ascii and not apart:
        count = len(beyond_ascii)
        found = fill(
            "Accents are apart from letters (NFD) in the references, not in {texts}.", whole
        )
    else:
        return
    expected = "Such words are other words than those of the other side."
    yield warning(place, found, expected, "Normalize both to NFC.", count=count)


def _unparted_words(place: Place, texts: Sequence[SubmissionText]) -> Iterator[Defect]:
    """Report Chinese, Japanese or Thai without blanks between words."""
    unparted = [
        one.text
        for one in texts
        if len(_UNPARTED.findall(one.text)) >= FEWEST_LETTERS and len(one.text.split()) == 1
    ]
    if unparted and len(unparted) > MOST * len(texts):
        yield warning(
            place,
            fill(
                "{count:,} of {texts} have no blanks between words.",
                len(unparted),
                counted(len(texts), "text"),
            ),
            "A text without blanks is one token.",
            "Part the words of texts and references by the same segmenter.",
            count=len(unparted),
        )
