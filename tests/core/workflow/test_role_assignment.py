"""File roles are detected from the content; unassigned files are reported with the reason."""

from __future__ import annotations

import gzip
import os
import zipfile
from dataclasses import replace
from datetime import datetime

import pytest

from jurydesk.core.competition.task import Sniff
from jurydesk.core.competition.task_registry import Registry
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files, find_example
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.workflow.role_assignment import assign_roles
from support import toy
from support.windows import toy_competition

pytestmark = pytest.mark.usefixtures("only_the_toy")


def placed(paths, files=(), task=None):
    return assign_roles(classify_files(paths, Run()), files, task)


def roles(placement):
    return {file.path.name: file.role for file in placement.files}


def reasons(placement):
    return {file.path.name: file.reason for file in placement.files if file.reason}


def test_names_do_not_matter(tmp_path):
    truth, *systems = toy_competition.files(tmp_path / "one", systems=2)
    truth = truth.rename(truth.with_name("submission.dat"))
    systems[0] = systems[0].rename(systems[0].with_name("truth"))
    found = placed([truth, *systems])
    assert found.task is toy_competition.TASK
    assert roles(found) == {"submission.dat": "truth", "truth": "guesses", "s1.txt": "guesses"}


def test_a_gzip_file_is_recognized_by_its_content(tmp_path):
    (truth,) = toy_competition.files(tmp_path, systems=0)
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(truth.read_bytes()))
    assert roles(placed([packed])) == {"packed.gz": "truth"}


def test_damaged_gzip_and_unknown_bytes_are_not_files_of_the_competition(tmp_path):
    (tmp_path / "cut.gz").write_bytes(b"\x1f\x8b\x08broken")
    (tmp_path / "image.png").write_bytes(bytes(range(256)))
    found = placed(sorted(tmp_path.iterdir()), task=toy_competition.TASK)
    assert reasons(found) == {
        "cut.gz": "Not recognized as a file of Toy.",
        "image.png": "Not recognized as a file of Toy.",
    }


def test_empty_missing_and_irregular_files_are_reported(tmp_path):
    (tmp_path / "empty.txt").touch()
    os.mkfifo(tmp_path / "pipe")
    paths = [tmp_path / "empty.txt", tmp_path / "pipe", tmp_path / "gone"]
    defects: list[Defect] = []
    found = assign_roles(classify_files(paths, Run(), defects), (), toy_competition.TASK)
    assert reasons(found) == {
        "empty.txt": "The file is empty (0 bytes).",
        "gone": "The file cannot be read (no such file or directory).",
    }
    assert [str(one).splitlines()[0] for one in defects] == [
        "error  pipe: This is a pipe or a device, not a file."
    ]


def test_links_documents_and_files_of_operating_systems_are_reported_and_left_out(tmp_path):
    (submission,) = toy_competition.files(tmp_path / "all" / "north", systems=0)
    (tmp_path / "secret.txt").write_text("# mine\na 1\n")
    (submission.parent / "link.txt").symlink_to(tmp_path / "secret.txt")
    (submission.parent / "README.md").write_text("Read me.")
    (submission.parent / ".DS_Store").write_bytes(b"x")
    (tmp_path / "all" / "others.7z").write_bytes(b"7z")
    defects: list[Defect] = []
    found = classify_files([tmp_path / "all"], Run(), defects)
    assert [arrival.path for arrival in found] == [submission]
    assert [one.found for one in defects] == [
        "This archive format is not supported.",
        "It is a link, which is not followed.",
        "1 hidden file created by operating systems.",
        "1 document: north/README.md.",
    ]


def test_a_document_that_is_a_submission_is_accepted(tmp_path):
    folder = tmp_path / "all" / "north"
    folder.mkdir(parents=True)
    (folder / "results.md").write_text("# north\na 1\n")
    assert [arrival.path.name for arrival in classify_files([tmp_path / "all"], Run())] == [
        "results.md"
    ]


def test_members_of_an_archive_have_its_time_and_other_files_their_own(tmp_path):
    archive = tmp_path / "teams.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr(zipfile.ZipInfo("north/run.txt", (2018, 5, 1, 12, 0, 0)), "# north\na 1\n")
    plain = toy.write(tmp_path / "run.txt", {"a": 1.0}, "south")
    packed, alone = classify_files([archive, plain], Run())
    assert packed.parts == ("teams", "north", "run.txt")
    assert packed.archived == datetime(2018, 5, 1, 12)
    assert alone.archived is None
    assert {file.path: file.archived for file in placed([archive]).files} == {
        packed.path: packed.archived
    }


def test_pictures_from_a_folder_and_from_an_archive_are_two_arrivals(tmp_path):
    toy_competition.files(tmp_path / "all", systems=1)
    (tmp_path / "all" / "1.png").write_bytes(b"\x89PNG")
    archive = tmp_path / "pictures.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name in ("a/1.png", "a/2.png"):
            made.writestr(name, b"\x89PNG" + name.encode())
    counts = [
        one.pictures for one in classify_files([tmp_path / "all", archive], Run()) if one.pictures
    ]
    assert counts == [1, 2]


def test_a_second_reference_file_needs_a_choice(tmp_path):
    (first,) = toy_competition.files(tmp_path / "a", systems=0)
    (second,) = toy_competition.files(tmp_path / "b", systems=0)
    second = second.rename(second.with_name("other.txt"))
    found = placed([first, second])
    assert roles(found) == {"truth.txt": "truth", "other.txt": ""}
    assert reasons(found) == {"other.txt": "Truth was already given: truth.txt."}


def test_of_similar_files_the_one_with_the_role_in_its_name_is_chosen_and_the_others_are_reported(
    tmp_path,
):
    names = ("an-empty-run.txt", "the_Truth.txt", "z.txt")
    files = [toy.write(tmp_path / name, {"a": 1.0}, "truth") for name in names]
    for given in (files, files[::-1]):
        found = placed(given)
        assert [file.path for file in found.files] == given
        assert roles(found) == {"an-empty-run.txt": "", "the_Truth.txt": "truth", "z.txt": ""}
        assert set(reasons(found).values()) == {"Truth was already given: the_Truth.txt."}


def test_the_most_certain_file_is_chosen_whatever_its_name(tmp_path, monkeypatch):
    def sniff(head):
        return Sniff("truth", 0.9 if b"sure" in head else 0.6)

    likely = replace(
        toy_competition.TASK, readers=replace(toy_competition.TASK.readers, sniff=sniff)
    )
    monkeypatch.setattr(
        "jurydesk.core.competition.task_registry.registry", lambda: Registry({"toy": likely}, ())
    )
    truth = toy.write(tmp_path / "truth.txt", {"a": 1.0})
    sure = toy.write(tmp_path / "z.txt", {"sure": 1.0})
    found = placed([truth, sure])
    assert roles(found) == {"truth.txt": "", "z.txt": "truth"}
    assert reasons(found) == {"truth.txt": "Truth was already given: z.txt."}


def test_a_file_that_arrives_again_is_read_again(tmp_path):
    (truth,) = toy_competition.files(tmp_path, systems=0)
    before = [InputFile(truth, "guesses", 3)]
    assert roles(placed([truth], before, toy_competition.TASK)) == {"truth.txt": "truth"}


def test_a_file_of_another_competition_is_not_assigned(tmp_path, monkeypatch):
    other = replace(
        toy_competition.TASK,
        id="other",
        title="Other",
        readers=replace(
            toy_competition.TASK.readers,
            sniff=lambda head: Sniff("truth", 0.8) if head.startswith(b"? ") else None,
        ),
    )
    both = Registry({"toy": toy_competition.TASK, "other": other}, ())
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: both)
    files = toy_competition.files(tmp_path, systems=2)
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("? what\n")
    found = placed([*files, stranger])
    assert found.task is toy_competition.TASK
    assert [file.path for file in found.strangers] == [stranger]
    assert found.strangers[0].reason == ("This is a file of Other; the open desk is for Toy.")


def test_a_doubtful_file_needs_a_choice(tmp_path, monkeypatch):
    doubtful = replace(
        toy_competition.TASK,
        readers=replace(toy_competition.TASK.readers, sniff=toy.TASK.readers.sniff),
    )
    monkeypatch.setattr(
        "jurydesk.core.competition.task_registry.registry", lambda: Registry({"toy": doubtful}, ())
    )
    (truth,) = toy_competition.files(tmp_path, systems=0)
    assert reasons(placed([truth])) == {"truth.txt": "This may be: Guesses. Please choose a role."}


def test_a_folder_of_pictures_is_one_arrival_and_hidden_files_are_ignored(tmp_path):
    toy_competition.files(tmp_path / "all", systems=1)
    for number in range(3):
        (tmp_path / "all" / f"{number}.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "all" / ".hidden").write_text("# truth\n")
    found = placed([tmp_path / "all"])
    assert roles(found) == {"truth.txt": "truth", "s0.txt": "guesses", "all": "images"}
    assert found.files[-1].pictures == 3


def test_the_folder_of_pictures_is_the_one_that_contains_all_of_them(tmp_path):
    toy_competition.files(tmp_path / "all", systems=1)
    for name in ("one", "two"):
        folder = tmp_path / "all" / "images" / name
        folder.mkdir(parents=True)
        (folder / "1.png").write_bytes(b"\x89PNG")
    found = placed([tmp_path / "all"])
    assert roles(found) == {"truth.txt": "truth", "s0.txt": "guesses", "images": "images"}


def test_the_manifest_of_an_example_is_not_a_file_of_the_competition(tmp_path):
    toy_competition.files(tmp_path / "all", systems=1)
    manifest = tmp_path / "all" / "example.json"
    manifest.write_text('{"title": "Forty numbers", "task": "toy"}')
    assert roles(placed([tmp_path / "all"])) == {"truth.txt": "truth", "s0.txt": "guesses"}
    assert find_example([tmp_path / "all"]) == tmp_path / "all"
    assert find_example([manifest]) is None
    manifest.write_text("[1, 2]")
    assert roles(placed([tmp_path / "all"]))["example.json"] == ""
    assert find_example([tmp_path / "all"]) is None


def test_our_own_results_are_not_files_of_a_competition(tmp_path):
    truth, *_ = toy_competition.files(tmp_path / "one")
    result = tmp_path / "v.json"
    result.write_text('{"schema": 1, "task": "toy", "defects": [], "systems": []}')
    assert reasons(placed([truth, result])) == {
        "v.json": "This is a result that Jurydesk wrote, not a file of a competition."
    }
