"""Whether tables can be returned as data frames."""

from __future__ import annotations

import importlib.util

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.system.extras import install_hint


def require_frames() -> None:
    """Raise ResourceMissing, with the remedy, where polars is not installed."""
    if importlib.util.find_spec("polars") is None:
        text = "Tables are data frames of polars, which is not installed: {install_hint}."
        raise ResourceMissing(fill(text, install_hint("frames")))
