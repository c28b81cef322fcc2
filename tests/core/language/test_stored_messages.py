"""Texts that desks, caches and kits store keep their templates, and are translated when shown."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.results.findings import load_findings
from jurydesk.core.intake.archive import unpack_archive
from jurydesk.core.language import counted, fill, translate_text
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import (
    AcceptedAnswer,
    ItemEvidence,
    ItemPicture,
)
from support.desks.toy_desk import evaluation
from support.kits.cases import json_cases
from support.rating import studies

SAID = fill("{place}: {found}", "half \ud800", counted(1234, "story", "stories"))


def checked(folder: Path) -> Iterator[str]:
    defect = error(Place("run.txt", 2), SAID, SAID, SAID)
    record = CheckRecord("", (FileCheck("run", "", "unknown", SAID),), DefectLog((defect,)))
    with Desk.create(folder / "checked.jurydesk") as desk:
        desk.add_check(record)
        desk.add_check(replace(record, time="later"))
        (kept,) = desk.check_records()  # those that differ only in times are one
    (again,) = kept.defects.all
    yield from (again.found, again.expected, again.hint, kept.files[0].reason)


def drawn(folder: Path) -> Iterator[str]:
    made = evaluation()
    figures = [replace(one, title=SAID) for one in made.figures]
    with Desk.create(folder / "drawn.jurydesk") as desk:
        kept = desk.load(desk.add(replace(made, figures=tuple(figures))))
    yield from (figure.title for figure in kept.figures)


def unpacked(folder: Path) -> Iterator[str]:
    path = folder / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"")
        archive.writestr("../b.txt", b"")
    for _ in range(2):
        found = unpack_archive(path, folder / "store", Run())
    yield from (one.found for one in found.defects)


def explained(_: Path) -> Iterator[str]:
    nan = float("nan")
    alignment = Alignment(
        ("a",), ("a", "b"), (AlignmentMatch(0, 1, 0, 1, 0),), (1, 2), *[nan] * 6, *[0.5] * 4, (), ()
    )
    answer = (AcceptedAnswer('["a"]', "a", None),)
    pictures = (ItemPicture("Picture", "images", "a.png", ""),)
    made = ItemEvidence(
        "vqa", "1", "?", None, "", answer, 0, None, (SAID,), pictures, alignment=alignment
    )
    again = ItemEvidence.from_json(json.loads(json.dumps(made.to_json(), allow_nan=False)))
    assert repr(again) == repr(made)
    yield from again.rules


def rated(folder: Path) -> Iterator[str]:
    path = studies.rated_desk(folder / "rated.jurydesk", studies.study(), 2)
    for _ in range(2):
        with Desk.open(path) as desk:
            found = load_findings(desk, Run())
    assert found is not None
    yield from (one.remark for one in found.outcomes if one.remark)


def handed_out(folder: Path) -> Iterator[str]:
    for case in json_cases():
        yield from (one.says for one in case.kit(folder).facts)


@pytest.mark.parametrize("stored", [checked, drawn, unpacked, explained, rated, handed_out])
def test_a_stored_text_is_translated_when_shown(
    stored: Callable[[Path], Iterator[str]], tmp_path: Path
):
    texts = list(stored(tmp_path))
    assert texts
    assert [one for one in texts if translate_text(one, "ru") == one] == []


def test_a_text_that_looks_like_an_encoded_message_stays_what_it_is():
    assert from_json(tuple[str, ...], to_json(('["a"]', SAID), messages=True)) == ('["a"]', SAID)
