from __future__ import annotations

import hashlib
import json

import pytest

from support.oracles import oracle
from support.plug_ins.installation import process
from support.tiny_models import torch_or_skip

WORDNET = oracle("fusionbrain/shared_toy_ruwordnet.db")
RUCLIP = oracle("neural/toy_ruclip")


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def rows(outcome):
    return {row["role"]: row for row in json.loads(outcome.out)["weights"]}


def test_every_role_is_listed_with_its_folder(jurydesk, home):
    outcome = jurydesk("weights")
    assert outcome.code == 0
    assert f"ruwordnet    expected in {home / 'weights' / 'ruwordnet'}" in outcome.out
    assert "dinov2: For Frechet distance, KID, precision and recall by DINOv2. " in outcome.out
    assert "Source: facebook/dinov2-large on Hugging Face, Apache 2.0, 1.2 GB. " in outcome.out


def test_a_chosen_file_is_used_until_it_is_forgotten(jurydesk):
    assert jurydesk("weights", "--choose", f"ruwordnet={WORDNET}").code == 0
    row = rows(jurydesk("weights", "--json", "-"))["ruwordnet"]
    assert (row["path"], row["chosen"]) == (str(WORDNET), True)
    assert str(WORDNET) in jurydesk("doctor").out
    assert rows(jurydesk("weights", "--forget", "ruwordnet", "--json", "-"))["ruwordnet"][
        "path"
    ] is None  # fmt: skip


def test_size_and_hash_of_a_chosen_file_are_listed(jurydesk):
    said = jurydesk("weights", "--choose", f"ruwordnet={WORDNET}").out
    assert f"  {WORDNET.name}: 172 kB, no SHA-256 yet: --check ruwordnet computes it" in said
    digest = hashlib.sha256(WORDNET.read_bytes()).hexdigest()
    said = jurydesk("weights", "--check", "ruwordnet").out
    assert f"  {WORDNET.name}: 172 kB, SHA-256 {digest}" in said


def test_an_unusable_file_is_not_chosen(jurydesk, tmp_path):
    (tmp_path / "words.db").write_bytes(b"no database")
    outcome = jurydesk("weights", "--choose", f"ruwordnet={tmp_path / 'words.db'}", "--json", "-")
    assert outcome.code == 3
    row = rows(outcome)["ruwordnet"]
    assert row["path"] is None
    assert row["unusable"].startswith(
        f"RuWordNet: {tmp_path / 'words.db'} is no SQLite database (file is not a database)."
    )


def test_a_deleted_chosen_file_is_reported(jurydesk, tmp_path):
    copy = tmp_path / "words.db"
    copy.write_bytes(WORDNET.read_bytes())
    assert jurydesk("weights", "--choose", f"ruwordnet={copy}").code == 0
    copy.unlink()
    assert f"{copy}: there is no such file or folder" in jurydesk("doctor").out


def test_a_model_is_checked_by_loading_it(jurydesk, tmp_path):
    torch_or_skip()
    assert "ruclip: usable" in jurydesk("weights", "--check", f"ruclip={RUCLIP}").out
    damaged = tmp_path / "ruclip"
    damaged.mkdir()
    for path in RUCLIP.iterdir():
        (damaged / path.name).write_bytes(path.read_bytes()[:-20])
    outcome = jurydesk("weights", "--check", f"ruclip={damaged}")
    assert outcome.code == 3
    assert f"ruclip: {damaged}" in outcome.out


def test_a_command_that_used_pytorch_ends_without_messages_of_its_bindings():
    torch_or_skip()
    outcome = process("weights", "--check", f"ruclip={RUCLIP}")
    assert outcome.code == 0
    assert "ruclip: usable" in outcome.out
    assert outcome.err == ""


def test_weights_are_written_as_safetensors_with_the_same_numbers(jurydesk, tmp_path):
    torch = torch_or_skip()
    from jurydesk.core.neural.weights.weight_loading import load_tensors

    first = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.ones(1, dtype=torch.float16)}
    path, target = tmp_path / "pytorch_model.bin", tmp_path / "model.safetensors"
    torch.save({**first, "c": first["a"].T}, path)
    assert jurydesk("weights", "--convert", path, "--to", target).code == 0
    again = load_tensors(target)
    assert again.keys() == {"a", "b", "c"}
    assert all(torch.equal(again[name], tensor) for name, tensor in load_tensors(path).items())
    assert again["b"].dtype == torch.float16


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--convert", "a.bin"), 2, "--convert FILE and --to FILE.safetensors belong together."),
        (("--check", "clip"), 2, "There are no weights for CLIP"),
        (("--forget", "clap"), 2, 'There are no weights with the role "clap". Did you mean clip?'),
        (("--choose", "clip"), 2, 'write ROLE=PATH, such as "clip=models/clip".'),
    ],
)
def test_an_impossible_request_ends_with_a_message(jurydesk, arguments, code, sentence):
    outcome = jurydesk("weights", *arguments)
    assert outcome.code == code
    assert sentence in outcome.err


def test_a_quiet_check_still_says_why_weights_cannot_be_used(jurydesk, tmp_path):
    pointer = tmp_path / "weights.pth"
    pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 12\n")
    outcome = jurydesk("weights", "--check", f"inception={pointer}", "--quiet")
    assert (outcome.code, outcome.out) == (3, "")
    assert "Git LFS" in outcome.err
