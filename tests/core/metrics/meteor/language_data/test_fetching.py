"""METEOR's data from the registry, by a stand-in for pip: it is another program in the tests."""

import zipfile
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.metrics.meteor.language_data import fetching, index_location, source_files
from jurydesk.core.metrics.meteor.language_data.source_files import LanguageDataMissing

PINS = Path(__file__).resolve().parents[5] / "packaging" / "requirements" / "setup.txt"


@pytest.fixture
def pip(tmp_path, monkeypatch):
    """Return a function that puts a shell script in the place of `python -m pip`."""

    def replace(script: str) -> None:
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(fetching.sys, "executable", str(program))

    return replace


@pytest.fixture
def wheel(tiny, tmp_path) -> Path:
    """Return a wheel with the two files, and one that nobody asks for."""
    jar = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for name in tiny.names:
            archive.writestr(name, tiny.read(name))
    path = tmp_path / "pycocoevalcap-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(jar, "pycocoevalcap/meteor/meteor-1.5.jar")
        archive.write(tiny.paraphrases, f"pycocoevalcap/meteor/{source_files.PARAPHRASES}")
        archive.writestr("../outside", "")
    return path


def test_the_data_are_there_for_the_time_of_the_block(pip, wheel, tiny):
    # The folder of the result follows `--dest`.
    pip(f'while [ "$1" != --dest ]; do shift; done; cp "{wheel}" "$2"')
    with Run() as run, fetching.fetched_language_data(run) as data:
        assert data.fingerprint() == tiny.fingerprint()
        folder = data.resources.parent
    assert not folder.exists()


def test_the_last_line_of_a_failed_download_is_the_reason(pip):
    pip("echo Looking >&2; echo 'ERROR: no network.' >&2; exit 1")
    with (
        Run() as run,
        pytest.raises(LanguageDataMissing, match="be fetched: ERROR: no network\\. Nothing"),
        fetching.fetched_language_data(run),
    ):
        pass


def test_a_download_can_be_cancelled(pip):
    pip("exec sleep 60")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled), fetching.fetched_language_data(Run(cancel=token)):
        pass


def test_the_hash_is_one_of_the_pinned_ones():
    _, _, lines = PINS.read_text("utf-8").partition(fetching.REQUIREMENT.split()[0])
    assert fetching.REQUIREMENT.split()[1] in lines[:400]


def test_a_prepared_index_is_present_without_the_data(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LanguageDataMissing):
        index_location.present_index_path()
    path = index_location.prepared_index_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"index")
    assert index_location.present_index_path() == path


@pytest.mark.parametrize("is_frozen", [True, False])
def test_where_there_is_no_pip_nothing_is_started(pip, monkeypatch, is_frozen):
    pip("exit 7")  # a packaged program would start itself
    if is_frozen:
        monkeypatch.setattr(fetching.sys, "frozen", True, raising=False)
    else:
        monkeypatch.setattr(fetching.importlib.util, "find_spec", lambda name: None)
    with (
        pytest.raises(LanguageDataMissing, match="there is no pip"),
        fetching.fetched_language_data(Run()),
    ):
        pass
