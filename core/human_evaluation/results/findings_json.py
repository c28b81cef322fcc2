"""JSON codec of findings; undefined numbers are null."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from typing import Any

from jurydesk.core.human_evaluation.results.findings import StudyFindings
from jurydesk.core.human_evaluation.results.metric_correlation import RatingCorrelation
from jurydesk.core.human_evaluation.results.ranking import (
    QuestionAgreement,
    QuestionResult,
    SharedRank,
)
from jurydesk.core.human_evaluation.results.rater_reports import RaterReport
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Interval, Json, MetricInfo
from jurydesk.core.model.json_codec import (
    json_number,
    json_numbers,
    number_from_json,
    numbers_from_json,
    score_from_json,
    score_json,
)
from jurydesk.core.statistics.agreement import Agreement

MEASURES = ("alpha", "icc", "icc_1k", "exact")


def findings_json(found: StudyFindings) -> dict[str, Json]:
    """Return the findings as JSON values."""
    return {
        "systems": list(found.systems),
        "entry": list(found.entry),
        "sequences": list(found.sequences),
        "metrics": [_fields_json(one) for one in found.metrics],
        "outcomes": [
            {
                "question": one.question,
                "scores": [score_json(score) for score in one.scores],
                "ranks": [asdict(rank) for rank in one.ranks],
                "remark": one.remark,
            }
            for one in found.outcomes
        ],
        "agreements": [
            {"question": one.question, **{m: measure_json(getattr(one, m)) for m in MEASURES}}
            for one in found.agreements
        ],
        "raters": [_fields_json(one) for one in found.raters],
        "correlations": {
            profile: [{**_fields_json(one), "found": measure_json(one.found)} for one in listed]
            for profile, listed in found.correlations.items()
        },
        "stories": {question: json_numbers(means) for question, means in found.stories.items()},
        "defects": [defect.to_json() for defect in found.defects],
    }


def findings_from_json(data: Json) -> StudyFindings:
    """Decode findings; raises KeyError, TypeError or ValueError if they are invalid."""
    one, several = data["entry"]
    return StudyFindings(
        tuple(data["systems"]),
        (one, several),
        tuple(data["sequences"]),
        tuple(_metric(one) for one in data["metrics"]),
        tuple(
            QuestionResult(
                one["question"],
                tuple(map(score_from_json, one["scores"])),
                tuple(SharedRank(**rank) for rank in one["ranks"]),
                one["remark"],
            )
            for one in data["outcomes"]
        ),
        tuple(
            QuestionAgreement(one["question"], *(measure_from_json(one[m]) for m in MEASURES))
            for one in data["agreements"]
        ),
        tuple(_rater(one) for one in data["raters"]),
        {
            profile: tuple(
                RatingCorrelation(**{**one, "found": measure_from_json(one["found"])})
                for one in listed
            )
            for profile, listed in data["correlations"].items()
        },
        {question: numbers_from_json(means) for question, means in data["stories"].items()},
        tuple(map(Defect.from_json, data["defects"])),
    )


def measure_json(measure: Agreement) -> dict[str, Json]:
    """Return a measure with its interval, or with the reason why it is undefined."""
    span = measure.interval
    return {
        "value": json_number(measure.value),
        "interval": None if span is None else asdict(span),
        "undefined": measure.undefined,
    }


def measure_from_json(data: Json) -> Agreement:
    """Decode a measure."""
    span = data["interval"]
    interval = None if span is None else Interval(**span)
    return Agreement(number_from_json(data["value"]), interval, data["undefined"])


def _fields_json(value: Any) -> dict[str, Json]:
    """Return the fields of a dataclass, with undefined numbers as None."""
    members = {field.name: getattr(value, field.name) for field in fields(value)}
    return {k: json_number(v) if isinstance(v, float) else v for k, v in members.items()}


def _metric(data: Json) -> MetricInfo:
    low, high = data["range"]
    return MetricInfo(
        **{**data, "range": (low, high), "statistics": tuple(data["statistics"]), "combine": None}
    )


def _rater(data: Json) -> RaterReport:
    passed, asked = data["attention"]
    members: dict[str, Any] = {k: math.nan if v is None else v for k, v in data.items()}
    members["attention"] = (passed, asked)
    return RaterReport(**members)
