import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.metrics.meteor.language_data import (
    build_index,
    index_location,
    source_files,
)
from jurydesk.core.metrics.meteor.language_data.build_index import build_index_file
from jurydesk.core.metrics.meteor.language_data.index_file import IndexDamaged
from jurydesk.core.metrics.meteor.language_data.source_files import (
    LanguageData,
    LanguageDataMissing,
)
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.system.file_lock import interprocess_lock
from jurydesk.core.system.paths import fingerprint


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder for this test."""
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def folder_of(language: LanguageData) -> Path:
    return language.paraphrases.parent.parent


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-70] ^= 1
    path.write_bytes(content)


def test_the_index_is_built_once(tiny: LanguageData, monkeypatch: pytest.MonkeyPatch):
    first = index_location.open_or_build_index(folder=folder_of(tiny))
    monkeypatch.setattr(build_index, "build_index_file", None)
    assert index_location.open_or_build_index(folder=folder_of(tiny)).path == first.path


def test_one_of_several_concurrent_requests_builds_the_index(tiny, monkeypatch):
    built = []

    def slow(language, path, run=None):
        built.append(path)
        time.sleep(0.3)
        build_index_file(language, path)

    monkeypatch.setattr(build_index, "build_index_file", slow)
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(lambda _: index_location.open_or_build_index(folder=folder_of(tiny)), range(4))
        )
    assert len(built) == 1
    assert {index.path for index in found} == set(built)


def test_waiting_for_another_builder_can_be_cancelled(tiny):
    token = CancelToken()
    path = index_location.index_path(tiny)
    path.parent.mkdir(parents=True)
    with interprocess_lock(path.with_suffix(".lock"), lambda: None):
        waiting = ThreadPoolExecutor(1).submit(
            index_location.open_or_build_index, Run(cancel=token), folder_of(tiny)
        )
        time.sleep(0.1)
        assert not waiting.done()
        token.cancel()
        with pytest.raises(Cancelled):
            waiting.result(timeout=20)


def test_a_damaged_index_is_built_again(tiny: LanguageData):
    path = index_location.open_or_build_index(folder=folder_of(tiny)).path
    whole = path.read_bytes()
    damage(path)
    index_location.open_or_build_index(folder=folder_of(tiny))
    assert path.read_bytes() == whole


def test_other_data_have_another_index(tiny: LanguageData):
    before = index_location.index_path(tiny)
    (tiny.resources / source_files.FUNCTION_WORDS).write_text("the\n")
    assert index_location.index_path(tiny) != before


def test_resources_are_read_from_a_jar_as_well(tiny: LanguageData, tmp_path: Path):
    folder = tmp_path / "distribution"
    (folder / "data").mkdir(parents=True)
    (folder / source_files.PARAPHRASES).write_bytes(tiny.paraphrases.read_bytes())
    with zipfile.ZipFile(folder / "meteor-1.5.jar", "w", zipfile.ZIP_DEFLATED) as jar:
        for name in (
            source_files.FUNCTION_WORDS,
            source_files.PREFIXES,
            source_files.SYNSETS,
            source_files.EXCEPTIONS,
        ):
            jar.write(tiny.resources / name, name)
    assert (
        index_location.open_or_build_index(folder=folder).path
        == index_location.open_or_build_index(folder=folder_of(tiny)).path
    )


def test_a_missing_part_of_a_folder_is_named(tiny: LanguageData, tmp_path: Path):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(LanguageDataMissing) as caught:
        index_location.open_or_build_index(folder=empty)
    assert str(caught.value) == (
        f"{empty} is not a complete METEOR folder: meteor-1.5.jar is missing. Name the folder of "
        "METEOR 1.5 that has meteor-1.5.jar and data/paraphrase-en.gz."
    )
    tiny.paraphrases.unlink()
    with pytest.raises(LanguageDataMissing, match=r"data/paraphrase-en\.gz is missing"):
        index_location.open_or_build_index(folder=folder_of(tiny))


def test_without_the_package_the_message_explains_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LanguageDataMissing) as caught:
        index_location.open_or_build_index()
    assert str(caught.value) == (
        "METEOR's language data are missing. Fetch them once (jurydesk meteor --prepare), or "
        "install the package that carries them: pip install 'jurydesk[meteor]'."
    )


def test_a_packaged_index_is_used_where_the_data_are_missing(
    tiny: LanguageData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    built = index_location.open_or_build_index(folder=folder_of(tiny)).path
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(index_location, "packaged_index_path", lambda: built)
    assert index_location.open_or_build_index().path == built
    damage(built)
    with pytest.raises(IndexDamaged):
        index_location.open_or_build_index()


def test_a_prepared_index_in_the_cache_is_taken_by_its_hash(
    tiny: LanguageData, home: Path, monkeypatch: pytest.MonkeyPatch
):
    built = index_location.open_or_build_index(folder=folder_of(tiny)).path
    prepared = built.with_name(index_location.PREPARED_NAME)
    prepared.write_bytes(built.read_bytes())
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ResourceMissing, match="its SHA-256 is another"):
        index_location.open_or_build_index()
    monkeypatch.setattr(index_location, "PREPARED_SHA256", fingerprint(prepared).sha256)
    assert index_location.open_or_build_index().path == prepared


def test_the_known_hash_is_that_of_the_index_built_from_the_package(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.delenv("JURYDESK_HOME")
    path = index_location.open_or_build_index().path
    assert path.name == index_location.PREPARED_NAME
    assert fingerprint(path).sha256 == index_location.PREPARED_SHA256


def test_a_cancelled_build_leaves_no_index(tiny: LanguageData, home: Path):
    token = CancelToken()
    run = Run(progress=lambda _: token.cancel(), cancel=token)
    with pytest.raises(Cancelled):
        index_location.open_or_build_index(run, folder_of(tiny))
    assert not index_location.index_path(tiny).exists()


def test_concurrent_builds_end_with_one_complete_index(tiny: LanguageData, home: Path):
    program = (
        "import sys; from pathlib import Path; "
        "from jurydesk.core.metrics.meteor.language_data.index_location import open_or_build_index;"
        "print(open_or_build_index(folder=Path(sys.argv[1]), check=True).synset_count)"
    )
    command = [sys.executable, "-c", program, str(folder_of(tiny))]
    processes = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, cwd=Path(index_location.__file__).parents[3]
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert answers == [b"4"] * 3
    assert [path.name for path in (home / "cache" / "meteor").glob("*.index")] == [
        index_location.index_path(tiny).name
    ]
