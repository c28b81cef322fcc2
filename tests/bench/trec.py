"""Speed of scoring trec_eval files compared with pytrec_eval, which parses and measures the same.

`python tests/bench/trec.py [--lines 1000000 10000000] [--rounds 3]` generates a run and a tenth as
many judgements, runs both programs in cold processes, alternating, and prints medians. Ours is
the whole `jurydesk score`: it also finds defects, draws curves, hashes the inputs and computes
bootstrap intervals. The last table is of a small pair (2,000 lines), read and scored repeatedly
in one process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytrec_eval
from usage import Usage, in_turn, of_process, table

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_task import TASK

ROOT = Path(__file__).parent.parent.parent
DEPTH = 1000
SMALL = 2000
MEASURES = (
    "map P recall success ndcg ndcg_cut recip_rank Rprec bpref iprec_at_recall 11pt_avg "
    "num_q num_ret num_rel num_rel_ret"
)
PEER = f"""
import sys, pytrec_eval
with open(sys.argv[1]) as stream:
    judged = pytrec_eval.parse_qrel(stream)
with open(sys.argv[2]) as stream:
    run = pytrec_eval.parse_run(stream)
found = pytrec_eval.RelevanceEvaluator(judged, set("{MEASURES}".split())).evaluate(run)
for name in next(iter(found.values())):
    pytrec_eval.compute_aggregated_measure(name, [values[name] for values in found.values()])
"""


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-") as name:
        judged, run = Path(name) / "judged.txt", Path(name) / "run.txt"
        for lines in chosen.lines:
            write_pair(judged, run, lines, DEPTH)
            print(f"{lines:,} lines ({run.stat().st_size / 1e6:.0f} MB), a tenth judged")
            compare_processes(judged, run, chosen.rounds)
        write_pair(judged, run, SMALL, 100)
        print(f"{SMALL:,} lines inside a running process, {20 * chosen.rounds} times")
        compare_calls(judged, run, 20 * chosen.rounds)


def compare_processes(judged: Path, run: Path, rounds: int) -> None:
    """Run the two programs in turn, each in a cold process."""
    peer = [sys.executable, "-c", PEER, str(judged), str(run)]
    ours = [sys.executable, "-m", "jurydesk", "score", "keyword-spotting", "--quiet"]
    ours += ["--relevance", str(judged), "--results", str(run)]
    compare(
        {
            "pytrec_eval": lambda: of_process(peer),
            "jurydesk score": lambda: of_process(ours),
        },
        rounds,
    )


def compare_calls(judged: Path, run: Path, rounds: int) -> None:
    """Call the two in turn; the first calls of each do not count."""
    programs = {
        "pytrec_eval": lambda: measured_call(lambda: peer_scores(judged, run)),
        "jurydesk": lambda: measured_call(lambda: own_scores(judged, run)),
    }
    for program in programs.values():
        for _ in range(5):
            program()
    compare(programs, rounds)


def compare(programs: Mapping[str, Callable[[], Usage]], rounds: int) -> None:
    """Print the medians of each program, and the ratio of the first to the second."""
    peer, ours = table(in_turn(programs, rounds))
    print(
        f"{peer.wall / ours.wall:.2f} times faster on the clock, {peer.cpu / ours.cpu:.2f} in CPU"
    )
    print()


def measured_call(call: Callable[[], object]) -> Usage:
    """Return the time of a call in this thread."""
    wall, cpu = time.perf_counter(), time.thread_time()
    call()
    return Usage(time.perf_counter() - wall, time.thread_time() - cpu)


def peer_scores(judged: Path, run: Path) -> dict[str, float]:
    """Return all means, computed by pytrec_eval."""
    with judged.open() as stream:
        qrels = pytrec_eval.parse_qrel(stream)
    with run.open() as stream:
        ranked = pytrec_eval.parse_run(stream)
    found = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.split())).evaluate(ranked)
    mean = pytrec_eval.compute_aggregated_measure
    names = next(iter(found.values()))
    return {name: mean(name, [values[name] for values in found.values()]) for name in names}


def own_scores(judged: Path, run: Path) -> dict[str, float]:
    """Return all means, computed by our readers and measures, with the curves."""
    options, work = KeywordSpottingOptions(), Run()
    relevance = TASK.readers.read_references({"relevance": [judged]}, options, work).data
    assert relevance is not None
    lists = TASK.readers.read_submission(run, relevance, options, work).data
    assert lists is not None
    evaluation = TASK.scoring.evaluate(relevance, lists, options, work)
    return {score.metric: score.value for score in evaluation.scores}


def write_pair(judged: Path, run: Path, lines: int, depth: int) -> None:
    """Write a run of queries with `depth` documents each, and a tenth as many judgements.

    Six of ten judged documents are listed; two of five are relevant, one of them highly.
    """
    dice = np.random.default_rng(1)
    per_query = depth // 10
    listed = per_query * 6 // 10
    with run.open("w") as runs, judged.open("w") as judgements:
        for query in range(1, lines // depth + 1):
            names = dice.choice(10_000_000, depth + per_query, replace=False)
            scores = np.sort(np.round(dice.normal(0, 10, depth), 4))[::-1]
            ranked = zip(names[:depth].tolist(), scores.tolist(), strict=True)
            runs.writelines(
                f"{query} Q0 DOC-{name:08d} {rank} {score:.4f} bench\n"
                for rank, (name, score) in enumerate(ranked, 1)
            )
            chosen = dice.choice(names[:depth], listed, replace=False)
            pool = [*chosen.tolist(), *names[depth + listed :].tolist()]
            judgements.writelines(
                f"{query} 0 DOC-{name:08d} {grade}\n"
                for name, grade in zip(pool, dice.choice([0, 0, 0, 1, 2], len(pool)), strict=True)
            )


if __name__ == "__main__":
    main()
