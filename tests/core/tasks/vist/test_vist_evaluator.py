from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.meteor import align
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.vist.stories import HumanStory, PhotoSequence, StoryReferences
from jurydesk.core.tasks.vist.stories import StorySubmission as Stories
from jurydesk.core.tasks.vist.vist_evaluator import STATISTICS
from jurydesk.core.tasks.vist.vist_evidence import StoryEvidence
from jurydesk.core.tasks.vist.vist_options import VistOptions
from jurydesk.core.tasks.vist.vist_task import TASK
from support.files.vist import ONE, THREE, TWO, story, story_annotations, submission, write
from support.oracles import data, golden

SENTENCES = ("the family went to the beach .", "they swam .", "it was warm .", "we ate .", "bye .")
GOLD = "meteor/vist_e2e_shared_gold.json"


def evaluation(inputs: dict[str, list[Path]], profile: str = "published") -> Evaluation:
    options, run = VistOptions(profile), Run()
    references = TASK.readers.read_references(inputs, options, run)
    assert references.data is not None
    reading = TASK.readers.read_submission(inputs["submission"][0], references.data, options, run)
    assert reading.data is not None
    return TASK.scoring.evaluate(references.data, reading.data, options, run)


def small(folder: Path, text: str, profile: str = "published", *humans: str) -> Evaluation:
    """Return one sequence with these human stories, and one that repeats SENTENCES."""
    parts = [
        part
        for number, human in enumerate(humans)
        for part in story_annotations(str(number), ONE, (human, "", "", "", ""))
    ]
    gold = write(
        folder / "gold.json", {"annotations": parts + story_annotations("z", TWO, SENTENCES)}
    )
    path = write(folder / "sub.json", submission(story(ONE, text), story(TWO, "we ate .")))
    return evaluation({"submission": [path], "references": [gold]}, profile)


@pytest.fixture(scope="module")
def real() -> Evaluation:
    """Return the example submission and the recorded human stories (EvalVIST, Java 17)."""
    return evaluation(
        {
            "submission": [data("vist/example-submission-file.test.json")],
            "references": [golden(GOLD)],
            "template": [data("vist/vist-challenge-template.json")],
        }
    )


def test_the_mean_equals_that_of_the_challenge_s_program(real: Evaluation) -> None:
    expected = json.loads(golden("meteor/vist_e2e_shared_expected.json").read_text())
    score = real.score("meteor")
    assert score.n == expected["n"]
    assert score.value == pytest.approx(expected["mean"], abs=1e-15)


def test_every_sequence_has_the_score_of_the_challenge_s_program(real: Evaluation) -> None:
    expected = json.loads(golden("meteor/vist_e2e_shared_expected.json").read_text())
    found = dict(zip(real.items.ids, real.items.columns["meteor"], strict=True))
    assert found == pytest.approx(expected["per_sequence_max"], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("example-submission-file-extra.empty.test.json", 0.0, 0.0),
        ("example-submission-file-extra.happy.test.json", 0.05, 0.30),
    ],
)
def test_the_challenge_s_baselines_have_their_published_scores(
    name: str, low: float, high: float
) -> None:
    found = evaluation(
        {
            "submission": [data(f"vist/{name}")],
            "references": [golden(GOLD)],
            "template": [data("vist/vist-challenge-template.json")],
        }
    )
    assert low <= found.score("meteor").value <= high


def test_the_first_human_story_of_each_sequence_scores_almost_one(tmp_path: Path) -> None:
    options, run = VistOptions(), Run()
    gold = TASK.readers.read_references({"references": [golden(GOLD)]}, options, run).data
    assert gold is not None
    first = {entry.photos: entry.stories[0].text for entry in gold.sequences}
    found = TASK.scoring.evaluate(gold, Stories("human", "", first), options, run)
    assert found.score("meteor").value > 0.9999


def test_the_best_human_story_counts_and_the_first_among_equals(tmp_path: Path) -> None:
    found = small(tmp_path, "a red dog .", "published", "a cat .", "a red dog .", "a red dog .")
    assert found.items.columns["best_story"].tolist() == [1.0, 0.0]
    assert found.items.columns["human_stories"].tolist() == [3.0, 1.0]
    assert found.items.columns["meteor"][0] == 1.0
    assert found.items.ids == ("11-12-13-14-15", "21-22-23-24-25")


def test_the_statistics_of_the_best_human_story_are_kept(real: Evaluation) -> None:
    for item in range(0, 120, 20):
        row = tuple(real.items.columns[name][item] for name in STATISTICS)
        assert row == real.items.evidence(item).alignment.counts


def test_the_statistics_are_named_in_meteor_s_order() -> None:
    assert len(STATISTICS) == 23
    assert STATISTICS[:4] == (
        "words",
        "human_words",
        "function_words",
        "human_function_words",
    )
    assert STATISTICS[8:12] == (
        "stem_content",
        "stem_human_content",
        "stem_function",
        "stem_human_function",
    )
    assert STATISTICS[20:] == ("chunks", "matched_words", "human_matched_words")


def test_the_corrected_profile_removes_characters_outside_ascii(tmp_path: Path) -> None:
    story, human = "a na\u00efve dog .", "a nave dog ."
    published = small(tmp_path, story, "published", human)
    corrected = small(tmp_path, story, "corrected", human)
    assert published.items.columns["meteor"][0] < 1
    assert corrected.items.columns["meteor"][0] == 1
    assert corrected.profile == "corrected"


def test_sequences_without_human_stories_are_not_scored() -> None:
    wanted = StoryReferences(
        (
            PhotoSequence(ONE, "7", ()),
            PhotoSequence(THREE, "7", (HumanStory("1", "we ate ."),)),
        ),
        "template.json",
    )
    stories = Stories("x", "", {ONE: "we ate .", THREE: "we ate ."})
    found = TASK.scoring.evaluate(wanted, stories, VistOptions(), Run())
    assert found.items.ids == ("31-32-33-34-35",)


def test_the_score_is_the_exact_mean_with_the_deviation_over_sequences(real: Evaluation) -> None:
    column = real.items.columns["meteor"]
    score = real.score("meteor")
    assert score.value == math.fsum(column) / len(column)
    assert score.std == pytest.approx(float(np.std(column)))


def test_evidence_contains_every_human_story(real: Evaluation) -> None:
    for item in (0, 7, 119):
        evidence = real.items.evidence(item)
        assert isinstance(evidence, StoryEvidence)
        scores = [human.score for human in evidence.stories]
        assert max(scores) == scores[evidence.best] == real.items.columns["meteor"][item]
        assert evidence.alignment.score == scores[evidence.best]


def test_the_stored_alignment_equals_meteor_s(real: Evaluation) -> None:
    for item in (0, 7, len(real.items) - 1):
        evidence = real.items.evidence(item)
        human = evidence.stories[evidence.best].text
        assert evidence.alignment.matches
        assert evidence.alignment == align(evidence.text, human, "vist")


def test_a_desk_shows_alignments_without_the_language_data(
    real: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Desk.create(tmp_path / "desk.jurydesk") as desk:
        key = desk.add(real)
    monkeypatch.setattr("jurydesk.core.metrics.meteor.shared_meteor", lambda run=None: 1 / 0)
    monkeypatch.setattr(
        "jurydesk.core.tasks.vist.vist_evidence.shared_meteor", lambda run=None: 1 / 0
    )
    with Desk.open(tmp_path / "desk.jurydesk", read_only=True) as desk:
        back = desk.load(key, TASK.readers.load_evidence).items
        assert [back.show(item) for item in range(len(back))] == [
            real.items.show(item) for item in range(len(back))
        ]


def test_the_other_alignments_are_computed_on_request(real: Evaluation) -> None:
    evidence = real.items.evidence(3)
    for number, human in enumerate(evidence.stories):
        assert evidence.align(number).score == human.score


def test_the_stamp_records_how_meteor_was_run(real: Evaluation) -> None:
    references = StoryReferences((), "x")
    assert TASK.scoring.settings(references, VistOptions()) == {
        "meteor": "1.5",
        "task": "hter",
        "norm": "none",
    }
    assert "data/paraphrase-en.gz" in TASK.scoring.resources(references, VistOptions())


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("The family went to the beach .", "capital letters"),
        ("the family went to [location].", "glued punctuation"),
        ("They swam, it was warm.", "capital letters, glued punctuation"),
    ],
)
def test_stories_that_are_not_normalized_are_told_beside_their_number(
    tmp_path: Path, text: str, phrases: str
) -> None:
    (defect,) = small(tmp_path, text, "published", "they swam , it was warm .").defects
    assert defect.found == f"1 of 2 stories have {phrases}, unlike the human ones."
    human = f"{text} We ate, too."
    assert small(tmp_path, text, "published", human).defects == ()


def test_normalized_stories_have_no_remark(tmp_path: Path) -> None:
    assert small(tmp_path, "[male] saw 3 dogs .", "published", "a dog .").defects == ()
