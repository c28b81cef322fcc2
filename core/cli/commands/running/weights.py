"""Command `jurydesk weights`: list, choose, check and convert models of neural metrics."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_error
from jurydesk.core.cli.exit_codes import DONE, NO_RESOURCE, output_errors
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.cli.parameters import PLACE, file_option
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.evaluation import Json, UsageError
from jurydesk.core.neural.weights.weight_hashes import known_sha256
from jurydesk.core.neural.weights.weight_origins import ORIGINS, use_text
from jurydesk.core.neural.weights.weight_roles import (
    ROLES,
    WeightRole,
    WeightSearch,
    choose,
    find_weights,
    fingerprints,
    forget,
    require_weights,
    role,
    weight_arguments,
)
from jurydesk.core.tables.numbers import size
from jurydesk.core.tables.text_table import align_columns

CHOICES = translatable("The list of chosen weights")
"""Name of the file of choices in messages."""


@click.pass_obj
def weights_command(
    context: CommandContext,
    /,
    choose: tuple[str, ...],
    forget: tuple[str, ...],
    check: tuple[str, ...],
    convert: Path | None,
    to: Path | None,
    json: Path | None,
) -> int:
    """Choose, forget, check or convert weights, then list the weights of every role."""
    if (convert is None) != (to is None):
        raise click.UsageError("--convert FILE and --to FILE.safetensors belong together.")
    from jurydesk.core.tasks.weight_check import check_weights

    reasons = {}
    for id, path in parse_role_paths(check).items():
        reasons[id] = check_weights(id, path)
        if not reasons[id]:
            fingerprints(require_weights(id, {id: path}))
    for id, path in weight_arguments(choose).items():
        reasons[id] = check_weights(id, path)
        if not reasons[id]:
            choose_weights(id, path)
    for id in forget:
        reset_weights(id)
    if convert is not None and to is not None:
        convert_weights(convert, to)
    found = [find_weights(one.id, {}) for one in ROLES]
    rows = [weights_json(one, reasons.get(one.role.id)) for one in found]
    deliver(weights_lines(found, reasons), (json, {"schema": 1, "weights": rows}))
    if context.quiet:  # a result alone would be an exit code without a reason
        for id, reason in reasons.items():
            if reason:
                print_error(f"{id}: {translate_text(reason)}")
    return NO_RESOURCE if any(reasons.values()) else DONE


def parse_role_paths(values: Iterable[str]) -> dict[str, Path]:
    """Return the paths to check by role: of `ROLE=PATH`, or where a role's weights are."""
    paths = {}
    for value in values:
        if "=" in value:
            paths.update(weight_arguments([value]))
            continue
        outcome = find_weights(role(value).id, {})
        if outcome.found is None:
            raise UsageError(outcome.reason)
        paths[value] = outcome.found.path
    return paths


def choose_weights(id: str, path: Path) -> None:
    """Use the weights at this path for a role from now on."""
    with output_errors(CHOICES):
        choose(id, path)


def reset_weights(id: str) -> None:
    """Search the default folders for a role's weights again."""
    with output_errors(CHOICES):
        forget(role(id).id)


def convert_weights(path: Path, target: Path) -> None:
    """Write a file of weights as safetensors."""
    from jurydesk.core.neural.weights.weight_loading import convert

    with output_errors(target):
        convert(path, target)


def weights_json(outcome: WeightSearch, reason: str | None) -> dict[str, Json]:
    """Return a role as JSON values; `unusable` is present only if it was checked."""
    files = outcome.found.files if outcome.found else ()
    found: dict[str, Json] = {
        "role": outcome.role.id,
        "path": str(outcome.found.path) if outcome.found else None,
        "chosen": outcome.chosen,
        "looked_in": [str(place) for place in outcome.places],
        "unlocks": outcome.role.serves,
        "source": ORIGINS[outcome.role.id],
        "used": str(use_text(outcome.role.id)),
        "bytes": sum(path.stat().st_size for path in files if path.is_file()),
        "sha256": {path.name: known_sha256(path) or None for path in files},
    }
    return found if reason is None else {**found, "unusable": reason or None}


def weights_lines(found: Iterable[WeightSearch], reasons: dict[str, str]) -> list[str]:
    """Format a line per role, then the result of each check."""
    rows = [
        (
            one.role.id,
            "" if one.found is None else translate("chosen" if one.chosen else "found"),
            str(one.found.path)
            if one.found
            else translate("expected in {place}", place=one.places[0]),
        )
        for one in found
    ]
    return [
        *align_columns((translate("role"), "", translate("place")), rows),
        "",
        *(line for one in found for line in (origin_line(one.role), *file_lines(one))),
        *(
            f"{id}: {translate_text(reason) if reason else translate('usable')}"
            for id, reason in reasons.items()
        ),
    ]


def origin_line(role: WeightRole) -> str:
    """Return what a role's weights unlock, where they come from, and their last use."""
    texts = (
        translate("For {serves}.", serves=translate_text(role.serves)),
        translate("Source: {source}.", source=translate_text(ORIGINS[role.id])),
        translate_text(use_text(role.id)),
    )
    return f"{role.id}: {' '.join(texts)}"


def file_lines(outcome: WeightSearch) -> list[str]:
    """Return the size and SHA-256 of each file of a role that was found."""
    files = outcome.found.files if outcome.found else ()
    unknown = translate("no SHA-256 yet: --check {role} computes it", role=outcome.role.id)
    return [
        f"  {path.name}: {size(path.stat().st_size)}, "
        + (f"SHA-256 {digest}" if (digest := known_sha256(path)) else unknown)
        for path in files
        if path.is_file()
    ]


command = CliCommand(
    "weights",
    callback=weights_command,
    params=[
        click.Option(
            ["--choose"],
            type=PLACE,
            multiple=True,
            metavar="ROLE=PATH",
            help="Check this file or folder, and use it from now on.",
        ),
        click.Option(
            ["--forget"], multiple=True, metavar="ROLE", help="Undo --choose: search the folders."
        ),
        click.Option(
            ["--check"],
            type=PLACE,
            multiple=True,
            metavar="ROLE[=PATH]",
            help="Load these weights and report any problem.",
        ),
        file_option("--convert", help="Convert these weights to safetensors."),
        file_option("--to", help="Target file of --convert."),
        json_option(),
    ],
    help="List the models that neural metrics need, with their paths or expected places.\n\n"
    "Nothing is downloaded. The exit code is 3 if weights given with --choose or --check cannot "
    "be used.",
)
