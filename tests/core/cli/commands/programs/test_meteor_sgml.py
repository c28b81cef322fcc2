from __future__ import annotations

import json

import pytest

from support.oracles import oracle

RECORDED = json.loads(oracle("meteor/sgml.json").read_text("utf-8"))
FILES = RECORDED["files"]


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: " ".join(case["arguments"]))
def test_files_are_scored_printed_and_written_as_by_the_jar(jurydesk, folder, case):
    outcome = jurydesk("meteor", *case["arguments"])
    assert outcome.code == 0
    assert outcome.out == case["output"]
    assert outcome.err == case["errors"]
    written = {path.name: path.read_text("utf-8") for path in folder.glob("pre-*")}
    assert written == case["written"]


def document(text: str) -> str:
    return f'<tstset setid="s">\n<doc docid="d" sysid="y">\n{text}\n</doc>\n</tstset>\n'


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("", "The test and the reference file have different sets (setid)."),
        (
            document('<seg id="1">a</seg>'),
            "The test and the reference file have different sets (setid).",
        ),
        (
            document('<seg id="9">a</seg>').replace('"s"', '"talks"'),
            "System 'y' has no segments with references.",
        ),
    ],
)
def test_files_that_do_not_fit_are_refused_and_nothing_is_written(jurydesk, folder, test, problem):
    (folder / "test.sgm").write_text(test, "utf-8")
    outcome = jurydesk("meteor", "test.sgm", "reference.sgm", "-sgml", "-l", "other")
    assert (outcome.code, outcome.out) == (2, "")
    assert problem in outcome.err
    assert not list(folder.glob("*.scr"))


def test_sgml_needs_files(jurydesk):
    outcome = jurydesk("meteor", "-", "-", "-stdio", "-sgml")
    assert outcome.code == 2
    assert "-sgml is for files: give TEST and REFERENCE." in outcome.err


def test_plain_text_is_refused(jurydesk, folder):
    for name in RECORDED["files"]:
        (folder / name).write_text("the ferry leaves at nine\n", "utf-8")
    outcome = jurydesk("meteor", "test.sgm", "reference.sgm", "-sgml", "-l", "other")
    assert (outcome.code, outcome.out) == (2, "")
    assert "The test file has no segments: see whether it is SGML." in outcome.err


def test_sets_and_systems_have_the_order_of_the_jar(jurydesk, folder):
    names = ("10", "9", "2")
    text = document('<seg id="1">a</seg>')
    sets = [
        text.replace('"s"', f'"{one}"').replace('"y"', f'"{system}"')
        for one in names
        for system in names
    ]
    for name in RECORDED["files"]:
        (folder / name).write_text("".join(sets), "utf-8")
    outcome = jurydesk("meteor", "test.sgm", "reference.sgm", "-sgml", "-l", "other")
    shown = [line.strip() for line in outcome.out.splitlines() if line.startswith("[")]
    assert shown == [
        f"[{one}][{system}]" for one in ("2", "9", "10") for system in ("2", "10", "9")
    ]


def test_control_characters_in_names_are_codes_in_warnings(jurydesk, folder):
    text = (folder / "test.sgm").read_text("utf-8")
    name = text.split('sysid="', 1)[1].split('"', 1)[0]
    changed = text.replace(f'sysid="{name}"', 'sysid="nor\x01th"', 1)
    (folder / "test.sgm").write_text(changed, "utf-8")
    outcome = jurydesk("meteor", "test.sgm", "reference.sgm", "-sgml", "-l", "other")
    assert "\\x01" in outcome.err
    assert "\x01" not in outcome.out + outcome.err
