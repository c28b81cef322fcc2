"""Metric functions on texts and arrays, with the original programs' numbers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.library.frames import require_frames
from jurydesk.core.library.metric_arguments import (
    caption_pairs,
    caption_text,
    chosen,
    describe_type,
    distribution,
    ranked_lists,
)
from jurydesk.core.model.evaluation import ArgumentError, BoolArray, FloatArray

if TYPE_CHECKING:
    import polars

    from jurydesk.core.metrics.captioning.bleu import Bleu
    from jurydesk.core.metrics.ranking import Hits

Id = str | int
Judgements = Mapping[Id, Mapping[Id, int]]
Run = Mapping[Id, Mapping[Id, float]]
Caption = str | Sequence[str]
"""A text, or its tokens."""
Hypotheses = Sequence[Caption] | Mapping[Any, Any]
References = Sequence[Sequence[Caption]] | Mapping[Any, Any]
"""References of each hypothesis; both may be dictionaries by id, as in pycocoevalcap."""
Features = (
    npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike] | Mapping[str, Any] | os.PathLike[str]
)


FREQUENCIES = (
    'document_frequencies has another form; {"sets": number, "counts": {n-gram: number}} is '
    "expected."
)


def meteor(
    hypotheses: Hypotheses,
    references: References,
    *,
    profile: Literal["coco", "vist"] = "coco",
) -> FloatArray:
    """Return METEOR 1.5 (n,) of n hypotheses, each against the best of its references.

    `"coco"` normalizes and lowercases (`-l en -norm`, as pycocoevalcap calls the jar), `"vist"` is
    EvalVIST's task hter without normalization. Equal to meteor-1.5.jar bit for bit; a list of
    tokens counts as the text with blanks between them. Raises InputError for different lengths,
    and ResourceMissing if METEOR's language data are not installed.
    Source: Denkowski and Lavie, WMT 2014.

    >>> meteor(["the cat sat on the mat"], [["the cat sat on the mat"]]).tolist()
    [1.0]
    """
    from jurydesk.core.metrics.meteor import score_many

    chosen(profile, ("coco", "vist"), "profile")
    pairs = caption_pairs(hypotheses, references)
    return np.asarray(score_many(pairs, profile).scores)


def cider(
    hypotheses: Hypotheses,
    references: References,
    *,
    tokenize: bool = True,
    document_frequencies: Mapping[str, Any] | None = None,
) -> FloatArray:
    """Return CIDEr-D (n,) of n captions; document frequencies are those of these references.

    With `tokenize` captions are split by the Penn Treebank tokenizer, as in pycocoevalcap;
    without, at white space. The corpus score is the mean. `document_frequencies` are those of
    other references: `{"sets": number of images, "counts": {n-gram: images that have it}}`, with
    blanks between the words. Raises InputError for different lengths.
    Source: Vedantam et al., CVPR 2015; pycocoevalcap 1.2.

    >>> cider(["a red bus", "two dogs"], [["A red bus."], ["Three cats."]]).tolist()
    [7.5, 0.0]
    """
    from jurydesk.core.metrics.captioning.cider import DocumentFrequencies, cider_d

    frequencies = None
    if document_frequencies is not None:
        try:
            frequencies = DocumentFrequencies.from_value(dict(document_frequencies))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ArgumentError(FREQUENCIES) from None
    return cider_d(*_words(hypotheses, references, tokenize=tokenize), frequencies=frequencies)


def score_bleu(hypotheses: Hypotheses, references: References, *, tokenize: bool = True) -> Bleu:
    """Return BLEU-1 to BLEU-4: `.scores` (n, 4) of the captions, and `.corpus` (4,) of all.

    The score of the corpus comes from summed counts and is not the mean. `tokenize` is that of
    `cider`. Raises InputError for different lengths.
    Source: Papineni et al., ACL 2002; pycocoevalcap 1.2.

    >>> bleu(["a red bus"], [["A red bus."]]).corpus[0].round(6).item()
    1.0
    """
    from jurydesk.core.metrics.captioning.bleu import bleu

    return bleu(*_words(hypotheses, references, tokenize=tokenize))


def score_rouge_l(
    hypotheses: Hypotheses, references: References, *, tokenize: bool = True
) -> FloatArray:
    """Return ROUGE-L (n,) of n captions; the corpus score is the mean.

    `tokenize` is that of `cider`. Raises InputError for different lengths.
    Source: Lin, ACL 2004; pycocoevalcap 1.2.

    >>> rouge_l(["a red bus"], [["A red bus."]]).tolist()
    [1.0]
    """
    from jurydesk.core.metrics.captioning.rouge_l import rouge_l

    return rouge_l(*_words(hypotheses, references, tokenize=tokenize)).scores


def ptb_tokenize(captions: Sequence[str]) -> list[str]:
    """Return the words of each caption, joined by blanks, as pycocoevalcap scores them.

    The captions are lines of one text, as there: a line separator inside one shifts the others.

    >>> ptb_tokenize(["A man's dog, running."])
    ["a man 's dog running"]
    """
    from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions

    if isinstance(captions, str | Mapping):
        raise ArgumentError(
            f"The captions are {describe_type(captions)}; a list of texts is expected."
        )
    return tokenize_captions([caption_text(one) for one in captions])


def krippendorff_alpha(
    ratings: npt.ArrayLike, *, scale: Literal["nominal", "ordinal", "interval"] = "ordinal"
) -> float:
    """Return Krippendorff's alpha of ratings (raters, items); None or NaN is a missing rating.

    It is NaN if no item has two ratings, or all ratings are the same. Raises InputError for another
    shape or scale. Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).

    >>> krippendorff_alpha([[1, 2, 3, None], [1, 2, 3, 4]])
    1.0
    """
    from jurydesk.core.statistics.raters.agreement import alpha

    try:
        given = np.array(ratings, dtype=np.float64)
    except (TypeError, ValueError):
        found = describe_type(ratings)
        raise ArgumentError(
            f"The ratings are {found} without equal rows of numbers; (raters, items) is expected."
        ) from None
    if given.ndim != 2:
        raise ArgumentError(f"Ratings have shape {given.shape}; (raters, items) is expected.")
    chosen(scale, ("nominal", "ordinal", "interval"), "scale")
    return alpha(given, scale).value


def _words(
    hypotheses: Hypotheses, references: References, *, tokenize: bool
) -> tuple[list[str], list[list[str]]]:
    from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions

    pairs = caption_pairs(hypotheses, references)
    texts = [one for one, _ in pairs]
    if not tokenize:
        return texts, [others for _, others in pairs]
    lines = iter(tokenize_captions([text for _, others in pairs for text in others]))
    return tokenize_captions(texts), [[next(lines) for _ in others] for _, others in pairs]


def frechet_distance(
    first: Features,
    second: Features,
    *,
    trace: Literal["published", "exact"] = "published",
) -> float:
    """Return the Fréchet distance of two sets of features, (n, d) and (m, d).

    Either may be `(mu, sigma)` (d,) and (d, d), a dictionary of them, or a file of statistics
    (`.npz`, or features in `.npy`). `"published"` computes the trace as pytorch-fid does,
    `"exact"` by the nuclear norm. Raises InputError for other shapes or fewer than two rows.
    Source: Heusel et al., NeurIPS 2017.

    >>> frechet_distance([[0.0], [2.0]], [[3.0], [5.0]])
    9.0
    """
    from jurydesk.core.metrics.fid.frechet_distance import gaussian_frechet_distance

    chosen(trace, ("published", "exact"), "trace")
    both = distribution(first), distribution(second)
    if both[0].mean.shape != both[1].mean.shape:
        wide = " and ".join(str(len(one.mean)) for one in both)
        raise ArgumentError(f"The features have {wide} columns; equally many are expected.")
    return float(gaussian_frechet_distance(*both, trace))


def ranking(
    judgements: Judgements,
    run: Run,
    measures: str | Iterable[str] = ("map", "P_10", "ndcg"),
    *,
    level: float | None = None,
) -> polars.DataFrame:
    """Return measures of ranked lists: one row for each query that is judged and listed.

    `judgements[query][document]` is a grade; a document is relevant above 0, as for the command
    `score`, or from `level` on. trec_eval reads whole numbers alone: 0.9 as 0.
    `run[query][document]` is a score: higher is better, equal scores are ordered by descending
    name, as trec_eval 9.0.8 does, which also compares scores in single precision. Ids are texts or
    whole numbers; 1 and "1" are the same. `measures` are names of trec_eval (`map`, `P_5`,
    `ndcg_cut.5,10`, `ndcg_cut` for all its ranks) or of ir_measures (`nDCG@10`, `RR`, `AP`).
    Raises InputError for an unknown one. The result has the column `query`, of text, and one for
    each measure: `ndcg_cut_10`, or the name of ir_measures.

    >>> ranking({"q": {"a": 1, "b": 0}}, {"q": {"b": 0.9, "a": 0.4}}, ["map"]).to_dicts()
    [{'query': 'q', 'map': 0.5}]
    """
    require_frames()
    import polars

    from jurydesk.core.metrics.ranking import RankingStatistics, measure_by_name, measure_table

    if level is not None and not isinstance(level, int | float | np.number):
        raise ArgumentError(f"level is {describe_type(level)}; a number is expected.")
    asked = _measures(measures)
    judged, listed = ranked_lists(judgements, "judgements"), ranked_lists(run, "run")
    queries = [query for query in judged if listed.get(query)]
    columns: dict[str, Sequence[str] | FloatArray] = {"query": queries}
    if not queries:
        return polars.DataFrame({"query": queries, **{name: [] for name in asked}})
    ranked = RankingStatistics(_hits(queries, judged, listed, level))
    known = [found for name in asked.values() if (found := measure_by_name(name)) is not None]
    values = measure_table(known, ranked, lambda: None)
    columns |= zip(asked, values, strict=True)
    return polars.DataFrame(columns)


def _measures(measures: str | Iterable[str]) -> dict[str, str]:
    """Return trec_eval's name of each column."""
    from jurydesk.core.metrics.ranking import measure_names, split_measures

    if not isinstance(measures, Iterable):
        found = describe_type(measures)
        raise ArgumentError(f"measures is {found}; names of measures are expected.")
    given = split_measures(measures) if isinstance(measures, str) else list(measures)
    if isinstance(measures, set | frozenset):
        given.sort()
    for name in given:
        if not isinstance(name, str):
            raise ArgumentError(f"A measure is {describe_type(name)}; its name is expected.")
    found = {name: measure_names(name) for name in given}
    if unknown := [name for name, names in found.items() if not names]:
        raise ArgumentError(f"trec_eval has no measure {', '.join(unknown)}.")
    return {
        (asked if len(names) == 1 and "." not in asked.partition("@")[0] else name): name
        for asked, names in found.items()
        for name in names
    }


def _hits(
    queries: Sequence[str],
    judgements: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Mapping[str, float]],
    level: float | None,
) -> Hits:
    from jurydesk.core.metrics.ranking import Hits

    listed, starts, judged_starts = [], [0], [0]
    rows: list[tuple[int, int, int, float]] = []
    judged: list[float] = []
    for query in queries:
        with np.errstate(over="ignore"):
            scores = {name: np.float32(value) for name, value in run[query].items()}
        if any(np.isnan(value) for value in scores.values()):
            raise ArgumentError(f"Query {query}: a score is not a number.")
        order = sorted(scores, key=lambda name: (scores[name], name.encode()), reverse=True)
        first: dict[np.float32, int] = {}
        last: dict[np.float32, int] = {}
        for rank, name in enumerate(order, start=1):
            first.setdefault(scores[name], rank)
            last[scores[name]] = rank
        grades = judgements[query]
        rows += [
            (rank, first[scores[name]], last[scores[name]], float(grades[name]))
            for rank, name in enumerate(order, start=1)
            if name in grades
        ]
        judged += map(float, grades.values())
        listed.append(len(order))
        starts.append(len(rows))
        judged_starts.append(len(judged))
    numbers = np.array(rows, dtype=np.float64).reshape(-1, 4)
    gains, all_gains = numbers[:, 3], np.array(judged, dtype=np.float64)
    return Hits(
        queries=tuple(queries),
        listed=np.array(listed, dtype=np.int64),
        starts=np.array(starts, dtype=np.int64),
        ranks=numbers[:, 0].astype(np.int64),
        first=numbers[:, 1].astype(np.int64),
        last=numbers[:, 2].astype(np.int64),
        gains=gains,
        relevant=_relevant(gains, level),
        judged_starts=np.array(judged_starts, dtype=np.int64),
        judged_gains=all_gains,
        judged_relevant=_relevant(all_gains, level),
    )


def _relevant(gains: FloatArray, level: float | None) -> BoolArray:
    chosen: BoolArray = gains > 0 if level is None else gains >= max(level, 0)
    return chosen


bleu, rouge_l = score_bleu, score_rouge_l
"""Public names, which the modules of these metrics have as well."""
