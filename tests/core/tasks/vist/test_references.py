from __future__ import annotations

from pathlib import Path

from jurydesk.core.tasks.vist.reference_reader import read_references, read_template
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, THREE, TWO, story, story_annotations, submission, write

SENTENCES = ("we left .", "it rained .", "we ate .", "we sang .", "we slept .")


def gold(folder: Path, *photos: tuple[str, ...]) -> Path:
    parts = [
        part
        for number, ids in enumerate(photos)
        for part in story_annotations(str(number), ids, SENTENCES)
    ]
    return write(folder / "gold.json", {"annotations": parts})


def test_without_a_template_the_human_stories_determine_the_required_sequences(
    tmp_path: Path,
) -> None:
    reading = read_references({"references": [gold(tmp_path, ONE, TWO)]}, VistOptions())
    assert reading.defects == ()
    assert reading.data is not None
    assert [sequence.photos for sequence in reading.data.sequences] == [ONE, TWO]
    assert reading.data.named_by == "gold.json"


def test_the_template_determines_the_required_sequences(tmp_path: Path) -> None:
    template = write(tmp_path / "template.json", submission(story(THREE, ""), story(ONE, "")))
    inputs = {"references": [gold(tmp_path, ONE, TWO)], "template": [template]}
    reading = read_references(inputs, VistOptions())
    assert reading.data is not None
    assert [sequence.photos for sequence in reading.data.sequences] == [THREE, ONE]
    assert [sequence.photos for sequence in reading.data.scored] == [ONE]
    assert reading.data.named_by == "template.json"
    assert [str(defect) for defect in reading.defects] == [
        "note  gold.json: 1 sequence with human stories, but not in the template: "
        "21-22-23-24-25.\n       They are not scored.",
        "warning  template.json: 1 sequence of the template without a human story: "
        "31-32-33-34-35.\n       They are not scored. "
        "Give the missing reference file as well, if there is one.",
    ]


def test_reference_and_template_without_common_sequences_are_an_error(tmp_path: Path) -> None:
    template = write(tmp_path / "template.json", submission(story(THREE, "")))
    inputs = {"references": [gold(tmp_path, ONE)], "template": [template]}
    reading = read_references(inputs, VistOptions())
    assert reading.data is None
    assert reading.defects[-1].found == "No required sequence has a human story."


def test_defects_of_human_stories_and_template_are_reported_together(tmp_path: Path) -> None:
    inputs = {"references": [tmp_path / "none.json"], "template": [write(tmp_path / "t.json", [])]}
    reading = read_references(inputs, VistOptions())
    assert reading.data is None
    assert [defect.found for defect in reading.defects] == [
        "The file does not exist.",
        "The file holds a list.",
    ]


def test_characters_outside_ascii_of_human_stories_are_counted(tmp_path: Path) -> None:
    path = write(
        tmp_path / "gold.json",
        {"annotations": story_annotations("1", ONE, ("café .", "b", "c", "d", "naïve é ."))},
    )
    reading = read_references({"references": [path]}, VistOptions("corrected"))
    assert [defect.found for defect in reading.defects] == [
        "Human stories: 3 characters outside ASCII, left out, as the challenge's rules say."
    ]


def test_a_template_that_repeats_a_sequence_counts_it_once(tmp_path: Path) -> None:
    stories = submission(story(ONE, "", "7"), story(TWO, ""), story(ONE, "", "8"))
    reading = read_template(write(tmp_path / "template.json", stories))
    assert reading.data is not None
    assert reading.data.albums == {ONE: "7", TWO: "7"}
    assert [defect.found for defect in reading.defects] == [
        "Album 8, sequence 11-12-13-14-15: the sequence is already in the template as story 1."
    ]
