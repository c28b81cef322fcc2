"""Self-test: it computes recorded numbers, and names the place of a single changed byte."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.cli import main
from jurydesk.core.metrics.meteor.scorer import shared_meteor
from jurydesk.core.neural.weights.weight_hashes import sha256_of
from jurydesk.core.neural.weights.weight_roles import choose
from jurydesk.core.selftest import installation, numbers
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record

VECTORS, FUNCTIONS = numbers.vectors()


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.task} {vector.name}")
def test_every_vector_has_its_recorded_numbers(vector):
    check = numbers.competition_check(vector)
    assert (check.outcome, check.text[:1].isdigit()) == ("ok", True), check.text


def test_both_engines_of_meteor_have_the_jar_s_scores():
    found = list(numbers.meteor_checks(FUNCTIONS["meteor"]))
    assert [one.outcome for one in found] == ["ok"] * len(found)
    assert found[-1].name == "METEOR, python engine"


def test_the_frechet_distance_has_its_recorded_number():
    assert numbers.distance_check(FUNCTIONS["frechet"]).outcome == "ok"


class TestChangedNumber:
    def test_a_changed_score_is_named_with_both_values(self):
        (vector,) = [one for one in VECTORS if one.task == "densecap"]
        wrong = replace(vector, scores={**vector.scores, "ov0.3": 0.5})
        check = numbers.competition_check(wrong)
        assert check.outcome == "differs"
        assert check.text.startswith("ov0.3 is ")
        assert check.text.endswith(", recorded 0.5")

    def test_a_changed_item_is_named_with_both_values(self):
        (vector,) = [one for one in VECTORS if one.task == "vist"]
        item = next(iter(vector.items))
        check = numbers.competition_check(replace(vector, items={item: {"meteor": 0.5}}))
        assert check.text.startswith(f"meteor of {item} is ")

    def test_a_missing_item_is_named(self):
        (vector,) = [one for one in VECTORS if one.task == "vist"]
        check = numbers.competition_check(replace(vector, items={"nowhere": {"meteor": 0.5}}))
        assert check.text == "meteor of nowhere is nan, recorded 0.5"

    def test_a_changed_pair_of_meteor_is_named(self):
        row = {**FUNCTIONS["meteor"][0], "score": 0.5}
        (check, *_) = numbers.meteor_checks([row])
        assert (check.outcome, "recorded 0.5" in check.text) == ("differs", True)

    def test_a_changed_distance_is_named(self):
        check = numbers.distance_check({**FUNCTIONS["frechet"], "exact": 1.0})
        assert (check.outcome, check.text.endswith("recorded 1.0.")) == ("differs", True)


class TestChangedByte:
    @pytest.mark.parametrize("name", ["snowballstemmer", "inflect", "pymorphy3-dicts-ru"])
    def test_a_changed_library_is_named_with_its_file(self, tmp_path, monkeypatch, name):
        installed = importlib.metadata.distribution(name)
        recorded = [file for file in installed.files if file.hash is not None]
        for file in installed.files:
            source, target = Path(str(installed.locate_file(file))), tmp_path / file
            if source.is_file() and ".." not in file.parts:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        monkeypatch.syspath_prepend(str(tmp_path))
        assert installation.library_check(name).outcome == "ok"
        chosen = max(recorded, key=lambda file: file.size)
        flip_a_byte(tmp_path / chosen)
        check = installation.library_check(name)
        assert check.outcome == "differs"
        assert check.text == f"Files differ from those installed: {chosen}. Install {name} again."

    def test_a_changed_index_of_meteor_is_named(self, tmp_path, monkeypatch):
        path = tmp_path / "copy.index"
        shutil.copyfile(shared_meteor().index.path, path)
        monkeypatch.setattr(installation, "present_index_path", lambda: path)
        assert installation.index_check().outcome == "ok"
        flip_a_byte(path)
        check = installation.index_check()
        assert check.outcome == "differs"
        assert "its checksum is wrong" in check.text
        assert str(path) in check.text

    def test_changed_weights_are_named_by_their_role(self, tmp_path, monkeypatch):
        monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
        path = tmp_path / "cc.en.300.bin"
        path.write_bytes(bytes(range(256)))
        choose("fasttext", path)
        sha256_of(path)
        (before,) = installation.weight_checks()
        flip_a_byte(path)
        (after,) = installation.weight_checks()
        assert (before.outcome, after.outcome) == ("ok", "differs")
        assert after.name == "fasttext/cc.en.300.bin"
        assert after.text.startswith(f"{path} is not the file that was used before")


def test_a_start_script_rewritten_by_an_installer_is_not_damage(tmp_path, monkeypatch):
    folder = tmp_path / "packages" / "toy-1.0.dist-info"
    folder.mkdir(parents=True)
    (tmp_path / "packages" / "toy.py").write_text("")
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    empty = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
    (folder / "RECORD").write_text(f"toy.py,{empty},0\n../bin/toy,{empty},0\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "toy").write_text("#!elsewhere\n")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    check = installation.library_check("toy")
    assert (check.outcome, check.text) == ("ok", "1.0: 1 files as installed.")
    (tmp_path / "packages" / "toy.py").write_text("x")
    assert installation.library_check("toy").outcome == "differs"


def test_a_package_without_a_record_is_absent_and_not_an_error():
    assert installation.library_check("no-such-package").outcome == "absent"


class TestSelfTestCommand:
    @pytest.fixture
    def checks(self, monkeypatch):
        found = [Check("numbers", "METEOR", "ok", "Fine."), Check("files", "numpy", "ok", "Fine.")]
        monkeypatch.setattr(
            "jurydesk.core.selftest.checks.run_checks", lambda on_part, device: found
        )
        return found

    def test_every_check_is_printed_and_the_exit_code_is_0(self, checks, capsys):
        assert main(["selftest"]) == 0
        out, err = capsys.readouterr()
        assert out.splitlines() == ["ok  METEOR  Fine.", "ok  numpy   Fine."]
        assert "2 checks: 0 differ, 0 absent." in err

    def test_differences_are_printed_in_quiet_mode_too_and_the_exit_code_is_1(self, checks, capsys):
        checks.append(Check("files", "scipy", "differs", "Install it again."))
        assert main(["selftest", "--quiet"]) == 1
        assert capsys.readouterr().out == "DIFFERS  scipy  Install it again.\n"

    def test_the_record_contains_versions_and_its_own_hash(self, checks, tmp_path):
        target = tmp_path / "record.json"
        assert main(["selftest", "--json", str(target), "--quiet"]) == 0
        document = json.loads(target.read_text())
        assert document["sha256"] == record(checks)["sha256"]
        assert document["versions"]["numpy"]
        checks.pop()
        assert document["sha256"] != record(checks)["sha256"]


class TestPackagedProgram:
    @pytest.fixture
    def package(self, tmp_path, monkeypatch):
        files = {"jurydesk": b"program", "_internal/data": b"data"}
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(content)
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        manifest = {"version": "1.0", "files": hashes}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        monkeypatch.setattr("sys.frozen", True, raising=False)
        monkeypatch.setattr("sys.executable", str(tmp_path / "jurydesk"))
        return tmp_path

    def first_check(self):
        return next(installation.installation_checks())

    def test_its_files_are_compared_with_its_manifest(self, package):
        check = self.first_check()
        assert (check.outcome, check.text) == ("ok", "1.0: 2 files as installed.")

    def test_a_changed_and_a_missing_file_are_named(self, package):
        flip_a_byte(package / "_internal" / "data")
        (package / "jurydesk").unlink()
        check = self.first_check()
        assert check.outcome == "differs"
        assert "_internal/data" in check.text
        assert (
            "jurydesk and" in check.text or ", jurydesk" in check.text or "jurydesk," in check.text
        )

    @pytest.mark.parametrize("content", [None, "", "[]", '{"files": 3, "version": "1"}'])
    def test_without_a_manifest_the_check_is_absent(self, package, content):
        manifest = package / "manifest.json"
        manifest.unlink() if content is None else manifest.write_text(content, "utf-8")
        assert self.first_check().outcome == "absent"
