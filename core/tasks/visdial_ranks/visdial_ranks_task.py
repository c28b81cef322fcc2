"""Task declaration of ranked answers in visual dialogues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    require_boolean,
    require_whole_number,
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
)
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.model.evaluation import ItemTable, Json
from jurydesk.core.readers.text_file import text_head
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import Ranking, RankReferences
from jurydesk.core.tasks.visdial_ranks.dialog_reader import read_references
from jurydesk.core.tasks.visdial_ranks.rank_reader import read_ranks
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evaluator import evaluate, scoring_remarks
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evidence import (
    RankEvidence,
    explain_item,
    list_round,
)
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_figures import TRADE_OFF, attributes_of
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_metrics import METRICS, STATISTICS
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_options import (
    CORRECTED,
    PUBLISHED,
    VisDialRanksOptions,
    policies,
)


def redaction_facts(references: RankReferences) -> tuple[RedactionFact, ...]:
    """Return the rounds with their numbers of options, without the true answers."""
    rounds = [
        [image, number, size, last, index in references.relevance]
        for index, ((image, number), size, last) in enumerate(
            zip(references.keys, references.sizes.tolist(), references.last, strict=True)
        )
    ]
    count = counted(len(rounds), "round")
    said = fill(
        "Image, round and number of options of {count}; the last and the dense ones.", count
    )
    return (
        RedactionFact("rounds", said, rounds),
        RedactionFact(
            "named_by",
            fill("The name of the file of dialogues: {name}.", references.named_by),
            references.named_by,
        ),
    )


def redacted_references(values: Mapping[str, Json]) -> RankReferences:
    """Return the rounds without true answers, texts and relevances."""
    rounds = [items(one) for one in items(values["rounds"])]
    keys = tuple((require_whole_number(one[0]), require_whole_number(one[1])) for one in rounds)
    sizes = np.array([require_whole_number(one[2]) for one in rounds], np.int64)
    dense = [index for index, one in enumerate(rounds) if require_boolean(one[4])]
    name = text(values["named_by"])
    return RankReferences(
        name,
        name,
        keys,
        np.full(len(keys), -1),
        (),
        sizes,
        {index: np.zeros(int(sizes[index])) for index in dense},
        "",
        tuple(require_boolean(one[3]) for one in rounds),
    )


REDACTION: Redaction[RankReferences] = Redaction(
    redaction_facts,
    redacted_references,
    options=("profile", "rounds", "missing", "round_base", "rank_base"),
    unable=("Whether lists name options by rank, instead of the rank of every option.",),
    scripts=("id_spellings.js", "visdial_ranks.js"),
)


def rated_option(table: ItemTable, row: int) -> RatedEntry | None:
    """Return the option that a system ranks first, for rating."""
    evidence = table.show(row)
    if not isinstance(evidence, RankEvidence) or not evidence.options:
        return None
    dialogue = "\n".join(filter(None, (evidence.caption, *evidence.history)))
    context = [("Dialogue so far", dialogue), ("Question", evidence.question)]
    return RatedEntry(
        SystemOutput(evidence.options[0].text),
        tuple((title, said) for title, said in context if said),
        (PictureRef(str(evidence.image)),),
    )


RATING = RatingDesign(entry_noun=("answer", "answers"), entry=rated_option, folder_optional=True)

PATTERNS = ("*.json", "*.json.gz")
DIALOGS = translatable("VisDial dialogues (JSON)")
DENSE = translatable("VisDial dense annotations (JSON)")
RANKS = translatable("VisDial ranks (JSON)")

INPUTS = (
    Input(
        "dialogs",
        "Dialogues",
        "reference",
        PATTERNS,
        help="Dialogues with the options of every round and the index of the true answer.",
    ),
    Input(
        "relevance",
        "Dense annotations",
        "reference",
        PATTERNS,
        required=False,
        help="Relevances of the options of some rounds, for NDCG.",
    ),
    Input(
        "results",
        "Ranks",
        "submission",
        PATTERNS,
        many=True,
        help="One system's rank of every option, or its scores.",
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


def sniff(head: bytes) -> Sniff | None:
    """Recognize dialogues, dense annotations or ranks by their members."""
    found = text_head(head)
    if b'"dialogs"' in found or b'"answer_options"' in found:
        return Sniff("dialogs", 0.95, DIALOGS)
    if b'"image_id"' not in found or b'"round_id"' not in found:
        return None
    if b'"ranks"' in found or b'"scores"' in found:
        return Sniff("results", 0.95, RANKS)
    return Sniff("relevance", 0.95, DENSE) if b'relevance"' in found else None


def settings(references: RankReferences, options: VisDialRanksOptions) -> dict[str, str]:
    """Return the treatment of missing rounds and the number of dense rounds for the stamp."""
    return {"missing": options.missing, "dense": str(len(references.relevance))}


def images_of_rounds(table: ItemTable) -> Sequence[str]:
    """Return the image of every round."""
    return [one.rpartition("-")[0] for one in table.ids]


TASK: Task[VisDialRanksOptions, RankReferences, Ranking] = Task(
    id="visdial-ranks",
    title="Visual dialogue, ranks",
    summary="Ranked candidate answers scored by MRR, R@k, mean rank and NDCG.",
    item_noun=("round", "rounds"),
    inputs=INPUTS,
    readers=Readers(
        read_references=lambda inputs, options, run: read_references(inputs),
        read_submission=lambda path, references, options, run: read_ranks(
            path, references, options
        ),
        sniff=sniff,
        load_evidence=RankEvidence.from_row,
    ),
    scoring=Scoring(
        options=VisDialRanksOptions,
        profiles=(PUBLISHED, CORRECTED),
        metrics=METRICS,
        evaluate=evaluate,
        remarks=scoring_remarks,
        settings=settings,
        policies=policies,
        groups=images_of_rounds,
        group_noun=("image", "images"),
    ),
    presentation=Presentation(
        inspector="visdial_ranks",
        example="visdial_ranks",
        attributes=attributes_of,
        statistics=STATISTICS,
        scatters=(TRADE_OFF,),
        explain_item=explain_item,
        listed=list_round,
        rating=RATING,
    ),
    submission_checks=SubmissionChecks(redaction=REDACTION),
)
