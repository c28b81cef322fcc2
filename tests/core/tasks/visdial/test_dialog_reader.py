"""Tests of the reader of generated answers and reference sets, and of its defects."""

import json

import pytest

from jurydesk.core.execution.engine import check_inputs
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.readers import bounded_defects
from jurydesk.core.tasks.visdial.dialog_reader import read_generations
from jurydesk.core.tasks.visdial.dialogs import DialogReferences, ReferenceSet
from jurydesk.core.tasks.visdial.visdial_task import TASK


def entry(image=1, number=0, **fields):
    return {"image_id": image, "round_id": number} | fields


SETS = [entry(1, 0, refs=["no"]), entry(1, 1, refs=["a red kite", "red"])]


@pytest.fixture
def read(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    def read_both(generations, references=SETS):
        options, run = TASK.scoring.options(), Run()
        inputs = {"references": [write("references.json", references)]}
        known = TASK.readers.read_references(inputs, options, run)
        if known.data is None:
            return known
        path = write("generations.json", generations)
        return TASK.readers.read_submission(path, known.data, options, run)

    return read_both


def answers(*texts, number=0):
    return entry(1, number, generations=list(texts))


SOUND = [answers("no"), answers("yes", number=1)]


def test_valid_files_have_no_defect(read):
    reading = read(SOUND)
    assert reading.defects == ()
    assert reading.data.answers == {(1, 0): ("no",), (1, 1): ("yes",)}


@pytest.mark.parametrize(
    ("wrong", "path", "sentence"),
    [
        ([3], "[2]", "The entry is a list of a whole number."),
        (entry("one", generations=["a"]), "[2].image_id", 'The image is the text "one".'),
        (entry(2, 10, generations=["a"]), "[2].round_id", "The round is 10."),
        (entry(2, True, generations=["a"]), "[2].round_id", "The round is true."),
        (entry(2, generations="a"), "[2].generations", '"generations" is the text "a".'),
        (entry(2), "[2].generations", '"generations" is missing.'),
        (entry(2, generations=[]), "[2].generations", "The list is empty."),
        (entry(2, generations=["a", 5]), "[2].generations[1]", "The text is the number 5."),
        (answers("again"), "[2]", "Question 1-0 is repeated; it first appears at [0]."),
    ],
)
def test_an_invalid_entry_is_an_error_with_its_place(read, wrong, path, sentence):
    reading = read([*SOUND, wrong])
    assert reading.data is None
    assert [(d.place.json_path, d.found) for d in errors(reading)] == [(path, sentence)]


@pytest.mark.parametrize(
    ("image", "number", "place", "times"),
    [
        ("1", 1, "[1].image_id", "1 time"),
        (1.0, 1, "[1].image_id", "1 time"),
        (1, "01", "[1].round_id", "1 time"),
        ("1", 1.0, "[1].image_id", "2 times"),
    ],
)
def test_ids_written_as_text_or_as_fractions_are_read_with_a_note(
    read, image, number, place, times
):
    reading = read([answers("no"), entry(image, number, generations=["yes"])])
    assert reading.data.answers == {(1, 0): ("no",), (1, 1): ("yes",)}
    assert [str(defect) for defect in reading.defects] == [
        f"note  generations.json, {place}: Text or a fraction as an id: {times}.\n"
        "       It is read as a whole number."
    ]


@pytest.mark.parametrize("image", [1.5, "1.5", "-1", "１", "1 1", "1" * 10, 2.0**60, True, [1]])
def test_ids_that_can_be_read_in_more_than_one_way_are_errors(read, image):
    reading = read([*SOUND, entry(image, generations=["yes"])])
    assert reading.data is None
    assert [defect.place.json_path for defect in errors(reading)] == ["[2].image_id"]


def errors(reading):
    return [defect for defect in reading.defects if str(defect.severity) == "error"]


def test_all_defects_are_reported_at_once(read):
    reading = read([3, entry(1, 1, generations=0), answers("no END"), answers("no")])
    assert [(d.place.json_path, d.found) for d in reading.defects] == [
        ("[0]", "The entry is the number 3."),
        ("[1].generations", '"generations" is the number 0.'),
        ("[3]", "Question 1-0 is repeated; it first appears at [2]."),
        (None, "START, END or other special tokens in: 1 question (1-0)."),
    ]


def test_every_question_without_an_answer_is_reported(read):
    found = [defect.found for defect in read([answers("no", number=5)]).defects]
    assert found[:2] == [
        "Question 1-0 has references, but no generated answer.",
        "Question 1-1 has references, but no generated answer.",
    ]


def test_the_number_of_reported_defects_is_bounded(tmp_path, monkeypatch):
    sets = {(image, 0): ReferenceSet(("yes",)) for image in range(5000)}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([{"image": image} for image in range(1000)]), encoding="utf-8")
    monkeypatch.setattr(bounded_defects, "MOST", 100)
    reading = read_generations(path, DialogReferences(sets, "references.json"))
    found = [defect.found for defect in reading.defects]
    assert len(found) == 12
    assert found[10].startswith("There are 990 more of this kind, at [10].image_id")
    question = "Question 0-0 has references, but no generated answer."
    assert found[11] == f"{question} There are 4,999 more of this kind."


def test_answers_without_references_are_left_out_with_a_note(read):
    reading = read([*SOUND, answers("no", number=7)])
    assert reading.data is not None
    assert [str(d.severity) for d in reading.defects] == ["note"]
    assert reading.defects[0].found == "No reference set: 1 question (1-7)."


@pytest.mark.parametrize(
    "text",
    [
        *("<START> no", "no END", "[CLS] no", "a <unk>", "an UNK", "[UNK] no", "no </s>", "<s> no"),
        *("<start> no", "__start__ no", "no<|endoftext|>", "no __EOS__", "[mask]", "no EOS"),
    ],
)
def test_remaining_special_tokens_are_a_warning(read, text):
    found = read([answers(text), SOUND[1]]).defects[0].found
    assert found == "START, END or other special tokens in: 1 question (1-0)."


@pytest.mark.parametrize("text", ["a <unk>", "[UNK] no </s>", "no<|endoftext|>"])
def test_a_check_warns_of_special_tokens_once(tmp_path, text):
    """Other marks of tokenizers are looked for in the texts of every competition."""
    contents = {"references": SETS, "generations": [answers(f"{text} &amp;"), SOUND[1]]}
    for name, data in contents.items():
        (tmp_path / name).write_text(json.dumps(data))
    files = files_by_role({name: [tmp_path / name] for name in contents})
    (checked,) = check_inputs(TASK, files, TASK.scoring.options(), Run()).entries
    assert [one.found for one in checked.defects] == [
        "START, END or other special tokens in: 1 question (1-0).",
        "Marks of a tokenizer or of markup are left in 1 of 2 texts: &amp;.",
    ]


@pytest.mark.parametrize(
    "text",
    ["the bookend", "at the start and end", "restarted", "UNKNOWN", "a < s > b", "[s]", "<|a|>"],
)
def test_words_that_look_like_special_tokens_are_accepted(read, text):
    assert read([answers(text), SOUND[1]]).defects == ()


def test_empty_answers_are_a_note(read):
    found = read([answers("no", " "), SOUND[1]]).defects[0].found
    assert found == "Empty answers: 1 question (1-0)."


def test_references_that_are_not_a_list_are_an_error(read):
    reading = read(SOUND, [entry(refs="no")])
    assert [d.place.json_path for d in reading.defects] == ["[0].refs"]


def test_a_file_that_is_not_a_list_is_an_error(read):
    assert read({"a": 1}).defects[0].found == "The file holds an object."


def test_missing_models_are_a_note_with_their_place(tmp_path):
    path = tmp_path / "references.json"
    path.write_text(json.dumps(SETS))
    reading = TASK.readers.read_references({"references": [path]}, TASK.scoring.options(), Run())
    assert [(str(d.severity), d.found) for d in reading.defects] == [
        ("note", "Not computed: fastText L2 and fastText CS."),
        ("note", "Not computed: BERT L2 and BERT CS."),
    ]
    assert "Name it with --weights fasttext=PATH" in reading.defects[0].hint


def test_a_reference_without_words_is_reported(tmp_path):
    path = tmp_path / "references.json"
    path.write_text(json.dumps([*SETS, entry(1, 2, refs=["yes", " "])]))
    reading = TASK.readers.read_references({"references": [path]}, TASK.scoring.options(), Run())
    assert reading.data is not None
    reported = next(defect for defect in reading.defects if str(defect.severity) == "warning")
    assert reported.found == "A reference without any word: 1 question (1-2)."


def test_a_named_model_that_is_missing_is_an_error(tmp_path):
    path = tmp_path / "references.json"
    path.write_text(json.dumps(SETS))
    options = TASK.scoring.options(weights=(f"bert={tmp_path / 'absent'}",))
    with pytest.raises(ResourceMissing) as refusal:
        TASK.readers.read_references({"references": [path]}, options, Run())
    assert f"{tmp_path / 'absent'}: there is no such file or folder" in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "The file does not exist."),
        ("", "The file is empty."),
        ("[]", "These are not document frequencies."),
        ('{"sets": 2, "counts": {"a": 0.5}}', '"a" is in 0.5 of 2 sets.'),
        ('{"sets": 1, "counts": {"a": 2}}', '"a" is in 2 of 1 sets.'),
        ("[" * 100_000, "The JSON is nested too deeply to be read."),
    ],
)
def test_frequencies_that_cannot_be_read_are_an_error(tmp_path, text, sentence):
    path, saved = tmp_path / "references.json", tmp_path / "frequencies.json"
    path.write_text(json.dumps(SETS))
    if text is not None:
        saved.write_text(text)
    options = TASK.scoring.options(frequencies=str(saved))
    reading = TASK.readers.read_references({"references": [path]}, options, Run())
    assert reading.data is None
    assert reading.defects[0].found == sentence


@pytest.mark.parametrize("marks", [[0, 2], ["1"], 3, "01", [10**400]])
def test_invalid_special_tokens_are_reported_and_not_used(tmp_path, marks):
    path = tmp_path / "references.json"
    path.write_text(json.dumps([SETS[0] | {"in_cluster_idxs": marks}, *SETS[1:]]))
    reading = TASK.readers.read_references({"references": [path]}, TASK.scoring.options(), Run())
    reported = next(defect for defect in reading.defects if str(defect.severity) == "warning")
    assert (reported.place.json_path, reported.found) == (
        "[0].in_cluster_idxs",
        "No list of 0 and 1: 1 entry.",
    )
    assert {one.chosen for one in reading.data.sets.values()} == {None}


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_huge_numbers_are_not_displayed(tmp_path, number):
    reported = {"in_cluster_idxs": [0, 1], "correlations": [0.5, number], "threshold": number}
    path = tmp_path / "references.json"
    path.write_text(json.dumps([SETS[0] | reported, *SETS[1:]]))
    sets = TASK.readers.read_references(
        {"references": [path]}, TASK.scoring.options(), Run()
    ).data.sets
    first = next(one for one in sets.values() if one.chosen)
    assert (first.correlations, first.threshold) == (None, None)
