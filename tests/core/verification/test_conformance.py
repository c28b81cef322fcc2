"""Every registered competition fulfils the contract; violations are reported all at once."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

from jurydesk.core.competition.examples import example_options
from jurydesk.core.competition.redaction import Redaction, RedactionFact
from jurydesk.core.competition.task import Reading, Sniff, Statistic, SubmissionChecks
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.sharded_jobs.score_shard import score_shard
from jurydesk.core.model.chunk import ChunkKind, ChunkRequest
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import Score, SubmissionText, UsageError
from jurydesk.core.model.options import option
from jurydesk.core.verification import conformance
from jurydesk.core.verification.conformance import ConformanceError, check_task
from support import toy
from support.examples import TASKS_WITH_EXAMPLE, folder_of
from support.execution.square_chunks import BY_THREADS, Numbers, Settings, Squares


@pytest.mark.timeout(300)
@pytest.mark.parametrize("id", TASKS_WITH_EXAMPLE)
def test_a_competition_fulfils_the_contract(id):
    task = registry().tasks[id]
    options = example_options(task, folder_of(task))
    if hasattr(options, "weights"):
        options = replace(options, weights=())  # networks have tests of their own
    check_task(task, options=options)


@pytest.fixture
def example(tmp_path):
    inputs = {"truth": ["truth.txt"], "guesses": ["far.txt", "near.txt"]}
    manifest = {"title": "Numbers", "task": "toy", "inputs": inputs}
    (tmp_path / "example.json").write_text(json.dumps(manifest))
    toy.write(tmp_path / "truth.txt", {"a": 1.0, "b": 2.0})
    toy.write(tmp_path / "near.txt", {"a": 1.25, "b": 2.0})
    toy.write(tmp_path / "far.txt", {"a": 0.25, "b": 1.5})
    return tmp_path


SQUARE = Statistic("Square", "The squared distance.")
GOOD = replace(
    toy.TASK,
    readers=replace(toy.TASK.readers, sniff=lambda head: None),
    presentation=replace(toy.TASK.presentation, statistics={"square": SQUARE}),
)


def readers(**changed):
    return replace(GOOD, readers=replace(GOOD.readers, **changed))


def scoring(**changed):
    return replace(GOOD, scoring=replace(GOOD.scoring, **changed))


def presentation(**changed):
    return replace(GOOD, presentation=replace(GOOD.presentation, **changed))


def nameless(path, references, options, run):
    """Read like the toy, but raise an exception for an invalid line."""
    lines = map(str.split, path.read_text().splitlines())
    return Reading({key: float(value) for key, value in lines}, ())


def silent(path, references, options, run):
    reading = toy.read_submission(path, references, options, run)
    return Reading(reading.data, ()) if reading.data is None else reading


def change_evaluation(change):
    """Return the toy's evaluation with one error."""
    return lambda *given: change(toy.evaluate(*given))


def restless(evaluation):
    count = next(CALLS)
    (first, *others) = evaluation.scores
    return replace(evaluation, scores=(replace(first, value=1 - count / 1e6), *others))


CALLS = iter(range(1_000))


def squared(numbers):
    """Return an evaluation with a chunk that squares by this function."""
    work = ChunkKind("toy squares", numbers, Settings, Numbers, Squares)

    def evaluate(references, guesses, options, run):
        made = toy.evaluate(references, guesses, options, run)
        gaps = np.array([one - guesses[key] for key, one in references.items()])
        asked = ChunkRequest(work, Settings(), [Numbers(gaps)], "Squaring", "numbers")
        (done,) = run.each(asked)
        columns = {**made.items.columns, "square": done.values}
        return replace(made, items=replace(made.items, columns=columns))

    return work, evaluate


def exact(settings, chunk, check):
    return Squares(chunk.values**2)


def drifting(settings, chunk, check):
    return Squares(chunk.values**2 + next(CALLS))


WORK, EVALUATE = squared(exact)
DRIFTING, EVALUATE_DRIFTING = squared(drifting)


@dataclass(frozen=True)
class Loose:
    wanted: float = 0.0
    given: float = 0.0

    def to_json(self):
        return {"wanted": 1, "given": 2}


@dataclass(frozen=True)
class Greedy:
    profile: str = option("published", "Whose.", choices=toy.TASK.scoring.profiles)
    guesses: str = option("", "How many.")


@dataclass
class Melting:
    profile: str = "published"


def gold(references):
    return (
        RedactionFact(
            "truth", "The truth.", [f"the number is {one}" for one in references.values()]
        ),
    )


def leaking(data):
    return {"a": 1.0, "b": 2.0}


BROKEN = {
    "declaration: the id 'Toy 1' has characters other than a-z, 0-9 and hyphens": replace(
        GOOD, id="Toy 1"
    ),
    "declaration: the input truth is declared twice": replace(
        GOOD, inputs=(*GOOD.inputs, GOOD.inputs[0])
    ),
    "declaration: the metric closeness is declared twice": scoring(
        metrics=(*GOOD.scoring.metrics, toy.CLOSENESS)
    ),
    "declaration: an input and an option are both called guesses: rename one": scoring(
        options=Greedy
    ),
    "declaration: Melting is not a frozen dataclass": scoring(options=Melting),
    "declaration: the choices of the option profile are not the profiles": scoring(
        profiles=("published",)
    ),
    "declaration: there is no option speed": scoring(light_options=("speed",)),
    "sniffing: near.txt is recognized as truth, not as guesses": readers(
        sniff=lambda head: Sniff("truth", 0.5) if b"1.25" in head else None
    ),
    "sniffing: a damaged near.txt is recognized as": readers(
        sniff=lambda head: Sniff("nonsense", 0.5) if head == b"{" else None
    ),
    "sniffing: IndexError": readers(sniff=lambda head: head[0] and None),
    "reading: ValueError": readers(read_submission=nameless),
    "reading: a damaged far.txt gives neither data nor an error": readers(read_submission=silent),
    "numbers: square is not declared as a metric or a statistic": presentation(statistics={}),
    "numbers: far has no closeness, which is a headline metric": scoring(
        evaluate=change_evaluation(lambda made: replace(made, scores=made.scores[1:]))
    ),
    "numbers: closeness of far is outside its range: 7": scoring(
        evaluate=change_evaluation(
            lambda made: replace(made, scores=(Score("closeness", 7.0, 2), *made.scores[1:]))
        )
    ),
    "numbers: closeness of far is not the mean of its column": scoring(
        evaluate=change_evaluation(
            lambda made: replace(made, scores=(Score("closeness", 0.5, 2), *made.scores[1:]))
        )
    ),
    "order of submissions: the scores of far differ the second time": scoring(
        evaluate=change_evaluation(restless)
    ),
    "evidence: far, a has no evidence": scoring(
        evaluate=change_evaluation(
            lambda made: replace(made, items=replace(made.items, evidence=None))
        )
    ),
    "evidence: far, a: the evidence changes when converted to JSON and back": readers(
        load_evidence=lambda data: Loose()
    ),
    "evidence: far, a has no explanation": presentation(explain_item=lambda evidence: ()),
    "stamp: closeness: ": scoring(evaluate=change_evaluation(restless)),
    "shards: the column square of far differ the second time": scoring(
        chunks=(DRIFTING,), evaluate=EVALUATE_DRIFTING
    ),
    "shards: DamagedFileError: it is not a shard": scoring(chunks=(BY_THREADS,), evaluate=EVALUATE),
    "redaction: the kit contains gold: the number is 1.0": replace(
        GOOD,
        submission_checks=SubmissionChecks(
            redaction=Redaction(gold, leaking),
            submission_texts=lambda references, guesses: [
                SubmissionText(key, str(guesses[key]), (f"the number is {one}",))
                for key, one in references.items()
            ],
        ),
    ),
    "redaction: the kit and the organiser differ on far.txt: c is missing.": replace(
        GOOD,
        submission_checks=SubmissionChecks(
            redaction=Redaction(lambda references: (), lambda facts: {"a": 0.0, "b": 0.0, "c": 0.0})
        ),
    ),
}


TWICE = replace(GOOD.inputs[1], role="more")
BROKEN |= {
    "declaration: the title or the noun of an item is empty": replace(GOOD, item_noun=("", "x")),
    "declaration: the summary is not a sentence": replace(GOOD, summary="Near"),
    "declaration: the number of inputs of the kind submission is not 1": replace(
        GOOD, inputs=(*GOOD.inputs, TWICE)
    ),
    "sniffing: the example has no file for more": replace(GOOD, inputs=(*GOOD.inputs, TWICE)),
    "declaration: there is no metric": scoring(
        metrics=(), evaluate=change_evaluation(lambda made: replace(made, scores=()))
    ),
    "declaration: the chunk toy squares is declared twice": scoring(
        chunks=(WORK, WORK), evaluate=EVALUATE
    ),
    "sniffing: a damaged far.txt is recognized as": readers(
        sniff=lambda head: Sniff("guesses", 1.5) if head == b"{" else None
    ),
    "reading: the reference files of the example have errors": readers(
        read_references=lambda inputs, options, run: Reading(None, ())
    ),
    "reading: a damaged truth.txt gives neither data nor an error": readers(
        read_references=lambda inputs, options, run: silent(inputs["truth"][0], {}, options, run)
    ),
    "numbers: no submission of the example can be scored": readers(
        read_submission=lambda *given: Reading(None, (error(Place("x"), "Wrong."),))
    ),
    "numbers: nonsense ranks the systems, but is not declared as a metric that can": scoring(
        rank_by="nonsense"
    ),
    "numbers: listed ranks the systems, but is not declared as a metric that can": scoring(
        rank_by="listed"
    ),
    "numbers: far is of another task or profile": scoring(
        evaluate=change_evaluation(lambda made: replace(made, task="other"))
    ),
    "numbers: the score closeness is declared twice": scoring(
        evaluate=change_evaluation(lambda made: replace(made, scores=made.scores[:1] * 2))
    ),
    "numbers: listed of far is not the sum of its column": scoring(
        evaluate=change_evaluation(
            lambda made: replace(made, scores=(*made.scores[:2], Score("listed", 1.0, 2)))
        )
    ),
    "redaction: the kit contains gold: exactly 12 \u00e9": replace(
        GOOD,
        submission_checks=SubmissionChecks(
            redaction=Redaction(
                lambda references: (
                    RedactionFact(
                        "truth", "The truth.", ["exactly 12 \u00e9", "only 11 \u00e9\u00e9"]
                    ),
                ),
                leaking,
            ),
            submission_texts=lambda references, guesses: [
                SubmissionText("a", "own", ("exactly 12 \u00e9", "own"))
            ],
        ),
    ),
}


def test_gold_that_is_short_or_that_a_submission_has_itself_is_no_leak(example):
    def broken(gold_text, own):
        facts = (RedactionFact("truth", "The truth.", [gold_text]),)
        return replace(
            GOOD,
            submission_checks=SubmissionChecks(
                redaction=Redaction(lambda references: facts, leaking),
                submission_texts=lambda references, guesses: [
                    SubmissionText("a", own, (gold_text,))
                ],
            ),
        )

    check_task(broken("only 11 lon", "x"), example)
    check_task(broken("a long gold text", "a long gold text"), example)
    with pytest.raises(ConformanceError, match="contains gold: a long gold text"):
        check_task(broken("a long gold text", "x"), example)


def test_the_toy_fulfils_the_contract(example):
    check_task(GOOD, example)
    check_task(scoring(chunks=(WORK,), evaluate=EVALUATE), example)


@pytest.mark.parametrize("failure", BROKEN)
def test_each_violation_of_the_contract_is_named(example, failure):
    with pytest.raises(ConformanceError) as raised:
        check_task(BROKEN[failure], example)
    assert [one for one in raised.value.failures if one.startswith(failure)]


def test_options_that_refuse_one_damaged_file_hide_no_other(example):
    def choosy(inputs, options, run):
        if not inputs["truth"][0].is_file() or not inputs["truth"][0].read_bytes():
            raise UsageError("The options need a truth.")
        return silent(inputs["truth"][0], {}, options, run)

    with pytest.raises(ConformanceError, match=r"a damaged truth\.txt gives neither data"):
        check_task(readers(read_references=choosy), example)


def test_all_violations_are_reported_at_once(example):
    task = replace(GOOD, id="Toy 1", summary="none")
    with pytest.raises(ConformanceError, match=r"id 'Toy 1'(.|\n)*summary is not a sentence"):
        check_task(task, example)


def test_a_competition_without_an_example_cannot_be_checked():
    with pytest.raises(ConformanceError, match="example: it is missing"):
        check_task(GOOD)


@pytest.mark.parametrize("lacking", [{"title": ""}, {"summary": "none"}, {"range": (1.0, 1.0)}])
def test_a_metric_needs_a_title_a_sentence_and_a_range(example, lacking):
    metrics = (replace(toy.CLOSENESS, **lacking), *GOOD.scoring.metrics[1:])
    with pytest.raises(ConformanceError, match="closeness lacks a title, a sentence or a range"):
        check_task(scoring(metrics=metrics), example)


@pytest.mark.parametrize("name", ["ghost", "square"])
def test_a_score_that_is_not_a_declared_metric_is_named_in_a_sentence(example, name):
    def add(made):
        return replace(made, scores=(*made.scores, Score(name, 0.5, 2)))

    with pytest.raises(ConformanceError) as raised:
        check_task(scoring(evaluate=change_evaluation(add)), example)
    fault = f"The competition Toy has a fault: its score {name} is not a declared metric."
    assert f"numbers: {fault}" in raised.value.failures
    assert not [one for one in raised.value.failures if "Error" in one]


def test_the_results_of_shards_are_merged_and_not_computed_again(example, monkeypatch):
    """Shards that another machine scored otherwise give other numbers, or nobody used them."""
    scored_elsewhere = []

    def numbers(settings, chunk, check):
        return Squares(chunk.values**2 + len(scored_elsewhere))

    def score_elsewhere(*given):
        scored_elsewhere.append(given)
        score_shard(*given)
        scored_elsewhere.clear()

    work, evaluate = squared(numbers)
    monkeypatch.setattr(conformance, "score_shard", score_elsewhere)
    with pytest.raises(ConformanceError) as raised:
        check_task(scoring(chunks=(work,), evaluate=evaluate), example)
    assert raised.value.failures == tuple(
        f"shards: the column square of {system} differ the second time"
        for system in ("far", "near")
    )


def test_failures_are_told_in_lines():
    assert str(ConformanceError(["one", "two"])) == "- one\n- two"
    assert ConformanceError(["one", "two"]).failures == ("one", "two")
