from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.model.evaluation import ItemTable
from jurydesk.core.tasks.vist.evalvist_program import (
    evalvist_main,
    evalvist_mean,
    printout,
    summation_order,
)
from jurydesk.core.tasks.vist.reference_reader import read_references
from jurydesk.core.tasks.vist.stories import HumanStory, PhotoSequence, StoryReferences
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, THREE, TWO, story, story_annotations, submission, write
from support.oracles import data, golden

SENTENCES = ("we left .", "it rained .", "we ate .", "we sang .", "we slept .")
PASSED = (
    "[Passed] Test file is in valid JSON syntax.\n"
    "[Passed] Each photo sequence has only one story.\n"
)
SUBMITTED = "[Passed] All required stories are submitted.\n"
METEOR = (
    "MeteorConfiguration...\nsetTask...\nscorer created...\n"
    "--------------------------\nAvg. Max Meteor Score =\n"
)


def run(folder: Path, test: object, template: Path | None = None) -> tuple[int, str, str]:
    """Run the program on a submission, with human stories of two sequences."""
    parts = story_annotations("1", ONE, SENTENCES) + story_annotations("2", TWO, SENTENCES)
    gold = write(folder / "gold.json", {"annotations": parts})
    path = folder / "sub.json"
    if isinstance(test, str):
        path.write_text(test)
    else:
        write(path, test)
    out, err = io.StringIO(), io.StringIO()
    code = evalvist_main(path, gold, out, err, template=template)
    return code, out.getvalue().replace(str(path), "SUB"), err.getvalue()


WHOLE = " ".join(SENTENCES)


@pytest.mark.parametrize(
    ("test", "code", "printed"),
    [
        (
            submission(story(ONE, WHOLE), story(TWO, WHOLE)),
            0,
            f"{PASSED}{SUBMITTED}{METEOR}1.0\n",
        ),
        (submission(story(ONE, ""), story(TWO, "")), 0, f"{PASSED}{SUBMITTED}{METEOR}0.0\n"),
        (
            submission(story(ONE)),
            1,
            f"{PASSED}[Error] One story is missing in this submission. "
            "Photo seq: 21-22-23-24-25-\n",
        ),
        (
            submission(story(ONE), story(TWO), story(ONE)),
            1,
            "[Error] One photo sequence has more than one stories. Photo seq: 11-12-13-14-15-\n",
        ),
        (
            submission(story(ONE), story(TWO, None)),
            1,
            "[Error] One story is missing some attributes. Photo seq: 21-22-23-24-25-\n",
        ),
        ("{", 1, "[Error] Incorrect JSON syntax (JsonSyntaxException).\n"),
        (
            submission(story(ONE), story(TWO), 5),
            1,
            "[Error] Incorrect JSON syntax (JsonSyntaxException).\n",
        ),
    ],
)
def test_the_program_prints_its_lines(
    tmp_path: Path, test: object, code: int, printed: str
) -> None:
    assert run(tmp_path, test)[:2] == (code, printed)


def test_every_defect_is_reported_beside_the_program_s_own(tmp_path: Path) -> None:
    _, _, reported = run(tmp_path, submission())
    assert reported.count("the story is missing.") == 2


def test_damaged_human_stories_end_the_program(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    path = write(tmp_path / "sub.json", submission())
    assert evalvist_main(path, tmp_path / "none.json", out, err) == 1
    assert "none.json: The file does not exist." in err.getvalue()


def test_a_given_template_determines_the_required_sequences(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    template = write(elsewhere / "mine.json", submission(story(TWO, ""), story(THREE, "")))
    code, printed, reported = run(tmp_path, submission(story(TWO, WHOLE)), template)
    assert (code, printed) == (0, f"{PASSED}{SUBMITTED}{METEOR}1.0\n")
    assert "--template" not in reported


def test_a_missing_template_is_reported(tmp_path: Path) -> None:
    _, _, reported = run(tmp_path, submission(story(ONE), story(TWO)))
    assert reported.startswith(
        "warning  There is no vist-challenge-template.json: all sequences with human stories"
    )


def test_a_template_beside_the_submission_determines_the_required_sequences(tmp_path: Path) -> None:
    write(tmp_path / "vist-challenge-template.json", submission(story(TWO, ""), story(THREE, "")))
    code, printed, _ = run(tmp_path, submission(story(TWO, WHOLE)))
    assert (code, printed) == (0, f"{PASSED}{SUBMITTED}{METEOR}1.0\n")


def test_the_recorded_mean_is_printed() -> None:
    out = io.StringIO()
    submitted = data("vist/example-submission-file.test.json")
    gold = golden("meteor/vist_e2e_shared_gold.json")
    assert evalvist_main(submitted, gold, out, io.StringIO()) == 0
    assert out.getvalue().splitlines()[-1] == "0.9491498056235378"


def test_scores_are_added_in_the_recorded_order_of_the_program() -> None:
    expected = json.loads(golden("meteor/vist_e2e_shared_expected.json").read_text())
    given = {
        "references": [golden("meteor/vist_e2e_shared_gold.json")],
        "template": [data("vist/vist-challenge-template.json")],
    }
    references = read_references(given, VistOptions()).data
    assert list(summation_order(references)) == list(expected["per_sequence_max"])


def test_a_sum_is_added_one_double_after_the_other() -> None:
    """Ten times 0.1 is 0.9999999999999999 so, and 1.0 in an exact sum."""
    keys = [(str(number),) * 5 for number in range(10)]
    references = StoryReferences(
        tuple(
            PhotoSequence(key, "", (HumanStory(str(number), "a", number),))
            for number, key in enumerate(keys)
        ),
        "gold.json",
    )
    items = ItemTable(references.ids, {"meteor": np.full(10, 0.1)}, noun="sequence")
    assert evalvist_mean(items, references) == 0.09999999999999999
    assert printout(items).endswith("\n0.1")


STRICT = json.dumps(submission(story(ONE, WHOLE), story(TWO, WHOLE)))


@pytest.mark.parametrize(
    "text",
    [
        STRICT.replace('"', "'"),
        STRICT.replace("we left .", "we\tleft ."),
        f"// mine\n# mine\n/* mine */ {STRICT} ;",
        STRICT.replace('"output_stories"', "output_stories").replace('"album_id":', "album_id ="),
        STRICT.replace('"output_stories"', '"score": NaN, "output_stories"'),
        STRICT.replace("we left", r"\u0077e left"),
    ],
)
def test_the_lenient_json_of_gson_is_read(text, tmp_path):
    """Gson's JsonReader with setLenient(true), which EvalVIST uses."""
    code, printed, _ = run(tmp_path, text)
    assert (code, printed) == (0, f"{PASSED}{SUBMITTED}{METEOR}1.0\n")


def test_numbers_are_texts_and_null_is_a_missing_attribute(tmp_path):
    text = json.dumps(submission(story(ONE, 5), story(TWO, True)))
    assert run(tmp_path, text)[:2] == (0, f"{PASSED}{SUBMITTED}{METEOR}0.0\n")
    assert run(tmp_path, text.replace("5, ", "null, ", 1).replace(": 5", ": null"))[0] == 1


@pytest.mark.parametrize(
    "text", ["{'output_stories': [}", '{"a": 1,}', "{a b}", '{"a": "b', "[1] 2", "{" * 200]
)
def test_what_gson_refuses_is_incorrect_json(text, tmp_path):
    code, printed, _ = run(tmp_path, text)
    assert (code, printed) == (1, "[Error] Incorrect JSON syntax (JsonSyntaxException).\n")
