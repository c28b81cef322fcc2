"""Options of METEOR's jar: recorded output, and what is said of options that it does not have."""

from __future__ import annotations

import io
import json

import pytest

from support.oracles import oracle

RECORDED = json.loads(oracle("meteor/options.json").read_text("utf-8"))
FILES = RECORDED["files"]


@pytest.mark.parametrize(
    "case", RECORDED["cases"], ids=lambda case: " ".join(case["arguments"][2:])
)
def test_options_change_the_output_as_in_the_jar(jurydesk, folder, case):
    outcome = jurydesk("meteor", *case["arguments"])
    assert (outcome.code, outcome.err) == (0, case["errors"])
    assert outcome.out == case["output"]
    written = folder / "pre-align.out"
    assert (written.read_text("utf-8") if written.exists() else "") == case["alignments"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("-nBest",), "No such option '-nBest'."),
        (("-norm", "-oracle"), "No such option '-oracle'."),
        (("--nbest",), "No such option '--nbest'."),
        (("-m", "exact stem exact"), "the modules are exact, then any of stem, synonym and"),
        (("-m", "synonym stem"), "the modules are exact, then any of stem, synonym and"),
        (("-m", "exact stems"), "the modules are exact, then any of stem, synonym and"),
        (("-m", " "), "Option -m has no value: leave it out for the task's."),
        (("-w", ""), "Option -w has no value: leave it out for the task's."),
        (("-p", ""), "Option -p has no value: leave it out for the task's."),
        (("-writeAlignments", "-f", "no/such"), "-f no/such-align.out: the folder no does not"),
        (("-sgml", "-f", "no/such"), "-f no/such-align.out: the folder no does not exist."),
    ],
)
def test_options_that_cannot_be_followed_are_refused_by_name(jurydesk, arguments, sentence):
    outcome = jurydesk("meteor", "test", "one", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert sentence in outcome.err


def test_files_without_lines_are_refused(jurydesk, folder):
    """The jar ends with an exception."""
    for name in ("test", "one"):
        (folder / name).write_bytes(b"")
    outcome = jurydesk("meteor", "test", "one")
    assert (outcome.code, outcome.out, outcome.err) == (2, "", "Error: test has no lines.\n")


def test_invalid_utf_8_is_read_as_by_java(jurydesk, folder):
    codes, texts = zip(*RECORDED["decoded"], strict=True)
    (folder / "test").write_bytes(b"".join(bytes.fromhex(code) + b"\n" for code in codes))
    arguments = ("-l", "other", "-q", "-writeAlignments", "-f", "pre")
    assert jurydesk("meteor", "test", "test", *arguments).code == 0
    blocks = (folder / "pre-align.out").read_text("utf-8").split("\n\n")
    assert [block.split("\n")[1] for block in blocks if block] == list(texts)


def test_the_protocol_reads_invalid_utf_8_as_java_does(jurydesk, monkeypatch):
    """A word of n invalid bytes has as many characters as Java replaces."""
    lines = b"".join(
        b"SCORE ||| x ||| %b\n" % bytes.fromhex(code) for code, _ in RECORDED["decoded"]
    )
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
    counts = jurydesk("meteor", "-", "-", "-stdio", "-l", "other", "-ch").out.splitlines()
    lengths = [len(text.encode("utf-16-le")) // 2 for _, text in RECORDED["decoded"]]
    assert [float(line.split()[0]) for line in counts] == lengths


def test_a_byte_order_mark_is_a_letter_as_in_the_jar_with_a_warning(jurydesk, tmp_path):
    for name, mark in (("test", "\ufeff"), ("reference", "")):
        text = f"{mark}a dog runs in the park .\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    given = ("meteor", tmp_path / "test", tmp_path / "reference", "-l", "en", "-norm")
    outcome = jurydesk(*given)
    assert "warning  test, line 1: The file begins with a byte order mark." in outcome.err
    assert "Segment 1 score:\t1.0" not in outcome.out
    (tmp_path / "test").write_text("a dog runs in the park .\n", encoding="utf-8")
    assert jurydesk(*given).err == ""
