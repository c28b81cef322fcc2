from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.cli.commands.programs.fid import ALSO, NETWORKS, PRESETS, chosen_measures
from jurydesk.core.metrics.fid import preprocessing
from jurydesk.core.metrics.fid.kernel_distance import kernel_distance
from jurydesk.core.metrics.fid.picture_manifolds import manifold_scores
from jurydesk.core.metrics.fid.picture_measures import NAMES
from jurydesk.core.neural.inception import network_reader
from jurydesk.core.neural.inception.npz_statistics import read_statistics
from support.oracles import oracle
from support.tiny_models import picture, torch_or_skip

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
    assert ("inception", *network_reader.NETWORKS) == NETWORKS
    assert (*NAMES, "all") == ALSO


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


def test_a_distance_can_be_verified(jurydesk, sides, tmp_path):
    path = tmp_path / "fid.json"
    jurydesk("fid", *sides, "--json", path)
    verified = jurydesk("verify", path)
    assert (verified.code, verified.out, verified.err) == (0, "fid: match, same code\n", "")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for side in sides:
        side.rename(elsewhere / side.name)
    missing = jurydesk("verify", path)
    assert missing.code == 1
    assert missing.out.startswith("fid: not compared, inputs are missing\n  a.npz is missing from ")
    assert jurydesk("verify", path, "--inputs", elsewhere).code == 0


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("fid",), 0.5, "  fid: the file has 0.5, recomputed "),
        (("places", 1, "n"), 181, "  places[1].n: the file has 181, recomputed 180."),
        (("places", 0, "dimensions"), 65, "  places[0].dimensions: the file has 65, recom"),
        (("places", 0, "weights"), "a1", "  places[0].weights: the file has a1, recomputed null."),
        (("places", 0, "sha256"), "0" * 64, "  a.npz changed: its SHA-256 is "),
    ],
)
def test_an_altered_record_of_a_distance_is_named(
    jurydesk, sides, tmp_path, place, value, sentence
):
    path = tmp_path / "fid.json"
    jurydesk("fid", *sides, "--json", path)
    document = json.loads(path.read_text())
    *way, last = place
    at = document
    for step in way:
        at = at[step]
    at[last] = value
    path.write_text(json.dumps(document))
    altered = jurydesk("verify", path)
    assert altered.code == 1
    first, difference, *_ = altered.out.splitlines()
    assert first == "fid: differs"
    assert difference.startswith(sentence)


@pytest.mark.parametrize(
    ("member", "value"),
    [("places", []), ("trace", "none"), ("versions", None), ("fid", "0.5"), ("places", [{}, {}])],
)
def test_a_damaged_record_of_a_distance_is_refused(jurydesk, sides, tmp_path, member, value):
    path = tmp_path / "fid.json"
    jurydesk("fid", *sides, "--json", path)
    path.write_text(json.dumps({**json.loads(path.read_text()), member: value}))
    refused = jurydesk("verify", path)
    assert refused.code == 1
    assert "The record of the distance is damaged: " in refused.err


def test_other_code_and_versions_are_notes_on_a_distance(jurydesk, sides, tmp_path):
    path = tmp_path / "fid.json"
    jurydesk("fid", *sides, "--json", path)
    document = json.loads(path.read_text())
    document["versions"]["numpy"], document["code"] = "1.0", "0" * 64
    path.write_text(json.dumps(document))
    verified = jurydesk("verify", path)
    assert verified.code == 4
    head, numpy, code = verified.out.splitlines()
    assert head == "fid: match in part, not confirmed:"
    assert numpy.startswith("  numpy is ")
    assert code == "  The modules that computed the numbers are others."


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


def test_a_distance_of_folders_is_verified_by_their_pictures(jurydesk, tmp_path, monkeypatch):
    from support.tiny_models import maker, torch_or_skip

    torch_or_skip()
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    weights = tmp_path / "inception.safetensors"
    maker().make_inception(weights)
    assert jurydesk("weights", "--choose", f"inception={weights}").code == 0
    folders = tmp_path / "one", tmp_path / "other"
    for number, folder in enumerate(folders):
        for seed in range(3):
            picture(folder / f"{seed}.png", 10 * number + seed)
    path = tmp_path / "fid.json"
    assert jurydesk("fid", *folders, "--json", path, "--device", "cpu").code == 0
    assert jurydesk("verify", path, "--device", "cpu").out == "fid: match, same code\n"
    picture(folders[1] / "2.png", 99)
    changed = jurydesk("verify", path, "--device", "cpu")
    assert changed.code == 1
    assert changed.out.startswith("fid: differs\n  fid: the file has ")
    folders[0].rename(tmp_path / "away")
    missing = jurydesk("verify", path, "--device", "cpu")
    assert "  The folder one is missing: searched for " in missing.out


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_read(jurydesk, tmp_path):
    missing = (tmp_path / "a", tmp_path / "b")
    outcome = jurydesk("fid", *missing, "--json", tmp_path / "none" / "fid.json")
    assert outcome.code == 2
    assert "--json" in outcome.err
    assert "there is no such file or folder" not in outcome.err


def test_other_measures_are_listed_below_the_distance(jurydesk, sides):
    outcome = jurydesk("fid", *sides, "--also", "kid_full", "--also", "recall", "--exact")
    assert outcome.code == 0
    distance, kid, recall = (line.split() for line in outcome.out.splitlines())
    assert (distance[0], kid[0], recall[0]) == ("fid", "kid_full", "recall")
    assert float(distance[1]) == pytest.approx(VALUE, rel=1e-9)
    one, other = (read_statistics(side).gaussian.features for side in sides)
    found = kernel_distance(one, other)
    assert float(kid[1]) == found.value
    assert kid[2:] == ["±", f"{found.error:.2g}"]
    assert float(recall[1]) == manifold_scores(other, one).recall.mean()
    assert "Manifolds of 180 pictures are rougher than those of many." in outcome.err


def test_measures_and_interval_are_recorded_and_can_be_verified(jurydesk, sides, tmp_path):
    path = tmp_path / "fid.json"
    asked = ("--also", "precision", "--resamples", "20", "--exact", "--json", path)
    outcome = jurydesk("fid", *sides, *asked)
    document = json.loads(path.read_text())
    assert [one["name"] for one in document["measures"]] == ["precision"]
    low, high = document["interval"]
    assert 0 < low < high
    assert f"[{low:.6g}, {high:.6g}]" in outcome.out
    assert jurydesk("verify", path).code == 0
    document["measures"][0]["value"] += 0.01
    path.write_text(json.dumps(document))
    assert jurydesk("verify", path).code == 1


def test_all_measures_of_inception_are_those_without_clip():
    assert chosen_measures(("all",), "inception") == ALSO[:6]
    assert chosen_measures(("all",), "clip") == ALSO[:7]


def test_cmmd_needs_clip_and_measures_need_features(jurydesk, sides, tmp_path):
    outcome = jurydesk("fid", *sides, "--also", "cmmd")
    assert outcome.code == 1
    assert "CMMD is defined for features of CLIP: choose --network clip." in outcome.err
    np.savez(tmp_path / "m.npz", mu=np.zeros(64), sigma=np.eye(64))
    outcome = jurydesk("fid", sides[0], tmp_path / "m.npz", "--also", "precision")
    assert outcome.code == 1
    assert "Mean and covariance alone give the Frechet distance only" in outcome.err


def test_features_of_clip_are_compared_with_all_measures(jurydesk, tmp_path):
    torch_or_skip()
    for number in range(14):
        picture(tmp_path / ("a" if number < 7 else "b") / f"{number}.png", number)
    arguments = (tmp_path / "a", tmp_path / "b", "--network", "clip", "--exact", "--also", "all")
    outcome = jurydesk("fid", *arguments, "--weights", "clip=random-numbers")
    assert outcome.code == 0, outcome.err
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["fid", *ALSO[:7]]


def test_several_networks_have_a_line_for_each_of_their_measures(jurydesk, tmp_path, monkeypatch):
    torch_or_skip()
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    for number in range(14):
        picture(tmp_path / ("a" if number < 7 else "b") / f"{number}.png", number)
    chosen = ("--weights", "clip=random-numbers", "--weights", "ruclip=random-numbers")
    sides = (tmp_path / "a", tmp_path / "b", "--exact", *chosen)
    both = ("--network", "clip", "--network", "ruclip")
    outcome = jurydesk("fid", *sides, *both, "--also", "cmmd", "--also", "recall")
    assert outcome.code == 0, outcome.err
    lines = [line.split() for line in outcome.out.splitlines()]
    measures = ("fid", "recall", "cmmd")
    assert [line[:2] for line in lines] == [[n, m] for n in ("clip", "ruclip") for m in measures]
    assert "CMMD of 7 pictures is larger than that of many." in outcome.err
    for line in (lines[0], lines[3]):
        alone = jurydesk("fid", *sides, "--network", line[0])
        assert float(line[2]) == float(alone.out)
    refused = jurydesk("fid", *sides, *both, "--json", "-")
    assert (refused.code, "--json and --save are for one --network." in refused.err) == (2, True)


def test_cmmd_is_left_to_clip_if_clip_is_one_of_the_networks():
    assert chosen_measures(("cmmd", "kid"), "dinov2", ("dinov2", "clip")) == ("kid",)
    assert chosen_measures(("cmmd",), "dinov2", ("dinov2",)) == ("cmmd",)


def test_few_pictures_have_no_interval(jurydesk, sides):
    with np.load(sides[0]) as file:
        np.savez(sides[0], features=file["features"][:19])
    outcome = jurydesk("fid", *sides, "--exact", "--resamples", "20")
    assert len(outcome.out.split()) == 1
    assert "There is no interval: it needs 20 pictures or more." in outcome.err


def test_the_interval_is_that_of_the_programs_scores_of_units(jurydesk, sides):
    from jurydesk.core.metrics.fid.frechet_distance import ResampledDistances
    from jurydesk.core.neural.inception.feature_measures import FEWEST, SEED
    from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
    from jurydesk.core.statistics.combined_scores import combined_interval
    from jurydesk.core.tasks.fusionbrain.fusionbrain_metrics import METRICS

    (metric,) = (info for info in METRICS if info.name == "generation_fid")
    assert metric.fewest_groups == FEWEST
    one, other = (read_statistics(side).gaussian for side in sides)
    distances = ResampledDistances(one.features, other)
    plan = ResamplingPlan(one.n, 30, SEED)
    drawn = [distances.draw(row) for draws in plan.draws() for row in count_draws(draws)]
    outcome = jurydesk("fid", *sides, "--exact", "--resamples", "30", "--json", "-")
    record = json.loads(outcome.out)
    expected = combined_interval(record["fid"], np.array(drawn), one.n)
    assert record["interval"] == pytest.approx([expected.low, expected.high], rel=1e-9)
