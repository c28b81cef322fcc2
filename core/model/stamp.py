"""Stamp of a result: everything that affects its scores, as JSON and as a short line."""

from __future__ import annotations

import hashlib
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np

from jurydesk.core.language import Message, fill
from jurydesk.core.model.evaluation import (
    NO_JSON,
    TABLE_SOURCE,
    Json,
    MetricInfo,
    Score,
    Source,
    column_summary,
    weighted_mean,
)
from jurydesk.core.model.json_codec import from_json, require_member, to_json
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.version import __version__

SCHEMA = 1
SEEDS = ("bootstrap", "resamples")
"""Members of every stamp's seeds: the seed of the intervals and the number of resamples."""

METRICS = "metrics"
"""Member of the stamps of competitions whose metrics are known only after reading."""

ADDED = "added from "
"""Start of the source of a metric that was joined to a result, and is not computed again."""

LOCAL = "this machine"
"""Default place, also of old stamps without one."""

SHORT_DIGITS = 20
"""Hexadecimal digits of a SHA-256 in the short form, so that no two files are made to share it."""


class StampError(Exception):
    """Stamp that this version cannot read; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Provenance of the scores of one system: files, settings, versions, device and seeds.

    Attributes:
        options: Values of the user's options.
        settings: The task's own parts of the short form (`meteor:1.5`).
        resources: SHA-256 of each model or language file by name.
        policies: Decisions such as the treatment of undefined items.
        created: ISO 8601 time in UTC.
        place: Where the chunks were scored, which does not affect scores.
        folders: Folders of pictures.
        pictures: SHA-256 of each picture that affects scores, by name.
    """

    task: str
    system: str
    profile: str
    options: Mapping[str, Json]
    settings: Mapping[str, str]
    references: tuple[Source, ...]
    submission: Source
    resources: Mapping[str, str]
    versions: Mapping[str, str]
    device: str
    seeds: Mapping[str, int]
    policies: Mapping[str, str]
    scores: tuple[Score, ...]
    created: str = field(default_factory=lambda: utc_now())
    schema: int = SCHEMA
    place: str = LOCAL
    folders: tuple[Source, ...] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)
    groups: Source | None = None
    """File of the groups of the intervals."""
    code: str = ""
    """SHA-256 of the modules that computed the scores; empty if they cannot be read."""
    part: str = ""
    """Name of the system in a submission of several systems."""
    metrics: tuple[MetricInfo, ...] = ()
    """Metrics that the competition does not declare, known only after reading."""
    short_form: str = field(default="", compare=False, repr=False, metadata=NO_JSON)
    """Short form as it was read, which may not match the other fields."""

    def to_json(self) -> dict[str, Json]:
        """Return the stamp as JSON values, with numbers in full precision."""
        members = to_json(self)
        optional = {name: members.pop(name) for name in ("groups", "code", "part", METRICS)}
        given = {name: value for name, value in optional.items() if value}
        return {"schema": members.pop("schema"), "short": short_stamp(self), **members, **given}

    @classmethod
    def from_json(cls, data: Json) -> Stamp:
        """Return a stamp from the values of `to_json`; StampError if they are not valid."""
        if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
            raise StampError("This is not a stamp: it is not a JSON object with a schema number.")
        if data["schema"] > SCHEMA:
            raise StampError(
                fill(
                    "The stamp has schema {data}; this version of Jurydesk reads up to "
                    "{schema}. Install the version that made it, or a newer one.",
                    data["schema"],
                    SCHEMA,
                )
            )
        try:
            stamp = from_json(cls, data)
            seeds = {name: stamp.seeds[name] for name in SEEDS}
            short_form = require_member(data, "short", str) if "short" in data else ""
            metrics = tuple(map(_complete_metric, stamp.metrics))
            return replace(stamp, seeds=seeds, short_form=short_form, metrics=metrics)
        except KeyError as error:
            raise StampError(
                fill("The stamp is not complete: {args} is missing.", repr(error.args[0]))
            ) from error
        except (TypeError, ValueError) as error:
            raise StampError(
                fill("The stamp has a value of the wrong type: {error}.", Message(str(error)))
            ) from error

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Input files: the references, then the submission."""
        return (*self.references, self.submission)


def stamped_metrics(stamp: Json) -> tuple[MetricInfo, ...]:
    """Return the metrics that the JSON of a valid stamp declares."""
    metrics = stamp.get(METRICS, []) if stamp else []
    return tuple(map(_complete_metric, from_json(tuple[MetricInfo, ...], metrics)))


def is_added(info: MetricInfo) -> bool:
    """Return whether a metric was joined to a result from a file of another program."""
    return info.source.startswith(ADDED)


def without_added(stamp: Stamp) -> Stamp:
    """Return a stamp without the metrics that were joined to its result."""
    added = {info.name for info in stamp.metrics if is_added(info)}
    scores = tuple(one for one in stamp.scores if one.metric not in added)
    kept = tuple(info for info in stamp.metrics if info.name not in added)
    return replace(stamp, scores=scores, metrics=kept)


def _complete_metric(info: MetricInfo) -> MetricInfo:
    """Return a declaration with what JSON leaves out: infinite limits, weighted mean, messages."""
    low, high = info.range
    limits = (-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high)
    combine = weighted_mean if info.aggregate == "own" and len(info.statistics) == 2 else None
    texts = (column_summary(info.name, weighted=weighted) for weighted in (False, True))
    # Equal to the text of the stamp, and translated like that of a result just scored.
    summary = next((text for text in texts if text == info.summary), info.summary)
    source = TABLE_SOURCE if info.source == TABLE_SOURCE else info.source
    return replace(info, range=limits, combine=combine, summary=summary, source=source)


def short_stamp(stamp: Stamp) -> str:
    """Return the stamp as one line, for a paper or a mail.

    `vist|meteor:1.5|profile:published|gold:ab12…|sub:9f0c…|jurydesk:0.1.0`
    """
    parts = {
        **stamp.settings,
        "profile": stamp.profile,
        "gold": combined_digest(stamp.references)[:SHORT_DIGITS] or "none",
        "sub": stamp.submission.sha256[:SHORT_DIGITS] or "none",
        "jurydesk": stamp.versions.get("jurydesk", "unknown"),
    }
    words = [stamp.task, *(f"{name}:{value}" for name, value in parts.items())]
    return "|".join(word.replace("|", "/") for word in words)


def input_places(stamp: Stamp) -> tuple[Path, ...]:
    """Return the folders of the inputs, and those that contain the files, as they are recorded.

    None is on a network share that the user did not choose.
    """
    places = [Path(one.path).parent for one in stamp.inputs]
    places += [Path(one.path) for one in stamp.folders]
    known = (one for one in dict.fromkeys(places) if one.is_absolute() and one.name)
    return tuple(one for one in known if not is_strange_share(one))


def combined_digest(sources: Sequence[Source]) -> str:
    """Return one SHA-256 for several files, independent of their order.

    That of a single file is its own; else it is computed over roles and hashes.
    """
    if len(sources) < 2:
        return "".join(source.sha256 for source in sources)
    lines = sorted(f"{source.role} {source.sha256}\n" for source in sources)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def library_versions(libraries: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions of Python, NumPy, Jurydesk and of the installed ones of `libraries`.

    Libraries are named as in package registries.
    """
    return {
        "jurydesk": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": f"{platform.system()} {platform.machine()}",
        **_installed_versions(libraries),
    }


def _installed_versions(libraries: Sequence[str]) -> dict[str, str]:
    found = {name: _installed_version(name) for name in libraries}
    return {name: version for name, version in found.items() if version is not None}


@cache  # a board of a hundred systems has a hundred stamps
def _installed_version(library: str) -> str | None:
    from importlib import metadata  # slow import, not needed by every task

    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def utc_now() -> str:
    """Return the current time in UTC as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
