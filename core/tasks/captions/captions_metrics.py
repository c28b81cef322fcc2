"""Metric declarations of the captioning competition."""

from __future__ import annotations

import math

from jurydesk.core.competition.task import Statistic
from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.captioning.bleu import STATISTICS as BLEU_STATISTICS
from jurydesk.core.metrics.captioning.bleu import corpus_bleu_of
from jurydesk.core.metrics.captioning.ngrams import MAX_N
from jurydesk.core.metrics.meteor.config import MODULES, profile
from jurydesk.core.metrics.meteor.formula import corpus_meteor
from jurydesk.core.model.evaluation import MetricInfo

METEOR_PROFILE = "coco"
COCO = "Chen et al., Microsoft COCO Captions (2015); pycocoevalcap 1.2"
BLEU = tuple(f"bleu_{n}" for n in range(1, MAX_N + 1))
CLIP_METRICS = ("clip_score", "ref_clip_score")
BERTSCORE = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
OF_MODEL = "Its values depend on the model: compare only those of the same model and settings."
PARTS = (translatable("precision"), translatable("recall"), translatable("F1"))
HESSEL, ZHANG = "Hessel et al., EMNLP 2021", "Zhang et al., ICLR 2020; bert-score 0.3.13"

METEOR_STATISTICS = tuple(
    f"meteor_{name}"
    for name in (
        "words",
        "reference_words",
        "function_words",
        "reference_function_words",
        *(
            f"{module}_{side}{kind}"
            for module in MODULES
            for kind in ("content", "function")
            for side in ("", "reference_")
        ),
        "chunks",
        "matched_words",
        "reference_matched_words",
    )
)
"""METEOR's 23 counts against the best reference, in the order of its statistics."""


METRICS = (
    *(
        MetricInfo(
            name,
            fill("BLEU-{n}", n),
            fill("Corpus BLEU of n-grams of 1 to {n} words; not a mean over images.", n)
            if n > 1
            else "Corpus BLEU of single words; not a mean over images.",
            (0.0, 1.0),
            "higher",
            f"Papineni et al., ACL 2002; {COCO}",
            aggregate="own",
            statistics=BLEU_STATISTICS,
            combine=corpus_bleu_of(n),
            headline=n in (1, 4),
        )
        for n, name in enumerate(BLEU, start=1)
    ),
    MetricInfo(
        "meteor",
        "METEOR",
        "Corpus METEOR 1.5, each caption against its best reference; not a mean over images.",
        (0.0, 1.0),
        "higher",
        f"Denkowski and Lavie, WMT 2014; {COCO}",
        aggregate="own",
        statistics=METEOR_STATISTICS,
        combine=corpus_meteor(profile(METEOR_PROFILE).weights),
        headline=True,
    ),
    MetricInfo(
        "rouge_l",
        "ROUGE-L",
        "Mean over images of ROUGE-L: longest common subsequence with the references.",
        (0.0, 1.0),
        "higher",
        f"Lin, ACL 2004; {COCO}",
        headline=True,
    ),
    MetricInfo(
        "cider",
        "CIDEr",
        "Mean over images of CIDEr-D: n-grams shared with references, weighted by their inverse "
        "document frequency among the scored images.",
        (0.0, 10.0),
        "higher",
        f"Vedantam, Zitnick and Parikh, CVPR 2015; {COCO}",
        headline=True,
        caveat="CIDEr's word weights come from these images: it falls as images are added, and its "
        "intervals are for this number of them.",
    ),
    MetricInfo(
        "clip_score",
        "CLIPScore",
        "Mean over images of 2.5 times the cosine of photo and caption by CLIP, at least 0.",
        (0.0, 2.5),
        "higher",
        HESSEL,
        caveat=OF_MODEL,
    ),
    MetricInfo(
        "ref_clip_score",
        "RefCLIPScore",
        "Mean over images of the harmonic mean of CLIPScore and the nearest reference's cosine.",
        (0.0, 2.0),
        "higher",
        HESSEL,
        caveat=OF_MODEL,
    ),
    *(
        MetricInfo(
            name,
            fill("BERTScore {part}", part),
            fill(
                "Mean over images of the {part} of word pieces matched by the vectors of a model, "
                "best reference.",
                part,
            ),
            (-math.inf, 1.0),
            "higher",
            ZHANG,
            caveat=OF_MODEL,
        )
        for name, part in zip(BERTSCORE, PARTS, strict=True)
    ),
)


def _meteor_statistic(name: str) -> Statistic:
    phrase = name.removeprefix("meteor_").replace("reference_", "").replace("_", " ")
    if "reference_" in name:
        return Statistic(
            fill("METEOR: {phrase}, reference", phrase),
            fill("METEOR's count in the best reference: {phrase}.", phrase),
        )
    title = fill("METEOR: {phrase}", phrase)
    if phrase == "chunks":
        return Statistic(title, "Runs of matched words in the same order: fewer are better.")
    return Statistic(title, fill("METEOR's count in the caption: {phrase}.", phrase))


COUNTS = (
    translatable("words"),
    translatable("matched words"),
    translatable("function words"),
    translatable("chunks"),
    translatable("exact content"),
    translatable("exact function"),
    translatable("stem content"),
    translatable("stem function"),
    translatable("synonym content"),
    translatable("synonym function"),
    translatable("paraphrase content"),
    translatable("paraphrase function"),
)
"""METEOR's counts, in titles."""


STATISTICS: dict[str, Statistic] = {
    "references": Statistic("References", "Number of references of the image."),
    "words": Statistic("Words", "Words of the caption in BLEU."),
    "reference_words": Statistic(
        "Words, reference", "Words of the reference whose length is closest to the caption's."
    ),
    **{
        f"match_{n}": Statistic(
            fill("Matched {n}-grams", n),
            fill("Clipped matches of {n}-grams with the references, in BLEU.", n),
        )
        for n in range(1, MAX_N + 1)
    },
    "best_reference": Statistic(
        "Best reference", "The reference with the highest METEOR, counted from 0."
    ),
    **{name: _meteor_statistic(name) for name in METEOR_STATISTICS},
}
