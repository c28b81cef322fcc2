"""Tests of BERT's [CLS] vectors against recorded results of bert-as-service."""

import json
from shutil import copyfile, copytree

import numpy as np
import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.tasks.visdial.embeddings.bert import MARKS, encoder_name, load_bert, torch_name
from jurydesk.core.tasks.visdial.embeddings.bert_embedding import embed
from jurydesk.core.tasks.visdial.embeddings.tf_checkpoint import CheckpointError, read_tensors
from support.oracles import oracle

FOLDER = oracle("visdial/toy_bert")
CASES = json.loads(oracle("visdial/shared_bert_cls.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def bert():
    pytest.importorskip("torch", reason="the extra `neural` is not installed")
    pytest.importorskip("transformers", reason="the extra `neural` is not installed")
    return load_bert(FOLDER, "cpu")


def test_vectors_equal_bert_as_service(bert):
    vectors = embed(bert, [case["text"] for case in CASES], Run())
    expected = np.array([case["embedding"] for case in CASES])
    assert vectors == pytest.approx(expected, abs=1e-5)


def test_word_pieces_equal_bert_as_service(bert):
    for case in CASES:
        length = sum(case["input_mask"])
        ids, parts = bert.pieces(case["text"])
        assert list(ids) == case["input_ids"][:length]
        assert list(parts) == case["input_type_ids"][:length]


@pytest.mark.parametrize(
    ("vocabulary", "sentence"),
    [
        (b"\xff\xfe[\x00U\x00", "is not UTF-8 text"),
        (b"", r"lacks \[UNK\] and \[CLS\] and \[SEP\]: it is not a BERT vocabulary"),
        (b"[PAD]\n[UNK]\n[CLS]\nyes\n", r"lacks \[SEP\]: it is not a BERT vocabulary"),
        (b"a" * (2**24 + 1), "is too large for a BERT vocabulary"),
    ],
)
def test_a_file_that_is_no_vocabulary_is_reported(bert, tmp_path, vocabulary, sentence):
    folder = tmp_path / "bert"
    copytree(FOLDER, folder, copy_function=copyfile)
    (folder / "vocab.txt").write_bytes(vocabulary)
    with pytest.raises(ResourceMissing, match=sentence):
        load_bert(folder, "cpu")


@pytest.mark.parametrize(
    ("text", "pieces", "second"),
    [  # bert-as-service splits a line at the last ` ||| `; a dot does not match a line end
        ("a ||| b ||| c", ["a", "|", "|", "|", "b", "[SEP]", "c"], 2),
        ("a ||| b\nc", ["a", "|", "|", "|", "b", "c"], 0),
        ("a ||| ", ["a", "|", "|", "|"], 0),
        ("[SEP] a", ["[UNK]", "s", "##e", "##p", "[UNK]", "a"], 0),
        ("[PAD]", ["[UNK]", "p", "##a", "##d", "[UNK]"], 0),
    ],
)
def test_the_last_separator_splits_a_pair_and_special_tokens_of_bert_are_ordinary_words(
    bert, text, pieces, second
):
    ids, parts = bert.pieces(text)
    assert bert.tokenizer.convert_ids_to_tokens(ids) == ["[CLS]", *pieces, "[SEP]"]
    assert sum(parts) == second


@pytest.fixture(scope="module")
def hugging_face(bert, tmp_path_factory):
    """Write the same model as Hugging Face does."""
    folder = tmp_path_factory.mktemp("hugging_face")
    bert.network.save_pretrained(folder)
    (folder / "vocab.txt").write_bytes((FOLDER / "vocab.txt").read_bytes())
    return folder


def assert_same_vectors(again, bert):
    texts = [case["text"] for case in CASES]
    assert embed(again, texts, Run()) == pytest.approx(embed(bert, texts, Run()), abs=1e-7)


def test_a_hugging_face_folder_gives_the_same_vectors(bert, hugging_face):
    assert_same_vectors(load_bert(hugging_face, "cpu"), bert)


def old_name(name):
    """Return the name that the published `bert-base-uncased` uses for a weight."""
    if "LayerNorm" in name:
        name = name.replace(".weight", ".gamma").replace(".bias", ".beta")
    return f"bert.{name}"


def test_weights_under_the_old_names_give_the_same_vectors(bert, hugging_face, tmp_path):
    torch = pytest.importorskip("torch")
    copytree(hugging_face, tmp_path / "old")
    (tmp_path / "old" / "model.safetensors").unlink()
    tensors = {old_name(name): one for name, one in bert.network.state_dict().items()}
    heads = {name: torch.zeros(3) for name in ("cls.predictions.bias", "bert.pooler.dense.bias")}
    torch.save({**tensors, **heads}, tmp_path / "old" / "pytorch_model.bin")
    assert_same_vectors(load_bert(tmp_path / "old", "cpu"), bert)


def truncate(path, size):
    path.write_bytes(path.read_bytes()[:size])


def put(path, **members):
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | members))


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda f: (f / "vocab.txt").unlink(), r"has no vocab\.txt"),
        (lambda f: (f / "vocab.txt").write_text("\n".join([*MARKS, *map(str, range(9999))])),
         "word pieces, the model only"),
        (lambda f: (f / "model.safetensors").unlink(), "has neither model.safetensors, pytorch"),
        (lambda f: truncate(f / "model.safetensors", 200), "is cut off: its end is missing"),
        (lambda f: (f / "config.json").unlink(), r"config\.json: No such file"),
        (lambda f: truncate(f / "config.json", 10), "is not valid JSON"),
        (lambda f: (f / "config.json").write_text("[]"), "does not describe a BERT model"),
        (lambda f: put(f / "config.json", model_type="roberta"), "a BERT model, but roberta"),
        (lambda f: put(f / "config.json", num_hidden_layers=10**9), "has 3 layers"),
        (lambda f: put(f / "config.json", hidden_size="x"), "settings are invalid for BERT"),
        (lambda f: put(f / "config.json", hidden_size=33, num_attention_heads=3), "the shape"),
        (lambda f: put(f / "config.json", vocab_size=7), "the shape"),
        (lambda f: put(f / "config.json", vocab_size=10**11), "the shape"),  # of no memory
    ],
)  # fmt: skip
def test_a_damaged_folder_is_reported(hugging_face, tmp_path, damage, sentence):
    folder = copytree(hugging_face, tmp_path / "damaged")
    damage(folder)
    with pytest.raises(ResourceMissing, match=sentence):
        load_bert(folder, "cpu")


def test_a_damaged_checkpoint_is_reported(bert, tmp_path):
    folder = copytree(FOLDER, tmp_path / "damaged")
    truncate(folder / "bert_model.ckpt.data-00000-of-00001", 1000)
    with pytest.raises(ResourceMissing, match="is not within the data file"):
        load_bert(folder, "cpu")


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bert.embeddings.LayerNorm.gamma", "embeddings.LayerNorm.weight"),
        ("encoder.layer.0.output.LayerNorm.beta", "encoder.layer.0.output.LayerNorm.bias"),
        ("pooler.dense.weight", "pooler.dense.weight"),
    ],
)
def test_old_names_of_weights_are_translated(name, expected):
    assert encoder_name(name) == expected


def test_a_checkpoint_has_every_tensor_in_its_shape():
    tensors = read_tensors(FOLDER / "bert_model.ckpt")
    assert len(tensors) == 55
    assert tensors["bert/encoder/layer_0/intermediate/dense/kernel"].shape == (32, 64)


@pytest.mark.parametrize("keep", [0, 40, 300])
def test_a_truncated_index_is_refused(tmp_path, keep):
    for suffix in (".index", ".data-00000-of-00001"):
        source = (FOLDER / f"bert_model.ckpt{suffix}").read_bytes()
        kept = source[:keep] if suffix == ".index" else source
        (tmp_path / f"bert_model.ckpt{suffix}").write_bytes(kept)
    with pytest.raises(CheckpointError):
        read_tensors(tmp_path / "bert_model.ckpt")


def test_equally_long_texts_of_a_pair_lose_pieces_in_turn_the_second_first(bert):
    word = "a"
    _, parts = bert.pieces(" ".join([word] * 10) + " ||| " + " ".join([word] * 10))
    assert parts == (0,) * (1 + 7 + 1) + (1,) * (6 + 1)
