"""Other spellings of images' ids: file names, paths, and numbers as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from jurydesk.core.tasks.captions.captions import Image, ImageId

_EXTENSION = re.compile(r"\.(?:jpe?g|png|gif|bmp|tiff?|webp)$", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"(?:^(?=[0-9]{1,18}$)|_(?=[0-9]{12}$))0*([0-9]+)$")
"""A number as text, or at the end of COCO's file names: COCO_val2014_000000000042."""


class ImageNames:
    """Images by every spelling of their ids and file names."""

    def __init__(self, images: Iterable[Image]) -> None:
        self._images: dict[str, dict[ImageId, None]] = {}
        for image in images:
            for text in (_text(image.id), image.file_name):
                for spelling in id_spellings(text):
                    self._images.setdefault(spelling, {})[image.id] = None

    def find(self, key: ImageId) -> ImageId | None:
        """Return the one image that an unknown id can mean; None for none or several."""
        texts = id_spellings(_text(key))
        found = {image: None for text in texts for image in self._images.get(text, ())}
        return next(iter(found)) if len(found) == 1 else None


def id_spellings(text: str) -> Iterator[str]:
    """Yield a name, its last part, that without its extension, and the number at its end."""
    name = text.strip()
    base = name[max(name.rfind("/"), name.rfind("\\")) + 1 :]
    stem = _EXTENSION.sub("", base)
    number = _NUMBER.search(stem)
    known = [name, base, stem, *([number[1]] if number else [])]
    yield from (one for one in dict.fromkeys(known) if one)


def _text(key: ImageId) -> str:
    return str(int(key) if isinstance(key, float) and key.is_integer() else key)


def is_file_name(key: ImageId) -> bool:
    """Return whether an id is the name of a picture's file."""
    return isinstance(key, str) and bool(_EXTENSION.search(key.strip()))
