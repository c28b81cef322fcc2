from __future__ import annotations

import subprocess
import sys

import pytest

from core.tasks.registry import competition, registry


def test_a_competition_is_found_by_its_id() -> None:
    for id, task in registry().tasks.items():
        assert competition(id) is task


@pytest.mark.parametrize("id", ["nothing", "", "registry", "vist.task", "keyword_spotting", "..x"])
def test_what_is_no_id_finds_nothing(id: str) -> None:
    assert competition(id) is None


def test_one_competition_is_found_without_loading_the_others() -> None:
    program = (
        "import sys; from core.tasks.registry import competition; competition('keyword-spotting'); "
        "print(*(name for name in sys.modules if '.tasks.' in name and name.endswith('.task')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["core.tasks.keyword_spotting.task"]
