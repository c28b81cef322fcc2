from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from jurydesk.core.model.evaluation import ResourceMissing, UsageError
from jurydesk.core.neural.weights import weight_hashes
from jurydesk.core.neural.weights.weight_roles import (
    ROLES,
    find_weights,
    require_weights,
    unless_named,
    weight_arguments,
)
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions

INCEPTION = "pt_inception-2015-12-05-6726825d.pth"
RUCLIP = ("config.json", "bpe.model", "pytorch_model.bin")


@pytest.fixture
def home(monkeypatch, tmp_path) -> Path:
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def filled(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(name.encode())
    return folder


def test_missing_weights_are_named_with_their_place(home):
    with pytest.raises(ResourceMissing) as missing:
        require_weights("inception", {})
    assert str(missing.value) == (
        f"There are no weights for Inception: the file {INCEPTION} or inception.safetensors is "
        "expected. Name it with --weights inception=PATH, or put it into "
        f"{home / 'weights' / 'inception'}."
    )


@pytest.mark.parametrize("place", ["weights", "data/weights"])
def test_weights_are_found_in_the_folder_of_their_role(home, place):
    folder = filled(home / place / "ruclip", *RUCLIP)
    found = require_weights("ruclip", {})
    assert found.path == folder
    assert [file.name for file in found.files] == list(RUCLIP)


def test_a_named_path_overrides_every_folder(home, tmp_path):
    filled(home / "weights" / "inception", INCEPTION)
    own = filled(tmp_path / "own", "mine.safetensors") / "mine.safetensors"
    assert require_weights("inception", {"inception": own}).path == own


def test_the_only_file_of_the_right_kind_is_taken_from_a_folder(home, tmp_path):
    folder = filled(tmp_path / "vectors", "cc.ru.300.bin", "README")
    assert require_weights("fasttext", {"fasttext": folder}).path == folder / "cc.ru.300.bin"


@pytest.mark.parametrize(
    ("role", "names", "sentence"),
    [
        (
            "ruclip",
            ("config.json",),
            "bpe.model and model.safetensors or pytorch_model.bin is missing",
        ),
        ("inception", (), "is missing; the file pt_inception"),
    ],
)
def test_a_folder_with_missing_files_is_reported_with_their_names(
    home, tmp_path, role, names, sentence
):
    folder = filled(tmp_path / "given", *names)
    outcome = find_weights(role, {role: folder})
    assert outcome.found is None
    assert outcome.reason.startswith(f"--weights {role}={folder}: ")
    assert sentence in outcome.reason


def test_a_missing_path_is_reported(tmp_path):
    reason = find_weights("bert", {"bert": tmp_path / "gone"}).reason
    assert reason.startswith(f"--weights bert={tmp_path / 'gone'}: there is no such file or folder")


@pytest.mark.skipif(os.name == "nt", reason="its null device has no place among the files")
@pytest.mark.parametrize("role", ["fasttext", "bert"])
def test_a_device_is_neither_file_nor_folder(role):
    reason = find_weights(role, {role: Path(os.devnull)}).reason
    assert f"{os.devnull}: this is a pipe or a device; " in reason


def test_a_file_in_place_of_a_folder_is_reported(tmp_path):
    file = filled(tmp_path, "clip.pt") / "clip.pt"
    assert (
        "this is a file; a folder with open_clip_config.json"
        in find_weights("clip", {"clip": file}).reason
    )


def test_names_are_parsed_into_role_and_path():
    assert weight_arguments(["clip=a=b", "inception=x.pth"]) == {
        "clip": Path("a=b"),
        "inception": Path("x.pth"),
    }


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("clip", '--weights clip: write ROLE=PATH, such as "clip=models/clip".'),
        ("clup=x", 'There are no weights with the role "clup". Did you mean clip?'),
        (
            "zzz=x",
            'There are no weights with the role "zzz". Available: '
            f"{', '.join(role.id for role in ROLES)}.",
        ),
    ],
)
def test_a_meaningless_name_is_reported(value, sentence):
    with pytest.raises(UsageError) as reported:
        weight_arguments([value])
    assert str(reported.value) == sentence


def test_a_hash_is_computed_once_and_again_after_a_change(home, tmp_path, monkeypatch):
    file = filled(tmp_path, "model.bin") / "model.bin"
    read = []

    def counted(path, check):
        read.append(path)
        return fingerprint(path, check)

    monkeypatch.setattr(weight_hashes, "fingerprint", counted)
    (home / "cache").mkdir(parents=True)
    assert weight_hashes.known_sha256(file) == ""
    digest = hashlib.sha256(b"model.bin").hexdigest()
    assert [weight_hashes.sha256_of(file) for _ in range(3)] == [digest] * 3
    assert len(read) == 1
    assert weight_hashes.known_sha256(file) == digest
    file.write_bytes(b"changed")
    os.utime(file, ns=(1, 1))
    assert weight_hashes.known_sha256(file) == ""
    assert weight_hashes.sha256_of(file) == hashlib.sha256(b"changed").hexdigest()


def test_made_weights_of_an_example_are_no_model_that_the_user_named():
    missing = ResourceMissing("PyTorch is not installed.")
    assert unless_named(missing, {"clip": Path("random-numbers")}, "clip") == str(missing)
    assert unless_named(missing, {"inception": Path("own.pth")}, "clip") == str(missing)
    with pytest.raises(ResourceMissing):
        unless_named(missing, {"clip": Path("own.pt")}, "ruclip", "clip")


@pytest.mark.parametrize(
    ("options", "unused"), [(VisDialOptions, "clip"), (CaptionOptions, "bert"),
                            (FusionBrainOptions, "bertscore")],
)  # fmt: skip
def test_a_model_that_no_metric_of_the_competition_uses_is_refused(options, unused):
    made = options(weights=(f"{unused}=own.bin",))
    with pytest.raises(UsageError, match=f"--weights {unused}: no metric here uses"):
        getattr(made, "model_paths" if options is VisDialOptions else "weight_paths")()
