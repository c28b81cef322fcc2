from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import click
import pytest

from jurydesk.core.cli.parameters import option_of_field, parse_options, value_type
from jurydesk.core.model.options import option


@dataclass(frozen=True, slots=True)
class Options:
    profile: str = option("published", "Whose rules.", choices=("published", "corrected"))
    level: float | None = option(None, "The lowest level.")
    best_of: int = option(3, "How many count.", choices=(1, 3))
    strict: bool = option(False, "Whether to be strict.")
    hidden: tuple[str, ...] = option((), "Scores of hidden parts.")


class Task:
    class scoring:  # noqa: N801 - an attribute of tasks
        options = Options


def parsed(*arguments: str) -> Options:
    hints = typing.get_type_hints(Options)
    params = [option_of_field(entry, hints[entry.name]) for entry in fields(Options)]
    command = click.Command("test", params=params)
    with command.make_context("test", list(arguments)) as context:
        return parse_options(Task, context.params)


def test_without_flags_the_options_have_their_defaults():
    assert parsed() == Options()


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        (["--profile", "corrected"], Options(profile="corrected")),
        (["--level", "0.5"], Options(level=0.5)),
        (["--best-of", "1"], Options(best_of=1)),
        (["--strict"], Options(strict=True)),
        (["--no-strict"], Options()),
        (["--hidden", "a=1", "--hidden", "b=2"], Options(hidden=("a=1", "b=2"))),
    ],
)
def test_a_field_is_a_flag_of_its_type(arguments, chosen):
    assert parsed(*arguments) == chosen


def test_a_value_outside_the_choices_is_refused():
    with pytest.raises(click.BadParameter, match="'2' is not one of '1', '3'"):
        parsed("--best-of", "2")


@pytest.mark.parametrize(
    ("hint", "kind"),
    [
        (str, (str, False)),
        (float | None, (float, False)),
        (tuple[Path, ...], (Path, True)),
        (Literal["a", "b"], (str, False)),
        (typing.Optional[int], (int, False)),  # noqa: UP045 - an older plug-in may write so
    ],
)
def test_the_type_of_a_single_value_is_the_annotated_type(hint, kind):
    assert value_type(hint) == kind
