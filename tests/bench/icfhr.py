"""Speed of scoring a large ICFHR 2014 result file compared with a bare expat pass over it.

`python tests/bench/icfhr.py [--queries 320] [--words 5000] [--rounds 5]` generates result files for
the relevance file of the competition (or for one of its size, if it is not available), runs both
programs in cold processes, alternating, and prints medians. The expat pass alone takes as long as
rusteval.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from usage import in_turn, of_process, table

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_reader import read_word_judgements
from jurydesk.core.tasks.keyword_spotting.icfhr.words import Judgements

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("JURYDESK_DATA", ROOT.parent / "shared" / "data"))
BENTHAM = SHARED / "icfhr2014" / "TRACK_I_Bentham_ICFHR2014.RelevanceJudgements.xml"
EXPAT_PASS = """
import sys
from xml.parsers import expat
parser = expat.ParserCreate()
parser.StartElementHandler = lambda name, attributes: None
with open(sys.argv[1], "rb") as stream:
    parser.ParseFile(stream)
"""
WORD = '<word document="{}" x="{}" y="{}" width="{}" height="{}" />'
RESULTS_HEAD = (
    '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<RelevanceListings '
    'xmlns:xsd="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
)

Words = Callable[[random.Random, int], Sequence[str]]


def main() -> None:
    """Generate, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=320)
    parser.add_argument("--words", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jurydesk-bench-", dir="/tmp") as name:
        folder = Path(name)
        relevance = BENTHAM if BENTHAM.exists() else written_relevance(folder, chosen.queries)
        judgements = read_word_judgements(relevance, Run()).data
        assert judgements is not None
        cases = {
            "every query ranks the same words": same_words(judgements, chosen.words),
            "all words are distinct": distinct_words(judgements),
        }
        for title, words in cases.items():
            results = folder / "results.xml"
            write_results(results, judgements.queries[: chosen.queries], words, chosen.words)
            print(f"{title}: {results.stat().st_size / 1e6:.0f} MB")
            compare(relevance, results, chosen.rounds)


def compare(relevance: Path, results: Path, rounds: int) -> None:
    """Run the two programs alternately; print a line for each, and the ratio."""
    expat = [sys.executable, "-c", EXPAT_PASS, str(results)]
    ours = [sys.executable, "-m", "jurydesk.core.cli", "score", "keyword-spotting", "--quiet"]
    ours += ["--relevance", str(relevance), "--results", str(results)]
    usages = in_turn(
        {
            "bare expat pass": lambda: of_process(expat),
            "jurydesk score": lambda: of_process(ours),
        },
        rounds,
    )
    table(usages)
    ratios = [peer.cpu / own.cpu for peer, own in zip(*usages.values(), strict=True)]
    print(f"{statistics.median(ratios):.2f} times faster in CPU seconds\n")


def same_words(judgements: Judgements, count: int) -> Words:
    """Return results of a method that ranks the same words for every query: few distinct lines."""
    words = judgements.words
    rows = zip(words.names(), words.boxes.tolist(), strict=True)
    tags = {WORD.format(name, *box) for name, box in rows}
    pages = distinct_words(judgements)
    collection = sorted(tags) + list(pages(random.Random(1), max(0, count - len(tags))))
    return lambda rng, length: rng.sample(collection, length)


def distinct_words(judgements: Judgements) -> Words:
    """Return results of a method that proposes new boxes for every query: few lines occur twice."""
    pages = judgements.words.documents

    def words(rng: random.Random, length: int) -> Sequence[str]:
        return [
            WORD.format(
                rng.choice(pages),
                rng.randrange(3000),
                rng.randrange(4000),
                rng.randrange(50, 500),
                rng.randrange(50, 200),
            )
            for _ in range(length)
        ]

    return words


def write_results(path: Path, queries: Sequence[str], words: Words, length: int) -> None:
    """Write a result file like the competition's programs: BOM, CRLF, one word per line."""
    rng = random.Random(2014)
    with path.open("w", encoding="utf-8", newline="\r\n") as stream:
        stream.write(RESULTS_HEAD)
        for query in queries:
            lines = "\n    ".join(words(rng, length))
            stream.write(f'  <Rel queryid="{query}">\n    {lines}\n  </Rel>\n')
        stream.write("</RelevanceListings>\n")


def written_relevance(folder: Path, queries: int) -> Path:
    """Write a relevance file as large as the competition's: 13 words for each query."""
    rng = random.Random(14)
    path = folder / "relevance.xml"
    path.write_text("\n".join(relevance_lines(rng, queries)), encoding="utf-8")
    return path


def relevance_lines(rng: random.Random, queries: int) -> Iterator[str]:
    """Yield the lines of a relevance file."""
    yield "<GroundTruthRelevanceJudgements>"
    for query in range(queries):
        yield f'<GTRel queryid="q{query:04}">'
        for _ in range(13):
            page, box = f"page_{rng.randrange(370):03}", (rng.randrange(3000), rng.randrange(4000))
            tag = WORD.format(page, *box, rng.randrange(50, 500), rng.randrange(50, 200))
            yield tag.replace(" />", ' Relevance="1" />')
        yield "</GTRel>"
    yield "</GroundTruthRelevanceJudgements>"


if __name__ == "__main__":
    main()
