"""Record of a distance: how it was computed, with which it can be computed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jurydesk.core.execution.code_digest import digest_sources
from jurydesk.core.execution.device import device_in_use
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Trace
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.stamp import library_versions
from jurydesk.core.neural.inception.fid_score import FidCalculator, FidResult
from jurydesk.core.neural.inception.npz_statistics import ARRAY_ENDING, ENDING, Statistics
from jurydesk.core.system.paths import fingerprint

SCHEMA = 1
LIBRARIES = ("scipy", "pillow", "torch", "torchvision")
"""Packages whose versions affect distances, by their names in package registries."""


@dataclass(frozen=True, slots=True)
class FidSide:
    """Set of pictures or file of statistics that a distance was computed from.

    Attributes:
        n: Number of pictures; None if the file does not have it.
        sha256: SHA-256 of the file; None for a folder.
        pictures: SHA-256 over all pictures, and `weights` of the network; None if unknown.
    """

    path: str
    n: int | None
    dimensions: int
    pictures: str | None
    weights: str | None
    sha256: str | None = None

    @property
    def is_file(self) -> bool:
        """Whether this is a file of statistics."""
        return self.path.lower().endswith((ENDING, ARRAY_ENDING))


@dataclass(frozen=True, slots=True)
class RecordedMeasure:
    """Value of a measure with its standard error; None if it is unknown."""

    name: str
    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class FidRecord:
    """Distance with its two sides, its settings, and what computed it.

    `interval` holds 95 % of `resamples` distances; None without any.
    """

    fid: float
    preset: str
    trace: Trace
    places: tuple[FidSide, FidSide]
    versions: dict[str, str]
    device: str
    code: str = ""
    """SHA-256 of the modules that computed the distance; empty if they cannot be read."""
    network: str = "inception"
    measures: tuple[RecordedMeasure, ...] = ()
    resamples: int = 0
    interval: tuple[float, float] | None = None

    def to_json(self, defects: Sequence[Defect] = ()) -> Json:
        """Return the record as JSON values, with the defects of its sources."""
        return {"schema": SCHEMA, **to_json(self), "defects": to_json(defects)}


def make_record(
    calculator: FidCalculator, found: FidResult, places: tuple[Path, Path], run: Run
) -> FidRecord:
    """Return the record of a distance between these places."""
    return FidRecord(
        found.value,
        calculator.preset,
        calculator.trace,
        (_side(places[0], found.one, run), _side(places[1], found.other, run)),
        library_versions(LIBRARIES),
        device_in_use(run.device),
        digest_sources(Path(__file__).resolve().parent),
        calculator.network,
        tuple(
            RecordedMeasure(name, one.value, one.error if one.error == one.error else None)
            for name, one in found.measures.items()
        ),
        calculator.resamples,
        found.interval,
    )


def _side(place: Path, found: Statistics, run: Run) -> FidSide:
    side = FidSide(
        str(place.absolute()),
        found.gaussian.n or None,
        len(found.gaussian.mean),
        found.pictures or None,
        found.weights or None,
    )
    if not side.is_file:
        return side
    return replace(side, sha256=fingerprint(place, run.check).sha256)
