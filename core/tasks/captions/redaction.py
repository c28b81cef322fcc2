"""What participants need to check their own results: the ids of the images, and no reference."""

from __future__ import annotations

from collections.abc import Mapping

from core.defects import counted
from core.model import Json
from core.outline import Fact, Outline, items, text
from core.tasks.captions.captions import Image, References, image_id


def facts(references: References) -> tuple[Fact, ...]:
    """Return the images that have references, and the name of the file that says so."""
    images = [image.id for image in references.images if image.references]
    return (
        Fact("images", f"The ids of {counted(len(images), 'image')} with references.", images),
        Fact(
            "named_by",
            f"The name of the file that says which images count: {references.named_by}.",
            references.named_by,
        ),
    )


def reference(values: Mapping[str, Json]) -> References:
    """Return the images without what people say of them."""
    images = []
    for value in items(values["images"]):
        key = image_id(value)
        if key is None:
            raise TypeError("an image's id is expected, a number or text")
        images.append(Image(key, "", ()))
    return References(tuple(images), text(values["named_by"]), has_references=False)


REDACTION: Outline[References] = Outline(
    facts,
    reference,
    options=("profile", "images"),
    scripts=("near.js", "members.js", "captions.js"),
)
