"""Outputs of models are refused as tables of results: their "score" is a confidence."""

from __future__ import annotations

import json

import pytest

from jurydesk.core.cli import main
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.classify import classify_files
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.tasks.table.table_options import TableOptions
from jurydesk.core.tasks.table.table_task import TASK

CONFIDENT = (0.913, 0.847, 0.322, 0.551)
SHAPES = {
    "bbox": [1, 2, 3.5, 4],
    "keypoints": [1, 2, 1] * 17,
    "segmentation": {"size": [4, 4], "counts": "abc"},
}
DETECTIONS = {
    name: json.dumps(
        [
            {"image_id": n, "category_id": 1, name: shape, "score": s}
            for n, s in enumerate(CONFIDENT)
        ]
    )
    for name, shape in SHAPES.items()
}
RUN = "".join(f"q{n // 2},d{n},{n % 2 + 1},{s}\n" for n, s in enumerate(CONFIDENT))
LABELS = "".join(f"{n},cat,{s}\n" for n, s in enumerate(CONFIDENT))
BOXES = "".join(f"{n},cat,{s},1,2,3,4\n" for n, s in enumerate(CONFIDENT))
REFUSED = {
    **{f"{name}.json": (text, "boxes, masks or keypoints") for name, text in DETECTIONS.items()},
    "boxes.csv": (f"image,class,score,x1,y1,x2,y2\n{BOXES}", "boxes, masks or keypoints"),
    "corner.csv": (f"image,class,score,x,y,w,h\n{BOXES}", "boxes, masks or keypoints"),
    "open_images.csv": (
        f"ImageID,LabelName,Conf,XMin,XMax,YMin,YMax\n{BOXES}",
        "boxes, masks or keypoints",
    ),
    "run.csv": (f"qid,docid,rank,score\n{RUN}", "documents ranked or judged"),
    "judged.tsv": ("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n", "documents ranked"),
    "evalImgs.json": (
        json.dumps(
            [
                None,
                {
                    "image_id": 1,
                    "category_id": 1,
                    "dtMatches": [[1]],
                    "gtMatches": [[1]],
                    "dtScores": [0.9],
                },
            ]
        ),
        "pycocotools' matches of boxes",
    ),
    "run.json": (json.dumps({"q1": {"d1": 0.9, "d2": 0.8}, "q2": {"d7": 0.7}}), "documents ranked"),
    "labels.csv": (f"id,label,score\n{LABELS}", 'The column "score" looks like a model\'s'),
    "pipeline.json": (
        json.dumps([{"label": "cat", "score": s} for s in CONFIDENT]),
        'The column "score" looks like a model\'s',
    ),
    "answers.csv": (f"question_id,answer,confidence\n{LABELS}", 'The column "confidence" looks'),
    "classes.csv": (
        "id,prob_cat,prob_dog\n" + "".join(f"{n},{s},{1 - s}\n" for n, s in enumerate(CONFIDENT)),
        'The column "prob_cat" looks',
    ),
}


def read(path, **options):
    """Return the scores of a file, or the sentences for which it has none."""
    result = score_submissions(
        TASK, files_by_role({"results": [path]}), TableOptions(**options), Run()
    )
    errors = [one.found for one in result.defects if one.severity == "error"]
    return errors or {one.metric: one.value for one in result.evaluations[0].scores}


@pytest.mark.parametrize("name", REFUSED)
def test_outputs_of_a_model_are_refused_and_named(tmp_path, name):
    content, sentence = REFUSED[name]
    path = tmp_path / name
    path.write_text(content)
    (found,) = read(path)
    assert sentence in found


@pytest.mark.parametrize("name", ["bbox.json", "run.csv", "labels.csv", "answers.csv"])
def test_a_named_column_of_outputs_is_taken(tmp_path, name):
    path = tmp_path / name
    path.write_text(REFUSED[name][0])
    column = "confidence" if name == "answers.csv" else "score"
    item = "docid" if name == "run.csv" else ""
    found = read(path, score=(column,), item=item, map="none")
    assert found == {column: pytest.approx(sum(CONFIDENT) / 4)}


@pytest.mark.parametrize("name", DETECTIONS)
def test_dropped_detections_are_named_with_what_to_do(tmp_path, name):
    path = tmp_path / "results.json"
    path.write_text(DETECTIONS[name])
    (found,) = classify_files([path], Run())
    assert not found.guesses
    if name == "bbox":
        assert found.reason.startswith("This is a list of COCO detections")
    else:
        assert found.reason.startswith("These are boxes, masks or keypoints of a model")
        assert "Evaluate them first" in found.reason


def test_detections_are_not_joined_to_a_desk(tmp_path, capsys):
    results, desk = tmp_path / "detector.csv", tmp_path / "one.jurydesk"
    results.write_text("item,acc\n" + "".join(f"{n},1\n" for n in range(4)))
    main(["score", "table", "--results", str(results), "--desk", str(desk), "--quiet"])
    added = tmp_path / "detector.json"
    added.write_text(DETECTIONS["bbox"])
    assert main(["scores", "add", str(desk), str(added)]) == 1
    assert "These are boxes, masks or keypoints of a model" in capsys.readouterr().err
    assert main(["scores", "add", str(desk), str(added), "--score", "score"]) == 0


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("id,answer,score", "{n},yes,{hit}"),  # an evaluation repeats
        ("system,id,answer,score", "a,{n},yes,{s}"),
        ("id,answer,rouge_score", "{n},yes,{s}"),
        ("image_id,bbox,iou", "{n},box,{s}"),
        ("query,doc_count,ndcg", "{n},7,{s}"),
        ("id,label,confidence,accuracy", "{n},cat,{s},{hit}"),
        ("id,confidence_calibration_error", "{n},{s}"),
        ("x1,x2,item", "{s},{hit},{n}"),
        ("system,item,x,y,score", "a,{n},{s},{n},{s}"),  # a place in a plot
    ],
)
def test_results_of_an_evaluation_are_taken(tmp_path, header, cells):
    path = tmp_path / "results.csv"
    rows = (cells.format(n=n, s=s, hit=n % 2) for n, s in enumerate(CONFIDENT))
    path.write_text("\n".join((header, *rows)))
    result = score_submissions(TASK, files_by_role({"results": [path]}), TableOptions(), Run())
    assert result.evaluations
    assert {one.metric for one in result.evaluations[0].scores}.isdisjoint({"confidence"})


def test_a_confidence_beside_scores_is_named_as_not_scored(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text("id,accuracy,confidence\n1,0,0.9\n2,1,0.8\n3,1,0.7\n")
    result = score_submissions(TASK, files_by_role({"results": [path]}), TableOptions(), Run())
    assert [one.metric for one in result.evaluations[0].scores] == ["accuracy"]
    assert any("Numbers that are not scored: confidence." in one.found for one in result.defects)
