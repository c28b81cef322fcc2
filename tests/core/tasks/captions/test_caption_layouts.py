"""Tests of captions as other programs write them: other ids, other layouts, other files."""

import json

import pytest

from jurydesk.core.execution.run import Run
from jurydesk.core.tasks.captions.captions_options import CaptionOptions
from jurydesk.core.tasks.captions.captions_task import TASK

CAPTIONS = {7: "a goat on a hill", 8: "two rams at a gate", 12: "a tall barn"}
ANNOTATIONS = {
    "images": [{"id": key, "file_name": f"farm{key}.jpg"} for key in CAPTIONS],
    "annotations": [
        {"id": number, "image_id": key, "caption": f"{text} ."}
        for number, (key, text) in enumerate(CAPTIONS.items())
    ],
}
KARPATHY = {
    "images": [
        {"filename": f"{key}.jpg", "split": part, "sentences": [{"raw": "A goat ."}]}
        for key, part in [(70, "test"), (71, "test"), (90, "train"), (91, "val")]
    ]
}


def entries(spell=lambda key: key):
    return [{"image_id": spell(key), "caption": text} for key, text in CAPTIONS.items()]


def read(folder, text, annotations=ANNOTATIONS):
    references, results = folder / "gold.json", folder / "mine.json"
    references.write_text(json.dumps(annotations), encoding="utf-8")
    results.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    options, run = CaptionOptions(), Run(jobs=1)
    truth = TASK.readers.read_references({"references": [references]}, options, run)
    if truth.data is None:
        return None, truth.defects
    reading = TASK.readers.read_submission(results, truth.data, options, run)
    return reading.data, reading.defects


def found(defects):
    return [one.found for one in defects]


@pytest.mark.parametrize(
    "spell",
    [
        "farm{}.jpg",
        "farm{}",
        "val/farm{}.jpg",
        r"val\farm{}.JPG",
        "COCO_val2014_{:012d}.jpg",
        "{:012d}",
        " {}",
        "{}",
        "{}.png",
    ],
)
def test_other_spellings_of_the_ids_are_read_with_one_note(spell, tmp_path):
    submission, defects = read(tmp_path, entries(spell.format))
    assert submission.captions == CAPTIONS
    (note,) = defects
    assert (note.severity, note.count) == ("note", 3)
    assert f'"{spell.format(7)}" = 7' in note.found


def test_a_file_name_that_could_be_two_images_is_not_read(tmp_path):
    annotations = ANNOTATIONS | {
        "images": [{"id": key, "file_name": f"{key % 2}/farm.jpg"} for key in CAPTIONS]
    }
    submission, defects = read(tmp_path, entries(lambda key: "farm.jpg"), annotations)
    assert submission is None
    assert found(defects)[0].startswith("3 captions of images that are not in gold.json")


def test_an_id_and_a_file_name_of_one_image_are_two_captions(tmp_path):
    submission, defects = read(tmp_path, [*entries(), *entries("farm{}.jpg".format)[:1]])
    assert submission is None
    assert found(defects)[-1] == "Image 7 already has a caption at [0]."


def test_thousands_of_unknown_images_are_one_error_that_deletes_nothing(tmp_path):
    others = [{"image_id": 10_000 + i, "caption": "a"} for i in range(5000)]
    _, defects = read(tmp_path, entries() + others)
    assert found(defects) == [
        "5,000 captions of images that are not in gold.json: 10000, 10001, 10002 and 4,997 more."
    ]
    assert "emove" not in str(defects)


@pytest.mark.parametrize("spell", ["{}.jpg", "{}"])
def test_images_of_other_parts_of_a_karpathy_split_are_named_by_their_part(spell, tmp_path):
    results = [{"image_id": spell.format(key), "caption": "a"} for key in (70, 71, 90, 91)]
    _, defects = read(tmp_path, results, KARPATHY)
    assert defects[-1].hint == "They are in another part of the split: train, val."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "\n".join(map(json.dumps, entries())),
            "The file is JSON Lines: 3 objects, one after the other.",
        ),
        ({"results": entries()}, 'The captions are in the member "results".'),
        ({"annotations": entries()}, 'The captions are in the member "annotations".'),
        (
            {"info": {}, "images": [{"id": 7}], "annotations": entries()},
            'The captions are in the member "annotations".',
        ),
        (
            {str(key): text for key, text in CAPTIONS.items()},
            "The file is an object of captions by image id, not a list of results.",
        ),
        (
            {str(key): [{"caption": text}] for key, text in CAPTIONS.items()},
            "The file is an object of captions by image id, not a list of results.",
        ),
    ],
)
def test_a_layout_with_one_meaning_is_read_with_a_note(text, said, tmp_path):
    submission, defects = read(tmp_path, text)
    assert submission.captions == CAPTIONS
    assert found(defects) == [said]


@pytest.mark.parametrize("word", ["NaN", "-Infinity"])
def test_a_member_that_nobody_uses_may_be_not_a_number(word, tmp_path):
    text = json.dumps([one | {"beam": 0.5} for one in entries()])
    submission, defects = read(tmp_path, text.replace("0.5", word))
    assert submission.captions == CAPTIONS
    assert defects == ()


def test_an_id_that_is_not_a_number_is_an_error(tmp_path):
    _, defects = read(tmp_path, json.dumps(entries()).replace("7", "NaN"))
    assert found(defects) == ['"image_id" is the number nan.']


@pytest.mark.parametrize(
    ("delimiter", "name"), [(",", "commas"), (";", "semicolons"), ("\t", "tabs")]
)
def test_a_table_is_read_as_results_with_a_note(delimiter, name, tmp_path):
    rows = [["image_id", "caption"], *([str(key), f'"{text}"'] for key, text in CAPTIONS.items())]
    submission, defects = read(tmp_path, "\n".join(map(delimiter.join, rows)))
    assert submission.captions == CAPTIONS
    assert found(defects) == [f"The file is a table with {name}: image_id, caption."]


@pytest.mark.parametrize(
    ("start", "row", "name"),
    [
        (",image_id,caption", "0,{},{}", "commas"),
        ('"",image_id,caption', "0,{},{}", "commas"),
        ("sep=;\r\nimage_id;caption", "{};{}", "semicolons"),
        ('"sep=\t"\nimage_id\tcaption', "{}\t{}", "tabs"),
    ],
)
def test_a_table_of_pandas_or_excel_is_read(start, row, name, tmp_path):
    lines = [row.format(key, f'"{text}"') for key, text in CAPTIONS.items()]
    submission, defects = read(tmp_path, "\n".join([start, *lines, ""]))
    assert submission.captions == CAPTIONS
    assert found(defects) == [f"The file is a table with {name}: image_id, caption."]
    _, (defect, *_) = read(tmp_path, "\n".join([start, *lines, row.format(1, '"a')]))
    assert defect.place.line == len(start.splitlines()) + len(lines) + 1


def test_lists_of_one_entry_by_image_are_read_as_captions(tmp_path):
    by_image = {str(one["image_id"]): [one | {"id": 3}] for one in entries()}
    submission, defects = read(tmp_path, json.dumps(by_image))
    assert submission.captions == CAPTIONS
    assert found(defects) == [
        "The file is an object of captions by image id, not a list of results."
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("image,caption\n7,a goat\n", "The file is a table with commas: image, caption."),
        ('image_id,caption\n7,"a goat\n', "A quotation mark is not closed"),
        ("image_id,caption\n7,a goat, a ram\n", "The line has 3 fields; the first line has 2."),
    ],
)
def test_a_table_that_holds_no_captions_is_refused_by_its_fault(text, sentence, tmp_path):
    submission, defects = read(tmp_path, text)
    assert submission is None
    assert found(defects)[0].startswith(sentence)


def test_object_annotations_are_named_once(tmp_path):
    boxes = [{"id": i, "image_id": 7, "bbox": [1, 2, 3, 4]} for i in range(600)]
    _, defects = read(tmp_path, entries(), ANNOTATIONS | {"annotations": boxes})
    assert found(defects) == ["The file holds object annotations (boxes), no captions."]
    points = [one | {"keypoints": [1, 2, 2]} for one in boxes]
    _, defects = read(tmp_path, entries(), ANNOTATIONS | {"annotations": points})
    assert found(defects) == ["The file holds object annotations (keypoints), no captions."]


def test_members_of_the_images_are_attributes_for_slices(tmp_path):
    domains = ["in-domain", "near-domain", "out-domain"]
    images = [
        one | {"domain": domain, "width": 640, "license": 3, "tags": []}
        for one, domain in zip(ANNOTATIONS["images"], domains, strict=True)
    ]
    (tmp_path / "gold.json").write_text(json.dumps(ANNOTATIONS | {"images": images}))
    (tmp_path / "mine.json").write_text(json.dumps(entries()))
    options, run = CaptionOptions(), Run(jobs=1)
    truth = TASK.readers.read_references({"references": [tmp_path / "gold.json"]}, options, run)
    mine = TASK.readers.read_submission(tmp_path / "mine.json", truth.data, options, run)
    items = TASK.scoring.evaluate(truth.data, mine.data, options, run).items
    found = TASK.presentation.attributes(items)
    assert sorted(found) == ["domain", "file", "license"]
    assert found["domain"]() == domains
    assert found["license"]() == ["3", "3", "3"]


def test_several_lists_of_captions_are_named_and_none_is_chosen(tmp_path):
    submission, defects = read(tmp_path, {"greedy": entries(), "beam": entries(), "info": []})
    assert submission is None
    assert found(defects) == ['Several lists of captions: "greedy", "beam".']


@pytest.mark.parametrize("spell", ["{}.0", '="{}"', "'{}"])
def test_ids_as_a_spreadsheet_writes_them_are_read(spell, tmp_path):
    submission, _ = read(tmp_path, entries(spell.format))
    assert submission.captions == CAPTIONS


def test_captions_of_florence_2_are_read_by_image(tmp_path):
    submission, _ = read(
        tmp_path, {f"farm{key}.jpg": {"<CAPTION>": text} for key, text in CAPTIONS.items()}
    )
    assert submission.captions == CAPTIONS
