"""A desk of trec_eval's runs whose only relevant document of each query has a given rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jurydesk.core.cli import main


def write_run(path: Path, ranks: Sequence[int | None]) -> None:
    """Write a run in which the relevant document of each query has this rank; None: no answer."""
    lines = [
        f"q{query:03d} Q0 {'rel' if place == rank else f'd{place}'} {place} {20 - place} t"
        for query, rank in enumerate(ranks)
        if rank is not None
        for place in range(1, rank + 1)
    ]
    path.write_text("\n".join(lines) + "\n")


def score_runs(
    folder: Path, runs: Mapping[str, Sequence[int | None]], groups: Sequence[str] | None = None
) -> Path:
    """Score runs, given by name as the ranks of the relevant documents, and return their desk."""
    queries = len(next(iter(runs.values())))
    relevance, desk, more = folder / "relevance.txt", folder / "board.jurydesk", []
    relevance.write_text("".join(f"q{query:03d} 0 rel 1\n" for query in range(queries)))
    for name, ranks in runs.items():
        write_run(folder / f"{name}.txt", ranks)
    if groups is not None:
        lines = (f"q{query:03d}\t{group}\n" for query, group in enumerate(groups))
        (folder / "groups.tsv").write_text("".join(lines))
        more = ["--groups", str(folder / "groups.tsv")]
    files = [str(folder / f"{name}.txt") for name in runs]
    given = ["--relevance", str(relevance), "--results", *files, "--desk", str(desk), *more]
    assert main(["score", "keyword-spotting", *given]) == 0
    return desk
