"""Command `jurydesk trec_eval QRELS RUN`: drop-in replacement of trec_eval."""

from __future__ import annotations

from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.drop_in import evaluate_one
from jurydesk.core.cli.exit_codes import DONE
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.trec.trec_eval_output import (
    ShownQueries,
    measures_option,
    requested_measures,
    run_id,
    trec_eval_lines,
)


@click.pass_obj
def trec_eval(
    context: CommandContext,
    /,
    qrels: Path,
    run: Path,
    per_query: bool,
    complete: bool,
    measures: tuple[str, ...],
    compat: str,
    level: float | None,
    no_summary: bool,
    **ignored: bool,
) -> int:
    """Print the output of trec_eval."""
    names = requested_measures(measures)
    inputs = {"relevance": (qrels,), "results": (run,)}
    evaluation = evaluate_one(
        context,
        inputs,
        missing="zero" if complete else "skip",
        measures=measures_option(names),
        compat=compat,
        level=level,
    )
    # Only trec_eval 10 prints the lines of a query that -c adds.
    every = complete and compat == "trec10"
    shown: ShownQueries = "none" if not per_query else "every" if every else "listed"
    totals = {}
    if complete and compat == "trec9" and level is not None:
        totals["num_rel"] = count_relevant_documents(qrels)
    for line in trec_eval_lines(
        evaluation, names, run_id(evaluation), shown, totals, summary=not no_summary
    ):
        print_result(line)
    return DONE


def count_relevant_documents(qrels: Path) -> float:
    """Count the documents with a relevance above 0: num_rel of trec_eval 9 with -c.

    There trec_eval 9 reads the file again and ignores the level (m_num_rel.c).
    """
    task = registry().tasks["keyword-spotting"]
    options = task.scoring.options(missing="zero")
    reading = task.readers.read_references({"relevance": (qrels,)}, options, Run())
    return 0.0 if reading.data is None else float((reading.data.gains > 0).sum())


command = CliCommand(
    "trec_eval",
    callback=trec_eval,
    params=[
        click.Argument(["qrels"], type=PATH, metavar="QRELS"),
        click.Argument(["run"], type=PATH, metavar="RUN"),
        flag("-q", "per_query", help="Print each query, then the summary."),
        flag(
            "-c",
            "complete",
            help="Average over all queries of QRELS; one that RUN lacks counts as 0.",
        ),
        click.Option(
            ["-m", "measures"],
            multiple=True,
            metavar="MEASURE",
            help="A measure (map, P.5,10), official, set or all_trec; may be repeated.",
        ),
        click.Option(
            ["-l", "level"],
            type=click.FLOAT,
            metavar="N",
            help="Lowest relevance level that counts as relevant.",
        ),
        flag("-n", "--nosummary", "no_summary", help="Do not print the summary."),
        flag("-o", "old", help="Accepted without effect, as in trec_eval 9 and later."),
        click.Option(
            ["--compat"],
            type=click.Choice(["trec9", "trec10"]),
            default="trec9",
            show_default=True,
            help="Compute as trec_eval 9 or trec_eval 10.",
        ),
    ],
    help="Print what trec_eval prints, for scripts that called it.",
)
