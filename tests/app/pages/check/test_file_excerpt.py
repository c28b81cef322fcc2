"""A few lines around a place, from files of any size and kind."""

from __future__ import annotations

import gzip

import pytest

from jurydesk.app.pages.check.file_excerpt import AROUND, LONGEST_LINE, peek
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Place


def look(path, line=None, column=None):
    return peek(Place(str(path), line, column), Run())


@pytest.fixture
def numbered(tmp_path):
    path = tmp_path / "numbered.txt"
    path.write_text("".join(f"line {n}\n" for n in range(1, 300_001)))
    return path


@pytest.mark.parametrize("line", [1, 3, 7, 8, 150_000, 299_999, 300_000])
def test_the_meant_line_stands_among_its_neighbours(numbered, line):
    found = look(numbered, line)
    assert found.lines[line - found.first] == f"line {line}"
    assert found.meant == line
    assert len(found.lines) <= 2 * AROUND + 1


def test_without_a_line_the_file_is_shown_from_its_beginning(numbered):
    assert look(numbered).lines[0] == "line 1"
    assert look(numbered).meant is None


def test_a_gzip_file_is_read_in_place(tmp_path):
    path = tmp_path / "packed.gz"
    path.write_bytes(gzip.compress(b"one\ntwo\nthree\n"))
    assert look(path, 2).lines == ("one", "two", "three")


def test_windows_line_ends_and_a_last_line_without_end(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_bytes(b"one\r\ntwo\r\nthr\ree")
    assert look(path, 3).lines == ("one", "two", "thr\ree")


def test_of_a_line_of_megabytes_the_part_around_the_column_is_shown(tmp_path):
    path = tmp_path / "long.json"
    path.write_text("a" * 500_000 + "HERE" + "b" * 3_000_000)
    (line,) = look(path, 1, 500_001).lines
    assert "HERE" in line
    assert len(line) <= LONGEST_LINE + 4


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (b"one\n", 40, "The file has no such line any more."),
        (b"", 1, "The file has no such line any more."),
        (b"\x1f\x8b\x08broken", 1, "The file cannot be read"),
    ],
)
def test_what_cannot_be_shown_is_said(tmp_path, content, line, problem):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert look(path, line).problem.startswith(problem)


def test_a_file_that_is_gone_is_said(tmp_path):
    assert look(tmp_path / "gone", 1).problem == "There is no such file any more."
