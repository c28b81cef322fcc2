"""Evaluator of image-text retrieval: ranks in both directions, over folds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.language import Message, counted, fill, join_messages, round_number, translatable
from jurydesk.core.metrics.retrieval_ranks import (
    CUTOFFS,
    QueryRanks,
    best_candidates,
    fold_ranges,
    rank_both,
)
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import (
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    Score,
)
from jurydesk.core.model.evidence_columns import ColumnEvidence, EvidenceColumn, EvidenceColumns
from jurydesk.core.tasks.retrieval.direction import Direction
from jurydesk.core.tasks.retrieval.pairs import RetrievalReferences, Similarities, caption_names
from jurydesk.core.tasks.retrieval.retrieval_evidence import RetrievalEvidence
from jurydesk.core.tasks.retrieval.retrieval_figures import query_figures
from jurydesk.core.tasks.retrieval.retrieval_metrics import (
    METRICS,
    RECALLS,
    TITLES,
    median_rank,
)
from jurydesk.core.tasks.retrieval.retrieval_options import RetrievalOptions
from jurydesk.core.tasks.retrieval.similarity_reader import VSEPP_CAPTIONS
from jurydesk.core.tasks.retrieval.trec_export import write_rankings

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SHOWN_CANDIDATES = 10
NOTICEABLE = 0.01
"""Range of a recall over the orders of ties from which there is a warning."""
MISTAKE = 0.1
"""Difference of R@1 from which another order of the captions is suspected."""


def evaluate(
    references: RetrievalReferences,
    similarities: Similarities,
    options: RetrievalOptions,
    run: Run,
) -> Evaluation:
    """Rank captions for every image and images for every caption."""
    both = _directions(similarities, options, run)
    hubs = _times_first(both)
    queries = np.flatnonzero(~np.isnan(both[0].ranks.rank))
    kept = both[0].select(queries), both[1]
    items = _items(references, similarities, kept, queries, hubs, options)
    defects = [*scoring_remarks(references, similarities, options, run)]
    defects += _defects(references, similarities, kept)
    defects += _caption_note(similarities, kept, options, run)
    if options.export_trec:
        folder = Path(options.export_trec)
        defects += write_rankings(similarities, int(options.folds), folder, run)
    return Evaluation(
        "retrieval",
        "",
        options.profile,
        tuple(_scores(items, options)),
        items,
        figures=tuple(query_figures(kept, hubs)),
        defects=tuple(defects),
    )


def _directions(
    similarities: Similarities, options: RetrievalOptions, run: Run
) -> tuple[Direction, Direction]:
    """Rank in every fold; queries are in the order of the images, and of the pairs' captions."""
    pairs, folds = similarities.pairs, int(options.folds)
    parts: list[tuple[QueryRanks, QueryRanks]] = []
    orders, first_captions = [], []
    for first, stop in fold_ranges(pairs.images, folds):
        gallery = similarities.gallery(first, stop)
        report = partial(_report, run, first, pairs.images)
        positions = np.argsort(np.argsort(gallery.order, kind="stable"), kind="stable")
        parts.append(rank_both(gallery, positions, options.order, report))
        orders.append(gallery.order)
        first_captions.append(first)
    owner, captions = pairs.image_of_caption, np.concatenate(orders)
    size = pairs.images // folds
    images = np.arange(pairs.images)
    i2t = Direction("i2t", _join([one for one, _ in parts]), images // size, images, options)
    # Indices of candidates count within their fold; captions are sorted by image.
    place = np.empty(len(captions), np.int64)
    place[captions] = np.arange(len(captions))
    offsets = np.repeat(np.cumsum([0, *map(len, orders[:-1])]), size)
    i2t.ranks.top[:] = captions[i2t.ranks.top + offsets]
    t2i = _join([other for _, other in parts])
    t2i.top[:] += np.repeat(first_captions, list(map(len, orders)))
    t2i = QueryRanks(*(getattr(t2i, name)[place] for name in QueryRanks.__slots__))
    return i2t, Direction("t2i", t2i, owner // size, owner, options)


def _report(run: Run, first: int, images: int, done: int) -> None:
    run.report(first + done, images, translatable("ranking candidates"))


def _join(parts: list[QueryRanks]) -> QueryRanks:
    fields = QueryRanks.__slots__
    return QueryRanks(*(np.concatenate([getattr(one, name) for one in parts]) for name in fields))


def _times_first(both: tuple[Direction, Direction]) -> tuple[IntArray, IntArray]:
    """Return how often each image and each caption is ranked first."""
    i2t, t2i = both
    return (
        np.bincount(t2i.ranks.top, minlength=len(i2t.ranks.top)),
        np.bincount(i2t.ranks.top, minlength=len(t2i.ranks.top)),
    )


def _items(
    references: RetrievalReferences,
    similarities: Similarities,
    both: tuple[Direction, Direction],
    queries: IntArray,
    hubs: tuple[IntArray, IntArray],
    options: RetrievalOptions,
) -> ItemTable:
    names = _names(references, similarities)
    counts = [len(one.fold) for one in both]
    columns: dict[str, FloatArray] = {}
    for number, direction in enumerate(both):
        for name, values in direction.columns().items():
            columns[name] = np.full(sum(counts), np.nan)
            start = number * counts[0]
            columns[name][start : start + counts[number]] = values

    def join(name: str) -> FloatArray:
        return np.concatenate([getattr(one.ranks, name) for one in both]).astype(np.float64)

    folds = np.concatenate([one.fold for one in both]) + 1.0
    own, foreign = join("own"), join("best_foreign")
    margin = np.subtract(own, foreign, out=np.full(len(own), np.nan), where=own != foreign)
    margin[own == foreign] = 0.0
    columns = {
        "rank": join("rank") + 1.0,
        "rank_best": join("greater") + 1.0,
        "rank_worst": join("worst") + 1.0,
        "fold": folds,
        "rsum": _shares(columns, folds, options.printed_by),
        **columns,
        "similarity": own,
        "foreign": foreign,
        "margin": margin,
        "times_first": np.concatenate([hubs[0][queries], hubs[1]]).astype(np.float64),
        GROUP: np.concatenate([one.image for one in both]).astype(np.float64),
    }
    ids = (*(names[0][image] for image in queries.tolist()), *names[1])
    build = partial(_evidence, references, similarities, queries, names, int(options.folds))
    return ItemTable(ids, columns, ColumnEvidence(build, RetrievalEvidence.from_row), "query")


def _names(
    references: RetrievalReferences, similarities: Similarities
) -> tuple[list[str], list[str]]:
    pairs = similarities.pairs
    if references.image_ids:
        captions = caption_names(pairs.image_of_caption.tolist(), references.image_ids)
        return [f"image {one}" for one in references.image_ids], [
            f"caption {one}" for one in captions
        ]
    images = [f"image {number}" for number in range(pairs.images)]
    return images, [f"caption {number}" for number in pairs.columns.tolist()]


def _evidence(
    references: RetrievalReferences,
    similarities: Similarities,
    queries: IntArray,
    names: tuple[list[str], list[str]],
    folds: int,
) -> tuple[EvidenceColumns]:
    """Return the evidence columns: the best candidates are found when they are stored."""
    pairs = similarities.pairs
    texts = [references.texts[column] if references.texts else "" for column in pairs.columns]
    files = list(references.image_files) or [""] * pairs.images
    own = [[] for _ in range(pairs.images)]  # type: list[list[int]]
    for caption, image in enumerate(pairs.image_of_caption.tolist()):
        own[image].append(caption)
    best = _best_of_folds(similarities, folds)
    rows: dict[str, list[list[str]]] = {
        "own": [[names[1][one] for one in own[image]] for image in queries.tolist()],
        "own_texts": [[texts[one] for one in own[image]] for image in queries.tolist()],
    }
    rows["own"] += [[names[0][image]] for image in pairs.image_of_caption.tolist()]
    rows["own_texts"] += [[""]] * len(texts)
    of_images = [best[0][0][image] for image in queries.tolist()]
    rows["names"] = [[names[1][one] for one in found] for found in of_images]
    rows["names"] += [[names[0][one] for one in found] for found in best[1][0]]
    rows["texts"] = [[texts[one] for one in found] for found in of_images]
    rows["texts"] += [[""] * len(found) for found in best[1][0]]
    rows["pictures"] = [[""] * len(found) for found in of_images]
    rows["pictures"] += [[files[one] for one in found] for found in best[1][0]]
    values = [best[0][1][image] for image in queries.tolist()] + best[1][1]
    columns = {
        "name": EvidenceColumn.texts([*(names[0][image] for image in queries.tolist()), *names[1]]),
        "text": EvidenceColumn.texts([*([""] * len(queries)), *texts]),
        "picture": EvidenceColumn.texts(
            [*(files[image] for image in queries.tolist()), *([""] * len(texts))]
        ),
        **{name: _lists(lists) for name, lists in rows.items()},
        "similarities": EvidenceColumn(
            np.concatenate(values).astype(np.float32), np.array([len(one) for one in values])
        ),
    }
    return (EvidenceColumns(columns),)


def _lists(lists: list[list[str]]) -> EvidenceColumn:
    lengths = np.array([len(one) for one in lists], np.int64)
    return EvidenceColumn.texts([text for one in lists for text in one], lengths)


Best = tuple[list[list[int]], list[FloatArray]]


def _best_of_folds(similarities: Similarities, folds: int) -> tuple[Best, Best]:
    """Return the best candidates of every image and of every caption, and their similarities."""
    pairs = similarities.pairs
    images: Best = ([], [])
    captions: Best = ([[]] * len(pairs.columns), [np.empty(0)] * len(pairs.columns))
    for first, stop in fold_ranges(pairs.images, folds):
        gallery = similarities.gallery(first, stop)
        (index, value), (image, similarity) = best_candidates(
            gallery, SHOWN_CANDIDATES, lambda done: None
        )
        images[0].extend(gallery.order[index].tolist())
        images[1].extend(value)
        for caption, found, values in zip(
            gallery.order.tolist(), image + first, similarity, strict=True
        ):
            captions[0][caption], captions[1][caption] = found.tolist(), values
    return images, captions


def _scores(items: ItemTable, options: RetrievalOptions) -> Iterator[Score]:
    """Yield the scores: means over folds of their means and medians."""
    folds = items.columns["fold"]
    for info in METRICS:
        ranks = info.name.replace("medr", "meanr")
        column = items.columns[ranks]
        defined = ~np.isnan(column)
        known = int(defined.sum())
        if ranks != info.name:
            rounded = not options.corrected
            value = median_rank(column[defined], folds[defined], rounded=rounded)
            yield Score(info.name, value, known)
            continue
        numbers = np.unique(folds[defined])
        means = [float(column[defined & (folds == fold)].mean()) for fold in numbers]
        value = math.fsum(means) / len(means) if means else math.nan
        yield Score(info.name, value, known, float(np.nanstd(column)))


def _shares(columns: Mapping[str, FloatArray], folds: FloatArray, printed_by: str) -> FloatArray:
    """Return each query's share of the sum of recalls, of which the sum is the mean.

    The queries of both directions and of all folds differ in number. VSE++ prints six times the
    sum, SCAN six times the mean of the three recalls of image to text.
    """
    names = RECALLS[: len(CUTOFFS)] if printed_by == "scan" else RECALLS
    factor = {"": 1.0, "vsepp": 6.0, "scan": 6.0 / len(CUTOFFS)}[printed_by]
    total = np.zeros(len(folds))
    numbers = np.unique(folds)
    for name in names:
        defined = ~np.isnan(columns[name])
        for fold in numbers:
            chosen = defined & (folds == fold)
            weight = len(folds) / (len(numbers) * max(int(chosen.sum()), 1))
            total[chosen] += 100.0 * factor * weight * columns[name][chosen]
    return total


def scoring_remarks(
    references: RetrievalReferences,
    similarities: Similarities,
    options: RetrievalOptions,
    run: Run,
) -> Iterator[Defect]:
    """Yield what the arrays cannot show: the order of the captions, and the folds."""
    place = Place(similarities.path)
    if references.image_ids:
        text = "Captions are read image by image, in the order of {name}."
        if options.captions_order == "file":
            text = "Images and captions are read in the order of {name}."
        yield note(place, fill(text, references.named_by), "The arrays cannot show their order.")
    if int(options.folds) > 1:
        sentence = "The values are means over five folds of {images}, each with its own gallery."
        size = counted(similarities.pairs.images // int(options.folds), "image")
        hint = "VSE++ prints six times this sum of recalls as its overall rsum."
        yield note(place, fill(sentence, size), hint)


def _defects(
    references: RetrievalReferences, similarities: Similarities, both: tuple[Direction, Direction]
) -> Iterator[Defect]:
    place = Place(similarities.path)
    for direction in both:
        yield from _tie_defects(direction, place)
    if not references.named_by:
        yield from _order_warning(similarities, both[1], place)


def _tie_defects(direction: Direction, place: Place) -> Iterator[Defect]:
    """Yield how many ranks depend on ties, and the range of every value over their orders."""
    ranks = direction.ranks
    count = int(np.count_nonzero(ranks.foreign))
    if not count:
        return
    found = fill(
        "{title}: the rank of {queries} depends on the order of equal similarities.",
        Message(TITLES[direction.name]),
        counted(count, "query", "queries"),
    )
    ranges = []
    widest = 0.0
    for k in CUTOFFS:
        low, high = float((ranks.worst < k).mean()), float((ranks.greater < k).mean())
        widest = max(widest, high - low)
        ranges.append(fill("R@{k} {low:.4f} to {high:.4f}", k, low, high))
    ends = ranks.greater, ranks.worst
    means = [float(one.mean()) + 1 for one in ends]
    ranges.append(fill("mean {low:.1f} to {high:.1f}", *means))
    medians = [float(np.median(one)) + 1 for one in ends]
    if not direction.options.corrected:
        medians = list(map(math.floor, medians))
    ranges.append(fill("median {low:.1f} to {high:.1f}", *medians))
    hint = fill("Over all orders: {ranges}.", join_messages(ranges, ", "))
    if widest > NOTICEABLE:
        yield warning(place, found, hint, count=count)
    else:
        yield note(place, found, hint, count=count)


def _caption_note(
    similarities: Similarities,
    both: tuple[Direction, Direction],
    options: RetrievalOptions,
    run: Run,
) -> Iterator[Defect]:
    """Note the sum of recalls of five captions of each image, if some of them have more."""
    pairs = similarities.pairs
    sizes = np.bincount(pairs.image_of_caption, minlength=pairs.images)
    if not np.median(sizes) == VSEPP_CAPTIONS < sizes.max():
        return
    fewer = replace(similarities, pairs=pairs.first_of_each(VSEPP_CAPTIONS))
    i2t, t2i = _directions(fewer, options, run)
    other = _sum_of_recalls((i2t.select(np.flatnonzero(~np.isnan(i2t.ranks.rank))), t2i))
    found = fill(
        "Some images have more than five captions: with the first five of each the sum of recalls "
        "is {other}, with all of them {found}.",
        round_number(other, 1),
        round_number(_sum_of_recalls(both), 1),
    )
    hint = "VSE++ has five (--captions-used five), CLIP_benchmark all."
    yield note(Place(similarities.path), found, hint, count=len(fewer.pairs.columns))


def _sum_of_recalls(both: tuple[Direction, Direction]) -> float:
    """Return the sum over both directions of the recalls in percent, each a mean over folds."""
    total = 0.0
    for one in both:
        recalls = [one.ranks.recall(k, one.options.order) for k in CUTOFFS]
        folds = [one.fold == fold for fold in np.unique(one.fold)]
        for chosen in folds:
            total += 100 * sum(float(found[chosen].mean()) for found in recalls) / len(folds)
    return total


def _order_warning(similarities: Similarities, t2i: Direction, place: Place) -> Iterator[Defect]:
    """Warn if captions seem to be listed number by number instead of image by image."""
    pairs = similarities.pairs
    if len(pairs.columns) == pairs.images:
        return
    other = float((t2i.ranks.top == pairs.columns % pairs.images).mean())
    found = float((t2i.ranks.top == pairs.image_of_caption).mean())
    if other > found + MISTAKE:
        text = fill(
            "Captions seem to be listed number by number, not image by image: "
            "text-to-image R@1 would be {other}, not {found}.",
            round_number(other, 4),
            round_number(found, 4),
        )
        yield warning(place, text, "Captions of one image are expected one after the other.")
