from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from jurydesk.core import tasks
from jurydesk.core.cli.program import COMMANDS as OWN
from jurydesk.core.cli.program import program
from jurydesk.core.competition.task_registry import competition_commands
from jurydesk.core.version import __version__
from support import toy
from support.plug_ins.installation import command, plug_in, process

COMMANDS = (*OWN, *competition_commands())


def test_the_help_lists_every_command(jurydesk):
    outcome = jurydesk("--help")
    assert outcome.code == 0
    listed = [line.split()[0] for line in outcome.out.splitlines() if line.startswith("  ")]
    assert [word for word in listed if word in COMMANDS] == list(COMMANDS)


def test_a_competition_s_folder_provides_its_commands(jurydesk, tmp_path, monkeypatch):
    own = {"coco-caption", "competition", "convert", "tokenize"}
    assert set(competition_commands()) == own
    folder = tmp_path / "rhymes" / "commands"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").write_text("")
    (folder / "count_rhymes.py").write_text(
        "import click\ncommand = click.Command('count-rhymes', callback=lambda: print(7))\n"
    )
    monkeypatch.setattr(tasks, "__path__", [*tasks.__path__, str(tmp_path)])
    assert jurydesk("count-rhymes").out == "7\n"
    assert "  count-rhymes" in jurydesk("--help").out


def test_a_package_provides_its_command_and_a_broken_one_is_reported(
    jurydesk, tmp_path, monkeypatch
):
    (tmp_path / "verses.py").write_text(
        "import click\ncount = click.Command('verses', callback=lambda: print(9))\n"
    )
    plug_in(tmp_path, "verses", "verses:count", group="jurydesk.commands")
    plug_in(tmp_path, "broken", "verses:missing", group="jurydesk.commands")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert jurydesk("verses").out == "9\n"
    assert jurydesk("--help").code == 0
    broken = jurydesk("broken")
    assert broken.code == 2
    assert "The command could not be loaded. AttributeError" in broken.err


@pytest.mark.parametrize("group", [(), ("ratings",), ("references",), ("scores",), ("shards",)])
def test_the_help_cuts_no_sentence(jurydesk, group):
    assert "..." not in jurydesk(*group, "--help").out.replace("[ARGS]...", "")


def commands(command: click.Command, context: click.Context) -> Iterator[click.Command]:
    """Return a command and all its subcommands."""
    yield command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, click.Context(below, parent=context))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_describes_every_value(name):
    context = click.Context(program)
    for one in commands(program.get_command(context, name), context):
        words = set(one.get_help(click.Context(one)).replace("[", " ").split())
        assert not words & {"TEXT", "INTEGER", "FLOAT", "PATH", "BOOLEAN", "RANGE", "DIR"}


def test_the_version_is_printed(jurydesk):
    assert jurydesk("--version").out == f"jurydesk, version {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["scor"], 'There is no command "scor". Did you mean score or scores?'),
        (["score", "to"], 'There is no competition "to". Did you mean toy?'),
        (["devices", "--device", "gpu"], '"gpu" is not a device. `jurydesk devices` lists them.'),
        (["score", "toy", "--server", "here"], "No such option"),
        (["score", "toy", "--scheduler", "here"], '"here" is not a scheduler address'),
        (["score", "toy", "--trut", "x"], "Did you mean"),
        (["score", "toy", "--truth", "x"], "Missing option '--guesses'"),
        (["score", "toy", "--jobs", "0"], "0 is not in the range x>=1"),
        (["score", "toy", "--profile", "icfhr"], "'icfhr' is not one of 'published', 'corrected'"),
    ],
)
def test_wrong_usage_ends_with_2_and_shows_the_right_usage(jurydesk, arguments, sentence):
    outcome = jurydesk(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err


def test_text_from_files_cannot_control_the_terminal(jurydesk, truth, tmp_path):
    sly = tmp_path / "sly.txt"
    sly.write_text("a \x1b[31mred\x07\n")
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", sly)
    assert '"\\x1b[31mred\\x07" is no number' in outcome.err
    assert "\x1b" not in outcome.err


@pytest.fixture
def installed(tmp_path) -> tuple[Path, ...]:
    return plug_in(tmp_path / "site", "toy", "support.toy:TASK"), Path(toy.__file__).parents[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("more", [(), ("--json", "-")])
def test_a_full_disk_behind_standard_output_is_reported(installed, truth, near, more):
    arguments = ("score", "toy", "--truth", truth, "--guesses", near, *more)
    with Path("/dev/full").open("w") as full:
        outcome = process(*arguments, path=installed, stdout=full)
    assert outcome.code == 2
    assert outcome.err == "Error: Standard output could not be written: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_a_file_is_reported_with_its_name(jurydesk, truth, near):
    outcome = jurydesk("score", "toy", "--truth", truth, "--guesses", near, "--json", "/dev/full")
    assert outcome.code == 2
    assert outcome.err == "Error: /dev/full could not be written: No space left on device.\n"


@pytest.mark.skipif(os.name != "posix", reason="pipes that close are POSIX's")
def test_a_closed_pipe_ends_the_program_quietly(installed, truth, tmp_path):
    many = toy.write(tmp_path / "many.txt", {f"item{i}": 1.0 for i in range(20_000)})
    reading, writing = os.pipe()
    os.close(reading)
    arguments = ("score", "toy", "--truth", many, "--guesses", many, "--json", "-")
    try:
        outcome = process(*arguments, path=installed, stdout=writing)
    finally:
        os.close(writing)
    assert outcome.err == ""
    assert outcome.code == 0


SLOW = """
import time
from dataclasses import replace
from support import toy

def evaluate(references, submission, options, run):
    print("begun", flush=True)
    while True:
        run.check()
        time.sleep(0.01)

TASK = replace(toy.TASK, id="slow", scoring=replace(toy.TASK.scoring, evaluate=evaluate))
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a POSIX signal")
def test_ctrl_c_cancels_with_130_and_leaves_a_valid_desk(tmp_path, truth, near):
    site = plug_in(tmp_path / "site", "slow", "slow:TASK")
    (site / "slow.py").write_text(SLOW)
    folders = (site, Path(toy.__file__).parents[1])
    desk = tmp_path / "slow.jurydesk"
    arguments = ("score", "slow", "--truth", truth, "--guesses", near, "--desk", desk)
    with subprocess.Popen(
        command(*arguments, path=folders),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout.readline() == "begun\n"
        time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, diagnostics = running.communicate(timeout=100)
    assert running.returncode == 130
    assert diagnostics == "Error: Cancelled.\n"
    assert process("board", desk, path=folders).code == 0


MISSING = """
from dataclasses import replace
from support import toy
from jurydesk.core.model.evaluation import ResourceMissing, UsageError

def lacking(references, submission, options, run):
    raise ResourceMissing("The file words.bin is missing. Put it into the cache folder.")

TASK = replace(toy.TASK, id="lacking", scoring=replace(toy.TASK.scoring, evaluate=lacking))
"""


def test_a_missing_resource_ends_with_3_and_is_named(tmp_path, truth, near):
    site = plug_in(tmp_path / "site", "lacking", "lacking:TASK")
    (site / "lacking.py").write_text(MISSING)
    folders = (site, Path(toy.__file__).parents[1])
    outcome = process("score", "lacking", "--truth", truth, "--guesses", near, path=folders)
    assert outcome.code == 3
    assert outcome.err == ("Error: The file words.bin is missing. Put it into the cache folder.\n")


def test_help_is_a_command_like_the_option(jurydesk):
    assert jurydesk("help") == jurydesk("--help")
    assert jurydesk("help", "score", "toy") == jurydesk("score", "toy", "--help")


def test_a_name_is_recognized_in_any_case(jurydesk):
    outcome = jurydesk("score", "TOY")
    assert outcome.code == 2
    assert 'There is no competition "TOY". Did you mean toy?' in outcome.err


def test_a_file_in_place_of_the_competition_is_reported(jurydesk, truth):
    outcome = jurydesk("score", truth)
    assert outcome.code == 2
    assert f"Expected a competition, found the file {truth}: give the competition" in outcome.err


def test_a_file_without_its_option_is_reported(jurydesk, truth, near):
    outcome = jurydesk("score", "toy", near, "--truth", truth)
    assert outcome.code == 2
    assert "Each file and each value must follow its option." in outcome.err


@pytest.mark.parametrize(("name", "often"), [("score", True), ("meteor", False)])
def test_threads_give_way_often_while_scoring_and_garbage_is_looked_for_seldom(
    name: str, often: bool
) -> None:
    code = (
        "import gc, sys; from jurydesk.core.cli import main; "
        f"sys.argv = ['jurydesk', {name!r}, '--help']; main(); "
        "print(sys.getswitchinterval() < 0.001, gc.get_threshold()[0] > 100_000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"{often} True"
