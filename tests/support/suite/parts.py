"""The two parts of the suite that cannot share a process: with and without Qt's web engine.

PyTorch's compiler library crashes where it is loaded after the web engine; and PySide crashes on
the engine's own objects once `screen_reader` gives widgets their roles. `packaging/bootstrap.py
test` runs one part after the other; both get the same arguments.
"""

from __future__ import annotations

from pathlib import Path

import pytest

WEB_TESTS = Path(__file__).parents[2] / "app" / "rating_client"
CHOICES = ("only", "without")


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--web-engine",
        choices=CHOICES,
        help="run only the tests in tests/app/rating_client, or all but these; both by default",
    )


def drop_paths_of_the_other_part(config: pytest.Config) -> None:
    """Drop the paths on the command line without a test of this part.

    pytest reports a given path that it ignores as an error.
    """
    config.args = [
        argument
        for argument in config.args
        if not is_ignored(config.invocation_params.dir / argument.partition("::")[0], config)
    ]


def is_ignored(path: Path, config: pytest.Config) -> bool | None:
    """Return True where no test at or below a path belongs to this part, else None."""
    part = config.getoption("--web-engine")
    within = path.resolve().is_relative_to(WEB_TESTS)
    around = WEB_TESTS.is_relative_to(path.resolve())
    if part == "without":
        return True if within else None
    if part == "only":
        return None if within or around else True
    return None
