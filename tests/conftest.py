"""The suite is strict: unexpected log records fail, and no test touches the user's own files."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

from jurydesk.app.startup.qt_overrides import report_exceptions_of_overrides
from support.suite import parts, skips, slow_tests, untranslated
from support.suite.samples import sample_size

HOME = Path(tempfile.mkdtemp(prefix="jurydesk-tests-"))
PROJECT = Path(__file__).parent.parent
METEOR = sorted((PROJECT / "core" / "metrics" / "meteor").rglob("*.py"))
KEPT_CACHE = (
    PROJECT
    / "build"
    / "tests-cache"
    / hashlib.sha256(b"".join(path.read_bytes() for path in METEOR)).hexdigest()[:16]
)
"""METEOR's index lives here, so that it is built once and not at every run of the suite.

The name follows the code that builds it: a builder that was broken is never hidden by its past.
"""

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["JURYDESK_HOME"] = str(HOME)
os.environ["JURYDESK_LANG"] = "en"
if hasattr(os, "geteuid") and os.geteuid() == 0:
    # The web engine's sandbox refuses to run as root.
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

settings.register_profile(
    "jurydesk",
    deadline=None,
    derandomize=True,
    max_examples=sample_size(25, of=50),
    database=None,
)
settings.load_profile("jurydesk")

report_exceptions_of_overrides()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell makes its background processes and their children ignore Ctrl+C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parts.add_option(parser)
    skips.add_option(parser)
    slow_tests.add_option(parser)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return parts.is_ignored(collection_path, config)


def pytest_configure(config: pytest.Config) -> None:
    parts.drop_paths_of_the_other_part(config)
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist
        config.pluginmanager.register(skips.SkipCounter(config.getoption("--strict-skips")))
    KEPT_CACHE.mkdir(parents=True, exist_ok=True)
    take_index_of_the_set_up(platformdirs.user_cache_path("jurydesk", appauthor=False) / "meteor")
    with contextlib.suppress(
        OSError
    ):  # Windows requires a privilege; the index is then built again.
        (HOME / "cache").symlink_to(KEPT_CACHE, target_is_directory=True)


def take_index_of_the_set_up(folder: Path) -> None:
    """Copy METEOR's index that the set-up built, if the code that builds it is no younger."""
    youngest = max(path.stat().st_mtime for path in METEOR)
    for index in folder.glob("*.index"):
        kept = KEPT_CACHE / "meteor" / index.name
        if not kept.exists() and index.stat().st_mtime > youngest:
            kept.parent.mkdir(exist_ok=True)
            temporary = kept.with_suffix(f".{os.getpid()}")
            shutil.copyfile(index, temporary)
            temporary.replace(kept)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow_tests.mark(items)


def pytest_collection_finish() -> None:
    """Leave what lives until the end out of every search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from slow_tests.measured(item))


WINDOW_TESTS = Path(__file__).parent / "app"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Collect garbage of window tests before other threads can: see tests/app/conftest."""
    if not gc.isenabled() and WINDOW_TESTS not in item.path.parents:
        gc.collect()
        gc.enable()


def pytest_unconfigure() -> None:
    (HOME / "cache").unlink(missing_ok=True)
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(autouse=True)
def no_unexpected_log_records(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test that leaves log records; one that provokes them calls `caplog.clear()`."""
    yield
    unexpected = [
        record.getMessage()
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.levelno >= logging.WARNING
    ]
    assert unexpected == []


@pytest.fixture
def quick_fid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute published Fréchet distances exactly, where a test is about something else.

    The eigenvalues that the published program computes take 5 s for each system of the example;
    `tests/core/metrics/fid` tests them, and `test_fusionbrain_example.py` in a whole scoring.
    """
    from jurydesk.core.metrics.fid.frechet_distance import TRACES, exact_trace

    monkeypatch.setitem(TRACES, "published", exact_trace)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    untranslated.summarize(terminalreporter, config)
