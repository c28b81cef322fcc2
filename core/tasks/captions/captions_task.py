"""Task declaration of image captioning with COCO's caption metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jurydesk.core.competition.rating_design import (
    PictureRef,
    RatedEntry,
    RatingDesign,
    SystemOutput,
)
from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, require_texts, text
from jurydesk.core.competition.task import (
    Input,
    ItemListEntry,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    SubmissionChecks,
    Task,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.meteor.meteor_chunks import METEOR as METEOR_WORK
from jurydesk.core.model.evaluation import ItemTable, Json
from jurydesk.core.neural.clip.clip_chunks import CLIP_CHUNKS
from jurydesk.core.neural.texts.token_matches import WORK as MATCHES
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.captions.annotation_reader import read_references
from jurydesk.core.tasks.captions.caption_networks import used_photos
from jurydesk.core.tasks.captions.captions import (
    CaptionReferences,
    CaptionSubmission,
    Image,
    image_id,
)
from jurydesk.core.tasks.captions.captions_evaluator import (
    evaluate,
    resources,
    scoring_remarks,
    settings,
)
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.captions.captions_explanation import (
    attributes,
    explain_difference,
    explain_item,
    submission_texts,
)
from jurydesk.core.tasks.captions.captions_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.captions.captions_options import (
    CORRECTED,
    PUBLISHED,
    CaptionOptions,
    policies,
)
from jurydesk.core.tasks.captions.result_reader import read_submission
from jurydesk.core.tasks.meteor_resources import STEMMER


def redaction_facts(references: CaptionReferences) -> tuple[RedactionFact, ...]:
    """Return the ids and file names of images with references, and the annotations' name."""
    listed = [image for image in references.images if image.references]
    images = [image.id for image in listed]
    name = references.named_by
    return (
        RedactionFact(
            "images",
            fill("The ids of {images} with references.", counted(len(images), "image")),
            images,
        ),
        RedactionFact(
            "file_names",
            "The names of their files, which some programs write in place of the ids.",
            [image.file_name for image in listed],
        ),
        RedactionFact("named_by", fill("The name of the annotation file: {name}.", name), name),
    )


def redacted_references(values: Mapping[str, Json]) -> CaptionReferences:
    """Return the images without their references."""
    images = []
    for value, name in zip(
        items(values["images"]), require_texts(values["file_names"]), strict=True
    ):
        key = image_id(value)
        if key is None:
            raise TypeError("an image id must be a number or text")
        images.append(Image(key, name, ()))
    return CaptionReferences(tuple(images), text(values["named_by"]), has_references=False)


REDACTION: Redaction[CaptionReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile", "images"),
    scripts=(
        *("id_spellings.js", "result_table.js", "program_answers.js"),
        *("caption_results.js", "captions.js"),
    ),
)


def rated_caption(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's caption of an image for rating."""
    evidence = items.show(row)
    if not isinstance(evidence, CaptionEvidence):
        return None
    references = tuple(reference.text for reference in evidence.references)
    picture = PictureRef(evidence.file_name or evidence.image)
    return RatedEntry(SystemOutput(evidence.text), pictures=(picture,), human=references)


def list_item(evidence: CaptionEvidence) -> ItemListEntry:
    """Return a caption and its image file for the item list."""
    return ItemListEntry(evidence.text, evidence.file_name or evidence.image)


RATING = RatingDesign(
    entry_noun=("caption", "captions"), entry=rated_caption, has_human_entries=True
)


JSON_FILES = ("*.json", "*.json.gz", "*.json.bz2", "*.json.xz")
ANNOTATIONS = translatable("COCO captions (JSON)")
SPLIT = translatable("Karpathy split (JSON)")
RESULTS = translatable("COCO caption results (JSON)")

INPUTS = (
    Input(
        "references",
        "Annotations",
        "reference",
        JSON_FILES,
        help="Reference captions: COCO annotations, or a Karpathy split (Flickr30k).",
    ),
    Input(
        "results",
        "Results",
        "submission",
        JSON_FILES,
        many=True,
        help="A list with one caption for each image; one file for each system.",
    ),
    Input(
        "photos",
        "Photos",
        "folder",
        (),
        required=False,
        help="A folder of the images, named as in the annotations; shown, and read by CLIPScore.",
    ),
)


_JSON_LINES = re.compile(rb"\{[^{}\[\]]*\}[ \t\r]*\n\s*\{")


def sniff(head: bytes) -> Sniff | None:
    """Recognize annotations, a Karpathy split or results by their members."""
    text = text_head(head).removeprefix(UTF8_MARK).lstrip()
    if text.startswith(b"["):
        others = (b'"bbox"', b'"box"', b'"annotations"')
        boxes = any(name in text for name in others)
        if b'"image_id"' in text and b'"caption"' in text and not boxes:
            return Sniff("results", _certainty(text, 0.95), RESULTS)
        return None
    if not text.startswith(b"{"):
        return None
    if b'"sentences"' in text and b'"raw"' in text:
        return Sniff("references", 0.95, SPLIT)
    if _JSON_LINES.match(text) and b'"image_id"' in text and b'"caption"' in text:
        return Sniff("results", _certainty(text, 0.9), RESULTS)
    listed = b'"images"' in text
    annotated = b'"annotations"' in text or (listed and b'"image_id"' in text)
    captioned = annotated and b'"caption"' in text and b'"bbox"' not in text
    if captioned or (listed and b'"file_name"' in text and b'"license' in text):
        return Sniff("references", 0.95 if captioned and listed else 0.6, ANNOTATIONS)
    return None


def _certainty(text: bytes, usual: float) -> float:
    """Return the confidence in results; annotations, too, have captions, with ids of their own."""
    return 0.6 if b'"id"' in text else usual


TASK: Task[CaptionOptions, CaptionReferences, CaptionSubmission] = Task(
    id="captions",
    title="Image captioning",
    summary="Image captions scored by COCO's BLEU, METEOR, ROUGE-L and CIDEr.",
    item_noun=("image", "images"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_references(inputs, options),
        read_submission=lambda path, references, options, run: read_submission(
            path, references, options
        ),
        sniff=sniff,
        load_evidence=CaptionEvidence.from_row,
    ),
    scoring=Scoring(
        options=CaptionOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=METRICS,
        rank_by="cider",
        evaluate=evaluate,
        remarks=scoring_remarks,
        chunks=(METEOR_WORK, CLIP_CHUNKS, MATCHES),
        settings=settings,
        policies=policies,
        resources=resources,
        libraries=(STEMMER,),
        pictures=lambda references, submission, options: used_photos(references, options),
        # No groups: each image is one item.
    ),
    presentation=Presentation(
        inspector="captions",
        example="captions",
        attributes=attributes,
        statistics=STATISTICS,
        explain_item=explain_item,
        listed=list_item,
        explain_difference=explain_difference,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        submission_texts=submission_texts,
        redaction=REDACTION,
    ),
)
