"""Task declaration of visual question answering."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    require_texts,
    text,
)
from jurydesk.core.competition.task import (
    Input,
    Presentation,
    Readers,
    Scoring,
    Sniff,
    SubmissionChecks,
    Task,
    numbered_groups,
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.evaluation import ItemTable, Json, SubmissionText
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.vqa.answer_reader import read_answer_file
from jurydesk.core.tasks.vqa.question_reader import read_references
from jurydesk.core.tasks.vqa.questions import (
    Answers,
    Question,
    QuestionId,
    VqaEvidence,
    VqaReferences,
    parse_question_id,
)
from jurydesk.core.tasks.vqa.vqa_evaluator import evaluate, scoring_remarks
from jurydesk.core.tasks.vqa.vqa_evidence import (
    explain_difference,
    explain_item,
    list_item,
)
from jurydesk.core.tasks.vqa.vqa_figures import attributes
from jurydesk.core.tasks.vqa.vqa_metrics import METRICS, STATISTICS, class_metric
from jurydesk.core.tasks.vqa.vqa_options import (
    CORRECTED,
    PROGRAMS,
    PUBLISHED,
    VqaOptions,
    policies,
)


def redaction_facts(references: VqaReferences) -> tuple[RedactionFact, ...]:
    """Return the ids of the questions and the program, without the answers."""
    scored = list(dict.fromkeys(references.scored))
    others = [key for key in references.questions if key not in set(scored)]
    count = counted(len(scored), "question")
    choices = [references.questions[key].choices for key in (*scored, *others)]
    offered = RedactionFact(
        "choices",
        "The answers that multiple choice allows for each question, scored or not.",
        [None if one is None else list(one) for one in choices],
    )
    return (
        RedactionFact("questions", fill("The ids of {questions} that are scored.", count), scored),
        RedactionFact("others", "The ids of the other questions.", others),
        RedactionFact(
            "program",
            fill("The program whose numbers are computed: {name}.", references.program),
            references.program,
        ),
        RedactionFact(
            "named_by",
            fill("The name of the annotation file: {name}.", references.named_by),
            references.named_by,
        ),
        *([offered] if any(one is not None for one in choices) else []),
    )


def redacted_references(values: Mapping[str, Json]) -> VqaReferences:
    """Return the questions without their answers."""
    program, name = text(values["program"]), text(values["named_by"])
    if program not in PROGRAMS:
        raise ValueError("the program is unknown")
    scored, others = (_ids(values[name_of]) for name_of in ("questions", "others"))
    keys = (*scored, *others)
    choices = items(values.get("choices", [None] * len(keys)))
    texts = [None if one is None else require_texts(one) for one in choices]
    known = {key: Question(key, (), choices=one) for key, one in zip(keys, texts, strict=True)}
    return VqaReferences(name, name, program, known, scored, has_answers=False)


def _ids(values: Json) -> tuple[QuestionId, ...]:
    found = tuple(key for value in items(values) if (key := parse_question_id(value)) is not None)
    if len(found) < len(values):
        raise TypeError("an id must be a number or text")
    return found


REDACTION: Redaction[VqaReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile", "missing"),
    scripts=("id_spellings.js", "result_table.js", "program_answers.js", "vqa.js"),
)


def submission_texts(references: VqaReferences, answers: Answers) -> Iterator[SubmissionText]:
    """Return every answer beside the different true ones, for the search for copied answers."""
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for key in dict.fromkeys(references.scored):
        if key in answers.answers:
            texts = references.questions[key].answers
            different = known.get(texts) or known.setdefault(texts, tuple(dict.fromkeys(texts)))
            yield SubmissionText(str(key), answers.answers[key], different)


def rated_result(table: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's answer for rating."""
    evidence = table.show(row)
    if not isinstance(evidence, VqaEvidence):
        return None
    context = (("Question", evidence.question),) if evidence.question else ()
    picture = PictureRef(evidence.image or evidence.id)
    return RatedEntry(
        SystemOutput(evidence.given), context, (picture,), tuple(dict.fromkeys(evidence.answers))
    )


RATING = RatingDesign(
    entry_noun=("answer", "answers"),
    entry=rated_result,
    has_human_entries=True,
    folder_optional=True,
)

JSON_FILES = ("*.json", "*.json.gz")
INPUTS = (
    Input(
        "references",
        "Annotations",
        "reference",
        JSON_FILES,
        help="Questions with their true answers: VQA, TextVQA, DocVQA, ChartQA or GQA.",
    ),
    Input(
        "questions",
        "Questions",
        "reference",
        JSON_FILES,
        required=False,
        help="VQA's questions, for their texts and for multiple choice.",
    ),
    Input(
        "choices",
        "Choices",
        "reference",
        JSON_FILES,
        required=False,
        help="GQA's valid and plausible answers.",
    ),
    Input(
        "results",
        "Results",
        "submission",
        JSON_FILES,
        many=True,
        help="A list with one answer for each question; one file for each system.",
    ),
    Input(
        "images",
        "Images",
        "folder",
        (),
        required=False,
        help="A folder of the images, named by their ids; for display only.",
    ),
)

RESULTS = translatable("answers to questions (JSON)")
VQA = translatable("VQA annotations (JSON)")
QUESTIONS = translatable("VQA questions (JSON)")
DOCVQA = translatable("DocVQA annotations (JSON)")
CHARTQA = translatable("ChartQA annotations (JSON)")
GQA = translatable("GQA questions (JSON)")
CHOICES = translatable("GQA choices (JSON)")


def sniff(head: bytes) -> Sniff | None:
    """Recognize annotations, questions, choices or results by their members."""
    found = text_head(head).removeprefix(UTF8_MARK).lstrip()

    def has(*names: str) -> bool:
        return all(f'"{name}"'.encode("ascii") in found for name in names)

    if found.startswith(b"["):
        if has("imgname", "query"):
            return Sniff("references", 0.95, CHARTQA)
        is_result = (has("question_id") or has("questionId")) and (
            has("answer") or has("prediction")
        )
        is_other = has("image_url") or has("answers")
        return Sniff("results", 0.9, RESULTS) if is_result and not is_other else None
    if not found.startswith(b"{"):
        return None
    if has("answers", "question_id") or has("answer_type", "question_type"):
        return Sniff("references", 0.95, VQA)
    if has("questionId", "answers"):
        return Sniff("references", 0.95, DOCVQA)
    if has("isBalanced") or has("entailed", "semantic"):
        return Sniff("references", 0.95, GQA)
    if has("valid", "plausible"):
        return Sniff("choices", 0.95, CHOICES)
    return Sniff("questions", 0.95, QUESTIONS) if has("task_type", "questions") else None


def settings(references: VqaReferences, options: VqaOptions) -> dict[str, str]:
    """Return the program for the short stamp."""
    threshold = {"threshold": str(options.threshold)} if references.program == "anls" else {}
    return {"program": references.program, **threshold}


TASK: Task[VqaOptions, VqaReferences, Answers] = Task(
    id="vqa",
    title="Visual question answering",
    summary="Answers to questions scored by VQA accuracy, ANLS, relaxed accuracy or GQA.",
    item_noun=("question", "questions"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_references(inputs, options),
        read_submission=lambda path, references, options, run: read_answer_file(
            path, references, options
        ),
        sniff=sniff,
        load_evidence=VqaEvidence.from_row,
    ),
    scoring=Scoring(
        options=VqaOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=METRICS,
        metric_named=class_metric,
        evaluate=evaluate,
        remarks=scoring_remarks,
        settings=settings,
        policies=policies,
        libraries=("rapidfuzz",),
        groups=numbered_groups,
        group_noun=("image", "images"),
    ),
    presentation=Presentation(
        inspector="vqa",
        example="vqa",
        attributes=attributes,
        statistics=STATISTICS,
        explain_item=explain_item,
        explain_difference=explain_difference,
        listed=list_item,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(submission_texts=submission_texts, redaction=REDACTION),
)
