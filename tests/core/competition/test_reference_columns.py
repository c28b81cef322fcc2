"""Whole columns of the references are attributes of the items, by which a board is sliced."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role

VQA = {"question_type": "what", "answer_type": "other", "image_id": 1}


def score(task: str, folder: Path, **contents: object) -> CompetitionResult:
    inputs: dict[str, Sequence[Path]] = {}
    for role, content in contents.items():
        path = folder / f"{role}.{'txt' if isinstance(content, str) else 'json'}"
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        inputs[role.replace("_", "-")] = [path]
    declared = registry().tasks[task]
    return score_submissions(
        declared, files_by_role(inputs), declared.scoring.options(), Run(jobs=1)
    )


def columns(found: CompetitionResult) -> Mapping[str, Sequence[str]]:
    """Return the attributes of the items of the only system."""
    (evaluation,) = found.evaluations
    attributes = registry().tasks[evaluation.task].presentation.attributes(evaluation.items)
    return {name: list(texts()) for name, texts in attributes.items()}


def test_members_of_questions_and_of_their_file_are_columns(tmp_path: Path) -> None:
    entries = [
        VQA | {"question_id": n, "answers": [{"answer": "a", "answer_id": 1}], "level": level}
        for n, level in enumerate(("easy", "hard"))
    ]
    texts = [{"question_id": n, "question": "what is it", "topic": ["art", "food"]} for n in (0, 1)]
    answers = [{"question_id": n, "answer": "a"} for n in (0, 1)]
    found = columns(
        score(
            "vqa",
            tmp_path,
            references={"annotations": entries},
            questions={"questions": texts},
            results=answers,
        )
    )
    assert found["level"] == ["easy", "hard"]
    assert found["topic"] == ["art, food"] * 2
    assert not {"image_id", "answers", "question"} & found.keys()


def test_members_of_reference_sets_are_columns(tmp_path: Path) -> None:
    keys = [{"image_id": 7, "round_id": n} for n in (0, 1)]
    sets = [key | {"refs": ["yes"], "domain": "animals"} for key in keys]
    del sets[1]["domain"]
    answers = [key | {"generations": ["yes"]} for key in keys]
    found = columns(score("visdial", tmp_path, references=sets, generations=answers))
    assert found["domain"] == ["animals", ""]


def test_members_of_dialogues_and_rounds_are_columns(tmp_path: Path) -> None:
    turn = {"question": 0, "answer": 0, "answer_options": [0, 1], "gt_index": 0}
    rounds = [turn | {"difficulty": level} for level in ("low", "high")]
    dialogs = [{"image_id": 7, "caption": "a cat", "scene": "indoors", "dialog": rounds}]
    data = {"questions": ["who"], "answers": ["a", "b"], "dialogs": dialogs}
    ranks = [{"image_id": 7, "round_id": n, "ranks": [1, 2]} for n in (1, 2)]
    found = columns(score("visdial-ranks", tmp_path, dialogs={"data": data}, results=ranks))
    assert (found["scene"], found["difficulty"]) == (["indoors"] * 2, ["low", "high"])


JUDGED = "q1 0 d1 1\nq2 0 d1 1\n"
LISTED = "q1 Q0 d1 1 0.9 run\nq2 Q0 d1 1 0.9 run\n"


@pytest.mark.parametrize(
    "table",
    [
        "query-id\tlanguage\tlength\nq2\tde\t3\nq1\tfr\t1\n",
        '{"_id": "q1", "metadata": {"x": 1}, "language": "fr", "length": 1}\n'
        '{"_id": "q2", "language": "de", "length": 3}\n',
    ],
)
def test_columns_of_a_table_of_queries_are_columns(table: str, tmp_path: Path) -> None:
    found = score("keyword-spotting", tmp_path, relevance=JUDGED, results=LISTED, queries=table)
    assert not found.reference_defects
    held = columns(found)
    assert (held["language"], held["length"]) == (["fr", "de"], ["1", "3"])


def test_attributes_of_the_queries_of_icfhr_files_are_columns(tmp_path: Path) -> None:
    word = '<word document="p" x="1" y="1" width="9" height="9"'
    blocks = "".join(
        f'<GTRel queryid="{one}" language="{language}">\n{word} Relevance="1"/>\n</GTRel>\n'
        for one, language in (("q2", "de"), ("q1", "fr"))
    )
    root = "GroundTruthRelevanceJudgements"
    lists = "".join(f'<Rel queryid="{one}">\n{word}/>\n</Rel>\n' for one in ("q1", "q2"))
    files = {
        "relevance": f"<{root}>\n{blocks}</{root}>\n",
        "results": f"<RelevanceListings>\n{lists}</RelevanceListings>\n",
    }
    found = score("keyword-spotting", tmp_path, **files)
    assert columns(found)["language"] == ["fr", "de"]
    both = columns(score("keyword-spotting", tmp_path, **files, queries="query,length\nq1,3\n"))
    assert (both["language"], both["length"]) == (["fr", "de"], ["3", ""])


def test_queries_that_only_one_file_has_are_named(tmp_path: Path) -> None:
    table = "query,language\nq2,de\nq9,fr\n"
    found = score("keyword-spotting", tmp_path, relevance=JUDGED, results=LISTED, queries=table)
    assert [one.found for one in found.reference_defects] == [
        "Not in relevance.txt: 1 name (q9).",
        "1 query not in the file: q1.",
    ]
    assert columns(found)["language"] == ["", "de"]


def test_a_table_of_other_queries_is_an_error(tmp_path: Path) -> None:
    found = score(
        "keyword-spotting", tmp_path, relevance=JUDGED, results=LISTED, queries="query,x\nQ1,a\n"
    )
    assert [one.found for one in found.reference_defects] == [
        "No query of relevance.txt is listed: its first is q1, here Q1."
    ]
