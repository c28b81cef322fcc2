"""Task declaration of image-text retrieval."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jurydesk.core.competition.rating_design import (
    PictureRef,
    RatedEntry,
    RatingDesign,
    SystemOutput,
)
from jurydesk.core.competition.redaction import (
    Redaction,
    RedactionFact,
    items,
    require_whole_number,
    text,
)
from jurydesk.core.competition.task import (
    Input,
    ItemListEntry,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    SubmissionChecks,
    Task,
    numbered_groups,
)
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import ItemTable, Json
from jurydesk.core.readers.numpy_file import MAGIC
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.captions.captions_task import sniff as sniff_captions
from jurydesk.core.tasks.retrieval.pair_reader import read_references
from jurydesk.core.tasks.retrieval.pairs import RetrievalReferences, Similarities
from jurydesk.core.tasks.retrieval.retrieval_evaluator import evaluate, scoring_remarks
from jurydesk.core.tasks.retrieval.retrieval_evidence import (
    RetrievalEvidence,
    explain_difference,
    explain_item,
)
from jurydesk.core.tasks.retrieval.retrieval_figures import MARGIN, query_attributes
from jurydesk.core.tasks.retrieval.retrieval_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.retrieval.retrieval_options import (
    CORRECTED,
    PUBLISHED,
    RetrievalOptions,
    policies,
)
from jurydesk.core.tasks.retrieval.similarity_reader import EMBEDDINGS, read_submission

NPZ_MAGIC = b"PK\x03\x04"
SHARED = 0.6
"""Confidence for files that belong to image captioning as well."""


def redaction_facts(references: RetrievalReferences) -> tuple[RedactionFact, ...]:
    """Return the name of the reference file, and the image of each caption, if there is one."""
    owner = references.image_of_caption
    name = references.named_by
    said = fill("The name of the annotation file: {name}.", name) if name else NO_FILE
    return (
        RedactionFact("named_by", said, name),
        RedactionFact(
            "images", "The number of images; 0 if the shape shows it.", references.images
        ),
        RedactionFact(
            "captions_per_image",
            "The number of captions of each image; 0 if the shape shows it.",
            references.captions_per_image,
        ),
        RedactionFact(
            "image_of_caption",
            "The number of each caption's image; none if the shape shows it.",
            [] if owner is None else owner.tolist(),
        ),
    )


NO_FILE = "There is no annotation file: captions are listed image by image."


def redacted_references(values: Mapping[str, Json]) -> RetrievalReferences:
    """Return the pairs without ids and texts."""
    owner = [require_whole_number(value) for value in items(values["image_of_caption"])]
    name = text(values["named_by"])
    pairs = np.array(owner, np.int64) if name else None
    images, per_image = (
        require_whole_number(values[one]) for one in ("images", "captions_per_image")
    )
    if min(images, per_image, *owner) < 0:
        raise ValueError("a number is negative")
    if name and images and max(owner, default=0) >= images:
        raise ValueError("a caption has the number of no image")
    return RetrievalReferences(name, pairs, images, per_image, has_files=False)


REDACTION: Redaction[RetrievalReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile", "folds", "rows", "captions_used"),
    unable=("Embeddings in two files, which do not come together in a kit.",),
    scripts=("numpy_file.js", "retrieval.js"),
)


def list_item(evidence: RetrievalEvidence) -> ItemListEntry:
    """Return the text or the picture of a query for the item list."""
    return ItemListEntry(evidence.text or evidence.name, evidence.picture)


def rated_candidate(items: ItemTable, row: int) -> RatedEntry | None:
    """Return the caption that a system ranks first for an image, for rating."""
    evidence = items.show(row)
    if not isinstance(evidence, RetrievalEvidence) or not evidence.is_image:
        return None
    best = evidence.candidates[0]
    picture = PictureRef(evidence.picture or evidence.name)
    return RatedEntry(SystemOutput(best.text or best.name), pictures=(picture,))


RATING = RatingDesign(
    item_noun=("image", "images"),
    entry_noun=("caption", "captions"),
    entry=rated_candidate,
)

INPUTS = (
    Input(
        "references",
        "Annotations",
        "reference",
        ("*.json", "*.json.gz"),
        required=False,
        help="COCO captions, a Karpathy split, or the image of each caption as a list.",
    ),
    Input(
        "captions",
        "Caption embeddings",
        "reference",
        ("*.captions.npy",),
        required=False,
        many=True,
        help="Embeddings of captions; NAME.captions.npy belongs to NAME.images.npy.",
    ),
    Input(
        "results",
        "Results",
        "submission",
        ("*.npy", "*.npz"),
        many=True,
        help="Similarities of images and captions (.npy), or embeddings of both (.npz).",
    ),
    Input(
        "photos",
        "Photos",
        "folder",
        (),
        required=False,
        help="A folder of the images, named as in the annotations; for display only.",
    ),
)


def sniff(head: bytes) -> Sniff | None:
    """Recognize arrays by their first bytes, and lists of pairs by their member."""
    if head.startswith(MAGIC):
        return Sniff("results", 0.9, translatable("a matrix of similarities (NumPy)"))
    if head.startswith(NPZ_MAGIC):
        names = {name for pair in EMBEDDINGS for name in pair}
        known = any(f"{name}.npy".encode("ascii") in head[:512] for name in names)
        form = translatable("embeddings of images and captions (NumPy)")
        return Sniff("results", 0.9, form) if known else None
    text = text_head(head).removeprefix(UTF8_MARK).lstrip()
    if text.startswith(b"{") and b'"image_of_caption"' in text:
        return Sniff("references", 0.95, translatable("the image of each caption (JSON)"))
    captions = sniff_captions(head)
    if captions is None or captions.role != "references":
        return None
    return Sniff("references", min(captions.confidence, SHARED), captions.format)


def settings(references: RetrievalReferences, options: RetrievalOptions) -> dict[str, str]:
    """Return the order of equal similarities and the folds for the short stamp."""
    return {"folds": options.folds, "ties": options.order}


TASK: Task[RetrievalOptions, RetrievalReferences, Similarities] = Task(
    id="retrieval",
    title="Image-text retrieval",
    summary="Captions ranked for images and images for captions: R@1, R@5, R@10, median rank.",
    item_noun=("query", "queries"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_references(inputs, options),
        read_submission=lambda path, references, options, run: read_submission(
            path, references, options
        ),
        sniff=sniff,
        load_evidence=RetrievalEvidence.from_row,
    ),
    scoring=Scoring(
        options=RetrievalOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=METRICS,
        evaluate=evaluate,
        remarks=scoring_remarks,
        settings=settings,
        policies=policies,
        groups=numbered_groups,
        group_noun=("image", "images"),
    ),
    presentation=Presentation(
        inspector="retrieval",
        example="retrieval",
        attributes=query_attributes,
        statistics=STATISTICS,
        scatters=(MARGIN,),
        explain_item=explain_item,
        explain_difference=explain_difference,
        listed=list_item,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(redaction=REDACTION),
)
