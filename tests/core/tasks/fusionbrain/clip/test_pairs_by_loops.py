"""Tests of picture-text pairs against the published rules in a plain loop.

Whatever raises an exception there is a failed pair; the text of a key outlives it (FusionBrain
Challenge 2.0, calc_ruclip_metric of generation and of captioning).
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from jurydesk.core.readers.json_file import JsonFile
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import captioning_pairs, generation_pairs
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import read_records

NAMES = ["d/0.png", "x/d/1.png", "/a/b/d/0.png", "d/bad.png", "d/none.png", "0.png", "", None, []]
TEXTS = ["Кот. На столе. Днём", "one", "", ". x", "a.b", None, 5, ["a. b"]]
FAULTS = (KeyError, IndexError, TypeError, AttributeError, OSError)

element = st.one_of(
    st.builds(lambda kind, content: {"type": kind, "content": content}, kind, content)
    for kind, content in (
        (st.just("text"), st.sampled_from(TEXTS)),
        (st.just("image"), st.sampled_from(NAMES)),
        (st.sampled_from(["sound", None, 5]), st.sampled_from(TEXTS)),
    )
)
odd = st.sampled_from([None, 5, "", "ab", {}, {"type": "text", "content": "a"}, {"type": "text"}])
record = st.one_of(st.lists(element, max_size=4), st.lists(st.one_of(element, odd)), odd)
records = st.lists(record, min_size=1, max_size=4)


NOTHING = object()


def text_of(asked, before):
    if len(asked) == 2:
        return asked[1]["content"]
    if len(asked) == 1:
        return ". ".join(asked[0]["content"].split(". ")[1:])
    if before is NOTHING:
        raise KeyError("no key before has a text")
    return before


def open_picture(folder, name):
    path = folder / name.lstrip("/")
    with Image.open(path) as picture:
        picture.load()
    return path


def generated(asked, said, folder):
    before = NOTHING
    for question, answer in zip(asked, said, strict=True):
        try:
            if answer[1]["type"] != "image":
                raise TypeError("no picture")
            path = open_picture(folder, "/".join(answer[1]["content"].split("/")[-2:]))
            before = text_of(question, before)
            yield (path, before) if isinstance(before, str) else None
        except FAULTS:
            yield None


def captioned(asked, said, folder):
    for question, answer in zip(asked, said, strict=True):
        try:
            if question[1]["type"] != "image" or answer[0]["type"] != "text":
                raise TypeError("no pair")
            path, text = open_picture(folder, question[1]["content"]), answer[0]["content"]
            yield (path, text) if isinstance(text, str) else None
        except FAULTS:
            yield None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pictures")
    (place / "d").mkdir()
    for number in range(2):
        Image.new("RGB", (2, 2), (number, 0, 0)).save(place / "d" / f"{number}.png")
    (place / "d" / "bad.png").write_text("no picture", encoding="utf-8")
    return place


def open_pairs(pairs, folder):
    for pair in pairs:
        try:
            if pair.reason:
                raise OSError(pair.reason)
            yield open_picture(folder, str(pair.place.file.relative_to(folder))), pair.text
        except OSError:
            yield None


@given(st.data())
def test_every_pair_equals_that_of_the_loop(folder, data):
    asked = data.draw(records)
    said = [data.draw(record) for _ in asked]
    questions, answers = (
        read_records(JsonFile(folder / "x.json", dict(enumerate(some)), ())).data
        for some in (asked, said)
    )
    some = tuple(SubtaskQuestion("generation", key, (), None, questions[key]) for key in questions)
    competition = Challenge(
        {"generation": some}, False, False, folder / "t.json", folder / "input.json"
    )
    predictions = Predictions(answers, folder / "p.json")
    pictures = PictureFinder(competition, predictions)
    for ours, theirs in ((generation_pairs, generated), (captioning_pairs, captioned)):
        got = list(open_pairs(ours(some, predictions, pictures, published=True), folder))
        assert got == list(theirs(asked, said, folder))


def test_content_that_is_not_text_replaces_the_previous_text(folder):
    text, picture = {"type": "text", "content": "кот"}, {"type": "image", "content": "d/0.png"}
    asked = [[text, text], [text, {"type": "text", "content": None}], [text, text, text]]
    for some, expected in ((asked, [True, False, False]), (asked[::2], [True, True])):
        said = [[text, picture]] * len(some)
        assert [pair is not None for pair in generated(some, said, folder)] == expected
        questions = read_records(JsonFile(folder / "x.json", dict(enumerate(some)), ())).data
        answers = read_records(JsonFile(folder / "x.json", dict(enumerate(said)), ())).data
        keys = [SubtaskQuestion("generation", key, (), None, questions[key]) for key in questions]
        competition = Challenge({"generation": tuple(keys)}, False, False, folder / "t.json")
        predictions = Predictions(answers, folder / "p.json")
        pictures = PictureFinder(competition, predictions)
        pairs = generation_pairs(keys, predictions, pictures, published=True)
        assert [not pair.reason for pair in pairs] == expected
