"""Summary of an evaluation, without its items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jurydesk.core.model.evaluation import Evaluation, Json, Score


@dataclass(frozen=True, slots=True)
class Summary:
    """Evaluation of a desk, as a board shows it.

    `stale` is True if an input or an option has changed since; `created` is an ISO 8601 time in
    UTC. `id` is 0 for an evaluation that is in no desk. `submission` is the path of the scored
    file and `options` are those of scoring, as its stamp has them; empty without a stamp. `server`
    are the numbers of the platform from which it came, by column.
    """

    id: int
    system: str
    profile: str
    scores: tuple[Score, ...]
    about: str
    stale: bool
    created: str
    n_items: int
    submission: str = ""
    options: Mapping[str, Json] = field(default_factory=dict, compare=False)
    server: Mapping[str, str] = field(default_factory=dict)


def summarize(evaluation: Evaluation) -> Summary:
    """Return the summary of an evaluation that is in no desk."""
    created = evaluation.stamp["created"] if evaluation.stamp else ""
    return Summary(
        0,
        evaluation.system,
        evaluation.profile,
        evaluation.scores,
        evaluation.about,
        False,
        created,
        len(evaluation.items),
        options=evaluation.stamp["options"] if evaluation.stamp else {},
    )
