"""The manual covers the program: every option, metric and command, and valid links."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import fields
from pathlib import Path

import pytest

from jurydesk.core.cli.program import program
from jurydesk.core.competition.task_registry import registry
from support.examples import BUILT_IN

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.fixture(scope="module")
def pages():
    spec = importlib.util.spec_from_file_location("manual_pages", DOCS / "pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generated(pages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual") / "generated"
    pages.write_pages(folder)
    return {path.stem: path.read_text("utf-8") for path in folder.iterdir()}


def test_every_page_of_a_competition_has_notes(pages):
    assert pages.BUILT_IN
    for name in pages.BUILT_IN:
        assert name in registry().tasks
        notes = (DOCS / "competitions" / f"{name}.md").read_text("utf-8")
        assert notes.startswith("## Formula\n")
        assert "\n## Profiles\n" in notes


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_page_of_a_competition_has_every_file_option_and_metric(generated, name):
    task, page = registry().tasks[name], generated[name]
    flags = [entry.role for entry in task.inputs]
    flags += [entry.name.replace("_", "-") for entry in fields(task.scoring.options)]
    assert [flag for flag in flags if f"| `--{flag}` |" not in page] == []
    names = [info.name for info in task.scoring.metrics]
    assert [one for one in names if f"\n### `{one}`: " not in page] == []


def test_the_reference_has_every_command_and_its_options(generated):
    page = generated["command-line"]
    for name in program.commands:
        assert f"`jurydesk {name}`" in page, name
    assert "`jurydesk score vist`" in page
    assert "`--submissions FOLDER_OR_ZIP`" in page


def test_table_rows_have_as_many_cells_as_their_header(generated):
    for name, page in generated.items():
        for block in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
            counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(counts) == 1, (name, block[:200])


def test_every_link_of_the_manual_has_a_target():
    listed = {path.stem for path in DOCS.rglob("*.md")}
    for path in DOCS.rglob("*.md"):
        if "generated" in path.parts:
            continue
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), (path.name, target)
    toctree = re.findall(r"^[a-z_/-]+$", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    pages = {name.removeprefix("generated/") for name in toctree if "generated/" in name}
    assert {name.rpartition("/")[2] for name in toctree} <= listed | pages


@pytest.mark.parametrize("path", sorted(DOCS.parent.glob("*.md")), ids=lambda path: path.name)
def test_every_link_of_the_repository_s_own_pages_has_a_target(path):
    text = path.read_text("utf-8")
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(#[^)\s]+)?\)", text):
        other = path.parent / target if target else path
        assert other.exists(), target
        if anchor:
            assert anchor[1:] in anchors(other.read_text("utf-8")), (target, anchor)


def anchors(text):
    """Return the anchors of a page's headings, as hosting services generate them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in headings}
