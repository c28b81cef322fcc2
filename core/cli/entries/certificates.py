"""Commands of everybody with a certificate: `jurydesk entry verify` and `entry board`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.entries.organiser import parse_key
from jurydesk.core.cli.exit_codes import DONE, IN_PART, INPUT_ERRORS, CommandError
from jurydesk.core.cli.output import deliver, json_option, target_option, write_output
from jurydesk.core.cli.parameters import PATH, file_option
from jurydesk.core.export.html_report.certificate_page import is_own_page
from jurydesk.core.export.html_report.entry_board import SEVERAL, EntryBoard, entry_board_page
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.sealed.certificate import (
    Certificate,
    CertificateError,
    Revocation,
    read_certificate,
    read_revocations,
    revocation_of,
)
from jurydesk.core.sealed.public_keys import key_words


def _pinned(text: str | None) -> bytes | None:
    return None if text is None else parse_key(text)


def _revocations(path: Path | None, pinned: bytes | None) -> tuple[bytes | None, list[Revocation]]:
    if path is None:
        return None, []
    try:
        return read_revocations(path, pinned)
    except CertificateError as error:
        raise CommandError(str(error), INPUT_ERRORS) from error


@click.pass_obj
def verify_certificates(
    context: CommandContext,
    /,
    certificates: tuple[Path, ...],
    key: str | None,
    revoked: Path | None,
    json: Path | None,
) -> int:
    """Check certificates; 1 if one is not valid, 4 if a page of one is not as this version's."""
    pinned = _pinned(key)
    signer, listed = _revocations(revoked, pinned)
    found: list[tuple[Path, Certificate | None, str]] = []
    for path in certificates:
        try:
            certificate = read_certificate(path, pinned)
        except CertificateError as error:
            found.append((path, None, str(error)))
            continue
        found.append((path, certificate, _revoked_reason(certificate, signer, listed)))
    if pinned is None:
        context.remark(translate("Compare the organiser's key with the published one (--key)."))
    others = {path for path, one, _ in found if one and not _is_own(path, one)}
    lines = (line for one in found for line in _verdict_lines(*one, is_other=one[0] in others))
    deliver(lines, (json, _verdicts_json(found, others)))
    if any(problem for _, _, problem in found):
        return INPUT_ERRORS
    return IN_PART if others else DONE


def _is_own(path: Path, certificate: Certificate) -> bool:
    """Return whether a file is a certificate alone, or the page that this version makes of it."""
    content = path.read_bytes()
    return content.lstrip()[:1] != b"<" or is_own_page(content, certificate.document)


def _revoked_reason(
    certificate: Certificate, signer: bytes | None, listed: list[Revocation]
) -> str:
    if signer is not None and signer != certificate.organiser:
        return translate("The list of revocations is another organiser's.")
    one = revocation_of(certificate, listed)
    return translate("It was revoked: {reason}", reason=one.reason or one.time) if one else ""


def _verdict_lines(
    path: Path, certificate: Certificate | None, problem: str, *, is_other: bool
) -> Iterator[str]:
    if certificate is None:
        yield translate_text(problem)
        return
    verdict = problem or translate("The signature is valid.")
    yield f"{path.name}: {translate_text(verdict)}"
    if is_other:
        yield "  " + translate("Another page than this version's: trust these lines, not its text.")
    yield "  " + translate(
        "{team}, {competition}: look {look} of {budget}, number {number} of the ledger",
        team=certificate.team,
        competition=certificate.competition,
        look=certificate.ledger.looks,
        budget=certificate.ledger.budget or "∞",
        number=certificate.ledger.number,
    )
    for score in certificate.scores:
        limits = f" [{score.low}, {score.high}]" if score.low else ""
        yield f"  {score.metric} {score.value}{limits}"
    yield f"  {certificate.organiser_text} ({key_words(certificate.organiser)})"


def _verdicts_json(
    found: Sequence[tuple[Path, Certificate | None, str]], others: Collection[Path]
) -> Json:
    return {
        "schema": 1,
        "certificates": [
            {
                "file": path.name,
                "valid": not problem,
                "problem": str(problem),
                "text_checked": path not in others,
                "organiser": one.organiser_text if one else None,
                "scores": to_json(one.scores) if one else [],
            }
            for path, one, problem in found
        ],
    }


verify_command = CliCommand(
    "verify",
    callback=verify_certificates,
    params=[
        click.Argument(
            ["certificates"], type=PATH, nargs=-1, required=True, metavar="FILE.jurycert..."
        ),
        click.Option(["--key"], metavar="jdk1...", help="The organiser's published key."),
        file_option("--revoked", help="Signed list of revocations of the organiser."),
        json_option(),
    ],
    help="Check certificates of sealed entries without a network. The exit code is 0 if all are "
    "valid, 4 if the text of a page was not checked, else 1.",
)


@click.pass_obj
def make_board(
    context: CommandContext,
    /,
    certificates: tuple[Path, ...],
    key: str | None,
    revoked: Path | None,
    out: Path,
) -> int:
    """Write a public board of the valid certificates; 1 if one is not valid."""
    pinned = _pinned(key)
    signer, listed = _revocations(revoked, pinned)
    valid: list[Certificate] = []
    problems = 0
    for path in certificates:
        try:
            one = read_certificate(path, pinned)
            problem = _revoked_reason(one, signer, listed)
        except CertificateError as error:
            one, problem = None, str(error)
        if problem or one is None:
            problems += 1
            name = f"{path.name}: " if one else ""
            context.remark(f"{name}{translate_text(problem)}")
        else:
            valid.append(one)
    organisers = {one.organiser for one in valid}
    if len(organisers) > 1:
        raise CommandError(
            translate("The certificates are of several organisers: choose one with --key."),
            INPUT_ERRORS,
        )
    if len({one.competition for one in valid}) > 1:
        raise CommandError(
            translate(SEVERAL),
            INPUT_ERRORS,
        )
    if valid:
        write_output(out, entry_board_page(EntryBoard(tuple(valid))))
        context.remark(translate("Written: {path}.", path=out))
    return INPUT_ERRORS if problems or not valid else DONE


board_command = CliCommand(
    "board",
    callback=make_board,
    params=[
        click.Argument(
            ["certificates"], type=PATH, nargs=-1, required=True, metavar="FILE.jurycert..."
        ),
        click.Option(["--key"], metavar="jdk1...", help="The organiser's published key."),
        file_option("--revoked", help="Signed list of revocations of the organiser."),
        target_option("--out", metavar="FILE.html", required=True, help="The page to be written."),
    ],
    help="Make a public board of certificates: a page that loads and sends nothing.",
)
