"""The declaration of the competition."""

from pathlib import Path

from jurydesk.core.competition.task import (
    Input,
    Presentation,
    Readers,
    Scoring,
    SubmissionChecks,
    Task,
)
from jurydesk_signs.readers import REDACTION, read_readings, read_signs, sniff, submission_texts
from jurydesk_signs.scoring import CHUNK, METRICS, evaluate

TASK = Task(
    id="signs",
    title="Street signs",
    summary="Texts read from photos of street signs, by the share of characters that are right.",
    item_noun=("sign", "signs"),
    inputs=(
        Input("signs", "Signs", "reference", ("*.json",), help="What the signs say."),
        Input("readings", "Readings", "submission", ("*.json",), many=True, help="What one reads."),
    ),
    readers=Readers(read_signs, read_readings, sniff),
    scoring=Scoring(METRICS, evaluate, chunks=(CHUNK,), libraries=("rapidfuzz",)),
    presentation=Presentation(inspector="signs", example=Path(__file__).parent / "example"),
    submission_checks=SubmissionChecks(submission_texts=submission_texts, redaction=REDACTION),
)
