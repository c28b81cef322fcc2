from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.neural.batches import Batches
from jurydesk.core.neural.clip import clip_embeddings
from jurydesk.core.neural.clip.clip_embeddings import select_clip
from jurydesk.core.tasks.fusionbrain.clip.clip_score import NO_PICTURE, clip_scores
from support.oracles import oracle
from support.tiny_models import Kept, maker, picture, torch_or_skip

RECORDED = json.loads(oracle("neural/shared_ruclip.json").read_text(encoding="utf-8"))
PICTURES = oracle("neural/shared_ruclip_images")
WEIGHTS = {"ruclip": oracle("neural/toy_ruclip")}
PAIRS = [(PICTURES / name, text) for name in RECORDED["images"] for text in RECORDED["texts"]]


@pytest.fixture
def shown(monkeypatch):
    """Return the number of items in every batch that went through a network."""
    sizes = []
    rows = Batches.rows

    def counting(self, items, run=None, **more):
        sizes.append(len(items))
        return rows(self, items, run, **more)

    monkeypatch.setattr(Batches, "rows", counting)
    return sizes


@pytest.fixture
def torch():
    return torch_or_skip()


def test_the_cosines_are_those_of_ruclip(torch):
    found = clip_scores(PAIRS, WEIGHTS, Run(), Kept())
    expected = np.array(RECORDED["cosine_image_x_text"]).ravel()
    assert found.values == pytest.approx(expected, abs=1e-5)
    assert found.reasons == {}
    assert [one.found for one in found.defects] == ["1 text longer than the model reads."]


def test_texts_longer_than_the_model_reads_are_counted_in_every_run(torch):
    long, cache = "кот " * 100, Kept()
    pairs = [(PAIRS[0][0], text) for text in (long, f"{long} и собака", "кот")]
    for _ in range(2):
        (note,) = clip_scores(pairs, WEIGHTS, Run(), cache).defects
        assert note.found == "2 texts longer than the model reads."


@pytest.mark.parametrize(("batch", "jobs"), [(1, 1), (3, 2), (64, 4)])
def test_scores_do_not_depend_on_the_batch_or_the_workers(torch, monkeypatch, batch, jobs):
    before = clip_scores(PAIRS, WEIGHTS, Run(), Kept()).values
    monkeypatch.setattr(clip_embeddings, "TEXT_BATCH", batch)
    monkeypatch.setattr("jurydesk.core.neural.batches.CPU_BATCH", batch)
    assert clip_scores(PAIRS, WEIGHTS, Run(jobs=jobs), Kept()).values == pytest.approx(
        before, abs=1e-6
    )


def test_each_distinct_picture_and_caption_goes_through_the_network_once(torch, shown):
    cache = Kept()
    clip_scores(PAIRS + PAIRS, WEIGHTS, Run(), cache)
    assert sum(shown) == len(RECORDED["images"]) + len(RECORDED["texts"])
    shown.clear()
    again = clip_scores(PAIRS, WEIGHTS, Run(), cache)
    assert shown == []
    assert again.values == pytest.approx(
        np.array(RECORDED["cosine_image_x_text"]).ravel(), abs=1e-5
    )


def test_a_failed_pair_is_0_with_its_reason_and_the_others_go_on(torch, tmp_path):
    (tmp_path / "broken.png").write_text("no picture")
    pairs = [
        (None, "a"),
        PAIRS[0],
        (tmp_path / "gone.png", "b"),
        (tmp_path / "broken.png", "c"),
        (shutil.copy(tmp_path / "broken.png", tmp_path / "twin.png"), "d"),
        PAIRS[1],
    ]
    found = clip_scores(pairs, WEIGHTS, Run(), Kept())
    assert found.reasons == {
        0: NO_PICTURE,
        2: "The picture does not exist.",
        3: "The picture is not in a known image format.",
        4: "The picture is not in a known image format.",
    }
    expected = np.array(RECORDED["cosine_image_x_text"]).ravel()[:2]
    assert found.values == pytest.approx([0, expected[0], 0, 0, 0, expected[1]], abs=1e-5)


def test_odd_pictures_are_scored_and_reported(torch, tmp_path):
    path = picture(tmp_path / "a.jpg", 0, mode="CMYK")
    found = clip_scores([(path, "кот")], WEIGHTS, Run(), Kept())
    assert found.values[0] != 0
    assert [str(defect.place) for defect in found.defects] == ["a.jpg"]


def test_no_pairs_need_no_network(torch, shown):
    assert clip_scores([], WEIGHTS, Run(), Kept()).values.shape == (0,)
    assert shown == []


def test_a_model_of_open_clip_can_be_used_as_well(torch, tmp_path):
    maker().make_open_clip(tmp_path / "clip")
    found = clip_scores(PAIRS[:2], {"clip": tmp_path / "clip"}, Run(), Kept())
    assert np.abs(found.values).max() <= 1
    assert len(set(found.values)) == 2


def test_without_a_model_the_message_names_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    with pytest.raises(ResourceMissing, match="There are no weights for ruCLIP: a folder with"):
        clip_scores(PAIRS, {}, Run())


def test_ruclip_is_used_before_clip_unless_clip_was_named(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    for role, names in (
        ("clip", ("open_clip_config.json", WEIGHT)),
        ("ruclip", ("config.json", "bpe.model", "pytorch_model.bin")),
    ):
        folder = tmp_path / "weights" / role
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).touch()
    assert select_clip({}).role.id == "ruclip"
    assert select_clip({"clip": tmp_path / "weights" / "clip"}).role.id == "clip"
    assert select_clip(WEIGHTS).path == WEIGHTS["ruclip"]
    shutil.rmtree(tmp_path / "weights" / "ruclip")
    assert select_clip({}).role.id == "clip"


WEIGHT = "open_clip_model.safetensors"


def test_open_clip_resizes_a_palette_picture_before_converting_its_colours(torch, tmp_path):
    """Check the order of open_clip's own preprocessing, which such a picture reveals."""
    import open_clip
    from PIL import Image

    maker().make_open_clip(tmp_path / "clip")
    path = tmp_path / "a.png"
    colours = np.random.default_rng(3).integers(0, 256, (45, 60, 3), np.uint8)
    Image.fromarray(colours).convert("P").save(path)
    found = clip_scores([(path, "a red house")], {"clip": tmp_path / "clip"}, Run(), Kept())
    folder = f"local-dir:{tmp_path / 'clip'}"
    network, transform = open_clip.create_model_from_pretrained(folder)
    network.eval()
    with torch.inference_mode(), Image.open(path) as image:
        one = network.encode_image(transform(image)[None], normalize=True)
        other = network.encode_text(
            open_clip.get_tokenizer(folder)(["a red house"]), normalize=True
        )
        early = network.encode_image(transform(image.convert("RGB"))[None], normalize=True)
    assert found.values[0] == pytest.approx(float(one @ other.T), abs=1e-6)
    assert abs(float(early @ other.T) - float(one @ other.T)) > 1e-4
