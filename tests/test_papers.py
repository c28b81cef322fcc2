"""The documents at the top of the repository agree with the program and with each other."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import click
import pytest
import yaml

from jurydesk.core.cli.program import Program
from jurydesk.core.version import __version__

ROOT = Path(__file__).resolve().parent.parent
PAPERS = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "NOTICE",
    "README.md",
    "SECURITY.md",
    "docs/formats.md",
    "docs/glossary.md",
]
APACHE_2_0 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
"""SHA-256 of the licence's text as the Apache Software Foundation publishes it."""
OWN_FOLDER = r"(?:app|core|docs|packaging|resources|tests|\.ci)/[\w./*-]*\w"


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_licence_is_the_unmodified_apache_2_0():
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2_0
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert project["license"] == "Apache-2.0"
    assert all((ROOT / name).is_file() for name in project["license-files"])


def test_the_first_entry_of_the_changelog_is_this_version():
    assert re.findall(r"^## (\S+)", text("CHANGELOG.md"), re.MULTILINE)[0] == __version__


def test_the_citation_names_this_version_and_licence():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert (citation["version"], citation["license"]) == (__version__, "Apache-2.0")
    for name in ("cff-version", "message", "title", "authors", "date-released"):
        assert citation[name], name


def test_hosted_checks_and_wheels_name_the_project_s_python_versions():
    project = tomllib.loads(text("pyproject.toml"))
    named = re.findall(r":: Python :: (3\.\d+)", "\n".join(project["project"]["classifiers"]))
    jobs = yaml.safe_load(text(".github/workflows/checks.yml"))["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == named
    built = project["tool"]["cibuildwheel"]["build"]
    assert built == [f"cp{version.replace('.', '')}-*" for version in named]
    assert project["project"]["requires-python"] == f">={named[0]}"


def test_pre_commit_hooks_are_local_and_download_nothing():
    for repository in yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]:
        assert repository["repo"] == "local"
        for hook in repository["hooks"]:
            assert hook["language"] == "system"
            assert hook["entry"].startswith(".venv/bin/")


def test_the_guided_tour_answers_questions_with_files():
    tour = text("ARCHITECTURE.md").partition("## A guided tour in questions")[2]
    rows = re.findall(r"^\| ([^|]+\?) \| (.+) \|$", tour.partition("## ")[0], re.MULTILINE)
    assert len(rows) >= 20
    for question, answer in rows:
        assert re.search(rf"`{OWN_FOLDER}\.pyx?`", answer), question


@pytest.mark.parametrize("paper", PAPERS)
def test_every_path_named_in_a_document_exists(paper):
    links = [one for one in re.findall(r"\]\(([^)#]+)\)", text(paper)) if "://" not in one]
    named = set(links) | set(re.findall(rf"(?<![\w/.-]){OWN_FOLDER}", text(paper)))
    near = ROOT / paper
    missing = [
        path
        for path in sorted(named)
        if not any(ROOT.glob(path.rstrip("/"))) and not (near.parent / path).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("paper", [*PAPERS, "docs/coming_from.md", "docs/citing.md"])
def test_every_command_named_in_a_document_exists(paper):
    assert unknown_commands(text(paper)) == []


def test_an_unknown_command_is_found():
    named = "`jurydesk score vist`, `jurydesk ratings packets`, `jurydesk packet`"
    assert unknown_commands(named) == ["ratings packets", "packet"]


def unknown_commands(document: str) -> list[str]:
    program, found = Program(), []
    context = click.Context(program)
    for name, argument in re.findall(
        r"(?<=`|\s)jurydesk ([a-z][\w-]+)(?: ([a-z][\w-]+))?", document
    ):
        command = program.get_command(context, name)
        if command is None:
            found.append(name)
        elif isinstance(command, click.Group) and argument not in (
            "",
            *command.list_commands(context),
        ):
            found.append(f"{name} {argument}")
    return found
