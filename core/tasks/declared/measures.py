"""Catalogue of the measures that a declared competition chooses from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.competition.task import Statistic
from jurydesk.core.execution.run import Run
from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.captioning.bleu import STATISTICS, bleu, corpus_bleu_of
from jurydesk.core.metrics.captioning.cider import cider_d
from jurydesk.core.metrics.captioning.rouge_l import rouge_l
from jurydesk.core.metrics.classified_items import average_precision_of_scores
from jurydesk.core.metrics.edit_distance import recognition_scores
from jurydesk.core.metrics.meteor import score_many
from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions
from jurydesk.core.metrics.question_answering.anls import THRESHOLD, similarity
from jurydesk.core.metrics.question_answering.relaxed_accuracy import is_near
from jurydesk.core.metrics.question_answering.squad import exact_match_of, token_f1_of
from jurydesk.core.model.evaluation import Better, FloatArray, MetricInfo
from jurydesk.core.tasks.captions.captions_metrics import STATISTICS as CAPTION_STATISTICS
from jurydesk.core.tasks.declared.declaration import Kind
from jurydesk.core.tasks.meteor_resources import language_data

METEOR, METEOR_PROFILE = "meteor", "coco"
COCO = "pycocoevalcap 1.2"
SQUAD = "Rajpurkar et al., EMNLP 2016 (SQuAD 1.1)"
UNLIMITED = math.inf


@dataclass(frozen=True, eq=False)
class ColumnAnswers:
    """Results of a column and the true values of each item, (items,) each.

    Attributes:
        given: Texts of the system, as they are.
        truths: At least one true text for each item.
        numbers: Texts of the system as numbers, for columns of numbers.
        true_numbers: Numbers of each item's true texts.
    """

    given: Sequence[str]
    truths: Sequence[Sequence[str]]
    numbers: FloatArray
    true_numbers: Sequence[FloatArray]


Rows = Callable[[ColumnAnswers, Run], FloatArray]
"""Returns the values (items,) of a mean, or the statistics (items, n) of a score of all items."""


@dataclass(frozen=True)
class ColumnMeasure:
    """Measure of the catalogue; `combine` gives what is not a mean from its `statistics`."""

    title: str
    summary: str
    kinds: tuple[Kind, ...]
    rows: Rows
    source: str
    range: tuple[float, float] = (0.0, 1.0)
    better: Better = "higher"
    statistics: tuple[str, ...] = ()
    combine: Callable[[FloatArray], float] | None = None
    caveat: str = ""


def _best(compare: Callable[[Sequence[str], str], float]) -> Rows:
    def rows(answers: ColumnAnswers, run: Run) -> FloatArray:
        pairs = zip(answers.given, answers.truths, strict=True)
        return np.array([compare(truths, given) for given, truths in pairs], np.float64)

    return rows


def _same(truths: Sequence[str], given: str) -> float:
    return float(given.strip() in {one.strip() for one in truths})


def _anls(truths: Sequence[str], given: str) -> float:
    return similarity(truths, given, THRESHOLD)


def _edit_similarity(answers: ColumnAnswers, run: Run) -> FloatArray:
    owner = np.repeat(np.arange(len(answers.given)), list(map(len, answers.truths)))
    given = [answers.given[row] for row in owner.tolist()]
    scores, _, _ = recognition_scores(given, [one for truths in answers.truths for one in truths])
    best = np.zeros(len(answers.given))
    np.maximum.at(best, owner, scores)
    return best


def _words(answers: ColumnAnswers, run: Run) -> tuple[list[str], list[list[str]]]:
    """Return given and true texts as words that one blank separates."""
    every = [one for truths in answers.truths for one in truths]
    words = iter(tokenize_captions(every, corrected=True, check=run.check))
    truths = [[next(words) for _ in some] for some in answers.truths]
    return tokenize_captions(answers.given, corrected=True, check=run.check), truths


def _bleu(answers: ColumnAnswers, run: Run) -> FloatArray:
    return bleu(*_words(answers, run)).rows


def _rouge(answers: ColumnAnswers, run: Run) -> FloatArray:
    return rouge_l(*_words(answers, run), check=run.check).scores


def _cider(answers: ColumnAnswers, run: Run) -> FloatArray:
    return cider_d(*_words(answers, run))


def _meteor(answers: ColumnAnswers, run: Run) -> FloatArray:
    given, truths = _words(answers, run)
    with language_data():
        return score_many(list(zip(given, truths, strict=True)), METEOR_PROFILE, run).scores


def _nearest(answers: ColumnAnswers) -> FloatArray:
    """Return the distance (items,) to the nearest true number."""
    pairs = zip(answers.numbers.tolist(), answers.true_numbers, strict=True)
    return np.array([float(np.abs(truths - given).min()) for given, truths in pairs])


def _relaxed(answers: ColumnAnswers, run: Run) -> FloatArray:
    pairs = zip(answers.numbers.tolist(), answers.true_numbers, strict=True)
    return np.array(
        [float(any(is_near(one, given) for one in truths.tolist())) for given, truths in pairs]
    )


def _scored_labels(answers: ColumnAnswers, run: Run) -> FloatArray:
    labels = [truths[0] for truths in answers.true_numbers]
    return np.column_stack([answers.numbers, np.array(labels, np.float64)])


def _bleu_of(n: int) -> ColumnMeasure:
    return ColumnMeasure(
        fill("BLEU-{n}", n),
        fill("Corpus BLEU of n-grams of 1 to {n} words; not a mean over items.", n)
        if n > 1
        else "Corpus BLEU of single words; not a mean over items.",
        ("text",),
        _bleu,
        f"Papineni et al., ACL 2002; {COCO}",
        statistics=STATISTICS,
        combine=corpus_bleu_of(n),
    )


COUNTS = {
    **{name: CAPTION_STATISTICS[name] for name in STATISTICS},
    "score": Statistic("Number", "The number that the system gave."),
    "label": Statistic("True value", "The true value, 0 or 1."),
}
"""Descriptions of the statistics of measures that are not means."""
AVERAGE_PRECISION = "average_precision"
MEASURES: Mapping[str, ColumnMeasure] = {
    "accuracy": ColumnMeasure(
        translatable("Accuracy"),
        "Share of items whose value is one of the true ones, character by character.",
        ("class", "text"),
        _best(_same),
        "share of equal values",
    ),
    "exact_match": ColumnMeasure(
        translatable("Exact match"),
        "Share of items with the words of a true text, without case, punctuation and articles.",
        ("text",),
        _best(exact_match_of),
        SQUAD,
    ),
    "f1": ColumnMeasure(
        "F1",
        "Mean F1 of the words shared with the nearest true text, counted as for exact match.",
        ("text",),
        _best(token_f1_of),
        SQUAD,
    ),
    "edit_similarity": ColumnMeasure(
        translatable("Edit similarity"),
        "Mean of one less the edits to the nearest true text, divided by the longer length.",
        ("text",),
        _edit_similarity,
        "Levenshtein 1966",
    ),
    "anls": ColumnMeasure(
        "ANLS",
        "Mean normalized Levenshtein similarity to the nearest true text; 0 below one half.",
        ("text",),
        _best(_anls),
        "Biten et al., ICCV 2019",
    ),
    **{f"bleu_{n}": _bleu_of(n) for n in (1, 2, 3, 4)},
    METEOR: ColumnMeasure(
        "METEOR",
        "Mean METEOR 1.5 of each text against its best true text.",
        ("text",),
        _meteor,
        f"Denkowski and Lavie, WMT 2014; {COCO}",
    ),
    "rouge_l": ColumnMeasure(
        "ROUGE-L",
        "Mean ROUGE-L: longest common subsequence with the true texts.",
        ("text",),
        _rouge,
        f"Lin, ACL 2004; {COCO}",
    ),
    "cider": ColumnMeasure(
        "CIDEr",
        "Mean CIDEr-D: n-grams shared with the true texts, weighted by their inverse document "
        "frequency among the scored items.",
        ("text",),
        _cider,
        f"Vedantam, Zitnick and Parikh, CVPR 2015; {COCO}",
        (0.0, 10.0),
        caveat="CIDEr's word weights come from these items: it falls as items are added.",
    ),
    "absolute_error": ColumnMeasure(
        translatable("Absolute error"),
        "Mean distance to the nearest true number.",
        ("number",),
        lambda answers, run: _nearest(answers),
        "mean of distances",
        (0.0, UNLIMITED),
        "lower",
    ),
    "squared_error": ColumnMeasure(
        translatable("Squared error"),
        "Mean squared distance to the nearest true number.",
        ("number",),
        lambda answers, run: _nearest(answers) ** 2,
        "mean of squared distances",
        (0.0, UNLIMITED),
        "lower",
    ),
    "relaxed_accuracy": ColumnMeasure(
        translatable("Relaxed accuracy"),
        "Share of numbers within 5 % of a true one.",
        ("number",),
        _relaxed,
        "Masry et al., Findings of ACL 2022; arithmetic of pix2struct",
    ),
    AVERAGE_PRECISION: ColumnMeasure(
        translatable("Average precision"),
        "Area under precision and recall of all items by falling number; true values are 0 or 1.",
        ("number",),
        _scored_labels,
        "average_precision_score of scikit-learn",
        statistics=("score", "label"),
        combine=average_precision_of_scores,
    ),
}
"""Measures by the name that `competition.toml` gives them."""


def declare_measure(name: str, title: str = "", *, first: bool = False) -> MetricInfo | None:
    """Return the declaration of a metric by its name, `f1` or `reading.f1`; None if unknown.

    A statistic of a metric, `reading.bleu_1.words`, is declared as a count that ranks nobody.
    """
    column, _, key = name.rpartition(".")
    measure = MEASURES.get(key)
    if measure is None:
        return _declare_statistic(name, column, key)
    shown = title or (
        fill("{measure} ({name})", measure.title, column) if column else measure.title
    )
    return MetricInfo(
        name,
        shown,
        measure.summary,
        measure.range,
        measure.better,
        measure.source,
        aggregate="own" if measure.combine else "mean",
        statistics=tuple(f"{name}.{one}" for one in measure.statistics),
        combine=measure.combine,
        headline=first,
        caveat=measure.caveat,
    )


def _declare_statistic(name: str, metric: str, key: str) -> MetricInfo | None:
    measure = MEASURES.get(metric.rpartition(".")[2])
    if measure is None or key not in measure.statistics:
        return None
    shown = COUNTS[key]
    return MetricInfo(
        name,
        fill("{title} of {metric}", translatable(shown.title), metric),
        shown.summary,
        (-UNLIMITED, UNLIMITED),
        "neither",
        measure.source,
    )
