"""`jurydesk robustness`: the choices that change the ranking of a desk."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import policies
from support import toy

IDS = [f"n{number}" for number in range(10)]
CLOSENESS = {
    "alike": [0.9] * 7 + [0.5] * 3,
    "even": [0.7] * 10,
    "odd": [0.74] * 9 + [0.0],
}
"""Seven items are of one group; `odd` fails on the last item alone."""


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    path = tmp_path / "groups.txt"
    path.write_text("".join(f"{one} first\n" for one in IDS[:7]), encoding="utf-8")
    return path


@pytest.fixture
def desk(jurydesk, tmp_path: Path, groups: Path) -> Path:
    truth = toy.write(tmp_path / "truth.txt", dict.fromkeys(IDS, 0.0))
    guesses = [
        toy.write(
            tmp_path / f"{name}.txt", {one: 1 - v for one, v in zip(IDS, values, strict=True)}
        )
        for name, values in CLOSENESS.items()
    ]
    path = tmp_path / "toy.jurydesk"
    done = jurydesk(
        *("score", "toy", "--truth", truth, "--guesses", *guesses, "--desk", path),
        *("--groups", groups, "--quiet"),
    )
    assert done.code == 0, done.err
    return path


def test_choices_that_change_the_first_system_are_named_first(jurydesk, desk):
    found = jurydesk("robustness", desk)
    assert found.code == 0, found.err
    assert found.out.splitlines() == [
        "1 of 4 choices does not change the order of 3 systems by Closeness (published).",
        "With each group counts once, even has the best score.",
        "Leave out one group: the best score changes in 1 of 4 cases (n0 and 6 more: even is "
        "best).",
        "4 groups cannot show what another sample would change: at least 5 are needed.",
        "",
        "system  rank  by score  each group counts once  leave out one group  trimmed mean (10 %)",
        "alike   1–3          1                       2                  1–2                    1",
        "even    1–3          2                       1                  1–3                    3",
        "odd     1–3          3                       3                  2–3                    2",
    ]


def test_every_choice_and_system_is_a_row_of_the_csv(jurydesk, desk, tmp_path):
    path = tmp_path / "ranks.csv"
    assert jurydesk("robustness", desk, "--csv", path).code == 0
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert len(rows) == 4 * 3
    found = {(one["choice"], one["system"]): one for one in rows}
    assert found["each group counts once", "even"] == {
        "metric": "closeness",
        "profile": "published",
        "choice": "each group counts once",
        "cases": "1",
        "cases_with_another_order": "1",
        "system": "even",
        "rank": "1–3",
        "by_score": "2",
        "best_rank": "1",
        "worst_rank": "1",
        "answered": "10",
        "best_in_samples": "",
        "stamps": "",
        "settings": "",
    }
    left_out = found["leave out one group", "alike"]
    assert (left_out["cases"], left_out["best_rank"], left_out["worst_rank"]) == ("4", "1", "2")


def test_the_table_for_a_paper_has_the_choices_that_change_the_order(jurydesk, desk, tmp_path):
    path = tmp_path / "ranks.tex"
    assert jurydesk("robustness", desk, "--latex", path).code == 0
    written = path.read_text("utf-8").splitlines()
    lines = [line for line in written if not line.startswith(("% stamp ", "% settings "))]
    assert len(written) == len(lines) + 4  # three systems, and the settings
    assert lines[0] == "% \\usepackage{booktabs}"
    assert "% With each group counts once, even has the best score." in lines
    assert (
        lines[-8:]
        == [
            "\\begin{tabular}{@{}llrrrr@{}}",
            "\\toprule",
            "system & rank & by score & each group counts once & "
            "leave out one group & trimmed mean (10 \\%) \\\\",
            "\\midrule",
            "alike & 1--3 & 1 & 2 & 1--2 & 1 \\\\",
            "even & 1--3 & 2 & 1 & 1--3 & 3 \\\\",
            "odd & 1--3 & 3 & 3 & 2--3 & 2 \\\\",
            "\\bottomrule",
            "\\end{tabular}",
        ][-8:]
    )


def test_choices_kept_in_the_desk_need_no_file(jurydesk, desk):
    (desk.parent / "even.txt").unlink()
    kept = jurydesk("robustness", desk, "--kept")
    assert kept.out.splitlines()[0].startswith("0 of 3 choices")
    assert "scored again" not in kept.out
    lost = jurydesk("robustness", desk)
    assert "Nothing was scored again. The inputs differ from those scored: even.txt" in lost.out


@pytest.mark.parametrize("kind", ["json", "csv", "latex"])
@pytest.mark.parametrize("more", [(), ("--kept",), ("--groups", "none")], ids=str)
def test_every_file_of_the_choices_can_be_verified(jurydesk, desk, tmp_path, kind, more):
    path = tmp_path / f"choices.{'tex' if kind == 'latex' else kind}"
    assert jurydesk("robustness", desk, *more, f"--{kind}", path).code == 0
    done = jurydesk("verify", path)
    assert (done.code, done.out.count("match, same code")) == (0, 3), done.out
    text = path.read_text("utf-8")
    if kind == "json":
        altered = text.replace('"changed": ', '"changed": 1', 1)
        place = "choices[0].changed: the file has 1"
    elif kind == "csv":
        altered, place = text.replace(",1–3,1,", ",1–3,2,", 1), "row 1 (alike"
    else:
        altered, place = text.replace("odd & 1--3 & 3", "odd & 1--3 & 1", 1), "line "
    path.write_text(altered, "utf-8")
    found = jurydesk("verify", path)
    assert found.code == 1
    assert f"altered: {place}" in found.out


def test_choices_whose_files_were_missing_are_verified_as_they_were(jurydesk, desk, tmp_path):
    even, path = desk.parent / "even.txt", tmp_path / "choices.json"
    content = even.read_bytes()
    even.unlink()
    assert jurydesk("robustness", desk, "--json", path).code == 0
    even.write_bytes(content)
    outcome = jurydesk("verify", path)
    assert (outcome.code, "Not checked: settings." in outcome.out) == (4, True)
    document = json.loads(path.read_text("utf-8"))
    document["left_out"] = []
    path.write_text(json.dumps(document), "utf-8")
    assert "altered: left_out: the file has 0 entries" in jurydesk("verify", path).out


def test_without_groups_single_items_are_left_out_in_turn(jurydesk, desk):
    document = json.loads(jurydesk("robustness", desk, "--groups", "none", "--json", "-").out)
    assert [one["choice"] for one in document["choices"]] == [
        "trimmed mean",
        "leave out",
        "profile",
    ]
    left_out = document["choices"][1]
    assert (left_out["cases"], left_out["changed"], left_out["winners"]) == (10, 1, [])
    assert document["choices"][2]["value"] == "corrected"


def test_a_report_contains_the_choices_kept_in_the_desk(jurydesk, desk, tmp_path):
    assert jurydesk("board", desk, "--html", tmp_path / "report.html").code == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "0 of 3 choices do not change the order" in page
    assert ">leave out one group</th>" in page


def test_the_desk_is_not_changed(jurydesk, desk):
    before = desk.read_bytes()
    jurydesk("robustness", desk)
    assert desk.read_bytes() == before


def test_a_single_system_has_no_order(jurydesk, tmp_path, truth, near):
    path = tmp_path / "one.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--desk", path, "--quiet")
    found = jurydesk("robustness", path)
    assert found.code == 1
    assert "fewer than two systems with reliable scores" in found.err


def test_a_profile_without_systems_is_wrong_usage(jurydesk, desk):
    found = jurydesk("robustness", desk, "--profile", "corrected")
    assert found.code == 2
    assert 'no system with the profile "corrected". Available: published.' in found.err


class TestPolicies:
    """Options of trec_eval: the order of equal scores, and the level of relevance."""

    @pytest.fixture
    def choices(self, jurydesk, tmp_path):
        """Return the ranks under each choice; `lucky` has no result for the second query."""
        judged = "".join(f"q{q} 0 d{d} {grade}\n" for q in (1, 2) for d, grade in ((1, 1), (9, 2)))
        (tmp_path / "judged.qrels").write_text(judged, encoding="utf-8")
        runs = {
            "lucky": "q1 Q0 d9 1 5 lucky\nq1 Q0 d5 2 5 lucky\nq1 Q0 d1 3 1 lucky\n",
            "plain": "",
        }
        for query in ("q1", "q2"):
            runs["plain"] += f"{query} Q0 d1 1 9 plain\n{query} Q0 d4 2 8 plain\n"
            runs["plain"] += f"{query} Q0 d5 3 7 plain\n{query} Q0 d9 4 6 plain\n"
        for name, text in runs.items():
            (tmp_path / f"{name}.run").write_text(text, encoding="utf-8")
        path = tmp_path / "trec.jurydesk"
        done = jurydesk(
            *("score", "keyword-spotting", "--relevance", tmp_path / "judged.qrels", "--results"),
            *(tmp_path / "lucky.run", tmp_path / "plain.run", "--desk", path, "--quiet"),
        )
        assert done.code == 0, done.err
        found = json.loads(jurydesk("robustness", path, "--json", "-").out)
        assert found["systems"] == ["lucky", "plain"]
        return {f"{one['choice']} {one['value']}": one["best"] for one in found["choices"]}

    def test_each_choice_is_tried(self, choices):
        assert choices["queries without results count 0"] == [2, 1]
        assert choices["equal scores in the worst order"] == [2, 1]
        assert choices["equal scores in the best order"] == [1, 2]
        assert choices["relevant from grade 2"] == [1, 2]
        assert choices["compatible with trec_eval 10"] == [1, 2]

    def test_a_choice_without_effect_on_the_order_is_left_out(self, choices):
        assert "relevant from grade 3" not in choices


def test_xml_files_have_no_order_of_equal_scores():
    assert {one.choice for one in policies({"format": "xml"})} == {"queries without results"}
