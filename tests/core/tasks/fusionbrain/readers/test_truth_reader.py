"""Tests of defects and their consequences in each profile, with exact wording."""

import json

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.fusionbrain.fusionbrain_options import FusionBrainOptions
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK

SOUND = {"a": [{"type": "text", "content": ["дом"]}], "b": [{"type": "text", "content": ["кот"]}]}
SAID = {"a": [{"type": "text", "content": "дом"}], "b": [{"type": "text", "content": "кот"}]}


@pytest.fixture
def defect_texts(tmp_path):
    """Return the defects of a competition of one sub-task, as texts."""

    def read(
        truth=SOUND, said=SAID, *, subtask="textqa", profile="published", ids=None, asked=None
    ):
        contents = {"truth": truth, "predictions": said, "task-ids": ids, "input": asked}
        inputs = {}
        for role, content in contents.items():
            if content is not None:
                text = content if isinstance(content, str) else json.dumps(content)
                (tmp_path / f"{role}.json").write_text(text, encoding="utf-8")
                inputs[role] = (tmp_path / f"{role}.json",)
        options = FusionBrainOptions(profile, subtask)
        run = Run()
        competition = TASK.readers.read_references(inputs, options, run)
        defects = [str(defect) for defect in competition.defects]
        if competition.data is not None:
            path = inputs["predictions"][0]
            found = TASK.readers.read_submission(path, competition.data, options, run)
            defects += [str(defect) for defect in found.defects]
        return defects

    return read


def text(content):
    return [{"type": "text", "content": content}]


def test_valid_files_have_no_defects(defect_texts):
    assert defect_texts() == []


STOPS = "The published program stops there and gives the whole sub-task 0."
FAILS = "The published program fails there."
LEFT_OUT = "It is left out of the mean."


@pytest.mark.parametrize(
    ("record", "defect"),
    [
        (text(None), '["a"][0].content: The content is null.\n       Text is expected.'),
        (text(5), '["a"][0].content: The content is the number 5.\n       Text is expected.'),
        (
            text(["xy"]),
            '["a"][0].content: The content is a list of text.\n       Text is expected.',
        ),
        (
            {"type": "text", "content": "дом"},
            '["a"]: The value is an object, not a list.\n'
            "       A list of objects with type and content is expected.",
        ),
        (
            "дом",
            '["a"]: The value is the text "дом".\n'
            "       A list of objects with type and content is expected.",
        ),
        (
            [{"type": "text"}],
            '["a"][0].content: The content is missing.\n'
            '       An object {"type": ..., "content": ...} is expected.',
        ),
        (
            [{"content": "дом"}],
            '["a"][0].type: The type is missing.\n       "text" or "image" is expected.',
        ),
        (
            [True],
            '["a"][0]: The element is true.\n'
            '       An object {"type": ..., "content": ...} is expected.',
        ),
    ],
)
def test_a_damaged_prediction_is_reported_with_place_and_consequence(defect_texts, record, defect):
    said = {**SAID, "a": record}
    assert defect_texts(said=said) == [f"warning  predictions.json, {defect} {STOPS}"]
    assert defect_texts(said=said, subtask="vqa") == [f"error  predictions.json, {defect} {FAILS}"]
    assert defect_texts(said=said, profile="corrected") == [
        f"warning  predictions.json, {defect} {LEFT_OUT}"
    ]


@pytest.mark.parametrize(
    ("record", "defect"),
    [
        (
            text(7),
            '["a"][0].content: The content is the number 7.\n'
            "       A list of accepted answers is expected.",
        ),
        (
            text(["дом", None, 3]),
            '["a"][0].content[2]: The accepted answer is the number 3.\n       Text is expected.',
        ),
        (
            [],
            '["a"]: The list is empty.\n'
            "       A list of objects with type and content is expected.",
        ),
        (text([]), '["a"][0].content: There is no accepted answer.\n      '),
    ],
)
def test_a_damaged_truth_is_reported_too(defect_texts, record, defect):
    truth = {**SOUND, "a": record}
    assert defect_texts(truth) == [f"warning  truth.json, {defect} {STOPS}"]
    assert defect_texts(truth, profile="corrected") == [f"warning  truth.json, {defect} {LEFT_OUT}"]


def test_captions_without_accepted_ones_score_0(defect_texts):
    assert defect_texts({**SOUND, "a": text([])}, subtask="captioning") == [
        'warning  truth.json, ["a"][0].content: There is no accepted answer.\n       It scores 0.'
    ]


def test_a_bare_object_in_the_truth_is_valid_in_the_corrected_profile(defect_texts):
    truth = {**SOUND, "a": {"type": "text", "content": ["дом"]}}
    assert defect_texts(truth, profile="corrected") == []
    assert defect_texts(truth)[0].startswith(
        'warning  truth.json, ["a"]: The value is an object, not a list.'
    )


@pytest.mark.parametrize(
    ("profile", "outcome"),
    [
        ("published", "Each of its letters counts as an accepted answer."),
        ("corrected", "It counts as the only accepted answer."),
    ],
)
def test_a_text_in_place_of_accepted_answers_is_reported(defect_texts, profile, outcome):
    assert defect_texts({**SOUND, "a": text("дом")}, profile=profile) == [
        f'warning  truth.json, ["a"][0].content: The content is text, not a list.\n       {outcome}'
    ]


@pytest.mark.parametrize(
    ("subtask", "key", "outcome"),
    [
        ("textqa", "a", STOPS),
        ("textqa", "b", 'The published program scores the prediction of key "a" again.'),
        ("text_recognition", "a", FAILS),
        (
            "text_recognition",
            "b",
            'The published program scores the prediction of key "a" again.',
        ),
        ("vqa", "b", "It scores 0."),
    ],
)
def test_an_empty_prediction_is_reported_with_the_consequence(defect_texts, subtask, key, outcome):
    (defect,) = defect_texts(said={**SAID, key: []}, subtask=subtask)
    assert defect.endswith(f'predictions.json, ["{key}"]: The list is empty.\n       {outcome}')


def test_a_prediction_without_text_is_an_empty_text(defect_texts):
    said = {**SAID, "a": [{"type": "image", "content": "x.png"}]}
    assert defect_texts(said=said) == [
        'warning  predictions.json, ["a"]: There is no text.\n       An empty text is scored.'
    ]


def test_elements_after_the_text_are_reported_and_do_not_change_the_score(defect_texts):
    said = {**SAID, "a": [*SAID["a"], 5, {"type": "sound", "content": "x"}]}
    assert defect_texts(said=said) == [
        'warning  predictions.json, ["a"][1]: The element is the number 5.\n'
        '       An object {"type": ..., "content": ...} is expected. It does not affect the score.',
        'warning  predictions.json, ["a"][2].type: The type is "sound".\n'
        '       "text" or "image" is expected. It does not affect the score.',
    ]


def test_keys_have_to_be_the_same(defect_texts):
    assert defect_texts(said={"a": SAID["a"], "c": SAID["a"]}) == [
        "error  predictions.json: Unknown keys: 1 key (c).\n"
        "       The published program refuses a file with other keys than the truth. Remove them.",
        'error  predictions.json, ["b"]: There is no prediction.\n'
        "       The published program refuses a file without all keys.",
    ]


def test_the_corrected_profile_leaves_missing_keys_out_and_ignores_others(defect_texts):
    assert defect_texts(said={"a": SAID["a"], "c": SAID["a"]}, profile="corrected") == [
        "note  predictions.json: Unknown keys: 1 key (c).\n       They are not scored.",
        'warning  predictions.json, ["b"]: There is no prediction.\n'
        "       It is left out of the mean.",
    ]


def test_all_defects_of_a_file_are_reported_at_once(defect_texts):
    said = {"a": text(None), "b": [3], "c": 5}
    assert len(defect_texts(said=said)) == 3


@pytest.mark.parametrize(
    ("content", "defect"),
    [
        ([], "error  truth.json: The file holds a list."),
        ({}, "error  truth.json: The file contains no keys."),
    ],
)
def test_a_file_of_another_type_is_refused(defect_texts, content, defect):
    (found,) = defect_texts(content)
    assert found == (
        f'{defect}\n       An object {{"key": [{{"type": "text", "content": "..."}}]}} is expected.'
    )


def test_a_file_that_is_not_json_is_refused_with_its_line(defect_texts):
    (found,) = defect_texts('{"a": [\n')
    assert found.startswith("error  truth.json, line 2")


def test_without_ids_the_only_sub_task_has_to_be_named(defect_texts):
    assert defect_texts(subtask="") == [
        "error  truth.json: The sub-tasks of its keys are unknown.\n"
        "       The file of task ids is expected (--task-ids). "
        "If all keys belong to one sub-task, choose it (--subtask)."
    ]


def test_every_unknown_number_of_a_sub_task_is_reported(defect_texts):
    ids = {"a": 7, "b": "x", "c": True, "d": 1}
    known = (
        "One of 0 textqa, 1 mathqa, 2 generation, 3 captioning, 4 vqa, 5 text_recognition "
        "is expected."
    )
    assert defect_texts(subtask="", ids=ids) == [
        f'error  task-ids.json, ["a"]: The sub-task is the number 7.\n       {known}',
        f'error  task-ids.json, ["b"]: The sub-task is the text "x".\n       {known}',
        f'error  task-ids.json, ["c"]: The sub-task is true.\n       {known}',
    ]


def test_numbers_of_sub_tasks_can_be_texts(defect_texts):
    assert defect_texts(subtask="", ids={"a": "0", "b": 1}) == []


def test_a_key_without_truth_is_an_error_as_the_published_program_cannot_split_it(defect_texts):
    assert defect_texts(subtask="", ids={"a": 0, "z": 5}) == [
        'error  truth.json, ["z"]: The key is missing in the truth.\n'
        "       Accepted answers are expected. The published program stops without it.",
        "note  truth.json: Not in task-ids.json: 1 name (b).\n       They are not used.",
    ]


def test_the_input_can_lack_keys_and_have_others(defect_texts):
    assert defect_texts(
        subtask="", ids={"a": 0, "b": 1}, asked={"a": SAID["a"], "q": SAID["a"]}
    ) == [
        "warning  input.json: Missing in the input: 1 key (b).\n"
        "       The published program cannot split the file; "
        "their questions are unknown.",
        "note  input.json: Without a sub-task: 1 key (q).\n       They are not scored.",
    ]
