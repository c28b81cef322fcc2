from __future__ import annotations

from pathlib import Path

from jurydesk.core.model.defects import Severity
from support.files.trec import judgement_lines, result_lines, write_pair

QUERIES = [f"q{number}" for number in range(12)]
JUDGED = {query: {"a": 1, "b": 1, "c": 0} for query in QUERIES}


def warnings_of(folder: Path, **lists: list[tuple[str, float]]) -> list[str]:
    """Return the warnings about a system without errors, except in the queries given."""
    flawless = [("b", 3.0), ("a", 2.0), ("x", 1.0)]
    listed = {query: lists.get(query, flawless) for query in QUERIES}
    pair = write_pair(folder, judgement_lines(JUDGED), result_lines(listed))
    defects = pair.evaluation().defects
    return [one.found for one in defects if one.severity is Severity.WARNING]


def test_a_system_without_errors_is_reported(tmp_path: Path) -> None:
    assert warnings_of(tmp_path) == [
        "In all 12 queries every relevant item is ranked above all others."
    ]


def test_one_error_prevents_the_warning(tmp_path: Path) -> None:
    assert warnings_of(tmp_path, q3=[("x", 3.0), ("a", 2.0), ("b", 1.0)]) == []
