"""`jurydesk tokenize --ptb FILE`: lines of text cut into words as COCO's evaluation does."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import DONE, input_errors
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.metrics.ptb_tokenizer import DROPPED, line_separators, tokenized_lines
from jurydesk.core.model.defects import Place, warning


@click.pass_obj
def tokenize(surroundings: CommandContext, /, ptb: Path, strip: bool) -> int:
    """Write the tokens of each line to standard output."""
    with input_errors():
        text = ptb.read_bytes().decode("utf-8", "replace")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    dropped = DROPPED if strip else frozenset[str]()
    lines = text.removesuffix("\n").split("\n")
    with open_run(surroundings) as run:
        found = tokenized_lines(text, dropped, run.check)
        for number, line in enumerate(lines, start=1):
            # A separator inside a line ends a line of the tokenizer: its parts are put together.
            inside = len(re.findall("\r\n|[\r\v\f\u2028\u2029]", line.removesuffix("\r")))
            parts = [next(found) for _ in range(1 + inside)]
            if inside:
                _report(surroundings, ptb, number, line)
            sys.stdout.write(" ".join(part for part in parts if part) + "\n")
    return DONE


def _report(surroundings: CommandContext, path: Path, number: int, line: str) -> None:
    signs = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in line_separators(line)))
    place = Place(str(path), line=number)
    effect = "The original would begin a new line there, and shift all later ones."
    surroundings.report([warning(place, f"The line holds a line separator ({signs}).", effect)])


command = CliCommand(
    "tokenize",
    callback=tokenize,
    params=[
        file_option(
            "--ptb",
            required=True,
            help="A text file (UTF-8), cut by the Penn Treebank tokenizer of CoreNLP 3.4.1 with "
            "-preserveLines -lowerCase.",
        ),
        flag("--strip", help="Drop punctuation as pycocoevalcap does."),
    ],
    help="Cut lines of text into words, one output line for each.",
)
