"""Questionnaires of the program, for tests."""

from __future__ import annotations

from jurydesk.core.human_evaluation.design.questionnaire import (
    Questionnaire,
    questionnaire_path,
    read_questionnaire,
)


def builtin_questionnaire(name: str) -> Questionnaire:
    """Return a questionnaire of the program."""
    found = read_questionnaire(questionnaire_path(name)).data
    assert found is not None
    return found
