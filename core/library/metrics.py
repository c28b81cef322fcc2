"""Metric functions on texts and arrays, with the original programs' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from jurydesk.core.model.evaluation import FloatArray, UsageError

if TYPE_CHECKING:
    import polars

    from jurydesk.core.metrics.ranking import Hits

Judgements = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]


def meteor(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    profile: Literal["coco", "vist"] = "coco",
) -> FloatArray:
    """Return METEOR 1.5 (n,) of n hypotheses, each against the best of its references.

    `"coco"` normalizes and lowercases (`-l en -norm`, as pycocoevalcap calls the jar), `"vist"` is
    EvalVIST's task hter without normalization. Equal to meteor-1.5.jar bit for bit. Raises
    ValueError for different lengths, and ResourceMissing if METEOR's language data are not
    installed. Source: Denkowski and Lavie, WMT 2014.

    >>> meteor(["the cat sat on the mat"], [["the cat sat on the mat"]]).tolist()
    [1.0]
    """
    from jurydesk.core.metrics.meteor import score_many

    pairs = _pairs(hypotheses, references)
    return np.asarray(score_many(pairs, profile).scores)


def cider(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], *, tokenize: bool = True
) -> FloatArray:
    """Return CIDEr-D (n,) of n captions; document frequencies are those of these references.

    With `tokenize` captions are split by the Penn Treebank tokenizer, as in pycocoevalcap;
    without, at white space. The corpus score is the mean. Raises ValueError for different lengths.
    Source: Vedantam et al., CVPR 2015; pycocoevalcap 1.2.

    >>> cider(["a red bus", "two dogs"], [["A red bus."], ["Three cats."]]).tolist()
    [7.5, 0.0]
    """
    from jurydesk.core.metrics.captioning.cider import cider_d
    from jurydesk.core.metrics.ptb_tokenizer import tokenize_captions

    pairs = _pairs(hypotheses, references)
    if not tokenize:
        return cider_d([one for one, _ in pairs], [others for _, others in pairs])
    lines = iter(tokenize_captions([text for _, others in pairs for text in others]))
    words = [[next(lines) for _ in others] for _, others in pairs]
    return cider_d(tokenize_captions([one for one, _ in pairs]), words)


def frechet_distance(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    trace: Literal["published", "exact"] = "published",
) -> float:
    """Return the Fréchet distance of two sets of features, (n, d) and (m, d).

    `"published"` computes the trace as pytorch-fid does, `"exact"` by the nuclear norm. Raises
    ValueError for other shapes or fewer than two rows. Source: Heusel et al., NeurIPS 2017.

    >>> frechet_distance([[0.0], [2.0]], [[3.0], [5.0]])
    9.0
    """
    from jurydesk.core.metrics.fid.frechet_distance import Gaussian
    from jurydesk.core.metrics.fid.frechet_distance import gaussian_frechet_distance as distance

    both = [np.asarray(features, dtype=np.float64) for features in (first, second)]
    for features in both:
        if features.ndim != 2 or len(features) < 2 or not np.isfinite(features).all():
            raise ValueError(
                f"Features have shape {features.shape}; finite numbers of shape (n, d) with n of "
                "at least 2 are expected."
            )
    return float(distance(Gaussian.of(both[0]), Gaussian.of(both[1]), trace))


def ranking(
    judgements: Judgements,
    run: Run,
    measures: Sequence[str] = ("map", "P_10", "ndcg"),
    *,
    level: float = 1,
) -> polars.DataFrame:
    """Return measures of ranked lists: one row for each query that is judged and listed.

    `judgements[query][document]` is a grade; a document counts as relevant from `level` on.
    `run[query][document]` is a score: higher is better, equal scores are ordered by descending
    name, as trec_eval 9.0.8 does, which also compares scores in single precision. `measures` are
    trec_eval's names (`map`, `P_5`, `ndcg_cut_10`, `recip_rank`, `bpref` ...). Raises UsageError
    for an unknown one. The result has the column `query` and one for each measure.

    >>> ranking({"q": {"a": 1, "b": 0}}, {"q": {"b": 0.9, "a": 0.4}}, ["map"]).to_dicts()
    [{'query': 'q', 'map': 0.5}]
    """
    import polars

    from jurydesk.core.metrics.ranking import RankingStatistics, measure_by_name, measure_table

    known = [measure_by_name(name) for name in measures]
    unknown = [name for name, found in zip(measures, known, strict=True) if found is None]
    if unknown:
        raise UsageError(f"trec_eval has no measure {', '.join(unknown)}.")
    queries = [query for query in judgements if run.get(query)]
    columns: dict[str, Sequence[str] | FloatArray] = {"query": queries}
    if not queries:
        return polars.DataFrame({"query": queries, **{name: [] for name in measures}})
    ranked = RankingStatistics(_hits(queries, judgements, run, level))
    values = measure_table([found for found in known if found is not None], ranked, lambda: None)
    columns |= zip(measures, values, strict=True)
    return polars.DataFrame(columns)


def _hits(queries: Sequence[str], judgements: Judgements, run: Run, level: float) -> Hits:
    from jurydesk.core.metrics.ranking import Hits

    listed, starts, judged_starts = [], [0], [0]
    rows: list[tuple[int, int, int, float]] = []
    judged: list[float] = []
    for query in queries:
        with np.errstate(over="ignore"):
            scores = {name: np.float32(value) for name, value in run[query].items()}
        if any(np.isnan(value) for value in scores.values()):
            raise ValueError(f"Query {query}: a score is not a number.")
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
        relevant=gains >= max(level, 0),
        judged_starts=np.array(judged_starts, dtype=np.int64),
        judged_gains=all_gains,
        judged_relevant=all_gains >= max(level, 0),
    )


def _pairs(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> list[tuple[str, Sequence[str]]]:
    if isinstance(hypotheses, str) or any(isinstance(one, str) for one in references):
        raise TypeError("A list of hypotheses and a list of lists of references are expected.")
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} reference sets.")
    empty = [number for number, one in enumerate(references) if not one]
    if empty:
        raise ValueError(f"Hypothesis {empty[0]} has no reference.")
    return list(zip(hypotheses, references, strict=True))
