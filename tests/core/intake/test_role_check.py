from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.role_check import explain_submission_role, explain_wrong_roles
from jurydesk.core.model.defects import Defect, Place, Severity, error, format_defects
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.system.paths import resources_folder

EXAMPLES = resources_folder() / "examples"
SOUND = {
    "vist": {
        "references": "vist/human-stories.json",
        "template": "vist/template.json",
        "submission": "vist/storyteller.json",
    },
    "densecap": {
        "ground-truth": "densecap/people.json",
        "detections": "densecap/region-net.json",
    },
    "fusionbrain": {
        "truth": "fusionbrain/truth.json",
        "predictions": "fusionbrain/careful.json",
        "task-ids": "fusionbrain/ids.json",
        "input": "fusionbrain/input.json",
    },
    "visdial": {"references": "visdial/references.json", "generations": "visdial/careful.json"},
    "keyword-spotting": {
        "relevance": "keyword_spotting/relevance.xml",
        "results": "keyword_spotting/stroke-matcher.xml",
    },
}
QRELS = "keyword_spotting/trec_eval/relevance.qrels"
RUN = "keyword_spotting/trec_eval/stroke-matcher.run"


def defect_lines(name: str, changed: Mapping[str, str | Path]) -> list[str]:
    """Return the first line of each defect, with some files replaced by others."""
    task = find_competition(name)
    assert task is not None
    files: dict[str, str | Path] = {**SOUND[name], **changed}
    inputs = {role: [EXAMPLES / file] for role, file in files.items()}
    result = explain_wrong_roles(
        task,
        files_by_role(inputs),
        check_inputs(task, files_by_role(inputs), task.scoring.options(), Run()),
    )
    loud = [one for one in result.defects if one.severity is not Severity.NOTE]
    return [line.split("\n")[0] for line in format_defects(loud)]


@pytest.mark.parametrize(
    ("task", "role", "file", "expected"),
    [
        (
            "vist",
            "references",
            "vist/storyteller.json",
            "error  storyteller.json: This looks like VIST stories (JSON): it belongs to "
            "Submissions (--submission), not to Human stories (--references).",
        ),
        (
            "vist",
            "submission",
            "vist/human-stories.json",
            "error  human-stories.json: This looks like VIST stories in sequence (JSON): it "
            "belongs to Human stories (--references), not to Submissions (--submission).",
        ),
        (
            "keyword-spotting",
            "relevance",
            RUN,
            "error  stroke-matcher.run: This looks like ranked lists for trec_eval: it belongs "
            "to Results (--results), not to Relevance file (--relevance).",
        ),
        (
            "keyword-spotting",
            "relevance",
            "keyword_spotting/stroke-matcher.xml",
            "error  stroke-matcher.xml: This looks like ranked lists in ICFHR 2014 XML: it "
            "belongs to Results (--results), not to Relevance file (--relevance).",
        ),
        (
            "densecap",
            "ground-truth",
            "densecap/region-net.json",
            "warning  region-net.json: This looks like a system's captioned boxes (JSON): it "
            "belongs to Detections (--detections), not to Ground truth (--ground-truth).",
        ),
        (
            "densecap",
            "detections",
            "densecap/people.json",
            "error  people.json: This looks like captioned ground-truth boxes (JSON): it "
            "belongs to Ground truth (--ground-truth), not to Detections (--detections).",
        ),
        (
            "fusionbrain",
            "predictions",
            "fusionbrain/truth.json",
            "error  truth.json: This looks like FusionBrain's accepted answers (JSON): it belongs "
            "to Truth (--truth), not to Predictions (--predictions).",
        ),
        (
            "fusionbrain",
            "input",
            "fusionbrain/ids.json",
            "warning  ids.json: This looks like FusionBrain task ids (JSON): it belongs to Task "
            "ids (--task-ids), not to Input (--input).",
        ),
        (
            "visdial",
            "references",
            "visdial/careful.json",
            "error  careful.json: This looks like VisDial answers (JSON): it belongs to Answers "
            "(--generations), not to Reference sets (--references).",
        ),
        (
            "visdial",
            "generations",
            "visdial/references.json",
            "error  references.json: This looks like VisDial reference sets (JSON): it belongs to "
            "Reference sets (--references), not to Answers (--generations).",
        ),
        (
            "visdial",
            "references",
            QRELS,
            "error  relevance.qrels: This looks like relevance judgements for trec_eval, a file of "
            "another competition (Keyword spotting: Relevance file).",
        ),
        (
            "vist",
            "references",
            "vist/example.json",
            "error  example.json: This is the list of files of one of Jurydesk's examples, not a "
            "file of the competition.",
        ),
        (
            "vist",
            "submission",
            "vist/images/500101.png",
            "error  500101.png: This is a picture, not a file of the competition.",
        ),
    ],
)
def test_a_file_in_a_wrong_role_is_named_with_its_right_role(
    task: str, role: str, file: str, expected: str
) -> None:
    assert expected in defect_lines(task, {role: file})


@pytest.mark.parametrize("task", list(SOUND))
def test_files_in_their_right_roles_have_no_role_defects(task: str) -> None:
    assert not [
        line for line in defect_lines(task, {}) if "looks like" in line or "belongs" in line
    ]


def test_swapped_files_are_both_named() -> None:
    swapped = {"references": "vist/storyteller.json", "submission": "vist/human-stories.json"}
    assert [line.split(":")[0] for line in defect_lines("vist", swapped)] == [
        "error  storyteller.json",
        "error  human-stories.json",
    ]


def test_a_submission_is_accepted_as_a_template() -> None:
    assert defect_lines("vist", {"template": "vist/storyteller.json"}) == []


def test_an_uncertain_role_keeps_the_reader_s_defects() -> None:
    lines = defect_lines("fusionbrain", {"truth": "fusionbrain/careful.json"})
    assert lines[0] == (
        "warning  careful.json: This may be FusionBrain predictions (JSON): it belongs to "
        "Predictions (--predictions), not to Truth (--truth)."
    )
    assert len(lines) > 1


def test_a_broken_file_in_its_own_role_keeps_its_errors(tmp_path: Path) -> None:
    document = json.loads((EXAMPLES / "vist/storyteller.json").read_text())
    document["output_stories"][2]["photo_sequence"] = 7
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(document))
    lines = defect_lines("vist", {"submission": path})
    assert lines
    assert not any("looks like" in line for line in lines)


@pytest.mark.parametrize(
    ("role", "name", "found"),
    [
        ("images", "none", "none: This does not exist."),
        ("images", "vist/labels.json", "labels.json: This is a file, not a folder."),
        ("real-statistics", "none.npz", "none.npz: This does not exist."),
        ("real-statistics", "vist", "vist: This is a folder, not a file."),
    ],
)
def test_a_file_that_is_opened_only_later_must_exist_now(role: str, name: str, found: str) -> None:
    assert f"warning  {found}" in defect_lines("fusionbrain", {role: name})


@pytest.mark.parametrize("task", ["retrieval", "captions"])
def test_a_cut_file_of_arrays_is_named_as_cut(tmp_path: Path, task: str) -> None:
    competition = find_competition(task)
    assert competition is not None
    path = tmp_path / "team.npz"
    np.savez(path, images=np.eye(40))
    path.write_bytes(path.read_bytes()[:-100])
    unread = (error(Place(str(path)), "The file cannot be read."),)
    (found,) = format_defects(explain_submission_role(competition, path, unread))
    assert "The .npz file is cut off: its end is missing." in found
    assert "zip" not in found


@pytest.mark.parametrize(
    ("arrays", "found"),
    [
        (("mu", "sigma"), "The file holds these arrays: mu, sigma."),
        (
            [f"x{number}" for number in range(9)],
            "The file holds these arrays: x0, x1, x2 and 6 more.",
        ),
        ((), "The file holds no array."),
    ],
)
def test_a_file_of_other_arrays_is_told_by_its_arrays(
    tmp_path: Path, arrays: Sequence[str], found: str
) -> None:
    path = tmp_path / "team.npz"
    np.savez(path, **dict.fromkeys(arrays, np.eye(2)))
    (told,) = check("retrieval", path)
    assert (told.found, told.expected) == (
        found,
        'Arrays "images" and "captions" are expected, one row for each.',
    )


@pytest.mark.parametrize("name", ["a.npy.gz", "a.npy", "a.npz.gz", "a.npz"])
def test_an_array_in_gzip_is_called_compressed_whatever_its_name(tmp_path: Path, name: str) -> None:
    saved = io.BytesIO()
    save = np.savez if "npz" in name else np.save
    save(saved, np.eye(2))
    path = tmp_path / name
    path.write_bytes(gzip.compress(saved.getvalue()))
    (told,) = check("retrieval", path)
    assert (told.found, told.hint) == ("The file is compressed by gzip.", "Unpack it first.")


def check(task: str, path: Path) -> Sequence[Defect]:
    competition = find_competition(task)
    assert competition is not None
    inputs = {competition.submission_input().role: [path]}
    result = score_submissions(
        competition, files_by_role(inputs), competition.scoring.options(), Run(jobs=1)
    )
    return explain_submission_role(competition, path, result.entries[0].defects)


def test_a_missing_file_is_reported_once():
    assert len(defect_lines("vist", {"template": "gone.json"})) == 1
