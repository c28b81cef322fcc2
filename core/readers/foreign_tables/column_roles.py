"""Roles of columns by their names: system, item, rater, score and what describes an item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_NAMES = """
system: system model system_id model_id model_name system_name run_name run_id run team method
    submission approach participant engine llm algorithm checkpoint entry candidate система
    модель
item: item item_id id instance_id instance example_id example sample_id sample question_id
    questionid qid query_id query image_id doc_id docid task_id problem_id problem prompt_id
    story_id album_id uid uuid idx index key image filepath file_name filename sequence story
    topic dialog объект задание вопрос
rater: rater rater_id annotator annotator_id worker worker_id workerid judge judge_id coder
    reviewer user user_id username participant_id completed_by эксперт асессор разметчик
statement: statement criterion criteria dimension aspect question label_name schema quality
    критерий утверждение
metric: metric measure metric_name measure_name scorer score_name метрика
score: score value metric_value result rating оценка значение балл
group: group group_id album cluster keyword document conversation scene video article passage_id
    группа альбом
weight: weight sample_weight item_weight вес
text: text prediction predicted output response answer completion hypothesis generated
    generation caption pred model_output текст ответ
reference: reference references target gold label truth ground_truth expected gold_answer gt
    correct_answer эталон
picture: picture image_path img img_path image_file photo picture_path
input: input prompt question question_text query_text instruction
profile: profile
repeat: epoch seed repeat repetition trial attempt rollout replicate
"""
NAMES: Mapping[str, tuple[str, ...]] = {
    role: tuple(names.split()) for role, names in re.findall(r"(\w+): ((?:[^:]+(?:\n|$))+)", _NAMES)
}
"""Names of columns in small letters with `_` for other signs, the likeliest first."""

_LOWER = """
fp fn
error errors err loss losses wer cer ter mer perplexity ppl distance fid kid lpips mae mse rmse
mape nll latency time seconds duration runtime ms cost price brier ece toxicity hallucination
hallucinations violations edits regret bpb bpc flops energy memory rank failures mistakes misses
deviation
"""
_NEITHER = """
length len tokens token words characters chars count num n size year number steps turns seed
epoch fold index total
"""
_SCORES = """
acc accuracy f1 f2 f bleu rouge rougel meteor cider spice chrf em exact match score scores
precision recall map ap mrr ndcg dcg hit hits iou miou dice auc auroc psnr ssim clipscore
bertscore comet bleurt rating correct correctness pass passed solved resolved success reward
utility quality similarity sim overlap win wins winrate rate mean value grade points jaccard
kappa mcc anls edit sari gain rprec bpref p r5 r10 relevance fluency adequacy
"""
_CONFIDENCES = """
confidence confidences conf prob probs probability probabilities logit logits logprob logprobs
softmax likelihood loglikelihood
"""
_ANY_SCORE = frozenset(("score", "scores", "value", "mean", "rate"))
"""Words of metrics that are said of confidences, too."""
LOWER = frozenset(_LOWER.split())
"""Words in the names of scores of which less is better."""
NEITHER = frozenset(_NEITHER.split())
"""Words in the names of numbers that rank no systems."""
CONFIDENCES = frozenset(_CONFIDENCES.split())
"""Words in the names of what a model thinks of its own outputs."""
SCORES = frozenset(_SCORES.split()) | LOWER
"""Words in the names of metrics."""


def normalize_name(name: str) -> str:
    """Return a name in small letters, with `_` for blanks and other signs."""
    spaced = re.sub(r"(?<=[a-zа-я])(?=[A-ZА-Я])", "_", name)
    return re.sub(r"[\W_]+", "_", spaced.casefold()).strip("_")


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, without digits at their ends and with them."""
    words = normalize_name(name).split("_")
    return frozenset(words) | {word.rstrip("0123456789") for word in words}


def is_metric_name(name: str) -> bool:
    """Return whether the name of a column is that of a metric."""
    return bool(name_words(name) & SCORES)


def is_confidence_name(name: str) -> bool:
    """Return whether a number is what a model thinks of its output, which is no evaluation."""
    words = name_words(name)
    return bool(words & CONFIDENCES) and not words & (SCORES - _ANY_SCORE)


def is_lower_better(name: str) -> bool:
    """Return whether the name of a score says that less is better."""
    return bool(name_words(name) & LOWER)


def is_count_name(name: str) -> bool:
    """Return whether a number only describes an item or an output, and ranks no system."""
    words = name_words(name)
    return bool(words & NEITHER) and not words & SCORES


def find_roles(names: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """Return the column of each of these roles that has one, by the likeliest name.

    A column has one role, the first of `roles` that it fits.
    """
    by_name: dict[str, str] = {}
    for name in names:
        by_name.setdefault(normalize_name(name), name)
        by_name.setdefault(name.casefold().strip(), name)
    found: dict[str, str] = {}
    for role in roles:
        for known in NAMES[role]:
            column = by_name.get(known)
            if column is not None and column not in found.values():
                found[role] = column
                break
    return found


def is_id_name(name: str) -> bool:
    """Return whether a column names something, even if its names are numbers."""
    known = normalize_name(name)
    return known.endswith("_id") or known in NAMES["item"] or known in NAMES["repeat"]
