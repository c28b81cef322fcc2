"""A command lists the shared options that act on it, and refuses the others as unknown."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from jurydesk.core.cli import program, running
from jurydesk.core.cli.command import CHUNKS, COMPUTING, CliCommand, CommandContext
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.execution.workers import dask_workers
from jurydesk.core.execution.workers.local_workers import LocalWorkers
from jurydesk.core.system.paths import resources_folder
from support.desks.comparison import Example
from support.tiny_models import maker, torch_or_skip

USES: dict[str, Sequence[str]] = {
    "open": (),
    "demo": COMPUTING,
    "intake toy": ("jobs",),
    "kit toy": (),
    "kit desk": (),
    "check toy": ("jobs",),
    "check kit": ("jobs",),
    "score toy": COMPUTING,
    "scores hide": (),
    "scores open": (),
    "scores add": (),
    "board": (),
    "items": (),
    "classes": (),
    "plan": (),
    "compare": ("jobs",),
    "why": COMPUTING,
    "profiles": COMPUTING,
    "robustness": COMPUTING,
    "errata": COMPUTING,
    "ratings plan": (),
    "ratings packet": (),
    "ratings import": (),
    "ratings merge": (),
    "ratings agreement": (),
    "ratings board": (),
    "shards split toy": ("device", "jobs", "data"),
    "shards score": CHUNKS,
    "shards merge": ("device", "jobs"),
    "shards check": (),
    "verify": COMPUTING,
    "devices": ("device",),
    "doctor": (),
    "selftest": ("device",),
    "weights": (),
    "fid": COMPUTING,
    "meteor": ("jobs",),
    "rusteval": CHUNKS,
    "trec_eval": ("jobs",),
    "evalvist": CHUNKS,
    "references build": ("jobs",),
    "references masks": ("jobs",),
    "coco-caption": CHUNKS,
    "tokenize": (),
    "convert": (),
    "platform list": (),
    "platform compare": COMPUTING,
    "platform check": (),
    "platform export": (),
    "entry key": (),
    "entry seal": ("jobs",),
    "entry open": COMPUTING,
    "entry approve": (),
    "entry policy": (),
    "entry ledger": (),
    "entry revoke": (),
    "entry verify": (),
    "entry board": (),
    "competition new": (),
    "competition check": (),
    "competition zip": (),
    "addon install": (),
    "addon list": (),
    "addon remove": (),
    "addon try": (),
}
OPTIONS = {
    "device": ("--device", "cpu"),
    "jobs": ("--jobs", "2"),
    "scheduler": ("--scheduler", "tcp://here:8786"),
    "data": ("--data", "paths"),
}

BEGUN = {"kit desk": ["kit", "--desk"], "check kit": ["check", "--kit"]}
"""Commands that begin with an option."""


def leaves(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield each command without subcommands by its name; of competitions, only the toy's."""
    context = click.Context(command)
    if not isinstance(command, click.Group):
        yield name, command
        return
    names = command.list_commands(context)
    shown = ["toy"] if set(registry().tasks) <= {*names} else names
    for one in (*shown, *{"kit": ["desk"], "check": ["kit"]}.get(name, ())):
        below = command.get_command(context, one)
        assert below is not None
        yield from leaves(below, f"{name} {one}".strip())


def test_each_command_declares_its_shared_options() -> None:
    found = dict(leaves(program.program))
    assert {name: isinstance(one, CliCommand) for name, one in found.items()} == dict.fromkeys(
        USES, True
    )
    listed = {
        name: {one for one in OPTIONS if f"--{one} " in help_of(found[name])} for name in USES
    }
    assert listed == {name: {*uses} for name, uses in USES.items()}


def help_of(command: click.Command) -> str:
    return command.get_help(click.Context(command))


@pytest.mark.parametrize("name", USES)
def test_an_option_that_does_not_act_is_refused_as_unknown(jurydesk, name: str) -> None:
    for option in OPTIONS.keys() - {*USES[name]}:
        outcome = jurydesk(*BEGUN.get(name, name.split()), "x", *OPTIONS[option])
        assert outcome.code == 2
        assert f"No such option '--{option}'" in outcome.err


@dataclass
class Observer:
    """Records which shared options the work of a command reads."""

    jurydesk: Any
    used: set[str] = field(default_factory=set)

    def __call__(self, name: str, *arguments: object, once: bool = False) -> set[str]:
        """Run a command with its shared options, and without; return those that it read."""
        self.used.clear()
        words = BEGUN.get(name) or name.replace(" toy", " keyword-spotting").split()
        given = [word for one in USES[name] for word in OPTIONS[one]]
        for more in [given] if once else [given, []]:
            outcome = self.jurydesk(*words, *arguments, *more)
            assert outcome.code == 0, outcome.err
        return {*self.used}


@pytest.fixture
def observe(jurydesk, monkeypatch: pytest.MonkeyPatch) -> Observer:
    observer = Observer(jurydesk)
    passing_on = {Path(running.__file__).name: (), "run.py": ("map",), "dataclasses.py": ()}

    def note(name: str) -> None:
        """Record a reading, except by what only passes the options on to the work."""
        reader = sys._getframe(2).f_code
        readers = passing_on.get(Path(reader.co_filename).name)
        if name in OPTIONS and (readers is None or reader.co_name in readers):
            observer.used.add(name)

    class ObservedRun(Run):
        def __getattribute__(self, name: str) -> Any:
            note(name)
            return super().__getattribute__(name)

        def _local_workers(self) -> LocalWorkers:
            observer.used.add("jobs")
            return LocalWorkers(self.jobs)

    class ObservedContext(CommandContext):
        def __getattribute__(self, name: str) -> Any:
            note(name)
            return super().__getattribute__(name)

    def opener(address: str, data: str) -> Any:
        def open_workers() -> LocalWorkers:
            observer.used.update(("scheduler", "data"))
            return LocalWorkers(1)

        return open_workers

    monkeypatch.setattr(running, "Run", ObservedRun)
    monkeypatch.setattr(program, "CommandContext", ObservedContext)
    monkeypatch.setattr(dask_workers, "dask_opener", opener)
    return observer


@pytest.fixture
def example(tmp_path: Path) -> Example:
    """Return three runs of word spotting."""
    return Example(registry().tasks["keyword-spotting"], tmp_path / "files", damage=False)


def test_commands_of_a_competition_use_what_they_list(
    observe: Observer, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, results, kit, job = (
        tmp_path / name for name in ("a.jurydesk", "a.json", "a.jurycomp", "job")
    )
    given = example.arguments
    assert observe("score toy", *given, "--desk", desk, "--json", results) == {*COMPUTING}
    assert observe("check toy", *given) == {"jobs"}
    assert observe("intake toy", example.folder) == {"jobs"}
    with Desk.open(desk, read_only=True) as opened:
        system, metric = opened.systems()[0], opened.evaluations()[0].scores[0]
    assert observe("why", desk, system, metric.metric, repr(metric.value)) == {*COMPUTING}
    assert observe("profiles", desk, system) == {*COMPUTING}
    assert observe("robustness", desk) == {*COMPUTING}
    (relevance,) = example.inputs["relevance"]
    assert observe("errata", desk, relevance, "--dry-run") == {*COMPUTING}
    assert observe("verify", results) == {*COMPUTING}
    assert observe("board", desk, "--html", tmp_path / "a.html") == set()
    assert observe("kit desk", desk, kit) == set()
    shared = ("--relevance", relevance)
    assert observe("kit toy", *shared, kit) == set()
    assert observe("scores hide", desk) == observe("scores open", desk) == set()
    submission = example.submissions[0]
    assert observe("rusteval", relevance, submission) == {*CHUNKS}
    monkeypatch.setattr("jurydesk.core.tasks.keyword_spotting.trec.trec_reader.LARGE", 0)
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n")
    run.write_text("1 Q0 a 1 2.0 x\n1 Q0 b 2 1.0 x\n")
    assert observe("trec_eval", qrels, run) == {"jobs"}
    assert observe("kit toy", "--relevance", qrels, kit) == set()
    assert observe("check kit", kit, run) == {"jobs"}
    demo = ("keyword-spotting", "--text", "--folder", tmp_path / "demo")
    assert observe("demo", *demo) == {*COMPUTING}
    split = ("--relevance", qrels, "--results", run, "--out", job)
    assert observe("shards split toy", *split, once=True) >= {"jobs", "data"}


def test_merging_shards_uses_what_it_lists(
    jurydesk, observe: Observer, example: Example, tmp_path: Path
) -> None:
    job = tmp_path / "job"
    jurydesk("shards", "split", "keyword-spotting", *example.arguments, "--out", job)
    assert observe("shards score", job, "--again") == {*CHUNKS}
    assert observe("shards merge", job) >= {"device", "jobs"}
    assert observe("shards check", job) == set()


def test_other_programs_use_what_they_list(
    observe: Observer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = resources_folder() / "examples"
    stories, captions = examples / "vist", examples / "captions"
    vist = ("-testFile", stories / "happy.json", "-gsFile", stories / "human-stories.json")
    assert observe("evalvist", *vist) == {*CHUNKS}
    files = captions / "annotations.json", captions / "describer.json"
    assert observe("coco-caption", *files) == {*CHUNKS}
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"hyp": "a cat sits", "refs": ["the cat sat"]}\n')
    assert observe("meteor", "--pairs", pairs) == {"jobs"}
    assert observe("tokenize", "--ptb", pairs) == set()
    boxes = tmp_path / "boxes.json"
    boxes.write_text(
        '{"images": [{"id": 1, "width": 9, "height": 9}], "annotations": '
        '[{"image_id": 1, "bbox": [1, 2, 3, 4], "caption": "a kite"}]}'
    )
    prepared = ("--ground-truth", boxes, "--prepare", "controlcap")
    assert observe("convert", "densecap", *prepared) == set()
    building = examples / "visdial" / "building"
    out = ("--out", tmp_path / "sets.json")
    dialogs = ("--dialogs", building / "dialogs.json", "--embeddings", building / "words.bin")
    assert observe("references build", "--method", "S", *dialogs, *out) == {"jobs"}
    random = np.random.default_rng(0)
    arrays = {"correlations": random.random((20, 100)), "gt_index": np.zeros(20, np.int64)}
    np.savez(tmp_path / "c.npz", **arrays)  # type: ignore[arg-type]
    given = ("--correlations", tmp_path / "c.npz", "--method", "S")
    assert observe("references masks", *given, *out) == {"jobs"}
    assert observe("devices") == {"device"}
    monkeypatch.setattr("jurydesk.core.selftest.checks.run_checks", lambda show, device: ())
    assert observe("selftest") == {"device"}
    assert observe("weights") == set()


@pytest.mark.usefixtures("quick_fid")
def test_networks_use_what_their_commands_list(
    jurydesk, observe: Observer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch_or_skip()
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    maker().make_inception(tmp_path / "inception.safetensors")
    jurydesk("weights", "--choose", f"inception={tmp_path / 'inception.safetensors'}")
    example = Example(registry().tasks["fusionbrain"], tmp_path / "files", damage=False)
    folders = [example.folder / name for name in ("careful-pictures", "hasty-pictures")]
    assert observe("fid", *folders, once=True) == {*COMPUTING}
    desk, job = tmp_path / "a.jurydesk", tmp_path / "job"
    score = ("fusionbrain", *example.arguments)
    jurydesk("score", *score, "--desk", desk)
    given = ("--metric", "generation_fid", "--resamples", "10")
    assert observe("compare", desk, "careful", "hasty", *given, once=True) == {"jobs"}
    monkeypatch.setitem(BEGUN, "shards split toy", ["shards", "split"])
    found = observe("shards split toy", *score, "--out", job, once=True)
    assert found == {"device", "jobs", "data"}
