"""The language of the process for the time of a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from jurydesk.core.language import current_language, set_language


@contextmanager
def shown_in(code: str) -> Iterator[None]:
    """Set the display language within a block."""
    before = current_language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)
