"""Work of a command on a desk: its options, the open desk, and the files that it writes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.analysis.contradictions import contradictions
from jurydesk.core.cli.command import suggest_command
from jurydesk.core.cli.console import print_remark
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hidden_since
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import declared_metrics, scored_items
from jurydesk.core.execution.groups_file import (
    describe_missing_groups,
    inference_from_values,
    require_groups,
)
from jurydesk.core.language import Message, fill, translate, translate_text
from jurydesk.core.model.evaluation import Json
from jurydesk.core.statistics.group_intervals import METHODS
from jurydesk.core.statistics.inference import CORRECTIONS, Inference

if TYPE_CHECKING:
    from jurydesk.core.cli.command import CommandContext
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.execution.run import Run

TARGETS = ("latex", "methods", "csv", "html", "json")
"""Options for files in the formats of exports."""


def desk_argument() -> click.Argument:
    """Return the argument that names the desk."""
    return click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk")


def reveal_option() -> click.Option:
    """Return the option `--reveal`."""
    return flag("--reveal", help="Show hidden scores; they stay hidden in the desk.")


def inference_options(*, correction: bool = True) -> list[click.Option]:
    """Return `--groups`, `--interval` and `--correction`, which scoring leaves out."""
    options = [
        click.Option(
            ["--groups"],
            metavar="FILE|none",
            help="Resample the groups in a file (two columns: item, group) instead of those of the "
            "competition; none resamples items.",
        ),
        click.Option(
            ["--interval"],
            type=click.Choice(METHODS),
            help="Confidence interval method; studentized if not given.",
        ),
        click.Option(
            ["--correction"],
            type=click.Choice(CORRECTIONS),
            help="Correction for multiple comparisons; romano-wolf if not given.",
        ),
    ]
    return options if correction else options[:2]


def rank_by_option() -> click.Option:
    """Return the option `--rank-by`."""
    return click.Option(
        ["--rank-by"],
        metavar="NAME",
        help="Rank the systems by this metric, and keep it in the desk; if not given, by that of "
        "the competition.",
    )


def require_ranking_metric(task: AnyTask, name: str) -> None:
    """Raise CommandError unless this is the name of a metric that can rank systems."""
    try:
        info = task.metric(name)
    except KeyError:
        known = [one.name for one in task.scoring.metrics if one.better != "neither"]
        refusal = fill('The competition has no metric "{name}".', name)
        advice = suggest_command(name, known)
        raise CommandError(f"{translate_text(refusal)} {advice}") from None
    if info.better == "neither":
        raise CommandError(fill("{metric} is a count and ranks no systems.", Message(info.title)))


@dataclass(frozen=True, slots=True)
class DeskWork:
    """Open desk of a command with its competition, the run, and what the options say of both.

    `inference` are the desk's settings with those of the options, `targets` the requested files by
    format, and `exports` their contents.
    """

    desk: Desk
    task: AnyTask
    run: Run
    inference: Inference
    targets: Mapping[str, Path]
    exports: list[tuple[Path, Json | bytes]] = field(default_factory=list)

    def export(self, content: Callable[[Any], Json | bytes]) -> None:
        """Make the content of each requested file, by its format."""
        self.exports.extend((path, content(kind)) for kind, path in self.targets.items())

    def deliver(self, lines: Iterable[str]) -> int:
        """Write the exports, and print the lines unless one goes to standard output."""
        return deliver(lines, *self.exports)


def desk_task(desk: Desk) -> AnyTask:
    """Return the competition of a desk; raise CommandError if it is not available."""
    competition = desk.competition
    if competition is None:
        raise CommandError(fill("{path} holds no competition yet.", desk.path), INPUT_ERRORS)
    task = find_competition(competition.task_id)
    if task is None:
        raise CommandError(
            fill(
                "{path} holds the competition {task_id}, which this installation does not "
                "have: install the package that adds it.",
                desk.path,
                repr(competition.task_id),
            ),
            INPUT_ERRORS,
        )
    return with_metrics(task, declared_metrics(desk))


@contextlib.contextmanager
def desk_work(
    context: CommandContext,
    values: Mapping[str, Any],
    *,
    read_only: bool = True,
    find_task: Callable[[Desk], AnyTask] = desk_task,
) -> Iterator[DeskWork]:
    """Open the desk of the parsed `values` for the work of a block.

    A command with `--reveal` is refused hidden scores without it, and says which scores are not
    those of their rows or stamps, and which names look alike. Raises CommandError.
    """
    path: Path = values["desk"]
    with open_run(context) as run, Desk.open(path, read_only=read_only) as desk:
        task = find_task(desk)
        if values.get("reveal") is False:
            require_revealed(desk, path)
        if "reveal" in values:  # the command shows scores
            for _, sentence in contradictions(desk, task, desk.evaluations(), run.check):
                print_remark(sentence)
            context.warn_of_look_alikes(desk.systems())
        if values.get("rank_by"):
            require_ranking_metric(task, values["rank_by"])
        inference = inference_from_values(values, load_inference(desk))
        if values.get("groups"):
            ids = scored_items(desk)
            require_groups(inference, ids)
            if lacking := describe_missing_groups(inference, ids, task.item_noun):
                context.remark(lacking)
        targets = {kind: values[kind] for kind in TARGETS if values.get(kind) is not None}
        yield DeskWork(desk, task, run, inference, targets)


def chosen_profile(desk: Desk, task: AnyTask, profile: str) -> str:
    """Return the requested profile of a desk, or the first one with a system.

    Raises CommandError if no system has it.
    """
    profiles = dict.fromkeys(one.profile for one in desk.evaluations())
    if profile and profile not in profiles:
        raise CommandError(
            translate(
                '{desk} has no system with the profile "{profile}". Available: {names}.',
                desk=desk.path,
                profile=profile,
                names=", ".join(profiles) or translate("none"),
            )
        )
    return profile or next((one for one in task.scoring.profiles if one in profiles), "")


def require_revealed(desk: Desk, path: Path) -> None:
    """Raise CommandError if the desk hides its scores."""
    if since := hidden_since(desk):
        raise CommandError(
            fill(
                "The scores in {name} have been hidden since {format_time}. `jurydesk scores "
                "open {name2}` opens them; --reveal shows them once.",
                path.name,
                format_time(since),
                path.name,
            ),
            INPUT_ERRORS,
        )


def format_time(at: str) -> str:
    """Format a time of the desk (ISO 8601 in UTC) for a message."""
    return f"{at[:10]} {at[11:16]} UTC"
