"""Command `jurydesk platform export`: a bundle of a platform, after a dry run of its program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.leaderboard_table import headline_first
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.commands.scoring.compare import summaries_of_profile
from jurydesk.core.cli.console import print_error
from jurydesk.core.cli.desk_work import DeskWork, desk_argument, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError, require_writable
from jurydesk.core.cli.output import deliver, write_output
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.cli.text.leaderboard_text import select_metrics
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.export.platforms.codabench_bundle import check_codabench
from jurydesk.core.export.platforms.codabench_export import (
    MOST_COLUMNS,
    BundleSettings,
    BundleSource,
    bundle_bytes,
    bundle_columns,
    make_bundle,
    read_bundle_settings,
)
from jurydesk.core.export.platforms.dry_run import run_dry
from jurydesk.core.language import Message, counted, translatable, translate, translate_text
from jurydesk.core.model.options import options_from_json
from jurydesk.core.model.stamp import short_stamp
from jurydesk.core.participant_kit.browser_page import checker_page_bytes, has_page
from jurydesk.core.participant_kit.kit import kit_bytes, make_kit

if TYPE_CHECKING:
    from jurydesk.core.desk import Summary


@click.pass_obj
def export_package(
    context: CommandContext, /, platform: str, out: Path, settings: Path | None, **values: Any
) -> int:
    """Write a bundle, after a dry run of its scoring program; return 1 if that fails."""
    require_writable(out, "OUT")
    chosen = read_bundle_settings(settings)
    with desk_work(context, values) as work:
        summaries = summaries_of_profile(work.desk.evaluations(), None)
        if not summaries:
            raise CommandError(
                translate("The dry run needs a scored system in the desk."), INPUT_ERRORS
            )
        source, systems = _bundle_source(work, summaries, chosen)
        members = make_bundle(source, chosen)
        outcome = run_dry(members, systems, work.run)
    if outcome.problem:
        print_error(outcome.problem)
        context.remark(translate("The dry run failed: nothing was written."))
        return INPUT_ERRORS
    readme = Message(DRY_RUN).format(runs=outcome.runs, systems=counted(len(systems), "system"))
    write_output(out, bundle_bytes({**members, "README.md": f"{readme}\n".encode()}))
    context.report(check_codabench(out))
    if not chosen.terms:
        context.remark(translate("The terms are empty: write them in the settings."))
    if source.kit is None:
        context.remark(translate("The bundle has no starting kit: the competition has no checker."))
    return deliver([translate_text(readme), translate("{path} was written.", path=out)])


DRY_RUN = translatable(
    "Dry run: {runs} runs ({systems}) gave the desk's numbers, bit for bit, or refused damaged "
    "entries."
)


def _bundle_source(
    work: DeskWork, summaries: Sequence[Summary], chosen: BundleSettings
) -> tuple[BundleSource, dict[str, tuple[Path, dict[str, float]]]]:
    """Return what the bundle is made from, and file and numbers of each system."""
    desk, task = work.desk, work.task
    board = make_leaderboard(task, summaries)
    metrics = select_metrics(board, chosen.columns)[:MOST_COLUMNS]
    metrics = headline_first(board, metrics) if not chosen.columns else metrics
    known = desk.competition
    options = options_from_json(task.scoring.options, known.options if known else {})
    inputs: dict[str, list[Path]] = {}
    systems: dict[str, tuple[Path, dict[str, float]]] = {}
    stamps = []
    columns = bundle_columns(metrics)
    for one in summaries:
        stamp = require_stamp(desk, one)
        files = stamped_inputs(desk, task, stamp)
        (path,) = files.pop(task.submission_input().role)
        inputs, options = files, options_of_stamp(task, stamp)
        values = {score.metric: score.value for score in one.scores}
        systems[one.system] = path, {c["key"]: values[c["metric"]] for c in columns}
        stamps.append(short_stamp(stamp))
    title = known.title if known else translate_text(task.title)
    kit = _starting_kit(work, title, inputs, options)
    return BundleSource(task, options, inputs, metrics, title, stamps, kit), systems


def _starting_kit(
    work: DeskWork, title: str, inputs: Mapping[str, Sequence[Path]], options: Any
) -> dict[str, bytes] | None:
    """Return the checker for participants, if the competition has one."""
    redaction = work.task.submission_checks.redaction
    if redaction is None or not has_page(redaction):
        return None
    references = work.task.readers.read_references(inputs, options, work.run)
    kit = make_kit(work.task, title, references, options)
    return {
        "README.txt": KIT_README.encode(),
        "checker.html": checker_page_bytes(kit, redaction),
        "checker.jurycomp": kit_bytes(kit),
    }


KIT_README = """Open checker.html in a browser: it checks a submission on this computer.
The file checker.jurycomp is the same for Jurydesk:
jurydesk check --kit checker.jurycomp FILE
Upload a zip archive with one file.
"""


export_command = CliCommand(
    "export",
    callback=export_package,
    params=[
        click.Argument(["platform"], type=click.Choice(["codabench"])),
        desk_argument(),
        click.Argument(["out"], type=PATH, metavar="OUT.zip"),
        file_option("--settings", help="YAML file: title, start, end, terms, columns and others."),
        reveal_option(),
    ],
    help="Write a bundle of Codabench from a desk, after a dry run of its scoring program.",
)
