"""Penn Treebank tokenizer of COCO's caption scores, without Java.

It reproduces stanford-corenlp-3.4.1.jar with `-preserveLines -lowerCase`, and the filter of
pycocoevalcap. May import METEOR's Java rules; begin with `tokenize_captions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from jurydesk.core.metrics.ptb_tokenizer.abbreviations import KEEPING_A_PERIOD, word_list
from jurydesk.core.metrics.ptb_tokenizer.lexer import (
    DELETED_CHARACTER,
    HARD_BLANK,
    LINE_ENDS,
    SOFT_ENDS,
    Known,
    Lexer,
)

DROPPED = frozenset(word_list("'' ' `` ` . ? ! , : - -- ... ;"))
"""Tokens that pycocoevalcap drops; its upper-case brackets never match the lower-case tokens."""
DROPPED_BRACKETS = frozenset(word_list("-lrb- -rrb- -lsb- -rsb- -lcb- -rcb-"))

ELLIPSIS = ". ."
"""Sequence in a line whose dots may form one token."""
BLOCK = 1000
"""Number of lines between checks."""

_LINE_END = re.compile(f"\r\n|[{LINE_ENDS}]")
_SOFT_ENDS = frozenset(SOFT_ENDS)
_SEPARATOR = re.compile(f"[{LINE_ENDS[1:]}]")
_WORD = re.compile("([A-Za-z]+)([,;!?.]?)")
_FREE_OF_CONTEXT = re.compile("[A-Za-z,;!?'-]+")
_SMILEY = re.compile(";[-']?[DPpdO]$")
"""Token that the end of the input splits."""
_SPLIT_WORDS = frozenset(word_list("cannot gonna wanna gotta lemme gimme"))

Check = Callable[[], object]


def tokenized_lines(
    text: str, dropped: frozenset[str] = frozenset(), check: Check = lambda: None
) -> Iterator[str]:
    """Yield the tokens of each line of a text, joined by blanks.

    Lines end with LF, CR LF, CR, VT, FF, U+2028 or U+2029, outside addresses, comments and
    attributes of tags, which may hold some; a line also depends on the beginning of the next one.
    `dropped` tokens are left out. `check` may raise to stop. A token may contain no-break spaces.
    """
    plain = _Words(dropped)
    lexer = Lexer(text)
    begin = reached = 0
    for number, line in enumerate(_LINE_END.split(text)):
        if number % BLOCK == 0:
            check()
        start, begin = begin, begin + len(line)
        joined = None if text[begin : begin + 1] in _SOFT_ENDS else plain.of(line)
        begin += 2 if text.startswith("\r\n", begin) else 1
        if start < reached:  # a token of the line before holds its end
            continue
        if joined is None:
            # A caption's last period depends on the line that follows.
            tokens, reached = lexer.line(start, plain.known_in(line))
            joined = " ".join(token for token in tokens if token not in dropped)
        yield from joined.split("\n")  # an attribute of a tag may hold one


def tokenize_captions(
    captions: Sequence[str], *, corrected: bool = False, check: Check = lambda: None
) -> list[str]:
    """Return the words of each caption, joined by blanks, as pycocoevalcap scores them.

    As published, the captions are lines of one text: a line separator inside one shifts all later
    ones. `corrected` tokenizes each separately, drops brackets, and has no blank inside a word.
    """
    if not captions:
        return []
    if not corrected:
        text = "\n".join(caption.replace("\n", " ") for caption in captions)
        lines = tokenized_lines(text, DROPPED, check)
        return [line for line, _ in zip(lines, captions, strict=False)]
    dropped = DROPPED | DROPPED_BRACKETS
    plain = _Words(dropped)
    found = []
    for number, caption in enumerate(captions):
        if number % BLOCK == 0:
            check()
        line = _LINE_END.sub(" ", caption)
        joined = plain.of(line)
        if joined is None:
            tokens = Lexer(f"{line}\n").line(0, plain.known_in(line))[0]
            joined = " ".join(token for token in tokens if token not in dropped)
        found.append(joined.replace(HARD_BLANK, " "))
    return found


def line_separators(caption: str) -> list[str]:
    """Return the characters inside a caption, other than LF, that end a line of the tokenizer.

    A final CR is not a separator: it forms one line end with the following LF.
    """
    shown = caption.replace("\n", " ").removesuffix("\r")
    return _SEPARATOR.findall(shown)


class _Words(dict[str, str | None]):
    """Cache of the tokens of parts between blanks; None for parts that depend on the context."""

    def __init__(self, dropped: frozenset[str]) -> None:
        super().__init__({"": ""})
        self._dropped = dropped

    def of(self, line: str) -> str | None:
        """Return the joined tokens of a line; None if they depend on the context."""
        if ELLIPSIS in line:
            return None
        parts = list(map(self.__getitem__, line.split(" ")))
        return None if None in parts else " ".join(filter(None, parts))

    def known_in(self, line: str) -> Known:
        """Return the function that returns the tokens of a line's parts, for the lexer."""
        return _not_tokenized if ELLIPSIS in line else self.__getitem__

    def __missing__(self, part: str) -> str | None:
        tokens = self[part] = self._tokens(part)
        return tokens

    def _tokens(self, part: str) -> str | None:
        word = _WORD.fullmatch(part)
        if word and word[1].lower() not in _SPLIT_WORDS:
            if word[2] == "." and (len(word[1]) == 1 or word[1].lower() in KEEPING_A_PERIOD):
                return None
            tokens = [word[1].lower(), word[2]]
        elif part in {".", ",", ";"}:
            tokens = [part]
        elif _FREE_OF_CONTEXT.fullmatch(part) and not _SMILEY.search(part):
            tokens = Lexer(part).line(0)[0]
        else:
            return None
        return " ".join(token for token in tokens if token and token not in self._dropped)


def _not_tokenized(part: str) -> None:
    return None


def deleted_characters(text: str) -> int:
    """Return how many characters of a text the tokenizer deletes, such as emoji."""
    return 0 if text.isascii() else len(DELETED_CHARACTER.findall(text))
