"""Pages of the manual that are made from declarations: competitions, metrics, command line."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.program import program
from jurydesk.core.competition.task import AnyTask, Input
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.export.bibliography import cited_entries
from jurydesk.core.model.evaluation import MetricInfo

NOTES = Path(__file__).resolve().parent / "competitions"
BUILT_IN = tuple(sorted(path.stem for path in NOTES.glob("*.md")))
"""Competitions with notes: all of this program."""


def write_pages(folder: Path) -> None:
    """Write all generated pages anew into the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tasks = [registry().tasks[name] for name in BUILT_IN]
    for task in tasks:
        (folder / f"{task.id}.md").write_text(competition_page(task), encoding="utf-8")
    (folder / "metrics.md").write_text(metrics_page(tasks), encoding="utf-8")
    (folder / "command-line.md").write_text(command_page(), encoding="utf-8")


def competition_page(task: AnyTask) -> str:
    """Return the page of a competition: files, options, metrics, and its notes."""
    notes = NOTES / f"{task.id}.md"
    parts = [
        f"# {task.title}",
        f"{task.summary} On the command line and in Python it is `{task.id}`; an item is a "
        f"{task.item_noun[0]}.",
        "## Files",
        table(("option", "what", "given"), map(input_row, task.inputs)),
        "## Options",
        table(("option", "default", "what"), map(option_row, fields(task.scoring.options))),
        notes.read_text(encoding="utf-8").strip(),
        "## Metrics",
        f"Resampling unit of intervals and tests: {unit(task)}.",
        *(metric_section(info) for info in task.scoring.metrics),
    ]
    return "\n\n".join(parts) + "\n"


def unit(task: AnyTask) -> str:
    """Return what is resampled, in words."""
    if task.scoring.groups is None and task.scoring.units is None:
        return f"each {task.item_noun[0]}"
    return f"each {task.scoring.group_noun[0]} with its {task.item_noun[1]}"


def input_row(entry: Input) -> tuple[str, str, str]:
    """Return one input as a row."""
    given = "required" if entry.required else "optional"
    many = ", several" if entry.many or entry.kind == "submission" else ""
    return f"`--{entry.role}`", f"{entry.label}. {entry.help}".strip(), given + many


def option_row(entry: Any) -> tuple[str, str, str]:
    """Return one option as a row."""
    choices = entry.metadata.get("choices", ())
    listed = " One of " + ", ".join(f"`{one}`" for one in choices) + "." if choices else ""
    default = f"`{entry.default}`" if entry.default not in (None, "", ()) else ""
    flag = entry.name.replace("_", "-")
    return f"`--{flag}`", default, f"{entry.metadata.get('help', '')}{listed}"


def metric_section(info: MetricInfo) -> str:
    """Return the declaration of a metric as a section."""
    papers = "; ".join(f"`{one.key}`" for one in cited_entries([info.source]))
    facts = [
        f"Range {limits(info)}; {better(info)}.",
        f"The score is {aggregate(info)}.",
        f"Source: {info.source}" + (f" (BibTeX {papers})." if papers else "."),
    ]
    return f"### `{info.name}`: {info.title}\n\n{info.summary}\n\n{' '.join(facts)}"


def limits(info: MetricInfo) -> str:
    """Return the range in words."""
    low, high = ("∞" if math.isinf(end) else f"{end:g}" for end in info.range)
    return f"{'-' if info.range[0] == -math.inf else ''}{low} to {high}"


def better(info: MetricInfo) -> str:
    """Return which direction is better, in words."""
    return {"higher": "higher is better", "lower": "lower is better"}.get(
        info.better, "a count, which ranks nobody"
    )


def aggregate(info: MetricInfo) -> str:
    """Return how the score follows from the items, in words."""
    if info.aggregate == "mean":
        return "the mean over the items where it is defined"
    if info.aggregate == "sum":
        return "the sum over the items"
    columns = ", ".join(f"`{name}`" for name in info.statistics)
    return f"computed from the items' {columns}" if columns else "computed from all items together"


def metrics_page(tasks: Sequence[AnyTask]) -> str:
    """Return the index of all metrics with their competition."""
    rows = [
        (f"`{info.name}`", info.title, f"[{task.title}]({task.id}.md)", better(info))
        for task in tasks
        for info in task.scoring.metrics
    ]
    head = ("name", "title", "competition", "direction")
    return f"# Metrics\n\n{table(head, sorted(rows))}\n"


def command_page() -> str:
    """Return the reference of the command line, made from the program itself."""
    context = click.Context(program, info_name="jurydesk")
    return "\n\n".join(["# Command line", *sections(program, context, 2)]) + "\n"


def sections(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """Yield the help of a command, then that of its subcommands."""
    text = (command.help or command.short_help or "").replace("\b", "").strip()
    usage = " ".join(command.collect_usage_pieces(context))
    yield f"{'#' * min(level, 6)} `{context.command_path}`"
    yield f"```text\n{context.command_path} {usage}\n```"
    if text:
        yield text
    rows = [
        record
        for parameter in command.get_params(context)
        if (record := parameter.get_help_record(context)) is not None
    ]
    if rows:
        yield table(("option", "what"), ((f"`{cell(name)}`", what) for name, what in rows))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from sections(
                    inner, click.Context(inner, parent=context, info_name=name), level + 1
                )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; no text of a cell is markup except what is in backticks."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(cell(text) for text in row)} |" for row in rows]
    return "\n".join(lines)


def cell(text: str) -> str:
    """Return text that stays within one cell of a table."""
    line = " ".join(text.replace("\b", "").split())
    return line.replace("\\", "\\\\").replace("|", "\\|") if "|" in line else line
