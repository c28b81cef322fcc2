"""Rules of VQA's processing: which of them change an answer, and but for which it would count more.

Two texts that are equal without the rule of articles, of number words or of contractions are equal
with it as well: only the rules of punctuation and of unanimous human answers part what is alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jurydesk.core.language import fill, join_messages, translatable
from jurydesk.core.metrics.question_answering.vqa_accuracy import (
    ARTICLES,
    NUMBERS,
    SIGNS,
    clean_answer,
    lower,
    mean,
    process,
)

if TYPE_CHECKING:
    from jurydesk.core.tasks.vqa.questions import VqaEvidence

RULES = {
    "empty": translatable("The answer is empty after processing."),
    "articles": translatable("Articles are left out."),
    "number words": translatable("Number words are written as digits; none is 0."),
    "punctuation": translatable("Punctuation is deleted or replaced by blanks."),
    "case": translatable("Capital letters are written small."),
}
"""Rules of the processing, by the names with which items are filtered."""
STEPS = {
    "articles": translatable("articles"),
    "number words": translatable("number words"),
    "punctuation": translatable("punctuation"),
    "case": translatable("case"),
}
"""Steps of the processing that an answer to a unanimous question may lack."""
COSTS = {
    "punctuation": translatable(
        "It would count more if all punctuation were deleted, or all replaced by blanks."
    ),
    "records": translatable(
        "It would count more if equal human answers without ids were counted one by one."
    ),
}
ROUNDING = 1e-9


def processing_rules(evidence: VqaEvidence) -> Sequence[str]:
    """Return the names of the rules that change the system's answer."""
    if evidence.program != "vqa" or evidence.processed == evidence.given:
        return ()
    words = lower(evidence.given).split()
    is_changed = {
        "empty": not evidence.processed,
        "articles": any(word in ARTICLES for word in words),
        "number words": any(word in NUMBERS for word in words),
        "punctuation": any(not (sign.isalnum() or sign.isspace()) for sign in evidence.given),
        "case": lower(evidence.given) != evidence.given,
    }
    return [name for name, changes in is_changed.items() if changes]


def costly_rules(evidence: VqaEvidence) -> Sequence[str]:
    """Return the names of the rules but for which the answer would count more.

    The steps of processing that it lacks follow the rule of unanimous human answers.
    """
    if evidence.program != "vqa" or len(evidence.values) < 2:
        return ()
    given, answers = clean_answer(evidence.given), list(map(clean_answer, evidence.answers))
    equal, count = evidence.compared.count(evidence.processed), len(answers)
    value = _value(equal, count)
    if len(set(answers)) == 1:
        if not equal and process(given) == process(answers[0]):
            return ["unanimity", *_lacking(given, answers[0])]
    elif _value(_otherwise(evidence, given, answers), count) > value:
        return ["punctuation"]
    return ["records"] if mean(evidence.values) < value - ROUNDING else []


def _lacking(given: str, answer: str) -> Iterator[str]:
    """Yield the steps without which an answer stays different."""
    for name in STEPS:
        if process(given, without=(name,)) != process(answer, without=(name,)):
            yield name


def _otherwise(evidence: VqaEvidence, given: str, answers: Sequence[str]) -> int:
    """Return the most matches with all punctuation deleted, or all replaced by blanks.

    It is 0 where nothing has punctuation, and where other rules were applied.
    """
    if not any(sign in text for text in (given, *answers) for sign in SIGNS):
        return 0
    if tuple(map(process, (given, *answers))) != (evidence.processed, *evidence.compared):
        return 0
    counts = []
    for is_deleted in (True, False):
        said = process(given, deleted=is_deleted)
        counts.append(sum(process(one, deleted=is_deleted) == said for one in answers))
    return max(counts)


def _value(equal: int, count: int) -> float:
    """Return the accuracy of an answer that so many of the human answers equal."""
    own, other = min(1.0, (equal - 1) / 3), min(1.0, equal / 3)
    return (equal * own + (count - equal) * other) / count


def rule_notes(evidence: VqaEvidence) -> list[str]:
    """Return sentences on the rules that change the answer, or cost it its value."""
    notes = [RULES[name] for name in processing_rules(evidence)]
    if evidence.is_unprocessed and len(evidence.answers) > 1:
        notes.append(translatable("All human answers are equal: nothing is processed."))
    elif evidence.processed != evidence.given:
        notes.append(fill("It is compared as: {answer}", evidence.processed))
    costly = costly_rules(evidence)
    if "unanimity" in costly:
        steps = join_messages([STEPS[name] for name in costly[1:]], ", ")
        found = "It would count more if unanimous human answers were processed: {steps}."
        return [*notes, fill(found, steps)]
    return [*notes, *(COSTS[name] for name in costly)]
