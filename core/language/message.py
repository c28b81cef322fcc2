"""Text for people that can be translated: a template and its arguments until it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

PLACE = re.compile(r"\{(\w+)((?::[^{}]*)?)\}")
"""A named place of a template, with its format."""
_FORMAT = re.compile(r":(lower|capital|(0\d)?,?(\.\d)?[defgX%]?)|")
"""Formats that a stored message may have: they print few digits, and read no attribute."""
_SIGNS, _NOTHING = ("+", "-"), "+-0.,%e"
"""Signs of numbers, and the characters of those that are 0."""
_DEEPEST, _MOST_PLACES, _LONGEST = 8, 24, 100_000
"""Limits of stored messages: messages inside messages, places of one, and letters."""

Argument = int | float | str
"""A number, a text of a user, or a message inside a message."""


class Message(str):
    """English text, with the template and the arguments of which it was made.

    It is an ordinary text everywhere but at its translation. A place of the template is a name in
    braces, with the format of a number (`{count:,}`), or `:lower` or `:capital` for the first
    letter of a text.
    """

    __slots__ = ("arguments", "many", "template")
    template: str
    """Key in the catalogue."""
    many: str
    """Template for counts other than one; empty if the message has no plural."""
    arguments: Mapping[str, Argument]

    def __new__(cls, text: str, meaning: str = "") -> Message:
        """Make a message without arguments; one that is a message already is returned unchanged.

        A word that other languages translate in more than one way has a `meaning`, of which the
        catalogue shows the translator `word (meaning)`.
        """
        if isinstance(text, Message):
            return text
        return _made(text, f"{text} ({meaning})" if meaning else text, "", {})

    def format(self, *values: object, **named: object) -> Message:
        """Return the message with values in its places: in their order, or by their names.

        Numbers follow the language at display, messages among the values are translated, and all
        other texts are names and words of users, which stay as they are.
        """
        literals, places = _split(self.template)
        if values:
            named = dict(zip(dict.fromkeys(name for name, _ in places), values, strict=True))
        known = {name: _argument(value) for name, value in named.items()}
        texts = (
            format_value(known[name], style[1:]) if name in known else f"{{{name}{style}}}"
            for name, style in places
        )
        text = "".join(chain.from_iterable(zip(literals, texts, strict=False))) + literals[-1]
        return _made(text, self.template, "", known)

    def __str__(self) -> Message:
        """Return the message itself, so that the text of an exception remains one."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (str.__str__(self), self.template, self.many, self.arguments, type(self))


class Reason(Message):
    """Message of a defect that says why, in the place of what to do."""

    __slots__ = ()


@lru_cache(maxsize=1024)
def _split(template: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the texts between the places of a template, and the names and formats of these."""
    parts = PLACE.split(template)
    return tuple(parts[::3]), tuple(zip(parts[1::3], parts[2::3], strict=True))


def _made(
    text: str,
    template: str,
    many: str,
    arguments: Mapping[str, Argument],
    kind: type[Message] = Message,
) -> Message:
    made = str.__new__(kind, text)
    made.template, made.many, made.arguments = template, many, arguments
    return made


def translatable(text: str, meaning: str = "") -> str:
    """Return a text as a message without arguments, and mark it for the catalogue."""
    return Message(text, meaning)


def fill(template: str, *values: object) -> str:
    """Return a message: a template with values in its places, in their order."""
    return Message(template).format(*values)


def reason(template: str, *values: object) -> str:
    """Return a message as `fill` does; a page shows it below what it explains."""
    return _as_reason(Message(template).format(*values))


def _as_reason(text: Message) -> Message:
    return _made(str.__str__(text), text.template, text.many, text.arguments, Reason)


def fill_plural(one: str, many: str, count: int, values: Mapping[str, object]) -> str:
    """Return the form of a message for a count, which its place `{count}` shows."""
    known = {"count": count, **{name: _argument(value) for name, value in values.items()}}
    wanted = one if count == 1 else many
    return _made(replace_places(wanted, known, format_count), one, many, known)


def _argument(value: object) -> Argument:
    if isinstance(value, str | bool):
        return str(value)
    if isinstance(value, int | float):
        return value
    if hasattr(value, "__index__"):
        return int(value)
    return float(value) if hasattr(value, "__float__") else str(value)


def replace_places(
    template: str, arguments: Mapping[str, Argument], show: Callable[[Argument, str], str]
) -> str:
    """Return a template with its arguments, each as `show` formats it; other braces remain."""
    return PLACE.sub(
        lambda place: (
            show(arguments[place[1]], place[2][1:]) if place[1] in arguments else place[0]
        ),
        template,
    )


def format_value(value: Argument, style: str) -> str:
    """Return an argument as English has it."""
    if not isinstance(value, str):
        return format_number(value, style)
    return change_first_letter(value, style) if style else value


def format_number(value: float, style: str) -> str:
    """Return a number as English has it; one that rounds to 0 has no sign."""
    text = format(value, style)
    return text if text[:1] not in _SIGNS or text.strip(_NOTHING) else text[1:]


def format_count(value: Argument, style: str) -> str:
    """Return an argument as `format_value`, an integer with thousands separators."""
    return format_value(value, style or ("," if isinstance(value, int) else ""))


def change_first_letter(text: str, style: str) -> str:
    """Return a text with its first letter as the style of its place, `lower` or `capital`."""
    return (text[:1].lower() if style == "lower" else text[:1].upper()) + text[1:]


def join_messages(parts: Iterable[str], separator: str = " ") -> str:
    """Return several texts of the program as one, each of which is translated."""
    known = {f"part{i}": Message(part) for i, part in enumerate(filter(None, parts))}
    return Message(separator.join(f"{{{name}}}" for name in known)).format(**known)


def name_list(names: Sequence[str], shown: int = 3, count: int = 0) -> str:
    """Return the first names and the number of others: `cv4, cv9, cv11 and 9 more`.

    `count` is the number of all, if it is more than that of the names.
    """
    head = ", ".join(names[:shown])
    more = max(len(names), count) - min(len(names), shown)
    return head if more <= 0 else fill("{names} and {more:,} more", head, more)


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 story`, `1,938 sequences`."""
    return fill_plural(f"{{count}} {noun}", f"{{count}} {plural or noun + 's'}", count, {})


def round_number(value: float, decimals: int) -> str:
    """Return a number with so many decimals."""
    return fill(f"{{value:.{decimals}f}}", value)


def failure_reason(error: OSError) -> str:
    """Return why the operating system refused something."""
    return Message((error.strerror or str(error)).rstrip("."))


def encode_message(text: str) -> object:
    """Return a text as JSON values that keep the template and the arguments of a message.

    A message is a list of its template, that of the plural if it has one, and its arguments; a
    reason is an object that holds one. Other texts, which inside a message are users', are texts.
    """
    return {"reason": _encode(text)} if isinstance(text, Reason) else _encode(text)


def _encode(text: str) -> object:
    if not isinstance(text, Message) or (text != text.template and not text.arguments):
        return str.__str__(text)  # the meaning of a word with several is lost
    known = {
        name: _encode(value) if isinstance(value, str) else value
        for name, value in text.arguments.items()
    }
    return [text.template, *filter(None, [text.many]), *filter(None, [known])]


def templates(texts: Iterable[str]) -> set[str]:
    """Return the templates of these messages and of those inside them, and texts without one."""
    found: set[str] = set()
    for text in texts:
        if not isinstance(text, Message):
            found.add(text)
        else:
            found |= {text.template, *filter(None, [text.many])}
            if text.arguments:
                inside = [one for one in text.arguments.values() if isinstance(one, Message)]
                found |= templates(inside) if inside else set()
    return found


def is_message(data: object) -> bool:
    """Return whether data look like those of a message with a template, or of a reason."""
    return isinstance(data, list) or (isinstance(data, dict) and data.keys() == {"reason"})


def decode_message(data: object, depth: int = 0) -> str:
    """Return the text of `encode_message`, whose data may be a stranger's.

    Raises:
        ValueError: If it is no such data, or its text would be too long.
    """
    if isinstance(data, dict) and depth == 0 and is_message(data):
        return _as_reason(Message(decode_message(data["reason"], 1)))
    if isinstance(data, str):
        return data
    parts = list(data) if isinstance(data, list) and depth < _DEEPEST else []
    named = parts.pop() if parts and isinstance(parts[-1], dict) else {}
    if not 1 <= len(parts) <= 2 or not all(isinstance(one, str) for one in parts):
        raise ValueError(f"{data!r:.80} is not a message")
    known = {name: _decode_argument(value, depth) for name, value in named.items()}
    one, many = parts[0], "".join(parts[1:])
    count = known.get("count")
    if many and not isinstance(count, int):
        raise ValueError(f"{data!r:.80} has no count")
    wanted = many if many and count != 1 else one
    places = PLACE.findall(f"{one}{many}")
    longest = max((len(value) for value in known.values() if isinstance(value, str)), default=0)
    if len(places) > _MOST_PLACES or len(wanted) + len(places) * longest > _LONGEST:
        raise ValueError("a message is too long")
    if not all(_FORMAT.fullmatch(style) for _, style in places):
        raise ValueError(f"{data!r:.80} has an unknown format")
    try:
        text = replace_places(wanted, known, format_count if many else format_value)
    except OverflowError as error:
        raise ValueError(f"{data!r:.80} has too large a number") from error
    return _made(text, one, many, known)


def _decode_argument(value: object, depth: int) -> Argument:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return decode_message(value, depth + 1)
