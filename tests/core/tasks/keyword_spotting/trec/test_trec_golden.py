"""Numbers of pytrec_eval, and an error with its place where the originals have none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.model.defects import Severity
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK
from support.files.trec import WAYS, Pair, read_in_one_way, write_pair
from support.oracles import oracle

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in oracle("keyword_spotting/shared_trec.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
SOUND = [case for case in CASES if "pytrec_eval" in case]
MALFORMED = [case for case in CASES if "good_error" in case]
MORE = "gm_map,infAP,map_cut_5,map_cut_10,set_P,set_recall,set_F"


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read everything by both readers: compiled, and line by line."""
    read_in_one_way(request.param, monkeypatch)


def evaluated(case: dict[str, Any], folder: Path, **options: object) -> Evaluation:
    pair = write_pair(folder, case["qrels"], case["run"])
    missing = "zero" if "-c" in case["trec_eval_args"] else "skip"
    level = float(case["relevance_level"])
    return pair.evaluation(level=level, missing=missing, measures=MORE, **options)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    "case", [c for c in SOUND if "-c" not in c["trec_eval_args"]], ids=lambda case: case["name"]
)
def test_every_number_equals_pytrec_eval_s(case: dict[str, Any], tmp_path: Path) -> None:
    evaluation = evaluated(case, tmp_path)
    columns = evaluation.items.columns
    ours = {
        query: {
            name: float(columns[name][item]) for name in case["pytrec_eval"]["per_query"][query]
        }
        for item, query in enumerate(evaluation.items.ids)
    }
    assert ours == case["pytrec_eval"]["per_query"]
    means = {name: evaluation.score(name).value for name in case["pytrec_eval"]["mean"]}
    # pytrec_eval has NumPy's exponential here, whose last digit depends on the processor.
    geometric = means.pop("gm_map")
    recorded = dict(case["pytrec_eval"]["mean"])
    assert geometric == pytest.approx(recorded.pop("gm_map"), rel=1e-15)
    assert means == recorded


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case["name"])
def test_a_malformed_pair_has_an_error_with_file_line_and_hint(
    case: dict[str, Any], tmp_path: Path
) -> None:
    pair = write_pair(tmp_path, case["qrels"], case["run"])
    found = errors_of(pair)
    assert found
    for defect in found:
        assert defect.place.line is not None
        assert defect.hint
    if ", line " in case["good_error"]:
        name, _, line = case["good_error"].split(":")[0].partition(", line ")
        place = {"run": "run.txt", "qrels": "qrels.txt"}[name]
        assert [str(defect.place) for defect in found] == [f"{place}, line {line}"]


def errors_of(pair: Pair) -> list[Any]:
    reading = pair.relevance()
    if reading.data is None:
        return [defect for defect in reading.defects if defect.severity is Severity.ERROR]
    return [defect for defect in pair.lists().defects if defect.severity is Severity.ERROR]


def test_every_case_is_compared() -> None:
    assert len(CASES) == 27
    assert len(SOUND) + len(MALFORMED) == 27


def test_every_recorded_measure_is_declared() -> None:
    for case in SOUND:
        for name in case["pytrec_eval"]["mean"]:
            assert TASK.metric(name).name == name
