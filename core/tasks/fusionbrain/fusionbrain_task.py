"""Task declaration of FusionBrain Challenge 2.0: six sub-tasks and one integral score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
    require_boolean,
    require_texts,
    text,
)
from jurydesk.core.competition.task import (
    Input,
    Inputs,
    Presentation,
    Readers,
    Reading,
    Scoring,
    Sniff,
    SubmissionChecks,
    Task,
    numbered_groups,
)
from jurydesk.core.language import counted, fill, join_messages, translatable
from jurydesk.core.metrics.russian_meteor import number_tagger
from jurydesk.core.model.evaluation import ItemTable, Json, ResourceMissing
from jurydesk.core.neural.clip.clip_chunks import CLIP_CHUNKS
from jurydesk.core.neural.clip.clip_embeddings import select_clip
from jurydesk.core.neural.inception.inception_chunks import WORK as INCEPTION
from jurydesk.core.neural.inception.picture_sets import PictureSet
from jurydesk.core.neural.weights.weight_hashes import sha256_of
from jurydesk.core.neural.weights.weight_roles import WeightFiles, find_weights, fingerprints
from jurydesk.core.readers.text_file import text_head
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import captioning_pairs, generation_pairs
from jurydesk.core.tasks.fusionbrain.fusionbrain_evaluator import evaluate, scoring_remarks
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemEvidence
from jurydesk.core.tasks.fusionbrain.fusionbrain_explanation import (
    attributes,
    explain_difference,
    explain_item,
    list_item,
    submission_texts,
)
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import CAPTIONING, GENERATION, NAMES, VQA
from jurydesk.core.tasks.fusionbrain.picture_check import picture_remarks
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers import prediction_reader as predictions
from jurydesk.core.tasks.fusionbrain.readers import truth_reader
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.rescoring import LIGHT_OPTIONS, replace_hidden_scores
from jurydesk.core.tasks.fusionbrain.subtasks.caption_chunks import TEXT_CHUNKS
from jurydesk.core.tasks.fusionbrain.subtasks.fid_resampling import fid_units, kid_units
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import fid_pictures, real_source

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


NamedFiles = Iterator[tuple[str, Path]]


def used_pictures(
    competition: Challenge, predictions: Predictions, options: FusionBrainOptions
) -> dict[str, Path]:
    """Return the generated, real and captioned pictures that the evaluation reads."""
    pictures = PictureFinder(competition, predictions)
    files: dict[str, Path] = {}
    if GENERATION in competition.questions:
        files.update(_generated_pictures(pictures, published=options.published))
        files.update(_real_pictures(pictures, published=options.published))
    if CAPTIONING in competition.questions:
        files.update(_captioned_pictures(pictures, published=options.published))
    return files


def _generated_pictures(pictures: PictureFinder, *, published: bool) -> NamedFiles:
    questions = pictures.competition.questions[GENERATION]
    for pair in generation_pairs(questions, pictures.predictions, pictures, published=published):
        if pair.place.file is not None:
            yield f"generated/{pair.place.name}", pair.place.file


def _captioned_pictures(pictures: PictureFinder, *, published: bool) -> NamedFiles:
    questions = pictures.competition.questions[CAPTIONING]
    for pair in captioning_pairs(questions, pictures.predictions, pictures, published=published):
        if pair.place.file is not None:
            yield f"input/{pair.place.name}", pair.place.file


def _real_pictures(pictures: PictureFinder, *, published: bool) -> NamedFiles:
    """Yield the real pictures for FID; precomputed statistics are a separate input."""
    source = real_source(pictures.competition, pictures)
    if source is not None:
        found = fid_pictures(source, pictures.competition.truth, every=not published)
        if isinstance(found, PictureSet):
            yield from ((f"real/{path.name}", path) for path in found.files)


def redaction_facts(competition: Challenge) -> tuple[RedactionFact, ...]:
    """Return the keys by sub-task, and the rule for unknown keys."""
    keys = [[name, [one.key for one in group]] for name, group in competition.questions.items()]
    parts = (fill("{keys} of {name}", counted(len(group), "key"), name) for name, group in keys)
    rule = "The rule that unknown keys are refused in the published profile."
    if competition.is_split:
        rule = "The rule that unknown keys are ignored."
    return (
        RedactionFact(
            "keys", fill("The keys of the sub-tasks: {parts}.", join_messages(parts, ", ")), keys
        ),
        RedactionFact("is_split", rule, competition.is_split),
    )


def redacted_references(values: Mapping[str, Json]) -> Challenge:
    """Return the questions without their texts and accepted answers."""
    questions: dict[str, tuple[SubtaskQuestion, ...]] = {}
    for name, keys in map(items, items(values["keys"])):
        if text(name) not in NAMES:
            raise ValueError(f"there is no sub-task {name!r}")
        questions[name] = tuple(SubtaskQuestion(name, key, ()) for key in require_texts(keys))
    return Challenge(questions, True, require_boolean(values["is_split"]), Path())


REDACTION: Redaction[Challenge] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile",),
    unable=("Pictures, unless `jurydesk check --kit` finds them beside the file.",),
    scripts=("fusionbrain.js",),
    remarks=picture_remarks,
)


def rated_prediction(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's prediction for a key for rating."""
    evidence = items.show(row)
    if not isinstance(evidence, ItemEvidence):
        return None
    pictures = tuple(PictureRef(one.name, found=one.found) for one in evidence.pictures)
    context = (("Question", evidence.question),) if evidence.question else ()
    if evidence.subtask == GENERATION:  # the first picture is the system's, the next the real one
        return RatedEntry(SystemOutput("", pictures[:1]), context)
    human = tuple(answer.text for answer in evidence.accepted)
    return RatedEntry(SystemOutput(evidence.prediction or ""), context, pictures, human)


RATING = RatingDesign(
    entry_noun=("answer", "answers"), entry=rated_prediction, has_human_entries=True
)


FORMATS = {
    "truth": translatable("FusionBrain's accepted answers (JSON)"),
    "input": translatable("FusionBrain's questions (JSON)"),
    "predictions": translatable("FusionBrain predictions (JSON)"),
}
_ID = rb'\s*"[^"]*"\s*:\s*"?[0-5]"?\s*'
_NUMBERED = _ID.replace(b'[^"]*', b"[0-9]+")
IDS = re.compile(
    rb"\s*\{(?:(?:%b,)*+%b\}\s*|(?:%b,){10}.*|(?:%b,){2}.*)" % (_ID, _ID, _ID, _NUMBERED), re.DOTALL
)
"""A whole file of task ids, or the beginning of one that is numbered or long."""
RECORD = re.compile(rb'\{\s*"[^"]*"\s*:\s*[\[{]\s*\{?\s*"(type|content)"\s*:')
LIST_CONTENT = re.compile(rb'"content"\s*:\s*\[')
TEXT_CONTENT = re.compile(rb'"content"\s*:\s*"((?:[^"\\]|\\.)*)"')
QUESTION = re.compile(rb"\?")

CERTAIN, LIKELY = 0.9, 0.6
MAX_LISTS = 0.2
"""Share of lists among the contents up to which they are odd answers."""
MAX_QUESTIONS = 0.1
"""Share of texts with a question mark above which a file is an input."""


def sniff(head: bytes) -> Sniff | None:
    """Recognize task ids, truth, input or predictions by their contents."""
    text = text_head(head).removeprefix(b"\xef\xbb\xbf").lstrip()
    if IDS.fullmatch(text):
        return Sniff("task-ids", CERTAIN, translatable("FusionBrain task ids (JSON)"))
    if not RECORD.match(text):
        return None
    contents, lists = TEXT_CONTENT.findall(text), len(LIST_CONTENT.findall(text))
    if lists > MAX_LISTS * (lists + len(contents)):
        return Sniff("truth", CERTAIN, FORMATS["truth"])
    questions = sum(bool(QUESTION.search(content)) for content in contents)
    role = "input" if questions > MAX_QUESTIONS * len(contents) else "predictions"
    return Sniff(role, LIKELY, FORMATS[role])


CLIP = "clip"
ROLES = {
    "textqa": (),
    "mathqa": (),
    "generation": (CLIP, "inception"),
    "captioning": (CLIP, "ruwordnet"),
    "vqa": ("ruwordnet",),
    "text_recognition": (),
}
"""Roles of the weights of each sub-task; `clip` stands for any CLIP model."""

LIBRARIES = (
    *("pymorphy3", "pymorphy3-dicts-ru", "razdel", "nltk"),  # lemmas, words and stems
    *("pillow", "torch", "torchvision", "open-clip-torch"),  # pictures
)

JSON_FILES = ("*.json", "*.json.gz", "*.json.bz2", "*.json.xz")


def read_references(inputs: Inputs, options: FusionBrainOptions, run: Run) -> Reading[Challenge]:
    """Read the questions of all sub-tasks, with their accepted answers."""
    return run.call(truth_reader.read_challenge, inputs, options)


def read_submission(
    path: Path, competition: Challenge, options: FusionBrainOptions, run: Run
) -> Reading[Predictions]:
    """Read one system's predictions."""
    return run.call(predictions.read_predictions, path, competition, published=options.published)


def resources(competition: Challenge, options: FusionBrainOptions) -> dict[str, str]:
    """Return the SHA-256 of RuWordNet and of every model in use, by role and file name."""
    paths = options.weight_paths()
    roles = {role for name in competition.questions for role in ROLES[name]}
    installed = [find_weights(role, paths).found for role in sorted(roles - {CLIP})]
    if CLIP in roles:
        installed.append(_installed_clip(paths))
    digests = {
        name: digest
        for weights in installed
        if weights is not None
        for name, digest in fingerprints(weights).items()
    }
    data = find_weights("nltk", paths).found if VQA in competition.questions else None
    files = number_tagger.tagger_files(data.path) if data is not None else ()
    return digests | {f"nltk/{path.name}": sha256_of(path) for path in files if path.is_file()}


def _installed_clip(paths: Mapping[str, Path]) -> WeightFiles | None:
    try:
        return select_clip(paths)
    except ResourceMissing:
        return None


TASK: Task[FusionBrainOptions, Challenge, Predictions] = Task(
    id="fusionbrain",
    title="FusionBrain 2.0",
    summary="Six open and six hidden sub-tasks on texts and pictures, with an integral score.",
    item_noun=("item", "items"),
    inputs=(
        Input(
            "truth",
            "Truth",
            "reference",
            JSON_FILES,
            help="The accepted answers of every key (output.json).",
        ),
        Input(
            "predictions",
            "Predictions",
            "submission",
            JSON_FILES,
            many=True,
            help="One system's answers to every key (predictions.json).",
            also=("input",),
        ),
        Input(
            "task-ids",
            "Task ids",
            "reference",
            JSON_FILES,
            required=False,
            help="The sub-task of every key (ids.json); not needed with --subtask.",
        ),
        Input(
            "input",
            "Input",
            "reference",
            JSON_FILES,
            required=False,
            help="The questions (input.json), needed for CLIP scores.",
            also=("predictions",),
        ),
        Input(
            "images",
            "Pictures",
            "folder",
            (),
            required=False,
            help="The folder of the pictures of input and predictions, if not beside the files.",
        ),
        Input(
            "real-images",
            "Real pictures",
            "folder",
            (),
            required=False,
            help="The reference pictures of FID.",
        ),
        Input(
            "real-statistics",
            "Real statistics",
            "reference",
            ("*.npz",),
            required=False,
            help="Mean and covariance (mu, sigma) of the real pictures, instead of the pictures.",
        ),
    ),
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=sniff,
        load_evidence=ItemEvidence.from_json,
    ),
    scoring=Scoring(
        options=FusionBrainOptions,
        profiles=("published", "corrected"),
        metrics=METRICS,
        evaluate=evaluate,
        remarks=scoring_remarks,
        rescore=replace_hidden_scores,
        light_options=LIGHT_OPTIONS,
        on_request={"generation_fid": fid_units, "generation_kid_full": kid_units},
        chunks=(TEXT_CHUNKS, CLIP_CHUNKS, INCEPTION),
        settings=lambda competition, options: options.settings(),
        resources=resources,
        libraries=LIBRARIES,
        pictures=used_pictures,
        groups=numbered_groups,
        group_noun=("group", "groups"),
    ),
    presentation=Presentation(
        inspector="fusionbrain",
        panel="fusionbrain",
        pages=("models",),
        example="fusionbrain",
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
