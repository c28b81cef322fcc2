"""Excerpts around a place, from files of any size and kind."""

from __future__ import annotations

import gzip

import pytest

from jurydesk.app.pages.check.file_excerpt import (
    AROUND,
    LONGEST_LINE,
    ExcerptCard,
    read_excerpt,
)
from jurydesk.app.style.visible_text import elide
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, Place, Severity
from jurydesk.core.system import network_shares


def look(path, line=None, column=None):
    return read_excerpt(Place(str(path), line, column), Run())


@pytest.fixture
def numbered(tmp_path):
    path = tmp_path / "numbered.txt"
    path.write_text("".join(f"line {n}\n" for n in range(1, 300_001)))
    return path


@pytest.mark.parametrize("line", [1, 3, 7, 8, 150_000, 299_999, 300_000])
def test_the_marked_line_is_shown_among_its_neighbours(numbered, line):
    found = look(numbered, line)
    assert found.lines[line - found.first] == f"line {line}"
    assert found.marked == line
    assert len(found.lines) <= 2 * AROUND + 1


def test_without_a_line_number_the_first_lines_are_shown(numbered):
    assert look(numbered).lines[0] == "line 1"
    assert look(numbered).marked is None


def test_a_gzip_file_is_read_in_place(tmp_path):
    path = tmp_path / "packed.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\nthree\n"))
    assert look(path, 2).lines == ("one", "two", "three")


def test_a_file_on_a_strange_share_is_not_read(numbered, monkeypatch):
    monkeypatch.setenv(network_shares.SHARES, "")
    monkeypatch.setattr(network_shares, "IS_WINDOWS", True)
    found = look(f"/{numbered}", 3)
    assert (found.lines, "network share that you did not choose" in found.problem) == ((), True)
    network_shares.choose_share(f"/{numbered}")
    assert look(f"/{numbered}", 3).marked == 3


def test_windows_line_ends_and_a_last_line_without_end_are_read(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_bytes(b"one\r\ntwo\r\nthr\ree")
    assert look(path, 3).lines == ("one", "two", "thr\ree")


def test_a_very_long_line_is_cut_around_the_column(tmp_path):
    path = tmp_path / "long.json"
    path.write_text("a" * 500_000 + "HERE" + "b" * 3_000_000)
    (line,) = look(path, 1, 500_001).lines
    assert "HERE" in line
    assert len(line) <= LONGEST_LINE + 4


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"one\n", 40, "The file no longer has this line."),
        (b"", 1, "The file no longer has this line."),
        (b"\x1f\x8b\x08broken", 1, "The file cannot be read"),
    ],
)
def test_an_unreadable_place_is_reported(tmp_path, content, line, problem):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert look(path, line).problem.startswith(problem)


def test_a_missing_file_is_reported(tmp_path):
    assert look(tmp_path / "gone", 1).problem == "The file no longer exists."


def test_a_long_sentence_about_a_defect_is_cut_at_its_end(qtbot, jobs, tmp_path, monkeypatch):
    cut: list[str] = []

    def record(*arguments):
        cut.append(elide(*arguments))
        return cut[-1]

    monkeypatch.setattr("jurydesk.app.widgets.parts.elide", record)
    card = ExcerptCard(jobs)
    qtbot.addWidget(card)
    card.resize(400, 200)
    found = 'query "anchor", word 1: attribute "width" is missing.'
    hint = "Every <word> needs document, x, y, width and height. Add width."
    card.show_defect(Defect(Severity.ERROR, Place(str(tmp_path / "run.xml"), 4), found, "", hint))
    qtbot.waitUntil(lambda: jobs.idle)
    cut.clear()
    card.sentence.grab()
    assert cut == [cut[0]]
    assert cut[0].endswith("…")
    assert f"{found} {hint}".startswith(cut[0].removesuffix("…").strip())
