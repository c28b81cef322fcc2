"""Builder of reference sets: selection of the candidate answers that count as correct.

Answers and questions of training dialogues are correlated; a candidate's correlation with the true
answer, both projected, decides whether it is in the set. Source: Massiceti et al., A Revised
Generative Evaluation of Visual Dialogue (2020), clusters/.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from jurydesk.core.execution.run import Run
from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.fid.moments import Moments
from jurydesk.core.model.evaluation import BoolArray, FloatArray, IntArray, UsageError
from jurydesk.core.tasks.visdial.embeddings.fasttext import FastText
from jurydesk.core.tasks.visdial.reference_sets.cca import canonical_correlations, unit_rows
from jurydesk.core.tasks.visdial.reference_sets.conversations import Conversations
from jurydesk.core.tasks.visdial.reference_sets.meters import compute_meters
from jurydesk.core.tasks.visdial.reference_sets.methods import Method, human_masks, reference_masks
from jurydesk.core.tasks.visdial.reference_sets.relevance import DenseAnnotations
from jurydesk.core.tasks.visdial.reference_sets.sentence_vectors import (
    WordEmbeddings,
    WordIds,
    frequent_words,
    load_word_embeddings,
    split_words,
)

CHUNK = 512
"""Questions per chunk, the unit of caching."""
COMPONENTS = 300
POWER = 1.0

Choice = Literal["S", "M", "G", "H"]
Pairs = Literal["full", "human"]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options for building reference sets.

    `pairs` selects the correlated answers of a question: the true answer, or all answers judged
    relevant by people. `annotated` restricts the sets to the annotated rounds.
    """

    method: Choice = "M"
    pairs: Pairs = "full"
    annotated: bool = False
    components: int = COMPONENTS
    power: float = POWER


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedDialogs:
    """Dialogues, with relevance judgements of some of their rounds."""

    dialogs: Conversations
    relevance: DenseAnnotations | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BuiltSets:
    """Sets of some rounds: `rows` (n,) of the dialogues, `correlations` and `masks` (n, c).

    `thresholds` (n,) are the minimum correlations of the sets. `meters` have one value per round.
    """

    rows: IntArray
    correlations: FloatArray
    masks: BoolArray
    thresholds: FloatArray
    meters: dict[str, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Projection (dim, k) of answers, and the training mean (dim,) subtracted before it."""

    directions: FloatArray
    mean: FloatArray


class Builder:
    """Builder that learns from training dialogues and builds reference sets in chunks."""

    def __init__(
        self, recipe: BuildOptions, target: AnnotatedDialogs, training: AnnotatedDialogs | None
    ) -> None:
        """Without `training`, learn from `target` itself. Raises UsageError."""
        self.recipe = recipe
        self._target = target
        self._training = training or target
        if recipe.method == "H" or recipe.annotated:
            _require(target.relevance, "sets of annotated rounds")
        if recipe.pairs == "human":
            option = "--relevance" if training is None else "--train-relevance"
            _require(self._training.relevance, "correlating with human annotations", option)
        self.rows = self._selected_rows()

    @property
    def dialogs(self) -> Conversations:
        """Dialogues of the sets."""
        return self._target.dialogs

    def _selected_rows(self) -> IntArray:
        relevance = self._target.relevance
        if relevance is not None and (self.recipe.annotated or self.recipe.method == "H"):
            return np.array(relevance.rows, np.int64)
        return np.arange(len(self._target.dialogs))

    def build(self, model: FastText | None, run: Run) -> Iterator[BuiltSets]:
        """Yield the sets in the order of the rounds; only method H needs no word vectors."""
        if model is None and self.recipe.method != "H":
            raise UsageError(fill("Method {method} needs a fastText model.", self.recipe.method))
        units = None if model is None else self._units(model, run)
        chunks = [self.rows[i : i + CHUNK] for i in range(0, len(self.rows), CHUNK)]
        yield from run.map(
            lambda rows: self._chunk(rows, units, run),
            chunks,
            total=len(self.rows),
            text="Reference sets",
            size=len,
        )

    def _units(self, model: FastText, run: Run) -> FloatArray:
        """Return every answer's projection (answers, k), of length one."""
        train, target = self._training.dialogs, self._target.dialogs
        questions = split_words(train.questions, run, "Questions")
        answers = split_words(train.answers, run, "Answers")
        captions = split_words(train.captions, run, "Captions")
        asked = np.bincount(train.question, minlength=len(questions)).tolist()
        given = np.bincount(train.answer, minlength=len(answers)).tolist()
        vocabulary = frequent_words(
            [
                *zip(questions, asked, strict=True),
                *zip(answers, given, strict=True),
                *((caption, 1) for caption in captions),
            ]
        )
        words = load_word_embeddings(vocabulary, model, run)
        ids = words.encode(answers)
        projection = self._projection(words, words.encode(questions), ids, run)
        if target is not train:
            ids = words.encode(split_words(target.answers, run, "Candidates"))
        return _project_answers(words, ids, projection, run)

    def _projection(
        self, words: WordEmbeddings, questions: WordIds, answers: WordIds, run: Run
    ) -> Projection:
        """Return the projection of answers, cached by its training data."""
        asked, given = self._pairs()
        recipe = f"{self.recipe.components} {self.recipe.power!r}"
        parts = (words.rows, questions, answers, asked, given)
        key = f"visdial-projection-{_digest(recipe, *parts)}"
        kept = run.cache.get(key)
        if kept is not None:
            with np.load(io.BytesIO(kept), allow_pickle=False) as arrays:
                return Projection(arrays["directions"], arrays["mean"])
        width = words.rows.shape[1]
        moments = Moments(2 * width)
        for start in range(0, len(asked), 2048):
            run.report(start, len(asked), "Correlating answers and questions")
            rows = slice(start, start + 2048)
            views = (words.vectors(answers[given[rows]]), words.vectors(questions[asked[rows]]))
            moments.add(np.hstack(views))
        if moments.n < 2:
            raise UsageError("At least two questions with answers are needed to correlate them.")
        try:
            found = run.call(
                canonical_correlations, moments.covariance, width, self.recipe.components
            )
            directions, _ = found.projections(self.recipe.power)
        except np.linalg.LinAlgError as fault:
            reason = fill(
                "Questions and answers cannot be correlated: {fault}.", Message(str(fault))
            )
            raise UsageError(
                fill("{reason} Give more or other training dialogues.", Message(reason))
            ) from fault
        except ValueError as fault:
            raise UsageError(
                fill("--power {power}: {fault}.", self.recipe.power, Message(str(fault)))
            ) from fault
        projection = Projection(directions, moments.mean[:width])
        stream = io.BytesIO()
        np.savez(stream, directions=projection.directions, mean=projection.mean)
        run.cache.put(key, stream.getvalue())
        return projection

    def _pairs(self) -> tuple[IntArray, IntArray]:
        """Return the numbers (pairs,) of the correlated questions and answers."""
        dialogs, relevance = self._training.dialogs, self._training.relevance
        if self.recipe.pairs == "full" or relevance is None:
            return dialogs.question, dialogs.answer
        rows = np.array(relevance.rows, np.int64)
        chosen = human_masks(relevance.shares, dialogs.truth[rows])
        which, place = np.nonzero(chosen)
        asked = dialogs.question[rows[which]]
        return asked, dialogs.candidates[rows[which], place].astype(np.int64)

    def _chunk(self, rows: IntArray, units: FloatArray | None, run: Run) -> BuiltSets:
        dialogs = self._target.dialogs
        run.check()
        truth, candidates = dialogs.truth[rows], dialogs.candidates[rows]
        correlations = _correlations(candidates, dialogs.answer[rows], units)
        people = self._people(rows, truth)
        if self.recipe.method == "H":
            if people is None:
                raise UsageError("Method H requires human relevance judgements.")
            masks, thresholds = people, np.full(len(rows), np.nan)
        else:
            masks = _cached_masks(correlations, truth, self.recipe.method, run)
            thresholds = set_thresholds(correlations, truth, masks, self.recipe.method)
        return BuiltSets(
            rows,
            correlations,
            masks,
            thresholds,
            compute_meters(masks, correlations, truth, people),
        )

    def _people(self, rows: IntArray, truth: IntArray) -> BoolArray | None:
        """Return the human choices (n, c) of each round; none if it is not annotated."""
        relevance = self._target.relevance
        if relevance is None:
            return None
        place = {row: i for i, row in enumerate(relevance.rows)}
        masks = np.zeros((len(rows), relevance.shares.shape[1]), dtype=bool)
        known = [i for i, row in enumerate(rows.tolist()) if row in place]
        shares = relevance.shares[[place[int(rows[i])] for i in known]]
        masks[known] = human_masks(shares, truth[known])
        return masks


def _require(relevance: DenseAnnotations | None, purpose: str, option: str = "--relevance") -> None:
    if relevance is None:
        raise UsageError(
            fill(
                "Human relevance judgements are required for {purpose}: give {option} FILE.",
                purpose,
                option,
            )
        )


def _project_answers(
    words: WordEmbeddings, ids: WordIds, projection: Projection, run: Run
) -> FloatArray:
    """Return every answer's projection (answers, k), of length one."""
    units = np.empty((len(ids), projection.directions.shape[1]))
    for rows, vectors in words.blocks(ids):
        run.report(rows.start, len(ids), "Projecting answers")
        units[rows] = unit_rows((vectors - projection.mean) @ projection.directions)
    return units


def _correlations(
    candidates: np.ndarray[tuple[int, ...], np.dtype[np.int32]],
    answers: IntArray,
    units: FloatArray | None,
) -> FloatArray:
    """Return the correlation (n, c) of candidates with true answers; NaN without vectors."""
    if units is None:
        return np.full(candidates.shape, np.nan)
    found = np.empty(candidates.shape)
    for row, (options, answer) in enumerate(zip(candidates, answers.tolist(), strict=True)):
        found[row] = units[options] @ units[answer]
    return found


def _cached_masks(correlations: FloatArray, truth: IntArray, method: Method, run: Run) -> BoolArray:
    """Return the sets of a chunk, from the cache if possible."""
    key = f"visdial-sets-{_digest(method, correlations, truth)}"
    kept = run.cache.get(key)
    if kept is not None:
        bits = np.unpackbits(np.frombuffer(kept, np.uint8), count=correlations.size)
        return bits.astype(bool).reshape(correlations.shape)
    masks = reference_masks(correlations, truth, method)
    run.cache.put(key, np.packbits(masks).tobytes())
    return masks


def set_thresholds(
    correlations: FloatArray, truth: IntArray, masks: BoolArray, method: Method
) -> FloatArray:
    """Return the minimum correlation (n,) of each set: by S's rule, else the set's minimum."""
    others = np.ones(masks.shape, dtype=bool)
    others[np.arange(len(truth)), truth] = False
    if method == "S":
        values = correlations[others].reshape(len(truth), -1)
        return np.asarray(values.max(axis=1) - values.std(axis=1, ddof=1))
    return np.asarray(np.where(masks & others, correlations, np.inf).min(axis=1))


def _digest(name: str, *arrays: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
    digest = hashlib.sha256(name.encode())
    for array in arrays:
        digest.update(f"{array.dtype}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
