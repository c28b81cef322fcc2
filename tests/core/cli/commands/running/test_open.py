from __future__ import annotations

from jurydesk.core.desk import Desk


def test_the_window_opens_the_desk(jurydesk, tmp_path):
    path = tmp_path / "some.jurydesk"
    Desk.create(path).close()
    shown = []
    outcome = jurydesk("open", path, open_window=lambda desk: shown.append(desk) or 0)
    assert outcome.code == 0
    assert shown == [path]


def test_a_file_that_is_not_a_desk_is_refused_before_the_window_starts(jurydesk, truth):
    outcome = jurydesk("open", truth, open_window=lambda desk: 1 / 0)
    assert outcome.code == 1
    assert outcome.err == "Error: truth.txt is not a desk: it is not an SQLite file.\n"


def test_a_missing_window_is_reported(jurydesk, tmp_path):
    path = tmp_path / "some.jurydesk"
    Desk.create(path).close()
    outcome = jurydesk("open", path)
    assert outcome.code == 2
    assert outcome.err == "Error: This program has no window: start `jurydesk` instead.\n"


def test_a_missing_packet_is_refused_before_the_window_starts(jurydesk, tmp_path):
    path = tmp_path / "none.jurypacket"
    outcome = jurydesk("open", path, open_window=lambda packet: 1 / 0)
    assert (outcome.code, outcome.err) == (1, f"Error: {path} does not exist or is not a file.\n")
