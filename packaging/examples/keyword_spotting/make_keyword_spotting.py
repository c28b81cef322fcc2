"""Make the example of keyword spotting: `python packaging/examples/make.py keyword_spotting`.

Six pages of an invented letter-book, eleven words that are searched on them, and three systems.
Everything in it is our own: the letters are in `letters.txt`, the pages
are drawn by rule, and the systems compare texts and guess. Running it again gives the same files.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from keyword_spotting.handwriting import Box, Page
from PIL import Image

HERE = Path(__file__).parent
LETTERS = HERE / "letters.txt"
TITLE = "The harbour letters"
ABOUT = (
    "Six pages of an invented letter-book, eleven words to find on them, and three systems. "
    "The folder trec_eval holds the first system in trec_eval's format."
)

WIDTH, HEIGHT = 740, 470
MARGIN, FIRST_LINE, LINE, SPACE = 36, 56, 46, 14
LISTED = 40
"""Every system lists so many words for a query."""
SAME, RELATED = "1", "0.8"

QUERIES: Mapping[str, Sequence[str]] = {
    "anchor": (),
    "barrel": ("barrels",),
    "captain": ("captains",),
    "harbour": (),
    "herring": ("herrings",),
    "lantern": (),
    "letter": ("letters",),
    "rope": ("ropes",),
    "ship": ("ships",),
    "storm": ("storms",),
    "tide": ("tides",),
}
"""What is searched, and other forms of the word that are nearly as good an answer."""

Ranking = Mapping[str, Sequence["Word"]]


@dataclass(frozen=True, slots=True)
class Word:
    """Word of the letter-book: its page, number, box and text."""

    page: str
    number: int
    box: Box
    text: str

    @property
    def docno(self) -> str:
        """Name in trec_eval's format."""
        return f"{self.page}-{self.number:02}"

    def tag(self, **more: str) -> str:
        """Tag in the format of ICFHR 2014."""
        names = ("x", "y", "width", "height")
        box = dict(zip(names, map(str, self.box), strict=True))
        attributes = {"document": self.page, **box, **more}
        text = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
        return f"    <word {text} />"


@dataclass(frozen=True, slots=True)
class System:
    """System whose similarities have an error of `blur`."""

    name: str
    blur: float
    seed: int
    forgets: str = ""
    stutters: str = ""


SYSTEMS = (
    System("stroke-matcher", 0.21, 21),
    System("word-shapes", 0.29, 22),
    System("column-profiles", 0.36, 23, forgets="anchor", stutters="ship"),
)


def pages() -> dict[str, list[str]]:
    """Return the lines of every page by name."""
    blocks = LETTERS.read_text(encoding="utf-8").strip().split("\n\n")[1:]
    return {f"letters_{n:03}": block.split("\n") for n, block in enumerate(blocks, start=1)}


def write_page(name: str, lines: Sequence[str], seed: int) -> tuple[Image.Image, list[Word]]:
    """Return a handwritten page, and its words in reading order."""
    rng = random.Random(seed)  # noqa: S311 - a drawing, no secret
    page = Page(WIDTH, HEIGHT, rng)
    words: list[Word] = []
    for row, line in enumerate(lines):
        base = FIRST_LINE + row * LINE
        page.rule(base + 3)
        x = MARGIN + rng.uniform(-6, 6)
        for text in line.split():
            written = page.write(text, x, base + rng.uniform(-1.5, 1.5))
            words.append(Word(name, len(words) + 1, written.box, text))
            x = written.box[0] + written.box[2] + SPACE + rng.uniform(-2, 2)
    return page.picture(), words


def relevant(words: Iterable[Word], query: str) -> list[tuple[Word, str]]:
    """Return the words that are relevant to a query, with their relevance."""
    grades = {query: SAME, **dict.fromkeys(QUERIES[query], RELATED)}
    return [(word, grades[word.text]) for word in words if word.text in grades]


def likeness(one: str, other: str) -> float:
    """Return the Dice coefficient of the letter bigrams of two words."""
    first, second = (
        {f"^{text}$"[at : at + 2] for at in range(len(text) + 1)} for text in (one, other)
    )
    return 2 * len(first & second) / (len(first) + len(second))


def ranking(system: System, words: Sequence[Word]) -> dict[str, list[Word]]:
    """Return a system's ranked list for each answered query."""
    rng = random.Random(system.seed)  # noqa: S311 - a guess, no secret
    lists: dict[str, list[Word]] = {}
    for query in QUERIES:
        scored = [(likeness(query, word.text) + rng.gauss(0, system.blur), word) for word in words]
        scored.sort(key=lambda pair: -pair[0])
        listed = [word for _, word in scored[:LISTED]]
        if query == system.stutters:
            listed.insert(3, listed[0])
        if query != system.forgets:
            lists[query] = listed
    return lists


def judgements_xml(words: Sequence[Word]) -> str:
    """Return the relevance file."""
    blocks = {
        query: [word.tag(Text=word.text, Relevance=grade) for word, grade in relevant(words, query)]
        for query in QUERIES
    }
    return _xml("GroundTruthRelevanceJudgements", "GTRel", blocks)


def results_xml(lists: Ranking) -> str:
    """Return a result file."""
    blocks = {query: [word.tag() for word in listed] for query, listed in lists.items()}
    return _xml("RelevanceListings", "Rel", blocks)


def _xml(root: str, block: str, blocks: Mapping[str, Sequence[str]]) -> str:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<{root}>"]
    for query, tags in blocks.items():
        lines += [f'  <{block} queryid="{query}">', *tags, f"  </{block}>"]
    return "\n".join([*lines, f"</{root}>", ""])


def qrels(words: Sequence[Word]) -> str:
    """Return the relevance file in trec_eval's format: 2 for the word itself, 1 for other forms."""
    return "".join(
        f"{query} 0 {word.docno} {2 if grade == SAME else 1}\n"
        for query in QUERIES
        for word, grade in relevant(words, query)
    )


def trec_run(system: System, lists: Ranking) -> str:
    """Return a result file in trec_eval's format; the score falls with the rank."""
    return "".join(
        f"{query} Q0 {word.docno} {rank} {1 - rank / 100:.2f} {system.name}\n"
        for query, listed in lists.items()
        for rank, word in enumerate(listed, start=1)
    )


def files(words: Sequence[Word]) -> dict[str, str]:
    """Return the text files by their paths in the folder."""
    lists = {system: ranking(system, words) for system in SYSTEMS}
    results = {f"{system.name}.xml": results_xml(found) for system, found in lists.items()}
    best = SYSTEMS[0]
    manifest = {
        "title": TITLE,
        "task": "keyword-spotting",
        "inputs": {"relevance": ["relevance.xml"], "results": list(results), "images": ["images"]},
        "about": ABOUT,
    }
    return {
        "example.json": json.dumps(manifest, indent=1, ensure_ascii=False) + "\n",
        "relevance.xml": judgements_xml(words),
        **results,
        "trec_eval/relevance.qrels": qrels(words),
        f"trec_eval/{best.name}.run": trec_run(best, lists[best]),
    }


def make(folder: Path) -> None:
    """Write the whole competition into a folder."""
    for part in ("images", "trec_eval"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    words: list[Word] = []
    for seed, (name, lines) in enumerate(pages().items()):
        picture, written = write_page(name, lines, seed)
        picture.save(folder / "images" / f"{name}.png", optimize=True)
        words += written
    for path, text in files(words).items():
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
