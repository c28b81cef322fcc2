from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.vist.reference_reader import read_human_stories
from jurydesk.core.tasks.vist.stories import HumanStory, PhotoSequence
from jurydesk.core.tasks.vist.vist_task import TASK
from support.files.vist import ONE, TWO, story_annotations, write

SENTENCES = ("we left .", "it rained .", "we ate .", "we sang .", "we slept .")
WHOLE = "we left . it rained . we ate . we sang . we slept ."


def read(folder: Path, parts: object) -> Reading[tuple[PhotoSequence, ...]]:
    return read_human_stories([write(folder / "gold.json", {"annotations": parts})])


@pytest.mark.parametrize("flat", [False, True])
def test_annotations_are_accepted_alone_or_in_lists_of_one(tmp_path: Path, flat: bool) -> None:
    reading = read(tmp_path, story_annotations("1", ONE, SENTENCES, flat=flat))
    assert reading.data == (PhotoSequence(ONE, "7", (HumanStory("1", WHOLE),)),)
    assert reading.defects == ()


def test_sentences_are_sorted_by_their_photos_but_the_sequence_is_that_of_the_file(
    tmp_path: Path,
) -> None:
    parts = story_annotations("1", ONE, SENTENCES)
    reading = read(tmp_path, [parts[2], parts[0], parts[1], parts[4], parts[3]])
    assert reading.data == (
        PhotoSequence(("13", "11", "12", "15", "14"), "7", (HumanStory("1", WHOLE),)),
    )


def test_sentences_of_equal_order_keep_the_order_of_the_file(tmp_path: Path) -> None:
    parts = story_annotations("1", ONE, ("a", "b", "c", "d", "e"), flat=True)
    for part in parts:
        part["worker_arranged_photo_order"] = 0
    reading = read(tmp_path, parts)
    assert reading.data is not None
    assert reading.data[0].stories[0].text == "a b c d e"


def test_the_text_is_trimmed_as_in_java(tmp_path: Path) -> None:
    reading = read(tmp_path, story_annotations("1", ONE, ("\x01 a", "b", "", "", "c\u00a0\x00")))
    assert reading.data is not None
    assert reading.data[0].stories[0].text == "a b   c\u00a0"


def test_stories_of_several_files_are_joined_by_their_sequence(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", {"annotations": story_annotations("1", ONE, SENTENCES)})
    other = story_annotations("1", ONE, ("x", "y", "z", "v", "w")) + story_annotations(
        "2", TWO, SENTENCES
    )
    second = write(tmp_path / "b.json", {"annotations": other})
    reading = read_human_stories([first, second])
    assert reading.data == (
        PhotoSequence(ONE, "7", (HumanStory("1", WHOLE), HumanStory("1", "x y z v w"))),
        PhotoSequence(TWO, "7", (HumanStory("2", WHOLE),)),
    )


def test_numbers_are_accepted_as_ids_and_text_as_order(tmp_path: Path) -> None:
    parts = story_annotations(1, ONE, SENTENCES, flat=True)
    for part in parts:
        part["photo_flickr_id"] = int(part["photo_flickr_id"])
        part["worker_arranged_photo_order"] = str(part["worker_arranged_photo_order"])
    reading = read(tmp_path, parts)
    assert reading.data == (PhotoSequence(ONE, "7", (HumanStory("1", WHOLE),)),)


def test_all_defects_are_reported_at_once_with_their_lines(tmp_path: Path) -> None:
    parts = story_annotations("1", ONE, SENTENCES)
    del parts[0][0]["text"]
    parts[1][0]["storyid"] = parts[1][0].pop("story_id")
    parts[2][0]["worker_arranged_photo_order"] = 1.5
    parts[3][0]["photo_flickr_id"] = None
    parts[4] = ["none"]
    reading = read(tmp_path, [*parts, [], [parts[0][0], parts[0][0]], 5])
    assert reading.data is None
    assert [str(defect) for defect in reading.defects] == [
        'error  gold.json, line 3: Annotation 1, story 1, album 7: "text" is missing.\n'
        "       Text is expected: the sentence.",
        'error  gold.json, line 11: Annotation 2, album 7: "story_id" is missing. '
        'Is "storyid" meant?\n       The id of the annotation\'s story is expected.',
        "error  gold.json, line 20: Annotation 3, story 1, album 7: "
        '"worker_arranged_photo_order" is the number 1.5.\n'
        "       The photo's place in the story is expected.",
        'error  gold.json, line 29: Annotation 4, story 1, album 7: "photo_flickr_id" is null.\n'
        "       Text is expected: the photo id.",
        'error  gold.json, line 38: Annotation 5 is the text "none".\n'
        "       An object is expected.",
        "warning  gold.json, line 41: Annotation 6 is a list of 0, and was left out.\n"
        "       One annotation is expected.",
        "warning  gold.json, line 42: Annotation 7 is a list of 2, and was left out.\n"
        "       One annotation is expected.",
        "error  gold.json, line 56: Annotation 8 is the number 5.\n       An object is expected.",
    ]
    assert reading.defects[1].place.json_path == "annotations[1][0].story_id"


def test_a_story_without_exactly_five_photos_is_a_warning(tmp_path: Path) -> None:
    reading = read(tmp_path, story_annotations("8", ONE[:4], SENTENCES[:4]))
    assert reading.data is not None
    assert [str(defect) for defect in reading.defects] == [
        "warning  gold.json, line 3: Album 7, sequence 11-12-13-14: human story 8 has 4 photos.\n"
        "       A sequence of the challenge has five."
    ]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "The file holds a list."),
        ("x", 'The file holds the text "x".'),
        ({"anotations": []}, '"annotations" is missing. Is "anotations" meant?'),
        ({"annotations": {}}, '"annotations" is an object.'),
    ],
)
def test_another_type_is_an_error(tmp_path: Path, value: object, sentence: str) -> None:
    reading = read_human_stories([write(tmp_path / "gold.json", value)])
    assert reading.data is None
    assert [defect.found for defect in reading.defects] == [sentence]


def test_every_file_is_read_though_the_first_is_damaged(tmp_path: Path) -> None:
    reading = read_human_stories([tmp_path / "none.json", write(tmp_path / "b.json", [])])
    assert [defect.found for defect in reading.defects] == [
        "The file does not exist.",
        "The file holds a list.",
    ]


def test_members_of_the_albums_are_attributes_for_slices(tmp_path: Path) -> None:
    albums = [
        {
            "id": "7",
            "": "x",
            "vist_label": "breaking up",
            "farm": 1,
            "description": "d" * 201,
            "tags": [],
        },
        {"id": "8", "vist_label": "no sequence"},
    ]
    content = {"albums": albums, "annotations": story_annotations("1", ONE, SENTENCES)}
    gold, mine = write(tmp_path / "gold.json", content), tmp_path / "mine.json"
    story = {"album_id": "7", "photo_sequence": list(ONE), "story_text_normalized": WHOLE}
    write(mine, {"output_stories": [story]})
    found = score_submissions(
        TASK,
        files_by_role({"references": [gold], "submission": [mine]}),
        TASK.scoring.options(),
        Run(),
    )
    attributes = TASK.presentation.attributes(found.evaluations[0].items)
    assert {name: list(texts()) for name, texts in attributes.items()} == {
        "album": ["7"],
        "vist_label": ["breaking up"],
        "farm": ["1"],
    }


def test_a_member_that_the_first_album_lacks_is_an_attribute_too(tmp_path: Path) -> None:
    other = tuple(f"9{photo}" for photo in ONE)
    stories = [
        *story_annotations("1", ONE, SENTENCES),
        *story_annotations("2", other, SENTENCES),
    ]
    for part in stories[len(stories) // 2 :]:
        part[0]["album_id"] = "8"
    albums = [{"id": "7"}, {"id": "8", "vist_label": "parade"}]
    gold = write(tmp_path / "gold.json", {"albums": albums, "annotations": stories})
    found = read_human_stories([gold]).data
    assert found is not None
    assert {one.album: one.fields for one in found} == {
        "7": (("vist_label", ""),),
        "8": (("vist_label", "parade"),),
    }
