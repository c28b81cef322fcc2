from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.competition.task import Reading
from jurydesk.core.model.defects import Severity, has_errors
from jurydesk.core.tasks.vist.reference_reader import read_template
from jurydesk.core.tasks.vist.stories import (
    HumanStory,
    PhotoSequence,
    StoryReferences,
    StorySubmission,
)
from jurydesk.core.tasks.vist.submission_reader import read_submission
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, THREE, TWO, references, story, submission, write
from support.oracles import data

WANTED = references(ONE, TWO)


def read(
    folder: Path,
    value: object,
    wanted: StoryReferences = WANTED,
    options: VistOptions | None = None,
) -> Reading[StorySubmission]:
    path = write(folder / "sub.json", value)
    return read_submission(path, wanted, options or VistOptions())


def sentences(reading: Reading[StorySubmission]) -> list[str]:
    return [str(defect) for defect in reading.defects]


def test_a_valid_submission_has_its_name_description_and_every_story(tmp_path: Path) -> None:
    reading = read(tmp_path, submission(story(TWO, "two ."), story(ONE, "one .")))
    assert reading.defects == ()
    assert (reading.name, reading.about) == ("narrators", "our best run")
    assert reading.data is not None
    assert reading.data.stories == {ONE: "one .", TWO: "two ."}


def test_name_and_description_can_be_missing_or_of_another_type(tmp_path: Path) -> None:
    stories = submission(story(ONE), story(TWO, "b"), team_name=5, evaluation_info=["x"])
    reading = read(tmp_path, stories)
    assert reading.defects == ()
    assert (reading.name, reading.about) == ("", "")


def test_every_missing_sequence_is_named(tmp_path: Path) -> None:
    reading = read(tmp_path, submission(story(TWO)), references(ONE, TWO, THREE))
    assert reading.data is None
    assert sentences(reading) == [
        "error  sub.json, output_stories: Album 7, sequence 11-12-13-14-15: the story is missing.\n"
        "       A story is expected for every sequence of gold.json. Add the story.",
        "error  sub.json, output_stories: Album 7, sequence 31-32-33-34-35: the story is missing.\n"
        "       A story is expected for every sequence of gold.json. Add the story.",
    ]


def test_photos_in_another_order_are_named_where_the_story_is_missing(tmp_path: Path) -> None:
    reading = read(tmp_path, submission(story(tuple(reversed(ONE))), story(TWO)))
    assert reading.data is None
    assert sentences(reading) == [
        "error  sub.json, output_stories: Album 7, sequence 11-12-13-14-15: the story is missing.\n"
        "       A story is expected for every sequence of gold.json. The file has the same photos "
        "in another order, 15-14-13-12-11: the order counts.",
        "note  sub.json, line 7: 1 story of sequences that are not in gold.json: 15-14-13-12-11.\n"
        "       It is ignored.",
    ]


@pytest.mark.parametrize("mark", ["5", "\x1f"])
def test_two_stories_of_a_sequence_that_nobody_asks_for_are_reported_too(
    mark: str, tmp_path: Path
) -> None:
    other = (*THREE[:4], mark)
    stories = (story(other, "x"), story(ONE), story(TWO, "b"), story(other, "y"))
    reading = read(tmp_path, submission(*stories))
    (repeated,) = [one for one in reading.defects if one.severity is Severity.ERROR]
    assert repeated.place.json_path == "output_stories[3]"
    assert "has two stories, here and at output_stories[0]" in repeated.found
    (unknown,) = [one for one in reading.defects if one.severity is Severity.NOTE]
    assert (unknown.count, unknown.place.json_path) == (2, "output_stories[0]")


def test_two_stories_of_a_sequence_are_reported_with_both_places(tmp_path: Path) -> None:
    again = (story(ONE, "x"), story(TWO), story(ONE, "y"), story(ONE, "z"))
    reading = read(tmp_path, submission(*again))
    assert reading.data is None
    assert sentences(reading) == [
        f"error  sub.json, line {line}: Album 7, sequence 11-12-13-14-15: the sequence has two "
        "stories, here and at output_stories[0], line 7.\n"
        "       One story is expected. Keep one of them."
        for line in (29, 40)
    ]
    assert [defect.place.json_path for defect in reading.defects] == [
        "output_stories[2]",
        "output_stories[3]",
    ]


def test_attributes_that_are_missing_or_of_another_type_are_reported_all_at_once(
    tmp_path: Path,
) -> None:
    no_text, no_album = story(ONE), story(TWO)
    no_text["story_text"] = no_text.pop("story_text_normalized")
    no_album["album_id"] = None
    reading = read(
        tmp_path,
        submission(
            no_text,
            no_album,
            story("31", 5, album=True),
            {"photo_sequence": ["1", None], "album_id": 7},
            "text",
        ),
    )
    assert reading.data is None
    assert sentences(reading) == [
        "error  sub.json, line 7: Album 7, sequence 11-12-13-14-15: "
        '"story_text_normalized" is missing. Is "story_text" meant?\n'
        "       Text is expected: the story.",
        'error  sub.json, line 18: Sequence 21-22-23-24-25: "album_id" is null.\n'
        "       Text is expected: the album id.",
        'error  sub.json, line 29: Sequence 3-1: "album_id" is true.\n'
        "       Text is expected: the album id.",
        'error  sub.json, line 29: Sequence 3-1: "story_text_normalized" is the number 5.\n'
        "       Text is expected: the story.",
        'error  sub.json, line 37: Album 7: "photo_sequence" is a list of text and null.\n'
        "       A list of the five photo ids is expected.",
        'error  sub.json, line 37: Album 7: "story_text_normalized" is missing.\n'
        "       Text is expected: the story.",
        'error  sub.json, line 44: Story 5 is the text "text".\n'
        "       An object with album_id, photo_sequence and story_text_normalized is expected.",
        "warning  sub.json, line 29: Sequence 3-1: the sequence has 2 photos.\n"
        "       A sequence of the challenge has five.",
        "note  sub.json, line 29: 1 story of sequences that are not in gold.json: 3-1.\n"
        "       It is ignored.",
    ]


def test_stories_of_unknown_sequences_are_ignored_with_a_note(tmp_path: Path) -> None:
    reading = read(tmp_path, submission(story(ONE), story(THREE), story(TWO, "b")))
    assert reading.data is not None
    assert set(reading.data.stories) == {ONE, TWO}
    assert [(defect.severity, defect.count) for defect in reading.defects] == [(Severity.NOTE, 1)]


def test_equal_stories_are_a_warning_and_empty_ones_a_note(tmp_path: Path) -> None:
    reading = read(tmp_path, submission(story(ONE, " "), story(TWO, " ")))
    assert reading.data is not None
    assert sentences(reading) == [
        "warning  sub.json, output_stories: All 2 stories are the same.\n"
        "       A story for each sequence is expected.",
        "note  sub.json, line 7: 2 empty stories.\n       They score 0.",
    ]
    one = read(tmp_path, submission(story(ONE, " "), story(TWO, "b")))
    assert sentences(one) == ["note  sub.json, line 7: 1 empty story.\n       It scores 0."]


@pytest.mark.parametrize(
    ("profile", "sentence"),
    [
        (
            "published",
            "2 characters outside ASCII, scored, as the challenge's program does it.",
        ),
        ("corrected", "2 characters outside ASCII, left out, as the challenge's rules say."),
    ],
)
def test_characters_outside_ascii_are_counted(tmp_path: Path, profile: str, sentence: str) -> None:
    stories = submission(story(ONE, "naïve café ."), story(TWO, "b"))
    reading = read(tmp_path, stories, options=VistOptions(profile))
    assert [(defect.found, defect.count) for defect in reading.defects] == [(sentence, 2)]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "The file holds a list."),
        (None, "The file holds null."),
        ({"output_story": []}, '"output_stories" is missing. Is "output_story" meant?'),
        ({"output_stories": {}}, '"output_stories" is an object.'),
    ],
)
def test_another_type_is_an_error(tmp_path: Path, value: object, sentence: str) -> None:
    reading = read(tmp_path, value)
    assert reading.data is None
    assert [defect.found for defect in reading.defects] == [sentence]


def test_a_list_of_stories_is_read_with_a_note(tmp_path: Path) -> None:
    reading = read(tmp_path, [story(ONE, "one ."), story(TWO, "two .")])
    assert reading.data is not None
    assert reading.data.stories == {ONE: "one .", TWO: "two ."}
    assert [(one.severity, one.found) for one in reading.defects] == [
        (Severity.NOTE, 'The file is a list of stories without "output_stories".')
    ]


def test_stories_by_album_are_named_once(tmp_path: Path) -> None:
    albums = [{"album_id": str(number), "pred_story_str": "a ."} for number in range(30)]
    for value in ({"output_stories": albums}, albums):
        (told,) = [one for one in read(tmp_path, value).defects if one.severity is Severity.ERROR]
        assert told.found == "The stories are by album (pred_story_str), as vist_eval reads them."
        assert told.expected.startswith("Albums are not scored")


def test_latin_1_is_scored_with_a_warning_as_in_the_published_program(tmp_path: Path) -> None:
    path = tmp_path / "sub.json"
    text = path.with_name("utf8.json")
    write(text, submission(story(ONE, "caf#"), story(TWO)))
    path.write_bytes(text.read_bytes().replace(b"#", b"\xe9"))
    reading = read_submission(path, WANTED, VistOptions())
    assert reading.data is not None
    assert reading.data.stories[ONE] == "caf\ufffd"
    assert reading.defects[0].found == "The byte 0xE9 is not UTF-8."
    assert reading.defects[0].severity is Severity.WARNING


@pytest.fixture(scope="module")
def template() -> StoryReferences:
    reading = read_template(data("vist/vist-challenge-template.json"))
    assert reading.data is not None
    stories = (HumanStory("1", "x"),)
    sequences = (
        PhotoSequence(photos, album, stories) for photos, album in reading.data.albums.items()
    )
    return StoryReferences(tuple(sequences), reading.data.name)


def read_real(name: str, template: StoryReferences) -> Reading[StorySubmission]:
    return read_submission(data(f"vist/{name}"), template, VistOptions())


def test_the_missing_sequence_of_the_challenge_s_own_file_is_named(
    template: StoryReferences,
) -> None:
    reading = read_real("example-submission-file-extra.missing.happy.test.json", template)
    assert reading.data is None
    assert [defect.found for defect in reading.defects if defect.severity is Severity.ERROR] == [
        "Album 72157629614500404, sequence "
        "7002675114-7148761587-7002675998-7148771071-7002682260: the story is missing."
    ]


def test_the_line_of_the_challenge_s_own_json_error_is_named(
    template: StoryReferences,
) -> None:
    reading = read_real("example-submission-file-extra.wrong.happy.test.json", template)
    assert reading.data is None
    (reported,) = reading.defects
    assert (reported.place.line, reported.place.column) == (17, 7)


@pytest.mark.parametrize(
    "name",
    [
        "example-submission-file.test.json",
        "example-submission-file-extra.happy.test.json",
        "example-submission-file-extra.empty.test.json",
    ],
)
def test_the_challenge_s_other_files_have_every_story(name: str, template: StoryReferences) -> None:
    reading = read_real(name, template)
    assert reading.data is not None
    assert len(reading.data.stories) == 1938
    assert not has_errors(reading.defects)
