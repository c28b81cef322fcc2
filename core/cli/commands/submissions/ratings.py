"""Command `jurydesk ratings`: plans, packets, answers and results of ratings by people."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jurydesk.core.cli.command import CliCommand, CommandContext, SuggestingGroup
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import desk_task, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import json_option
from jurydesk.core.cli.parameters import PATH, file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.cli.text.leaderboard_text import board_lines
from jurydesk.core.cli.text.ratings_text import (
    agreement_lines,
    correlation_lines,
)
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.language import (
    LANGUAGES,
    counted,
    fill,
    translatable,
    translate,
    translate_plural,
    translate_text,
)
from jurydesk.core.model.defects import has_errors

if TYPE_CHECKING:
    from jurydesk.core.human_evaluation.results.findings import StudyFindings

NO_SUCH_DESK = translatable("{desk} does not exist. `jurydesk ratings plan` creates it.")
NO_SYSTEMS = translatable(
    "{desk} does not exist. Score systems into it first (`jurydesk score`), or give files of "
    "stories with --submission."
)


@click.pass_obj
def plan_command(context: CommandContext, /, desk: Path, **values: Any) -> int:
    """Make a balanced plan and store it in a desk."""
    from jurydesk.core.human_evaluation.design.planning import StudyRequest, describe_study
    from jurydesk.core.workflow.ratings import plan_ratings

    request = StudyRequest(**values)
    if request.human and request.submissions and not request.references:
        raise CommandError("--human needs the human stories: give them with --references FILE.")
    _require_folder(request.images)
    if not request.submissions and not desk.exists():
        raise CommandError(translate(NO_SYSTEMS, desk=desk), INPUT_ERRORS)
    with Desk.open(desk, read_only=True) if desk.exists() else nullcontext() as opened:
        task = _task(opened)
    with open_run(context) as run:
        outcome = plan_ratings(desk, task, request, run)
    context.report(outcome.defects)
    if outcome.refusal is not None:
        raise outcome.refusal
    study = outcome.study
    if study is None:
        raise CommandError("Nothing was planned: fix the errors above first.", INPUT_ERRORS)
    context.warn_of_look_alikes(study.pool.systems)
    print_result(
        translate(
            "Planned: {study} Seed {seed}.",
            study=translate_text(describe_study(study)),
            seed=study.seed,
        )
    )
    context.remark(
        "Each packet contains a key that signs its rater's answers: give it only to that rater."
    )
    return DONE


def _require_folder(images: Path | None) -> None:
    if images is not None and not images.is_dir():
        raise CommandError(
            fill("--images {images}: there is no such folder.", images), INPUT_ERRORS
        )


def _task(desk: Desk | None) -> AnyTask:
    """Return the competition of a desk, or the one that can rate unscored files."""
    from jurydesk.core.workflow.ratings import unscored_task

    if desk is None or desk.competition is None:
        return unscored_task()
    return desk_task(desk)


@click.pass_obj
def packet_command(
    context: CommandContext,
    /,
    desk: Path,
    out: Path,
    html: bool,
    language: str,
    images: Path | None,
) -> int:
    """Write one packet per rater."""
    from jurydesk.core.workflow.ratings import write_packets

    _require_desk(desk)
    _require_folder(images)
    with open_run(context) as run:
        written = write_packets(desk, out, html, language, run, images=images)
    context.report(written.defects)
    if written.missing:
        context.remark(
            translate(
                "{pictures} missing: raters see a placeholder with the id.",
                pictures=translate_text(counted(written.missing, *written.noun)),
            )
        )
    print_result(
        translate_plural(
            "{count} file written to {folder}.",
            "{count} files written to {folder}.",
            len(written.paths),
            folder=out,
        )
    )
    return DONE


@click.pass_obj
def merge_command(
    context: CommandContext, /, desk: Path, answers: tuple[Path, ...], gone: bool
) -> int:
    """Merge answers files, or remove them."""
    from jurydesk.core.workflow.ratings import merge_files

    _require_desk(desk)
    with open_run(context) as run:
        done = merge_files(desk, answers, run, forget=gone)
    context.report(done.defects)
    print_result(merge_sentence(done.taken, done.known, gone=gone))
    return INPUT_ERRORS if has_errors(done.defects) else DONE


def merge_sentence(taken: int, known: int, *, gone: bool) -> str:
    """Return how many answers files were merged or removed, and how many were known."""
    if gone:
        return translate_plural(
            "{count} answers file removed.", "{count} answers files removed.", taken
        )
    if not known:
        return translate_plural(
            "{count} answers file merged.", "{count} answers files merged.", taken
        )
    return translate_plural(
        "{count} answers file merged, {known} already merged.",
        "{count} answers files merged, {known} already merged.",
        taken,
        known=known,
    )


@click.pass_obj
def agreement_command(context: CommandContext, /, **values: Any) -> int:
    """Print the raters' agreement, a report on each rater, and the ranking."""
    from jurydesk.core.human_evaluation.results.findings import compute_findings
    from jurydesk.core.human_evaluation.results.ratings_export import (
        agreement_json,
        ratings_origin,
    )

    _require_desk(values["desk"])
    with desk_work(context, values, find_task=_task) as work:
        people = compute_findings(work.desk, work.run, ())
        _report_conflicts(context, work.desk, people)
        origin = ratings_origin("agreement", work.desk, work.task)
        work.export(lambda _: agreement_json(people, origin))
    return work.deliver(agreement_lines(people))


@click.pass_obj
def ratings_board_command(context: CommandContext, /, **values: Any) -> int:
    """Print the board with ratings beside metrics, and their correlations."""
    from jurydesk.core.human_evaluation.results.findings import compute_findings, load_findings
    from jurydesk.core.human_evaluation.results.ratings_export import (
        ratings_board,
        ratings_board_json,
        ratings_origin,
    )

    _require_desk(values["desk"])
    with desk_work(context, values, find_task=_task) as work:
        opened, task, run = work.desk, work.task, work.run
        people = load_findings(opened, run, keep=False, task=task)
        people = people or compute_findings(opened, run, task=task)
        _report_conflicts(context, opened, people)
        found, correlations = ratings_board(people, opened, task, run)
        origin = ratings_origin("ratings board", opened, task)
        work.export(lambda _: ratings_board_json(found, correlations, origin))
    return work.deliver((*board_lines(found), *correlation_lines(people, correlations)))


def _require_desk(path: Path) -> None:
    if not path.exists():
        raise CommandError(translate(NO_SUCH_DESK, desk=path), INPUT_ERRORS)


def _report_conflicts(context: CommandContext, desk: Desk, people: StudyFindings) -> None:
    """Report answers that contradict each other; raise CommandError without any that count."""
    context.report(people.defects)
    if not people.raters:
        raise CommandError(fill("{name} contains no answers yet.", desk.path.name), INPUT_ERRORS)


def study_desk_option() -> click.Option:
    """Return the option `--desk FILE`, which every command of the group needs."""
    return file_option("--desk", required=True, help="The desk of the study.")


def number_option(
    name: str, least: int, help: str, default: int | None = None, aliases: Sequence[str] = ()
) -> click.Option:
    """Return an option for a whole number; `aliases` are its names if they are not `name`."""
    # Click takes a default of None as a value that was given.
    given: dict[str, Any] = {"required": True} if default is None else {"default": default}
    return click.Option(
        [name, *(f"--{one}" for one in aliases or (name,))],
        type=click.IntRange(min=least),
        **given,
        metavar="N",
        show_default=default is not None,
        help=help,
    )


def plan_parameters() -> list[click.Parameter]:
    """Return the options of `ratings plan`."""
    return [
        file_option(
            "submissions", "--submission", metavar="FILE...", multiple=True,
            help="Stories of the systems, one file each, if nothing is scored yet. Without it the "
            "scored systems of the desk are rated, in any competition.",
        ),
        click.Option(
            ["systems", "--system"], multiple=True, metavar="NAME",
            help="Rate only these systems of the desk.",
        ),
        click.Option(
            ["--slice"], default="", metavar="QUERY",
            help="Rate only matching items of the desk: words, and conditions such as "
            "subtask=vqa.",
        ),
        file_option(
            "--references", metavar="FILE...", multiple=True,
            help="The human stories for --submission; items are drawn from their sequences.",
        ),
        flag(
            "--human", help="Include human texts (stories, captions, answers) as a system."
        ),
        file_option("--images", metavar="FOLDER", help="Folder of pictures named by their ids."),
        number_option(
            "sequences", 1, "Number of items (photo sequences, questions, ...) to draw.",
            aliases=("items", "sequences"),
        ),
        number_option("raters", 1, "Number of raters."),
        number_option(
            "ratings", 1, "Number of raters per entry (story, answer, ...).",
            aliases=("ratings-per-entry", "ratings-per-story"),
        ),
        number_option("practice", 0, "Practice items at the start, which do not count.", 0),
        number_option("attention", 0, "Items per rater with a known answer.", 0),
        click.Option(
            ["repeated", "--repeat"], type=click.FloatRange(0, 1), default=0.0, metavar="SHARE",
            show_default=True, help="Share of a rater's items that are repeated.",
        ),
        click.Option(["--seed"], type=click.INT, metavar="N", help="Random if not given."),
        file_option("--questionnaire", help="Questionnaire that replaces the competition's own."),
        study_desk_option(),
    ]  # fmt: skip


def ratings_commands() -> dict[str, click.Command]:
    """Return the commands of the group, by name."""
    from jurydesk.core.cli.commands.submissions.ratings_import import command as import_table

    listed = [
        CliCommand(
            "plan", callback=plan_command, params=plan_parameters(), help="Make a balanced plan."
        ),
        CliCommand(
            "packet",
            callback=packet_command,
            params=[
                study_desk_option(),
                file_option(
                    "--out", metavar="FOLDER", required=True, help="Folder for the packets."
                ),
                flag("--html", help="Also write a page for any browser."),
                click.Option(
                    ["--language"],
                    type=click.Choice(tuple(LANGUAGES)),
                    default="en",
                    help="The language of instructions, statements and page.",
                ),
                file_option(
                    "--images",
                    metavar="FOLDER",
                    help="Folder of the pictures, if they are not where the plan has them.",
                ),
            ],
            help="Write a packet per rater.",
        ),
        CliCommand(
            "merge",
            callback=merge_command,
            params=[
                study_desk_option(),
                flag("--forget", "gone", help="Remove these answers."),
                click.Argument(["answers"], nargs=-1, required=True, type=PATH),
            ],
            help="Merge answers; order and repetition do not matter.",
        ),
        import_table,
        CliCommand(
            "agreement",
            callback=agreement_command,
            params=[study_desk_option(), json_option()],
            help="Print agreement, ranking and a report on each rater.",
        ),
        CliCommand(
            "board",
            callback=ratings_board_command,
            params=[study_desk_option(), reveal_option(), json_option()],
            help="Print ratings beside metrics, with their correlations.",
        ),
    ]
    return {one.name or "": one for one in listed}


class RatingsGroup(SuggestingGroup):
    """Group of the commands of a study, in the order of its work."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)


command = RatingsGroup(
    "ratings",
    commands=ratings_commands(),
    help="Have people rate stories, captions or answers: plan, packets, answers, agreement.",
)
