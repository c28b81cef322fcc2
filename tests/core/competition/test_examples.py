from __future__ import annotations

import dataclasses

import pytest

from jurydesk.core.competition import examples
from jurydesk.core.competition.task import Sniff
from support import toy


def role_by_content(head: bytes) -> Sniff | None:
    for role in ("truth", "guesses"):
        if head.startswith(f"{role}\n".encode()):
            return Sniff(role, 1.0)
    return None


@pytest.fixture
def task(tmp_path, monkeypatch):
    folder = tmp_path / "resources" / "examples" / "toy"
    (folder / "images").mkdir(parents=True)
    (folder / "elsewhere").mkdir()
    for name, content in {
        "example.json": '{"title": "Three numbers", "task": "toy"}',
        "truth.txt": "truth\na 1\n",
        "one.txt": "guesses\na 1\n",
        "two.txt": "guesses\na 2\n",
        "READ.me": "Made by a script.\n",
    }.items():
        (folder / name).write_text(content)
    monkeypatch.setattr(examples, "resources_folder", lambda: tmp_path / "resources")
    return dataclasses.replace(
        toy.TASK,
        presentation=dataclasses.replace(toy.TASK.presentation, example="toy"),
        readers=dataclasses.replace(toy.TASK.readers, sniff=role_by_content),
    )


def test_files_of_an_example_are_recognized_by_content_and_folders_by_name(task):
    folder = examples.example_folder(task)
    inputs = examples.example_inputs(task, folder)
    assert {role: [path.name for path in paths] for role, paths in inputs.items()} == {
        "truth": ["truth.txt"],
        "guesses": ["one.txt", "two.txt"],
        "images": ["images"],
    }


def test_an_example_is_copied_over_an_earlier_copy(task, tmp_path):
    target = tmp_path / "copy"
    examples.copy_example(task, target)
    (target / "one.txt").write_text("changed")
    (target / "own.txt").write_text("the user's own")
    examples.copy_example(task, target)
    assert (target / "one.txt").read_text() == "guesses\na 1\n"
    assert (target / "own.txt").exists()


def test_a_copy_is_writable_though_the_installation_is_read_only(task, tmp_path):
    folder = examples.example_folder(task)
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    target = examples.copy_example(task, tmp_path / "copy")
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o755)
    kept = [path for path in (target, *target.rglob("*")) if not path.stat().st_mode & 0o200]
    assert kept == []


def test_an_example_can_have_a_title(task, tmp_path):
    assert examples.example_title(examples.example_folder(task)) == "Three numbers"
    assert examples.example_title(tmp_path) == ""


def test_a_task_may_have_no_example(task):
    without = dataclasses.replace(
        task, presentation=dataclasses.replace(task.presentation, example="")
    )
    assert examples.example_folder(without) is None
    with pytest.raises(KeyError, match="toy"):
        examples.copy_example(without, examples.resources_folder())


def test_an_example_can_be_in_a_folder_of_a_plug_in(task, tmp_path):
    folder = tmp_path / "their_package" / "example"
    examples.copy_example(task, folder)
    theirs = dataclasses.replace(
        task, presentation=dataclasses.replace(task.presentation, example=folder)
    )
    assert examples.example_folder(theirs) == folder
    assert examples.copied_folder(theirs, tmp_path) == tmp_path / "toy"


@pytest.mark.parametrize("manifest", ['{"title": "Another", "task": "other"}', '{"title": "x"}'])
def test_a_folder_that_is_not_this_competition_s_example_is_not_offered(task, manifest):
    (examples.resources_folder() / "examples" / "toy" / "example.json").write_text(manifest)
    assert examples.example_folder(task) is None


def test_a_manifest_gives_roles_to_files_that_cannot_be_recognized(task):
    folder = examples.example_folder(task)
    names = (
        '{"truth": ["truth.txt"], "guesses": ["one.txt"], "images": ["two.txt"], "x": ["READ.me"]}'
    )
    (folder / "example.json").write_text(f'{{"title": "", "task": "toy", "inputs": {names}}}')
    plain = dataclasses.replace(
        task, readers=dataclasses.replace(task.readers, sniff=lambda head: None)
    )
    inputs = examples.example_inputs(plain, folder)
    assert {role: [path.name for path in paths] for role, paths in inputs.items()} == {
        "images": ["images"],
        "guesses": ["one.txt"],
        "truth": ["truth.txt"],
    }


@pytest.mark.parametrize(
    ("manifest", "is_one"),
    [
        ('{"title": "Three numbers", "task": "toy"}', True),
        ('{"title": "Three numbers"}', False),
        ("[]", False),
        ("{", False),
        ("\udcff", False),
    ],
)
def test_an_example_is_recognized_by_its_manifest(tmp_path, manifest, is_one):
    assert not examples.is_example(tmp_path)
    (tmp_path / "example.json").write_text(manifest, errors="surrogateescape")
    assert examples.is_example(tmp_path) is is_one
