"""Jurydesk: the offline evaluation desk for vision-language and retrieval competitions.

Public names are loaded on first use, and change only with a new major version. This folder is the
package `jurydesk`; the folders `core`, `app` and `resources` are its packages `jurydesk.core`,
`jurydesk.app` and `jurydesk.resources` (see pyproject.toml).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.library.metrics import (
        bleu,
        cider,
        frechet_distance,
        krippendorff_alpha,
        meteor,
        ptb_tokenize,
        ranking,
        rouge_l,
    )
    from jurydesk.core.library.results import (
        Defects,
        PairedComparison,
        Result,
        ScoreInterval,
        System,
    )
    from jurydesk.core.library.scoring import check, compare, open, score, tasks
    from jurydesk.core.model.defects import Defect, Place, Severity
    from jurydesk.core.model.evaluation import InputError, ResourceMissing, UsageError

__all__ = [
    "Defect",
    "Defects",
    "InputError",
    "PairedComparison",
    "Place",
    "ResourceMissing",
    "Result",
    "ScoreInterval",
    "Severity",
    "System",
    "UsageError",
    "__version__",
    "bleu",
    "check",
    "cider",
    "compare",
    "frechet_distance",
    "krippendorff_alpha",
    "meteor",
    "open",
    "ptb_tokenize",
    "ranking",
    "rouge_l",
    "score",
    "tasks",
]

_MODULES = {
    "jurydesk.core.library.metrics": (
        *("bleu", "cider", "frechet_distance", "krippendorff_alpha"),
        *("meteor", "ptb_tokenize", "ranking", "rouge_l"),
    ),
    "jurydesk.core.library.results": (
        "Defects",
        "ScoreInterval",
        "PairedComparison",
        "Result",
        "System",
    ),
    "jurydesk.core.library.scoring": ("check", "compare", "open", "score", "tasks"),
    "jurydesk.core.model.defects": ("Defect", "Place", "Severity"),
    "jurydesk.core.model.evaluation": ("InputError", "ResourceMissing", "UsageError"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
