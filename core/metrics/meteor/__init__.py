"""METEOR 1.5 for English: the numbers of meteor-1.5.jar, without Java.

    score(hypothesis, references, profile="vist") -> Alignment    the best reference's alignment
    align(hypothesis, reference, config) -> Alignment             one pair, in full
    score_many(pairs, config, run) -> Batch                       many hypotheses, all cores
    corpus_score(rows, config) -> float                           of summed counts, as the jar does

Which text is prepared how, and which weights hold, is a `Config`: `profile("vist")`,
`profile("coco")` or `custom(task, norm=..., lower=..., no_punct=..., char=...)`.
"""
