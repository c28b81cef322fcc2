"""Commands `jurydesk entry key` and `entry seal`, for teams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.commands.submissions.check import (
    deliver_defects,
    open_kit,
    unable_remark,
)
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError, require_writable
from jurydesk.core.cli.output import target_option
from jurydesk.core.cli.parameters import PATH
from jurydesk.core.cli.running import open_run
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.role_check import explain_wrong_roles
from jurydesk.core.intake.take_in import find_submissions
from jurydesk.core.language import fill, translate
from jurydesk.core.model.defects import has_errors
from jurydesk.core.participant_kit.kit import (
    EntryKeys,
    KitError,
    ParticipantKit,
    check_with_kit_rules,
    version_notice,
)
from jurydesk.core.sealed.entry_file import (
    SUFFIX,
    Entry,
    EntryClaims,
    EntryError,
    seal_entry,
)
from jurydesk.core.sealed.key_store import KEY_MADE, KeyPair, KeyStoreError, Role, key_pair
from jurydesk.core.sealed.public_keys import ENCRYPTION, PublicKeyError, parse_key_text
from jurydesk.core.system.paths import absolute_path, submissions_store


def own_key(context: CommandContext, role: Role) -> KeyPair:
    """Return the user's key, and say if it was made; raise CommandError on failure."""
    try:
        found, is_new = key_pair(role)
    except KeyStoreError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error
    if is_new:
        context.remark(translate(KEY_MADE, path=found.path))
    return found


@click.pass_obj
def show_key(context: CommandContext, /, role: Role) -> int:
    """Print the public key of a role, which is made on first use."""
    found = own_key(context, role)
    print_result(found.text)
    print_result(found.words)
    return DONE


key_command = CliCommand(
    "key",
    callback=show_key,
    params=[
        click.Option(
            ["--role"],
            type=click.Choice(("team", "organiser")),
            default="team",
            help="Key that signs entries (team) or certificates (organiser).",
        )
    ],
    help="Print your public key and its eight words; the key is made on first use.",
)


@click.pass_obj
def seal_files(
    context: CommandContext,
    /,
    kit: Path,
    given: tuple[Path, ...],
    team: str,
    statement: str,
    plain: bool,
    out: Path,
) -> int:
    """Check files with the kit, and write them as a sealed entry; 1 if they have errors."""
    rules, task = open_kit(kit)
    if rules.entries is None:
        raise CommandError(
            fill("{name} takes no sealed entries: it has no key of the organiser.", kit.name),
            INPUT_ERRORS,
        )
    require_writable(out, "--out")
    if out.suffix.lower() != SUFFIX:
        endings = SUFFIX
        raise CommandError(
            translate("{path}: the name must end with {endings}.", path=out, endings=endings)
        )
    files = _named_files(given)
    with open_run(context) as run:
        for sentence in filter(None, (version_notice(rules), *map(unable_remark, rules.unable))):
            context.remark(sentence)
        if not _passes(context, task, rules, given, run):
            return INPUT_ERRORS
        entry = _seal(context, rules, rules.entries, files, team, statement, out, run, plain=plain)
    context.remark(
        translate("Written: {path} ({size:,} bytes).", path=out, size=out.stat().st_size)
    )
    print_result(entry.sha256)
    return DONE


def _seal(
    context: CommandContext,
    rules: ParticipantKit,
    keys: EntryKeys,
    files: dict[str, Path],
    team: str,
    statement: str,
    out: Path,
    run: Run,
    *,
    plain: bool,
) -> Entry:
    claims = EntryClaims(rules.title, rules.sha256, team, statement)
    key = own_key(context, "team")
    try:
        recipient = None if plain else parse_key_text(keys.encryption, ENCRYPTION)
        return seal_entry(out, files, claims, key, recipient, run)
    except (EntryError, PublicKeyError) as error:
        raise CommandError(str(error), INPUT_ERRORS) from error


def _named_files(given: Sequence[Path]) -> dict[str, Path]:
    """Return the files by their names in the entry; those of folders with their folders."""
    files: dict[str, Path] = {}
    for path in map(absolute_path, given):
        if not path.exists():
            raise CommandError(fill("{path} does not exist.", path), INPUT_ERRORS)
        inner = (
            [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
        )
        for one in inner:
            name = one.name if one == path else one.relative_to(path.parent).as_posix()
            if name in files:
                raise CommandError(fill("Two files are named {name}.", name), INPUT_ERRORS)
            files[name] = one
    return files


def _passes(
    context: CommandContext,
    task: AnyTask,
    rules: ParticipantKit,
    given: Sequence[Path],
    run: Run,
) -> bool:
    """Report the defects of the one submission among the files; return whether it has no error."""
    found = find_submissions(task, given, submissions_store(), run)
    if len(found.files) != 1:
        context.report(found.defects)
        count = len(found.files)
        raise CommandError(
            fill("It has {count} submissions of the competition, not one.", count), INPUT_ERRORS
        )
    try:
        result = explain_wrong_roles(task, (), check_with_kit_rules(task, rules, found.files, run))
    except KitError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error
    context.report(found.defects)
    deliver_defects(task, result, context, None)
    return not has_errors((*found.defects, *result.defects))


seal_command = CliCommand(
    "seal",
    callback=seal_files,
    uses=("jobs",),
    params=[
        click.Argument(["kit"], type=PATH, metavar="FILE.jurycomp"),
        click.Argument(["given"], type=PATH, nargs=-1, required=True, metavar="FILE|FOLDER..."),
        click.Option(["--team"], required=True, metavar="NAME", help="Name of your team."),
        click.Option(
            ["--statement"],
            default="",
            metavar="STATEMENT",
            help="What you declare, such as the data you used; it is signed.",
        ),
        click.Option(
            ["--plain"],
            is_flag=True,
            help="Do not encrypt: anyone who gets the entry can read it.",
        ),
        target_option(
            "--out", metavar=f"FILE{SUFFIX}", required=True, help="The entry to be written."
        ),
    ],
    help="Check files with a kit and seal them as an entry for the organiser.",
)
