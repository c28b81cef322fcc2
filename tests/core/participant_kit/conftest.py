from __future__ import annotations

import pytest

from support.kits.ranked_lists import GOLD, SMALL, Pair


@pytest.fixture(scope="module", autouse=True)
def application(qapp):
    """Start a Qt application for Qt's JavaScript engine; tests of windows use the same one."""
    return qapp


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("pairs")
    return {form: Pair(folder, form) for form in GOLD}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("small")
    return {form: Pair(folder, form, sizes=SMALL) for form in GOLD}
