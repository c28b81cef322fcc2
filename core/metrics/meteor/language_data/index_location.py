"""Location of the index, which is built if it is missing or damaged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.meteor.language_data import source_files
from jurydesk.core.metrics.meteor.language_data.index_file import (
    FORMAT,
    Index,
    IndexDamaged,
    open_index,
)
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.system.file_lock import interprocess_lock
from jurydesk.core.system.paths import cache_folder, fingerprint, resources_folder

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

PREPARED_NAME = "cd0edce3e5cbbac4-3.index"
"""Name of the index of METEOR 1.5's English data, as `index_path` has it."""
PREPARED_SHA256 = "823eeda53ce1fe809f17b4e7d784d2812c4caeec7224b2af23da68e2dfe2fa69"
"""Hash by which that index is taken where the data themselves are missing."""


def open_or_build_index(
    run: Run | None = None,
    folder: Path | None = None,
    *,
    data: source_files.LanguageData | None = None,
    check: bool = False,
) -> Index:
    """Return the index of METEOR's language data; build it if it is missing or damaged.

    The data are `data`, or English ones of the installed pycocoevalcap or a METEOR `folder`.
    Building takes some seconds, reports to `run` and stops when that is cancelled; of several
    processes one does it. With `check`, every checksum of an existing index is verified. Raises
    `LanguageDataMissing` if there are neither data nor a prepared index, packaged with the program
    or in the cache.
    """
    try:
        if folder is not None:
            data = source_files.language_data_in_folder(folder)
        language = data or source_files.installed_language_data()
    except source_files.LanguageDataMissing:
        prepared = _prepared_index(check=check) if folder is None else None
        if prepared is None:
            raise
        return prepared
    path = index_path(language)
    try:
        return open_index(path, check=check)
    except (FileNotFoundError, IndexDamaged):
        path.parent.mkdir(parents=True, exist_ok=True)
        with interprocess_lock(
            path.with_suffix(".lock"), _do_nothing if run is None else run.check
        ):
            return _build_if_absent(language, path, run)


def _prepared_index(*, check: bool) -> Index | None:
    """Return the index packaged with the program, or one in the cache with the known hash."""
    if packaged_index_path().is_file():
        return open_index(packaged_index_path(), check=check)
    path = prepared_index_path()
    if not path.is_file():
        return None
    if fingerprint(path).sha256 != PREPARED_SHA256:
        raise ResourceMissing(
            fill("{path} is not METEOR's prepared index: its SHA-256 is another.", path)
        )
    return open_index(path, check=check)


def _build_if_absent(language: source_files.LanguageData, path: Path, run: Run | None) -> Index:
    """Return the index; build it unless another process has meanwhile."""
    try:
        return open_index(path)
    except (FileNotFoundError, IndexDamaged):
        from jurydesk.core.metrics.meteor.language_data.build_index import (
            ParaphrasesUnusable,
            build_index_file,
        )

        try:
            if run is None:
                build_index_file(language, path)
            else:
                run.call(build_index_file, language, path, run)
        except ParaphrasesUnusable as error:
            raise ResourceMissing(str(error)) from error
        except DAMAGE as error:
            files = language.paraphrases or language.resources
            reason = Message(f"{type(error).__name__}: {error}".rstrip("."))
            raise ResourceMissing(
                fill("METEOR's data in {files} are damaged: {reason}.", files, reason)
            ) from error
        return open_index(path)


def _do_nothing() -> None:
    return


def index_path(language: source_files.LanguageData) -> Path:
    """Return the path of the index of these data; its name is a digest of their content."""
    return cache_folder() / "meteor" / f"{language.fingerprint()[:16]}-{FORMAT}.index"


def present_index_path() -> Path | None:
    """Return the path of the index that English METEOR uses here; None if it is not built yet.

    Raises `LanguageDataMissing` if there is nothing to build it from.
    """
    places = [packaged_index_path(), prepared_index_path()]
    try:
        places.insert(0, index_path(source_files.installed_language_data()))
    except source_files.LanguageDataMissing:
        if not any(path.is_file() for path in places):
            raise
    return next((path for path in places if path.is_file()), None)


def prepared_index_path() -> Path:
    """Return the path of METEOR 1.5's English index in the cache."""
    return cache_folder() / "meteor" / PREPARED_NAME


def packaged_index_path() -> Path:
    """Return the path of the index in a packaged program."""
    return resources_folder() / "meteor" / "english.index"
