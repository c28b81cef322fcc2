"""Options of the captioning competition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jurydesk.core.competition.task import Policy
from jurydesk.core.model.options import option
from jurydesk.core.neural.weights.random_weights import WORD
from jurydesk.core.neural.weights.weight_roles import weight_arguments

PUBLISHED, CORRECTED = "published", "corrected"
ALL, RESULTS = "all", "results"
EQUAL, FREQUENCY = "equal", "idf"

MODELS = ("clip", "ruclip", "bertscore")
"""Roles of the models."""


@dataclass(frozen=True, slots=True)
class CaptionOptions:
    """Options of a captioning evaluation."""

    profile: str = option(
        PUBLISHED,
        "published reproduces pycocoevalcap; corrected drops brackets, tokenizes each caption "
        "separately, and computes ROUGE-L from one reference.",
        choices=(PUBLISHED, CORRECTED),
    )
    images: str = option(
        ALL,
        "all scores every image of the annotations; results scores the images of the results "
        "only, as pycocoevalcap's example does. CIDEr depends on the scored images.",
        label="Images",
        choices=(ALL, RESULTS),
        titles={ALL: "All of the annotations", RESULTS: "Those of the results"},
    )
    split: str = option(
        "test",
        "Part of a Karpathy split (Flickr30k) to score.",
        label="Split",
        form="NAME",
    )
    weights: tuple[str, ...] = option(
        (),
        "Models by role: clip=FOLDER or ruclip=FOLDER for CLIPScore, which needs the photos; "
        "bertscore=FOLDER for BERTScore.",
        label="Models of CLIPScore and BERTScore",
        form="ROLE=PATH",
    )
    bertscore_layer: int = option(
        0,
        "Layer of BERTScore's model; 0 is that of bert-score, or the last one.",
        label="Layer of BERTScore",
        form="NUMBER",
    )
    bertscore_weights: str = option(
        EQUAL,
        "idf weighs BERTScore's word pieces by their inverse document frequency in the references.",
        label="Word pieces of BERTScore",
        choices=(EQUAL, FREQUENCY),
        titles={EQUAL: "All equal", FREQUENCY: "By inverse document frequency"},
    )
    bertscore_baseline: str = option(
        "",
        "File of bert-score's baselines, with which BERTScore is rescaled.",
        label="Baselines of BERTScore",
        form="FILE",
    )

    def weight_paths(self) -> dict[str, Path]:
        """Return the given models by role; raise UsageError if one is not ROLE=PATH."""
        return weight_arguments(self.weights, MODELS)

    def meaningless_metrics(self) -> tuple[str, ...]:
        """Return the metrics that depend on a model with random weights."""
        is_random = any(str(path) == WORD for path in self.weight_paths().values())
        return ("clip_score", "ref_clip_score") if is_random else ()

    @property
    def corrected(self) -> bool:
        """True for the corrected profile."""
        return self.profile == CORRECTED


def policies(settings: Mapping[str, str]) -> tuple[Policy, ...]:
    """Return the choices of scored images, on which CIDEr depends."""
    return (
        Policy("images", "of the annotations", {"images": ALL}),
        Policy("images", "of the results", {"images": RESULTS}),
    )
