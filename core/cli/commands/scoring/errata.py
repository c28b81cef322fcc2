"""Command `jurydesk errata FILE.jurydesk NEW_REFERENCE...`: score again with new reference data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext, suggest_command
from jurydesk.core.cli.desk_work import desk_argument, desk_work, reveal_option
from jurydesk.core.cli.exit_codes import INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import json_option
from jurydesk.core.cli.parameters import PATH, flag
from jurydesk.core.competition.examples import detect_role
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.language import fill, name_list, translate, translate_text
from jurydesk.core.model.evaluation import Source
from jurydesk.core.tables.text_table import text_table
from jurydesk.core.workflow.errata.apply_errata import ReferenceErrors, prepare_erratum
from jurydesk.core.workflow.errata.errata_export import (
    errata_json,
    score_change_table,
    unscored_sentences,
)
from jurydesk.core.workflow.errata.errata_record import (
    StampedErratum,
    apply_erratum,
    load_stamped_errata,
    stamped_erratum,
)
from jurydesk.core.workflow.errata.erratum import Erratum, erratum_sentences


@click.pass_obj
def correct_references(
    context: CommandContext,
    /,
    reference: tuple[Path, ...],
    role: str | None,
    dry_run: bool,
    **values: Any,
) -> int:
    """Replace reference files of a desk and score again; without files, list its errata."""
    is_viewed = dry_run or not reference
    with desk_work(context, values, read_only=is_viewed) as work:
        opened, task = work.desk, work.task
        errata = [] if reference else load_stamped_errata(opened, task)
        if reference:
            given = assign_references(task, reference, role)
            try:
                prepared = prepare_erratum(opened, task, given, work.run)
            except ReferenceErrors as error:
                context.report(error.defects)
                raise CommandError(
                    "The new reference data have errors: the desk was not changed.", INPUT_ERRORS
                ) from error
            context.report(prepared.check.defects.reading)
            if not dry_run:
                apply_erratum(opened, task, prepared)
            errata = [stamped_erratum(prepared)]
        work.export(lambda _: errata_json(task, errata))
    code = work.deliver(errata_lines(errata))
    if reference and dry_run:
        context.remark("Nothing was written. Run without --dry-run to apply the changes.")
    return code


def assign_references(
    task: AnyTask, paths: Sequence[Path], role: str | None
) -> dict[str, list[Path]]:
    """Return the new files by role: `role` if given, else the detected one."""
    roles = [entry.role for entry in task.inputs if entry.kind == "reference"]
    if role is not None and role not in roles:
        refusal = translate('There is no reference role "{role}".', role=role)
        raise CommandError(f"{refusal} {suggest_command(role, roles)}")
    found: dict[str, list[Path]] = {}
    for path in paths:
        if not path.is_file():
            raise CommandError(fill("{path} is not a file.", path), INPUT_ERRORS)
        detected = role or (roles[0] if len(roles) == 1 else detect_role(task, path))
        if detected not in roles:
            raise CommandError(
                fill(
                    "The role of {name} could not be detected: give it with --role ({join}).",
                    path.name,
                    ", ".join(roles),
                )
            )
        found.setdefault(detected, []).append(path)
    return found


def errata_lines(errata: Sequence[StampedErratum]) -> list[str]:
    """Format the errata, or say that there are none."""
    if not errata:
        return [translate("The reference data of this desk have never been replaced.")]
    return [line for one in errata for line in erratum_lines(one.erratum)]


def erratum_lines(erratum: Erratum) -> list[str]:
    """Format a table per profile, its summary, and the items that changed most."""
    day, time = erratum.created[:10], erratum.created[11:16]
    lines = [f"{replacement_line(erratum)}, {day} {time} UTC", ""]
    for part in erratum.parts:
        first, *others = score_change_table((part,))
        named = replace(first, name=f"{first.heading.lower()} ({part.profile})")
        others = [replace(one, name=one.heading.lower()) for one in others]
        lines += [*text_table([named, *others]), ""]
    lines += [
        *map(translate_text, erratum_sentences(erratum)),
        *changed_item_lines(erratum),
        *map(translate_text, unscored_sentences(erratum)),
    ]
    return lines


def replacement_line(erratum: Erratum) -> str:
    """Return `New reference data: b.xml (1d7b…), replacing a.xml (45c1…)`."""
    both = translate(" and ")
    new = both.join(map(source_label, erratum.after)) or translate("the same files")
    old = both.join(map(source_label, erratum.before))
    if not old:
        return translate("New reference data: {new}", new=new)
    return translate("New reference data: {new}, replacing {old}", new=new, old=old)


def source_label(source: Source) -> str:
    """Return the file's name and the start of its SHA-256: a new file often keeps its name."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{name} ({source.sha256[:8]})" if source.sha256 else name


def changed_item_lines(erratum: Erratum) -> Iterator[str]:
    """Yield the ids of the items of each system that changed most."""
    for part in erratum.parts:
        for one in part.systems:
            if one.items:
                several = len(erratum.parts) > 1
                yield translate(
                    "{system} changed most on {items}.",
                    system=f"{one.system} ({part.profile})" if several else one.system,
                    items=translate_text(name_list([key for key, _, _ in one.items])),
                )


command = CliCommand(
    "errata",
    callback=correct_references,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Argument(["reference"], type=PATH, nargs=-1, metavar="NEW_REFERENCE..."),
        click.Option(
            ["--role"], metavar="NAME", help="Role of the new files; detected if not given."
        ),
        flag("--dry-run", help="Report the changes without writing them."),
        json_option(),
        reveal_option(),
    ],
    help="Replace reference data of a desk, score every system again, and report the changes.\n\n"
    "The desk keeps the previous scores, intervals, ranks, stamps and every item that changed. "
    "Without NEW_REFERENCE the errata of the desk are listed.",
)
