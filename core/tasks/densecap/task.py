"""Dense captioning: regions of images, found and described, scored by mean average precision."""

from __future__ import annotations

from core.task import Input, Presentation, Readers, Scoring, Sniff, SubmissionChecks, Task
from core.tasks.densecap.detections import read_detections
from core.tasks.densecap.evidence import Scene
from core.tasks.densecap.ground_truth import GroundTruth, read_ground_truth
from core.tasks.densecap.items import image_units
from core.tasks.densecap.metrics import METRICS, STATISTICS
from core.tasks.densecap.options import DenseCapOptions
from core.tasks.densecap.outline import OUTLINE
from core.tasks.densecap.rating import RATING
from core.tasks.densecap.regions import Regions
from core.tasks.densecap.scoring import evaluate
from core.tasks.densecap.told import reasons, tell, written
from core.tasks.densecap.work import WORK
from core.tasks.meteor_resources import STEMMER, meteor_resources
from core.tasks.text_file import head_of

PEOPLES = "people's captioned boxes (JSON)"
SYSTEMS = "a system's captioned boxes (JSON)"
JSON_FILES = ("*.json", "*.json.gz")


def sniff(head: bytes) -> Sniff | None:
    """Ground truth or detections, told by the names of their members."""
    text = head_of(head)
    described = b'"caption"' in text and (b'"box"' in text or b'"bbox"' in text)
    if b'"gt_boxes"' in text or (b'"regions"' in text and b'"phrase"' in text):
        return Sniff("ground-truth", 0.9, PEOPLES)
    if b'"logprobs"' in text or (b'"results"' in text and b'"img_name"' in text):
        return Sniff("detections", 0.9, SYSTEMS)
    if described:
        if b'"score"' in text:
            return Sniff("detections", 0.9, SYSTEMS)
        return Sniff("ground-truth", 0.7, PEOPLES)
    return None


TASK: Task[DenseCapOptions, GroundTruth, Regions] = Task(
    id="densecap",
    title="Dense captioning",
    summary="Regions of images, found and described: mAP over overlap and METEOR thresholds.",
    item_noun=("detection", "detections"),
    inputs=(
        Input(
            "ground-truth",
            "Ground truth",
            "reference",
            JSON_FILES,
            help="The captioned boxes of people, as JSON.",
        ),
        Input(
            "detections",
            "Detections",
            "submission",
            JSON_FILES,
            many=True,
            help="The captioned boxes of one system, as JSON.",
        ),
        Input(
            "images",
            "Pictures",
            "folder",
            (),
            required=False,
            help="A folder with the pictures, named by their ids; only to look at.",
        ),
    ),
    readers=Readers(
        read_references=read_ground_truth,
        read_submission=read_detections,
        sniff=sniff,
        load_evidence=Scene.from_json,
    ),
    scoring=Scoring(
        options=DenseCapOptions,
        profiles=("published", "corrected"),
        metrics=METRICS,
        evaluate=evaluate,
        units=image_units,
        groups=lambda items: items.columns["image"].tolist() if "image" in items.columns else None,
        group_noun=("image", "images"),
        chunks=(WORK,),
        settings=lambda truth, options: {"meteor": "1.5", "task": "rank", "norm": "norm"},
        resources=lambda truth, options: meteor_resources(),
        libraries=(STEMMER,),
    ),
    presentation=Presentation(
        inspector="densecap",
        panel="densecap",
        example="densecap",
        statistics=STATISTICS,
        explain_item=tell,
        explain_difference=reasons,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        submission_texts=written,
        redaction=OUTLINE,
    ),
)
