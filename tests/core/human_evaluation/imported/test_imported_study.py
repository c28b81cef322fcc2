"""Tables of ratings of other programs: columns, scales, comparisons, and our own export again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from jurydesk.core.cli.text.ratings_text import program_lines
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.execution.run import Run
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.human_evaluation.results.findings import compute_findings
from jurydesk.core.human_evaluation.results.ratings import load_ratings
from jurydesk.core.human_evaluation.results.ratings_export import ratings_csv, ratings_origin
from jurydesk.core.human_evaluation.results.study_tables import agreement_remarks
from jurydesk.core.tasks.vist.vist_task import TASK
from jurydesk.core.workflow.imported_ratings import import_ratings
from support.rating import studies
from support.rating.random_answers import FOUR_KINDS, PAIR


def imported(folder, text, name="ratings.csv", **options):
    """Return the result of importing a text, and the ratings in the desk."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    desk = folder / "imported.jurydesk"
    done = import_ratings(desk, path, RatingsOptions(**options), Run())
    if done.ratings is None:
        return done, None
    with Desk.open(desk) as opened:
        return done, load_ratings(RatingStore(opened))


def values(ratings, question, rater):
    """Return the values of a rater by item and system."""
    row = ratings.raters.index(rater)
    pool = ratings.study.pool
    return {
        (pool.items[item].id, pool.systems[system]): value
        for (item, _, system), value in zip(
            ratings.units, ratings.values[question][row].tolist(), strict=True
        )
        if not np.isnan(value)
    }


def kinds(ratings):
    return {one.id: one.kind for one in ratings.study.questionnaire.questions}


def measures(found):
    """Return the measures of agreement with the ends of their intervals."""
    listed = []
    for one in found.agreements:
        for measure in (one.alpha, one.icc, one.icc_1k, one.exact):
            span = measure.interval
            listed += [measure.value, *((span.low, span.high) if span else (np.nan, np.nan))]
    assert np.isfinite(listed).any()
    return listed


@pytest.mark.parametrize("questionnaire", [None, PAIR, FOUR_KINDS])
def test_our_own_ratings_read_as_a_strangers_table_agree_and_rank_as_before(
    tmp_path, questionnaire
):
    made = studies.study(questionnaire=questionnaire)
    with studies.desk_with(tmp_path / "own.jurydesk", made) as desk:
        studies.rate(desk, tmp_path, made, 4)
        before = compute_findings(desk, Run())
        origin = ratings_origin("every rating", desk, TASK)
        (tmp_path / "every.csv").write_bytes(ratings_csv(load_ratings(RatingStore(desk)), origin))
    again = tmp_path / "again.jurydesk"
    done = import_ratings(again, tmp_path / "every.csv", RatingsOptions(), Run())
    assert done.ratings is not None, done.defects
    with Desk.open(again) as desk:
        after = compute_findings(desk, Run())
    assert measures(after) == pytest.approx(measures(before), nan_ok=True)
    order = [after.systems.index(one) for one in before.systems]
    for one, other in zip(before.outcomes, after.outcomes, strict=True):
        assert [str(rank) for rank in one.ranks] == [str(other.ranks[at]) for at in order]
        assert np.allclose(
            [score.value for score in one.scores], [other.scores[at].value for at in order]
        )
    assert any("no rater signed" in one for one in after.remarks)
    assert not before.imported


def test_statements_in_columns_share_a_scale_and_have_a_mean(tmp_path):
    text = "annotator,story,system,relevance,fluency,note\n"
    text += "ann,s1,A,5,4,fine\nann,s1,B,2,1,\nbob,s1,A,4,4,\nbob,s1,B,1,2,so so\n"
    done, ratings = imported(tmp_path, text)
    assert kinds(ratings) == {"relevance": "likert", "fluency": "likert"}
    assert len(ratings.study.questionnaire.scale) == 5
    assert values(ratings, "relevance", "ann") == {("s1", "A"): 5, ("s1", "B"): 2}
    assert any("left out: note" in one.found for one in done.defects)


def test_a_row_for_each_answer_and_repeated_answers_are_told(tmp_path):
    text = "rater;item;system;statement;value\n"
    text += "r1;1;A;clear;3\nr1;1;A;true;0\nr1;1;A;clear;2\nr2;1;A;clear;3\nr2;1;A;true;1\n"
    done, ratings = imported(tmp_path, text)
    assert values(ratings, "clear", "r1") == {("1", "A"): 3}
    assert kinds(ratings) == {"clear": "number", "true": "number"}
    assert any("rated again by the same rater" in one.found for one in done.defects)


def test_raters_may_be_columns(tmp_path):
    _, ratings = imported(tmp_path, "item,model,rater_1,rater_2\n1,A,4,5\n2,A,2,\n")
    assert values(ratings, "rating", "rater_1") == {("1", "A"): 4, ("2", "A"): 2}
    assert values(ratings, "rating", "rater_2") == {("1", "A"): 5}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("poor", "good", "excellent"), (2, 4, 5)),
        (("strongly disagree", "Neutral", "agree"), (1, 3, 4)),
        (("да", "нет", "да"), (2, 1, 2)),
        (("1 - bad", "3 - good", "2 - fair"), (1, 3, 2)),
        (("bad (1)", "good (4)", "bad (1)"), (1, 4, 1)),
        (("0", "55", "100"), (0, 55, 100)),
        (("0,5", "1,5", "9,75"), (0.5, 1.5, 9.75)),
        (("10 %", "20 %", "5 %"), (0.1, 0.2, 0.05)),
        (("-2", "0", "2"), (-2, 0, 2)),
    ],
)
def test_answers_are_numbers_of_their_scale(tmp_path, answers, expected):
    rows = [f'r,{item},A,"{answer}"' for item, answer in enumerate(answers)]
    _, ratings = imported(tmp_path, "\n".join(["rater,item,system,rating", *rows]) + "\n")
    assert tuple(values(ratings, "rating", "r").values()) == pytest.approx(expected)


def rated_by_four(statements):
    """Return a table of four raters, twelve items and two systems by functions of both."""
    rows = [
        f"r{rater},i{item},{system},{name},{answer(at) + (rater + item) % 2}"
        for name, answer in statements.items()
        for rater in range(4)
        for item in range(12)
        for at, system in enumerate("AB")
    ]
    return "\n".join(["rater,item,system,statement,value", *rows]) + "\n"


def test_less_is_better_by_a_statement_that_says_so(tmp_path):
    text = rated_by_four({"errors": lambda at: 1 + 3 * at, "clear": lambda at: 4 - 2 * at})
    found = {}
    for name, lower in (("plain", ()), ("lower", ("errors",))):
        imported(tmp_path / name, text, lower=lower)
        with Desk.open(tmp_path / name / "imported.jurydesk") as desk:
            found[name] = compute_findings(desk, Run())
    assert found["lower"].agreements == found["plain"].agreements
    before, after = ({one.question: one for one in found[name].outcomes} for name in found)
    assert [one.value for one in after["errors"].scores] == [1.5, 4.5]
    assert after["errors"].scores == before["errors"].scores
    assert [str(one) for one in before["errors"].ranks] == ["2", "1"]
    assert [str(one) for one in after["errors"].ranks] == ["1", "2"]
    assert after["clear"] == before["clear"]
    # Both statements are one scale of 5 steps: 1.5 errors are 4.5 of what is wanted.
    (overall,) = after.keys() - {"errors", "clear"}
    assert [one.value for one in after[overall].scores] == [4.5, 2.0]
    better = {one.name: one.better for one in found["lower"].metrics}
    assert better == {"errors": "lower", "clear": "higher", overall: "higher"}


def test_the_preferred_one_may_be_the_worse_one(tmp_path):
    rows = [
        f"r{rater},i{item},{'XY'[item % 2]},{'YX'[item % 2]},{'XY'[(item + rater) % 4 == 0]}"
        for rater in range(4)
        for item in range(16)
    ]
    text = "\n".join(["rater,item,system_a,system_b,winner", *rows]) + "\n"
    ranks = []
    for name, lower in (("plain", ()), ("lower", ("winner",))):
        imported(tmp_path / name, text, lower=lower)
        with Desk.open(tmp_path / name / "imported.jurydesk") as desk:
            found = compute_findings(desk, Run())
        at = found.systems.index("X")
        ranks.append([str(one.ranks[at]) for one in found.outcomes])
        assert {one.better for one in found.metrics} == {"lower" if lower else "higher"}
    assert ranks == [["1", "1"], ["2", "2"]]


def test_a_statement_that_no_answer_has_cannot_be_lower(tmp_path):
    done, _ = imported(tmp_path, "rater,item,system,rating\na,1,A,3\n", lower=("errors",))
    assert done.defects[-1].found == 'The table has no statement "errors".'


def test_categories_agree_and_do_not_rank(tmp_path):
    rows = [f"{rater},{item},A,{word}" for rater in "ab" for item, word in enumerate("xyzxyzx")]
    _, ratings = imported(tmp_path, "\n".join(["rater,item,system,label", *rows]) + "\n")
    assert kinds(ratings) == {"label": "category"}
    with Desk.open(tmp_path / "imported.jurydesk") as desk:
        found = compute_findings(desk, Run())
    assert found.outcomes == ()
    assert found.agreements[0].alpha.value == 1


def test_pairs_with_ties_are_preferences(tmp_path):
    text = "judge,question_id,model_a,model_b,winner\n"
    text += "ann,1,X,Y,model_a\nann,2,X,Y,tie (bothbad)\nbob,1,Y,X,model_b\nbob,2,Y,X,Y\n"
    _, ratings = imported(tmp_path, text)
    assert kinds(ratings) == {"winner": "pairwise"}
    assert values(ratings, "winner", "ann") == {
        ("1", "X"): 1, ("1", "Y"): 0, ("2", "X"): 0.5, ("2", "Y"): 0.5,
    }  # fmt: skip
    assert values(ratings, "winner", "bob") == {
        ("1", "X"): 1, ("1", "Y"): 0, ("2", "X"): 0, ("2", "Y"): 1,
    }  # fmt: skip


def test_best_and_worst_name_systems(tmp_path):
    text = "rater,item,system_1,system_2,system_3,best,worst\nr,1,A,B,C,B,C\n"
    _, ratings = imported(tmp_path, text)
    assert values(ratings, "best", "r") == {("1", "A"): 0, ("1", "B"): 1, ("1", "C"): -1}


def test_named_answers_are_read_in_the_place_of_best_and_worst(tmp_path):
    text = "rater,item,system,best,worst,points\nr,1,A,B,A,4\nr,1,B,B,A,2\n"
    done, ratings = imported(tmp_path, text, value=("points",))
    assert values(ratings, "points", "r") == {("1", "A"): 4, ("1", "B"): 2}
    assert "Columns that are left out: best, worst." in [one.found for one in done.defects]


def test_a_statement_beside_best_and_worst_is_said_to_be_left_out(tmp_path):
    text = "rater,item,system_1,system_2,system_3,best,worst,aspect\nr,1,A,B,C,B,C,plot\n"
    done, ratings = imported(tmp_path, text, statement="aspect")
    assert values(ratings, "best", "r") == {("1", "A"): 0, ("1", "B"): 1, ("1", "C"): -1}
    assert "Columns that are left out: aspect." in [one.found for one in done.defects]


LABEL_STUDIO = [
    {
        "id": 7,
        "data": {"item": "album-3", "system": "A", "text": "One day ."},
        "annotations": [
            {
                "id": 1001,
                "completed_by": {"id": 4, "email": "ann@example.org"},
                "was_cancelled": False,
                "lead_time": 8.5,
                "result": [
                    {"from_name": "quality", "type": "choices", "value": {"choices": ["Good"]}},
                    {"from_name": "stars", "type": "rating", "value": {"rating": 4}},
                    {"from_name": "why", "type": "textarea", "value": {"text": ["nice"]}},
                ],
            },
            {
                "id": 1002,
                "completed_by": {"id": 5, "email": "bob@example.org"},
                "was_cancelled": True,
                "lead_time": 1.0,
                "result": [
                    {"from_name": "stars", "type": "rating", "value": {"rating": 1}},
                ],
            },
        ],
    }
]


def test_exports_of_label_studio_have_raters_items_and_results(tmp_path):
    _, ratings = imported(tmp_path, json.dumps(LABEL_STUDIO), "project.json")
    assert ratings.study.pool.items[0].id == "album-3"
    assert kinds(ratings) == {"quality": "number", "stars": "number"}
    (rater,) = ratings.raters
    assert rater == "r01"
    assert values(ratings, "stars", rater) == {("album-3", "A"): 4}
    assert ratings.given[0][0].seconds == 8.5


def test_batches_of_mechanical_turk_have_workers_and_form_answers(tmp_path):
    answers = json.dumps([{"relevance": {"1": False, "4": True}, "slider": 40, "why": "x"}])
    quoted = answers.replace('"', '""')
    text = "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.story,Input.system,"
    text += "Answer.taskAnswers,Answer.fluency\n"
    text += f'H1,W1,Approved,31,s1,A,"{quoted}",3\nH1,W2,Rejected,2,s1,A,"{quoted}",1\n'
    _, ratings = imported(tmp_path, text)
    assert ratings.raters == ("W1",)
    assert values(ratings, "relevance", "W1") == {("s1", "A"): 4}
    assert values(ratings, "slider", "W1") == {("s1", "A"): 40}
    assert values(ratings, "fluency", "W1") == {("s1", "A"): 3}


def test_files_of_potato_have_the_rater_in_their_folder(tmp_path):
    line = {
        "id": "item-1",
        "displayed_text": "One day .",
        "label_annotations": {"quality": {"scale_4": "4"}, "tone": {"warm": "true"}},
        "span_annotations": {},
    }
    _, ratings = imported(tmp_path, json.dumps([line, {**line, "id": "item-2"}]),
                          "ann/annotated_instances.json")  # fmt: skip
    assert ratings.raters == ("ann",)
    assert list(values(ratings, "quality", "ann").values()) == [4, 4]


def test_forms_have_a_question_for_each_item(tmp_path):
    text = (
        "Timestamp,Email Address,Story 1 | A [fluency],Story 1 | A [sense],Story 2 | A [fluency]\n"
    )
    text += "2026/01/01,ann@example.org,4,5,1\n2026/01/02,bob@example.org,3,4,2\n"
    _, ratings = imported(tmp_path, text, title="{item} | {system} [{statement}]")
    assert ratings.raters == ("r01", "r02")
    assert values(ratings, "fluency", "r01") == {("Story 1", "A"): 4, ("Story 2", "A"): 1}
    with Desk.open(tmp_path / "imported.jurydesk") as desk:
        assert RatingStore(desk).rater_names() == {
            "r01": "ann@example.org", "r02": "bob@example.org",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("item,system,rating\n1,A,3\n", "no column of raters"),
        ("rater,system,rating\nr,A,3\n", "no column of items"),
        ("rater,item,system\nr,1,A\n", "no column of answers"),
        ("rater,item,system,rating\nr,1,A,\n", "no answers"),
        ("", "empty"),
        ("\0\0\0", "empty"),
        ("PK\x03\x04", "spreadsheet"),
        ("{}", "no list of objects"),
        ("rater,item,system_a,system_b,winner\nr,1,A,B,perhaps\n", "No column has answers"),
    ],
)
def test_a_table_without_ratings_is_refused_with_a_sentence(tmp_path, text, sentence):
    done, _ = imported(tmp_path, text)
    assert done.ratings is None
    assert any(sentence in one.found for one in done.defects), done.defects
    assert not (tmp_path / "imported.jurydesk").exists()


def test_another_import_replaces_the_first_and_answers_of_packets_stay(tmp_path):
    text = "rater,item,system,rating\nr,1,A,3\n"
    imported(tmp_path, text)
    done, ratings = imported(tmp_path, text.replace("3", "4"))
    assert values(ratings, "rating", "r") == {("1", "A"): 4}
    assert any("were replaced" in one.found for one in done.defects)
    own = studies.rated_desk(tmp_path / "own.jurydesk", studies.study(), 2)
    refused = import_ratings(own, tmp_path / "ratings.csv", RatingsOptions(), Run())
    assert refused.ratings is None
    assert "Import into another desk" in refused.defects[0].found


def test_programs_among_the_raters_count_for_no_rank_and_are_corrected_by_people(tmp_path):
    dice = np.random.default_rng(2)
    rows = []
    for item in range(60):
        true = int(dice.integers(1, 6))
        rows.append(f"gpt,llm,{item},A,{min(5, true + 1)}")
        if item < 20:
            rows += [f"{name},person,{item},A,{true}" for name in ("ann", "bob")]
    text = "\n".join(["rater,kind,item,system,rating", *rows]) + "\n"
    _, ratings = imported(tmp_path, text)
    assert ratings.raters == ("ann", "bob")
    with Desk.open(tmp_path / "imported.jurydesk") as desk:
        found = compute_findings(desk, Run())
    (judge,) = found.judges
    assert (judge.program, judge.question) == ("gpt", "rating")
    assert judge.bias > 0.5
    (mean,) = judge.means
    assert (mean.both, mean.more) == (20, 40)
    assert mean.interval.low < mean.value < mean.interval.high
    assert found.outcomes[0].scores[0].n == 20
    lines = program_lines(found)
    assert lines[2].split()[:3] == ["gpt", "rating", "A"]
    assert lines[2].count("[") == 2, "an interval of the mean, one of the correlation"


def test_programs_alone_are_ranked_as_raters(tmp_path):
    _, ratings = imported(tmp_path, "rater,item,system,rating\ngpt,1,A,3\n", programs=("gpt",))
    assert ratings.raters == ("gpt",)
    assert ratings.study.raters[0].is_program


def test_alike_answers_are_told_where_alpha_is_low(tmp_path):
    rows = [f"{rater},{item},A,{1 + (item == at)}"
            for at, rater in enumerate(("ann", "bob")) for item in range(30)]  # fmt: skip
    imported(tmp_path, "\n".join(["rater,item,system,rating", *rows]) + "\n")
    with Desk.open(tmp_path / "imported.jurydesk") as desk:
        remarks = agreement_remarks(compute_findings(desk, Run()))
    assert any("nearly all answers are alike" in one for one in remarks)


def test_how_many_judged_is_true_of_systems_with_fewer_ratings_too(tmp_path):
    rows = [f"{rater},{item},A,3" for rater in ("ann", "bob") for item in range(4)]
    for more, sentence in (
        (["ann,0,B,2"], "2 raters judged up to 4 entries of a system."),
        ([f"ann,{item},B,2" for item in range(4)], "2 raters judged 4 entries of each system."),
    ):
        imported(tmp_path, "\n".join(["rater,item,system,rating", *rows, *more]) + "\n")
        with Desk.open(tmp_path / "imported.jurydesk") as desk:
            assert agreement_remarks(compute_findings(desk, Run()))[0] == sentence


def test_an_import_that_fails_keeps_the_ratings_that_were_there(tmp_path, monkeypatch):
    table = "rater,item,system,value\na,q1,s,{0}\nb,q1,s,{0}\na,q2,s,5\nb,q2,s,5\n"
    _, before = imported(tmp_path, table.format(1))

    def fail(store, code, name):
        raise DeskError("The disk is full.")

    monkeypatch.setattr(RatingStore, "set_plan", lambda store, plan: fail(store, "", ""))
    done, _ = imported(tmp_path, table.format(3))
    assert done.ratings is None
    assert done.defects[-1].found == "The disk is full."
    with Desk.open(tmp_path / "imported.jurydesk") as opened:
        kept = load_ratings(RatingStore(opened))
    assert [one.tolist() for one in kept.values.values()] == [
        one.tolist() for one in before.values.values()
    ]


def test_a_pair_that_is_rated_again_in_the_other_order_is_compared_by_system(tmp_path):
    rows = ["rater,item,system_a,system_b,winner", "r0,i0,A,B,a", "r0,i1,A,B,b", "r0,i2,A,B,tie"]
    again = ["r0,i0,B,A,b", "r0,i1,B,A,b", "r0,i2,B,A,tie"]
    imported(tmp_path, "\n".join([*rows, *again]) + "\n")
    with Desk.open(tmp_path / "imported.jurydesk") as desk:
        (report,) = compute_findings(desk, Run()).raters
    assert report.consistency == pytest.approx(2 / 3)


def test_ratings_that_no_desk_could_be_read_with_are_refused(tmp_path, monkeypatch):
    rows = [f"r0,i{number},A,{number % 5 + 1}" for number in range(40)]
    text = "\n".join(["rater,item,system,value", *rows]) + "\n"
    for most, sentence in ((1000, "The raters have too many items"), (4000, "too many answers")):
        monkeypatch.setattr("jurydesk.core.desk.tables.rating_tables.MAX_BYTES", most)
        done, ratings = imported(tmp_path / str(most), text)
        assert ratings is None
        assert sentence in done.defects[-1].found
