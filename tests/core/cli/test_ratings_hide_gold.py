"""Raters see only systems' texts: a packet contains reference texts only as the human system."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from jurydesk.core.competition.examples import example_folder, example_inputs
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from support.examples import TASKS_WITH_EXAMPLE
from support.rating import rated_examples

CONTEXT = {
    "vist": set(),
    "captions": set(),
    "densecap": set(),
    "keyword-spotting": {"Query"},
    "visdial": {"Dialogue so far", "Question"},
    "fusionbrain": {"Question"},
    "retrieval": set(),
    "vqa": {"Question"},
    "visdial-ranks": {"Dialogue so far", "Question"},
    "table": {"question"},
    "declared": {"question"},
    "region-captions": set(),
}
"""What may stand beside the entries: never an accepted answer."""
ANSWERS = ("answer", "reading", "text", "metres")
"""Columns of tables that have answers."""
RANKS_REFERENCES = ("retrieval", "visdial-ranks")
"""Competitions whose systems choose among texts of the reference files."""


def texts_in(value):
    """Return every text and number of JSON values, one on each line."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return {text for one in value for text in texts_in(one)}
    return sentences_of(str(value))


def sentences_of(text):
    """Return the lines of a text, or the sentences of a tokenized story."""
    return {part.strip().lower() for part in re.split(r"\n|(?<= \.) ", text)} - {""}


def texts_of(path):
    if path.suffix in (".npy", ".npz", ".toml"):
        return set()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".xml":
        return {one.lower() for one in re.findall('"([^"]*)"', text)}
    if path.suffix == ".csv":
        rows = csv.DictReader(io.StringIO(text))
        return texts_in([one[name] for one in rows for name in ANSWERS if name in one])
    return texts_in(json.loads(text))


def texts_by_kind(name):
    """Return the texts of the submissions and of the references of a competition's example."""
    task = registry().tasks[name]
    inputs = example_inputs(task, example_folder(task))
    found = {"submission": set(), "reference": set()}
    for entry in task.inputs:
        for path in inputs.get(entry.role, ()) if entry.kind in found else ():
            found[entry.kind] |= texts_of(path)
    return found["submission"], found["reference"]


def packed_entries(jurydesk, name, folder):
    """Return every item of every packet, with the names of the systems whose entries it shows."""
    task = registry().tasks[name]
    desk = rated_examples.scored_desk(name, folder)
    images = [path for path in example_folder(task).iterdir() if path.name in ("images", "photos")]
    human = ("--human",) if task.presentation.rating.has_human_entries else ()
    given = ("--images", images[0]) if images else ()
    numbers = ("--items", 4, "--raters", 2, "--ratings-per-entry", 1, "--seed", 5)
    planned = jurydesk("ratings", "plan", "--desk", desk, *numbers, *human, *given)
    assert planned.code == 0, planned.err
    assert jurydesk("ratings", "packet", "--desk", desk, "--out", folder / "out").code == 0
    with Desk.open(desk, read_only=True) as opened:
        study = RatingStore(opened).study()
    for rater in study.raters:
        content = read_packet(folder / "out" / f"{rater.code}.jurypacket").data
        for task_of_rater, item in zip(rater.tasks, content.items, strict=True):
            assert task_of_rater.id == item.id
            systems = [study.pool.systems[number] for number in task_of_rater.item.systems]
            yield item, systems, study.pool.items[task_of_rater.item.sequence].id


@pytest.mark.parametrize("name", TASKS_WITH_EXAMPLE)
def test_references_are_entries_of_the_human_system_only(jurydesk, tmp_path, name):
    submitted, references = texts_by_kind(name)
    shown = list(packed_entries(jurydesk, name, tmp_path))
    assert len(shown) >= 12
    human = 0
    for item, systems, id in shown:
        assert {title for title, _ in item.context} <= CONTEXT[name]
        (text,), (system,) = item.stories, systems
        if system.startswith("human "):
            human += 1
            assert sentences_of(text) <= references
        else:
            assert sentences_of(text) <= (references if name in RANKS_REFERENCES else submitted)
        dialogue = dict(item.context).get("Dialogue so far", "")
        if name == "visdial":  # two lines for each earlier round, none for this one
            assert len(dialogue.splitlines()) == 2 * int(id.rpartition("-")[2])
    assert bool(human) == registry().tasks[name].presentation.rating.has_human_entries
