"""Every command that names systems warns of names that look alike; the window has tests of its own.

The window warns on Check and Board (`test_leaderboard_significance_job.py`), where a system is
renamed (`test_rename_sheet.py`) and where entries are reviewed (`test_attacks.py`).
"""

from __future__ import annotations

import pytest

from support import toy
from support.files.platforms import bulk

TWIN = "te\u0430m"
WARNING = "These names look alike: team, te\u0430m (U+0430)."
RATINGS = f"rater,item,system,clear\nann,a,team,5\nann,a,{TWIN},4\nbob,a,team,4\nbob,a,{TWIN},1\n"


@pytest.fixture
def files(tmp_path, truth, jurydesk):
    """Return what the commands below read: submissions, a desk, an export and tables."""
    given = [toy.write(tmp_path / "in" / f"{name}.txt", {"a": 1.0}) for name in ("team", TWIN)]
    tables = {"scores": f"system,item,other\n{TWIN},a,1\n", "ratings": RATINGS}
    for name, text in tables.items():
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    names = [f"{n}_{one}_PhaseId7_2026-02-11_07-33_run.zip" for n, one in ((1, "team"), (2, TWIN))]
    found = {
        "truth": truth, "given": given, "folder": tmp_path / "in", "new": tmp_path / "new.jurydesk",
        "download": bulk(tmp_path, names), "desk": tmp_path / "toy.jurydesk",
        "json": tmp_path / "o.json", **{name: tmp_path / f"{name}.csv" for name in tables},
    }  # fmt: skip
    scored = ("score", "toy", "--truth", truth, "--submissions", found["folder"])
    assert jurydesk(*scored, "--desk", found["desk"], "--quiet").code == 0
    assert jurydesk("board", found["desk"], "--json", found["json"], "--quiet").code == 0
    return found


@pytest.mark.parametrize(
    "command",
    [
        "check toy --truth {truth} --submissions {folder}",
        "score toy --truth {truth} --submissions {folder}",
        "intake toy {folder}",
        "board {desk}",
        "compare {desk} team te\u0430m",
        "items {desk}",
        "robustness {desk}",
        "why {desk} team closeness 1",
        "verify {desk}",
        "verify {json}",
        "scores add {desk} {scores}",
        "ratings import {ratings} --desk {new}",
        "platform list {download}",
    ],
)
def test_names_that_look_alike_are_warned_of(jurydesk, files, command):
    done = jurydesk(*(part.format(**files) for part in command.split()))
    assert WARNING in done.err + done.out, (done.out, done.err)
