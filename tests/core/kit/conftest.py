from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication


@pytest.fixture(scope="module", autouse=True)
def application():
    """Qt's JavaScript engine wants an application of any kind."""
    return QCoreApplication.instance() or QCoreApplication([])
