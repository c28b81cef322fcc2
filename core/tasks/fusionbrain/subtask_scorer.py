"""Scorer of the sub-tasks of one submission."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.metrics.russian_meteor.caption_words import NumberTagger, digit_tagger
from jurydesk.core.metrics.russian_meteor.number_tagger import perceptron_numbers
from jurydesk.core.metrics.russian_meteor.ruwordnet import RuWordNet
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.weights.weight_origins import record_use
from jurydesk.core.neural.weights.weight_roles import (
    find_weights,
    require_weights,
    unless_named,
    weights_digest,
)
from jurydesk.core.tasks.fusionbrain.clip import clip_score
from jurydesk.core.tasks.fusionbrain.clip.image_text_pairs import (
    ClipPair,
    captioning_pairs,
    generation_pairs,
)
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import NearestCaptions
from jurydesk.core.tasks.fusionbrain.damage_policy import clip_defect
from jurydesk.core.tasks.fusionbrain.fusionbrain_items import FusionBrainItem, defined_mean
from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import SUBTASK_METRICS
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.integral_score import (
    CAPTIONING,
    GENERATION,
    MATHQA,
    RECOGNITION,
    TEXTQA,
    VQA,
)
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions, SubtaskQuestion
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.readers.records import record_place
from jurydesk.core.tasks.fusionbrain.subtasks.caption_chunks import ImageTextSettings, tagger_digest
from jurydesk.core.tasks.fusionbrain.subtasks.caption_similarity import text_comparer
from jurydesk.core.tasks.fusionbrain.subtasks.captioning_vqa import (
    add_clip_scores,
    score_image_texts,
    unscored_items,
)
from jurydesk.core.tasks.fusionbrain.subtasks.image_generation import (
    GeneratedPicture,
    GenerationDistances,
    RealSource,
    generated_fid,
    generation_score,
    real_source,
    shared_reader,
)
from jurydesk.core.tasks.fusionbrain.subtasks.question_answering import score_answers
from jurydesk.core.tasks.fusionbrain.subtasks.text_recognition import score_recognition

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.neural.inception.image_features import PictureReader

NO_INPUT = translatable("The CLIP score needs the input file (--input).")
NO_REAL = translatable(
    "FID needs real pictures (--real-images) or their statistics (--real-statistics)."
)


@dataclass(frozen=True, slots=True, eq=False)
class SubtaskResult:
    """Items of a sub-task and its scores by metric (NaN if unknown).

    `missing` are sentences about missing models or files.
    """

    items: Sequence[FusionBrainItem]
    scores: Mapping[str, float]
    defects: Sequence[Defect] = ()
    missing: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ClipResult:
    """CLIP scores of a sub-task's pairs, failure reasons (or ""), mean and nearest captions."""

    values: Sequence[float]
    reasons: Sequence[str]
    mean: float
    defects: Sequence[Defect] = ()
    missing: Sequence[str] = ()
    nearest: Mapping[int, NearestCaptions] = field(default_factory=dict)


class SubtaskScorer:
    """Scorer of one system's sub-tasks; shared resources are opened once."""

    def __init__(
        self,
        competition: Challenge,
        predictions: Predictions,
        options: FusionBrainOptions,
        run: Run,
    ) -> None:
        self._competition = competition
        self._predictions = predictions
        self._published = options.published
        self._stops = options.failed_pairs == "stop"
        self._weights = options.weight_paths()
        self._run = run
        self._pictures = PictureFinder(competition, predictions)
        self._wordnet: RuWordNet | None = None

    def score(self, name: str) -> SubtaskResult:
        """Score one sub-task; raise Cancelled if the run was cancelled."""
        questions = self._competition.questions[name]
        scorers: Mapping[str, Callable[[str, Sequence[SubtaskQuestion]], SubtaskResult]] = {
            TEXTQA: self._score_answers,
            MATHQA: self._score_answers,
            RECOGNITION: self._score_recognition,
            CAPTIONING: self._score_captioning,
            VQA: self._score_texts,
            GENERATION: self._score_generation,
        }
        self._run.report(0, len(questions), name)
        return scorers[name](name, questions)

    def _score_answers(self, name: str, questions: Sequence[SubtaskQuestion]) -> SubtaskResult:
        (metric,) = SUBTASK_METRICS[name]
        items = self._run.call(
            score_answers, questions, self._predictions, metric, published=self._published
        )
        return SubtaskResult(items, _means(items, metric))

    def _score_recognition(self, name: str, questions: Sequence[SubtaskQuestion]) -> SubtaskResult:
        items = self._run.call(
            score_recognition,
            questions,
            self._predictions,
            self._pictures,
            published=self._published,
        )
        return SubtaskResult(items, _means(items, *SUBTASK_METRICS[name]))

    def _score_texts(self, name: str, questions: Sequence[SubtaskQuestion]) -> SubtaskResult:
        metric = f"{name}_meteor"
        try:
            wordnet, tagger = self._open_wordnet(), self._tagger()
            comparer, settings = (
                text_comparer(name, wordnet, tagger, published=self._published),
                self._settings(name),
            )
            items = score_image_texts(
                questions, self._predictions, comparer, settings, self._pictures, self._run
            )
        except ResourceMissing as missing:  # a damaged file may open, and fail when it is read
            reason = unless_named(missing, self._weights, "ruwordnet", "nltk")
            items = unscored_items(questions, self._predictions, metric, self._pictures)
            return SubtaskResult(items, {metric: math.nan}, missing=(reason,))
        return SubtaskResult(items, _means(items, metric))

    def _open_wordnet(self) -> RuWordNet:
        if self._wordnet is None:
            found = require_weights("ruwordnet", self._weights)
            self._wordnet = RuWordNet(found.path)
            record_use("ruwordnet", weights_digest(found), "cpu")
        return self._wordnet

    def _settings(self, name: str) -> ImageTextSettings:
        wordnet = require_weights("ruwordnet", self._weights)
        tagger = find_weights("nltk", self._weights).found
        return ImageTextSettings(
            name,
            self._published,
            weights_digest(wordnet),
            "" if tagger is None else tagger_digest(tagger.path),
            os.path.abspath(wordnet.path),  # noqa: PTH100 - keeps links
            "" if tagger is None else os.path.abspath(tagger.path),  # noqa: PTH100
        )

    def _tagger(self) -> NumberTagger:
        """Return NLTK's tagger if its data are available, else the rule-based one."""
        outcome = find_weights("nltk", self._weights)
        if outcome.found is not None:
            tagger = perceptron_numbers(outcome.found.path)
            record_use("nltk", tagger_digest(outcome.found.path), "cpu")
            return tagger
        if "nltk" in self._weights:
            raise ResourceMissing(outcome.reason)
        return digit_tagger

    def _score_captioning(self, name: str, questions: Sequence[SubtaskQuestion]) -> SubtaskResult:
        pairs = list(
            captioning_pairs(
                questions, self._predictions, self._pictures, published=self._published
            )
        )
        meteor, clip = self._run.gather(
            partial(self._score_texts, name, questions), partial(self._score_clip, pairs)
        )
        scores = {**meteor.scores, "captioning_clip": clip.mean}
        scores["captioning"] = 0.5 * (clip.mean + scores["captioning_meteor"])
        return SubtaskResult(
            add_clip_scores(meteor.items, clip.values, clip.reasons),
            scores,
            clip.defects,
            (*meteor.missing, *clip.missing),
        )

    def _score_generation(self, name: str, questions: Sequence[SubtaskQuestion]) -> SubtaskResult:
        pairs = list(
            generation_pairs(
                questions, self._predictions, self._pictures, published=self._published
            )
        )
        real = real_source(self._competition, self._pictures)
        reader = self._shared_reader(pairs, real)
        clip, distances = self._run.gather(
            partial(self._score_clip, pairs), partial(self._score_fid, pairs, real, reader)
        )
        rows = zip(questions, pairs, clip.values, clip.reasons, strict=True)
        items = [
            GeneratedPicture(
                *row, clip.nearest.get(number), distances.by_file.get(row[1].place.file, {})
            ).item(self._pictures)
            for number, row in enumerate(rows)
        ]
        scores = {
            "generation_clip": clip.mean,
            "generation_fid": distances.fid,
            "generation": generation_score(clip.mean, distances.fid),
            **distances.scores,
        }
        defects, missing = (*clip.defects, *distances.defects), (*clip.missing, *distances.missing)
        return SubtaskResult(items, scores, defects, missing)

    def _score_clip(self, pairs: Sequence[ClipPair]) -> ClipResult:
        """Return the CLIP scores of pairs; failed ones count 0 if published, else are omitted."""
        undefined = [math.nan] * len(pairs)
        reasons = [pair.reason for pair in pairs]
        if self._competition.input is None:
            reason = unless_named(ResourceMissing(NO_INPUT), self._weights, "ruclip", "clip")
            return ClipResult(undefined, [""] * len(pairs), math.nan, missing=(reason,))
        self._stop_at_failure(pairs, reasons)
        valid = [number for number, pair in enumerate(pairs) if not pair.reason]
        try:
            scored = clip_score.clip_scores(
                [(pairs[number].place.file, pairs[number].text or "") for number in valid],
                self._weights,
                self._run,
            )
        except ResourceMissing as missing:
            reason = unless_named(missing, self._weights, "ruclip", "clip")
            defects = tuple(self._pair_defects(pairs, reasons))
            return ClipResult(undefined, reasons, math.nan, defects, (reason,))
        values = [0.0 if self._published else math.nan] * len(pairs)
        for index, number in enumerate(valid):
            reasons[number] = scored.reasons.get(index, "")
            if not reasons[number]:
                values[number] = float(scored.values[index])
        self._stop_at_failure(pairs, reasons)
        defects = (*scored.defects, *self._pair_defects(pairs, reasons))
        nearest = {valid[index]: captions for index, captions in scored.nearest.items()}
        mean = clip_mean(values, failed=any(reasons))
        return ClipResult(values, reasons, mean, defects, nearest=nearest)

    def _stop_at_failure(self, pairs: Sequence[ClipPair], reasons: Sequence[str]) -> None:
        """Raise UsageError at the first failed pair if `failed_pairs` is "stop"."""
        if not self._stops:
            return
        for pair, reason in zip(pairs, reasons, strict=True):
            if reason:
                place = record_place(str(self._predictions.path), pair.key)
                hint = "Use --failed-pairs count to score the other pairs."
                raise UsageError(
                    fill("{place}: {reason} {hint}", place, Message(reason), Message(hint))
                )

    def _pair_defects(self, pairs: Sequence[ClipPair], reasons: Sequence[str]) -> Iterator[Defect]:
        for pair, reason in zip(pairs, reasons, strict=True):
            if reason and pair.key in self._predictions.records:  # the reader names the others
                place = record_place(str(self._predictions.path), pair.key)
                yield clip_defect(place, reason, published=self._published)

    def _shared_reader(
        self, pairs: Sequence[ClipPair], real: RealSource | None
    ) -> PictureReader | None:
        if self._competition.input is None or real is None:
            return None
        path, published = self._predictions.path, self._published
        return shared_reader(pairs, real, self._weights, path, self._run, published=published)

    def _score_fid(
        self, pairs: Sequence[ClipPair], real: RealSource | None, reader: PictureReader | None
    ) -> GenerationDistances:
        if real is None:
            reason = unless_named(ResourceMissing(NO_REAL), self._weights, "inception")
            return GenerationDistances(math.nan, missing=(reason,))
        try:
            return generated_fid(
                pairs,
                real,
                self._weights,
                self._predictions.path,
                self._run,
                reader,
                published=self._published,
            )
        except ResourceMissing as missing:
            reason = unless_named(missing, self._weights, "inception")
            return GenerationDistances(math.nan, missing=(reason,))


def clip_mean(values: Sequence[float], *, failed: bool) -> float:
    """Return the mean of CLIP scores in float32, or in float64 after any failure."""
    known = np.array([value for value in values if value == value])
    if not len(known):
        return math.nan
    return float(known.mean() if failed else known.astype(np.float32).mean())


def _means(items: Sequence[FusionBrainItem], *metrics: str) -> dict[str, float]:
    return {metric: defined_mean([item.values[metric] for item in items]) for metric in metrics}
