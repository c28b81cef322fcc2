"""What a checker of stories needs of the reference data: the sequences, and no story."""

from __future__ import annotations

from collections.abc import Mapping

from core.defects import counted
from core.model import Json
from core.outline import Fact, Outline, items, text, texts
from core.tasks.vist.stories import PhotoSequence, References


def facts(references: References) -> tuple[Fact, ...]:
    """The sequences that count, and the name of the file that says so."""
    sequences = references.sequences
    asked = f"The album and the photo ids of the {counted(len(sequences), 'sequence')} that count."
    return (
        Fact("sequences", asked, [[one.album, list(one.photos)] for one in sequences]),
        Fact(
            "named_by",
            f"The name of the file that says which sequences count: {references.named_by}.",
            references.named_by,
        ),
    )


def reference(values: Mapping[str, Json]) -> References:
    """The sequences without human stories."""
    sequences = (items(one) for one in items(values["sequences"]))
    return References(
        tuple(PhotoSequence(texts(photos), text(album), ()) for album, photos in sequences),
        text(values["named_by"]),
    )


OUTLINE: Outline[References] = Outline(
    facts, reference, options=("profile",), scripts=("near.js", "members.js", "vist.js")
)
