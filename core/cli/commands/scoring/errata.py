"""`jurydesk errata FILE.jurydesk NEW_REFERENCE...`: score all again, and say who moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from jurydesk.core.cli.command import Command, Surroundings, did_you_mean
from jurydesk.core.cli.commands.scoring.board import task_of
from jurydesk.core.cli.console import say
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, Fault, require_writable
from jurydesk.core.cli.hidden_scores_notice import require_open, reveal_option
from jurydesk.core.cli.output import is_standard_output, json_option, write_json
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.cli.running import running
from jurydesk.core.cli.text.text_table import aligned
from jurydesk.core.competition.examples import role_of
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.errata.apply_errata import ReferenceErrors, prepare
from jurydesk.core.errata.errata_export import HEADS, left_out, moved_cells
from jurydesk.core.errata.errata_record import apply, errata_in, erratum_json
from jurydesk.core.errata.erratum import Erratum, sentences
from jurydesk.core.model.defects import listing
from jurydesk.core.model.evaluation import Source


@click.pass_obj
def correct(
    surroundings: Surroundings,
    /,
    desk: Path,
    reference: tuple[Path, ...],
    role: str | None,
    dry_run: bool,
    json: Path | None,
    reveal: bool,
) -> int:
    """Replace reference files of a desk and score again; without files, list its errata."""
    require_writable(json, "--json")
    with (
        running(surroundings) as run,
        Desk.open(desk, read_only=dry_run or not reference) as opened,
    ):
        task = task_of(opened, desk)
        require_open(opened, desk, reveal=reveal)
        if not reference:
            return told(errata_in(opened, task), json)
        try:
            prepared = prepare(opened, task, by_role(task, reference, role), run)
        except ReferenceErrors as refused:
            surroundings.report(refused.defects)
            raise Fault(
                "The new reference data have errors: the desk is as it was.", INPUT_ERRORS
            ) from refused
        surroundings.report(prepared.check.defects.reading)
        if not dry_run:
            apply(opened, task, prepared)
    code = told([prepared.erratum], json)
    if dry_run:
        surroundings.remark("Nothing was written. Without --dry-run the desk is changed so.")
    return code


def by_role(task: AnyTask, paths: Sequence[Path], role: str | None) -> dict[str, list[Path]]:
    """The new files by the role that is named, else by the one that each looks like."""
    roles = [entry.role for entry in task.inputs if entry.kind == "reference"]
    if role is not None and role not in roles:
        raise Fault(f'There is no reference "{role}" here. {did_you_mean(role, roles)}')
    found: dict[str, list[Path]] = {}
    for path in paths:
        if not path.is_file():
            raise Fault(f"{path} is no file.", INPUT_ERRORS)
        looks = role or (roles[0] if len(roles) == 1 else role_of(task, path))
        if looks not in roles:
            raise Fault(
                f"{path.name} looks like none of the reference files: name its role with --role "
                f"({', '.join(roles)})."
            )
        found.setdefault(looks, []).append(path)
    return found


def told(errata: Sequence[Erratum], json: Path | None) -> int:
    """Print the errata, or write them as JSON."""
    if json is not None:
        write_json(json, {"schema": 1, "errata": [erratum_json(one) for one in errata]})
    if json is None or not is_standard_output(json):
        if not errata:
            say("The reference data of this desk were never replaced.")
        for erratum in errata:
            for line in erratum_lines(erratum):
                say(line)
    return DONE


def erratum_lines(erratum: Erratum) -> list[str]:
    """A table for each profile, what came of it, and the items that moved most."""
    day, time = erratum.created[:10], erratum.created[11:16]
    lines = [f"{replaced(erratum)}, {day} {time} UTC", ""]
    for part in erratum.parts:
        heads = [f"{HEADS[0].lower()} ({part.profile})", *(head.lower() for head in HEADS[1:])]
        rows = [[one.system, *moved_cells(one, part)] for one in part.systems]
        lines += [*aligned(heads, rows, right=set(range(1, len(heads)))), ""]
    lines += [*sentences(erratum), *changed_items(erratum), *left_out(erratum)]
    if any(one.is_beyond_noise() for part in erratum.parts for one in part.systems):
        lines.append("* by more than noise: p < 0.05 after Holm's correction for all systems.")
    return lines


def replaced(erratum: Erratum) -> str:
    """`New reference data b.xml (1d7b…) in the place of a.xml (45c1…)`."""
    new = " and ".join(map(named, erratum.after)) or "the same files"
    old = " and ".join(map(named, erratum.before))
    return f"New reference data {new}{f' in the place of {old}' if old else ''}"


def named(source: Source) -> str:
    """The file's name, with the beginning of its SHA-256: new files often have the old name."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{name} ({source.sha256[:8]})" if source.sha256 else name


def changed_items(erratum: Erratum) -> Iterator[str]:
    """The items of each system that moved most, by their names."""
    for part in erratum.parts:
        profile = f" ({part.profile})" if len(erratum.parts) > 1 else ""
        for one in part.systems:
            if one.items:
                items = listing([key for key, _, _ in one.items])
                yield f"{one.system}{profile} changed most at {items}."


command = Command(
    "errata",
    callback=correct,
    params=[
        click.Argument(["desk"], type=PATH, metavar="FILE.jurydesk"),
        click.Argument(["reference"], type=PATH, nargs=-1, metavar="NEW_REFERENCE..."),
        click.Option(["--role"], metavar="NAME", help="Which reference the new files are."),
        flag("--dry-run", help="Say who would move, and change nothing."),
        json_option(),
        reveal_option(),
    ],
    help="Replace reference data of a desk, score every system again, and say who moved.\n\n"
    "What was before is kept in the desk: scores, intervals, ranks, stamps and every item that "
    "changed. Without NEW_REFERENCE the errata of the desk are listed.",
)
