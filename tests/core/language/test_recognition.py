"""Recognition of finished sentences: every defect of faulty files, hostile names, parity of pages.

The faulty files are the examples' submissions, damaged at random as for the participants' checkers.
"""

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.run import Run
from jurydesk.core.language import translate_text
from jurydesk.core.language.catalogue import Catalogue
from jurydesk.core.language.display_language import (
    language_catalogue,
    localize_number,
    set_language,
)
from jurydesk.core.language.sentence_matcher import SentenceMatcher, SentenceTemplate, make_template
from support.kits.cases import Case, json_cases, ranked_cases
from support.language import shown_in

CATALOGUE = Path(__file__).resolve().parents[3] / "resources" / "language" / "ru.po"

COMPETITIONS = sorted(registry().tasks)
DAMAGED = 6
"""Damaged versions of each file."""
NEURAL = "There are no weights for "
"""Beginning of the sentences of `core/neural/`."""
ENGLISH_NAMES = (
    *("METEOR", "mAP", "nDCG", "CIDEr", "BLEU", "ROUGE", "SPICE", "BERT", "fastText", "IoU"),
    *("RuWordNet", "FusionBrain", "trec_eval"),
)
"""Beginnings of names that every language has."""


def matcher() -> SentenceMatcher:
    return SentenceMatcher(language_catalogue("ru"), lambda text: localize_number(text, "ru"))


def sentences(case: Case, path) -> Iterator[str]:
    """Yield the sentences of all defects of a competition's files and their damaged versions."""
    reading = case.references()
    defects = [*reading.defects]
    for content in case.contents(DAMAGED):
        path.write_bytes(content)
        defects += case.task.readers.read_submission(
            path, reading.data, case.chosen(), Run()
        ).defects
    for defect in defects:
        for text in (defect.found, defect.expected, defect.hint):
            if text and not text.startswith(NEURAL):
                yield text


@pytest.mark.parametrize("case", [*json_cases(), *ranked_cases()], ids=str)
def test_every_sentence_about_a_faulty_file_is_recognized(case, tmp_path):
    found = dict.fromkeys(sentences(case, tmp_path / "file.json"))
    recognize = matcher().translate
    assert len(found) > 5
    assert [one for one in found if recognize(one) is None] == []


def declared(task: AnyTask) -> Iterator[str]:
    """Yield the texts of a declaration that are shown."""
    yield from (task.title, task.summary, *task.item_noun, *task.scoring.group_noun)
    for entry in task.inputs:
        yield from (entry.label, entry.help)
    for info in (*task.scoring.metrics, *task.presentation.statistics.values()):
        yield from (info.title, info.summary)
    for entry in dataclasses.fields(task.scoring.options):
        yield from (entry.metadata["help"], entry.metadata["label"])
        yield from entry.metadata["titles"].values()
    for policy in task.scoring.policies({"format": "trec"}):
        yield from (policy.choice, policy.value)


@pytest.mark.parametrize("competition", COMPETITIONS)
def test_titles_options_and_summaries_are_russian(competition):
    recognize = matcher().translate
    left = [
        text
        for text in dict.fromkeys(filter(None, declared(registry().tasks[competition])))
        if recognize(text) is None and not text.startswith(ENGLISH_NAMES)
    ]
    assert left == []


def small_catalogue(**texts: str) -> SentenceMatcher:
    return SentenceMatcher(
        Catalogue(texts, {}, {}, lambda count: 0),
        lambda text: text,
    )


VALUES = {":counted": "3 queries", ":words": "a list", ":list": "a, b", ":word": "width"}
"""Values for the places of a style."""


@cache
def templates() -> tuple[SentenceTemplate, ...]:
    """Return the templates of the catalogue."""
    return tuple(filter(None, (make_template(id, id) for id in language_catalogue("ru").texts)))


def fitting(text: str, found: str, recognize: SentenceMatcher) -> Iterator[SentenceTemplate]:
    """Yield the templates by which a text has that translation."""
    for one in recognize._candidates(text):
        values = None if one.is_plural else one.values(text)
        if values is not None and recognize._fill(one, values, 0) == found:
            yield one


class TestHostileNames:
    """A name inside a sentence cannot pass for a part of the sentence."""

    HOSTILE = (
        *("The file is empty", 'a" is missing. The "b', "x is not valid JSON: y", "3 queries"),
        *("a is expected", "q (first: b)", "b and 9 others", "Reference 4"),
        *("the story is missing", 'query "q", word 1: z', ""),
    )

    def test_no_name_changes_the_sentence_that_is_recognized(self):
        recognize = matcher()
        with CATALOGUE.open("rb") as file:
            first = {one.id: one.locations[0][0] for one in read_po(file) if one.locations}
        ids = {
            id for id, path in first.items() if path.startswith(("core/readers/", "core/tasks/"))
        }
        begun = [
            one for one in templates() if one.id in ids and one.literals[0] and "" in one.styles
        ]
        assert len(begun) > 100
        changed = []
        for template in begun:
            for name in self.HOSTILE:
                values = [VALUES.get(style, "7" if style else name) for style in template.styles]
                parts = zip(values, template.literals[1:], strict=True)
                text = template.literals[0] + "".join(map("".join, parts))
                found = recognize.translate(text)
                if found is None or found == recognize._fill(template, values, 0):
                    continue
                if not any(one.is_special(template) for one in fitting(text, found, recognize)):
                    changed.append((text, found))
        assert changed == []

    def test_a_sentence_that_fits_two_templates_stays_english(self):
        two = small_catalogue(
            **{"The {a} is no {b}.": "Не {a} {b}.", "The {a} or {b}.": "{a} или {b}."}
        )
        assert two.translate("The x is no y.") == "Не x y."
        assert two.translate("The x or y.") == "x или y."
        assert two.translate("The x is no y or z.") is None

    def test_the_special_sentence_is_preferred(self):
        two = small_catalogue(
            **{"{path} is {what}.": "{path}: {what}.", "{path} is cut short.": "{path} обрезан."}
        )
        assert two.translate("a is cut short.") == "a обрезан."
        assert two.translate("a is long.") == "a: long."


class TestPlaces:
    """The style of a place says what it holds."""

    def test_a_count_is_translated_and_a_name_is_not(self):
        with shown_in("ru"):
            shown = translate_text("2 queries of the relevance file have no results (first: a, b).")
            assert shown == (
                "Нет результатов для запросов файла оценок релевантности: 2 (первые: a, b)."
            )

    def test_a_list_says_how_many_others_there_are(self):
        with shown_in("ru"):
            assert "a, b, c и ещё 1\u00a0234" in translate_text(
                "4 captions without words: a, b, c and 1,234 more."
            )

    def test_a_number_place_holds_no_text(self):
        one = small_catalogue(**{"At most {n:,} are read.": "Читается не более {n:,}."})
        assert one.translate("At most 4,300 are read.") == "Читается не более 4,300."
        assert one.translate("At most a few are read.") is None

    def test_words_of_the_program_are_translated_and_others_are_unknown(self):
        one = small_catalogue(**{"It is {kind:words}.": "Это {kind:words}.", "a list": "список"})
        assert one.translate("It is a list.") == "Это список."
        assert one.translate("It is my list.") is None


@pytest.mark.parametrize("correction", ["Romano-Wolf", "Holm"])
def test_the_ranks_of_a_board_are_described_in_russian_alone(correction: str):
    set_language("ru")
    try:
        said = translate_text(
            "Ranks at 95 %: exact randomisation, corrected for 3 comparisons by " + correction + "."
        )
    finally:
        set_language("en")
    assert said.replace("\u00a0", " ") == (
        "Места на уровне 95 %: точный рандомизационный тест, "
        f"поправка на множественные сравнения (3): {correction}."
    )
