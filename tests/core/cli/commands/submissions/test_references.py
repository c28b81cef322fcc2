"""`jurydesk references`: building sets and choosing masks on the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.visdial.reference_sets.methods import reference_masks

FOLDER = resources_folder() / "examples" / "visdial" / "building"
DIALOGS = ("--dialogs", FOLDER / "dialogs.json")
MODEL = ("--embeddings", FOLDER / "words.bin")
PEOPLE = ("--relevance", FOLDER / "relevance.json")
TRAINING = ("--train", FOLDER / "training.json")


@pytest.fixture
def build(jurydesk, tmp_path):
    def call(method, *arguments):
        out = ("--out", tmp_path / "sets.json")
        return jurydesk("references", "build", "--method", method, *DIALOGS, *arguments, *out)

    return call


def test_sets_are_written_and_their_statistics_printed(build, tmp_path):
    outcome = build("M", *MODEL, *PEOPLE, *TRAINING, "--correlations", tmp_path / "c.npz")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] == "30 reference sets"
    assert outcome.out.splitlines()[1].split() == ["mean", "std", "n"]
    sets = json.loads((tmp_path / "sets.json").read_text())
    with np.load(tmp_path / "c.npz", allow_pickle=False) as arrays:
        masks = reference_masks(arrays["correlations"], arrays["gt_index"], "M")
    assert [one["in_cluster_idxs"] for one in sets] == masks.astype(int).tolist()


def test_json_statistics_are_null_where_undefined(build):
    outcome = build("H", *PEOPLE, "--json", "-")
    document = json.loads(outcome.out)
    assert (document["method"], document["sets"]) == ("H", 30)
    assert document["meters"]["IOU"] == {"mean": 100.0, "std": 0.0, "n": 30}
    assert document["meters"]["cluster_mean"] == {"mean": None, "std": None, "n": 0}


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("S",), 2, "Method S needs --embeddings FILE.bin, a fastText model."),
        (("H",), 2, "judgements are required for sets of annotated rounds: give --relevance"),
        (
            ("S", *MODEL, "--cca", "human"),
            2,
            "judgements are required for correlating with human annotations",
        ),
        (("S", "--embeddings", "absent.bin"), 3, "fastText model absent.bin"),
        (("S", *MODEL, "--train", FOLDER / "relevance.json"), 1, "The file is not a VisDial file."),
        (("X", *MODEL), 2, "'X' is not one of"),
        (("S", *MODEL, "--json", "no/such/place"), 2, "--json no/such/place: the folder no/such"),
    ],
)
def test_files_that_cannot_be_built_are_reported(build, tmp_path, arguments, code, sentence):
    outcome = build(*arguments)
    assert (outcome.code, (tmp_path / "sets.json").exists()) == (code, False)
    assert sentence in outcome.err


@pytest.fixture
def masks(jurydesk, tmp_path):
    def call(method="S", **arrays):
        np.savez(tmp_path / "c.npz", **arrays)
        paths = ("--correlations", tmp_path / "c.npz", "--out", tmp_path / "masks.json")
        return jurydesk("references", "masks", "--method", method, *paths)

    return call


VALUES = np.random.default_rng(0).uniform(-1, 1, (700, 100))
TRUTH = np.random.default_rng(1).integers(0, 100, 700)


@pytest.mark.parametrize("method", ["S", "M", "G"])
def test_masks_are_chosen_from_correlations_alone(masks, tmp_path, method):
    values = VALUES[:40] if method == "M" else VALUES
    assert masks(method, correlations=values, gt_index=TRUTH[: len(values)]).code == 0
    written = json.loads((tmp_path / "masks.json").read_text())
    expected = reference_masks(values, TRUTH[: len(values)], method)
    assert written == {"masks": expected.astype(int).tolist()}


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"correlations": VALUES}, "lacks arrays."),
        ({"correlations": VALUES[0], "gt_index": TRUTH}, '"correlations" is float64 (100,).'),
        ({"correlations": VALUES, "gt_index": TRUTH[1:]}, '"gt_index" is int64 (699,).'),
        ({"correlations": VALUES, "gt_index": TRUTH * 0.5}, '"gt_index" is float64 (700,).'),
        (
            {"correlations": VALUES, "gt_index": TRUTH + 100},
            'A value of "gt_index" is out of range.',
        ),
        ({"correlations": VALUES * np.nan, "gt_index": TRUTH}, "A correlation is not finite."),
        ({"correlations": np.array([{}]), "gt_index": TRUTH}, "is not an .npz file of numbers."),
    ],
)
def test_other_arrays_are_refused(masks, tmp_path, arrays, sentence):
    outcome = masks(**arrays)
    assert (outcome.code, (tmp_path / "masks.json").exists()) == (1, False)
    assert sentence in outcome.err


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04 broken"])
def test_a_file_that_is_not_npz_is_refused(jurydesk, tmp_path, content):
    path = tmp_path / "c.npz"
    path.write_bytes(content)
    out = ("--out", tmp_path / "masks.json")
    outcome = jurydesk("references", "masks", "--method", "S", "--correlations", path, *out)
    assert outcome.code == 1
    assert "is not an .npz file of numbers." in outcome.err


def test_missing_correlations_are_an_input_error(jurydesk, tmp_path):
    gone, out = tmp_path / "gone.npz", tmp_path / "masks.json"
    outcome = jurydesk("references", "masks", "--method", "S", "--correlations", gone, "--out", out)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"Error: {gone}: ")


def test_a_method_is_required(jurydesk, tmp_path):
    np.savez(tmp_path / "c.npz", a=VALUES)
    paths = ("--correlations", tmp_path / "c.npz", "--out", tmp_path / "masks.json")
    outcome = jurydesk("references", "masks", *paths)
    assert outcome.code == 2
    assert "Missing option '--method'" in outcome.err
