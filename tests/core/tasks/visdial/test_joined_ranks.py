"""Ranks beside generated answers: joined by image and round, and by the texts of the questions."""

from __future__ import annotations

import json

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions
from jurydesk.core.tasks.visdial.visdial_task import TASK
from support.examples import folder_of

ANSWERS, RANKS = folder_of(TASK), folder_of(registry().tasks["visdial-ranks"])


@pytest.fixture
def inputs(tmp_path):
    ranks = tmp_path / "careful.ranks.json"
    ranks.write_bytes((RANKS / "fine-tuned.json").read_bytes())
    return {
        "references": [ANSWERS / "references.json"],
        "generations": [ANSWERS / "careful.json", ANSWERS / "short.json"],
        "ranks": [ranks],
        "dialogs": [RANKS / "dialogs.json"],
        "relevance": [RANKS / "relevance.json"],
    }


def sentences(inputs):
    result = check_inputs(TASK, files_by_role(inputs), VisDialOptions(), Run())
    return [one.found for one in result.defects if one.severity == "error"]


def test_one_row_has_the_scores_of_both_and_keeps_those_of_a_missing_file_empty(inputs):
    result = score_submissions(TASK, files_by_role(inputs), VisDialOptions(), Run(), resamples=0)
    careful, short = result.evaluations
    alone = registry().tasks["visdial-ranks"]
    ranks = {
        "dialogs": inputs["dialogs"],
        "relevance": inputs["relevance"],
        "results": inputs["ranks"],
    }
    own = score_submissions(
        alone, files_by_role(ranks), alone.scoring.options(), Run(), resamples=0
    )
    for one in own.evaluations[0].scores:
        assert careful.score(one.metric).value == one.value
    assert careful.score("cider_1").value > short.score("cider_1").value
    assert "mrr" not in [one.metric for one in short.scores]
    wanted = own.evaluations[0].items.columns["rank"].tolist()
    assert careful.items.columns["rank"].tolist() == wanted
    assert careful.items.ids[0] == "90001-0"  # the round of the generations


def test_the_places_of_the_reference_set_are_columns_and_stand_beside_its_members(inputs):
    result = score_submissions(TASK, files_by_role(inputs), VisDialOptions(), Run(), resamples=0)
    careful, short = (one.items for one in result.evaluations)
    sets = json.loads(inputs["references"][0].read_text())
    ranks = json.loads(inputs["ranks"][0].read_text())
    marked = [i for i, mark in enumerate(sets[0]["in_cluster_idxs"]) if mark]
    of_members = [ranks[0]["ranks"][i] for i in marked]
    assert careful.columns["best_member_rank"][0] == min(of_members)
    first = [one for one in of_members if one <= len(marked)]
    assert careful.columns["members_first"][0] == pytest.approx(len(first) / len(marked))
    assert list(careful.evidence(0).ranks) == of_members
    assert short.evidence(0).ranks == ()


def test_dialogues_that_agree_better_with_unshifted_rounds_are_refused(inputs, tmp_path):
    dialogs = json.loads(inputs["dialogs"][0].read_text())
    for one in dialogs["data"]["dialogs"]:
        one["dialog"].insert(0, one["dialog"].pop())
    turned = tmp_path / "dialogs.json"
    for one in dialogs["data"]["dialogs"]:
        one["dialog"] = one["dialog"][2:] + one["dialog"][:2]
    turned.write_text(json.dumps(dialogs))
    found = sentences({**inputs, "dialogs": [turned]})
    assert any("agree if both files count alike" in one for one in found)


def test_dialogues_of_other_questions_are_refused(inputs, tmp_path):
    dialogs = json.loads(inputs["dialogs"][0].read_text())
    dialogs["data"]["questions"] = [f"other {n}" for n in range(len(dialogs["data"]["questions"]))]
    other = tmp_path / "dialogs.json"
    other.write_text(json.dumps(dialogs))
    found = sentences({**inputs, "dialogs": [other]})
    assert found == ["Questions or true answers differ in 30 of 30 rounds."]


def test_ranks_without_dialogues_ask_for_them(inputs):
    assert sentences({**inputs, "dialogs": []}) == ["Ranks need the dialogues with their options."]


def test_ranks_of_no_system_are_named(inputs, tmp_path):
    nobody = tmp_path / "nobody.ranks.json"
    nobody.write_bytes(inputs["ranks"][0].read_bytes())
    result = check_inputs(
        TASK, files_by_role({**inputs, "ranks": [nobody]}), VisDialOptions(), Run()
    )
    said = [one.found for one in result.defects]
    assert "The ranks nobody.ranks.json belong to no file of answers." in said
