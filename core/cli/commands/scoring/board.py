"""Command `jurydesk board FILE.jurydesk`: print the leaderboard of a desk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.analysis.average_rank import average_ranks
from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.significance.leaderboard_significance import (
    desk_significance,
    find_copied_systems,
)
from jurydesk.core.analysis.slice_leaderboard import family_of_slices, slice_leaderboards
from jurydesk.core.analysis.slices import ItemSlice, slice_by_query, slices_by_column
from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.desk_work import (
    desk_argument,
    desk_work,
    inference_options,
    rank_by_option,
    reveal_option,
)
from jurydesk.core.cli.output import STANDARD_OUTPUT, json_option, target_option
from jurydesk.core.cli.text.leaderboard_text import (
    board_legend,
    board_lines,
    finding_lines,
    select_metrics,
)
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.desk.inference_settings import load_inference, store_inference
from jurydesk.core.export.board_file import BoardContent, board_file, board_stamps, desk_remarks
from jurydesk.core.export.stamps_export import second_file
from jurydesk.core.human_evaluation.design.study_store import RatingStore, ratings_source
from jurydesk.core.human_evaluation.results.metric_correlation import add_ratings
from jurydesk.core.intake.submission_ledger import scored_share
from jurydesk.core.language import fill, translatable, translate, translate_plural, translate_text
from jurydesk.core.model.checks import combine
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.workflow.errata.errata_export import errata_sections
from jurydesk.core.workflow.errata.errata_record import load_errata

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@click.pass_obj
def print_board(
    context: CommandContext,
    /,
    metric: tuple[str, ...],
    slice: tuple[str, ...],
    by: tuple[str, ...],
    average_rank: tuple[str, ...],
    **values: Any,
) -> int:
    """Print the board of a desk or of its slices, and write the requested exports."""
    rank_by = values["rank_by"]
    with desk_work(context, values, read_only=not rank_by) as work:
        opened, task, run, inference = work.desk, work.task, work.run, work.inference
        if rank_by:
            store_inference(opened, replace(load_inference(opened), rank_by=rank_by))
        elif metric:
            inference = replace(inference, rank_by=metric[0])
        whole = read_board(opened, task, run, inference, average_rank)
        shown = select_metrics(whole, metric) if metric else ()
        sliced = chosen_slices(opened, task, slice, by, run, inference)
        marked = [
            *copy_lines(opened, task, run),
            *check_lines(opened),
        ]
        if not whole.rows:
            marked += desk_content_lines(opened, task)
        errata = errata_sections(load_errata(opened, task))
        ratings = ratings_source(opened)
        content = BoardContent(opened, task, whole, inference, sliced, shown, errata, ratings)
        work.export(lambda kind: board_file(kind, content, run))
        table = work.targets.get("csv")
        if table is not None and table != STANDARD_OUTPUT:
            work.exports.append((second_file(table), board_stamps(content)))
        elif table is not None:
            context.remark(SHORT_STAMPS)
    return work.deliver((*leaderboard_output(task, whole, sliced, metric), *marked))


def desk_content_lines(desk: Desk, task: AnyTask) -> list[str]:
    """Describe the content of a desk without scored systems, and the next command."""
    submission = task.submission_input()
    given = sum(entry.source.role == submission.role for entry in desk.inputs())
    store = RatingStore(desk)
    study, lines = store.study(), []
    if given:
        lines += [
            translate_plural(
                "The desk holds {count} submission of {competition}.",
                "The desk holds {count} submissions of {competition}.",
                given,
                competition=translate_text(task.title),
            )
        ]
    if study is not None:
        lines += [
            translate(
                "The desk holds a rating plan: {systems}, {raters}, answers from {answered:,}. "
                "`jurydesk ratings merge` adds their answers.",
                systems=translate_plural(
                    "{count} system", "{count} systems", len(study.pool.systems)
                ),
                raters=translate_plural("{count} rater", "{count} raters", len(study.raters)),
                answered=len(store.answered_packets()),
            )
        ]
    score = translate(
        "`jurydesk score {task} ... --desk {desk}` scores systems into it.",
        task=task.id,
        desk=desk.path.name,
    )
    return [*lines, score]


def check_lines(desk: Desk) -> Iterator[str]:
    """Yield a line for each file that had errors or could not be read at its last check."""
    paths = [str(entry.path) for entry in desk.inputs()]
    files = combine(desk.check_records(), paths).files
    names = distinct_names({one.path for one in files})
    for one in files:
        when = f"{one.time[:10]} {one.time[11:16]} UTC"
        if one.outcome == "failed":
            yield translate(
                "{file} had errors when it was checked, {time}.", file=names[one.path], time=when
            )
        elif one.outcome == "unknown":
            yield translate(
                "{file} could not be checked, {time}: {reason}",
                file=names[one.path],
                time=when,
                reason=translate_text(one.reason),
            )


def copy_lines(desk: Desk, task: AnyTask, run: Run) -> list[str]:
    """Return a sentence for each pair of systems that look like copies."""
    found = find_copied_systems(desk, task, desk.evaluations(), run)
    return [
        translate_text(one.sentence(task.item_noun))
        for several in found.values()
        for one in several
    ]


def chosen_slices(
    desk: Desk,
    task: AnyTask,
    queries: Sequence[str],
    columns: Sequence[str],
    run: Run,
    inference: Inference | None = None,
) -> list[tuple[ItemSlice, Leaderboard]]:
    """Compute the boards of the requested slices, in their order."""
    summaries = desk.evaluations()
    if not (queries or columns) or not summaries:
        return []
    attributes = ItemAttributes(desk, task, summaries, run)
    chosen = [slice_by_query(attributes, query) for query in queries]
    chosen += [one for column in columns for one in slices_by_column(attributes, column)]
    return slice_leaderboards(desk, task, summaries, chosen, run, inference)


def leaderboard_output(
    task: AnyTask,
    whole: Leaderboard,
    sliced: Sequence[tuple[ItemSlice, Leaderboard]],
    metric: Sequence[str],
) -> list[str]:
    """Format the board, or those of the slices under their titles."""
    if not whole.rows:
        return [translate_text(whole.finding)]
    if not sliced:
        return board_lines(whole, metric)
    lines: list[str] = []
    for one, board in sliced:
        lines += ["", translate_text(fill("{title}: {size}", one.title, one.size)), ""]
        lines += finding_lines(board, metric)
    legends = [line for _, board in sliced for line in board_legend(board, metric)]
    family = translate_text(family_of_slices([one for one, _ in sliced]))
    return [*lines[1:], "", *filter(None, [family]), *dict.fromkeys(legends)]


def read_board(
    desk: Desk,
    task: AnyTask,
    run: Run,
    inference: Inference | None = None,
    averaged: Sequence[str] = (),
) -> Leaderboard:
    """Compute the board of a desk, including its ratings by people.

    With `averaged` it has the average rank over the metrics of these names.
    """
    summaries = desk.evaluations()
    significance = desk_significance(desk, task, summaries, run, inference)
    inference = load_inference(desk) if inference is None else inference
    rated = add_ratings(task, summaries, desk)
    board = make_leaderboard(*rated, significance, inference.rank_by)
    board = replace(board, remarks=desk_remarks(desk, task, summaries), received=scored_share(desk))
    if not averaged:
        return board
    found = average_ranks(desk, task, summaries, averaged, run, inference)
    return replace(board, average_ranks=found)


def board_parameters() -> list[Any]:
    """Return the parameters of the command."""
    return [
        desk_argument(),
        click.Option(
            ["--metric"],
            multiple=True,
            metavar="NAME",
            help="Print only these metrics, ranked by the first; a LaTeX table and a report show "
            "these first.",
        ),
        click.Option(
            ["--slice"],
            multiple=True,
            metavar="QUERY",
            help="Board of the matching items: words, and conditions such as num_rel<5.",
        ),
        click.Option(
            ["--by"],
            multiple=True,
            metavar="COLUMN",
            help="One board per value of a column, or per quartile of a numeric column.",
        ),
        rank_by_option(),
        click.Option(
            ["--average-rank"],
            multiple=True,
            metavar="NAME",
            help="Add the average rank over these metrics, with its interval; give it for each.",
        ),
        *inference_options(),
        reveal_option(),
        target_option("--latex", help="Write the board as a LaTeX table."),
        target_option(
            "--methods",
            help="Write the methods paragraph of a paper as LaTeX, with its BibTeX.",
        ),
        target_option(
            "--csv",
            help="Write the board as CSV, in full precision, and its stamps beside it as "
            "NAME.stamps.json; without a file (-), the stamps are short alone.",
        ),
        target_option(
            "--html", help="Write a report with board, plots and items as one HTML page."
        ),
        json_option(),
    ]


SHORT_STAMPS = translatable(
    "This CSV has short stamps alone: write it to a file for the whole ones in NAME.stamps.json."
)

command = CliCommand(
    "board",
    callback=print_board,
    params=board_parameters(),
    help="Print the board of a desk: its systems, the best first.\n\n"
    "Each exported file contains the stamps of its numbers, which `jurydesk verify` checks. A CSV "
    "has short ones, and the whole ones are in NAME.stamps.json beside it.",
)
