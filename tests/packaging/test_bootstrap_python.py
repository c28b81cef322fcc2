"""Python versions of the set-up."""

from __future__ import annotations

import pytest


def test_an_old_python_is_reported(parts, monkeypatch):
    bootstrap_python = parts["bootstrap_parts.python"]
    monkeypatch.setattr(bootstrap_python.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(
        bootstrap_python.shutil, "which", lambda name: name == "python3.12" and name
    )
    with pytest.raises(bootstrap_python.Trouble, match=r"needs Python 3\.11 or later") as trouble:
        bootstrap_python.require_python()
    assert str(trouble.value).endswith("Run: python3.12 packaging/bootstrap.py")
