from __future__ import annotations

import re

import pytest

from support import toy


@pytest.fixture
def part(tmp_path):
    return toy.write(tmp_path / "part.txt", {"a": 1.0, "b": 2.25})


@pytest.fixture
def desk(jurydesk, truth, part, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", part, far, "--desk", path)
    return path


def test_the_options_that_give_a_number_are_named(jurydesk, desk):
    outcome = jurydesk("why", desk, "part", "closeness", "0.583")
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "part has closeness 0.875 in this desk.",
        "",
        "0.583 results from --missing zero: 0.5833333333333334",
        "1 number with another value:",
        "number  desk     new",
        "c          -  0.0000",
    ]


def test_a_number_that_no_option_gives_is_reported(jurydesk, desk):
    outcome = jurydesk("why", desk, "part", "closeness", "0.123")
    lines = outcome.out.splitlines()
    assert lines[1] == "No profile and no option of this competition gives 0.123."
    assert lines[3].split(maxsplit=2) == ["closeness", "difference", "nearest options"]
    distances = [float(line.split()[1]) for line in lines[4:]]
    assert distances == sorted(distances, key=abs)
    assert len(distances) == 4
    rows = [re.split(r" {2,}", line.strip()) for line in lines[3:]]
    texts = list(zip(lines[3:], rows, strict=True))
    ends = {line.index(row[1]) + len(row[1]) for line, row in texts}
    starts = {line.index(row[2]) for line, row in texts}
    assert (len(ends), len(starts)) == (1, 1)  # numbers are aligned to the right, options are not


def test_changed_files_explain_nothing(jurydesk, desk, part):
    part.write_text("a 1\n")
    outcome = jurydesk("why", desk, "part", "closeness", "0.5")
    assert outcome.code == 1
    assert outcome.err == "Error: The inputs differ from those scored: part.txt (changed).\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("part", "closenes", "1"), 'part has no metric "closenes". Did you mean closeness?'),
        (("part", "closeness", "much"), '"much" is not a number.'),
    ],
)
def test_impossible_requests_are_reported(jurydesk, desk, arguments, sentence):
    outcome = jurydesk("why", desk, *arguments)
    assert (outcome.code, outcome.err) == (2, f"Error: {sentence}\n")
