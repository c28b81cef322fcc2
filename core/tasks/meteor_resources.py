"""Digests of METEOR's language data, for provenance stamps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jurydesk.core.metrics.meteor import LanguageDataMissing, shared_meteor
from jurydesk.core.model.evaluation import ResourceMissing

STEMMER = "snowballstemmer"
"""The package whose version decides which words have the same stem."""


def meteor_resources() -> dict[str, str]:
    """Return the SHA-256 of every file of METEOR's language data, by its name."""
    with language_data():
        return dict(shared_meteor().index.sources)


@contextmanager
def language_data() -> Iterator[None]:
    """Load METEOR's language data. Raises ResourceMissing if they are not installed."""
    try:
        yield
    except LanguageDataMissing as missing:
        raise ResourceMissing(str(missing)) from missing
