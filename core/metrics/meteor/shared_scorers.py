"""The METEOR that this process has open, and the language data that it goes by."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.metrics.meteor.language_data.index_location import prepare
from jurydesk.core.metrics.meteor.scorer import Meteor
from jurydesk.core.model.chunk_codec import digest
from jurydesk.core.model.evaluation import ResourceMissing

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

_open: dict[Path | None, Meteor] = {}
_opening = threading.Lock()


def meteor(run: Run | None = None, folder: Path | None = None) -> Meteor:
    """The process's METEOR, made on first use (which builds the index where there is none)."""
    with _opening:
        if folder not in _open:
            _open[folder] = Meteor(prepare(run, folder))
        return _open[folder]


def opened(language: str) -> Meteor:
    """This process's METEOR; ResourceMissing where its language data have another digest."""
    if _own_language() != language:
        raise ResourceMissing(
            "METEOR's language data are others there than here: install the same version of "
            "pycocoevalcap on all machines."
        )
    return meteor()


@cache
def _own_language() -> str:
    return language_digest(meteor().index.sources)


def language_digest(sources: Mapping[str, str]) -> str:
    """One digest for all files of the language data."""
    return digest(json.dumps(dict(sources), sort_keys=True))
