from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.cli.commands.programs.fid import PRESETS
from jurydesk.core.metrics.fid import preprocessing
from jurydesk.core.neural.inception.npz_statistics import read_statistics
from support.oracles import oracle
from support.tiny_models import picture

CASE = "d64_n200"
RECORDED = json.loads(oracle("neural/shared_fid.json").read_text())["runs"]
VALUE = RECORDED["scipy 1.17.1 numpy 2.4.6"][CASE]["fid"]


@pytest.fixture
def sides(tmp_path):
    with np.load(oracle("neural/shared_fid_features.npz")) as file:
        for side in "ab":
            np.savez(tmp_path / f"{side}.npz", features=file[f"{CASE}_{side}"])
    return tmp_path / "a.npz", tmp_path / "b.npz"


def test_the_presets_are_those_of_the_metric():
    assert tuple(preprocessing.PRESETS) == PRESETS


def test_only_the_distance_is_written_to_standard_output(jurydesk, sides):
    outcome = jurydesk("fid", *sides)
    assert outcome.code == 0
    assert float(outcome.out) == pytest.approx(VALUE, rel=1e-9)


def test_json_records_how_the_distance_was_computed(jurydesk, sides):
    outcome = jurydesk("fid", *sides, "--exact", "--json", "-")
    document = json.loads(outcome.out)
    assert document["fid"] == pytest.approx(VALUE, rel=1e-9)
    assert (document["trace"], document["preset"]) == ("exact", "fusionbrain")
    assert [place["n"] for place in document["places"]] == [200, 180]
    assert "note  a.npz: The distance of 200 pictures is larger" in outcome.err


def test_statistics_can_be_saved_and_used_instead_of_a_folder(jurydesk, sides, tmp_path):
    one, other = sides
    saved = tmp_path / "real.npz"
    assert jurydesk("fid", other, "--save", saved).code == 0
    assert read_statistics(saved).gaussian.n == 180
    assert float(jurydesk("fid", one, saved).out) == pytest.approx(VALUE, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("a.npz",), 2, "Give a second folder or .npz file, or --save FILE.npz."),
        (("a.npz", "gone.npz"), 1, "gone.npz: there is no such file or folder."),
        (("gone", "."), 1, "gone: there is no such file or folder."),
        (("a.npz", "torn.npz"), 1, "torn.npz is not a valid .npz file of numbers"),
        (("a.npz", "b.npz", "--weights", "clup=x"), 2, "Did you mean clip?"),
        (("a.npz", "."), 3, "There are no weights for Inception"),
        (("a.npz", "b.npz", "--preset", "tf"), 2, "'tf' is not one of"),
    ],
)
def test_an_impossible_request_ends_with_a_message(
    jurydesk, sides, tmp_path, monkeypatch, arguments, code, sentence
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    (tmp_path / "torn.npz").write_bytes(sides[0].read_bytes()[:1000])
    outcome = jurydesk("fid", *arguments)
    assert outcome.code == code
    assert sentence in outcome.err


def test_all_unusable_pictures_are_listed(jurydesk, tmp_path, monkeypatch):
    from support.tiny_models import maker, torch_or_skip

    torch_or_skip()
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    maker().make_inception(tmp_path / "inception.safetensors")
    picture(tmp_path / "pictures" / "a.png", 0)
    for name in ("b.png", "c.png"):
        (tmp_path / "pictures" / name).write_text("no picture")
    folder = tmp_path / "pictures"
    weights = f"inception={tmp_path / 'inception.safetensors'}"
    outcome = jurydesk("fid", folder, folder, "--weights", weights, "--quiet", "--device", "cpu")
    assert outcome.code == 1
    assert "error  b.png: The picture is not in a known image format." in outcome.err
    assert "2 pictures cannot be read (" in outcome.err
