"""Help and usage errors of Click in the current language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import cleandoc

import click

from jurydesk.core.language import current_language, translatable, translate_text

CLICK_MESSAGES = (
    translatable("Options"),
    translatable("Commands"),
    translatable("Usage:"),
    translatable("Show this message and exit."),
    translatable("Show the version and exit."),
    translatable("Try '{command} {option}' for help."),
    translatable("Error: {message}"),
    translatable("default: {default}"),
    translatable("required"),
    translatable("Missing command."),
    translatable("Missing argument"),
    translatable("Missing option"),
    translatable("Choose from:\n\t{choices}"),
    translatable("No such option {name!r}."),
    translatable("Did you mean {possibility}?"),
    translatable("(Did you mean one of: {possibilities}?)"),
    translatable("No such command {name!r}."),
    translatable("Option {name!r} requires an argument."),
    translatable("Option {name!r} does not take a value."),
    translatable("Option {name!r} requires {nargs} arguments."),
    translatable("Got unexpected extra argument ({args})"),
    translatable("Got unexpected extra arguments ({args})"),
    translatable("Invalid value: {message}"),
    translatable("Invalid value for {param_hint}: {message}"),
    translatable("{value!r} is not {choice}."),
    translatable("{value!r} is not one of {choices}."),
    translatable("{value!r} is not a valid {number_type}."),
    translatable("integer"),
    translatable("integer range"),
    translatable("float"),
    translatable("float range"),
    translatable("{value} is not in the range {range}."),
)
"""Texts of Click, which looks them up by gettext's functions."""
EXTRA = re.compile(r"  (\[[^\[]*\])$")
"""What Click adds to the help of an option, such as `[default: auto; required]`."""


class _ClickText(str):
    """Text of Click in the current language; what it inserts is translated, too, if ours."""

    def format(self, *values: object, **named: object) -> str:
        """Return the text with values in its places."""
        for name in ("message", "number_type"):
            if isinstance(text := named.get(name), str):
                named[name] = translate_text(text)
        return super().format(*values, **named)


def _translate_click(text: str) -> str:
    return _ClickText(translate_text(text))


def _translate_click_plural(one: str, many: str, count: int) -> str:
    return _translate_click(one if count == 1 else many)


for _module in (click.core, click.exceptions, click.formatting, click.parser, click.types):
    vars(_module).update(_=_translate_click, ngettext=_translate_click_plural)


class LocalHelpFormatter(click.HelpFormatter):
    """Formatter of help that translates texts and definitions."""

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
    return f"{translate_text(text[: extra.start()])}  {extra[1]}"


def short_help(command: click.Command, limit: int) -> str:
    """Return the first sentence of a command's help in the current language."""
    if current_language() == "en":
        return click.Command.get_short_help_str(command, limit)
    text = translate_text(command.short_help or cleandoc(command.help or ""))
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]
