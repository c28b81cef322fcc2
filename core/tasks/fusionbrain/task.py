"""FusionBrain Challenge 2.0: six sub-tasks on texts and pictures, and one integral score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.metrics import number_tagger
from core.model import ResourceMissing
from core.run.weights import Weights, search
from core.run.weights_hash import fingerprints, sha256_of
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
    numbered_groups,
)
from core.tasks.fusionbrain import predictions, reader
from core.tasks.fusionbrain.clip_pairs import chosen
from core.tasks.fusionbrain.clip_work import WORK as CLIP_PICTURES
from core.tasks.fusionbrain.competition import Competition, Predictions
from core.tasks.fusionbrain.evidence import ItemEvidence
from core.tasks.fusionbrain.fid_units import fid_units
from core.tasks.fusionbrain.metrics import METRICS, STATISTICS
from core.tasks.fusionbrain.options import FusionBrainOptions
from core.tasks.fusionbrain.outline import OUTLINE
from core.tasks.fusionbrain.rating import RATING
from core.tasks.fusionbrain.rescoring import LIGHT_OPTIONS, rescored
from core.tasks.fusionbrain.scoring import evaluate
from core.tasks.fusionbrain.subtasks import VQA
from core.tasks.fusionbrain.told import attributes, reasons, tell, written
from core.tasks.fusionbrain.used_pictures import used_pictures
from core.tasks.fusionbrain.work import WORK as TEXTS
from core.tasks.inception_work import WORK as INCEPTION
from core.tasks.text_file import head_of

if TYPE_CHECKING:
    from core.run.run import Run


FORMATS = {
    "truth": "FusionBrain's accepted answers (JSON)",
    "input": "FusionBrain's questions (JSON)",
    "predictions": "FusionBrain predictions (JSON)",
}
IDS = re.compile(rb'\s*\{(\s*"[^"]*"\s*:\s*"?[0-5]"?\s*,)*\s*"[^"]*"\s*:\s*"?[0-5]"?\s*[,}]')
RECORD = re.compile(rb'\{\s*"[^"]*"\s*:\s*[\[{]\s*\{?\s*"(type|content)"\s*:')
LIST_CONTENT = re.compile(rb'"content"\s*:\s*\[')
TEXT_CONTENT = re.compile(rb'"content"\s*:\s*"((?:[^"\\]|\\.)*)"')
QUESTION = re.compile(rb"\?")

CERTAIN, LIKELY = 0.9, 0.6
FEW_QUESTIONS = 0.1
"""Where more of the texts than this hold a question mark, the file asks."""


def sniff(head: bytes) -> Sniff | None:
    """The ids, the truth (its contents are lists), the input (it asks) or predictions."""
    text = head_of(head).removeprefix(b"\xef\xbb\xbf").lstrip()
    if IDS.match(text):
        return Sniff("task-ids", CERTAIN, "FusionBrain task ids (JSON)")
    if not RECORD.match(text):
        return None
    if LIST_CONTENT.search(text):
        return Sniff("truth", CERTAIN, FORMATS["truth"])
    contents = TEXT_CONTENT.findall(text)
    asking = sum(bool(QUESTION.search(content)) for content in contents)
    role = "input" if asking > FEW_QUESTIONS * len(contents) else "predictions"
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
"""The weights that each sub-task uses; `clip` stands for any model of pictures and texts."""

LIBRARIES = (
    *("pymorphy3", "pymorphy3-dicts-ru", "razdel", "nltk"),  # lemmas, words and stems
    *("pillow", "torch", "torchvision", "open-clip-torch"),  # pictures
)

JSON_FILES = ("*.json", "*.json.gz")


def read_competition(inputs: Inputs, options: FusionBrainOptions, run: Run) -> Reading[Competition]:
    """The questions of all sub-tasks, with their accepted answers."""
    return run.call(reader.read_competition, inputs, options)


def read_predictions(
    path: Path, competition: Competition, options: FusionBrainOptions, run: Run
) -> Reading[Predictions]:
    """One system's predictions."""
    return run.call(predictions.read_predictions, path, competition, published=options.published)


def settings(competition: Competition, options: FusionBrainOptions) -> dict[str, str]:
    """What was scored; models are told by their hashes, not by their places."""
    return options.settings()


def resources(competition: Competition, options: FusionBrainOptions) -> dict[str, str]:
    """The SHA-256 of RuWordNet and of every model that decides a score, by role and name."""
    paths = options.weight_paths()
    roles = {role for name in competition.questions for role in ROLES[name]}
    found = [search(role, paths).found for role in sorted(roles - {CLIP})]
    if CLIP in roles:
        found.append(_clip(paths))
    digests = {
        name: digest
        for weights in found
        if weights is not None
        for name, digest in fingerprints(weights).items()
    }
    data = search("nltk", paths).found if VQA in competition.questions else None
    files = number_tagger.files(data.path) if data is not None else ()
    return digests | {f"nltk/{path.name}": sha256_of(path) for path in files if path.is_file()}


def _clip(paths: Mapping[str, Path]) -> Weights | None:
    """The model of the CLIP score, where there is one."""
    try:
        return chosen(paths)
    except ResourceMissing:
        return None


TASK: Task[FusionBrainOptions, Competition, Predictions] = Task(
    id="fusionbrain",
    title="FusionBrain 2.0",
    summary="Six sub-tasks on texts and pictures, six hidden ones, one integral score.",
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
            help="What was asked (input.json); CLIP scores need it.",
            also=("predictions",),
        ),
        Input(
            "images",
            "Pictures",
            "folder",
            (),
            required=False,
            help="Where the pictures of input and predictions lie, if not beside them.",
        ),
        Input(
            "real-images",
            "Real pictures",
            "folder",
            (),
            required=False,
            help="The pictures that FID compares the generated ones with.",
        ),
        Input(
            "real-statistics",
            "Real statistics",
            "reference",
            ("*.npz",),
            required=False,
            help="Their mean and covariance (mu, sigma), instead of the pictures.",
        ),
    ),
    readers=Readers(
        read_references=read_competition,
        read_submission=read_predictions,
        sniff=sniff,
        load_evidence=ItemEvidence.from_json,
    ),
    scoring=Scoring(
        options=FusionBrainOptions,
        profiles=("published", "corrected"),
        metrics=METRICS,
        evaluate=evaluate,
        rescore=rescored,
        light_options=LIGHT_OPTIONS,
        on_request={"generation_fid": fid_units},
        chunks=(TEXTS, CLIP_PICTURES, INCEPTION),
        settings=settings,
        resources=resources,
        libraries=LIBRARIES,
        pictures=used_pictures,
        groups=numbered_groups,
        group_noun=("group", "groups"),
    ),
    presentation=Presentation(
        inspector="fusionbrain",
        panel="fusionbrain",
        example="fusionbrain",
        attributes=attributes,
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
