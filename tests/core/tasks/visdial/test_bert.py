"""BERT's [CLS] vectors against bert-as-service."""

import json

import numpy as np
import pytest
from golden import oracle

from core.model import ResourceMissing
from core.run.run import Run
from core.tasks.visdial.bert import load, torch_name
from core.tasks.visdial.tf_checkpoint import CheckpointError, read_tensors

FOLDER = oracle("visdial/toy_bert")
CASES = json.loads(oracle("visdial/shared_bert_cls.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def bert():
    pytest.importorskip("torch", reason="the extra `neural` is not installed")
    pytest.importorskip("transformers", reason="the extra `neural` is not installed")
    return load(FOLDER, "cpu")


def test_vectors_equal_bert_as_service(bert):
    vectors = bert.embed([case["text"] for case in CASES], Run())
    expected = np.array([case["embedding"] for case in CASES])
    assert vectors == pytest.approx(expected, abs=1e-5)


def test_word_pieces_equal_bert_as_service(bert):
    for case in CASES:
        length = sum(case["input_mask"])
        ids, parts = bert.pieces(case["text"])
        assert list(ids) == case["input_ids"][:length]
        assert list(parts) == case["input_type_ids"][:length]


def test_hugging_face_folder_gives_the_same_vectors(bert, tmp_path):
    bert.network.save_pretrained(tmp_path)
    (tmp_path / "vocab.txt").write_bytes((FOLDER / "vocab.txt").read_bytes())
    again = load(tmp_path, "cpu")
    texts = [case["text"] for case in CASES]
    assert again.embed(texts, Run()) == pytest.approx(bert.embed(texts, Run()), abs=1e-7)


def test_folder_without_a_model_is_named(bert, tmp_path):
    with pytest.raises(ResourceMissing, match=r"has no vocab\.txt"):
        load(tmp_path, "cpu")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bert/embeddings/word_embeddings", "embeddings.word_embeddings.weight"),
        ("bert/embeddings/LayerNorm/gamma", "embeddings.LayerNorm.weight"),
        (
            "bert/encoder/layer_11/attention/self/key/kernel",
            "encoder.layer.11.attention.self.key.weight",
        ),
    ],
)
def test_names_of_weights_are_translated(name, expected):
    assert torch_name(name) == expected


def test_checkpoint_has_every_tensor_in_its_shape():
    tensors = read_tensors(FOLDER / "bert_model.ckpt")
    assert len(tensors) == 55
    assert tensors["bert/encoder/layer_0/intermediate/dense/kernel"].shape == (32, 64)


@pytest.mark.parametrize("keep", [0, 40, 300])
def test_truncated_index_is_refused(tmp_path, keep):
    for suffix in (".index", ".data-00000-of-00001"):
        source = (FOLDER / f"bert_model.ckpt{suffix}").read_bytes()
        kept = source[:keep] if suffix == ".index" else source
        (tmp_path / f"bert_model.ckpt{suffix}").write_bytes(kept)
    with pytest.raises(CheckpointError):
        read_tensors(tmp_path / "bert_model.ckpt")
