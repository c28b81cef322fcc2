"""Command `jurydesk trec_eval QRELS RUN`: drop-in replacement of trec_eval."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import (
    DONE,
    INPUT_ERRORS,
    NOTHING_SCORED,
    CommandError,
    input_errors,
)
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import fill
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_measures import requested_measures
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_output import ZScores, trec_eval_lines
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_run import (
    FORMATS,
    TrecEvalOptions,
    evaluate_run,
)

VERSIONS = {"trec9": "9.0.7", "trec10": "10.0"}
"""Versions that the programs print; 9.0.8 calls itself 9.0.7."""
STANDARD_INPUT = Path("-")


@click.pass_obj
def trec_eval(
    context: CommandContext,
    /,
    qrels: Path | None,
    run: Path | None,
    per_query: bool,
    measures: tuple[str, ...],
    compat: str,
    no_summary: bool,
    debug: str | None,
    z_score_file: Path | None,
    show_version: bool,
    **chosen: Any,
) -> int:
    """Print the values of trec_eval's measures for a run."""
    if show_version:
        click.echo(f"trec_eval version {VERSIONS[compat]}", err=True)
        return DONE
    if qrels is None or run is None:
        raise click.UsageError("Give the relevance file and the results: QRELS RUN.")
    requested = requested_measures(measures, compat)
    del chosen["old"], chosen["results_format"]
    with input_errors():
        options = TrecEvalOptions(
            version=compat,  # type: ignore[arg-type]
            query=(debug or "").partition(".")[2] or None,
            z_scores=read_z_scores(z_score_file) if z_score_file else {},
            has_z_scores=z_score_file is not None,
            **chosen,
        )
        with open_run(context) as work, _results(run) as results:
            table = evaluate_run(qrels, results, requested, options, work, context.report)
    if table is None:
        raise CommandError(NOTHING_SCORED, INPUT_ERRORS)
    for line in trec_eval_lines(table, requested, per_query=per_query, summary=not no_summary):
        print_result(line)
    return DONE


@contextmanager
def _results(run: Path) -> Iterator[Path]:
    """Yield the path of the results; `-` is standard input, saved for as long as it is read."""
    if run != STANDARD_INPUT:
        yield run
        return
    with tempfile.TemporaryDirectory(prefix="jurydesk-") as folder:
        saved = Path(folder) / "standard input"
        with saved.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield saved


def read_z_scores(path: Path) -> ZScores:
    """Return means and deviations by query and measure: lines of query, measure, both numbers."""
    found = {}
    for number, line in enumerate(
        path.read_text(encoding="utf-8", errors="replace").split("\n"), 1
    ):
        fields = line.split()
        if not fields:
            continue
        try:
            query, measure, mean, deviation = fields
            found[query, measure] = float(mean), float(deviation)  # nan as well, as there
        except ValueError as fault:
            raise CommandError(
                fill(
                    "{path}, line {number}: query, measure, mean and deviation are expected.",
                    path,
                    number,
                ),
                INPUT_ERRORS,
            ) from fault
    return found


command = CliCommand(
    "trec_eval",
    callback=trec_eval,
    uses=("jobs",),
    params=[
        click.Argument(["qrels"], type=PATH, metavar="QRELS", required=False),
        click.Argument(["run"], type=PATH, metavar="RUN|-", required=False),
        flag(
            "-q",
            "--query_eval_wanted",
            "per_query",
            help="Print the values of every query, then those of all.",
        ),
        flag(
            "-c",
            "--complete_rel_info_wanted",
            "complete",
            help="Average over all queries of QRELS; a query without results counts as 0.",
        ),
        click.Option(
            ["-m", "--measure", "measures"],
            multiple=True,
            metavar="MEASURE",
            help="A measure (map, P.5,10, ndcg.1=3,2=9) or a set (official, set, all_trec, "
            "all_prefs, prefs, qrels_jg); repeatable.",
        ),
        click.Option(
            ["-l", "--level_for_rel", "level"],
            type=click.FLOAT,
            metavar="N",
            help="The lowest relevance that counts as relevant.",
        ),
        flag("-n", "--nosummary", "no_summary", help="Do not print the values of all queries."),
        flag(
            "-J",
            "--Judged_docs_only",
            "judged_only",
            help="Remove documents without a judgement from the results.",
        ),
        click.Option(
            ["-M", "--Max_retrieved_per_topic", "max_retrieved"],
            type=click.INT,
            metavar="N",
            help="Evaluate only the first N documents of each query.",
        ),
        click.Option(
            ["-N", "--Number_docs_in_coll", "collection"],
            type=click.INT,
            default=0,
            metavar="N",
            help="The number of documents in the collection, for utility.",
        ),
        click.Option(
            ["-R", "--Rel_info_format", "format"],
            type=click.Choice(FORMATS),
            default="qrels",
            show_default=True,
            help="The format of QRELS.",
        ),
        click.Option(
            ["-T", "--Results_format", "results_format"],
            type=click.Choice(["trec_results"]),
            default="trec_results",
            show_default=True,
            help="The format of RUN.",
        ),
        click.Option(
            ["-Z", "--Zscore", "z_score_file"],
            type=PATH,
            metavar="FILE",
            help="Print deviations from the means in FILE: lines of query, measure, mean, "
            "standard deviation.",
        ),
        click.Option(
            ["-D", "--Debug_level", "debug"],
            metavar="LEVEL[.QUERY]",
            help="Evaluate QUERY only; there are no debugging lines.",
        ),
        flag("-o", "old", help="Accepted without effect, as in trec_eval since version 9."),
        flag("-v", "show_version", help="Print the version of trec_eval that is reproduced."),
        click.Option(
            ["--compat"],
            type=click.Choice(list(VERSIONS)),
            default="trec9",
            show_default=True,
            help="The version of trec_eval: 9.0.8 or 10.0.",
        ),
    ],
    help="Evaluate a run with the options and the output of trec_eval.",
)
