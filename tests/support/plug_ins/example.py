"""The plug-in of `resources/examples/plugin`, installed as a user installs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.system.paths import resources_folder

SOURCE = resources_folder() / "examples" / "plugin"
EXAMPLE = SOURCE / "jurydesk_signs" / "example"
SYSTEMS = tuple(EXAMPLE / f"{name}.json" for name in ("careful", "hasty", "torn"))


@cache
def site() -> Path:
    """Return a folder for `sys.path` into which pip has installed the plug-in, without network."""
    folder = Path(tempfile.mkdtemp(prefix="jurydesk-plugin-"))
    shutil.copytree(SOURCE, folder / "source")  # building writes beside the source
    alone = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", "--quiet", *alone]
    target = folder / "site"
    subprocess.run([*command, "--target", str(target), str(folder / "source")], check=True)
    return target


def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the plug-in to the competitions until the fixture that yields from this ends."""
    monkeypatch.syspath_prepend(str(site()))
    registry.cache_clear()
    yield
    registry.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "jurydesk_signs"]:
        del sys.modules[name]
