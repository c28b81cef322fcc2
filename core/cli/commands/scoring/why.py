"""`jurydesk why FILE.jurydesk SYSTEM METRIC VALUE`: the options that give another number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import click

from jurydesk.core.analysis.explain_number import Explanation, explain, parse_target
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.analysis.verify import options_of_stamp
from jurydesk.core.cli.command import Command, Surroundings, did_you_mean
from jurydesk.core.cli.commands.scoring.board import task_of
from jurydesk.core.cli.commands.scoring.compare import alike, named
from jurydesk.core.cli.console import say
from jurydesk.core.cli.exit_codes import DONE, Fault
from jurydesk.core.cli.hidden_scores_notice import require_open, reveal_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.running import running
from jurydesk.core.cli.text.pairwise_text import counted
from jurydesk.core.cli.text.text_table import aligned
from jurydesk.core.desk import Desk

SHOWN_MOVES = 5
SHOWN = 3


@click.pass_obj
def print_reasons(
    surroundings: Surroundings,
    /,
    desk: Path,
    system: str,
    metric: str,
    value: str,
    profile: str | None,
    reveal: bool,
) -> int:
    """Score a system with other options until the number comes out, and say what it takes."""
    number = parse_target(value)
    with running(surroundings) as run, Desk.open(desk, read_only=True) as opened:
        task = task_of(opened, desk)
        require_open(opened, desk, reveal=reveal)
        summary = named(opened, alike(opened.evaluations(), profile), system)
        names = [score.metric for score in summary.scores]
        if metric not in names:
            raise Fault(f'{summary.system} has no metric "{metric}". {did_you_mean(metric, names)}')
        stamp = require_stamp(opened, summary)
        inputs = stamped_inputs(opened, task, stamp)
        found = explain(task, inputs, options_of_stamp(task, stamp), metric, number, run)
    exact = next(score.value for score in summary.scores if score.metric == metric)
    say(f"{summary.system} has {metric} {exact!r} in this desk.")
    for line in reason_lines(found, metric, value, task.item_noun):
        say(line)
    return DONE


def reason_lines(
    explanations: Sequence[Explanation], metric: str, value: str, noun: tuple[str, str]
) -> list[str]:
    """Each explanation with the items that move; or that there is none."""
    if not explanations:
        return [f"No profile and no option of this competition gives {value}."]
    lines: list[str] = []
    for explanation in explanations[:SHOWN]:
        changes = ", ".join(
            f"--{name.replace('_', '-')} {new}" for name, new in explanation.changes
        )
        how = f"with {changes}" if changes else "with the options in use"
        other = "" if explanation.metric == metric else f", which is {explanation.metric}"
        lines += ["", f"{value} comes {how}{other}: {explanation.value!r}"]
        if explanation.moves:
            lines.append(f"{counted(len(explanation.moves), noun)} with another value:")
            shown = explanation.moves[:SHOWN_MOVES]
            rows = [[move.item, _value(move.before), _value(move.after)] for move in shown]
            lines += aligned([noun[0], "here", "there"], rows, right={1, 2})
            lines += [f"{move.item}: {' '.join(move.reasons)}" for move in shown if move.reasons]
    if len(explanations) > SHOWN:
        more = len(explanations) - SHOWN
        lines += [
            "",
            "Another way gives it too." if more == 1 else f"{more} other ways give it too.",
        ]
    return lines


def _value(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else "-"


command = Command(
    "why",
    callback=print_reasons,
    params=[
        click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk"),
        click.Argument(["system"], metavar="SYSTEM"),
        click.Argument(["metric"], metavar="METRIC"),
        click.Argument(["value"], metavar="VALUE"),
        click.Option(["--profile"], metavar="NAME", help="Start from the result of this profile."),
        reveal_option(),
    ],
    help="Find the profile and options that give the number VALUE, and the items that move.",
)
