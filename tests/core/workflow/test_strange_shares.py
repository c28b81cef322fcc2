"""A stranger's desk whose every path is on a network share makes the program open none of them.

Windows is simulated: this system opens `//tmp/...` as `/tmp/...`, so that a touch can be seen.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.model.options import option_path
from jurydesk.core.model.stamp import Stamp, input_places
from jurydesk.core.neural.weights.weight_roles import find_weights
from jurydesk.core.system import network_shares
from jurydesk.core.system.paths import resources_folder
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions
from jurydesk.core.workflow.desk_state import load_state
from jurydesk.core.workflow.ratings import study_state, write_packets
from support.processes.quiet_program import run_quietly
from support.rating import studies

EXAMPLE = resources_folder() / "examples" / "keyword_spotting" / "trec_eval"
FILES = ("relevance.qrels", "stroke-matcher.run")
NOT_CHOSEN = "is on a network share that you did not choose"


@pytest.fixture
def share(tmp_path: Path) -> str:
    """Return a folder with inputs and pictures, under a path that is a share for Windows."""
    folder = tmp_path / "share"
    (folder / "images").mkdir(parents=True)
    studies.photos_in(folder / "images")
    for name in FILES:
        shutil.copy(EXAMPLE / name, folder)
    return f"/{folder}"


@pytest.fixture
def desk(tmp_path: Path, share: str) -> Path:
    """Return a desk whose inputs, checks, stamps and pictures are there."""
    (tmp_path / "desk").mkdir()
    path = tmp_path / "desk" / "a.jurydesk"
    given = (f"--relevance={share}/{FILES[0]}", f"--results={share}/{FILES[1]}", f"--desk={path}")
    assert run_quietly(["score", "keyword-spotting", *given])[0] == 0
    with Desk.open(path) as opened:
        RatingStore(opened).set_study(studies.study(images=f"{share}/images"))
    connection = sqlite3.connect(path)
    with connection:  # a relative path leads to the same file
        ((paths,),) = connection.execute("SELECT paths FROM input LIMIT 1").fetchall()
        assert share in paths
        connection.execute(
            "UPDATE input SET paths = json_set(paths, '$[1]', json_extract(paths, '$[0]'))"
        )
    connection.close()
    return path


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(network_shares.SHARES, "")
    monkeypatch.setattr(network_shares, "IS_WINDOWS", True)


_watching: list[list[str]] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event in ("open", "os.listdir", "os.scandir"):
        _watching[0].append(str(arguments[0]))


sys.addaudithook(_watch)


@contextmanager
def touched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect the paths on shares that are opened, listed or asked about."""
    found: list[str] = []
    paths: list[str] = []
    with monkeypatch.context() as patch:
        for name in ("stat", "lstat", "readlink"):
            asks = getattr(os, name)
            patch.setattr(
                os, name, lambda path, *_, asks=asks, **__: (paths.append(str(path)), asks(path))[1]
            )
        _watching.append(paths)
        try:
            yield found
        finally:
            _watching.clear()
    found += [path for path in paths if path.startswith("//")]


def use(desk: Path, out: Path) -> str:
    """Look at a desk, verify and export it, write its packets; return all that was said."""
    commands = (
        ["board", desk],
        ["board", desk, "--json", out / "board.json", "--html", out / "board.html"],
        ["verify", desk],
        ["verify", out / "board.json"],
        ["platform", "export", "codabench", desk, out / "bundle.zip"],
        ["ratings", "packet", "--desk", desk, "--out", out / "packets"],
    )
    said = "".join(run_quietly(one)[1] for one in commands)
    with Desk.open(desk, read_only=True) as opened:
        state = load_state(opened)
        (summary,) = opened.evaluations()
        assert len(state.results.inputs) == 2
        input_places(Stamp.from_json(opened.load(summary.id).stamp))
    study_state(desk, Run())
    return said


def test_a_desk_of_strange_shares_opens_none(desk, tmp_path, windows, monkeypatch):
    with touched(monkeypatch) as found:
        said = use(desk, tmp_path / "desk")
    assert found == []
    assert said.count(NOT_CHOSEN) == 3, said
    assert "30 photos missing" in said


def test_the_same_desk_opens_them_where_there_are_no_shares(desk, tmp_path, share, monkeypatch):
    with touched(monkeypatch) as found:
        said = use(desk, tmp_path / "desk")
    assert {f"{share}/{name}" for name in (*FILES, "images")} <= set(found)
    assert NOT_CHOSEN not in said


def missing_pictures(folder: Path) -> int:
    contents = [read_packet(path).data for path in folder.glob("*.jurypacket")]
    photos = [one for content in contents for item in content.items for one in item.photos]
    return sum(bool(one.missing) for one in photos)


def test_the_organiser_names_the_share_or_another_folder(desk, tmp_path, share, windows):
    write = write_packets(desk, tmp_path / "p", False, "en", Run())
    (warning,) = write.defects
    assert NOT_CHOSEN in str(warning)
    assert "--images FOLDER" in str(warning)
    assert study_state(desk, Run()).lost_pictures == f"{share}/images"
    all_missing = missing_pictures(tmp_path / "p")
    for folder in (f"{share}/images", str(tmp_path / "share" / "images")):
        code, said = run_quietly(
            ["ratings", "packet", "--desk", desk, "--out", tmp_path / "q", "--images", folder]
        )
        assert (code, NOT_CHOSEN in said) == (0, False)
        assert missing_pictures(tmp_path / "q") < all_missing
    # The share was named on the command line: it is the user's own from now on.
    assert study_state(desk, Run()).lost_pictures == ""
    code, said = run_quietly(
        ["ratings", "packet", "--desk", desk, "--out", tmp_path / "q", "--images", tmp_path / "no"]
    )
    assert (code, "there is no such folder" in said) == (1, True)


def test_models_that_a_stranger_names_are_not_opened(share, windows, monkeypatch):
    path = f"{share}/{FILES[1]}"
    options = VisDialOptions(fasttext=path)
    with touched(monkeypatch) as found:
        search = find_weights("fasttext", options.model_paths())
        with pytest.raises(Exception, match=NOT_CHOSEN):
            option_path(path)
    assert (found, search.found) == ([], None)
    assert NOT_CHOSEN in search.reason
    assert NOT_CHOSEN not in run_quietly(["weights", "--check", f"fasttext={path}"])[1]
    assert NOT_CHOSEN not in find_weights("fasttext", options.model_paths()).reason
    assert option_path(path) == Path(path)
