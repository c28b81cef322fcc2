"""A few seconds of fuzzing; `tests/fuzz.py` can run for any time."""

from __future__ import annotations

import os
import random

import fuzz
import pytest

from jurydesk.core.competition.task_registry import Registry, registry
from support.files.limited_process import failure
from support.fuzzing import roles as fuzzing_roles
from support.suite.samples import sample


def test_mutated_files_are_refused_without_an_exception(tmp_path):
    count, faults = fuzz.fuzz(3, 7, tmp_path)
    assert count > 0
    assert faults == []


def test_an_exception_is_reported_with_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(fuzz, "DeskError", ())
    monkeypatch.setattr(fuzz, "registry", lambda: Registry({}, ()))
    _, faults = fuzz.fuzz(0, 7, tmp_path, least=40)
    assert any("mutated.jurydesk" in fault for fault in faults)
    assert list((tmp_path / "kept").iterdir())


READERS = [*registry().tasks, fuzz.PACKET]


@pytest.mark.parametrize("reader", READERS)
def test_every_file_of_the_corpus_is_read_or_refused_within_the_limits(tmp_path, reader):
    dice, files = random.Random(1), fuzz.corpus(reader)
    attempts = (
        fuzz.packet_attempts(tmp_path, dice)
        if reader == fuzz.PACKET
        else fuzz.reader_attempts(registry().tasks[reader], tmp_path, dice)
    )
    assert len(files) > 3
    for _, source in files:
        path, attempt = next(attempts)
        assert path.read_bytes() == source.read_bytes()
        assert failure(attempt) == "", source.name


def test_every_file_of_the_corpus_is_small_and_has_a_reader_and_a_role():
    roles = {
        name: {entry.role for entry in task.inputs} for name, task in registry().tasks.items()
    } | {fuzz.PACKET: {fuzz.PACKET}}
    for path in fuzz.CORPUS.iterdir():
        reader, role, _ = path.name.split(".", 2)
        assert role in roles[reader], path.name
        assert path.stat().st_size <= 20_000, path.name


def test_files_changed_in_every_role_end_in_a_message_or_a_result(tmp_path, monkeypatch):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(fuzz, "KEPT", tmp_path / "kept")
    (tmp_path / "files").mkdir()
    roles = fuzz.all_roles(tmp_path / "files")
    assert len({role.name for role in roles}) == len(roles) >= 68
    some = sample(roles, 17)
    outcomes = list(fuzz.fuzz_roles(some, len(some), 7))
    assert [role.name for role, _ in outcomes] == [role.name for role in some]
    assert [told for _, told in outcomes if told] == []


def test_a_refusal_without_a_word_is_a_failure(monkeypatch):
    monkeypatch.setattr(fuzzing_roles, "run_quietly", lambda arguments: (1, " \n"))
    with pytest.raises(fuzzing_roles.SilenceError, match="without a word"):
        fuzz.judge(["board", "x"])
    monkeypatch.setattr(fuzzing_roles, "run_quietly", lambda arguments: (0, "a\x1b[2J"))
    with pytest.raises(fuzzing_roles.SilenceError, match="control characters"):
        fuzz.judge(["board", "x"])


class TestLimits:
    def test_a_call_that_does_nothing_wrong_has_no_failure(self):
        assert failure(lambda: bytes(1000)) == ""

    def test_an_exception_is_reported_with_its_traceback(self):
        assert "ZeroDivisionError" in failure(lambda: 1 // 0)

    def test_memory_beyond_the_limit_is_reported(self):
        # More than earlier tests may have left free in this process, which needs no new memory.
        assert failure(lambda: b"x" * (1 << 30), memory=1 << 25).startswith("more than 32 MB")
        assert failure(lambda: b"x" * (1 << 24), memory=1 << 25) == ""

    def test_processor_time_beyond_the_limit_is_reported(self):
        def work() -> None:
            while True:
                pass

        assert failure(work, seconds=1) == "more than 1 s of processor time"

    def test_a_signal_is_reported_with_its_number(self):
        assert failure(lambda: os.kill(os.getpid(), 9)) == "signal 9"
