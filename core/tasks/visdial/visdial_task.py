"""Task declaration of visual dialogue: generated answers against reference sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    require_whole_number,
)
from jurydesk.core.competition.task import (
    Input,
    Inputs,
    Presentation,
    Readers,
    Reading,
    Scoring,
    Sniff,
    Statistic,
    SubmissionChecks,
    Task,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.meteor.meteor_chunks import METEOR as METEOR_WORK
from jurydesk.core.model.evaluation import ItemTable, Json, ResourceMissing
from jurydesk.core.model.options import option_path
from jurydesk.core.readers.text_file import text_head
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.tasks.meteor_resources import STEMMER, meteor_resources
from jurydesk.core.tasks.visdial import dialog_reader
from jurydesk.core.tasks.visdial.dialogs import (
    DialogReferences,
    Generations,
    ReferenceSet,
    question_id,
)
from jurydesk.core.tasks.visdial.embeddings import embedder
from jurydesk.core.tasks.visdial.embeddings.bert_chunks import WORK as BERT
from jurydesk.core.tasks.visdial.joined_ranks import STATISTICS as JOINED
from jurydesk.core.tasks.visdial.joined_ranks import ranks_stem, read_joined
from jurydesk.core.tasks.visdial.visdial_evaluator import evaluate, scoring_remarks
from jurydesk.core.tasks.visdial.visdial_evidence import DialogEvidence
from jurydesk.core.tasks.visdial.visdial_explanation import (
    attributes,
    explain_difference,
    explain_item,
    list_question,
    submission_texts,
)
from jurydesk.core.tasks.visdial.visdial_metrics import METRICS
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_figures import TRADE_OFF
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_metrics import METRICS as RANKED
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_metrics import STATISTICS as RANK_STATISTICS
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_task import sniff as sniff_ranks

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


def rated_answer(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's first answer to a question for rating."""
    evidence = items.show(row)
    if not isinstance(evidence, DialogEvidence):
        return None
    dialogue = "\n".join(_earlier_rounds(items, row, evidence))
    context = [("Dialogue so far", dialogue), ("Question", evidence.question)]
    return RatedEntry(
        SystemOutput(evidence.answers[0].written if evidence.answers else ""),
        tuple((title, text) for title, text in context if text),
        (PictureRef(str(evidence.image)),),
        (evidence.truth,) if evidence.truth else evidence.references,
    )


def _earlier_rounds(items: ItemTable, row: int, evidence: DialogEvidence) -> list[str]:
    """Return the known earlier questions of the dialogue with their true answers."""
    earlier = {question_id((evidence.image, number)) for number in range(evidence.round)}
    lines: list[str] = []
    for index in range(max(row - evidence.round, 0), row):  # in the order of image and round
        one = items.show(index) if items.ids[index] in earlier else None
        if isinstance(one, DialogEvidence) and one.question:
            lines += [one.question, f"– {one.truth}"] if one.truth else [one.question]
    return lines


RATING = RatingDesign(
    entry_noun=("answer", "answers"),
    entry=rated_answer,
    has_human_entries=True,
    folder_optional=True,
)


def redaction_facts(references: DialogReferences) -> tuple[RedactionFact, ...]:
    """Return the questions with references."""
    questions = [list(question) for question in references.sets]
    count = counted(len(questions), "question")
    summary = fill("The image and the round of the {count} with references.", count)
    return (RedactionFact("questions", summary, questions),)


def redacted_references(values: Mapping[str, Json]) -> DialogReferences:
    """Return empty reference sets for the questions."""
    pairs = (items(one) for one in items(values["questions"]))
    return DialogReferences(
        {
            (require_whole_number(image), require_whole_number(n)): ReferenceSet(())
            for image, n in pairs
        },
        "",
    )


REDACTION: Redaction[DialogReferences] = Redaction(
    redaction_facts, redacted_references, scripts=("id_spellings.js", "visdial.js")
)


ANSWERS = translatable("VisDial answers (JSON)")
SETS = translatable("VisDial reference sets (JSON)")
SHARED = 0.6
"""Confidence for files that belong to the competition of ranks as well."""
PATTERNS = ("*.json", "*.json.gz", "*.json.bz2", "*.json.xz")


def sniff(head: bytes) -> Sniff | None:
    """Recognize generated answers or reference sets by their members."""
    text = text_head(head)
    if b'"image_id"' in text and b'"round_id"' in text:
        if b'"generations"' in text:
            return Sniff("generations", 0.95, ANSWERS)
        if b'"refs"' in text:
            return Sniff("references", 0.95, SETS)
    ranked = sniff_ranks(head)
    if ranked is None:
        return None
    role = "ranks" if ranked.role == "results" else ranked.role
    return Sniff(role, SHARED, ranked.format)


def read_references(inputs: Inputs, options: VisDialOptions, run: Run) -> Reading[DialogReferences]:
    """Read the reference sets of all questions, and the ranks of systems, if they are given."""
    found = run.call(dialog_reader.read_reference_sets, inputs["references"][0], options)
    if found.data is None or not inputs.get("ranks"):
        return found
    ranks = run.call(read_joined, inputs, found.data.sets, options)
    defects = (*found.defects, *ranks.defects)
    if ranks.data is None:
        return Reading(None, defects)
    return Reading(replace(found.data, ranks=ranks.data), defects)


def read_submission(
    path: Path, references: DialogReferences, options: VisDialOptions, run: Run
) -> Reading[Generations]:
    """Read one system's answers."""
    found = run.call(dialog_reader.read_generations, path, references)
    if found.data is None or references.ranks is None:
        return found
    ranks = references.ranks.rankings.get(ranks_stem(path))
    return Reading(replace(found.data, ranks=ranks), found.defects)


def settings(references: DialogReferences, options: VisDialOptions) -> dict[str, str]:
    """Return METEOR's parameters, the number of reference sets and the models, for the stamp."""
    saved = references.frequencies
    return {
        "meteor": "1.5",
        "task": "rank",
        "norm": "norm",
        "sets": str(saved.sets if saved else len(references.sets)),
        "frequencies": _digest(options.frequencies) if saved else "own",
        **embedder.model_settings(options),
    }


def resources(references: DialogReferences, options: VisDialOptions) -> dict[str, str]:
    """Return the SHA-256 of METEOR's language data, saved frequencies and every model."""
    saved = {"frequencies": _digest(options.frequencies)} if references.frequencies else {}
    return {**_language_data(), **saved, **embedder.model_resources(options)}


def _language_data() -> dict[str, str]:
    """Return the digests of METEOR's language data; empty if they are not installed."""
    try:
        return meteor_resources()
    except ResourceMissing:
        return {}


def _digest(path: str) -> str:
    return fingerprint(option_path(path)).sha256


def images_of(items: ItemTable) -> Sequence[str]:
    """Return the image of every question."""
    return [one.rpartition("-")[0] for one in items.ids]


RANK_METRICS = tuple(replace(info, headline=False) for info in RANKED)
"""Metrics of ranks, beside those of generated answers."""

TASK: Task[VisDialOptions, DialogReferences, Generations] = Task(
    id="visdial",
    title="Visual dialogue",
    summary="Generated answers scored against reference sets: CIDEr, METEOR, embedding distances.",
    item_noun=("question", "questions"),
    inputs=(
        Input(
            "references",
            "Reference sets",
            "reference",
            PATTERNS,
            help="The correct answers to every question.",
        ),
        Input(
            "generations",
            "Answers",
            "submission",
            PATTERNS,
            many=True,
            help="One system's answers to every question.",
        ),
        Input(
            "ranks",
            "Ranks",
            "reference",
            ("*.ranks.json", "*.ranks.json.gz"),
            required=False,
            many=True,
            help="Ranks of the options; NAME.ranks.json belongs to NAME.json.",
        ),
        Input(
            "dialogs",
            "Dialogues",
            "reference",
            PATTERNS,
            required=False,
            help="Dialogues with the options that are ranked.",
        ),
        Input(
            "relevance",
            "Dense annotations",
            "reference",
            PATTERNS,
            required=False,
            help="Relevances of the options of some rounds, for NDCG.",
        ),
    ),
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=sniff,
        load_evidence=DialogEvidence.from_row,
    ),
    scoring=Scoring(
        options=VisDialOptions,
        profiles=("published", "corrected"),
        metrics=(*METRICS, *RANK_METRICS),
        evaluate=evaluate,
        remarks=scoring_remarks,
        chunks=(METEOR_WORK, BERT),
        groups=images_of,
        group_noun=("image", "images"),
        settings=settings,
        resources=resources,
        libraries=(STEMMER, "torch", "transformers"),
    ),
    presentation=Presentation(
        inspector="visdial",
        pages=("references", "models"),
        example="visdial",
        attributes=attributes,
        statistics={
            "answers": Statistic("Answers", "Number of answers to the question."),
            **RANK_STATISTICS,
            **JOINED,
        },
        scatters=(TRADE_OFF,),
        explain_item=explain_item,
        explain_difference=explain_difference,
        listed=list_question,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        submission_texts=submission_texts,
        redaction=REDACTION,
    ),
)
