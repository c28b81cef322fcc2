"""README and tour show what the program prints."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.verification.conformance import check_task
from support.files.retrieval import FILES
from support.plug_ins.installation import plug_in

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
MODULE = ROOT / "docs" / "plugins.md"
PAGES = (README, TOUR, MODULE, ROOT / "docs" / "machines.md", ROOT / "docs" / "files.md")
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def console_examples() -> list[tuple[str, str]]:
    """Return the commands of the tour with the printed output below them, which may be empty."""
    found = []
    for block in BLOCK.findall(TOUR.read_text("utf-8")):
        parts = re.split(r"^\$ jurydesk ", block, flags=re.MULTILINE)[1:]
        for part in parts:
            command, _, output = part.replace("\\\n", " ").partition("\n")
            if "FILE" not in command and "RESULT" not in command and "#" not in command:
                found.append((command, output))
    return found


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_every_example_prints_what_the_tour_shows(tmp_path, monkeypatch, capsys):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    compared = 0
    for command, output in console_examples():
        if command.startswith("meteor"):
            continue
        main(shlex.split(command))
        printed = capsys.readouterr()
        if output.strip():
            assert lines(printed.out + printed.err) == lines(output)
            compared += 1
    assert compared >= 5


def test_the_python_session_of_the_tour_prints_what_it_shows(tmp_path, monkeypatch):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    (session,) = re.findall(r"^```pycon\n(.*?)^```$", TOUR.read_text("utf-8"), re.M | re.S)
    found = doctest.DocTestParser().get_doctest(session, {}, "tour", str(TOUR), 0)
    assert len(found.examples) >= 6
    runner = doctest.DocTestRunner()
    runner.run(found)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_readme_and_pages_exist(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("page", "path"),
    [
        (README, "packaging/bootstrap.py"),
        (README, ".ci/run"),
        (README, "tests/bench/meteor.py"),
        (MODULE, "resources/examples/plugin"),
    ],
)
def test_the_paths_that_they_name_exist(page, path):
    assert path in page.read_text("utf-8")
    assert (ROOT / path).exists()


def test_the_first_screen_says_what_for_whom_and_how_to_get_it():
    """What a page of forty lines shows of the README."""
    first = "\n".join(README.read_text("utf-8").splitlines()[:40])
    for words in ("organisers", "board-light.png", ".deb", "Windows", "macOS", "bootstrap.py app"):
        assert words in first


def test_the_competition_of_forty_lines_works(tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"^```python\n(.*?)^```$", MODULE.read_text("utf-8"), re.M | re.S)
    (tmp_path / "numbers_task.py").write_text(code)
    monkeypatch.syspath_prepend(str(plug_in(tmp_path, "numbers", "numbers_task:TASK")))
    registry.cache_clear()
    files = {"truth.json": {"a": 1, "b": 2}, "near.json": {"a": 1.5, "b": 2}, "far.json": {"a": 4}}
    roles = {"truth": ["truth.json"], "guesses": ["near.json", "far.json"]}
    example = {"title": "Two numbers", "task": "numbers", "inputs": roles}
    for name, content in (files | {"example.json": example}).items():
        (tmp_path / name).write_text(json.dumps(content))
    try:
        check_task(registry().tasks["numbers"], tmp_path)
        truth, guesses = tmp_path / "truth.json", (tmp_path / "far.json", tmp_path / "near.json")
        command = ["score", "numbers", "--truth", truth, "--guesses", *guesses]
        assert main(list(map(str, command))) == 0
        assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:3]] == [
            ["1.", "near"],
            ["2.", "far"],
        ]
    finally:
        registry.cache_clear()
        sys.modules.pop("numbers_task", None)
