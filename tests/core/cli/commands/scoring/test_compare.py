from __future__ import annotations

import json

import pytest

from support import toy


@pytest.fixture
def desk(jurydesk, truth, near, far, tmp_path):
    path = tmp_path / "toy.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    return path


def test_two_systems_are_compared_item_by_item(jurydesk, desk):
    outcome = jurydesk("compare", desk, "near", "far")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].split("  ")[0] == "metric"
    assert lines[1].split()[:4] == ["closeness", "0.9167", "0.5000", "+0.4167"]
    assert lines[1].split()[-3:] == ["3", "0", "0"]
    assert "Closeness over 3 numbers, this pair alone:" in lines
    assert "Differences are near minus far; seed 20180601." in lines
    assert lines[-3].split() == ["a", "1.0000", "0.5000", "+0.5000"]


def test_json_contains_every_test_and_every_item(jurydesk, desk):
    outcome = jurydesk("compare", desk, "near", "far", "--metric", "closeness", "--json", "-")
    document = json.loads(outcome.out)
    assert document["systems"] == ["near", "far"]
    (metric,) = document["metrics"]
    assert metric["difference"] == pytest.approx(0.4166666666666667)
    assert (metric["wins"], metric["losses"], metric["ties"]) == (3, 0, 0)
    assert [item["item"] for item in metric["items"]] == ["a", "c", "b"]
    assert metric["tests"][0]["name"] == "exact randomisation"
    assert metric["interval"] is None


def test_a_system_can_be_named_by_the_stem_of_its_file(jurydesk, truth, near, far, tmp_path):
    near.write_text(f"# Team One\n{near.read_text()}")
    path = tmp_path / "named.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, far, "--desk", path)
    by_stem = jurydesk("compare", path, "near", "far")
    assert by_stem.code == 0
    assert by_stem.out == jurydesk("compare", path, "Team One", "far.txt").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("near", "fir"), 'The desk has no system "fir". Did you mean far?'),
        (("near", "near"), '"near" and "near" are the same system: give two systems.'),
        (
            ("near", "far", "--profile", "other"),
            'No system was scored with the profile "other". Available: published.',
        ),
        (
            ("near", "far", "--metric", "closenes"),
            'The board has no metric "closenes". Did you mean closeness?',
        ),
    ],
)
def test_impossible_comparisons_are_reported(jurydesk, desk, arguments, sentence):
    outcome = jurydesk("compare", desk, *arguments)
    assert (outcome.code, outcome.err) == (2, f"Error: {sentence}\n")


def test_the_p_of_the_pair_and_the_board_s_verdict_stand_together(jurydesk, tmp_path):
    ids = [f"n{number}" for number in range(30)]
    truth = toy.write(tmp_path / "truth30.txt", dict.fromkeys(ids, 0.0))
    files = [
        toy.write(
            tmp_path / f"s{n}.txt",
            {one: 0.2 + 0.04 * n + 0.01 * (k % 7) for k, one in enumerate(ids)},
        )
        for n in range(3)
    ]
    path = tmp_path / "three.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", *files, "--desk", path)
    out = jurydesk("compare", path, "s0", "s1").out
    assert "p, pair alone" in out.splitlines()[0]
    assert "Closeness over 30 numbers, this pair alone:" in out
    assert "On the board s0 is ahead: p < 0.001, corrected over the 3 pairs of 3 systems" in out
    assert "2 metrics, each tested by itself: expect 0.1 differences by chance." in out
    assert "(Holm)" in jurydesk("compare", path, "s0", "s1", "--correction", "holm").out


def test_a_correction_of_a_single_pair_is_refused(jurydesk, desk):
    outcome = jurydesk("compare", desk, "near", "far", "--correction", "holm")
    assert outcome.code == 2
    assert "Two systems are one pair: there is nothing to correct for." in outcome.err
