"""Evaluator of visual dialogue: means of measures over answer-reference pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.metrics.captioning.cider import cider_pair_scores
from jurydesk.core.metrics.embedding_distance import embedding_distances
from jurydesk.core.metrics.meteor import profile, score_many
from jurydesk.core.model.defects import Defect, Place, warning
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    FloatArray,
    ItemTable,
    ResourceMissing,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.neural.weights.weight_roles import unless_named
from jurydesk.core.tasks.item_fields import fields_column
from jurydesk.core.tasks.meteor_resources import language_data
from jurydesk.core.tasks.visdial.answer_pairs import (
    BEST,
    AnswerPairs,
    Measures,
    max_by_owner,
    pair_answers,
)
from jurydesk.core.tasks.visdial.dialogs import DialogReferences, Generations, question_id
from jurydesk.core.tasks.visdial.document_frequencies import save_frequencies, word_frequencies
from jurydesk.core.tasks.visdial.embeddings.embedder import KINDS, Embed, load_embedder
from jurydesk.core.tasks.visdial.joined_ranks import (
    joined_columns,
    joined_remarks,
    member_ranks,
)
from jurydesk.core.tasks.visdial.visdial_evidence import (
    METEOR_PROFILE,
    DialogEvidence,
    answer_candidate,
    dialogue_words,
    references_in,
)
from jurydesk.core.tasks.visdial.visdial_metrics import CIDER, HEADLINES, MEASURES, METRICS
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions

if TYPE_CHECKING:
    from pathlib import Path

    from jurydesk.core.execution.run import Run


def growth_curves(layout: AnswerPairs, answers: Measures) -> tuple[Curve, ...]:
    """Return a curve for each headline measure; none if every question has one answer.

    `answers` are the values of the non-empty answers.
    """
    titles = {info.name: info.title for info in METRICS}
    curves = (
        _curve(layout, name, titles[name], answers[name]) for name in HEADLINES if name in answers
    )
    return tuple(curve for curve in curves if curve is not None)


def _curve(layout: AnswerPairs, name: str, title: str, values: FloatArray) -> Curve | None:
    """Return the mean over the first answers, with a band from the worst to the best."""
    table = _arrange_by_answer(layout, values)
    if table.shape[1] < 2:
        return None
    known = np.cumsum(~np.isnan(table), axis=1)
    with np.errstate(invalid="ignore"):
        running = np.nancumsum(table, axis=1) / np.where(known > 0, known, np.nan)
    numbers = np.arange(1.0, table.shape[1] + 1)
    ticks = tuple(numbers.tolist()) if len(numbers) <= 10 else ()
    low, high = _mean(np.fmin.accumulate(table, axis=1)), _mean(np.fmax.accumulate(table, axis=1))
    return Curve(
        name=f"{name}_by_answers",
        title=fill("{title} by answers", Message(title)),
        x_axis=Axis("first answers of each question", ticks=ticks),
        y_axis=Axis(title, limits=(float(low[-1]), float(high[-1]))),
        x=numbers,
        mean=_mean(running),
        low=low,
        high=high,
        band=translatable("from the worst to the best of them"),
        members=running,
        value=name,
    )


def _arrange_by_answer(layout: AnswerPairs, values: FloatArray) -> FloatArray:
    """Return the values (questions, most answers) of the filled answers; NaN elsewhere."""
    owner = layout.question[layout.filled]
    starts = np.searchsorted(owner, np.arange(len(layout.questions)))
    place = np.arange(len(owner)) - starts[owner]
    table = np.full((len(layout.questions), int(place.max(initial=-1)) + 1), np.nan)
    table[owner, place] = values
    return table


def _mean(table: FloatArray) -> FloatArray:
    """Return the mean (answers,) over the questions with answers."""
    return np.asarray(table[~np.isnan(table[:, 0])].mean(axis=0))


T = TypeVar("T")


def evaluate(
    references: DialogReferences, generations: Generations, options: VisDialOptions, run: Run
) -> Evaluation:
    """Compute all measures of one system, with one item for every question."""
    layout = run.call(pair_answers, references, generations, options.profile)
    defects = [*_unanswered_questions(layout, references.path)]
    defects += save_frequencies(references, options)
    pairs = _cider(layout, references, run)
    jobs: list[Callable[[], Measures]] = [
        *(partial(_distances_by, kind, layout, options, run) for kind in KINDS),
        partial(_meteor, layout, run),
    ]
    named, roles = options.model_paths(), [*KINDS, ""]
    computed = run.gather(
        *(partial(_value_or_missing, *one, named) for one in zip(jobs, roles, strict=True))
    )
    for measures in computed:
        pairs |= measures if isinstance(measures, dict) else {}
    answers = {
        name: layout.best_by_answer(values) if name == BEST else layout.by_answer(values)
        for name, values in pairs.items()
    }
    defects += [
        _not_computed_warning(references, one)
        for one in computed
        if isinstance(one, ResourceMissing)
    ]
    columns = {n: layout.of_answers(answers[n]) for n in MEASURES if n in answers}
    empty = _count_empty_answers(layout)
    scores = [*_scores(columns, empty)]
    if references.ranks is not None and generations.ranks is not None:
        joined, ranking = references.ranks, generations.ranks
        sets = [references.sets[question] for question in layout.questions]
        ranked, more = joined_columns(joined, ranking, layout.questions, sets, options)
        columns |= ranked
        scores += more
        defects += joined_remarks(joined, ranking, columns, layout.questions, options, run)
    return Evaluation(
        task="visdial",
        system="",
        profile=options.profile,
        scores=tuple(scores),
        items=_items(
            layout, partial(_evidence, references, generations, layout, pairs), columns, empty
        ),
        figures=growth_curves(layout, answers),
        defects=tuple(defects),
    )


def scoring_remarks(
    references: DialogReferences, generations: Generations, options: VisDialOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a system without its models."""
    layout = run.call(pair_answers, references, generations, options.profile)
    yield from _unanswered_questions(layout, references.path)


def _value_or_missing(
    measure: Callable[[], T], role: str, named: Mapping[str, Path]
) -> T | ResourceMissing:
    """Return a measure's value, or the missing resource; raise it if the user named its model."""
    try:
        return measure()
    except ResourceMissing as missing:
        unless_named(missing, named, role)
        return missing


def _not_computed_warning(references: DialogReferences, missing: ResourceMissing) -> Defect:
    reason = str(missing)
    return warning(Place(references.path), fill("Not computed: {reason}", Message(reason)))


def _unanswered_questions(layout: AnswerPairs, path: str) -> Iterator[Defect]:
    answered = set(layout.question[layout.filled].tolist())
    silent = [
        question_id(question)
        for number, question in enumerate(layout.questions)
        if number not in answered and layout.sets[number]
    ]
    if silent:
        found = fill(
            "Only empty answers: {questions} ({name_list}).",
            counted(len(silent), "question"),
            name_list(silent),
        )
        consequence = "The published program stops there; here they are left out of all means."
        yield warning(Place(path), found, consequence, count=len(silent))


def _cider(layout: AnswerPairs, references: DialogReferences, run: Run) -> Measures:
    """Return CIDEr-1 to CIDEr-4, with document frequencies of the whole reference file."""
    numbers = {question: number for number, question in enumerate(references.sets)}
    owners = [numbers[layout.questions[i]] for i in layout.question[layout.filled].tolist()]
    run.report(0, 0, "CIDEr")
    texts, sets = layout.filled_texts(), references.texts()
    scores = run.call(cider_pair_scores, texts, owners, sets, references.frequencies).scores
    return dict(zip(CIDER, scores.T, strict=True))


def _meteor(layout: AnswerPairs, run: Run) -> Measures:
    """Return METEOR of every pair: that of the reference's best part."""
    answers = zip(layout.filled_texts(), layout.filled_sets(), strict=True)
    parts = [(text, [references_in(one) for one in references]) for text, references in answers]
    sizes = list_lengths([part for _, references in parts for part in references])
    with language_data():
        pairs = [(answer_candidate(text), [*chain(*references)]) for text, references in parts]
        scores = score_many(pairs, profile(METEOR_PROFILE), run).pair_scores
    return {BEST: max_by_owner(scores, sizes)}


def _distances_by(kind: str, layout: AnswerPairs, options: VisDialOptions, run: Run) -> Measures:
    """Return distance and cosine by one kind of model, if it is installed."""
    embed = load_embedder(kind, options, run)
    return {} if embed is None else _distances(layout, kind, embed, run)


def _distances(layout: AnswerPairs, kind: str, embed: Embed, run: Run) -> Measures:
    """Return distance and cosine of every pair; each distinct text is embedded once."""
    pairs = layout.pairs()
    texts = {text: number for number, text in enumerate(dict.fromkeys(t for p in pairs for t in p))}
    vectors = embed(list(texts))
    one = np.array([texts[answer] for answer, _ in pairs], np.int64)
    other = np.array([texts[reference] for _, reference in pairs], np.int64)
    found = run.call(embedding_distances, vectors, one, other)
    return {f"{kind}_l2": found[:, 0], f"{kind}_cs": found[:, 1]}


def _count_empty_answers(layout: AnswerPairs) -> FloatArray:
    """Return the number (questions,) of empty answers of each question."""
    empty = [number for number, text in enumerate(layout.texts) if not text.strip()]
    return np.bincount(layout.question[empty], minlength=len(layout.questions)).astype(np.float64)


def _scores(columns: Mapping[str, FloatArray], empty: FloatArray) -> Iterator[Score]:
    """Yield mean and standard deviation of every measure; NaN if it was not computed."""
    for name in MEASURES:
        column = columns.get(name, np.empty(0))
        known = column[~np.isnan(column)]
        mean = float(known.mean()) if len(known) else float("nan")
        spread = float(known.std()) if len(known) else float("nan")
        yield Score(name, mean, len(known), spread)
        yield Score(f"{name}_std", spread, len(known))
    yield Score("empty", float(empty.sum()), len(empty))


def _items(
    layout: AnswerPairs,
    evidence: Callable[[], Sequence[EvidenceColumns]],
    columns: Mapping[str, FloatArray],
    empty: FloatArray,
) -> ItemTable:
    answers = np.bincount(layout.question, minlength=len(layout.questions)).astype(np.float64)
    return ItemTable(
        tuple(map(question_id, layout.questions)),
        {**columns, "answers": answers, "empty": empty},
        evidence=ColumnEvidence(evidence, DialogEvidence.from_row),
        noun="question",
    )


def _evidence(
    references: DialogReferences, generations: Generations, layout: AnswerPairs, pairs: Measures
) -> tuple[EvidenceColumns, EvidenceColumns]:
    """Return the evidence columns of the references (shared) and of the system."""
    sets = [references.sets[question] for question in layout.questions]
    correlations = [one.correlations or () for one in sets]
    chosen = [one.chosen or () for one in sets]
    known = word_frequencies(references)
    thresholds = [math.nan if one.threshold is None else one.threshold for one in sets]
    shared = {
        "image": EvidenceColumn(np.array([image for image, _ in layout.questions], np.int64)),
        "round": EvidenceColumn(np.array([number for _, number in layout.questions], np.int64)),
        "question": EvidenceColumn.texts([one.question for one in sets]),
        "truth": EvidenceColumn.texts([one.truth for one in sets]),
        "references": EvidenceColumn.texts([*chain(*layout.sets)], list_lengths(layout.sets)),
        "chosen": EvidenceColumn(np.array([*chain(*chosen)], np.int64), list_lengths(chosen)),
        "correlations": EvidenceColumn(
            np.array([*chain(*correlations)], np.float64), list_lengths(correlations)
        ),
        "threshold": EvidenceColumn(np.array(thresholds)),
        "sets": EvidenceColumn(np.full(len(sets), known.sets)),
    }
    shared |= fields_column([one.fields for one in sets])
    counts = np.bincount(layout.question, minlength=len(sets))
    starts = np.concatenate([[0], np.cumsum(counts)]).tolist()
    words = [dialogue_words(layout.texts[first:last]) for first, last in pairwise(starts)]
    frequencies = [known.counts.get(word, 0) for word in chain(*words)]
    measured = np.zeros(len(layout.texts), np.int64)
    measured[layout.filled] = np.bincount(layout.pair_answer, minlength=len(layout.filled))
    system = {
        "written": EvidenceColumn.texts(layout.written, counts),
        "compared": EvidenceColumn.texts(layout.texts, counts),
        "frequencies": EvidenceColumn(np.array(frequencies, np.int64), list_lengths(words)),
    }
    if references.ranks is not None and generations.ranks is not None:
        ranks = member_ranks(references.ranks, generations.ranks, layout.questions, sets)
        system["ranks"] = EvidenceColumn(np.array([*chain(*ranks)], np.int64), list_lengths(ranks))
    for name, values in pairs.items():
        # Six digits are shown at most.
        system[name] = EvidenceColumn(values.astype(np.float32), counts, measured)
    return EvidenceColumns(shared), EvidenceColumns(system)
