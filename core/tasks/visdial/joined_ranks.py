"""Ranks of the true answers beside generated ones: the same questions, joined by their texts.

Reference sets and generations count rounds from 0, dialogues and ranks from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Inputs, Reading, Statistic
from jurydesk.core.execution.run import Run
from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note
from jurydesk.core.model.evaluation import FloatArray, IntArray, Score
from jurydesk.core.readers.compression import plain_name
from jurydesk.core.statistics.correlation import correlate_items
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.tasks.visdial.dialogs import JoinedRanks, QuestionKey, ReferenceSet
from jurydesk.core.tasks.visdial.visdial_metrics import METRICS
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import Ranking, RankReferences
from jurydesk.core.tasks.visdial_ranks.dialog_reader import read_references
from jurydesk.core.tasks.visdial_ranks.rank_reader import read_ranks
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evaluator import rank_columns, scores_of
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evaluator import (
    scoring_remarks as rank_remarks,
)
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_options import VisDialRanksOptions

SUFFIX = ".ranks"
FEWEST = 10
"""Fewest questions of which a correlation is reported."""
IMAGE = ("image", "images")
MEASURED = tuple(info for info in METRICS if info.headline)
STATISTICS = {
    "best_member_rank": Statistic(
        "Best reference", "Best rank of an option that is in the reference set."
    ),
    "members_first": Statistic(
        "References first", "Share of the reference set in the first places, as many as it has."
    ),
}


def ranks_stem(path: Path) -> str:
    """Return the name of a system's file without endings: `NAME` of `NAME.ranks.json.gz`."""
    return plain_name(path).removesuffix(".json").removesuffix(SUFFIX)


def rank_options(options: VisDialOptions) -> VisDialRanksOptions:
    """Return the options with which ranks are read and scored."""
    return VisDialRanksOptions(profile=options.profile)


def read_joined(
    inputs: Inputs, sets: Mapping[QuestionKey, ReferenceSet], options: VisDialOptions
) -> Reading[JoinedRanks]:
    """Read the ranks of all systems, if there are any; no data without."""
    files = inputs.get("ranks", ())
    if not files:
        return Reading(None, ())
    if not inputs.get("dialogs"):
        found = "Ranks need the dialogues with their options."
        defect = error(Place(str(files[0])), found, "", "Give them with --dialogs FILE.")
        return Reading(None, (defect,))
    dialogs = read_references(inputs)
    if dialogs.data is None:
        return Reading(None, dialogs.defects)
    defects = [*dialogs.defects, *_join_defects(dialogs.data, sets)]
    rankings: dict[str, Ranking] = {}
    for path in files:
        reading = read_ranks(path, dialogs.data, rank_options(options))
        defects += reading.defects
        if reading.data is not None:
            rankings[ranks_stem(path)] = reading.data
    systems = {ranks_stem(path) for path in inputs.get("generations", ())}
    for path in files:
        if ranks_stem(path) not in systems:
            found = fill("The ranks {name} belong to no file of answers.", path.name)
            hint = "They are scored by score visdial-ranks alone."
            defects.append(note(Place(str(path)), found, hint))
    if has_errors(defects):
        return Reading(None, tuple(defects))
    return Reading(JoinedRanks(dialogs.data, rankings), tuple(defects))


def _join_defects(
    references: RankReferences, sets: Mapping[QuestionKey, ReferenceSet]
) -> Iterator[Defect]:
    """Yield an error if questions and true answers agree better with unshifted rounds."""
    agreements = [
        [_agrees(references, one, question, shift) for question, one in sets.items()]
        for shift in (1, 0)
    ]
    known = [[one for one in found if one is not None] for found in agreements]
    shifted, equal = (sum(found) for found in known)
    place = Place(references.path)
    if equal > shifted:
        found = fill(
            "Questions and true answers of {equal:,} rounds agree if both files count alike, "
            "of {shifted:,} if they do not.",
            equal,
            shifted,
        )
        expected = "Reference sets count rounds from 0, dialogues from 1."
        yield error(place, found, expected, "Check the rounds of the reference sets.")
        return
    differing = len(known[0]) - shifted
    if differing and differing * 2 > len(known[0]):
        found = fill(
            "Questions or true answers differ in {differing:,} of {rounds:,} rounds.",
            differing,
            len(known[0]),
        )
        yield error(place, found, "The dialogues of the reference sets are expected.")
    elif differing:
        found = fill("Questions or true answers differ in {rounds}.", counted(differing, "round"))
        yield note(place, found, "They are joined by image and round.", count=differing)
    missing = sum((image, turn + 1) not in references.index for image, turn in sets)
    if missing:
        found = fill("{questions} without options.", counted(missing, "question"))
        yield note(place, found, "Their ranks are empty.", count=missing)


def _agrees(
    references: RankReferences, one: ReferenceSet, question: QuestionKey, shift: int
) -> bool | None:
    """Return whether the texts of a round agree; None if one of them is unknown."""
    image, turn = question[0], question[1] + shift
    dialogue = references.dialogues.get(image)
    if dialogue is None or not 1 <= turn <= len(dialogue.turns) or not one.question:
        return None
    asked, answered = dialogue.turns[turn - 1]
    if asked < 0:
        return None
    if _plain(references.questions[asked]) != _plain(one.question):
        return False
    if not one.truth or answered < 0:
        return True
    return _plain(references.answers[answered]) == _plain(one.truth)


def _plain(text: str) -> str:
    return " ".join(text.lower().rstrip("?. ").split())


def joined_columns(
    joined: JoinedRanks,
    ranking: Ranking,
    questions: Sequence[QuestionKey],
    sets: Sequence[ReferenceSet],
    options: VisDialOptions,
) -> tuple[dict[str, FloatArray], list[Score]]:
    """Return the columns (questions,) of the ranks, and their scores over all ranked rounds."""
    own = rank_columns(joined.references, ranking, rank_options(options))
    places = _places(joined, ranking, questions)
    chosen = np.array(places, np.int64)
    columns = {
        name: np.where(chosen >= 0, column[chosen], np.nan) if len(column) else column
        for name, column in own.items()
    }
    members = member_ranks(joined, ranking, questions, sets)
    best = [found.min() if len(found) else np.nan for found in members]
    share = [(found <= len(found)).mean() if len(found) else np.nan for found in members]
    columns |= {"best_member_rank": np.array(best), "members_first": np.array(share)}
    return columns, [*scores_of(own, rank_options(options))]


def member_ranks(
    joined: JoinedRanks,
    ranking: Ranking,
    questions: Sequence[QuestionKey],
    sets: Sequence[ReferenceSet],
) -> list[IntArray]:
    """Return the ranks (members,) of each reference set; empty where they are unknown."""
    places = _places(joined, ranking, questions)
    return [_of_members(ranking, *one) for one in zip(places, sets, strict=True)]


def _places(joined: JoinedRanks, ranking: Ranking, questions: Sequence[QuestionKey]) -> list[int]:
    """Return the place of each question among the rounds of a system; -1 without ranks."""
    rows = {joined.references.keys[one]: n for n, one in enumerate(ranking.rounds.tolist())}
    return [rows.get((image, turn + 1), -1) for image, turn in questions]


def _of_members(ranking: Ranking, place: int, one: ReferenceSet) -> IntArray:
    ranks = ranking.ranks[place] if place >= 0 else None
    if ranks is None or one.chosen is None or len(one.chosen) != len(ranks):
        return np.empty(0, np.int64)
    return np.asarray(ranks[np.flatnonzero(one.chosen)])


def joined_remarks(
    joined: JoinedRanks,
    ranking: Ranking,
    columns: Mapping[str, FloatArray],
    questions: Sequence[QuestionKey],
    options: VisDialOptions,
    run: Run,
) -> Iterator[Defect]:
    """Yield remarks on the ranks, and how generated answers agree with them by question."""
    yield from rank_remarks(joined.references, ranking, rank_options(options), run)
    images = Groups.of_labels(str(image) for image, _ in questions)
    for info in MEASURED:
        if info.name not in columns or int((~np.isnan(columns[info.name])).sum()) < FEWEST:
            continue
        found = correlate_items(columns["mrr"], columns[info.name], "kendall", images, IMAGE)
        if found.interval is not None:
            yield note(
                Place(ranking.path),
                fill(
                    "Kendall's tau of reciprocal rank and {metric} over questions is {tau:.3f} "
                    "[{low:.3f}, {high:.3f}].",
                    Message(info.title),
                    found.value,
                    found.interval.low,
                    found.interval.high,
                ),
            )
