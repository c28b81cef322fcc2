from __future__ import annotations

import json
import re

import pytest

from support import toy


@pytest.fixture
def desk(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    return path


@pytest.fixture
def mended(tmp_path):
    return toy.write(tmp_path / "mended.txt", {"a": 1.5, "b": 2.5, "c": 3.5})


def test_new_reference_data_are_tried_and_then_applied(jurydesk, desk, mended):
    before = jurydesk("board", desk).out
    tried = jurydesk("errata", desk, mended, "--dry-run")
    assert tried.code == 0
    assert "Nothing was written." in tried.err
    assert jurydesk("board", desk).out == before
    done = jurydesk("errata", desk, mended)
    assert done.code == 0
    lines = done.out.splitlines()
    digits = re.sub(r"[0-9a-f]{8}", "SHA", re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", lines[0]))
    assert digits == ("New reference data: mended.txt (SHA), replacing truth.txt (SHA), TIME UTC")
    assert lines[3].split()[:4] == ["far", "0.5000", "1.0000", "+0.5000"]
    assert "far is higher by score than before." in lines[-3]
    assert lines[-2:] == ["far changed most on a, b, c.", "near changed most on a, c."]
    assert jurydesk("errata", desk).out == done.out
    assert jurydesk("board", desk).out != before


def test_the_errata_of_a_desk_are_listed_and_are_in_its_report(jurydesk, desk, mended, tmp_path):
    none = jurydesk("errata", desk)
    assert none.out == "The reference data of this desk have never been replaced.\n"
    jurydesk("errata", desk, mended)
    document = json.loads(jurydesk("errata", desk, "--json", "-").out)
    (erratum,) = document["errata"]
    assert [one["system"] for one in erratum["parts"][0]["systems"]] == ["far", "near"]
    page = tmp_path / "report.html"
    jurydesk("board", desk, "--html", page)
    assert ">Errata of " in page.read_text()


def test_errata_as_json_can_be_verified(jurydesk, desk, mended, tmp_path):
    path = tmp_path / "errata.json"
    jurydesk("errata", desk, mended, "--dry-run", "--json", path)
    assert jurydesk("verify", path).code == 0
    jurydesk("errata", desk, mended, "--json", path)
    verified = jurydesk("verify", path)
    assert verified.code == 0
    assert verified.out.splitlines() == [
        f"{system}: match, same code" for system in ("near", "far", "near", "far")
    ]
    assert "Not checked" not in verified.out
    document = json.loads(path.read_text())
    change = document["errata"][0]["parts"][0]["systems"][0]
    assert "p" not in change
    before, change["change"] = change["change"], 0.25
    path.write_text(json.dumps(document))
    altered = jurydesk("verify", path)
    assert altered.code == 1
    assert altered.out.splitlines()[-1].endswith(
        f"parts[0].systems[0].change: the file has 0.25, recomputed {json.dumps(before)}."
    )


def test_errors_in_the_new_file_leave_the_desk_unchanged(jurydesk, desk, broken):
    before = jurydesk("board", desk).out
    outcome = jurydesk("errata", desk, broken)
    assert outcome.code == 1
    assert '"two" is no number.' in outcome.err
    assert "the desk was not changed" in outcome.err
    assert jurydesk("board", desk).out == before


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("nowhere.txt",), 1, "nowhere.txt is not a file."),
        (("nowhere.txt", "--role", "thruth"), 2, 'no reference role "thruth". Did you mean truth?'),
    ],
)
def test_a_file_that_is_not_reference_data_is_refused(jurydesk, desk, arguments, code, sentence):
    outcome = jurydesk("errata", desk, *arguments)
    assert outcome.code == code
    assert sentence in outcome.err
