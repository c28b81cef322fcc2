"""Options of visual storytelling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jurydesk.core.language import counted, fill
from jurydesk.core.model.options import option

PUBLISHED, CORRECTED = "published", "corrected"


@dataclass(frozen=True, slots=True)
class VistOptions:
    """Options of a storytelling evaluation."""

    profile: str = option(
        PUBLISHED,
        "published scores every character, as the challenge's program does; corrected leaves out "
        "characters outside ASCII, as the challenge's rules say.",
        choices=(PUBLISHED, CORRECTED),
    )

    def scored_text(self, text: str) -> str:
        """Return the text that METEOR scores."""
        if self.profile == PUBLISHED or text.isascii():
            return text
        return _ascii(text)

    def beyond_ascii(self, texts: Iterable[str]) -> tuple[int, str]:
        """Return the number of non-ASCII characters and a sentence about their treatment."""
        count = sum(len(text) - len(_ascii(text)) for text in texts if not text.isascii())
        characters = counted(count, "character")
        if self.profile == CORRECTED:
            return count, fill(
                "{characters} outside ASCII, left out, as the challenge's rules say.", characters
            )
        return count, fill(
            "{characters} outside ASCII, scored, as the challenge's program does it.", characters
        )


def _ascii(text: str) -> str:
    return text.encode("ascii", errors="ignore").decode("ascii")
