"""Control characters of names in files do not reach the terminal."""

from __future__ import annotations

from collections.abc import Callable

import click
import pytest

from jurydesk.core.cli.console import defect_lines, print_error, print_remark, print_result
from jurydesk.core.model.defects import Place, error

NAME = "\x1b[2Jteam\x07\x9b1m\n\tend"
SHOWN = "\\x1b[2Jteam\\x07\\x9b1m\n\tend"


@pytest.mark.parametrize("show", [print_result, print_error, print_remark])
def test_control_characters_are_printed_as_codes(
    show: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    show(NAME)
    printed = "".join(capsys.readouterr())
    assert click.unstyle(printed).removeprefix("Error: ") == f"{SHOWN}\n"


def test_control_characters_of_a_defect_are_shown_as_codes() -> None:
    (line,) = defect_lines([error(Place("\x1b[2Jfile"), "\x07 was found.")])
    assert click.unstyle(line).startswith("error  \\x1b[2Jfile: \\x07 was found.")
