"""Digests of METEOR's language data, for provenance stamps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jurydesk.core.metrics.meteor import LanguageDataMissing, shared_meteor
from jurydesk.core.model.evaluation import ResourceMissing

STEMMER = "snowballstemmer"
"""Package whose version determines the stems."""


def meteor_resources() -> dict[str, str]:
    """Return the SHA-256 of every file of METEOR's language data, by file name."""
    with language_data():
        return dict(shared_meteor().index.sources)


@contextmanager
def language_data() -> Iterator[None]:
    """Raise ResourceMissing instead of LanguageDataMissing within the block."""
    try:
        yield
    except LanguageDataMissing as missing:
        raise ResourceMissing(str(missing)) from missing
