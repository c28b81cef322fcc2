"""Shares and devices of Windows count only where the user chose a path."""

from __future__ import annotations

import pytest

from jurydesk.core.system import network_shares
from jurydesk.core.system.network_shares import SHARES, choose_share, is_strange_share


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHARES, "")
    monkeypatch.setattr(network_shares, "IS_WINDOWS", True)
    monkeypatch.setattr(network_shares, "absolute_path", lambda one: one)


@pytest.mark.parametrize(
    ("path", "near", "is_strange"),
    [
        (r"\\host\share\a.txt", [r"C:\data"], True),
        ("//host/share/a.txt", [r"C:\data"], True),
        (r"\/host/share/a.txt", [], True),
        (r"\\host\share\a.txt", [r"\\HOST\Share\desks"], False),
        (r"\\host\share\a.txt", [r"\\host\other"], True),
        (r"\\?\UNC\host\share\a.txt", [r"C:\data"], True),
        (r"\\?\C:\a.txt", [r"C:\data"], True),
        (r"\\.\pipe\a", [r"C:\data"], True),
        (r"\??\UNC\host\share\a.txt", [r"C:\data"], True),
        (r"\\host", [r"\data"], True),
        (r"C:\a.txt", [], False),
        (r"D:\a.txt", [r"C:\data"], False),
        (r"\a.txt", [r"C:\data"], False),
        ("a//b.txt", [], False),
    ],
)
def test_shares_and_devices_count_only_where_a_given_path_is(
    windows, monkeypatch, path, near, is_strange
):
    assert is_strange_share(path, near) is is_strange
    monkeypatch.setattr(network_shares, "IS_WINDOWS", False)
    assert not is_strange_share(path, near)


def test_a_share_is_opened_from_the_choice_of_a_path_on(windows):
    assert is_strange_share("//nas/data/a.txt")
    for path in (r"\\NAS\Data\b.txt", r"C:\data", "a.txt", r"\\other\one"):
        choose_share(path)
    assert not is_strange_share("//nas/data/a.txt")
    assert not is_strange_share(r"\\Other\ONE")
    assert is_strange_share(r"\\nas\data2\a.txt")
    assert is_strange_share(r"\\host")


def test_the_user_can_name_shares_for_good(windows, monkeypatch):
    monkeypatch.setenv(SHARES, r"\\nas\data\judge;\\other\one;C:;")
    assert not is_strange_share(r"\\nas\data\a.txt")
    assert not is_strange_share("//other/one/a.txt")
    assert is_strange_share(r"\\third\one\a.txt")
    assert is_strange_share(r"\\?\C:\a.txt")


def test_other_systems_know_no_shares(monkeypatch):
    monkeypatch.setenv(SHARES, "")
    choose_share(r"\\nas\data\a.txt")
    assert network_shares.os.environ[SHARES] == ""
    assert not is_strange_share("//nas/data/a.txt")
