"""Origin of an export: the stamps of its results, and the settings to make it again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.contradictions import contradiction_marks
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.export.stamps_export import (
    SETTINGS,
    STAMPS,
    published_source,
    published_stamps,
    stamp_text,
)
from jurydesk.core.language import Message, fill
from jurydesk.core.language.message import encode_message
from jurydesk.core.model.evaluation import IntArray, Json, Source
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.stamp import StampError
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary


RANK_BY = "rank by"
"""Setting of exports whose ranking metric is not the competition's."""
REMARKS = "remarks"
"""Setting of exports with remarks on systems, by name."""


@dataclass(frozen=True, slots=True)
class ExportOrigin:
    """Stamps of the results that an export follows from, and its settings."""

    stamps: Sequence[Json]
    settings: Mapping[str, Json]

    def members(self) -> dict[str, Json]:
        """Return the members of a JSON document."""
        return {STAMPS: list(self.stamps), SETTINGS: dict(self.settings)}

    def cells(self) -> dict[str, str]:
        """Return the cells of the first row of a table, by column."""
        return {STAMPS: stamp_text(list(self.stamps)), SETTINGS: stamp_text(self.settings)}


class TracedSettings(dict[str, Json]):
    """Settings of a file that remember which of them were read."""

    def __init__(self, values: Mapping[str, Json]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Json:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Json = None) -> Json:
        """Return a setting, or the default."""
        self.read.add(name)
        return super().get(name, default)

    @property
    def unread(self) -> list[str]:
        """Names of the settings that nothing read."""
        return [name for name in self if name not in self.read]


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Settings of an export, as `make_settings` wrote them.

    `results` is the number of results that the export follows from, `stamps` that of their stamps;
    `values` are all settings, with those of the format.
    """

    kind: str
    task: str
    results: int
    stamps: int
    inference: Inference
    groups: Source | None
    """File of the groups, without which the comparisons cannot be made again."""
    ratings: Source | None
    """Desk with the ratings, with the hash of study and answers."""
    values: TracedSettings

    @classmethod
    def from_json(cls, data: Json) -> ExportSettings:
        """Return the settings of an export; raises StampError for any other content."""
        with settings_errors():
            data = TracedSettings(data)
            statistics = {name: data[name] for name in ("interval", "correction")}
            groups, ratings = data["groups file"], data["ratings"]
            return cls(
                str(data["format"]),
                str(data["task"]),
                int(data["results"]),
                int(data["stamps"]),
                from_json(
                    Inference,
                    {
                        **statistics,
                        "grouped": data["groups"] != "none",
                        "rank_by": data.get(RANK_BY, ""),
                    },
                ),
                None if groups is None else from_json(Source, groups),
                None if ratings is None else from_json(Source, ratings),
                data,
            )

    def own_values(self) -> dict[str, Json]:
        """Return the settings of every format as this version writes them."""
        counts = self.results, self.stamps
        return make_settings(self.kind, self.task, self.inference, counts, self.ratings)


@contextlib.contextmanager
def settings_errors() -> Iterator[None]:
    """Raise a StampError for settings that are missing or of another type."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise StampError(
            fill("The settings in the file are damaged: {error}.", Message(str(error)))
        ) from error


def make_settings(
    kind: str,
    task_id: str,
    inference: Inference,
    counts: tuple[int, int],
    ratings: Source | None = None,
    **values: Json,
) -> dict[str, Json]:
    """Return what an export depends on besides the stamped results.

    `counts` are the numbers of results and of stamps, `values` the settings of the format.
    """
    results, stamps = counts
    return {
        "format": kind,
        "task": task_id,
        "results": results,
        "stamps": stamps,
        **values,
        "interval": inference.interval,
        "correction": inference.correction,
        **({RANK_BY: inference.rank_by} if inference.rank_by else {}),
        "groups": inference.policies.get("groups", "none"),
        "groups file": to_json(inference.source),
        "ratings": to_json(ratings),
    }


def make_origin(
    kind: str,
    task_id: str,
    stamps: Sequence[Json],
    inference: Inference,
    ratings: Source | None = None,
    **values: Json,
) -> ExportOrigin:
    """Return the origin of an export of results with these stamps, of which some may be None."""
    known = published_stamps([stamp for stamp in stamps if stamp])
    counts = len(stamps), len(known)
    settings = make_settings(kind, task_id, inference, counts, ratings, **values)
    return ExportOrigin(known, published_settings(settings))


def published_settings(settings: Mapping[str, Json]) -> dict[str, Json]:
    """Return settings without the paths of this computer."""
    return {
        **settings,
        **{
            name: published_source(settings[name])
            for name in ("groups file", "ratings")
            if name in settings
        },
    }


def desk_origin(
    kind: str,
    desk: Desk,
    task: AnyTask,
    summaries: Sequence[Summary],
    inference: Inference,
    ratings: Source | None = None,
    **values: Json,
) -> ExportOrigin:
    """Return the origin of an export of these results of a desk, which marks contradictions."""
    stamps = load_stamps(desk)
    found = [stamps.get(one.id) for one in summaries]
    values |= contradiction_settings(desk, task, summaries)
    return make_origin(kind, task.id, found, inference, ratings, **values)


def contradiction_settings(
    desk: Desk, task: AnyTask, summaries: Sequence[Summary]
) -> dict[str, Json]:
    """Return the setting of an export that marks the contradictions of these results, if any."""
    marks = contradiction_marks(desk, task, summaries)
    return {REMARKS: encoded_remarks(marks)} if marks else {}


def encoded_remarks(remarks: Mapping[str, str]) -> dict[str, Json]:
    """Return remarks on systems as JSON values that keep their templates."""
    return {system: encode_message(text) for system, text in remarks.items()}


def table_origin(
    kind: str,
    task_id: str,
    stamps: Sequence[Json],
    rows: IntArray,
    count: int,
    ratings: Source | None = None,
    **values: Json,
) -> ExportOrigin | None:
    """Return the origin of these rows of a table of `count` rows; None if a stamp is missing.

    `kind` ends with the form, such as `item table csv`; `values` are the settings of the table.
    """
    if not all(stamps):
        return None
    is_whole = len(rows) == count and bool((np.diff(rows) == 1).all())
    listed = None if is_whole else rows.tolist()
    return make_origin(kind, task_id, stamps, Inference(), ratings, rows=listed, **values)
