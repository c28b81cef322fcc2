"""Texts that nobody meant: marks, ids, other Unicode forms, unparted words."""

import unicodedata
from pathlib import Path

import pytest

from jurydesk.core.execution.plausibility import NormalizedTexts, plausibility_defects
from jurydesk.core.model.evaluation import SubmissionText


def told(*texts, references=("a dog runs .", "two cats ."), part=""):
    given = [SubmissionText(str(i), text, references, part) for i, text in enumerate(texts, 1)]
    return [*map(str, plausibility_defects(Path("team.json"), given, NormalizedTexts()))]


@pytest.mark.parametrize(
    "mark",
    [
        *("<unk>", "<s>", "</s>", "<start>", "<end>", "<EOS>", "<pad>", "<|endoftext|>", "[UNK]"),
        *("[SEP]", "|||", "&amp;", "&#39;", "\u2581a", "\u0120a"),
    ],
)
def test_left_over_marks_are_named(mark):
    (warning,) = told(f"a dog {mark}", "two cats")
    assert warning.startswith(
        "warning  team.json: Marks of a tokenizer or of markup are left in 1 of 2 texts: "
        f"{mark[:1] if ord(mark[0]) > 127 else mark}.\n       They are scored as words."
    )


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        *(("ASSISTANT: a dog", "ASSISTANT:"), ("Answer: two", "Answer:"), ("**red**", "**")),
        *(('="a dog"', "="), ("a ```dog```", "```"), (r"\boxed{two}", r"\boxed{")),
        ("USER: <image> a dog", "USER:, <image>"),
    ],
)
def test_speakers_markdown_and_formulas_are_named(text, mark):
    (warning,) = told(text, "two cats")
    assert f"are left in 1 of 2 texts: {mark}.\n" in warning


@pytest.mark.parametrize(
    "text",
    [
        "[male] met [female] .",
        "a < b > c",
        "R&B; music",
        "C## x",
        "an answer: no",
        "2 * 3",
        "a = b",
    ],
)
def test_ordinary_texts_hold_no_marks(text):
    assert told(text) == []


def test_marks_that_the_references_have_are_not_reported():
    assert told("a <unk> dog", references=("a <unk> cat",)) == []


@pytest.mark.parametrize(
    "texts",
    [("1", "2", "3"), ("img1.jpg", "img2.jpg"), ("000012.PNG", "x/y.png"), ("img1", "img2")],
)
def test_ids_and_names_of_files_are_no_texts(texts):
    (warning,) = told(*texts)
    assert f"{len(texts)} of {len(texts)} texts are ids or names of files: {texts[0]}, " in warning


def test_answers_that_are_numbers_are_no_ids():
    assert told("7", "9", "12") == []
    assert told("1", "2", references=("1", "2")) == []


def test_accents_apart_on_one_side_are_told():
    word = unicodedata.normalize("NFD", "caf\u00e9")
    (warning,) = told(f"un {word}", "deux chats", references=("un caf\u00e9 .",))
    assert "Accents are apart from letters (NFD) in 1 of 2 texts." in warning
    (warning,) = told("un caf\u00e9", references=(f"un {word} .",))
    assert "(NFD) in the references, not in 1 text." in warning
    assert told(f"un {word}", references=(f"un {word} .",)) == []


@pytest.mark.parametrize(
    "text", ["\u4e00\u4e2a\u7537\u4eba\u9a91\u9a6c", "\u3053\u308c\u306f\u732b\u3067\u3059"]
)
def test_texts_without_blanks_are_one_token(text):
    (warning,) = told(text, text + "\u3002", references=(text,))
    assert "2 of 2 texts have no blanks between words." in warning
    assert told(" ".join(text), references=(text,)) == []


def test_the_part_is_named():
    (warning,) = told("a <unk>", "b", part="Captions")
    assert warning.startswith("warning  team.json: Captions: Marks of")
