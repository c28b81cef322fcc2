"""trec_eval's own test suite passes byte for byte: the lines of `make quicktest`.

trec_eval is not part of this repository: `JURYDESK_TREC_EVAL` names a folder with its sources
(9.0.8 or 10.0), of which the Makefile and the folder `test` are used.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

FOLDER = os.environ.get("JURYDESK_TREC_EVAL", "")
LINE = re.compile(r"^\t\./trec_eval (.*\S)\s*\| diff - (\S+)$", re.MULTILINE)

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not FOLDER, reason="trec_eval's sources are not installed"),
]


def commands():
    """Yield version, arguments and the file of the expected output of every line."""
    makefile = Path(FOLDER, "Makefile").read_text("latin-1") if FOLDER else ""
    version = re.search(r"^VERSIONID = (\d+)", makefile, re.MULTILINE)
    suite = makefile.partition("\nquicktest:")[2].partition("\n\n")[0]
    for line in LINE.finditer(suite):
        compat = "trec9" if version is not None and version[1] == "9" else "trec10"
        yield pytest.param(compat, line[1], line[2], id=line[2])


@pytest.mark.parametrize(("compat", "arguments", "expected"), list(commands()) or [("", "", "")])
def test_a_line_of_the_suite_prints_the_same_bytes(
    jurydesk, monkeypatch, compat, arguments, expected
):
    monkeypatch.chdir(FOLDER)
    outcome = jurydesk("trec_eval", "--compat", compat, *shlex.split(arguments))
    assert outcome.code == 0
    assert outcome.out == Path(expected).read_bytes().decode()
