from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication
from ranked_kits import GOLD, SMALL, Pair


@pytest.fixture(scope="module", autouse=True)
def application():
    """Qt's JavaScript engine wants an application of any kind."""
    return QCoreApplication.instance() or QCoreApplication([])


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("pairs")
    return {form: Pair(folder, form) for form in GOLD}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("small")
    return {form: Pair(folder, form, sizes=SMALL) for form in GOLD}
