"""`jurydesk tokenize --ptb FILE`: PTB tokenization of lines of text, as in COCO's evaluation."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.exit_codes import DONE, input_errors
from jurydesk.core.cli.parameters import file_option, flag
from jurydesk.core.cli.running import open_run
from jurydesk.core.language import fill
from jurydesk.core.metrics.ptb_tokenizer import DROPPED, line_separators, tokenized_lines
from jurydesk.core.model.defects import Place, warning


@click.pass_obj
def tokenize(context: CommandContext, /, ptb: Path, strip: bool) -> int:
    """Write the tokens of each line to standard output."""
    with input_errors():
        text = ptb.read_bytes().decode("utf-8", "replace")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    dropped = DROPPED if strip else frozenset[str]()
    lines = text.removesuffix("\n").split("\n")
    with open_run(context) as run:
        tokenized = tokenized_lines(text, dropped, run.check)
        for number, line in enumerate(lines, start=1):
            # The tokenizer starts a new line at each separator: join the parts again.
            separators = len(re.findall("\r\n|[\r\v\f\u2028\u2029]", line.removesuffix("\r")))
            parts = [next(tokenized) for _ in range(1 + separators)]
            if separators:
                _report(context, ptb, number, line)
            sys.stdout.write(" ".join(part for part in parts if part) + "\n")
    return DONE


def _report(context: CommandContext, path: Path, number: int, line: str) -> None:
    names = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in line_separators(line)))
    place = Place(str(path), line=number)
    effect = "The original program would start a new line at it and shift all later lines."
    context.report(
        [warning(place, fill("The line contains a line separator ({names}).", names), effect)]
    )


command = CliCommand(
    "tokenize",
    callback=tokenize,
    params=[
        file_option(
            "--ptb",
            required=True,
            help="A text file (UTF-8), tokenized as by CoreNLP 3.4.1's Penn Treebank tokenizer "
            "with -preserveLines -lowerCase.",
        ),
        flag("--strip", help="Drop punctuation as pycocoevalcap does."),
    ],
    help="Tokenize lines of text, one output line for each.",
)
