from __future__ import annotations

from types import SimpleNamespace

import pytest

from jurydesk.core.tasks.fusionbrain.readers.records import RecordFault
from jurydesk.core.tasks.fusionbrain.subtasks.question_answering import _locate


@pytest.mark.parametrize("role", ["truth", "prediction"])
def test_a_fault_is_described_with_its_file_and_place(role: str) -> None:
    fault = RecordFault("[0].content", "The content is null.", "")
    found = _locate(role, SimpleNamespace(key="7"), fault)  # type: ignore[arg-type]
    assert found == f'In the {role}, ["7"][0].content: The content is null.'
