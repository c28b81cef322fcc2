"""Tests of whole submissions: sub-tasks, integral score, missing inputs."""

import json
import math

import numpy as np
import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.neural.inception.fid_score import FidResult
from jurydesk.core.neural.inception.npz_statistics import Statistics
from jurydesk.core.system.paths import HOME_VARIABLE
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.integral_score import HIDDEN, SUBTASKS, integral
from jurydesk.core.tasks.fusionbrain.subtasks import image_generation
from support.oracles import oracle

WORDNET = str(oracle("fusionbrain/shared_toy_ruwordnet.db"))
IDS = {"q": 0, "m": 1, "g": 2, "c": 3, "v": 4, "r": 5}
PICTURE = oracle("fusionbrain/shared_clip_images") / "images" / "image_0.png"
ALL_HIDDEN = tuple(f"{name}=0.5" for name in HIDDEN)


def text(content):
    return {"type": "text", "content": content}


ASKED = {
    "q": [text("Где кот?")],
    "m": [text("2 + 3?")],
    "g": [text("Нарисуй."), text("кошка")],
    "c": [text("Что это?"), {"type": "image", "content": "in/c.png"}],
    "v": [text("Кто это?"), {"type": "image", "content": "in/c.png"}],
    "r": [text("Прочти."), {"type": "image", "content": "in/c.png"}],
}
TRUTH = {
    "q": [text(["дома"])],
    "m": [text(["5"])],
    "g": [{"type": "image", "content": "real/g.png"}],
    "c": [text(["кошка на столе"])],
    "v": [text(["животное"])],
    "r": [text(["КОТ"])],
}
SAID = {
    "q": [text("дом")],
    "m": [text("6")],
    "g": [text(""), {"type": "image", "content": "out/made/g.png"}],
    "c": [text("кошка на столе")],
    "v": [text("кошка")],
    "r": [text("КОТ")],
}


@pytest.fixture
def competition(tmp_path, monkeypatch):
    """Return a function that scores a complete folder with these options."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    for name in ("in/c.png", "real/g.png", "made/g.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(PICTURE.read_bytes())

    def scored(*, said=SAID, ids=IDS, without=(), inputs=None, **options):
        contents = {"truth": TRUTH, "predictions": said, "task-ids": ids, "input": ASKED}
        given = {}
        for role, content in contents.items():
            if role not in without:
                (tmp_path / f"{role}.json").write_text(json.dumps(content), encoding="utf-8")
                given[role] = (tmp_path / f"{role}.json",)
        chosen = FusionBrainOptions(**{"ruwordnet": WORDNET, **options})
        return score_submissions(
            TASK, files_by_role({**given, **(inputs or {})}), chosen, Run(), resamples=0
        ).entries[0]

    return scored


@pytest.fixture
def stub_fid(monkeypatch):
    class Distances:
        def __init__(self, weights, trace):
            pass

        def between(self, one, other, run, reader=None):
            assert [path.name for path in one.files] == ["g.png"]
            assert [path.name for path in other.files] == ["g.png"]
            unknown = Statistics(Gaussian(np.zeros(2), np.eye(2)))
            return FidResult(50.0, unknown, unknown, ())

    monkeypatch.setattr(image_generation, "FidCalculator", Distances)


def values(entry):
    return {score.metric: score.value for score in entry.evaluation.scores}


def test_every_key_is_scored_in_its_sub_task(competition):
    evaluation = competition().evaluation
    assert evaluation.items.ids == (
        "textqa/q", "mathqa/m", "generation/g", "captioning/c", "vqa/v", "text_recognition/r",
    )  # fmt: skip
    found = values(competition())
    assert found["textqa_f1"] == found["vqa_meteor"] == found["text_recognition_ned"] == 1
    assert found["mathqa_em"] == 0
    assert found["captioning_meteor"] == pytest.approx(1 - 0.5 / 27)


def test_a_whole_submission_is_scored_with_stubbed_networks(competition, stub_clip, stub_fid):
    found = values(competition(hidden=ALL_HIDDEN))
    assert found["generation_fid"] == 50
    assert found["generation"] == 0.5 * (found["generation_clip"] + 0.75)
    assert found["captioning"] == 0.5 * (found["captioning_clip"] + found["captioning_meteor"])
    opened = [found[one.metric] for one in SUBTASKS]
    assert found["integral_open"] == pytest.approx(sum(opened) / 15)
    assert found["integral"] == pytest.approx(sum(opened) / 15 + 0.3)
    assert found["integral_share"] == 1


def test_a_failed_pair_ends_the_scoring_on_request(competition, stub_clip, stub_fid):
    said = {**SAID, "c": [{"type": "image", "content": "x.png"}]}
    assert competition(failed_pairs="stop").evaluation is not None
    assert competition(said=said).evaluation is not None
    with pytest.raises(UsageError, match=r"predictions.json, \[\"c\"\]: There is no text for the"):
        competition(said=said, failed_pairs="stop")


def test_scores_without_their_model_are_missing_and_the_rest_is_scored(competition):
    entry = competition(hidden=ALL_HIDDEN)
    found = values(entry)
    missing = {"generation", "generation_fid", "generation_clip", "captioning", "captioning_clip"}
    assert {name for name, value in found.items() if math.isnan(value)} == {
        *missing, "integral", "integral_open",
    }  # fmt: skip
    assert found["integral_so_far"] == pytest.approx(3 / 15 + 0.3)
    assert found["integral_share"] == pytest.approx(4 / 15 + 0.6)
    notes = [defect.found for defect in entry.defects]
    assert any(note.startswith("Not computed: There are no weights for ruCLIP") for note in notes)
    assert any(
        note.startswith("Not computed: There are no weights for Inception") for note in notes
    )


def test_without_ruwordnet_meteor_is_missing(competition):
    entry = competition(ruwordnet="")
    found = values(entry)
    assert math.isnan(found["vqa_meteor"])
    assert math.isnan(found["captioning_meteor"])
    assert found["textqa_f1"] == 1
    shown = entry.evaluation.items.show(4)
    assert (shown.prediction, shown.score) == ("кошка", None)


def test_a_single_sub_task_that_lacks_everything_is_refused(competition):
    with pytest.raises(ResourceMissing, match="There are no weights for RuWordNet"):
        competition(subtask="vqa", ruwordnet="")


def test_one_sub_task_of_a_whole_submission_can_be_scored(competition):
    evaluation = competition(subtask="textqa").evaluation
    assert evaluation.items.ids == ("textqa/q",)
    assert [score.metric for score in evaluation.scores] == ["textqa_f1"]


def test_a_sub_task_without_keys_is_missing_and_not_0(competition):
    entry = competition(ids={key: IDS[key] for key in "qm"}, hidden=ALL_HIDDEN)
    found = values(entry)
    assert math.isnan(found["vqa_meteor"])
    assert math.isnan(found["integral"])
    assert found["integral_share"] == pytest.approx(2 / 15 + 0.6)
    assert (
        "Sub-tasks without keys: Image generation, Image captioning, Visual QA, Text recognition."
        in [defect.found for defect in entry.defects]
    )


def test_missing_hidden_scores_are_named(competition):
    entry = competition(hidden=("hidden1=0.5", "predictions:hidden2=0.25"))
    assert (
        "The scores of these hidden sub-tasks are not known: hidden3, hidden4, hidden5, hidden6."
        in [defect.found for defect in entry.defects]
    )
    assert values(entry)["integral_so_far"] == pytest.approx(
        (4 - 1 - 0.5 / 27) / 15 + 0.075, abs=2e-3
    )


def test_different_numbers_of_pictures_are_refused_in_the_published_profile(
    competition, tmp_path, stub_fid
):
    (tmp_path / "real" / "other.png").write_bytes(PICTURE.read_bytes())
    real = {"real-images": (tmp_path / "real",)}
    entry = competition(inputs=real)
    assert math.isnan(values(entry)["generation_fid"])
    assert "1 generated picture, but 2 real ones." in [defect.found for defect in entry.defects]


def test_fid_is_undefined_without_pictures(competition, tmp_path):
    said = {**SAID, "g": [text("")]}
    entry = competition(said=said, profile="corrected")
    assert math.isnan(values(entry)["generation_fid"])


def test_without_the_input_no_pair_can_be_formed(competition):
    entry = competition(without=("input",))
    assert "Not computed: The CLIP score needs the input file (--input)." in [
        defect.found for defect in entry.defects
    ]


def test_damage_in_a_question_sub_task_sets_it_to_0_in_the_published_profile(competition):
    ids = {"q": 0, "c": 0}
    said = {**SAID, "c": [text(None)]}
    published = competition(ids=ids, said=said).evaluation
    assert published.items.columns["textqa_f1"].tolist() == [0, 0]
    corrected = competition(ids=ids, said=said, profile="corrected").evaluation
    assert corrected.score("textqa_f1").value == 1
    assert math.isnan(corrected.items.columns["textqa_f1"][1])
    assert corrected.score("textqa_f1").n == 1


def test_nothing_of_a_stale_prediction_remains_in_the_corrected_profile(competition):
    said = {**SAID, "m": []}
    ids = {"q": 0, "m": 0}
    evaluation = competition(ids=ids, said=said).evaluation
    assert evaluation.items.columns["reused"].tolist() == [0, 1]
    assert evaluation.items.show(1).rules[0] == (
        'The published program scores the prediction of key "q" again.'
    )
    corrected = competition(ids=ids, said=said, profile="corrected").evaluation
    assert corrected.score("textqa_f1").n == 1


@pytest.mark.parametrize(
    ("opened", "hidden", "value", "so_far", "share"),
    [
        (1.0, 1.0, 1.0, 1.0, 1.0),
        (0.0, 0.0, 0.0, 0.0, 1.0),
        (1.0, math.nan, math.nan, 0.4, 0.4),
        (math.nan, 1.0, math.nan, 0.6, 0.6),
    ],
)
def test_the_integral_score_follows_its_formula(opened, hidden, value, so_far, share):
    scores = {one.metric: opened for one in SUBTASKS}
    found = integral(scores, dict.fromkeys(HIDDEN, hidden))
    assert found.value == pytest.approx(value, nan_ok=True)
    assert (found.so_far, found.share) == (pytest.approx(so_far), pytest.approx(share))


def test_evidence_is_read_back_from_json(competition):
    items = competition().evaluation.items
    for number in range(len(items)):
        shown = items.show(number)
        kept = json.loads(json.dumps(shown.to_json()))
        assert TASK.readers.load_evidence(kept) == shown


def test_the_stamp_contains_the_words_that_affected_the_score(competition):
    stamp = competition().evaluation.stamp
    assert list(stamp["resources"]) == ["ruwordnet/shared_toy_ruwordnet.db"]
    assert "/" not in stamp["short"].replace("gold", "")
