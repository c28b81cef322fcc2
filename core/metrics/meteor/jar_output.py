"""Output of `meteor-1.5.jar TEST REFERENCE`: segment scores, system statistics, alignments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan

from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.formula import (
    CHUNKS,
    ScoreParts,
    corpus_counts,
    score_parts,
)
from jurydesk.core.metrics.meteor.java_semantics import double_to_string
from jurydesk.core.metrics.meteor.languages import LANGUAGES
from jurydesk.core.model.evaluation import FloatArray

TASK_TITLES = {
    "rank": "Ranking",
    "util": "Translator-Utility",
    "adq": "Adequacy",
    "hter": "HTER",
    "li": "Language-Independent",
    "tune": "Tune",
    "universal": "Universal",
}
CUSTOM = "Custom"


def header(config: Config, file_format: str = "plaintext") -> Iterator[str]:
    """Yield the lines about the configuration."""
    weights = config.weights
    parameters = [weights.alpha, weights.beta, weights.gamma, weights.delta]
    text = {
        "none": "no_norm", "lower": "lc_only", "norm": "norm", "norm,nopunct": "norm_nopunct",
    }[config.text_mode]  # fmt: skip
    identity = (
        "meteor-1.5", "ch" if config.characters else "wo", config.language, text,
        _join(parameters, "_"), "_".join(module[:2] for module in weights.modules),
        _join(weights.stage_weights, "_"),
    )  # fmt: skip
    yield "Meteor version: 1.5"
    yield ""
    yield f"Eval ID:        {'-'.join(identity)}"
    yield ""
    yield f"Language:       {LANGUAGES[config.language].title}"
    yield f"Format:         {file_format}"
    yield f"Task:           {TASK_TITLES.get(weights.name, CUSTOM)}"
    yield f"Modules:        {' '.join(weights.modules)}"
    yield f"Weights:        {_join(weights.stage_weights, ' ')}"
    yield f"Parameters:     {_join(parameters, ' ')}"
    yield ""


def _join(numbers: Sequence[float], separator: str) -> str:
    return separator.join(map(double_to_string, numbers))


def segment_values(counts: Sequence[float], config: Config, *, verbose: bool) -> str:
    """Return a segment's score; with `verbose`, precision, recall and penalty before it."""
    parts = score_parts(counts, config.weights)
    values = (parts.precision, parts.recall, parts.penalty, parts.score)
    return "\t".join(map(double_to_string, values if verbose else values[-1:]))


def statistics_line(counts: Sequence[float]) -> str:
    """Return the 23 counts of a segment."""
    return " ".join(double_to_string(float(count)) for count in counts)


def system_statistics(rows: FloatArray, config: Config) -> Iterator[str]:
    """Yield the lines about the summed counts of all segments (segments, 23)."""
    counts = corpus_counts(rows, config.weights).tolist()
    parts = score_parts(counts, config.weights)
    yield ""
    yield "System level statistics:"
    yield ""
    yield ""
    yield "           Test Matches                  Reference Matches"
    yield "Stage      Content  Function    Total    Content  Function    Total"
    stages = [counts[4 + 4 * stage : 8 + 4 * stage] for stage in range(len(config.weights.modules))]
    for number, stage in enumerate(stages, 1):
        yield _stage_line(str(number), stage)
    yield _stage_line("Total", [sum(column) for column in zip(*stages, strict=True)])
    yield ""
    unit = "chars" if config.characters else "words"
    yield f"Test {unit}:             {counts[0]:.0f}"
    yield f"Reference {unit}:        {counts[1]:.0f}"
    yield f"Chunks:                 {counts[CHUNKS]:.0f}"
    yield f"Precision:              {double_to_string(parts.precision)}"
    yield f"Recall:                 {double_to_string(parts.recall)}"
    yield f"f1:                     {double_to_string(_f1(parts))}"
    yield f"fMean:                  {double_to_string(parts.fmean)}"
    yield f"Fragmentation penalty:  {double_to_string(parts.penalty)}"
    yield ""
    yield f"Final score:            {double_to_string(parts.score)}"


def _stage_line(name: str, stage: Sequence[float]) -> str:
    content_1, content_2, function_1, function_2 = map(int, stage)
    test = f"{content_1:>10}{function_1:>10}{content_1 + function_1:>9}"
    return f"{name:<8}{test}{content_2:>11}{function_2:>10}{content_2 + function_2:>9}"


def _f1(parts: ScoreParts) -> float:
    total = parts.precision + parts.recall
    return 2 * parts.precision * parts.recall / total if total else nan


def alignment_lines(segment: int | str, alignment: Alignment) -> Iterator[str]:
    """Yield the lines of a segment in the file of alignments."""
    values = (alignment.precision, alignment.recall, alignment.penalty, alignment.score)
    yield "\t".join(["Alignment", str(segment), *map(double_to_string, values)])
    yield " ".join(alignment.hypothesis)
    yield " ".join(alignment.reference)
    yield "Line2Start:Length\tLine1Start:Length\tModule\t\tScore"
    for match in alignment.matches:
        reference = f"{match.start}:{match.length}"
        test = f"{match.match_start}:{match.match_length}"
        yield f"{reference}\t\t\t{test}\t\t\t{match.module}\t\t1.0"
    yield ""
