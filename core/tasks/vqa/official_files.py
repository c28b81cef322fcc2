"""Files of the official VQA program, with its rounded percentages."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from jurydesk.core.language import failure_reason, fill
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.vqa.questions import Question


def round_percent(total: float, count: int) -> float:
    """Return 100 * total / count with two decimals, rounded as Python 2 rounds doubles."""
    exact = Decimal(100 * total / count)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def official_files(questions: Sequence[Question], values: Sequence[float]) -> dict[str, Json]:
    """Return the contents of the four files by name."""
    pairs = list(zip(questions, values, strict=True))
    by_question = {str(one.id): round_percent(value, 1) for one, value in pairs}
    sums: dict[str, dict[str, list[float]]] = {"question_type": {}, "answer_type": {}}
    single: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for one, value in pairs:
        for kind, found in sums.items():
            for name in one.types.get(kind, ()):
                found.setdefault(name, []).append(value)
                single[kind][name][str(one.id)] = round_percent(value, 1)
    means = {
        kind: {name: round_percent(_total(part), len(part)) for name, part in found.items()}
        for kind, found in sums.items()
    }
    return {
        "accuracy.json": {
            "overall": round_percent(_total(values), len(values)),
            "perQuestionType": means["question_type"],
            "perAnswerType": means["answer_type"],
        },
        "evalQA.json": by_question,
        "evalQuesType.json": single["question_type"],
        "evalAnsType.json": single["answer_type"],
    }


def _total(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def write_official(
    folder: Path, questions: Sequence[Question], values: Sequence[float]
) -> Iterator[Defect]:
    """Write the four files; yield a warning if it fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in official_files(questions, values).items():
            write_atomically(folder / name, json.dumps(content).encode())
    except OSError as fault:
        found = fill("The official files were not written: {value}.", failure_reason(fault))
        yield warning(Place(str(folder)), found)
