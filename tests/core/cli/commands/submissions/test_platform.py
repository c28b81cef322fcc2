from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from jurydesk.core.cli.exit_codes import IN_PART
from support import toy
from support.files.platforms import bulk, zipped

NORTH = "1_north_PhaseId7_2026-02-11_07-33_run.zip"
SOUTH = "2_south_PhaseId7_2026-02-11_07-34_run.zip"


def run(values: dict[str, float]) -> bytes:
    return "".join(f"{key} {value}\n" for key, value in values.items()).encode()


@pytest.fixture
def download(tmp_path: Path) -> tuple[Path, Path]:
    """Return a bulk download of two teams, and the server's results: north's are those of here."""
    members = {
        NORTH: zipped({"run.txt": run({"a": 1.0, "b": 2.25, "c": 3.0})}),
        SOUTH: zipped({"run.txt": run({"a": 1.5, "b": 2.5})}),
    }
    path, table = tmp_path / "downloaded.zip", tmp_path / "any.csv"
    path.write_bytes(zipped(members))
    rows = [f"{name},,{number},0" for name, number in (("north-1", "0.9166666667"),
                                                       ("south-2", "0.3333333333"))]  # fmt: skip
    table.write_text("\n".join(["Username,fact_sheet_answers,Test(7)-CLOSENESS,Test(7)-x", *rows]))
    return path, table


@pytest.fixture
def desk(jurydesk, download: tuple[Path, Path], truth: Path, tmp_path: Path) -> Path:
    path, table = download
    done = jurydesk(
        *("score", "toy", "--truth", truth, "--submissions", path, "--records", table),
        *("--desk", tmp_path / "toy.jurydesk"),
    )
    assert done.code == 0
    return tmp_path / "toy.jurydesk"


def test_a_download_is_listed(jurydesk, download: tuple[Path, Path]) -> None:
    done = jurydesk("platform", "list", *download)
    lines = done.out.splitlines()
    assert done.code == 0
    assert lines[0] == "Codabench: 2 submissions."
    assert lines[2].split()[:4] == ["1", "north", "7", "2026-02-11"]
    document = json.loads(jurydesk("platform", "list", *download, "--json", "-").out)
    assert [(one["id"], one["team"]) for one in document["submissions"]] == [
        (1, "north"),
        (2, "south"),
    ]
    assert document["submissions"][0]["server"]["Test(7)-CLOSENESS"] == "0.9166666667"


@pytest.mark.parametrize(("place", "prefix"), [("", ""), ("inside", "../"), ("", "~/")])
def test_a_download_is_the_same_for_every_spelling_of_its_path(
    jurydesk, download: tuple[Path, Path], tmp_path: Path, truth: Path, monkeypatch, place, prefix
) -> None:
    absolute = jurydesk("platform", "list", *download).out
    (tmp_path / "inside").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / place)
    path, table = (f"{prefix}{one.name}" for one in download)
    assert jurydesk("platform", "list", path, table).out == absolute
    given = ("--truth", truth, "--submissions", path, "--records", table)
    assert jurydesk("score", "toy", *given, "--desk", f"{prefix}spelled.jurydesk").code == 0
    lines = jurydesk("board", tmp_path / "spelled.jurydesk").out.splitlines()
    assert lines[1].split()[-2:] == ["0.9166666667", "0"]


def test_a_folder_without_a_download_is_refused(jurydesk, tmp_path: Path) -> None:
    toy.write(tmp_path / "in" / "run.txt", {"a": 1.0})
    done = jurydesk("platform", "list", tmp_path / "in")
    assert (done.code, done.err) == (1, f"Error: No download of a platform in {tmp_path}/in.\n")


def test_a_missing_submission_is_an_error_and_the_exit_code(jurydesk, tmp_path: Path) -> None:
    text = b"The following submissions failed to download:\n\n3_west_PhaseId7_x (HTTP 403)\n"
    path = bulk(tmp_path, [NORTH], failed=text)
    done = jurydesk("platform", "list", path)
    assert done.code == 1
    assert "The platform failed to deliver 3_west_PhaseId7_x (HTTP 403)." in done.err


def test_the_board_has_the_server_s_numbers_and_their_differences(jurydesk, desk: Path) -> None:
    lines = jurydesk("board", desk).out.splitlines()
    assert lines[0].split()[-2:] == ["server", "difference"]
    assert [line.split()[-2:] for line in lines[1:3]] == [
        ["0.9166666667", "0"],
        ["0.3333333333", "-0.1666666667"],
    ]
    table = jurydesk("board", desk, "--csv", "-").out
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [row["server"] for row in rows] == ["0.9166666667", "0.3333333333"]


@pytest.mark.parametrize("kind", ["csv", "json", "html"])
def test_an_exported_board_with_the_server_s_numbers_is_made_again(
    jurydesk, desk: Path, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / f"board.{kind}"
    jurydesk("board", desk, f"--{kind}", path)
    done = jurydesk("verify", path)
    assert done.code == IN_PART, done.out + done.err
    assert "match in part" in done.out
    assert "Not checked: the numbers of the server." in done.out
    assert "differ" not in done.out


def test_a_difference_is_explained_by_an_option(jurydesk, desk: Path) -> None:
    done = jurydesk("platform", "compare", desk)
    assert done.code == 1
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[1] == [
        *("south", "closeness", "0.3333333333", "0.5", "-0.1666666667", "--missing", "zero")
    ]
    assert rows[2][:2] == ["north", "closeness"]
    assert rows[2][4:] == ["0", "equal", "at", "10", "decimals"]
    assert done.err.splitlines() == [
        "The server's column CLOSENESS is closeness here.",
        'No metric has the name of x: --column "COLUMN=METRIC" says which.',
    ]


def test_a_comparison_is_written_as_json(jurydesk, desk: Path) -> None:
    arguments = ("platform", "compare", desk, "--no-explain", "--json", "-")
    rows = json.loads(jurydesk(*arguments, "--column", "x=listed").out)["rows"]
    assert {(one["system"], one["metric"]): one["equal"] for one in rows} == {
        ("north", "closeness"): True,
        ("south", "closeness"): False,
        ("north", "listed"): False,
        ("south", "listed"): False,
    }


@pytest.mark.parametrize("pair", ["x", "x=nothing"])
def test_a_column_that_cannot_be_chosen_is_refused(jurydesk, desk: Path, pair: str) -> None:
    assert jurydesk("platform", "compare", desk, "--column", pair).code == 2


def test_a_desk_without_a_platform_has_nothing_to_compare(
    jurydesk, truth: Path, near: Path, tmp_path: Path
) -> None:
    path = tmp_path / "own.jurydesk"
    jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--desk", path)
    done = jurydesk("platform", "compare", path)
    assert done.code == 1
    assert "1 system without a number of a platform: near." in done.err
    assert "server" not in jurydesk("board", path).out


def test_a_package_is_checked_with_a_verdict_and_an_exit_code(jurydesk, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(zipped({"competition.yml": b"version: 2"}))
    done = jurydesk("platform", "check", "codabench", path)
    assert (done.code, done.out) == (1, "It is refused.\n")
    assert "competition.yaml is not at the top of the archive." in done.err
    found = json.loads(jurydesk("platform", "check", "codabench", path, "--json", "-").out)
    assert found["accepted"] is False
    assert jurydesk("platform", "check", "kaggle", path).code == 2


def test_records_without_a_download_are_refused(
    jurydesk, download: tuple[Path, Path], truth: Path, near: Path
) -> None:
    done = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--records", download[1])
    assert done.code == 2
    assert done.err == "Error: --records needs a download: give --submissions, too.\n"
