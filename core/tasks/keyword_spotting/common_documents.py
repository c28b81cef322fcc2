"""Results whose items are not judged, or are spelled otherwise, and what the ids differ in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from jurydesk.core.language import counted, fill, reason, translatable
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.tasks.keyword_spotting.icfhr.icfhr_lists import XmlLists
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists
from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import TrecLists

SAMPLED_QUERIES = 20
SAMPLED_NAMES = 200
LEAST_SHARE = 0.1
"""Least share of the missed relevant documents, in a sample, that are spelled otherwise."""
USUAL_SHARE = 0.5
"""Share of found relevant documents from which names are not looked at: the file is read again."""
NEAR = 3
"""Largest difference of a coordinate, in pixels, of boxes that are taken for the same."""

Spelling = Callable[[str], str]


def _decode_latin(name: str) -> str:
    """Return a name whose bytes that are no UTF-8 are written out, read as Latin-1."""
    return re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), name)


SPELLINGS: Mapping[str, Spelling] = {
    translatable("capital letters"): str.casefold,
    translatable("a decimal point"): lambda name: re.sub(r"^([-+]?\d+)\.0+$", r"\1", name),
    translatable("leading zeros"): lambda name: re.sub(r"(?<!\d)0+(?=\d)", "", name),
    translatable("a suffix"): lambda name: re.sub(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{1,4}$", "", name),
    translatable("a folder"): lambda name: re.split(r"[/\\]", name)[-1],
    translatable("the Unicode form"): lambda name: unicodedata.normalize("NFC", name),
    translatable("the encoding (Latin-1)"): _decode_latin,
}
"""Differences between ids, and what removes them."""


def document_name_defects(lists: RankedLists) -> Iterator[Defect]:
    """Yield a warning if no listed item is judged, or relevant ones are spelled otherwise."""
    hits = lists.hits("published")
    if not hits.listed.any() or not len(hits.judged_gains):
        return
    queries = np.flatnonzero(hits.listed > 0)[:SAMPLED_QUERIES]
    if isinstance(lists, XmlLists):
        if not len(hits.ranks):
            yield from _word_defects(lists, queries.tolist())
        return
    assert isinstance(lists, TrecLists)  # noqa: S101 - the only other kind
    if hits.relevant.sum() >= USUAL_SHARE * hits.judged_relevant.sum():
        return
    listed = lists.listed_names(queries, SAMPLED_NAMES)
    if not len(hits.ranks):
        judged = [lists.judged_names(query) for query in queries.tolist()]
        yield _unjudged_defect(lists.path, int(lists.listed.sum()), listed, judged)
        return
    yield from _other_spelling_defects(lists, queries.tolist(), listed)


def _other_spelling_defects(
    lists: TrecLists, queries: Sequence[int], listed: Sequence[Sequence[str]]
) -> Iterator[Defect]:
    """Yield a warning if many missed relevant documents are listed under another spelling."""
    own, missed = list[list[str]](), list[list[str]]()
    for query, names in zip(queries, listed, strict=True):
        judged = set(lists.judged_names(query))
        own.append([name for name in names if name not in judged])
        known = set(names)
        missed.append([one for one in lists.judged_names(query, relevant=True) if one not in known])
    found = _example(own, missed)
    if found is None:
        return
    difference, one, other, count = found
    if count >= LEAST_SHARE * sum(map(len, missed)):
        yield warning(
            Place(lists.path),
            fill(
                'Relevant documents have another spelling: "{own}" here, "{its}" in the '
                "relevance file.",
                one,
                other,
            ),
            "They count as not found.",
            reason("They differ in {difference}.", difference),
        )


def _unjudged_defect(
    path: str, count: int, listed: Sequence[Sequence[str]], judged: Sequence[Sequence[str]]
) -> Defect:
    """Return the warning for the names of each query, with an example of either side."""
    found = _example(listed, judged)
    own, its = next((one[0] for one in listed if one), ""), next((o[0] for o in judged if o), "")
    hint = "Check that both files name the documents alike."
    if found is not None:
        difference, own, its, _ = found
        hint = reason("They differ in {difference}.", difference)
    return warning(
        Place(path),
        fill(
            'None of the {documents} is judged: "{own}" here, "{its}" in the relevance file.',
            counted(count, "listed document"),
            own,
            its,
        ),
        "All of them count as not relevant.",
        hint,
    )


def _example(
    listed: Sequence[Sequence[str]], judged: Sequence[Sequence[str]]
) -> tuple[str, str, str, int] | None:
    """Return the difference whose removal makes most names equal, two of them, and how many."""
    best: tuple[str, str, str, int] | None = None
    for difference, spelling in (*SPELLINGS.items(), (translatable("several of these"), _plain)):
        pairs = [
            (name, plain[spelled])
            for own, its in zip(listed, judged, strict=True)
            for plain in ({spelling(name): name for name in its},)
            for name in own
            if (spelled := spelling(name)) in plain
        ]
        if pairs and (best is None or len(pairs) > best[3]):
            best = difference, *pairs[0], len(pairs)
    return best


def _plain(name: str) -> str:
    for spelling in (_decode_latin, *SPELLINGS.values()):
        name = spelling(name)
    return name


def _word_defects(lists: XmlLists, queries: Sequence[int]) -> Iterator[Defect]:
    """Yield the warning for words whose documents, or only whose boxes, are not judged."""
    names = [lists.names_of(query) for query in queries]
    if not any(set(own) & set(its) for own, its in names):
        listed, judged = [one for one, _ in names], [other for _, other in names]
        yield _unjudged_defect(lists.path, lists.count, listed, judged)
        return
    nearest = min(
        (found for query in queries if (found := lists.nearest_boxes(query)) is not None),
        default=None,
    )
    hint = "Check that both files have the same boxes."
    own = its = ""
    if nearest is not None:
        distance, own, its = nearest
        if distance <= NEAR:
            hint = reason("They differ by {pixels} at most.", counted(distance, "pixel"))
    yield warning(
        Place(lists.path),
        fill(
            "None of the {words} has a judged box: {own} here, {its} in the relevance file.",
            counted(lists.count, "listed word"),
            own,
            its,
        ),
        "All of them count as not relevant.",
        hint,
    )
