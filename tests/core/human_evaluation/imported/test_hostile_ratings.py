"""Hostile tables of ratings: each is imported, or refused in short sentences."""

from __future__ import annotations

import hashlib
import json
import random

import pytest

from jurydesk.core.competition.rating_design import Wording
from jurydesk.core.human_evaluation.design.study import study_from_json
from jurydesk.core.human_evaluation.imported.answer_scales import find_scale
from jurydesk.core.human_evaluation.imported.imported_study import (
    KnownNames,
    read_imported_ratings,
)
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.human_evaluation.imported.ratings_preview import is_ratings_table
from jurydesk.core.human_evaluation.results.ratings import collect_ratings
from jurydesk.core.model.defects import has_errors

CELLS = (
    "", " ", "=1+1", "'=cmd|x", "1e400", "1e308", "-1e308", "-1e-400", "nan", "٣", "½", "10 %",
    "1,5", "1.234,5",
    "a\u202eb", "x" * 5000, '""', "[{", '[{"a": {"b": {}}}]', "[[[]]]", '{"x": 1}', "tie", "A | A",
    "A|B|C", "1 2", "0", "5", "model_a", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode(
        "utf-16"
    ), "true", "99999999999999999999", "-0", "photos-missing",
)  # fmt: skip
NAMES = (
    "rater", "item", "system", "statement", "value", "rating", "system_a", "system_b", "winner",
    "best", "worst", "systems", "kind", "seconds", "annotations", "id", "HITId", "WorkerId",
    "AssignmentStatus", "Answer.taskAnswers", "Answer.a.b", "user", "instance_id", "a:::b",
    "Timestamp", "displayed_text", "label_annotations.x.y", "rater_1", "rater_2", "", "=x", "item",
    "annotation_id", "annotator", "lead_time", "question", "answer",
)  # fmt: skip


def hostile_ratings(dice: random.Random) -> bytes:
    """Return a table of random names and cells, as text or JSON, sometimes cut off."""
    names = dice.sample(NAMES, dice.randint(1, 12))
    rows = [[dice.choice(CELLS) for _ in names] for _ in range(dice.randint(0, 12))]
    if dice.random() < 0.3:
        text = json.dumps([dict(zip(names, row, strict=True)) for row in rows])
    else:
        mark = dice.choice(",;\t")
        text = "\n".join(mark.join(row) for row in [names, *rows])
    raw = text.encode(dice.choice(("utf-8", "utf-16", "utf-8-sig")), "replace")
    return raw[: dice.randint(0, len(raw))] if dice.random() < 0.2 else raw


@pytest.mark.parametrize("block", range(4))
def test_every_hostile_table_is_imported_or_refused_in_short_sentences(tmp_path, block):
    taken = 0
    for seed in range(block * 125, block * 125 + 125):
        raw = hostile_ratings(random.Random(seed))
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(raw)
        is_ratings_table(path)
        sha256 = hashlib.sha256(raw).hexdigest()
        found = read_imported_ratings(path, sha256, RatingsOptions(), KnownNames(), Wording())
        assert all(one.found and len(one.found) < 700 for one in found.defects), seed
        if found.data is None:
            assert has_errors(found.defects), seed
            continue
        taken += 1
        stored = json.dumps(found.data.plan.study.to_json())
        study = study_from_json(json.loads(stored))  # as a desk reads it
        ratings = collect_ratings(study, found.data.answers)
        assert ratings.raters, seed
    assert taken


def test_numbers_that_are_too_large_for_an_answer_have_no_value():
    found = find_scale(("1", "4", "1e308", "-1e308"), RatingsOptions())
    assert (found.limits, found.labels) == ((1.0, 5.0), ("1", "2", "3", "4", "5"))
    assert found.values == {"1": 1.0, "4": 4.0}
    assert set(found.wrong) == {"1e308", "-1e308"}


def test_a_scale_without_end_has_no_steps():
    found = find_scale(("1", "2"), RatingsOptions(scale=(0.0, 1e308)))
    assert (found.limits, found.labels) == ((0.0, 1e308), ())
