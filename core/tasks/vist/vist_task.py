"""Task declaration of visual storytelling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from jurydesk.core.competition.redaction import Redaction, RedactionFact, items, require_texts, text
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
    numbered_groups,
)
from jurydesk.core.execution.run import Run
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.meteor.meteor_chunks import METEOR as METEOR_WORK
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.text_file import UTF8_MARK, text_head
from jurydesk.core.tasks.meteor_resources import STEMMER
from jurydesk.core.tasks.vist import reference_reader, submission_reader
from jurydesk.core.tasks.vist.evalvist_program import checklist, printout
from jurydesk.core.tasks.vist.stories import PhotoSequence, StoryReferences, StorySubmission
from jurydesk.core.tasks.vist.story_pool import RATING
from jurydesk.core.tasks.vist.vist_evaluator import (
    METEOR,
    evaluate,
    resources,
    scoring_remarks,
    settings,
)
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence
from jurydesk.core.tasks.vist.vist_explanation import (
    attributes,
    explain_difference,
    explain_item,
    list_story,
    submission_texts,
)
from jurydesk.core.tasks.vist.vist_options import CORRECTED, PUBLISHED, VistOptions

MATCHES = {
    "exact": translatable("exact matches"),
    "stem": translatable("stem matches"),
    "synonym": translatable("synonym matches"),
    "paraphrase": translatable("paraphrase matches"),
}
TITLES = {
    "exact_content": translatable("Same words, content words"),
    "exact_function": translatable("Same words, function words"),
    "stem_content": translatable("Same stems, content words"),
    "stem_function": translatable("Same stems, function words"),
    "synonym_content": translatable("Synonyms, content words"),
    "synonym_function": translatable("Synonyms, function words"),
    "paraphrase_content": translatable("Paraphrases, content words"),
    "paraphrase_function": translatable("Paraphrases, function words"),
}
KINDS = {"content": translatable("Content words"), "function": translatable("Function words")}


def _matches() -> Iterator[tuple[str, Statistic]]:
    for module, matches_phrase in MATCHES.items():
        for kind, words_phrase in KINDS.items():
            title_phrase = TITLES[f"{module}_{kind}"]
            summary = fill(
                "{words_phrase} of the story in METEOR's {matches_phrase}.",
                words_phrase,
                matches_phrase,
            )
            yield f"{module}_{kind}", Statistic(title_phrase, summary)
            summary = fill(
                "{words_phrase} of the best human story in METEOR's {matches_phrase}.",
                words_phrase,
                matches_phrase,
            )
            yield (
                f"{module}_human_{kind}",
                Statistic(fill("{title_phrase}, human", title_phrase), summary),
            )


STATISTICS: dict[str, Statistic] = {
    "group": Statistic("Album number", "Number of the sequence's album, from 0."),
    "human_stories": Statistic("Human stories", "Number of human stories of the sequence."),
    "best_story": Statistic(
        "Best human story", "Number of the human story with the highest METEOR, from 0."
    ),
    "words": Statistic("Words", "Words of the story, tokenized by METEOR."),
    "human_words": Statistic("Words, human", "Words of the best human story, tokenized by METEOR."),
    "function_words": Statistic(
        "Function words", "Function words of the story, such as the and of."
    ),
    "human_function_words": Statistic(
        "Function words, human", "Function words of the best human story, such as the and of."
    ),
    **dict(_matches()),
    "chunks": Statistic(
        "Chunks", "Runs of matched words in the same order in both stories: fewer are better."
    ),
    "matched_words": Statistic("Matched words", "Words of the story that METEOR matches."),
    "human_matched_words": Statistic(
        "Matched words, human", "Words of the best human story that METEOR matches."
    ),
}


def redaction_facts(references: StoryReferences) -> tuple[RedactionFact, ...]:
    """Return the required sequences, and the name of their file."""
    sequences, name = references.sequences, references.named_by
    summary = fill(
        "The album and the photo ids of {required_sequences}.",
        counted(len(sequences), "required sequence"),
    )
    return (
        RedactionFact("sequences", summary, [[one.album, list(one.photos)] for one in sequences]),
        RedactionFact(
            "named_by", fill("The name of the file of required sequences: {name}.", name), name
        ),
    )


def redacted_references(values: Mapping[str, Json]) -> StoryReferences:
    """Return the sequences without human stories."""
    sequences = (items(one) for one in items(values["sequences"]))
    return StoryReferences(
        tuple(PhotoSequence(require_texts(photos), text(album), ()) for album, photos in sequences),
        text(values["named_by"]),
    )


REDACTION: Redaction[StoryReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile",),
    scripts=("id_spellings.js", "vist.js"),
)


SUBMISSION_FORMAT = translatable("VIST stories (JSON)")
TEMPLATE_FORMAT = translatable("a VIST template (JSON)")
GOLD_FORMAT = translatable("VIST stories in sequence (JSON)")
_TEXT = re.compile(rb'"story_text_normalized"\s*:\s*"([^"])?')
_GOLD = (b'"worker_arranged_photo_order"', b'"photo_flickr_id"', b'"story-in-sequence"')
_IMAGES = (b'"datetaken"', b'"album_id"')


def sniff(head: bytes) -> Sniff | None:
    """Recognize a submission, the template or the human stories by their contents."""
    head = text_head(head).removeprefix(UTF8_MARK)
    if not head.lstrip().startswith(b"{"):
        return None
    if b'"output_stories"' in head:
        begins = _TEXT.findall(head)
        if begins and not any(begins):
            return Sniff("template", 0.9, TEMPLATE_FORMAT)
        return Sniff("submission", 0.95, SUBMISSION_FORMAT)
    if any(mark in head for mark in _GOLD):
        return Sniff("references", 0.95, GOLD_FORMAT)
    if all(mark in head for mark in _IMAGES):
        return Sniff("references", 0.8, GOLD_FORMAT)
    return None


PATTERNS = ("*.json", "*.json.gz", "*.json.bz2", "*.json.xz")

INPUTS = (
    Input(
        "submission",
        "Submissions",
        "submission",
        PATTERNS,
        many=True,
        help="One story for each photo sequence, in the challenge's JSON; one file per system.",
        also=("template",),
    ),
    Input(
        "references",
        "Human stories",
        "reference",
        PATTERNS,
        many=True,
        help="VIST's stories in sequence; several files are joined at their photo sequences.",
    ),
    Input(
        "template",
        "Template",
        "reference",
        PATTERNS,
        required=False,
        help="The scored sequences; without it, all sequences with human stories.",
        also=("submission",),
    ),
    Input(
        "images",
        "Photos",
        "folder",
        (),
        required=False,
        help="A folder of photos named by their ids; for display only.",
    ),
)


def read_references(inputs: Inputs, options: VistOptions, run: Run) -> Reading[StoryReferences]:
    """Read the required sequences with their human stories."""
    return reference_reader.read_references(inputs, options)


def read_submission(
    path: Path, references: StoryReferences, options: VistOptions, run: Run
) -> Reading[StorySubmission]:
    """Read one system's stories."""
    return submission_reader.read_submission(path, references, options)


TASK: Task[VistOptions, StoryReferences, StorySubmission] = Task(
    id="vist",
    title="Visual storytelling",
    summary="Stories for sequences of five photos, scored by METEOR as in the VIST Challenge 2018.",
    item_noun=("sequence", "sequences"),
    inputs=INPUTS,
    readers=Readers(
        read_references=read_references,
        read_submission=read_submission,
        sniff=sniff,
        load_evidence=StoryEvidence.from_row,
    ),
    scoring=Scoring(
        options=VistOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=(METEOR,),
        evaluate=evaluate,
        remarks=scoring_remarks,
        chunks=(METEOR_WORK,),
        groups=numbered_groups,
        group_noun=("album", "albums"),
        settings=settings,
        resources=resources,
        libraries=(STEMMER,),
    ),
    presentation=Presentation(
        inspector="vist",
        example="vist",
        printout=printout,
        attributes=attributes,
        statistics=STATISTICS,
        explain_item=explain_item,
        explain_difference=explain_difference,
        listed=list_story,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(
        checklist=checklist,
        submission_texts=submission_texts,
        redaction=REDACTION,
    ),
)
