"""JSON as Gson's lenient reader takes it, for the replacement of EvalVIST.

It takes comments, single quotes, names and texts without quotes, line ends and tabs inside texts,
`=` for `:`, and `;` for `,`; numbers and true are read as texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.readers.text_file import read_text

DEEPEST = 100
_TOKEN = re.compile(
    r"""(?P<space>[\s\ufeff]+|//[^\n]*|\#[^\n]*|/\*[\s\S]*?\*/)"""
    r"""|(?P<sign>[\[\]{}]|[,;]|:|=>?)"""
    r"""|"(?P<double>(?:[^"\\]|\\[\s\S])*)"|'(?P<single>(?:[^'\\]|\\[\s\S])*)'"""
    r"""|(?P<bare>[^\s\[\]{},;:=\#/"'\\]+)"""
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\s\S]))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
Token = tuple[str, str]


class LenientSyntaxError(Exception):
    """Text that Gson's lenient reader refuses as well."""


def read_lenient_json(path: Path) -> JsonFile | None:
    """Return the JSON of a file as Gson reads it; None if it refuses the text."""
    reading = read_text(path, damaged="replace")
    if reading.data is None:
        return None
    try:
        tokens = list(_tokens(reading.data))
        value, end = _value(tokens, 0, 0)
    except (LenientSyntaxError, RecursionError):
        return None
    rest = [token for token in tokens[end:] if token != ("sign", ";")]
    return None if rest else JsonFile(path, value, reading.defects)


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise LenientSyntaxError
        at = match.end()
        kind = match.lastgroup or ""
        if kind in ("double", "single"):
            yield "text", _joined(_ESCAPE.sub(_unescape, match[kind]))
        elif kind != "space":
            yield kind, match[kind]


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _ESCAPED.get(match[2], match[2])


def _joined(text: str) -> str:
    """Return a text with its surrogate pairs as characters, and other surrogates replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _value(tokens: list[Token], at: int, depth: int) -> tuple[Json, int]:
    """Return the value at a token, and where the next one begins."""
    if at >= len(tokens) or depth > DEEPEST:
        raise LenientSyntaxError
    kind, text = tokens[at]
    if kind == "sign":
        if text not in "[{":
            raise LenientSyntaxError
        return (_list if text == "[" else _object)(tokens, at + 1, depth)
    return (None if (kind, text.lower()) == ("bare", "null") else text), at + 1


def _list(tokens: list[Token], at: int, depth: int) -> tuple[Json, int]:
    found: list[Json] = []
    if _is_sign(tokens, at, "]"):
        return found, at + 1
    while True:
        value: Json = None  # nothing between separators is null
        if not _is_sign(tokens, at, ",", ";", "]"):
            value, at = _value(tokens, at, depth + 1)
        found.append(value)
        if _is_sign(tokens, at, "]"):
            return found, at + 1
        at = _after_separator(tokens, at)


def _object(tokens: list[Token], at: int, depth: int) -> tuple[Json, int]:
    found: dict[str, Json] = {}
    if _is_sign(tokens, at, "}"):
        return found, at + 1
    while True:
        kind, name = tokens[at] if at < len(tokens) else ("", "")
        if kind not in ("text", "bare") or not _is_sign(tokens, at + 1, ":", "=", "=>"):
            raise LenientSyntaxError
        found[name], at = _value(tokens, at + 2, depth + 1)
        if _is_sign(tokens, at, "}"):
            return found, at + 1
        at = _after_separator(tokens, at)


def _after_separator(tokens: list[Token], at: int) -> int:
    if not _is_sign(tokens, at, ",", ";"):
        raise LenientSyntaxError
    return at + 1


def _is_sign(tokens: list[Token], at: int, *signs: str) -> bool:
    return at < len(tokens) and tokens[at][0] == "sign" and tokens[at][1] in signs
