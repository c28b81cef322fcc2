"""Captions of given regions are scored as GLaMM's and ControlCap's programs score them."""

import json

import pytest

from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.input_file import files_by_role, paths_by_role
from jurydesk.core.tasks.region_captions.region_captions_task import TASK, sniff
from jurydesk.core.tasks.result_parts import arrange_parts, parts_of
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support.oracles import oracle

CASES = {
    case["name"]: case
    for case in json.loads(
        oracle("densecap_today/region_captioning.json").read_text(encoding="utf-8")
    )
}
NAMES = {
    "Bleu_1": "bleu_1",
    "Bleu_2": "bleu_2",
    "Bleu_3": "bleu_3",
    "Bleu_4": "bleu_4",
    "METEOR": "meteor",
    "ROUGE_L": "rouge_l",
    "CIDEr": "cider",
}


def write(path, content):
    path.parent.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def score(folder, truth, files, **options):
    """Score results, a folder of files by name; return the only entry and the defects' texts."""
    annotations = write(folder / "annotations.json", truth)
    for name, content in files.items():
        write(folder / "results" / name, content)
    inputs = {"annotations": [annotations], "results": [folder / "results"]}
    result = score_submissions(
        TASK, files_by_role(inputs), TASK.scoring.options(**options), Run(), resamples=0
    )
    (entry,) = result.entries or (None,)
    return entry, [f"{one.found} {one.expected} {one.hint}".strip() for one in result.defects]


def values(entry):
    return {one.metric: one.value for one in entry.evaluation.scores}


def expected(found, times=1):
    """Return a program's numbers by the names here; ControlCap prints two of them times 100."""
    scale = dict.fromkeys(("METEOR", "CIDEr"), times)
    return {NAMES[key]: value / scale.get(key, 1) for key, value in found.items() if key in NAMES}


@pytest.mark.parametrize("name", ["one_region", "partial", "pooled", "per_region", "text"])
def test_glamm_s_scores_are_those_of_its_program(tmp_path, name):
    case = CASES[name]
    files, profile = case["files"], "glamm"
    if case.get("rekeyed"):
        files, profile = {"results.json": case["results"]}, "per-region"
    entry, _ = score(tmp_path, case["gt"], files, profile=profile)
    found = case["expected"]["glamm"]
    assert values(entry) == pytest.approx(expected(found["scores"]), abs=1e-9)
    items = entry.evaluation.items
    for number, key in enumerate(items.ids):
        recorded = found["per_image"][key]
        assert items.columns["meteor"][number] == pytest.approx(recorded["METEOR"], abs=1e-9)
        assert items.columns["cider"][number] == pytest.approx(recorded["CIDEr"], abs=1e-9)
    assert len(items) == found["images"]


def test_controlcap_s_files_give_its_scores_and_what_it_prints(tmp_path):
    case = CASES["one_region"]
    files = case["controlcap"]
    results = {"val.json": files["result"]}
    entry, said = score(tmp_path, files["ground_truth"], results, profile="controlcap")
    found = case["expected"]["controlcap"]
    assert values(entry) == pytest.approx(expected(found, 100), abs=1e-9)
    printed = f"METEOR as {found['METEOR']:.2f} and CIDEr as {found['CIDEr']:.2f}."
    assert any(printed in one for one in said)
    assert entry.evaluation.about == "30 regions in 30 images"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("padded", "PyTorch's distributed sampler repeats items to fill the last batch."),
        ("rerun", "This is no JSON file: it was skipped."),
        ("rerun", "merged.json is the sum of the other files."),
        ("rerun_merged_only", "merged.json is the sum of the other files."),
        ("partial", "4 images without a result: "),
        ("pooled", "The captions of all regions are references: BLEU and METEOR are too high."),
    ],
)
def test_what_the_programs_stop_at_or_leave_out_in_silence_is_a_warning(tmp_path, name, sentence):
    entry, said = score(tmp_path, CASES[name]["gt"], CASES[name]["files"])
    assert entry.evaluation is not None
    assert any(sentence in one for one in said), said


def test_repeated_results_count_once(tmp_path):
    case = CASES["padded"]
    entry, said = score(tmp_path, case["gt"], case["files"])
    assert sum(map(len, case["files"].values())) == 12
    assert len(entry.evaluation.items) == len(case["gt"]["images"]) == 11
    assert "Repeated with the same caption: 1." in " ".join(said)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("many_regions", "with two different captions: "),
        ("many_regions", "Score each region: set the profile to per-region."),
        ("unknown_image", "Not in annotations.json: "),
    ],
)
def test_results_of_no_item_or_of_several_are_errors(tmp_path, name, sentence):
    entry, said = score(tmp_path, CASES[name]["gt"], CASES[name]["files"])
    assert entry.evaluation is None
    assert any(sentence in one for one in said), said


def test_an_annotation_without_a_prediction_is_an_error(tmp_path):
    files = CASES["controlcap_missing"]["controlcap"]
    results = {"val.json": files["result"]}
    entry, said = score(tmp_path, files["ground_truth"], results, profile="controlcap")
    assert entry.evaluation is None
    assert any(one.startswith("Without a pred_result: 1 annotation") for one in said), said


def test_missing_results_count_as_empty_captions_if_strict(tmp_path):
    case = CASES["partial"]
    entry, said = score(tmp_path, case["gt"], case["files"], strict=True)
    items = entry.evaluation.items
    assert len(items) == len(case["gt"]["images"])
    empty = [number for number, key in enumerate(items.ids) if items.show(number).text == ""]
    assert len(empty) == 4
    assert items.columns["cider"][empty].tolist() == [0.0] * 4
    assert any("They are scored as empty captions." in one for one in said)


def test_results_without_region_ids_need_one_region_for_each_image(tmp_path):
    case = CASES["per_region"]
    without = [{"image_id": one["image_id"], "caption": one["caption"]} for one in case["results"]]
    entry, said = score(tmp_path, case["gt"], {"a.json": without}, profile="per-region")
    assert entry.evaluation is None
    assert any("results without a region's id: " in one for one in said)


def test_controlcap_s_parts_have_annotation_ids_alone(tmp_path):
    case = CASES["one_region"]
    annotations = case["controlcap"]["result"]["annotations"]
    caption = {one["id"]: one["extra_info"]["pred_result"]["caption"] for one in annotations}
    entries = [{"id": key, "caption": text, "score": 0.5} for key, text in caption.items()]
    files = {"val_rank0.json": entries[::2], "val_rank1.json": entries[1::2]}
    entry, _ = score(tmp_path, case["controlcap"]["ground_truth"], files, profile="controlcap")
    assert values(entry) == pytest.approx(expected(case["expected"]["glamm"]["scores"]), abs=1e-9)
    assert entry.system == "val"


def test_numbered_files_from_0_on_are_parts_of_one_system_and_others_are_not(tmp_path):
    def arranged(*names):
        given = files_by_role({"results": [tmp_path / name for name in names]})
        found = paths_by_role(arrange_parts(given, "results"))
        return {role: [path.name for path in paths] for role, paths in found.items()}

    assert arranged("m_1.json", "m_0.json", "merged.json", "metrics.txt") == {
        "results": ["m_0.json"],
        "parts": ["m_1.json", "merged.json", "metrics.txt"],
    }
    assert arranged("run1.json", "run2.json") == {"results": ["run1.json", "run2.json"]}
    assert arranged("m_1.json", "m_2.json") == {"results": ["m_1.json", "m_2.json"]}
    assert arranged("a_0.json", "a_1.json", "b_0.json", "b_1.json") == {
        "results": ["a_0.json", "b_0.json"],
        "parts": ["a_1.json", "b_1.json"],
    }
    assert arranged("a.json", "merged.json") == {"results": ["a.json"], "parts": ["merged.json"]}


@pytest.mark.parametrize("is_folder", [True, False])
def test_joined_files_are_checked_as_one_system_under_the_name_given_for_it(tmp_path, is_folder):
    entries = [{"id": one, "image_id": one, "caption": "a dog"} for one in (1, 2)]
    annotations = write(tmp_path / "annotations.json", {"annotations": entries})
    parts = [write(tmp_path / "run" / f"m_{n}.json", [one]) for n, one in enumerate(entries)]
    given = [tmp_path / "run"] if is_folder else parts
    inputs = {"annotations": [annotations], "results": given}
    files = explicit_files(TASK, inputs, ["", "Mine"][-len(given) :])
    outcome = score_competition(CompetitionFiles(None, TASK, files, TASK.scoring.options()), Run())
    assert [one.system for one in outcome.result.entries] == ["Mine"]
    assert {one.path: one.outcome for one in outcome.record.files} == {
        str(path): "passed" for path in (annotations, *given)
    }


def test_parts_of_one_system_have_one_name(tmp_path):
    parts = [write(tmp_path / "run" / f"m_{n}.json", []) for n in (1, 0)]
    inputs = {"results": [*parts, tmp_path / "other.json"]}
    with pytest.raises(UsageError, match=r"^m_0.json, m_1.json are parts of one system: give"):
        explicit_files(TASK, inputs, ["First", "Second", "Other"])
    assert len(explicit_files(TASK, inputs, ["First", "First", "Other"])) == 3


@pytest.mark.parametrize("folder", ["run", "other"])
def test_parts_of_a_system_that_is_not_scored_now_are_not_those_of_another(tmp_path, folder):
    parts = [write(tmp_path / "run" / name, []) for name in ("m_0.json", "m_1.json")]
    metrics = write(tmp_path / "run" / "metrics.txt", "")
    single = write(tmp_path / folder / "b.json", [])
    own = {"results": [parts[0]], "parts": [parts[1], metrics]}
    assert parts_of(parts[0], own, "results") == (parts[1], metrics)
    others = [parts[1]] if folder == "run" else [parts[1], metrics]
    assert parts_of(single, {"results": [single], "parts": others}, "results") == ()
    given = {"results": [single], "parts": parts}
    assert parts_of(single, given, "results") == tuple(parts)  # both are named as its parts


def test_a_name_is_not_that_of_several_systems_of_a_folder(tmp_path):
    for name in ("a_0.json", "a_1.json", "b_0.json", "b_1.json"):
        write(tmp_path / "runs" / name, [])
    inputs = {"results": [tmp_path / "runs"]}
    with pytest.raises(UsageError, match=r"^runs holds 2 systems: give each"):
        explicit_files(TASK, inputs, ["Mine"])
    assert len(explicit_files(TASK, inputs)) == 1


def test_a_part_that_is_given_as_one_is_not_called_a_file_of_another_role(tmp_path):
    entries = [{"id": one, "image_id": one, "caption": "a dog"} for one in (1, 2)]
    mine = [{"annotation_id": one, "image_id": one, "caption": "a dog"} for one in (1, 2)]
    files = {"annotations": {"annotations": entries}, "results": mine[:1], "parts": mine[1:]}
    inputs = {role: [write(tmp_path / f"{role}.json", some)] for role, some in files.items()}
    given = explicit_files(TASK, inputs)
    options = TASK.scoring.options(profile="per-region")
    outcome = score_competition(CompetitionFiles(None, TASK, given, options), Run())
    assert outcome.result.evaluations
    assert not any("belongs to" in one.found for one in outcome.result.defects)
    assert outcome.record.files[-1].role == "parts"


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ({"annotations": []}, "The file has no captioned region."),
        ([], "The file holds a list."),
        ({"annotations": [{"image_id": 1, "caption": "a"}]}, '"id" is missing.'),
        ({"annotations": [{"id": 1, "image_id": 1}]}, '"caption" is missing.'),
        (
            {"annotations": [{"id": 1, "image_id": 1, "caption": "a"}] * 2},
            "The id 1 is also that of annotations[0].",
        ),
    ],
)
def test_damaged_annotations_are_named(tmp_path, damage, sentence):
    entry, said = score(tmp_path, damage, {"a.json": [{"image_id": 1, "caption": "a"}]})
    assert entry is None
    assert any(one.startswith(sentence) for one in said), said


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ([], "The list is empty."),
        ([3], "The element is "),
        ([{"caption": "a"}], '"image_id" is missing.'),
        ([{"image_id": 1}], '"caption" is missing.'),
        ([{"image_id": 1, "caption": None}], '"caption" is null.'),
        ([{"annotation_id": 7, "caption": "a"}], "Not in annotations.json: 7."),
        ("{", ""),
    ],
)
def test_damaged_results_are_named(tmp_path, damage, sentence):
    truth = {"annotations": [{"id": 1, "image_id": 1, "caption": "a dog", "bbox": [1, 1, 5, 5]}]}
    entry, said = score(tmp_path, truth, {"a.json": damage})
    assert entry.evaluation is None
    assert any(one.startswith(sentence) for one in said), said


def test_results_with_region_ids_are_recognized():
    assert sniff(b'[{"annotation_id": 1, "caption": "a"}]').confidence > 0.95
    assert sniff(b'[{"image_id": 1, "bbox": [1, 1, 2, 2], "caption": "a"}]') is None
