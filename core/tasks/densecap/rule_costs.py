"""What each rule of a program costs: the steps from one profile's score to another's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Inputs, RuleStep
from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.detection.average_precision import (
    NO_GROUP,
    DetectionRecords,
    average_precisions,
    concatenate_records,
    merge_ground_truth,
)
from jurydesk.core.metrics.detection.detection_rules import RULES, DetectionRules
from jurydesk.core.metrics.meteor import score_many
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.tasks.densecap.caption_texts import prepare_captions
from jurydesk.core.tasks.densecap.densecap_evaluator import counted_images
from jurydesk.core.tasks.densecap.densecap_evidence import METEOR_PROFILE
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions, metric_profile
from jurydesk.core.tasks.densecap.detection_chunks import (
    Images,
    deciding_captions,
    empty_claims,
    image_chunks,
    match_chunk,
    part_columns,
)
from jurydesk.core.tasks.densecap.readers.box_frames import truth_in_frame
from jurydesk.core.tasks.densecap.readers.detection_reader import read_detections
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import (
    GroundTruth,
    read_ground_truth,
)
from jurydesk.core.tasks.densecap.readers.regions import Regions
from jurydesk.core.tasks.meteor_resources import language_data

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

READING = translatable("Frame of the boxes, missing scores, order of images")
RULE_GROUPS: Mapping[str, tuple[str, ...]] = {
    translatable("One pixel added to widths and heights"): ("has_inclusive_pixels",),
    translatable("Precision of boxes and scores"): (
        "truth_sides",
        "truth_corners",
        "detection_corners",
        "merging",
        "mean",
        "scores",
    ),
    translatable("Objects without area"): ("keeps_degenerate",),
    translatable("Merging of boxes into objects"): (
        "merges_above",
        "counts_once",
        "counts_in_byte",
    ),
    translatable("First or last of equal IoUs"): ("takes_last",),
    translatable("Claims without overlap"): ("has_phantom_claims",),
    translatable("IoU equal to a threshold"): ("claims_above",),
    translatable("Images without detections or objects"): ("leaves_out",),
    translatable("Preparation of captions"): ("text",),
    translatable("Objects with an empty caption"): ("has_empty_claims",),
    translatable("Recall levels"): ("levels", "recalls_above", "rates"),
    translatable("Order of equal scores"): ("order", "claims_stably"),
}
"""Members of `DetectionRules` that change a score, by the name of the rule, in order of steps."""


def rule_steps(
    inputs: Inputs, options: DenseCapOptions, profile: str, metric: str, run: Run
) -> tuple[RuleStep, ...]:
    """Return the steps from the profile of the options to another, a rule after the other.

    The changes sum to the difference of both scores; a rule that changes nothing has a step, too,
    if the programs differ in it.

    Raises:
        UsageError: The files cannot be scored under one of the profiles.
        ResourceMissing: METEOR's language data are not installed.
    """
    scorer = _Scorer(metric, run)
    first, second = options, replace(options, profile=profile)
    files = _read(inputs, first, run)
    current, target = RULES[metric_profile(first)], RULES[metric_profile(second)]
    value = scorer.score(*files, current)
    steps = [RuleStep(fill("Profile {name}", first.profile), value, None)]

    def step(rule: str, rules: DetectionRules) -> None:
        found = scorer.score(*files, rules)
        steps.append(RuleStep(rule, found, found - steps[-1].value))

    files = _read(inputs, second, run)
    step(READING, current)
    if steps[-1].change == 0:
        steps.pop()
    for name, members in RULE_GROUPS.items():
        changed = replace(current, **{member: getattr(target, member) for member in members})
        if any(getattr(changed, one) is not getattr(current, one) for one in members):
            step(name, changed)
        current = changed
    return tuple(steps)


def _read(inputs: Inputs, options: DenseCapOptions, run: Run) -> tuple[GroundTruth, Regions]:
    """Return both sides in the frame of a profile."""
    truth = read_ground_truth(inputs, options, run)
    path: Path = inputs["detections"][0]
    if truth.data is not None and not has_errors(truth.defects):
        found = read_detections(path, truth.data, options, run)
        if found.data is not None:
            return truth_in_frame(truth.data, found.data, options), found.data
    raise UsageError(
        fill("{name} cannot be scored with the profile {profile}.", path.name, options.profile)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Scorer:
    """Scores under any rules; METEOR of each pair of texts is computed once."""

    metric: str
    run: Run
    _known: dict[tuple[str, tuple[str, ...]], float] = field(default_factory=dict)

    def score(self, truth: GroundTruth, detections: Regions, rules: DetectionRules) -> float:
        """Return the metric's score under rules."""
        boxes = truth.regions.corners(rules, is_truth=True)
        rows = map(truth.regions.rows, range(len(truth.regions.images)))
        merged = replace(truth, groups=tuple(merge_ground_truth(boxes[own], rules) for own in rows))
        counted, images = counted_images(merged, detections, rules)
        texts = prepare_captions(counted, detections, images, rules.text, self.run)
        chunks = image_chunks(*texts, images, rules)
        records = [self._records(chunk, rules) for chunk in chunks]
        return average_precisions(_joined(records), rules).by_name()[self.metric]

    def _records(self, chunk: Images, rules: DetectionRules) -> DetectionRecords:
        records = concatenate_records(match_chunk(chunk, rules, self.run.check), rules)
        rows, pairs = deciding_captions(chunk, records)
        keys = [(caption, tuple(references)) for caption, references in pairs]
        unknown = {
            key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known
        }
        if unknown:
            with language_data():
                found = score_many(list(unknown.values()), METEOR_PROFILE, self.run)
            self._known.update(zip(unknown, found.scores.tolist(), strict=True))
        records.meteor[records.deciding() & (records.group == NO_GROUP)] = 0.0
        records.meteor[rows] = [self._known[key] for key in keys]
        if rules.has_empty_claims:
            records.meteor[empty_claims(chunk, records)] = 1.0
        return records


def _joined(parts: list[DetectionRecords]) -> DetectionRecords:
    """Return the records of all chunks, which average precision reads by position alone."""
    return DetectionRecords(
        image=np.concatenate([part.image for part in parts]),
        **part_columns(parts),
        objects=sum(part.objects for part in parts),
        claims_above=parts[0].claims_above,
    )
