from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.execution.plausibility import NormalizedTexts, Words, plausibility_defects
from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import SubmissionText

WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
PLACE = Path("team.json")


def story(number: int, length: int = 10, salt: str = "") -> str:
    """Return a story of `length` words, different for every `number`."""
    return " ".join(f"{WORDS[(number + place) % 12]}{salt}{number}" for place in range(length))


def honest(count: int = 20, length: int = 10) -> list[SubmissionText]:
    """Return distinct stories, as long as the references."""
    return [
        SubmissionText(
            f"s{number}", story(number, length, "x"), (story(number), story(number, 9, "b"))
        )
        for number in range(count)
    ]


def reported_defects(written: Sequence[SubmissionText]) -> list[str]:
    defects = plausibility_defects(PLACE, written, NormalizedTexts())
    assert all(defect.severity is Severity.WARNING for defect in defects)
    return [defect.found for defect in defects]


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_words_are_letters_digits_and_underscores_in_lower_case(text: str) -> None:
    found = re.findall(r"\w+", text.casefold())
    assert Words.of(text) == (" ".join(found), len(found))


def test_an_honest_submission_is_not_suspected() -> None:
    assert reported_defects(honest()) == []


def test_copied_references_are_reported_with_their_items() -> None:
    copied = [
        SubmissionText(one.item, one.references[0].upper() + "!", one.references)
        for one in honest()
    ]
    assert reported_defects([*copied[:2], *honest()[2:]]) == [
        "2 of 20 texts are word for word a reference: s0, s1."
    ]


def test_short_answers_can_equal_a_reference() -> None:
    assert (
        reported_defects(
            [SubmissionText(f"q{n}", f"yes it is {n}", (f"yes it is {n}",)) for n in range(20)]
        )
        == []
    )


def test_texts_that_contain_a_whole_reference_are_reported() -> None:
    first, *others = honest()
    quoting = SubmissionText(first.item, f"so {first.references[0]} and so on", first.references)
    assert reported_defects([quoting, *others]) == [
        "1 of 20 texts contains a whole reference and more: s0."
    ]


def test_one_text_for_most_items_is_reported() -> None:
    same = [SubmissionText(one.item, "The end, really.", ()) for one in honest()]
    assert reported_defects([*same[:11], *honest()[11:]]) == [
        '11 of 20 texts are the same text, "the end really".'
    ]


def test_mostly_empty_texts_are_reported() -> None:
    assert reported_defects([SubmissionText(f"q{n}", "" if n else "x", ()) for n in range(20)]) == [
        "19 of 20 texts are empty."
    ]


def test_a_constant_answer_is_accepted_if_it_is_correct() -> None:
    assert reported_defects([SubmissionText(f"q{n}", "Yes.", ("yes",)) for n in range(20)]) == []


def test_unusual_lengths_of_texts_are_reported() -> None:
    expected = "Half of the texts have {} words or more, half of the references 9.5 or more."
    assert reported_defects(honest(length=30)) == [expected.format(30)]
    assert reported_defects(honest(length=3)) == [expected.format(3)]


def test_sub_tasks_are_checked_separately() -> None:
    parts = [SubmissionText(one.item, "same", (), "Captions") for one in honest()]
    assert reported_defects([*parts, *honest()]) == [
        'Captions: 20 of 20 texts are the same text, "same".'
    ]


def test_few_items_are_not_checked() -> None:
    assert reported_defects([SubmissionText(f"q{n}", "", ()) for n in range(9)]) == []


def test_references_are_normalized_once_for_all_systems() -> None:
    known = NormalizedTexts()
    first = plausibility_defects(PLACE, honest(), known)
    normalized = {text: id(words) for text, words in known.items()}
    assert set(normalized) == {text for one in honest() for text in one.references}
    assert plausibility_defects(PLACE, honest(), known) == first == ()
    assert {text: id(words) for text, words in known.items()} == normalized
