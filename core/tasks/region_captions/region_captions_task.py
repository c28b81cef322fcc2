"""Task declaration of region captioning on given boxes."""

from __future__ import annotations

from collections.abc import Mapping

from jurydesk.core.competition.rating_design import RatingDesign
from jurydesk.core.competition.redaction import (
    Redaction,
    RedactionFact,
    items,
    require_boolean,
    text,
)
from jurydesk.core.competition.task import (
    Input,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    Statistic,
    SubmissionChecks,
    Task,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.meteor.meteor_chunks import METEOR as METEOR_WORK
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.captions import captions_evaluator
from jurydesk.core.tasks.captions.captions import CaptionSubmission, ImageId, image_id
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.captions.captions_explanation import (
    attributes,
    explain_item,
    submission_texts,
)
from jurydesk.core.tasks.captions.captions_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.captions.captions_task import JSON_FILES, list_item, rated_caption
from jurydesk.core.tasks.meteor_resources import STEMMER
from jurydesk.core.tasks.region_captions.region_annotations import (
    Region,
    RegionReferences,
    read_region_annotations,
    region_references,
)
from jurydesk.core.tasks.region_captions.region_captions_evaluator import (
    IMAGE,
    evaluate_regions,
    region_remarks,
)
from jurydesk.core.tasks.region_captions.region_captions_options import (
    CAPTION_OPTIONS,
    CONTROLCAP,
    PROFILES,
    RESULTS,
    RegionCaptionOptions,
)
from jurydesk.core.tasks.region_captions.region_results import read_region_results
from jurydesk.core.tasks.result_parts import PARTS, arrange_parts

ANNOTATIONS_FORMAT = translatable("captions of given regions (JSON)")
RESULTS_FORMAT = translatable("a system's captions of given regions (JSON)")

INPUTS = (
    Input(
        "annotations",
        "Annotations",
        "reference",
        JSON_FILES,
        help="Regions with their captions by people: COCO annotations, or ControlCap's file.",
    ),
    Input(
        RESULTS,
        "Results",
        "submission",
        JSON_FILES,
        many=True,
        help="Captions by image or region; the folder or the numbered files of a system are "
        "joined.",
    ),
    Input(
        PARTS,
        "Further parts",
        "reference",
        JSON_FILES,
        required=False,
        many=True,
        help="Further result files of the same system.",
        also=(RESULTS,),
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
    """Recognize results by the ids of regions; other files are also those of other competitions."""
    text = text_head(head).removeprefix(UTF8_MARK).lstrip()
    is_captioned, has_boxes = b'"caption"' in text, b'"bbox"' in text or b'"segmentation"' in text
    if b'"pred_result"' in text:
        return Sniff(RESULTS, 0.8, RESULTS_FORMAT, (CONTROLCAP,))
    if not is_captioned:
        return None
    if text.startswith(b"["):
        if has_boxes or b'"box"' in text or b'"annotations"' in text:
            return None
        if b'"annotation_id"' in text or b'"region_id"' in text:
            return Sniff(RESULTS, 0.97, RESULTS_FORMAT)
        if b'"score"' not in text and b'"image_id"' in text:
            # Annotations of captions have ids of their own, too.
            return Sniff(RESULTS, 0.55 if b'"id"' in text else 0.9, RESULTS_FORMAT)
        if b'"id"' in text and b'"image_id"' not in text:
            return Sniff(RESULTS, 0.5, RESULTS_FORMAT, (CONTROLCAP,))
        return None
    if text.startswith(b"{") and has_boxes and b'"annotations"' in text:
        return Sniff("annotations", 0.5, ANNOTATIONS_FORMAT)
    return None


def redaction_facts(references: RegionReferences) -> tuple[RedactionFact, ...]:
    """Return the ids of regions and images, file names, and what the items are."""
    listed = [[region, image] for region, image in references.images.items()]
    name = references.items.named_by
    return (
        RedactionFact(
            "regions",
            fill("The ids of {regions} and of their images.", counted(len(listed), "region")),
            listed,
        ),
        RedactionFact(
            "file_names",
            "The names of their files, which some programs write in place of the ids.",
            [[image.id, image.file_name] for image in references.pictures],
        ),
        RedactionFact("named_by", fill("The name of the annotation file: {name}.", name), name),
        RedactionFact(
            "per_region",
            "Each region is an item." if references.is_per_region else "Each image is an item.",
            references.is_per_region,
        ),
    )


def redacted_references(values: Mapping[str, Json]) -> RegionReferences:
    """Return the regions without their captions."""
    pairs = [items(pair) for pair in items(values["regions"])]
    regions = [Region(_id(region), _id(image), None, "") for region, image in pairs]
    names = {_id(image): text(name) for image, name in map(items, items(values["file_names"]))}
    return region_references(
        regions,
        names,
        text(values["named_by"]),
        is_per_region=require_boolean(values["per_region"]),
    )


def _id(value: Json) -> ImageId:
    key = image_id(value)
    if key is None:
        raise TypeError("an id must be a number or text")
    return key


REDACTION: Redaction[RegionReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile", "strict"),
    unable=("Results in several files of one system, which are joined before they are scored.",),
    scripts=(
        *("id_spellings.js", "result_table.js", "program_answers.js"),
        *("caption_results.js", "region_captions.js"),
    ),
)


TASK: Task[RegionCaptionOptions, RegionReferences, CaptionSubmission] = Task(
    id="region-captions",
    title="Region captioning",
    summary="Captions of given image regions, scored by COCO's caption metrics.",
    item_noun=("region", "regions"),
    inputs=INPUTS,
    readers=Readers(
        read_references=read_region_annotations,
        read_submission=read_region_results,
        arrange=lambda files: arrange_parts(files, RESULTS),
        sniff=sniff,
        load_evidence=CaptionEvidence.from_row,
    ),
    scoring=Scoring(
        options=RegionCaptionOptions,
        profiles=PROFILES,
        metrics=METRICS,
        rank_by="cider",
        evaluate=evaluate_regions,
        remarks=region_remarks,
        chunks=(METEOR_WORK,),
        groups=lambda items: items.columns[IMAGE].tolist() if IMAGE in items.columns else None,
        group_noun=("image", "images"),
        settings=lambda references, options: captions_evaluator.settings(
            references.items, CAPTION_OPTIONS
        ),
        resources=lambda references, options: captions_evaluator.resources(
            references.items, CAPTION_OPTIONS
        ),
        libraries=(STEMMER,),
    ),
    presentation=Presentation(
        inspector="captions",
        example="region_captions",
        attributes=attributes,
        statistics={
            **STATISTICS,
            IMAGE: Statistic("Image", "Number of the image in the annotations, from 0."),
        },
        explain_item=explain_item,
        listed=list_item,
        rating=RatingDesign(
            entry_noun=("caption", "captions"), entry=rated_caption, has_human_entries=True
        ),
    ),
    submission_checks=SubmissionChecks(
        submission_texts=lambda references, submission: submission_texts(
            references.items, submission
        ),
        redaction=REDACTION,
    ),
)
