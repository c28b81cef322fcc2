"""Messages of the program keep their templates: every defect of faulty files, all declarations.

The faulty files are the examples' submissions, damaged at random as for the participants' checkers.
"""

import dataclasses
from collections.abc import Iterator

import pytest

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.run import Run
from jurydesk.core.language import Message, fill, set_language, translate_text
from support.kits.cases import Case, json_cases, ranked_cases
from support.language import untranslated_parts

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
def test_every_sentence_about_a_faulty_file_is_translated(case, tmp_path):
    found = dict.fromkeys(sentences(case, tmp_path / "file.json"))
    assert len(found) > 5
    assert [part for one in found for part in untranslated_parts(one)] == []


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
    left = [
        text
        for text in dict.fromkeys(filter(None, declared(registry().tasks[competition])))
        if untranslated_parts(text) and not text.startswith(ENGLISH_NAMES)
    ]
    assert left == []


@pytest.mark.parametrize("correction", ["Romano-Wolf", "Holm"])
def test_the_ranks_of_a_board_are_described_in_russian_alone(correction: str):
    set_language("ru")
    try:
        said = translate_text(
            fill(
                "Ranks{of}, together at {level:g} %: {method}, corrected for {pairs:,} "
                "comparisons by {correction}.",
                "",
                95.0,
                Message("exact randomisation"),
                3,
                correction,
            )
        )
    finally:
        set_language("en")
    assert said.replace("\u00a0", " ") == (
        "Места, все вместе на уровне 95 %: точный рандомизационный тест, "
        f"поправка на множественные сравнения (3): {correction}."
    )
