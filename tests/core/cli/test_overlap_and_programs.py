"""Results by overlap, of each program of dense captioning, and of given regions pass every command.

From the files to the board, items, slices, report, comparison, errata and verification.
"""

from __future__ import annotations

import json
import random

import pytest
from PIL import Image

from jurydesk import compare
from jurydesk import open as open_desk
from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.model.evaluation import UsageError
from support.oracles import oracle

WORDS = ("and", "the", "of")
SPOTS = [(WORDS[i % 3], f"p{i // 5}", 60 * (i % 5), 9, 50, 20) for i in range(10)]
RULES = {
    "icdar2017": "boxes", "iou50": "boxes", "segments": "segments", "table": "table",
    "words": "words",
}  # fmt: skip


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def boxes(seed):
    noise = random.Random(seed)
    return [(*spot[:2], spot[2] + noise.randint(0, 20 * seed), *spot[3:], noise.random())
            for spot in SPOTS]  # fmt: skip


def pairs(seed):
    noise = random.Random(seed)
    return [(word, f"l{line}", noise.random()) for line in range(4) for word in WORDS]


def distances(seed):
    noise = random.Random(seed)
    names = [f"w{number}" for number in range(6)]
    return [(one, other, noise.random()) for one in names for other in names if one != other]


RELEVANT = [(word, f"l{line}") for line in range(4) for word in WORDS[: 1 + line % 3]]
LABELS = [(f"w{number}", WORDS[number % 3]) for number in range(6)]
SPOTTING = {
    "boxes": (SPOTS, boxes),
    "segments": (RELEVANT, pairs),
    "table": (RELEVANT, pairs),
    "words": (LABELS, distances),
}


def spotting(folder, protocol):
    """Return the arguments of a protocol, and other relevance."""
    relevance, listed = SPOTTING[RULES[protocol]]
    paths = [folder / name for name in ("relevance", "new", "one", "two")]
    for path, rows in zip(paths, (relevance, relevance[1:], listed(0), listed(1)), strict=True):
        path.write_text(lines(rows))
    if protocol == "words":
        paths[1].write_text(lines([(*LABELS[0][:1], "of"), *LABELS[1:]]))
    order = ("--order", "asc") if protocol == "words" else ()
    given = ("--relevance", paths[0], "--results", *paths[2:], "--protocol", protocol, *order)
    return ("keyword-spotting", *given), paths[1], "ap>0"


def dense(folder, profile):
    scene = json.loads(oracle("densecap_today/shapes.json").read_text())["shapes"]["coco"]
    truth, one = scene["ground_truth"], scene["detections"]
    new = json.loads(json.dumps(truth))
    new["annotations"][0]["caption"] = "a boat"
    other = [entry | {"score": 1 - entry["score"], "caption": "a boat"} for entry in one]
    paths = [folder / name for name in ("truth.json", "new.json", "one.json", "two.json")]
    for path, content in zip(paths, (truth, new, one, other), strict=True):
        path.write_text(json.dumps(content))
    given = ("--ground-truth", paths[0], "--detections", *paths[2:], "--profile", profile)
    return ("densecap", *given), paths[1], "recall>0"


def regions(folder, profile):
    example = example_folder(find_competition("region-captions"))
    truth = json.loads((example / "annotations.json").read_text())
    given = json.loads((example / "precise.json").read_text())
    if profile != "per-region":  # these programs take one region of each image
        first = {one["image_id"]: one for one in reversed(truth["annotations"])}
        truth["annotations"] = list(first.values())
        kept = {one["id"] for one in first.values()}
        given = [one for one in given if one["annotation_id"] in kept]
    other = [one | {"caption": one["caption"].split()[0]} for one in given]
    new = json.loads(json.dumps(truth))
    new["annotations"][0]["caption"] = "a boat"
    paths = [folder / name for name in ("truth.json", "new.json", "one.json", "two.json")]
    for path, content in zip(paths, (truth, new, given, other), strict=True):
        path.write_text(json.dumps(content))
    chosen = ("--annotations", paths[0], "--results", *paths[2:], "--profile", profile)
    return ("region-captions", *chosen), paths[1], "cider>=0"


CASES = [
    *((spotting, protocol) for protocol in RULES),
    *((dense, profile) for profile in ("dynrefer", "scenic", "jivc")),
    *((regions, profile) for profile in ("glamm", "per-region")),
]


@pytest.mark.parametrize(("files", "rules"), CASES, ids=[rules for _, rules in CASES])
def test_results_pass_every_command(jurydesk, tmp_path, files, rules):
    arguments, new, query = files(tmp_path, rules)
    desk, csv, page = (tmp_path / name for name in ("a.jurydesk", "board.csv", "report.html"))

    def run(*given):
        outcome = jurydesk(*given)
        assert outcome.code == 0, (given, outcome.err)
        return outcome.out

    run("score", *arguments, "--desk", desk)
    board = json.loads(run("board", desk, "--json", "-"))
    assert [one["name"] for one in board["systems"]] == ["one", "two"]
    run("board", desk, "--slice", query, "--csv", csv, "--html", page, "--latex", tmp_path / "a")
    assert all(f">{name}<" in page.read_text() for name in ("one", "two"))
    run("items", desk, "--csv", tmp_path / "items.csv")
    run("compare", desk, "one", "two")
    run("verify", csv)
    said = run("errata", desk, new)
    assert "New reference data: " in said
    assert json.loads(run("board", desk, "--json", "-")) != board


def test_results_of_different_protocols_are_compared_nowhere(jurydesk, tmp_path):
    arguments, *_ = spotting(tmp_path, "icdar2017")
    desk, page = tmp_path / "a.jurydesk", tmp_path / "report.html"
    *before, first, second, _, _ = arguments
    for path, protocol in ((first, "icdar2017"), (second, "iou50")):
        given = (*before, path, "--protocol", protocol, "--desk", desk)
        assert jurydesk("score", *given).code == 0
    board = jurydesk("board", desk, "--html", page, "--json", tmp_path / "board.json")
    assert "Left out, since they were scored under other rules: " in board.out
    (system,) = json.loads((tmp_path / "board.json").read_text())["systems"]
    other = {"one": "two", "two": "one"}[system["name"]]
    assert f'"system": "{other}"' not in page.read_text()
    compared = jurydesk("compare", desk, "one", "two")
    assert compared.code != 0
    assert "scored under different rules" in compared.err
    with pytest.raises(UsageError, match="scored under different rules"):
        compare(open_desk(desk), "one", "two")
    ratings = tmp_path / "ratings.csv"
    rows = [f"{who},{word},{entrant},{1 + len(word) % 2}" for who in "ab" for word in WORDS
            for entrant in ("one", "two")]  # fmt: skip
    ratings.write_text("\n".join(["rater,item,system,fit", *rows]))
    assert jurydesk("ratings", "import", "--desk", desk, ratings).code == 0
    people = json.loads(jurydesk("ratings", "board", "--desk", desk, "--json", "-").out)
    assert {one["n"] for one in people["correlations"] if one["level"] == "system"} == {1}
    for command in ("robustness", "items"):
        refused = jurydesk(command, desk)
        assert refused.code == 1
        assert f"Left out, since they were scored under other rules: {other}." in refused.err
    assert other not in jurydesk("classes", desk).out


def test_lists_by_overlap_are_rated_as_cut_outs_of_their_pages(jurydesk, tmp_path):
    arguments, *_ = spotting(tmp_path, "icdar2017")
    images, desk = tmp_path / "pages", tmp_path / "a.jurydesk"
    images.mkdir()
    for page in ("p0", "p1"):
        Image.new("RGB", (400, 100)).save(images / f"{page}.png")
    jurydesk("score", *arguments, "--desk", desk)
    plan = ("ratings", "plan", "--desk", desk, "--images", images, "--items", 3, "--raters", 2)
    planned = jurydesk(*plan, "--ratings-per-entry", 2, "--seed", 1)
    assert "2 systems, 3 queries, 2 ratings of each ranked list" in planned.out
    with Desk.open(desk, read_only=True) as opened:
        pool = RatingStore(opened).required_study().pool
    (item,) = (one for one in pool.items if one.id == "of")
    shown = item.entries[pool.systems.index("one")].pictures
    assert {(one.name, *one.box) for one in shown} == {one[1:] for one in SPOTS if one[0] == "of"}
