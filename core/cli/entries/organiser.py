"""Commands of organisers: `jurydesk entry open`, `approve`, `policy`, `ledger` and `revoke`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click

from jurydesk.core.cli.command import COMPUTING, CliCommand, CommandContext
from jurydesk.core.cli.console import print_result
from jurydesk.core.cli.desk_work import desk_argument, desk_work
from jurydesk.core.cli.entries.team import own_key
from jurydesk.core.cli.exit_codes import DONE, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, json_option, target_option, write_output
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.desk import Desk
from jurydesk.core.desk.entry_ledger import SCORED, LedgerRow, read_ledger
from jurydesk.core.language import fill, translate, translate_plural, translate_text
from jurydesk.core.model.evaluation import Json, UsageError
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.sealed.certificate import (
    Certificate,
    CertificateError,
    read_certificate,
)
from jurydesk.core.sealed.key_store import KeyPair
from jurydesk.core.sealed.public_keys import PublicKeyError, parse_key_text
from jurydesk.core.tables.text_table import text_table
from jurydesk.core.workflow.entries.certificates import (
    certificate_files,
    contradiction,
    revocation_list,
    revoke,
)
from jurydesk.core.workflow.entries.entry_policy import EntryPolicy, find_policy, set_policy
from jurydesk.core.workflow.entries.entry_review import (
    EntryReview,
    ledger_key,
    review_entries,
)
from jurydesk.core.workflow.entries.ledger_table import ledger_columns, look_sentences
from jurydesk.core.workflow.entries.look import EntryOutcome, approve_key, open_entries


def parse_key(text: str) -> bytes:
    """Return the public key of an argument; raise CommandError for anything else."""
    try:
        return parse_key_text(text)
    except PublicKeyError as error:
        raise CommandError(f"{text}: {translate_text(str(error))}") from error


@click.pass_obj
def open_sealed(
    context: CommandContext,
    /,
    entries: tuple[Path, ...],
    reason: str,
    dry_run: bool,
    out: Path | None,
    **values: Any,
) -> int:
    """Score entries within the budget, and write their certificates; 1 if one was not scored."""
    folder = out or Path()
    if not folder.is_dir():
        raise CommandError(fill("{path} is not a folder.", folder))
    hidden = {"reveal": False}  # a look would show what the desk hides
    with desk_work(context, {**values, **hidden}, read_only=dry_run) as work:
        if dry_run:
            reviews = review_entries(work.desk, entries)
            for line in review_lines(reviews):
                print_result(line)
            return DONE if all(one.state in ("ready", "again") for one in reviews) else INPUT_ERRORS
        organiser = own_key(context, "organiser")
        outcomes = open_entries(work.desk, work.task, entries, organiser, work.run, reason=reason)
        for one in outcomes:
            context.report(one.defects)
            for line in [*review_lines([one.review]), *_outcome_lines(one)]:
                print_result(line)
            if one.look is not None:
                _write_certificate(context, folder, one.look, organiser)
    return DONE if all(one.look is not None for one in outcomes) else INPUT_ERRORS


def review_lines(reviews: Sequence[EntryReview]) -> Iterator[str]:
    """Yield what is known of entries before anything is scored."""
    for one in reviews:
        decision = translate_text(one.decision)
        yield f"{one.path.name} ({one.entry.team}): {decision}" if one.entry else decision
        for remark in one.remarks:
            yield f"  {translate_text(remark)}"


def _outcome_lines(outcome: EntryOutcome) -> Iterator[str]:
    if outcome.look is not None:
        yield from look_lines(outcome.look)
    elif outcome.row is not None:
        yield f"  {translate_text(outcome.row.message)}"


def look_lines(row: LedgerRow) -> Iterator[str]:
    """Yield what goes back to a team of a look, as the policy has it."""
    for sentence in look_sentences(row):
        yield f"  {translate_text(sentence)}"


def _write_certificate(
    context: CommandContext, folder: Path, row: LedgerRow, organiser: KeyPair
) -> None:
    for name, content in certificate_files(row, organiser).items():
        path = folder / name
        write_output(path, content)
        context.remark(translate("Written: {path}.", path=path))


open_command = CliCommand(
    "open",
    callback=open_sealed,
    uses=COMPUTING,
    params=[
        desk_argument(),
        click.Argument(
            ["entries"], type=PATH, nargs=-1, required=True, metavar="FILE.juryentry..."
        ),
        click.Option(
            ["--reason"],
            default="",
            metavar="REASON",
            help="Score entries although they are held or over the budget; the ledger keeps why.",
        ),
        click.Option(["--dry-run"], is_flag=True, help="Only say what is known of the entries."),
        file_option(
            "--out",
            metavar="FOLDER",
            help="Folder of the certificates and their pages; this one if not given.",
        ),
    ],
    help="Score sealed entries into a desk within the teams' budgets, and write certificates.",
)


@click.pass_obj
def approve_team(context: CommandContext, /, desk: Path, key: str, team: str) -> int:
    """Approve the key of a team."""
    with Desk.open(desk) as opened:
        approve_key(opened, parse_key(key), team)
    context.remark(translate("The key is approved for {team}.", team=team))
    return DONE


approve_command = CliCommand(
    "approve",
    callback=approve_team,
    params=[
        desk_argument(),
        click.Argument(["key"], metavar="jdk1..."),
        click.Option(["--team"], required=True, metavar="NAME", help="Name of the team."),
    ],
    help="Approve a team's new key, after you compared its words with the team.",
)


@click.pass_obj
def change_policy(context: CommandContext, /, **values: Any) -> int:
    """Print the policy of a desk; with options, set it first."""
    given = {one.name: values[one.name] for one in fields(EntryPolicy) if one.name in values}
    changed = {name: value for name, value in given.items() if value is not None}
    with desk_work(context, {"desk": values["desk"]}, read_only=not changed) as work:
        policy = find_policy(read_ledger(work.desk)) or EntryPolicy()
        if changed:
            policy = set_policy(work.desk, work.task, replace(policy, **changed))
    return deliver(policy_lines(policy), (values["json"], to_json(policy)))


def policy_lines(policy: EntryPolicy) -> Iterator[str]:
    """Yield a policy in sentences."""
    yield translate(
        "Looks of a team: {day} a day, {month} a month, {total} in all (0: no limit).",
        day=policy.day,
        month=policy.month,
        total=policy.total,
    )
    told = translate("every metric") if policy.returns == "everything" else policy.metric
    yield translate("Told: {what}.", what=told or translate("the ranking metric"))
    if policy.rounds:
        yield translate("Scores are rounded to the width of their interval.")
    if policy.ladder:
        yield translate("A score counts only if it is better by a standard error.")
    if policy.approval:
        yield translate("A new key waits for your approval.")
    if policy.published:
        yield translate("Published systems: {names}.", names=", ".join(policy.published))


policy_command = CliCommand(
    "policy",
    callback=change_policy,
    params=[
        desk_argument(),
        *(
            click.Option([f"--{name}"], type=click.IntRange(min=0), metavar="N", help=text)
            for name, text in (
                ("day", "Looks of a team a day; 0 for no limit."),
                ("month", "Looks of a team a month; 0 for no limit."),
                ("total", "Looks of a team in all; 0 for no limit."),
            )
        ),
        click.Option(
            ["--returns"],
            type=click.Choice(("score", "everything")),
            help="What goes back: the ranking metric, or every metric.",
        ),
        click.Option(
            ["--rounds/--exact", "rounds"],
            default=None,
            help="Round scores to the width of their interval.",
        ),
        click.Option(
            ["--ladder/--no-ladder"],
            default=None,
            help="Count a score only if it is better by a standard error.",
        ),
        click.Option(
            ["--approval/--no-approval"],
            default=None,
            help="Hold entries of a new key for your approval.",
        ),
        click.Option(["--metric"], metavar="NAME", help="Rank by this metric."),
        json_option(),
    ],
    help="Show or set the budgets of sealed entries, and what goes back to their teams.",
)


@click.pass_obj
def show_ledger(
    context: CommandContext,
    /,
    desk: Path,
    certificates: tuple[Path, ...],
    out: Path | None,
    json: Path | None,
) -> int:
    """Check the ledger and print it; 1 if a certificate contradicts it."""
    with Desk.open(desk, read_only=True) as opened:
        rows = read_ledger(opened)
    problems = [contradiction(rows, _certificate(path)) for path in certificates]
    if out is not None:
        if not out.is_dir():
            raise CommandError(fill("{path} is not a folder.", out))
        organiser = own_key(context, "organiser")
        for row in rows:
            if row.kind == SCORED:
                _write_certificate(context, out, row, organiser)
    for problem in filter(None, problems):
        context.remark(translate_text(problem))
    deliver(ledger_lines(rows), (json, ledger_json(rows)))
    return INPUT_ERRORS if any(problems) else DONE


def _certificate(path: Path) -> Certificate:
    try:
        return read_certificate(path)
    except CertificateError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error


def ledger_lines(rows: Sequence[LedgerRow]) -> Iterator[str]:
    """Yield the rows as a table, the looks of each team, and the head of the chain."""
    yield from text_table(ledger_columns(rows))
    for team, count in Counter(row.team for row in rows if row.kind == SCORED).items():
        yield translate_plural("{team}: {count} look", "{team}: {count} looks", count, team=team)
    head = rows[-1].hash if rows else translate("none")
    yield translate("The chain is unbroken. Head: {hash}", hash=head)


def ledger_json(rows: Sequence[LedgerRow]) -> Json:
    """Return the rows as JSON values, with what their hashes cover."""
    return {"schema": 1, "rows": [{**row.chained(), "hash": row.hash} for row in rows]}


ledger_command = CliCommand(
    "ledger",
    callback=show_ledger,
    params=[
        desk_argument(),
        click.Argument(["certificates"], type=PATH, nargs=-1, metavar="[FILE.jurycert...]"),
        file_option(
            "--out",
            metavar="FOLDER",
            help="Write the certificates of all looks again.",
        ),
        json_option(),
    ],
    help="Check the ledger of a desk, against certificates too, and list the looks of each team.",
)


@click.pass_obj
def revoke_one(
    context: CommandContext, /, desk: Path, what: str, reason: str, out: Path | None
) -> int:
    """Revoke the certificate of a look, or a team's key, and write the signed list."""
    organiser = own_key(context, "organiser")
    with Desk.open(desk) as opened:
        rows = read_ledger(opened)
        if what.isdecimal():
            look = next((row for row in rows if row.number == int(what[:9])), None)
            if look is None or look.kind != SCORED:
                raise UsageError(
                    fill("Number {number} of the ledger is not a look that was scored.", what)
                )
            revoke(opened, "entry", look.entry, reason)
        else:
            revoke(opened, "key", ledger_key(parse_key(what)), reason)
        content = revocation_list(opened, organiser)
    if out is not None:
        write_output(out, content)
    return DONE


revoke_command = CliCommand(
    "revoke",
    callback=revoke_one,
    params=[
        desk_argument(),
        click.Argument(["what"], metavar="NUMBER|jdk1..."),
        click.Option(["--reason"], default="", metavar="REASON", help="Why; the list says it."),
        target_option("--out", help="Write the signed list of all revocations."),
    ],
    help="Revoke the certificate of a look by its number, or a team's key.",
)
