import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jurydesk.core.execution.progress import Progress
from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.metrics.meteor import Alignment, Config, Meteor, jar_config, profile
from jurydesk.core.metrics.meteor.language_data.index_file import Index
from support.oracles import golden, oracle
from support.suite.samples import sample, sample_size

FEW_LINES = 200


def config_of(name: str) -> Config:
    """Return the configuration that a recorded line names."""
    if ":" not in name:
        return profile(name)
    interface, task, flags = name.split(":", 2)
    if interface == "api":
        return jar_config(task, norm=True, char=True)
    return jar_config(
        task or "rank", norm="norm" in flags, lower="lower" in flags, no_punct="noPunct" in flags
    )


def records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from map(json.loads, file)


def recorded_form(alignment: Alignment) -> dict[str, Any]:
    """Return an alignment in the form of the recorded lines."""
    return {
        "score": alignment.score,
        "stats": list(alignment.counts),
        "matches": [
            [match.start, match.length, match.match_start, match.match_length, match.module]
            for match in alignment.matches
        ],
    }


def differing(meteor: Meteor, path: Path, is_slow: bool) -> list[int]:
    """Return the lines of a recorded file, or of a sample of it, that differ from our result."""
    lines = list(enumerate(records(path), 1))
    return [
        number
        for number, record in (sample(lines, FEW_LINES) if is_slow else lines)
        if recorded_form(meteor.score(record["hyp"], record["refs"], config_of(record["config"])))
        != {name: record[name] for name in ("score", "stats", "matches")}
    ]


@pytest.mark.parametrize("name", ["own", "corners", "tasks"])
def test_scores_counts_and_matches_equal_the_jar(meteor: Meteor, python: Meteor, name: str):
    assert differing(meteor, oracle(f"meteor/{name}.jsonl"), meteor is python) == []


def test_scores_counts_and_matches_of_real_texts_equal_the_jar(meteor: Meteor, python: Meteor):
    assert differing(meteor, golden("meteor/shared.jsonl"), meteor is python) == []


@pytest.mark.parametrize("config", ["vist", "coco"])
def test_scoring_many_pairs_at_once_gives_what_the_jar_gives(meteor: Meteor, config: str):
    lines = [r for r in records(oracle("meteor/own.jsonl")) if r["config"] == config][:200]
    batch = meteor.score_many([(r["hyp"], r["refs"]) for r in lines], profile(config), Run(jobs=2))
    assert batch.scores.tolist() == [record["score"] for record in lines]
    assert batch.rows.tolist() == [record["stats"] for record in lines]


def test_both_aligners_agree_where_a_line_is_longer_than_a_machine_word(
    compiled: Meteor, python: Meteor
):
    words = [
        "the",
        "dog",
        "of",
        "a",
        "cat",
        "ran",
        "runs",
        "running",
        "house",
        "home",
        "in",
        "to",
        "small",
        "little",
        "and",
    ]
    chooser = random.Random(7)
    for _ in range(12):
        pair = [" ".join(chooser.choices(words, k=chooser.randint(60, 200))) for _ in range(2)]
        assert recorded_form(compiled.align(*pair, profile("vist"))) == recorded_form(
            python.align(*pair, profile("vist"))
        )


TEXT = """
a the dog dogs hound cat mice mouse run ran running of course naturally in front big large
Aa BB , . ' The U.S. don't well-known 3,000 children child café 😀 give up gives
"""
WORDS = st.sampled_from(sorted(set(TEXT.split())))
SENTENCES = st.lists(WORDS, max_size=24).map(" ".join)
FEW = settings(
    max_examples=sample_size(30, of=60), deadline=None, suppress_health_check=list(HealthCheck)
)


@FEW
@given(SENTENCES, SENTENCES, st.sampled_from(["vist", "coco"]))
def test_both_aligners_agree(compiled, python, hypothesis, reference, name):
    one, other = (
        engine.align(hypothesis, reference, profile(name)) for engine in (compiled, python)
    )
    assert recorded_form(one) == recorded_form(other)


@FEW
@given(st.text(max_size=40), st.text(max_size=40))
def test_both_aligners_score_any_text_alike(compiled, python, hypothesis, reference):
    pair = (hypothesis, reference, profile("coco"))
    assert recorded_form(compiled.align(*pair)) == recorded_form(python.align(*pair))


@FEW
@given(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_references_does_not_change_the_score(compiled, hypothesis, references, order):
    shuffled = references.copy()
    order.shuffle(shuffled)
    config = profile("coco")
    score = compiled.score(hypothesis, references, config).score
    assert score == compiled.score(hypothesis, shuffled, config).score
    assert 0 <= score <= 1


@FEW
@given(SENTENCES.filter(str.strip))
def test_a_sentence_matches_itself_completely_in_one_chunk(compiled, sentence):
    alignment = compiled.align(sentence, sentence, profile("vist"))
    assert alignment.score == pytest.approx(1.0, abs=1e-12)
    assert alignment.chunks == 1
    assert {match.module for match in alignment.matches} == {0}


def test_without_a_reference_the_score_is_minus_one(meteor: Meteor):
    alignment = meteor.score("a dog", [], profile("vist"))
    assert (alignment.score, alignment.reference_index, alignment.reference) == (-1.0, -1, ())
    batch = meteor.score_many([("a dog", []), ("a dog", ["a dog"])], profile("vist"))
    assert batch.scores.tolist() == [-1.0, 1.0]
    assert batch.references.tolist() == [-1, 0]
    assert not batch.rows[0].any()


def test_empty_lines_score_zero(meteor: Meteor):
    pairs = [("", ["a dog"]), ("a dog", [""]), ("", [""])]
    assert meteor.score_many(pairs, profile("vist")).scores.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", ["python", "compiled"])
def test_the_very_first_lines_can_be_empty(name: str, request: pytest.FixtureRequest):
    """Check the case in which no earlier alignment has allocated memory."""
    index = request.getfixturevalue(name).index
    assert Meteor(index, name).score("", [""], profile("vist")).score == 0
    batch = Meteor(index, name).score_many([("", [""]), ("a dog", ["a dog"])], profile("vist"))
    assert batch.scores.tolist() == [0, 1]


def test_of_equal_references_the_first_is_the_best(compiled: Meteor):
    alignment = compiled.score("a dog", ["a cat", "a dog", "a dog"], profile("vist"))
    assert alignment.reference_index == 1


def test_no_pairs_give_an_empty_batch(compiled: Meteor):
    batch = compiled.score_many([], profile("vist"), Run())
    assert batch.rows.shape == (0, 23)
    assert len(batch) == 0


def test_the_statistics_explain_the_score(compiled: Meteor):
    alignment = compiled.align("the dogs ran home", "the dog ran to its home", profile("vist"))
    assert alignment.fragmentation == alignment.chunks / 4
    assert alignment.penalty == alignment.gamma * alignment.fragmentation**alignment.beta
    assert alignment.score == alignment.fmean * (1 - alignment.penalty)
    mean = (1 - alignment.alpha) / alignment.precision + alignment.alpha / alignment.recall
    assert math.isclose(alignment.fmean, 1 / mean)


def test_every_distinct_text_is_prepared_once(index, monkeypatch):
    meteor = Meteor(index)
    preparation = meteor.preparation(profile("coco"))
    prepared: list[str] = []
    numbers = preparation.numbers
    monkeypatch.setattr(preparation, "numbers", lambda text: prepared.append(text) or numbers(text))
    meteor.score_many([("a dog", ["the dog", "a cat"])] * 3000, profile("coco"))
    assert sorted(prepared) == ["a cat", "a dog", "the dog"]


def test_many_alignments_equal_those_of_single_pairs(meteor: Meteor):
    texts = ["a dog ran home", "the dogs run home .", "", "cats", "home the dog a ran"]
    pairs = [(hypothesis, texts[number:]) for hypothesis in texts for number in range(6)]
    config = profile("coco")
    batches = list(meteor.align_many(pairs, config, Run(jobs=2)))
    matches = [found for batch in batches for found in batch.matches_by_hypothesis()]
    for pair, found in zip(pairs, matches, strict=True):
        single = meteor.score(*pair, config).matches
        assert [tuple(match) for match in found] == [tuple(match) for match in single]


def test_a_batch_that_threads_do_not_share_is_one_slice(
    index: Index, monkeypatch: pytest.MonkeyPatch
):
    meteor, pairs = Meteor(index), [("a dog " * 50, ["the dog " * 50])] * 300
    sizes: list[int] = []
    align = meteor._aligner.align_many

    def counted(sentences, *rest):
        sizes.append(len(sentences))
        return align(sentences, *rest)

    monkeypatch.setattr(meteor._aligner, "align_many", counted)
    meteor.score_many(pairs, profile("coco"))
    assert sizes == [600]
    sizes.clear()
    meteor.score_many(pairs, profile("coco"), Run(jobs=1))
    assert sizes == [300, 300]


def test_progress_counts_hypotheses(compiled: Meteor):
    reported: list[Progress] = []
    pairs = [(f"dog {number}", ["a dog", "a cat"]) for number in range(1200)]
    batch = compiled.score_many(pairs, profile("coco"), Run(progress=reported.append, jobs=2))
    assert len(batch) == 1200
    assert (reported[-1].done, reported[-1].total) == (1200, 1200)


def test_a_cancelled_run_stops(meteor: Meteor):
    token = CancelToken()
    pairs = [(f"the dog {number} ran", ["a dog runs"] * 3) for number in range(5000)]
    run = Run(progress=lambda _: token.cancel(), cancel=token, jobs=2)
    with pytest.raises(Cancelled):
        meteor.score_many(pairs, profile("coco"), run)


def test_a_cancellation_is_noticed_between_two_texts(index: Index, monkeypatch: pytest.MonkeyPatch):
    meteor, token, prepared = Meteor(index), CancelToken(), []
    preparation = meteor.preparation(profile("coco"))

    def numbers(text: str) -> bytes:
        prepared.append(text)
        token.cancel()
        return b""

    monkeypatch.setattr(preparation, "numbers", numbers)
    with pytest.raises(Cancelled):
        meteor.score_many([("a dog", ["the dog"])], profile("coco"), Run(cancel=token))
    assert prepared == ["a dog"]


def test_the_references_of_one_system_are_not_tokenized_again_for_the_next(
    index: Index, monkeypatch: pytest.MonkeyPatch
):
    meteor, prepared = Meteor(index), []
    preparation = meteor.preparation(profile("coco"))
    numbers = preparation.numbers
    monkeypatch.setattr(preparation, "numbers", lambda text: prepared.append(text) or numbers(text))
    for story in ("a dog", "a cat"):
        meteor.score_many([(story, ["the dog"])], profile("coco"))
    assert prepared == ["a dog", "the dog", "a cat"]


def test_threads_share_one_meteor(compiled: Meteor):
    pairs = [(f"the dog {n % 50} of {n} ran", [f"a dog {n}", f"dogs run {n}"]) for n in range(3000)]
    alone = compiled.score_many(pairs, profile("coco"))
    together = Meteor(compiled.index).score_many(pairs, profile("coco"), Run(jobs=4))
    np.testing.assert_array_equal(alone.rows, together.rows)


def test_lines_beyond_the_limits_of_the_compiled_aligner_use_the_python_one(
    index, python: Meteor, monkeypatch: pytest.MonkeyPatch
):
    class Full:
        def __init__(self, *_: object) -> None: ...

        def refuse(self, *_: object) -> None:
            raise OverflowError

        align = align_many = refuse

    monkeypatch.setattr("jurydesk.core.metrics.meteor.alignment.engine_compiled.Kernel", Full)
    pairs = [("the dogs ran home", ["the dog ran", "a dog is home"])] * 3
    meteor = Meteor(index, "compiled")
    expected = python.score_many(pairs, profile("vist"))
    np.testing.assert_array_equal(meteor.score_many(pairs, profile("vist")).rows, expected.rows)
    assert meteor.score(*pairs[0], profile("vist")) == python.score(*pairs[0], profile("vist"))
