"""Options of visual question answering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jurydesk.core.competition.task import Policy
from jurydesk.core.metrics.question_answering.anls import THRESHOLD
from jurydesk.core.model.options import option

PUBLISHED, CORRECTED = "published", "corrected"
PROGRAMS = ("vqa", "anls", "relaxed", "gqa")


@dataclass(frozen=True, slots=True)
class VqaOptions:
    """Options of an evaluation of answers."""

    profile: str = option(
        PUBLISHED,
        "published gives the original programs' numbers; corrected processes every answer, counts "
        "answers by position, and divides ANLS by the cleaned lengths.",
        choices=(PUBLISHED, CORRECTED),
    )
    program: str = option(
        "auto",
        "The program whose numbers are computed; auto takes the one that the references fit.",
        label="Program",
        choices=("auto", *PROGRAMS),
    )
    missing: str = option(
        "error",
        "Questions without an answer are an error, or count as 0.",
        label="Questions without an answer",
        choices=("error", "zero"),
    )
    processing: str = option(
        "published",
        "Answers processed by VQA accuracy: those of questions whose human answers differ "
        "(published), as in ports to Python 3, always, or never.",
        label="Processing",
        choices=("published", "python3", "always", "never"),
    )
    matches: str = option(
        "others",
        "Human answers compared by VQA accuracy: all but one, in turn (others), or all at once.",
        label="Human answers compared",
        choices=("others", "all"),
    )
    anls: str = option(
        "published",
        "ANLS of the Robust Reading Competition (published), or of pix2struct, which does not "
        "clean answers and gives 0 at the threshold.",
        label="ANLS",
        choices=("published", "pix2struct"),
    )
    consistency: bool = option(
        False,
        "Also compute GQA's consistency, from the answers to entailed questions.",
        label="Consistency",
    )
    threshold: float = option(
        THRESHOLD,
        "Similarity below which ANLS gives 0.",
        label="Threshold of ANLS",
        form="NUMBER",
    )
    official: str = option(
        "",
        "Folder for the four files of the official VQA program, with rounded percentages.",
        form="FOLDER",
        target=True,
    )

    @property
    def corrected(self) -> bool:
        """True for the corrected profile."""
        return self.profile == CORRECTED


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the treatments of answers that other programs have."""
    if settings.get("program") == "anls":
        return (Policy("ANLS", "of pix2struct", {"anls": "pix2struct"}),)
    if settings.get("program") != "vqa":
        return ()
    return (
        Policy("answers", "processed as in Python 3", {"processing": "python3"}),
        Policy("answers", "always processed", {"processing": "always"}),
        Policy("answers", "never processed", {"processing": "never"}),
        Policy("human answers", "all at once", {"matches": "all"}),
    )
