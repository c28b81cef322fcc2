"""Figures with classes as tables of the command line."""

from __future__ import annotations

from pathlib import Path

WORDS = "a p 0 0 100 10\nb p 0 40 100 10\n"
NARROW = "a p 0 0 60 10 .9\nb p 0 40 60 10 .8\n"
WHOLE = "a p 0 0 100 10 .9\nb p 500 40 10 10 .8\n"


def test_rules_that_turn_two_systems_round_are_printed(jurydesk, tmp_path: Path) -> None:
    for name, text in (("reference", WORDS), ("narrow", NARROW), ("whole", WHOLE)):
        (tmp_path / f"{name}.txt").write_text(text)
    desk = tmp_path / "a.jurydesk"
    given = ("--relevance", tmp_path / "reference.txt", "--protocol", "iou50")
    results = [word for name in ("narrow", "whole") for word in ("--results", f"{name}.txt")]
    results = [str(tmp_path / one) if one.endswith(".txt") else one for one in results]
    jurydesk("score", "keyword-spotting", *given, *results, "--desk", desk)
    lines = jurydesk("classes", desk).out.splitlines()
    assert lines[0] == "This list under the other rules (Mean AP)"
    rows = {line.split()[0]: line.split()[1:] for line in lines[2:9]}
    # By hand: at IoU .5 narrow finds both words, whole one; the ink of the narrow boxes is .6.
    assert rows["iou50"][:3] == ["1.0000", "0.5000", "as"]
    assert rows["segfree50"][:2] == ["1.0000", "0.5000"]
    assert any(line.startswith("missed") for line in lines)
