"""The command and the class that replace pycocoevalcap in scripts."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from jurydesk.core.tasks.captions.coco_api import COCO, COCOEvalCap
from support.oracles import oracle

CASES = json.loads(oracle("captions/own_eval.json").read_bytes())["cases"]
NAMES = {"Bleu_1": "bleu_1", "Bleu_4": "bleu_4", "METEOR": "meteor", "ROUGE_L": "rouge_l"}
ONE_IMPORT = ("from pycocoevalcap.eval import", "from jurydesk.core.tasks.captions.coco_api import")


@pytest.fixture(scope="module")
def case():
    return next(case for case in CASES if case["name"] == "forty images")


@pytest.fixture
def files(case, tmp_path):
    for name, value in (("annotations", case["annotations"]), ("results", case["results"])):
        (tmp_path / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return tmp_path / "annotations.json", tmp_path / "results.json"


def test_the_command_prints_what_the_example_prints_and_writes_its_results(
    jurydesk, case, files, tmp_path
):
    scores, images = tmp_path / "eval.json", tmp_path / "images.json"
    done = jurydesk("coco-caption", *files, "--eval", scores, "--evalImgs", images, "--quiet")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:3] == ["tokenization...", "setting up scorers...", "computing Bleu score..."]
    assert lines[3] == str(
        {name: case["bleu_totals"][name] for name in ("testlen", "reflen", "guess", "correct")}
    )
    assert lines[4] == f"ratio: {case['bleu_totals']['ratio']}"
    assert lines[-1] == f"CIDEr: {case['aggregate']['cider']:.3f}"
    found = json.loads(scores.read_text(encoding="utf-8"))
    for name, ours in NAMES.items():
        assert found[name] == pytest.approx(case["aggregate"][ours], abs=1e-12)
    rows = json.loads(images.read_text(encoding="utf-8"))
    expected = {row["image_id"]: row for row in case["per_image"]}
    for row in rows:
        assert row["CIDEr"] == pytest.approx(expected[row["image_id"]]["cider"], abs=1e-12)


def test_a_script_of_pycocoevalcap_runs_with_one_import_changed(
    case, files, tmp_path, monkeypatch, capsys
):
    pytest.importorskip("pycocotools.coco")
    package = importlib.util.find_spec("pycocoevalcap")
    example = Path(package.submodule_search_locations[0]) / "example" / "coco_eval_example.py"
    if not example.is_file():
        pytest.skip("pycocoevalcap was installed without its example")
    script = example.read_text(encoding="utf-8")
    assert script.count(ONE_IMPORT[0]) == 1
    for path, name in zip(
        files, ("captions_val2014.json", "captions_val2014_fakecap_results.json"), strict=True
    ):
        path.rename(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(script.replace(*ONE_IMPORT), str(example), "exec"), names)
    for name, ours in NAMES.items():
        assert names["coco_eval"].eval[name] == pytest.approx(case["aggregate"][ours], abs=1e-12)
    assert capsys.readouterr().out.endswith(f"CIDEr: {case['aggregate']['cider']:.3f}\n")


def test_the_class_works_without_pycocotools(case, files, capsys):
    coco = COCO(files[0])
    evaluation = COCOEvalCap(coco, coco.loadRes(files[1]))
    evaluation.evaluate()
    assert evaluation.eval["CIDEr"] == pytest.approx(case["aggregate"]["cider"], abs=1e-12)
    assert evaluation.imgToEval[evaluation.evalImgs[0]["image_id"]] is evaluation.evalImgs[0]
    assert capsys.readouterr().out.startswith("tokenization...\n")


def test_an_image_without_a_result_is_reported(files):
    coco = COCO(files[0])
    results = coco.loadRes(json.loads(files[1].read_text(encoding="utf-8"))[:-1])
    with pytest.raises(ValueError, match="0 results"):
        COCOEvalCap(coco, results).evaluate()
    with pytest.raises(ValueError, match="images without annotations"):
        coco.loadRes([{"image_id": "nobody", "caption": "a"}])


def test_files_with_errors_end_with_exit_code_1(jurydesk, files):
    files[1].write_text('[{"image_id": "x", "caption": "a"}]', encoding="utf-8")
    done = jurydesk("coco-caption", *files)
    assert done.code == 1
    assert '1 caption of images that are not in annotations.json: "x".' in done.err


def test_lines_are_split_into_words(jurydesk, tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes("It's a (small) dog.\r\n\nA\u2028b, 3 1/2.".encode())
    done = jurydesk("tokenize", "--ptb", path)
    assert done.out.splitlines() == ["it 's a -lrb- small -rrb- dog .", "", "a b , 3\xa01/2 ."]
    assert "lines.txt, line 3: The line contains a line separator (U+2028)." in done.err
    stripped = jurydesk("tokenize", "--ptb", path, "--strip", "--quiet")
    assert stripped.out.splitlines() == ["it 's a -lrb- small -rrb- dog", "", "a b 3\xa01/2"]
