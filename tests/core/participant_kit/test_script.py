"""The browser checker in a JavaScript engine reports what the kit reports in the program."""

from __future__ import annotations

import base64
import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.json_text import DEEPEST
from jurydesk.core.readers import bounded_defects
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case, array_cases, json_cases, multiple_choice

MUTATIONS = 25


@pytest.mark.parametrize("case", [*json_cases(), *array_cases()], ids=str)
def test_the_script_reports_exactly_what_the_kit_reports(case: Case, tmp_path: Path) -> None:
    page = BrowserChecker(case, tmp_path)
    kit = case.kit(tmp_path)
    path = tmp_path / "a submission.json"
    severities: Counter[str] = Counter()
    for content in case.contents(MUTATIONS):
        if content.startswith(b"\x1f\x8b"):
            continue  # a browser decompresses by itself: see the page's own test
        path.write_bytes(content)
        wanted = to_json(case.participant(path, kit))
        found = page.check(content, path)
        assert found == json.loads(json.dumps(wanted)), base64.b64encode(content[:2000])
        severities.update(one["severity"] for one in wanted)
    assert severities["error"] > 20 or case.options.get("profile") == "corrected"
    # Few mutations of captions, tables and arrays have warnings without errors.
    least = {"captions": 10, "declared": 10, "retrieval": 3, "vqa": 5}.get(case.task.id, 20)
    assert severities["warning"] + severities["note"] > least


def test_the_answers_of_multiple_choice_are_checked_alike(tmp_path: Path) -> None:
    test_the_script_reports_exactly_what_the_kit_reports(multiple_choice(tmp_path), tmp_path)


def test_ids_written_otherwise_are_read_alike(tmp_path: Path) -> None:
    (case,) = (one for one in json_cases() if one.task.id == "visdial")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    for ids in itertools.product(("90001", 90001.0, "090001", "-1", 2.0**60), ("1", 1.0, "x", 10)):
        members = dict(zip(("image_id", "round_id"), ids, strict=True))
        path.write_text(json.dumps([{**members, "generations": ["yes"]}] * 2))
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))


@pytest.mark.parametrize(
    ("task", "texts"),
    [
        (
            "captions",
            ['image_id,caption\n1,a dog\n2,"a\n', "image_id;caption\n1;a\n01;b\n", "id,a\n1,b\n"],
        ),
        ("captions", ["image_id\tcaption\n1\ta dog\n", "image_id,caption\n1,a, b\n", "PK\x03\x04"]),
        (
            "captions",
            [",image_id,caption\n0,1,a dog\n", "sep=;\nimage_id;caption\n1;a, b\n2;c;d\n"],
        ),
        (
            "captions",
            ['{"1": [{"image_id": 1, "caption": "a"}], "2": [{"image_id": 2, "caption": "b"}]}'],
        ),
        ("declared", ["sep=;\nsign;reading;metres\na;b;x\n", "sep=,\nsign\n"]),
        (
            "declared",
            ["// mine\n[]", '[{"metres": "3", "sign": "a"}, {"metres": "", "reading": null}]'],
        ),
    ],
)
def test_tables_and_numbers_as_texts_are_checked_alike(
    task: str, texts: list[str], tmp_path: Path
) -> None:
    case = next(one for one in json_cases() if one.task.id == task)
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "mine.csv"
    for text in texts:
        path.write_text(text)
        wanted = to_json(case.participant(path, kit))
        assert wanted
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))


@pytest.mark.parametrize("number", [0, 1])
def test_predictions_and_other_spellings_of_regions_are_checked_alike(
    number: int, tmp_path: Path
) -> None:
    case = [one for one in json_cases() if one.task.id == "region-captions"][number]
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "merged.json"
    given = json.loads(case.inputs["annotations"][0].read_text())["annotations"]
    said = [one | {"extra_info": {"pred_result": {"caption": "a dog"}}} for one in given]
    images = [{"image_id": name, "caption": "a\u2028b"} for name in ("street.jpg", 1, 1.0, "9", 0)]
    regions = [{"annotation_id": key, "caption": "a"} for key in (101, "101", 101, None, 0)]
    other = {"id": 101, "image_id": 2, "caption": "another"}
    for entries in (
        {"annotations": [*said[1:], said[2], {"id": None, "image_id": 1}, 4, {"id": 3}]},
        {"annotations": said},
        {"annotations": [said[0] | {"extra_info": {"pred_result": {"caption": 3}}}]},
        images,
        images[:1],
        regions,
        [*regions[:1], other],
        [*regions[:1], *regions[:1]],
        {"street.jpg": "a dog", "2": ["a cat"]},
    ):
        path.write_text(json.dumps(entries))
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted)), entries


def test_a_file_that_ends_within_a_value_is_called_cut_alike(tmp_path: Path) -> None:
    case = next(one for one in json_cases() if one.task.id == "vist")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    for value in ("2.", "2.5E+", "-", "t", "fal", "nu", "2..", "truth"):
        path.write_text(f'{{"a": [1, {value}')
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted)), value


def test_photos_in_another_order_are_named_alike(tmp_path: Path) -> None:
    case = next(one for one in json_cases() if one.task.id == "vist")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    content = json.loads(next(iter(case.contents(0))))
    content["output_stories"][0]["photo_sequence"].reverse()
    path.write_text(json.dumps(content))
    wanted = to_json(case.participant(path, kit))
    assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))
    assert any("the same photos in another order" in one["hint"] for one in wanted)


@pytest.mark.parametrize("task", ["vqa", "visdial-ranks"])
def test_many_entries_of_other_items_are_one_error_alike(task: str, tmp_path: Path) -> None:
    case = next(one for one in json_cases() if one.task.id == task)
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    entries = json.loads(case.submissions[0].read_bytes())
    last, name = entries[-1], "question_id" if task == "vqa" else "image_id"
    foreign = [{**last, name: 10**9 + number} for number in range(2000)]
    others = [{**last, name: str(last[name])}, {**last, "round_id": 99}]
    path.write_text(json.dumps([*entries, *foreign, *others[task != "vqa" :]]))
    wanted = to_json(case.participant(path, kit))
    assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))
    begun = [one["found"].split(" ")[0] for one in wanted if one["severity"] == "error"]
    assert (begun.count("1"), begun.count("2,000")) == (1, 1)


@pytest.mark.parametrize("task", ["visdial", "visdial-ranks", "captions", "vqa"])
def test_causes_beyond_the_stored_defects_are_told_alike(
    task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_defects, "MOST", 50)
    case = next(one for one in json_cases() if one.task.id == task)
    page, kit = BrowserChecker(case, tmp_path, stored=50), case.kit(tmp_path)
    path = tmp_path / "a.json"
    entries = json.loads(case.submissions[0].read_bytes())
    path.write_text(json.dumps([*[3] * 70, *entries[2:], *[{}] * 30, None]))
    wanted = to_json(case.participant(path, kit))
    assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))
    assert sum(one["count"] for one in wanted) > 100
    assert len(wanted) < 60


def test_special_tokens_are_noticed_alike(tmp_path: Path) -> None:
    (case,) = (one for one in json_cases() if one.task.id == "visdial")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    answers = json.loads(case.submissions[0].read_bytes())
    for token in (
        "<unk>",
        "UNK",
        "xUNK",
        "</S>",
        "__Start__",
        "<|im_end|>",
        "[Mask]",
        "\u017f>",
        "<\u017f>",
    ):
        answers[0]["generations"] = [f"no {token}"]
        path.write_text(json.dumps(answers))
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted)), token


def test_stories_without_their_object_and_by_album_are_reported_alike(tmp_path: Path) -> None:
    case, kit, path = json_cases()[0], json_cases()[0].kit(tmp_path), tmp_path / "a.json"
    page = BrowserChecker(case, tmp_path)
    stories = json.loads(case.submissions[0].read_bytes())["output_stories"]
    by_album = [{"album_id": one["album_id"], "pred_story_str": "a ."} for one in stories]
    said = set()
    for data in (
        *(stories, stories[:3], [*stories, {}], [*stories, {"photo_sequence": 3}], by_album),
        *({"output_stories": by_album}, {"output_stories": [*by_album, *stories]}, [by_album[0]]),
        {"output_stories": stories, "score": float("nan")},
    ):
        path.write_text(json.dumps(data))
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))
        said |= {one["found"] for one in wanted}
    assert 'The file is a list of stories without "output_stories".' in said
    assert "The stories are by album (pred_story_str), as vist_eval reads them." in said


@pytest.mark.parametrize("levels", [99, 100, 101, 890, 900, 940, 990, 1100])
@pytest.mark.parametrize("ending", ["closed", "open", "broken"])
def test_the_script_accepts_as_many_levels_as_the_program(
    levels: int, ending: str, tmp_path: Path
) -> None:
    case = json_cases()[0]
    kit, path = case.kit(tmp_path), tmp_path / "a submission.json"
    closing = {"closed": "]" * levels, "open": "", "broken": "tru"}[ending]
    content = ("[" * levels + closing).encode()
    path.write_bytes(content)
    wanted = to_json(case.participant(path, kit))
    assert BrowserChecker(case, tmp_path).check(content, path) == json.loads(json.dumps(wanted))
    deep = [one for one in wanted if "nested too deeply" in one["found"]]
    assert bool(deep) == (levels > DEEPEST)


NUMBERS = [
    "1e30",
    "1.1e30",
    "-1e31",
    "1e999",
    "1e5",
    ".5",
    "5.",
    "+",
    "1_0",
    "\u0663",
    "2,5",
    "nan",
]
NUMBERS += ["Infinity", "0x1F", "1e+2", "1\u00a0", "\x1c1", "\x001", "-0", "1e", "", "--1", "1 2"]


def test_tables_of_declared_competitions_are_checked_alike(tmp_path: Path) -> None:
    (case,) = (one for one in json_cases() if one.task.id == "declared")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.csv"
    head = "sign,reading,metres\n"
    numbers = [f"{head}corner-01,a,{number}\n" for number in NUMBERS]
    records = [json.dumps([{"sign": 1.0, "reading": x, "metres": 2.0**70}]) for x in (None, 1e22)]
    for content in (
        *numbers,
        *(text.replace(",", ";") for text in numbers),
        *records,
        *(f'{{"sign": "corner-01", "reading": true, "metres": {one}}}\n' * 2 for one in NUMBERS),
        f'\ufeff\n\n{head}"corner-01","a ""b""\n",1\n',
        f'{head}corner-01,"a"b,1\n',
        f"{head}corner-01,a\u2028b\x85c,1\r\rcorner-01 ,a,1\r\n",
        f"sign,sign,{head}a,b,c,d,e\n",
        "\n\n",
        "sign\treading\tmetres\n\t\t\n   \n",
        head,
    ):
        path.write_text(content, "utf-8", newline="")
        wanted = to_json(case.participant(path, kit))
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted)), content


PLACED = {"image_id": 100007, "round_id": 1}
SHEET, SAID = ("1.0", '="2"', "'3", "4,00"), {"generations": ["a"]}
LLAVA = {"text": "red", "answer_id": "a", "model_id": "m"}


@pytest.mark.parametrize(
    ("task", "contents"),
    [
        (
            "vqa",
            [
                'question_id,answer\n7000.0,red\n"=""7001""",a\n\'7002,b\n',
                "question_id;x\n1;2\n",
                json.dumps([{"question_id": one} | LLAVA for one in (7000, "7")]),
                json.dumps([{"question_id": one, "answer": "a"} for one in ("7000", "07001", 3)]),
                json.dumps([{"question_id": 7000, "answer": "a", "prediction": "b"}]),
                json.dumps(
                    [
                        {"custom_id": "7000", "response": {"body": {"choices": held}}}
                        for held in ([{"message": {"content": "a"}}], [], [{"message": {}}])
                    ]
                ),
                json.dumps([{"doc": {"question_id": 7000}, "filtered_resps": ["a"]}]),
                json.dumps({"model_configs": {}, "logs": [{"doc": {}, "filtered_resps": "a"}]}),
            ],
        ),
        (
            "captions",
            [
                json.dumps([{"image_id": one, "caption": "a"} for one in SHEET]),
                json.dumps([{"file_name": "1.jpg", "generated_caption": "a", "id": 4}]),
                json.dumps([{"img_id": 1, "pred": "a", "response": "b"}]),
                json.dumps({"1": {"<CAPTION>": "a"}, "2.jpg": {"<DETAILED_CAPTION>": "b"}}),
                "file_name,prediction\n1.jpg,a\n", "file_name,prediction,pred\n1.jpg,a,b\n",
            ],
        ),
        (
            "visdial",
            [
                json.dumps(
                    [
                        {"image_id": "VisDial_val_000000090001", "round_id": one, **SAID}
                        for one in rounds
                    ]
                )
                for rounds in ([1, 10], ["1.0", 10.0], [0, 10])
            ],
        ),
        (
            "visdial-ranks",
            [
                json.dumps([PLACED | {"ranks": ranks}, PLACED | {"image_id": "7.0", "ranks": [1]}])
                for ranks in ([1.0, "2"], ["x", 1], [*map(str, range(1, 101))], [True])
            ],
        ),
    ],
)  # fmt: skip
def test_ids_and_files_of_other_programs_are_checked_alike(
    task: str, contents: list[str], tmp_path: Path
) -> None:
    case = next(one for one in json_cases() if one.task.id == task)
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "mine.csv"
    for text in contents:
        path.write_text(text)
        wanted = to_json(case.participant(path, kit))
        assert wanted
        assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted)), text


@pytest.mark.parametrize("spell", ["{}.jpg", "photos/{}.png", "{}.0", "'{}", "0{}"])
def test_photos_of_other_spellings_are_read_alike(spell: str, tmp_path: Path) -> None:
    case = next(one for one in json_cases() if one.task.id == "vist")
    page, kit, path = BrowserChecker(case, tmp_path), case.kit(tmp_path), tmp_path / "a.json"
    content = json.loads(next(iter(case.contents(0))))
    path.write_text(json.dumps(content))
    plain = [one for one in case.participant(path, kit) if one.severity == "error"]
    for one in content["output_stories"][1:]:
        one["photo_sequence"] = [spell.format(photo) for photo in one["photo_sequence"]]
    path.write_text(json.dumps(content))
    wanted = to_json(case.participant(path, kit))
    assert page.check(path.read_bytes(), path) == json.loads(json.dumps(wanted))
    assert "with another spelling of photo ids" in wanted[0]["found"]
    assert len([one for one in wanted if one["severity"] == "error"]) == len(plain)
