from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jurydesk.core.participant_kit.kit import read_kit, version_notice
from support.examples import TASKS_WITH_KIT
from support.kits.cases import Case, cases
from support.suite.samples import sample_size

MUTATIONS = sample_size(3, of=24)
NEEDS_BOXES = ("The median IoU of the detections", "The coordinates of the detections")
"""What a kit of dense captions leaves out, and says so."""


def all_cases(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    return cases(tmp_path_factory.mktemp("cases"))


def test_a_kit_reports_exactly_the_organiser_s_defects(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    compared: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for case in all_cases(tmp_path_factory):
        references = case.references()
        if references.data is None:
            continue
        kit = case.kit(tmp_path)
        path = tmp_path / "submission.json"
        for content in case.contents(MUTATIONS):
            path.write_bytes(content)
            wanted = case.organiser(path, references.data)
            if case.task.id == "densecap":
                wanted = tuple(one for one in wanted if not one.found.startswith(NEEDS_BOXES))
            assert case.participant(path, kit) == wanted, (case.name, content[:200])
            compared[case.task.id] += 1
            different[case.task.id] += bool(wanted)
    assert set(compared) == set(TASKS_WITH_KIT)
    assert all(different[task] > compared[task] // 3 for task in compared)


def test_a_kit_of_another_version_is_reported(tmp_path: Path) -> None:
    from dataclasses import replace

    (case, *_) = cases(tmp_path)
    kit = case.kit(tmp_path)
    assert version_notice(read_kit(tmp_path / "kit.jurycomp")) == ""
    assert version_notice(replace(kit, program="9.9")).startswith(
        "The kit was made by Jurydesk 9.9; this is "
    )
