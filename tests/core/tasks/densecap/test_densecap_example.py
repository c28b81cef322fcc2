from __future__ import annotations

import re

import pytest

from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.language import translate_text
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.examples import folder_of, score_example, value
from support.language import shown_in


@pytest.fixture(scope="module")
def result() -> CompetitionResult:
    return score_example(TASK)


def test_the_systems_are_ranked_by_quality(result: CompetitionResult) -> None:
    assert result.reference_defects == ()
    names = ("region-net", "tagger", "grid", "wrong-boxes")
    values = [value(result, name, "map") for name in names]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_every_image_has_items(result: CompetitionResult) -> None:
    pictures = {path.stem for path in (folder_of(TASK) / "images").iterdir()}
    ids = {name.partition(" · ")[0] for name in result.evaluations[0].items.ids}
    assert ids == pictures


def test_the_passages_of_a_picture_are_shown_in_russian(result: CompetitionResult) -> None:
    items = result.evaluations[0].items
    passages = TASK.presentation.explain_item(items.show(0))
    texts = [text for one in passages for text in (one.title, one.note) if text]
    assert len(texts) == 3
    with shown_in("ru"):
        assert all(re.search("[а-яё]", translate_text(text)) for text in texts)


def test_the_hint_for_wrong_boxes_names_their_format(result: CompetitionResult) -> None:
    entry = next(entry for entry in result.entries if entry.system == "wrong-boxes")
    hints = [defect.hint for defect in entry.defects if defect.found.startswith("The median IoU")]
    assert hints == ["As xyxy it would be 0.75: set the box format to xyxy."]
