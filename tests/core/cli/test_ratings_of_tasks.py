"""A study of every competition on the command line, from the plan to the board."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from PIL import Image

from jurydesk.core.competition.examples import example_folder
from jurydesk.core.competition.task import Input, JsonEvidence, Readers, Scoring, Task
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.planning import RATED
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.model.evaluation import Evaluation, ItemTable, MetricInfo, Score
from jurydesk.core.system.paths import resources_folder
from support.rating import rated_examples

COMPETITIONS = {
    "vist": ("sequences", "story", "VIST Challenge 2018"),
    "densecap": ("images", "description", "Correct, relevant, detailed, fluent"),
    "captions": ("images", "caption", "Correct, relevant, detailed, fluent"),
    "visdial": ("questions", "answer", "Correct, relevant, detailed, fluent"),
    "fusionbrain": ("items", "answer", "Correct, relevant, detailed, fluent"),
    "keyword-spotting": ("queries", "ranked list", "Ranked lists"),
    "visdial-ranks": ("rounds", "answer", "Correct, relevant, detailed, fluent"),
    "vqa": ("questions", "answer", "Correct, relevant, detailed, fluent"),
    "retrieval": ("images", "caption", "Correct, relevant, detailed, fluent"),
}
NUMBERS = ("--items", 3, "--raters", 2, "--ratings-per-entry", 2, "--seed", 3)


def images_of(name):
    folder = example_folder(registry().tasks[name])
    found = [folder / role for role in ("images", "photos") if (folder / role).is_dir()]
    return ("--images", found[0]) if found else ()


@pytest.mark.parametrize("name", COMPETITIONS)
def test_every_competition_is_rated_from_its_desk(jurydesk, tmp_path, name):
    items, entry, title = COMPETITIONS[name]
    desk = rated_examples.scored_desk(name, tmp_path)
    rating = registry().tasks[name].presentation.rating
    human = ("--human",) if rating.has_human_entries else ()
    planned = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, *human, *images_of(name))
    assert planned.code == 0, planned.err
    assert f"3 {items}, 2 ratings of each {entry}; 2 raters" in planned.out
    packed = jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out", "--html")
    assert (packed.code, packed.out) == (0, f"4 files written to {tmp_path / 'out'}.\n")
    content = read_packet(tmp_path / "out" / "r01.jurypacket").data
    assert content.questionnaire.title == title
    for item in content.items:
        assert item.photos or item.context
        assert item.stories[0] or item.pictures or name == "fusionbrain"
        assert all(photo.name for photo in item.all_photos)
    answers = rated_examples.answer_all(tmp_path / "out", tmp_path)
    assert jurydesk("ratings", "merge", "--desk", desk, *answers).code == 0
    agreement = jurydesk("ratings", "agreement", "--desk", desk, "--json", "-")
    found = json.loads(agreement.out)
    asked = [one.id for one in content.questionnaire.questions]
    assert [one["question"] for one in found["agreement"]] == asked
    board = json.loads(jurydesk("ratings", "board", "--desk", desk, "--json", "-").out)
    by_name = {one["name"]: one["scores"] for one in board["systems"]}
    overall = RATED.format("overall") if name == "vqa" else "overall"  # VQA has such a metric
    assert all(asked[0] in scores and overall in scores for scores in by_name.values())
    assert ("human " in " ".join(by_name)) == bool(human)
    assert {one["level"] for one in board["correlations"]} <= {entry, "both", "system"}
    report = jurydesk("board", desk, "--html", tmp_path / "report.html")
    assert report.code == 0, report.err


@pytest.mark.parametrize("name", [name for name in COMPETITIONS if name != "vist"])
def test_no_byte_of_a_packet_names_a_system(jurydesk, tmp_path, name):
    desk = rated_examples.scored_desk(name, tmp_path)
    assert jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, *images_of(name)).code == 0
    assert jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out").code == 0
    with Desk.open(desk, read_only=True) as opened:
        systems = RatingStore(opened).study().pool.systems
    with zipfile.ZipFile(tmp_path / "out" / "r01.jurypacket") as archive:
        for member in archive.namelist():
            data = member.encode() + archive.read(member)
            assert not [system for system in systems if system.encode() in data]


def test_the_dialogue_before_a_question_is_its_context(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("visdial", tmp_path)
    jurydesk("ratings", "plan", "--desk", desk, "--items", 30, *NUMBERS[2:])
    with Desk.open(desk, read_only=True) as opened:
        pool = RatingStore(opened).study().pool
    first, third = pool.items[0], pool.items[2]
    assert first.context == (("Question", "is it sunny"),)
    assert [title for title, _ in third.context] == ["Dialogue so far", "Question"]
    assert third.context[0][1].startswith("is it sunny\n– yes it is\n")


def test_accepted_answers_are_not_shown_to_raters(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("fusionbrain", tmp_path)
    jurydesk("ratings", "plan", "--desk", desk, "--items", 20, *NUMBERS[2:])
    with Desk.open(desk, read_only=True) as opened:
        pool = RatingStore(opened).study().pool
    assert {title for item in pool.items for title, _ in item.context} == {"Question"}


def test_word_images_are_cut_from_their_pages(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("keyword-spotting", tmp_path)
    jurydesk(
        "ratings", "plan", "--desk", desk, *NUMBERS, *images_of("keyword-spotting"),
    )  # fmt: skip
    jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out")
    content = read_packet(tmp_path / "out" / "r01.jurypacket").data
    with Image.open(images_of("keyword-spotting")[1] / "letters_001.png") as page:
        whole = page.size
    sizes = {Image.open(io.BytesIO(data)).size for data in content.photos.values()}
    assert sizes
    assert all(width < whole[0] / 2 and height < whole[1] / 4 for width, height in sizes)


def test_lists_without_pictures_cannot_be_rated(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("keyword-spotting", tmp_path)
    outcome = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS)
    assert outcome.code == 2
    assert "There is nothing to rate: every system needs a text for the same query" in outcome.err


def test_systems_of_a_desk_can_be_chosen_by_name(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("visdial", tmp_path)
    chosen = ("--system", "careful", "--system", "short")
    outcome = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, *chosen)
    assert outcome.out.startswith("Planned: 2 systems, 3 questions")
    unknown = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, "--system", "nobody")
    assert (unknown.code, "The desk has no result of nobody" in unknown.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "query", "prefix"),
    [("fusionbrain", "subtask=vqa", "vqa/"), ("visdial", "round=9", "")],
)
def test_items_can_be_chosen_by_a_query(jurydesk, tmp_path, name, query, prefix):
    desk = rated_examples.scored_desk(name, tmp_path)
    outcome = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, "--slice", query)
    assert outcome.code == 0, outcome.err
    with Desk.open(desk, read_only=True) as opened:
        ids = [item.id for item in RatingStore(opened).study().pool.items]
    assert len(ids) == 3
    assert all(id.startswith(prefix) if prefix else id.endswith("-9") for id in ids)
    unknown = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, "--slice", "nosuch<3")
    assert (unknown.code, 'There is no column "nosuch"' in unknown.err) == (2, True)


def test_submissions_that_are_scored_first_are_refused_by_name(jurydesk, tmp_path):
    desk = rated_examples.scored_desk("visdial", tmp_path)
    file = resources_folder() / "examples" / "visdial" / "careful.json"
    outcome = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS, "--submission", file)
    assert outcome.code == 2
    assert "Visual dialogue is rated from a desk: score the submissions into it" in outcome.err


def test_a_desk_without_results_needs_scoring_first(jurydesk, tmp_path):
    outcome = jurydesk("ratings", "plan", "--desk", tmp_path / "no.jurydesk", *NUMBERS)
    assert outcome.code == 1
    assert "Score systems into it first" in outcome.err


METRIC = MetricInfo("correct", "Correct", "Share of right answers.", (0.0, 1.0), "higher", "own")
OVERALL = MetricInfo("overall", "Overall", "Mean of everything.", (0.0, 1.0), "higher", "own")
PLAIN = Task(
    id="plain",
    title="Plain questions",
    item_noun=("riddle", "riddles"),
    inputs=(Input("answers", "Answers", "submission", ("*.txt",), many=True),),
    readers=Readers(None, None),  # type: ignore[arg-type]
    scoring=Scoring(metrics=(METRIC, OVERALL), evaluate=None),  # type: ignore[arg-type]
)


def plain_desk(path, systems):
    ids = tuple(f"riddle {n}" for n in range(6))
    with Desk.create(path) as desk:
        desk.set_competition(PLAIN.id, PLAIN.title, {})
        for system in systems:

            def evidence(n, system=system):
                said = f"{system} says {n}" if system != "quiet" else ""
                return JsonEvidence({"Riddle": f"What is {n}?", "Answer": said})

            items = ItemTable(ids, {}, evidence, noun="riddle")
            desk.add(Evaluation("plain", system, "published", (Score("correct", 0.5, 6),), items))
    return path


def test_a_plain_task_is_rated_without_any_declaration(jurydesk, tmp_path, monkeypatch):
    monkeypatch.setitem(registry().tasks, "plain", PLAIN)
    desk = plain_desk(tmp_path / "plain.jurydesk", ["mine", "quiet"])
    outcome = jurydesk("ratings", "plan", "--desk", desk, *NUMBERS)
    assert "2 systems, 3 riddles, 2 ratings of each entry; 2 raters" in outcome.out, outcome.err
    jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out")
    content = read_packet(tmp_path / "out" / "r01.jurypacket").data
    assert {title for item in content.items for title, _ in item.context} == {"Riddle"}
    assert "" in {item.stories[0] for item in content.items}
    assert any(item.stories[0].startswith("mine says ") for item in content.items)


def test_a_statement_with_the_name_of_a_metric_is_renamed_on_the_board(
    jurydesk, tmp_path, monkeypatch
):
    monkeypatch.setitem(registry().tasks, "plain", PLAIN)
    desk = plain_desk(tmp_path / "plain.jurydesk", ["mine", "yours"])
    jurydesk("ratings", "plan", "--desk", desk, *NUMBERS)
    jurydesk("ratings", "packet", "--desk", desk, "--out", tmp_path / "out")
    answers = rated_examples.answer_all(tmp_path / "out", tmp_path)
    assert jurydesk("ratings", "merge", "--desk", desk, *answers).code == 0
    board = json.loads(jurydesk("ratings", "board", "--desk", desk, "--json", "-").out)
    scores = board["systems"][0]["scores"]
    assert scores["correct"] == 0.5
    assert 1 <= scores["rated-correct"] <= 5
    assert 1 <= scores["rated-overall"] <= 5
    assert "overall" not in {one["question"] for one in board["correlations"]}
