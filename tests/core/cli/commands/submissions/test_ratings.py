"""A study from plan to board on the command line, with the example competition."""

from __future__ import annotations

import json
import random
import re

import pytest

from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes, make_answers
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.system.paths import resources_folder
from support.rating import random_answers

EXAMPLE = resources_folder() / "examples" / "vist"
SUBMISSIONS = [EXAMPLE / f"{name}.json" for name in ("storyteller", "labels", "happy")]
NUMBERS = ("--sequences", 6, "--raters", 4, "--ratings-per-story", 2)


@pytest.fixture
def desk(tmp_path):
    return tmp_path / "study.jurydesk"


@pytest.fixture
def planned(jurydesk, desk):
    outcome = jurydesk(
        "ratings", "plan", "--submission", *SUBMISSIONS, "--references",
        EXAMPLE / "human-stories.json", "--human", "--images", EXAMPLE / "images",
        *NUMBERS, "--seed", 7, "--desk", desk,
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    return outcome


@pytest.fixture
def packed(jurydesk, planned, desk, tmp_path):
    outcome = jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out")
    assert outcome.code == 0, outcome.err
    return tmp_path / "out"


def write_answers(packets, folder, count=4):
    """Return answers to the packets, as raters send them back."""
    paths = []
    for number, path in enumerate(sorted(packets.glob("*.jurypacket"))[:count]):
        content = read_packet(path).data
        ids = [item.id for item in content.items]
        dice = random.Random(number)
        events = random_answers.whole_sitting(ids, content.questionnaire, dice)
        paths.append(folder / f"{content.rater}.juryanswers")
        answers = make_answers(content.sha256, content.rater, events, content.key)
        paths[-1].write_bytes(answers_bytes(answers))
    return paths


def test_a_plan_describes_its_contents(planned):
    assert planned.out == (
        "Planned: 4 systems, 6 sequences, 2 ratings of each story; 4 raters with 12 items each. "
        "Seed 7.\n"
    )


def test_an_impossible_plan_names_the_nearest_possible_one(jurydesk, desk):
    outcome = jurydesk(
        "ratings", "plan", "--submission", *SUBMISSIONS, "--sequences", 99, "--raters", 2,
        "--ratings-per-story", 1, "--desk", desk, "--quiet",
    )  # fmt: skip
    assert outcome.code == 2
    assert outcome.err == (
        "Error: 99 sequences were requested, but there are only 12 sequences. The nearest feasible "
        "plan: sequences 12.\n"
    )
    assert not desk.exists()


def test_human_stories_need_their_file(jurydesk, desk):
    outcome = jurydesk(
        "ratings", "plan", "--submission", *SUBMISSIONS, "--human", *NUMBERS, "--desk", desk
    )
    assert outcome.code == 2
    assert "give them with --references FILE" in outcome.err


def test_missing_photos_are_an_input_error(jurydesk, desk, tmp_path):
    gone = ("--images", tmp_path / "gone")
    outcome = jurydesk(
        "ratings", "plan", "--submission", *SUBMISSIONS, *NUMBERS, *gone, "--desk", desk
    )
    assert (outcome.code, desk.exists()) == (1, False)
    assert outcome.err == f"Error: --images {tmp_path / 'gone'}: there is no such folder.\n"


def test_a_missing_desk_is_an_input_error(jurydesk, desk, tmp_path):
    outcome = jurydesk("ratings", "merge", tmp_path / "r01.juryratings", "--desk", desk)
    assert (outcome.code, desk.exists()) == (1, False)
    assert outcome.err == f"Error: {desk} does not exist. `jurydesk ratings plan` creates it.\n"


def test_files_with_errors_are_not_planned(jurydesk, desk, tmp_path):
    (tmp_path / "bad.json").write_text('{"output_stories": 3}')
    outcome = jurydesk(
        "ratings", "plan", "--submission", tmp_path / "bad.json", *NUMBERS, "--desk", desk
    )
    assert outcome.code == 1
    assert "Nothing was planned" in outcome.err


def test_every_rater_gets_a_packet_that_opens(packed):
    packets = sorted(packed.iterdir())
    assert [path.name for path in packets] == [f"r0{n}.jurypacket" for n in range(1, 5)]
    for path in packets:
        content = read_packet(path).data
        assert len(content.items) == 12
        assert all(photo.name for item in content.items for photo in item.photos)


def test_browser_pages_are_written_beside_the_packets(jurydesk, planned, desk, tmp_path):
    outcome = jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "o", "--html")
    assert outcome.out == f"8 files written to {tmp_path / 'o'}.\n"
    assert len(list((tmp_path / "o").glob("*.html"))) == 4


def test_answers_give_agreement_and_a_board(jurydesk, packed, desk, tmp_path):
    paths = write_answers(packed, tmp_path)
    merged = jurydesk("ratings", "merge", "--desk", desk, *paths)
    assert (merged.code, merged.out) == (0, "4 answers files merged.\n")
    again = jurydesk("ratings", "merge", "--desk", desk, *reversed(paths))
    assert again.out == "0 answers files merged, 4 already merged.\n"

    printed = jurydesk("ratings", "agreement", "--desk", desk)
    assert printed.code == 0
    assert "ICC(2,k) is undefined: fewer than two items were rated by all." in printed.out
    assert "human stories" in printed.out
    found = json.loads(jurydesk("ratings", "agreement", "--desk", desk, "--json", "-").out)
    assert found["agreement"][0]["question"] == "focused"
    assert {one["rater"] for one in found["raters"]} == {"r01", "r02", "r03", "r04"}
    assert found["agreement"][0]["icc_2k"]["value"] is None
    assert found["agreement"][0]["icc_1k"]["value"] < 1

    shown = jurydesk("ratings", "board", "--desk", desk)
    assert "No metric was computed for the rated systems." in shown.out


def test_ratings_of_another_program_are_imported_and_marked(jurydesk, desk, tmp_path):
    rows = [f"{rater},{item},{system},{3 + (system == 'A')}"
            for rater in ("ann", "bob") for item in range(5) for system in "AB"]  # fmt: skip
    (tmp_path / "r.csv").write_text("\n".join(["rater,item,system,quality", *rows]) + "\n")
    done = jurydesk("ratings", "import", "--desk", desk, tmp_path / "r.csv")
    assert done.code == 0, done.err
    assert done.out == "Imported: 20 ratings of 5 items and 2 systems by 2 raters.\n"
    printed = jurydesk("ratings", "agreement", "--desk", desk)
    assert "Ratings imported from r.csv, SHA-256 " in printed.out
    assert re.search(r"ann +10/10 +- ", printed.out), "no times were given"
    assert "no rater signed them" in jurydesk("ratings", "board", "--desk", desk).out
    found = json.loads(jurydesk("ratings", "agreement", "--desk", desk, "--json", "-").out)
    assert found["imported"].startswith("r.csv, SHA-256 ")
    assert found["ranking"][0]["systems"][0]["value"] == 4
    packed = jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out")
    assert packed.code != 0
    assert "are imported: there are no packets" in packed.err


def test_ratings_are_on_the_board_beside_meteor(jurydesk, packed, desk, tmp_path):
    jurydesk("ratings", "merge", "--desk", desk, *write_answers(packed, tmp_path))
    scored = jurydesk(
        "score", "vist", "--submission", *SUBMISSIONS, "--references",
        EXAMPLE / "human-stories.json", "--desk", desk,
    )  # fmt: skip
    assert scored.code == 0, scored.err
    shown = jurydesk("ratings", "board", "--desk", desk)
    head = shown.out.splitlines()[0].split()
    assert head[:4] == ["system", "meteor", "focused", "coherent"]
    assert "pearson" in shown.out
    assert "Stories are compared within their system." in shown.out
    whole = json.loads(jurydesk("ratings", "board", "--desk", desk, "--json", "-").out)
    levels = {(one["level"], one["kind"]) for one in whole["correlations"]}
    assert len(levels) == 9
    plain = json.loads(jurydesk("board", desk, "--json", "-").out)
    names = {row["name"]: row for row in plain["systems"]}
    assert "focused" in names["human stories"]["scores"]


def test_without_answers_there_is_no_agreement(jurydesk, planned, desk):
    outcome = jurydesk("ratings", "agreement", "--desk", desk)
    assert outcome.code == 1
    assert outcome.err == "Error: study.jurydesk contains no answers yet.\n"


def test_without_a_plan_there_is_no_packet(jurydesk, tmp_path):
    Desk.create(tmp_path / "empty.jurydesk").close()
    outcome = jurydesk(
        "ratings", "packet", "--desk", tmp_path / "empty.jurydesk", "--out", tmp_path
    )
    assert outcome.code == 1
    assert "has no rating plan" in outcome.err


def test_an_invalid_file_ends_with_exit_code_1_and_the_others_are_merged(
    jurydesk, packed, desk, tmp_path
):
    (tmp_path / "bad.juryanswers").write_text("nonsense")
    paths = write_answers(packed, tmp_path)
    outcome = jurydesk("ratings", "merge", "--desk", desk, tmp_path / "bad.juryanswers", *paths)
    assert outcome.code == 1
    assert outcome.out == "4 answers files merged.\n"
    assert "bad.juryanswers: This is not an answers file." in outcome.err


def test_the_same_seed_makes_the_same_plan(jurydesk, planned, desk, tmp_path):
    other = tmp_path / "other.jurydesk"
    jurydesk(
        "ratings", "plan", "--submission", *SUBMISSIONS, "--references",
        EXAMPLE / "human-stories.json", "--human", *NUMBERS, "--seed", 7, "--desk", other,
    )  # fmt: skip
    items = []
    for path in (desk, other):
        with Desk.open(path) as opened:
            study = RatingStore(opened).required_study()
        items.append([[task.item for task in rater.tasks] for rater in study.raters])
    assert items[0] == items[1]
