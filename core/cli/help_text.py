"""Help and usage errors of Click in the current language.

Click and the commands state everything in English; it is translated where it is printed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from inspect import cleandoc

import click

from jurydesk.core.language import current_language, translatable, translate, translate_text

CLICK_MESSAGES = (
    translatable("Options"),
    translatable("Commands"),
    translatable("Show this message and exit."),
    translatable("Show the version and exit."),
    translatable("Try '{command} {option}' for help."),
    translatable("Error: {problem}"),
    translatable("Missing command."),
    translatable("Missing argument {name}."),
    translatable("Missing option {name}."),
    translatable("Choose from:"),
    translatable("No such option {name}."),
    translatable("No such option {name}. Did you mean {similar}?"),
    translatable("No such option {name}. (Did you mean one of: {similar}?)"),
    translatable("No such command {name}."),
    translatable("Option {name} requires an argument."),
    translatable("Option {name} does not take a value."),
    translatable("Option {name} requires {nargs} arguments."),
    translatable("Got unexpected extra argument ({args})"),
    translatable("Got unexpected extra arguments ({args})"),
    translatable("Invalid value: {problem}"),
    translatable("Invalid value for {name}: {problem}"),
    translatable("{value} is not one of {choices}."),
    translatable("{value} is not a valid integer."),
    translatable("{value} is not a valid integer range."),
    translatable("{value} is not a valid float."),
    translatable("{value} is not a valid float range."),
    translatable("{value} is not in the range {range}."),
)
"""Sentences of Click, which are recognized when they are printed."""
EXTRA = re.compile(r"  (\[[^\[]*\])$")
"""What Click adds to the help of an option, such as `[default: auto; required]`."""


class LocalHelpFormatter(click.HelpFormatter):
    """Formatter of help that translates headings, texts and definitions."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line of usage."""
        super().write_usage(prog, args, f"{translate('Usage:')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(translate_text(heading))

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text(translate_text(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: int, **kwargs: int) -> None:
        """Write a list of names and definitions."""
        super().write_dl([(name, _definition(text)) for name, text in rows], *args, **kwargs)


class LocalContext(click.Context):
    """Context of commands whose help is in the current language."""

    formatter_class = LocalHelpFormatter


def _definition(text: str) -> str:
    extra = EXTRA.search(text)
    if extra is None:
        return translate_text(text)
    words = extra[1].replace("default:", translate("default:"))
    words = words.replace("required", translate("required"))
    return f"{translate_text(text[: extra.start()])}  {words}"


def short_help(command: click.Command, limit: int) -> str:
    """Return the first sentence of a command's help in the current language."""
    if current_language() == "en":
        return click.Command.get_short_help_str(command, limit)
    text = translate_text(command.short_help or cleandoc(command.help or ""))
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def usage_error_text(error: click.ClickException) -> str:
    """Return what Click prints for an error, in the current language."""
    shown = io.StringIO()
    error.show(shown)
    return "\n".join(map(translate_text, shown.getvalue().rstrip("\n").split("\n")))
