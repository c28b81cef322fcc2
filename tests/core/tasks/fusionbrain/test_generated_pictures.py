"""Tests of generated pictures: which count for FID, and what a check says of them."""

import json

import numpy as np
import pytest

from jurydesk.core.execution.engine import check_inputs, score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.fid.frechet_distance import Gaussian
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.neural.inception import image_chunks
from jurydesk.core.neural.inception.fid_score import FidResult
from jurydesk.core.neural.inception.npz_statistics import Statistics
from jurydesk.core.participant_kit.kit import check_with_kit_rules, make_kit
from jurydesk.core.readers.images import open_picture
from jurydesk.core.system.paths import HOME_VARIABLE
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from jurydesk.core.tasks.fusionbrain.questions import Challenge, Predictions
from jurydesk.core.tasks.fusionbrain.readers.image_paths import PictureFinder
from jurydesk.core.tasks.fusionbrain.subtasks import image_generation
from support.tiny_models import picture, torch_or_skip


class Competition:
    """Folder of a generation sub-task whose submission names these pictures."""

    def __init__(self, folder, names):
        self.folder, self.names = folder, names
        for number, name in enumerate(names):
            picture(folder / "made" / "x.png", number).rename(folder / "made" / name)
            picture(folder / "real" / f"{number}.png", number + 9)
        self.inputs = {
            "truth": self.write("truth", {name: self.image(f"real/{name}") for name in names}),
            "predictions": self.write(
                "predictions", {name: self.image(f"made/{name}") for name in names}
            ),
            "input": self.write("input", {name: self.text("Нарисуй. кот") for name in names}),
            "real-images": (folder / "real",),
        }

    def write(self, role, content):
        path = self.folder / f"{role}.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return (path,)

    def text(self, content):
        return [{"type": "text", "content": content}]

    def image(self, path):
        return [*self.text(""), {"type": "image", "content": path}]

    def check(self, profile="published"):
        options = FusionBrainOptions(profile, "generation")
        return [
            *map(
                str,
                check_inputs(TASK, files_by_role(self.inputs), options, Run()).entries[0].defects,
            )
        ]


@pytest.fixture
def competition(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return lambda *names: Competition(tmp_path, names)


@pytest.fixture
def fid_files(monkeypatch):
    """Return the names of the generated pictures that FID is computed of."""
    taken = []

    class Distances:
        def __init__(self, weights, trace):
            pass

        def between(self, one, other, run, reader=None):
            taken.extend(path.name for path in one.files)
            defects = (*one.defects, *other.defects)
            unknown = Statistics(Gaussian(np.zeros(2), np.eye(2)))
            return FidResult(50.0, unknown, unknown, tuple(defects))

    monkeypatch.setattr(image_generation, "FidCalculator", Distances)
    return taken


NAMES = ("a.png", "b.PNG", "c.jfif", "d.gif")


@pytest.mark.parametrize(
    ("profile", "taken"), [("published", ["a.png"]), ("corrected", list(NAMES))]
)
def test_pictures_of_any_name_count_in_the_corrected_fid_and_others_are_named(
    competition, fid_files, stub_clip, profile, taken
):
    made = competition(*NAMES)
    options = FusionBrainOptions(profile, "generation")
    entry = score_submissions(
        TASK, files_by_role(made.inputs), options, Run(), resamples=0
    ).entries[0]
    assert fid_files == taken
    left_out = [one for one in map(str, entry.defects) if "Not read" in one]
    assert len(left_out) == (profile == "published")
    assert all("Not read: 3 files (b.PNG, c.jfif, d.gif)." in one for one in left_out)
    assert set(left_out) <= set(made.check(profile))


@pytest.mark.usefixtures("quick_fid")
def test_folders_named_as_pictures_are_told_by_check_and_score_with_or_without_a_distance(
    competition, stub_clip
):
    torch_or_skip()
    made = competition("a.png", "b.png")
    (made.folder / "real" / "1.png").unlink()
    (made.folder / "real" / "1.png").mkdir()
    sentence = "Not read: 1 folder (1.png)."
    assert any(sentence in one for one in made.check())
    options = FusionBrainOptions("published", "generation", weights=("inception=random-numbers",))
    entry = score_submissions(
        TASK, files_by_role(made.inputs), options, Run(device="cpu"), resamples=0
    ).entries[0]
    assert any("FID was not computed" in one.found for one in entry.defects)
    assert sentence in [one.found for one in entry.defects]


def test_a_check_names_answers_without_a_picture_and_files_that_are_missing(competition):
    made = competition("a.png", "b.png", "c.png")
    (made.folder / "made" / "b.png").unlink()
    said = {
        "a.png": made.text("a cat"),
        "b.png": made.image("made/b.png"),
        "c.png": [*made.text(""), {"type": "image", "content": 5}],
    }
    made.write("predictions", said)
    published = made.check()
    for key, reason in (
        ("a.png", "The prediction has no second element."),
        ("b.png", "There is no file “made/b.png”."),
        ("c.png", "The picture of the prediction has no path."),
    ):
        sentence = f'predictions.json, ["{key}"]: CLIP: {reason}\n       It scores 0.'
        assert sum(sentence in defect for defect in published) == 1, published
    assert any("CLIP: The prediction has no picture." in one for one in made.check("corrected"))


def test_a_check_says_that_a_damaged_real_picture_prevents_the_fid(competition):
    made = competition("a.png", "b.png")
    (made.folder / "real" / "1.png").write_bytes(b"no picture")
    (sentence,) = [one for one in made.check() if "FID was not computed" in one]
    assert "1 picture cannot be read (1.png)" in sentence


def test_a_participant_s_program_looks_at_the_pictures_beside_the_submission(competition):
    made = competition("a.png", "b.png")
    (made.folder / "made" / "b.png").write_bytes(b"")
    options = FusionBrainOptions("published", "generation")
    kit = make_kit(TASK, "", TASK.readers.read_references(made.inputs, options, Run()), options)
    (entry,) = check_with_kit_rules(
        TASK, kit, files_by_role({"predictions": made.inputs["predictions"]}), Run()
    ).entries
    assert [one.found for one in entry.defects] == [
        "CLIP: The picture is not in a known image format."
    ]


@pytest.mark.parametrize(
    ("on_disk", "written", "said"),
    [
        ("и\u0306од.png", "made/йод.png", "but one in another Unicode form."),
        ("9.png", r"made\9.png", r"but one with / for \."),
        ("11.png", "made/11.PNG", "but “made/11.png”."),
    ],
)
def test_a_file_whose_name_looks_the_same_is_named(on_disk, written, said, tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / on_disk).touch()
    challenge = Challenge({}, whole=True, is_split=True, truth=tmp_path / "truth.json")
    finder = PictureFinder(challenge, Predictions({}, tmp_path / "mine.json"))
    found = finder.generated_picture(written)
    assert found.file is None
    assert found.reason == f"There is no file “{written}”, {said}"


@pytest.mark.usefixtures("quick_fid")
def test_clip_and_inception_share_the_decoded_pictures(competition, monkeypatch):
    """Both networks are random: only the number of decodings counts."""
    torch_or_skip()
    names: list[str] = []

    def count(path, **settings):
        names.append(f"{path.parent.name}/{path.name}")
        return open_picture(path, **settings)

    monkeypatch.setattr(image_chunks, "open_picture", count)
    made = competition("a.png", "b.png")
    weights = ("inception=random-numbers", "clip=random-numbers")
    options = FusionBrainOptions("published", "generation", weights=weights)
    with Run(device="cpu", jobs=1) as run:
        (entry,) = score_submissions(
            TASK, files_by_role(made.inputs), options, run, resamples=0
        ).entries
        values = {score.metric: score.value for score in entry.evaluation.scores}
        assert values["generation_fid"] > 0
        assert values["generation_clip"] == values["generation_clip"]
    assert sorted(names) == ["made/a.png", "made/b.png", "real/0.png", "real/1.png"]
