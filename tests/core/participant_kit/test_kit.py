from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.participant_kit.browser_page import checker_page_bytes, recognizer_scripts
from jurydesk.core.participant_kit.kit import (
    KitError,
    ParticipantKit,
    check_with_kit_rules,
    kit_bytes,
    read_kit,
)
from support.kits.cases import Case, cases, json_cases

MARK = "GOLD\u00e9MARK"


def test_a_kit_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    for case in cases(tmp_path):
        if case.references().data is not None:
            kit = case.kit(tmp_path)
            assert read_kit(tmp_path / "kit.jurycomp") == kit
            assert kit_bytes(kit) == (tmp_path / "kit.jurycomp").read_bytes()


def test_an_altered_kit_is_detected(tmp_path: Path) -> None:
    kit = json_cases()[0].kit(tmp_path)
    document = json.loads(kit_bytes(kit))
    document["facts"][0][2].pop()
    (tmp_path / "changed.jurycomp").write_text(json.dumps(document))
    with pytest.raises(KitError, match=r"^changed\.jurycomp is damaged: its hash does not match\."):
        read_kit(tmp_path / "changed.jurycomp")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "x.jurycomp is not a participant kit, or it is damaged."),
        (b"[" * 100_000, "x.jurycomp is not a participant kit, or it is damaged."),
        (b"[]", "x.jurycomp is not a participant kit."),
        (
            b'{"format": "jurydesk participant kit"}',
            "x.jurycomp is not a participant kit, or it is",
        ),
        (
            b'{"format": "jurydesk participant kit", "version": 2, "program": "3.0"}',
            "x.jurycomp was made by a newer Jurydesk (3.0).",
        ),
    ],
)
def test_a_file_that_is_not_a_kit_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "x.jurycomp").write_bytes(content)
    with pytest.raises(KitError) as reported:
        read_kit(tmp_path / "x.jurycomp")
    assert str(reported.value).startswith(sentence)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.data())
def test_facts_of_any_type_end_in_a_message_and_never_in_a_crash(data: st.DataObject) -> None:
    for case in ALL:
        kit = FACTS[case.name]
        number = data.draw(st.integers(0, len(kit.facts) - 1))
        facts = list(kit.facts)
        facts[number] = replace(facts[number], value=data.draw(VALUES))
        file = InputFile(case.submissions[0], case.task.submission_input().role)
        try:
            check_with_kit_rules(case.task, replace(kit, facts=tuple(facts)), (file,), Run())
        except KitError as wrong:
            assert str(wrong).startswith("The kit ")  # noqa: PT017


@pytest.fixture(scope="module", autouse=True)
def known(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("kits")
    kinds = {}
    for case in cases(folder):
        if case.references().data is not None:
            kinds.setdefault((case.task.id, *case.inputs), case)
    ALL.extend(kinds.values())
    FACTS.update({case.name: case.kit(folder) for case in ALL})


ALL: list[Case] = []
FACTS: dict[str, ParticipantKit] = {}


# No gold in any kit: every text of the reference files that is gold gets a mark.


def marked_vist(folder: Path) -> dict[str, Path]:
    from support.files.vist import story_annotations, write

    reported = story_annotations(
        "1", [f"p{n}" for n in range(5)], [f"{MARK} {n} ." for n in range(5)]
    )
    return {"references": write(folder / "gold.json", {"annotations": reported})}


def marked_visdial(folder: Path) -> dict[str, Path]:
    entry = {
        "image_id": 7,
        "round_id": 1,
        "refs": [MARK, f"{MARK} two"],
        "question": MARK,
        "gt_answer": MARK,
        "in_cluster_idxs": [1, 0],
        "correlations": [0.98765, 0.12345],
        "threshold": 0.45678,
    }
    return {"references": _json(folder, [entry])}


def marked_fusionbrain(folder: Path) -> dict[str, Path]:
    truth = {f"k{n}": [{"type": "text", "content": [MARK, f"{MARK} {n}"]}] for n in range(6)}
    asked = {f"k{n}": [{"type": "text", "content": f"{MARK} {n}?"}] for n in range(6)}
    return {
        "truth": _json(folder, truth, "truth.json"),
        "input": _json(folder, asked, "input.json"),
        "task-ids": _json(folder, {f"k{n}": n for n in range(6)}, "ids.json"),
    }


def marked_densecap(folder: Path) -> dict[str, Path]:
    regions = [
        {"image_id": "one", "box": [12.345, 23.456, 34.567, 45.678], "caption": f"{MARK} {n}"}
        for n in range(3)
    ]
    return {"ground-truth": _json(folder, regions)}


def marked_regions(folder: Path) -> dict[str, Path]:
    box = [12.345, 23.456, 34.567, 45.678]
    regions = [{"id": n, "image_id": 1, "bbox": box, "caption": f"{MARK} {n}"} for n in range(3)]
    return {"annotations": _json(folder, {"images": [{"id": 1}], "annotations": regions})}


def marked_xml(folder: Path) -> dict[str, Path]:
    from support.files.icfhr import judgements_text, word

    text = judgements_text({"q1": [word(12345, document=MARK, text=MARK)]})
    (folder / "gt.xml").write_text(text)
    return {"relevance": folder / "gt.xml"}


def marked_trec(folder: Path) -> dict[str, Path]:
    (folder / "gt.qrels").write_text(f"q1 0 {MARK} 1\nq2 0 {MARK}2 0\n")
    return {"relevance": folder / "gt.qrels"}


def _json(folder: Path, value: Json, name: str = "gold.json") -> Path:
    (folder / name).write_text(json.dumps(value))
    return folder / name


SECRETS = (MARK, "GOLD", "MARK", "12.345", "23.456", "12345", "98765", "45678", "34.567")


@pytest.mark.parametrize(
    ("task", "plant"),
    [
        ("vist", marked_vist),
        ("visdial", marked_visdial),
        ("fusionbrain", marked_fusionbrain),
        ("densecap", marked_densecap),
        ("region-captions", marked_regions),
        ("keyword-spotting", marked_xml),
        ("keyword-spotting", marked_trec),
    ],
)
def test_no_byte_of_gold_is_in_the_kit_or_in_the_page(task: str, plant, tmp_path: Path) -> None:
    from jurydesk.core.competition.task_registry import find_competition

    found = find_competition(task)
    assert found is not None
    assert found.submission_checks.redaction is not None
    case = Case(task, found, {role: (path,) for role, path in plant(tmp_path).items()}, ())
    references = case.references()
    assert not has_errors(references.defects)
    kit = case.kit(tmp_path)
    contents = [(tmp_path / "kit.jurycomp").read_bytes()]
    if found.submission_checks.redaction.scripts:
        contents.append(checker_page_bytes(kit, found.submission_checks.redaction))
    for content in contents:
        text = content.decode()
        rules = text.replace(kit.sha256, "")
        assert not [secret for secret in SECRETS if secret in rules]
        assert str(tmp_path) not in text


def test_no_gold_text_of_the_examples_is_in_a_kit(tmp_path: Path) -> None:
    """Check texts that are in the gold and in no fact.

    Words of the formats are excluded: any page contains them for the files of any competition.
    """
    formats = "".join(recognizer_scripts())
    for case in json_cases():
        kit = case.kit(tmp_path)
        assert case.task.submission_checks.redaction is not None
        facts = json.dumps([fact.value for fact in kit.facts], ensure_ascii=False)
        page = checker_page_bytes(kit, case.task.submission_checks.redaction).decode()
        written = kit_bytes(kit).decode() + page
        gold = {
            text
            for paths in case.inputs.values()
            for path in paths
            for text in _file_texts(path)
            if len(text) > 12 and text not in facts and text not in formats
        }
        assert len(gold) >= 5
        escaped = {json.dumps(text)[1:-1] for text in gold}
        assert not [text for text in gold | escaped if text in written]


def _file_texts(path: Path) -> list[str]:
    """Return the texts of a reference file; a declaration has none that are gold."""
    content = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return [text for row in csv.reader(content.splitlines()[1:]) for text in row]
    return [] if path.suffix == ".toml" else _texts(json.loads(content))


def _texts(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []
