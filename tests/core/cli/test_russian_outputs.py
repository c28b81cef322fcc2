"""What commands print about every example in Russian holds no English sentence of the catalogue.

A finished sentence that lost its template on the way to the terminal stays English.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.language import fill, set_language, translate_text
from support.examples import TASKS_WITH_EXAMPLE, folder_of
from support.files.mutations import mutated
from support.language import english_fragments, english_sentences

DAMAGED = 4


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    set_language("en")


def arguments(competition: str, folder: Path, *, damaged: bool) -> list[object]:
    """Return the files of an example as arguments, with damaged copies of a submission if asked."""
    task = registry().tasks[competition]
    inputs = {role: [*paths] for role, paths in example_inputs(task, folder_of(task)).items()}
    role = task.submission_input().role
    if damaged:
        first = inputs[role][0]
        for number, content in enumerate(mutated(first.read_bytes(), DAMAGED, 1)):
            path = folder / f"damaged-{number}{first.suffix}"
            path.write_bytes(content)
            inputs[role].append(path)
    return [
        word for role, paths in inputs.items() for path in paths for word in (f"--{role}", path)
    ]


@pytest.mark.parametrize("competition", TASKS_WITH_EXAMPLE)
def test_no_english_sentence_is_printed(jurydesk, tmp_path, competition):
    desk = tmp_path / "spring.jurydesk"
    checked = arguments(competition, tmp_path, damaged=True)
    shown = [
        jurydesk("--lang", "ru", *command)
        for command in (
            ("check", competition, *checked),
            ("score", competition, *checked, "--desk", desk),
            ("board", desk),
            ("robustness", desk),
            ("scores", desk),
        )
    ]
    printed = "\n".join(part for one in shown for part in (one.out, one.err))
    assert len(printed) > 1000
    assert english_sentences(printed) == []


def test_the_search_finds_a_sentence_without_its_template():
    assert len(english_fragments()) > 2000
    found = fill("The box of {name} was left out: {reason}.", "a", "b")
    assert english_sentences(f"ошибка: {found}") == []
    lost = "The JSON is nested too deeply to be read."
    assert english_sentences(f"ошибка: {lost}") == [lost.rstrip(".")]
    assert english_sentences(translate_text(lost, "ru")) == []
