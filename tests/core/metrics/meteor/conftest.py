"""METEOR on the real language data, and a tiny language for tests of the index."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from jurydesk.core.metrics.meteor import Meteor, open_or_build_index
from jurydesk.core.metrics.meteor.alignment.engine_compiled import AVAILABLE
from jurydesk.core.metrics.meteor.language_data.index_file import Index
from jurydesk.core.metrics.meteor.language_data.source_files import (
    EXCEPTIONS,
    FUNCTION_WORDS,
    PARAPHRASES,
    PREFIXES,
    SYNSETS,
    LanguageData,
    language_data_in_folder,
)

TINY = {
    FUNCTION_WORDS: "the\na\n.\n",
    PREFIXES: "# titles\nMr\nNo #NUMERIC_ONLY#\n",
    SYNSETS: "dog\n11 12\nhound\n11\nmouse\n13\nrun\n21\n",
    EXCEPTIONS: "mouse\nmice\nrun\nran\n",
}
TINY_PARAPHRASES = [
    ("the dog", "the hound"),
    ("the dog", "the animal of the house"),
    ("the", "that"),
    ("of course", "naturally"),
]


def write_language(folder: Path) -> LanguageData:
    """Write a METEOR folder with a language of a few words."""
    for name, content in TINY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    table = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in TINY_PARAPHRASES)
    (folder / PARAPHRASES).parent.mkdir(exist_ok=True)
    (folder / PARAPHRASES).write_bytes(gzip.compress(table.encode()))
    return language_data_in_folder(folder)


@pytest.fixture
def tiny(tmp_path: Path) -> LanguageData:
    return write_language(tmp_path / "language")


@pytest.fixture(scope="session")
def index() -> Index:
    return open_or_build_index()


@pytest.fixture(scope="session")
def python(index: Index) -> Meteor:
    return Meteor(index, "python")


@pytest.fixture(scope="session")
def compiled(index: Index) -> Meteor:
    if not AVAILABLE:
        pytest.skip("the compiled aligner was not built: no compiler")
    return Meteor(index, "compiled")


@pytest.fixture(params=["compiled", "python"])
def meteor(request: pytest.FixtureRequest) -> Meteor:
    """Return each of the two engines in turn."""
    return request.getfixturevalue(request.param)
