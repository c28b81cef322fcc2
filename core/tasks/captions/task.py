"""Image captioning, declared: the caption scores of COCO, with the same numbers and no Java."""

from __future__ import annotations

from pathlib import Path

from core.metrics.meteor.work import METEOR as METEOR_WORK
from core.run.run import Run
from core.task import (
    Input,
    Inputs,
    Presentation,
    Readers,
    Reading,
    Scoring,
    Sniff,
    SubmissionChecks,
    Task,
)
from core.tasks.captions import reader, results
from core.tasks.captions.captions import References, Submission
from core.tasks.captions.evidence import CaptionEvidence
from core.tasks.captions.explanation import (
    attributes,
    explain_difference,
    explain_item,
    submission_texts,
)
from core.tasks.captions.metrics import METRICS, STATISTICS
from core.tasks.captions.options import CORRECTED, PUBLISHED, CaptionOptions
from core.tasks.captions.rating import RATING
from core.tasks.captions.redaction import REDACTION
from core.tasks.captions.scoring import evaluate, resources, settings
from core.tasks.meteor_resources import STEMMER
from core.tasks.text_file import UTF8_MARK, head_of

JSON_FILES = ("*.json", "*.json.gz")
ANNOTATIONS = "COCO captions (JSON)"
SPLIT = "Karpathy split (JSON)"
RESULTS = "COCO caption results (JSON)"
SPICE = "SPICE scores (JSON)"

INPUTS = (
    Input(
        "references",
        "Annotations",
        "reference",
        JSON_FILES,
        help="What people say of the images: COCO's annotations, or a Karpathy split (Flickr30k).",
    ),
    Input(
        "results",
        "Results",
        "submission",
        JSON_FILES,
        many=True,
        help="A list with one caption for each image; one file a system.",
    ),
    Input(
        "spice",
        "SPICE scores",
        "reference",
        ("*.spice.json",),
        required=False,
        many=True,
        help="Scores of SPICE computed elsewhere, named as the results are: NAME.spice.json.",
    ),
    Input(
        "photos",
        "Photos",
        "folder",
        (),
        required=False,
        help="A folder of the pictures, named as the annotations do; they are only looked at.",
    ),
)


def sniff(head: bytes) -> Sniff | None:
    """Recognize annotations, a Karpathy split, results or scores of SPICE by their members."""
    text = head_of(head).removeprefix(UTF8_MARK).lstrip()
    if text.startswith(b"["):
        if b'"image_id"' in text and b'"SPICE"' in text:
            return Sniff("spice", 0.9, SPICE)
        boxes = b'"bbox"' in text or b'"box"' in text
        if b'"image_id"' in text and b'"caption"' in text and not boxes:
            return Sniff("results", 0.95, RESULTS)
        return None
    if not text.startswith(b"{"):
        return None
    if b'"sentences"' in text and b'"raw"' in text:
        return Sniff("references", 0.95, SPLIT)
    if b'"All"' in text and b'"f"' in text:
        return Sniff("spice", 0.8, SPICE)
    captioned = b'"annotations"' in text and b'"caption"' in text and b'"bbox"' not in text
    if captioned or (b'"images"' in text and b'"file_name"' in text and b'"license' in text):
        return Sniff("references", 0.95 if captioned else 0.6, ANNOTATIONS)
    return None


def read_references(inputs: Inputs, options: CaptionOptions, run: Run) -> Reading[References]:
    """Return the images and what people say of them."""
    return reader.read_references(inputs, options)


def read_submission(
    path: Path, references: References, options: CaptionOptions, run: Run
) -> Reading[Submission]:
    """Return one system's captions."""
    return results.read_submission(path, references, options)


TASK: Task[CaptionOptions, References, Submission] = Task(
    id="captions",
    title="Image captioning",
    summary="Captions of images, scored by BLEU, METEOR, ROUGE-L and CIDEr as COCO captions are.",
    item_noun=("image", "images"),
    inputs=INPUTS,
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=sniff,
        load_evidence=CaptionEvidence.from_json,
    ),
    scoring=Scoring(
        options=CaptionOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=METRICS,
        evaluate=evaluate,
        chunks=(METEOR_WORK,),
        settings=settings,
        resources=resources,
        libraries=(STEMMER,),
    ),
    presentation=Presentation(
        inspector="captions",
        example="captions",
        attributes=attributes,
        statistics=STATISTICS,
        explain_item=explain_item,
        explain_difference=explain_difference,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        submission_texts=submission_texts,
        redaction=REDACTION,
    ),
)
