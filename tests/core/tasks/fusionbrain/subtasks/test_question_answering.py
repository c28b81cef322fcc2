from __future__ import annotations

import pytest

from jurydesk.core.model.defects import Place, error
from jurydesk.core.tasks.fusionbrain.subtasks.question_answering import _locate


@pytest.mark.parametrize("role", ["truth", "prediction"])
def test_a_fault_is_described_with_its_file_and_place(role: str) -> None:
    fault = error(Place("a.json", json_path='["7"][0].content'), "The content is null.")
    assert _locate(role, fault) == f'In the {role}, ["7"][0].content: The content is null.'
