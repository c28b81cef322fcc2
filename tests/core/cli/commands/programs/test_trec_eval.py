from __future__ import annotations

import io
import itertools
import json
import re

import pytest

from support.oracles import oracle

VERSIONS = {"trec9": "trec_eval_9.0.8", "trec10": "trec_eval_10.0"}
MEASURES = ("-m", "official", "-m", "ndcg", "-m", "ndcg_cut.5,10", "-m", "success")


def cases():
    """Return every case whose printed values were recorded from a successful run of trec_eval."""
    for line in oracle("keyword_spotting/shared_trec.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        for compat, version in VERSIONS.items():
            if case["trec_eval"][version]["rc"] == 0 and not case.get("good_error"):
                name = f"{case['name']}-{compat}"
                yield pytest.param(case, compat, case["trec_eval"][version]["values"], id=name)


@pytest.fixture
def files(tmp_path):
    def write(case):
        qrels, run = tmp_path / "qrels", tmp_path / "run"
        qrels.write_text(case["qrels"])
        run.write_text(case["run"])
        return qrels, run

    return write


@pytest.mark.parametrize(("case", "compat", "printed"), list(cases()))
def test_every_value_is_printed_as_trec_eval_prints_it(jurydesk, files, case, compat, printed):
    arguments = ("-q", *MEASURES, *case["trec_eval_args"], "--compat", compat, *files(case))
    outcome = jurydesk("trec_eval", *arguments)
    assert outcome.code == 0
    found: dict[str, dict[str, str]] = {}
    for line in outcome.out.splitlines():
        name, query, value = line.split("\t")
        found.setdefault(query, {})[name.strip()] = value
    assert found == printed


SMALL = {"qrels": "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n", "run": "q1 Q0 a 1 2.0 tag\nq2 Q0 d 1 1.0 tag\n"}


def test_lines_have_the_layout_of_trec_eval(jurydesk, files):
    outcome = jurydesk("trec_eval", "-q", "-m", "map", "-m", "num_ret", *files(SMALL))
    assert outcome.out == (
        "num_ret               \tq1\t1\n"
        "map                   \tq1\t1.0000\n"
        "num_ret               \tq2\t1\n"
        "map                   \tq2\t0.0000\n"
        "num_ret               \tall\t2\n"
        "map                   \tall\t0.5000\n"
    )


def test_the_run_is_named_as_in_its_last_line(jurydesk, files):
    texts = {**SMALL, "run": SMALL["run"] + "q1 Q0 b 2 0.5 last\n\n# end\n"}
    assert jurydesk("trec_eval", *files(texts)).out.startswith(
        "runid                 \tall\tlast\n"
    )


def test_without_a_measure_the_official_ones_are_printed(jurydesk, files):
    outcome = jurydesk("trec_eval", *files(SMALL))
    lines = outcome.out.splitlines()
    assert lines[0] == "runid                 \tall\ttag"
    assert lines[1] == "num_q                 \tall\t2"
    assert lines[-1] == "P_1000                \tall\t0.0005"
    assert len(lines) == 30


def test_parameters_can_be_written_in_both_ways(jurydesk, files):
    one = jurydesk("trec_eval", "-m", "P.3,1", *files(SMALL))
    other = jurydesk("trec_eval", "-m", "P_1", "-m", "P_3", *files(SMALL))
    assert one == other
    assert [line.split()[0] for line in one.out.splitlines()] == ["P_1", "P_3"]


def test_every_measure_accepts_its_parameter(jurydesk, files):
    """set_F is (x + 1) P R / (R + x P) in m_set_F.c of trec_eval 9.0.8; here P is 1/4, R 1/2."""
    case = {"qrels": "q1 0 a 1\nq1 0 b 1\n", "run": "q1 Q0 a 1 2 tag\nq1 Q0 z 2 1 tag\n"}
    case["run"] += "".join(f"q1 Q0 y{n} 3 0 tag\n" for n in range(2))
    asked = ["set_F_0.5", "set_F_3", "iprec_at_recall.0.5,0.75", "Rprec_mult.0.5"]
    arguments = [word for measure in asked for word in ("-m", measure)]
    lines = jurydesk("trec_eval", *arguments, *files(case)).out.splitlines()
    assert [line.split("\tall\t") for line in lines] == [
        ["iprec_at_recall_0.50  ", "1.0000"],
        ["iprec_at_recall_0.75  ", "0.0000"],
        ["Rprec_mult_0.50       ", "1.0000"],
        ["set_F_3               ", f"{4 * 0.25 * 0.5 / (0.5 + 3 * 0.25):.4f}"],
        ["set_F_0.5             ", f"{1.5 * 0.25 * 0.5 / (0.5 + 0.5 * 0.25):.4f}"],
    ]


def test_the_first_parameters_after_a_dot_decide_as_in_trec_eval(jurydesk, files):
    """add_meas_arg_info and te_init_meas_a_double_cut_long of trec_eval: the first that fits."""
    for asked in (["P.7,3", "P"], ["P", "P.7,3"], ["P.7,3", "P.5"], ["official", "P.7,3"]):
        arguments = [word for measure in asked for word in ("-m", measure)]
        lines = jurydesk("trec_eval", *arguments, *files(SMALL)).out.splitlines()
        names = [line.split()[0] for line in lines]
        assert [name for name in names if name.startswith("P_")] == ["P_3", "P_7"]


def test_with_c_every_document_above_0_is_counted_whatever_the_level(jurydesk, files):
    """te_calc_avg_num_rel of m_num_rel.c, trec_eval 9.0.8 and 10.0."""
    case = {
        "qrels": "q1 0 a 1\nq1 0 b 0\nq2 0 c 3\nq2 0 d -1\n",
        "run": "q1 Q0 a 1 2 tag\n",
    }
    for level, compat in itertools.product(("0", "2", "4"), VERSIONS):
        arguments = ("-c", "-l", level, "-m", "num_rel", "--compat", compat)
        outcome = jurydesk("trec_eval", *arguments, *files(case))
        assert outcome.out == "num_rel               \tall\t2\n"


def test_without_a_summary_only_queries_are_printed(jurydesk, files):
    outcome = jurydesk("trec_eval", "-q", "-n", "-o", "-m", "map", *files(SMALL))
    assert outcome.out
    assert "\tall\t" not in outcome.out


def test_all_measures_are_printed_in_trec_eval_s_order(jurydesk, files):
    """The names are those that trec_eval 9.0.8 prints, each at its first place."""
    outcome = jurydesk("trec_eval", "-m", "all_trec", *files(SMALL))
    names = [line.split()[0] for line in outcome.out.splitlines()]
    stems = [re.sub(r"_[0-9.]+$", "", name) for name in names]
    assert " ".join(dict.fromkeys(stems)) == (
        "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank "
        "iprec_at_recall P recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg "
        "ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P set_recall "
        "set_map set_F num_nonrel_judged_ret"
    )


def test_the_relevance_of_the_first_documents_is_a_string(jurydesk, files):
    """As trec_eval: the relevance, - outside the pool, . where nobody judged, > above 9."""
    case = {
        "qrels": "q1 0 a 2\nq1 0 b 0\nq1 0 c -1\nq1 0 d 10\n",
        "run": "".join(f"q1 Q0 {name} 1 {9 - i} tag\n" for i, name in enumerate("abxcd")),
    }
    outcome = jurydesk("trec_eval", "-q", "-m", "relstring", "-m", "num_q", *files(case))
    assert outcome.out == ("relstring             \tq1\t'20-.>'\nnum_q                 \tall\t1\n")
    shorter = jurydesk("trec_eval", "-q", "-m", "relstring.2", *files(case))
    assert shorter.out == "relstring_2           \tq1\t'20'\n"


RECORDED = json.loads(oracle("keyword_spotting/trec_eval_options.json").read_text("utf-8"))


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: " ".join(case["arguments"]))
def test_options_and_parameters_print_what_trec_eval_prints(jurydesk, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    for name, text in RECORDED["files"].items():
        (tmp_path / name).write_text(text)
    outcome = jurydesk("trec_eval", *case["arguments"], case["judgements"], "run")
    assert outcome.code == 0
    assert outcome.out == case["output"]


def test_version_10_has_rank_biased_precision_and_unjudged_documents(jurydesk, files):
    """By the definitions: gains 1/2 and 1 at ranks 1 and 3, an unjudged document at rank 2."""
    case = {
        "qrels": "q1 0 a 1\nq1 0 b 2\nq2 0 a 1\n",
        "run": "".join(f"q1 Q0 {name} 1 {9 - i} tag\n" for i, name in enumerate("axb")),
    }
    measures = ("-m", "rbp", "-m", "rbp.p=0.5", "-m", "rbp_resid", "-m", "unj.2,3")
    outcome = jurydesk("trec_eval", *measures[2:], "--compat", "trec10", *files(case))
    assert [line.split("\tall\t") for line in outcome.out.splitlines()] == [
        ["rbp_p=0.5             ", f"{0.5 * (0.5 + 0.25):.4f}"],
        ["rbp_resid             ", f"{0.9**3 + 0.1 * 0.9:.4f}"],
        ["unj_2                 ", "0.5000"],
        ["unj_3                 ", "0.3333"],
    ]
    outcome = jurydesk("trec_eval", *measures[:2], "--compat", "trec10", *files(case))
    assert outcome.out.endswith(f"\t{0.1 * (0.5 + 0.81):.4f}\n")
    assert jurydesk("trec_eval", "-m", "rbp", *files(case)).code == 2


def test_version_10_shows_a_query_without_results_as_an_empty_string(jurydesk, files):
    case = {"qrels": "q1 0 a 1\nq2 0 a 1\n", "run": "q1 Q0 a 1 1 tag\n"}
    arguments = ("-q", "-c", "-m", "relstring", "-m", "num_ret", "--compat", "trec10")
    outcome = jurydesk("trec_eval", *arguments, *files(case))
    assert "num_ret               \tq2\t0\nrelstring             \tq2\t''\n" in outcome.out


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("mapp", 'trec_eval has no measure "mapp". Did you mean map?'),
        ("zzzz", 'trec_eval has no measure "zzzz". Measures are: runid, num_q'),
        ("nDCG@10", 'trec_eval has no measure "nDCG@10". Did you mean ndcg_cut_10?'),
        ("RR", 'trec_eval has no measure "RR". Did you mean recip_rank?'),
        ("P.", 'trec_eval has no measure "P.". Did you mean P?'),
        ("P.x", "A cutoff of P is not a number above 0: x."),
        ("P.5,0", "A cutoff of P is not a number above 0: 5,0."),
        ("recall.5,5.0", "A cutoff of recall is repeated: 5,5.0."),
        ("utility.1,2", "utility has 4 coefficients, but 2 are given: 1,2."),
        ("ndcg.1", '"1" is not a pair of grade and gain, such as 2=9.'),
        ("prefs_simp", "prefs_simp needs judgements in the format prefs (-R prefs), but"),
        ("P_avgjg", "P_avgjg needs judgements in the format qrels_jg (-R qrels_jg), but"),
    ],
)
def test_a_wrong_measure_is_refused(jurydesk, files, measure, message):
    outcome = jurydesk("trec_eval", "-m", measure, *files(SMALL))
    assert outcome.code == 2
    assert outcome.out == ""
    assert f"Error: {message}" in outcome.err


@pytest.mark.parametrize(
    ("form", "judgements", "message"),
    [
        ("prefs", "q1 u a 1\n", "error  qrels, line 1: The line has 4 fields."),
        ("qrels_prefs", "q1 u a x\n", 'error  qrels, line 1: The level "x" is not a number.'),
        ("qrels_jg", "q1 u a 1\n\nq1 u a 0\n", 'error  qrels, line 3: Document "a" is judged'),
        ("prefs", "# empty\n", "error  qrels, line 1: The file holds no judgements."),
        ("prefs", "q1 u s a 1\nq1 u s a 0\n", "query q1: document a has the level 0 and"),
        ("prefs", "q1 u s a 1\nq1 u s a 2\n", "query q1: the preferences of group u contradict"),
    ],
)
def test_errors_in_judgements_of_groups_are_named(jurydesk, files, form, judgements, message):
    measure = "qrels_jg" if form == "qrels_jg" else "prefs"
    pair = files({**SMALL, "qrels": judgements})
    outcome = jurydesk("trec_eval", "-R", form, "-m", measure, *pair)
    assert outcome.code in (1, 2)
    assert outcome.out == ""
    assert message in outcome.err


def test_levels_below_0_with_which_trec_eval_reads_past_its_list_are_named(jurydesk, files):
    # Two relevant documents and three others, of which one alone has the lowest level.
    levels = {"a": 2, "b": 1, "c": 0, "d": 0, "e": -1}
    judged = "".join(f"q1 u {one} {level}\n" for one, level in levels.items())
    listed = "".join(f"q1 Q0 {one} 1 {-rank} t\n" for rank, one in enumerate("bdaec"))
    pair = files({"qrels": judged, "run": listed})
    for measure, is_told in (("prefs_avgjg_Rnonrel", True), ("prefs_avgjg", False)):
        outcome = jurydesk("trec_eval", "-R", "qrels_prefs", "-m", measure, *pair)
        assert outcome.out.split()[:2] == [measure, "all"]
        assert ("may read past its list" in outcome.err) is is_told


def test_errors_in_means_of_z_scores_are_named(jurydesk, files, tmp_path):
    (tmp_path / "means").write_text("q1 map 0.5\n")
    outcome = jurydesk("trec_eval", "-Z", tmp_path / "means", *files(SMALL))
    assert outcome.code == 1
    assert "means, line 1: query, measure, mean and deviation are expected." in outcome.err


def test_the_version_is_that_of_the_original(jurydesk):
    outcome = jurydesk("trec_eval", "-v", "--compat", "trec10")
    assert outcome.err == "trec_eval version 10.0\n"


def test_a_damaged_run_is_not_scored(jurydesk, files):
    outcome = jurydesk("trec_eval", *files({**SMALL, "run": "q1 Q0 a 1 abc tag\n"}))
    assert outcome.code == 1
    assert outcome.out == ""
    assert outcome.err.startswith('error  run, line 1: The score "abc" is not a number.')


def test_a_measure_of_another_format_is_refused_after_the_name_of_the_run(jurydesk, files):
    outcome = jurydesk("trec_eval", "-m", "runid", "-m", "prefs_simp", *files(SMALL))
    assert outcome.code == 2
    assert "prefs_simp needs judgements in the format prefs (-R prefs)" in outcome.err


def test_ranks_are_those_among_judged_documents(jurydesk, files):
    """The first document is not judged: with -J, the relevant second one has rank 1."""
    pair = files({"qrels": "q1 0 a 1\n", "run": "q1 Q0 x 1 3 x\nq1 Q0 a 2 2 x\n"})
    found = [jurydesk("trec_eval", *options, "-m", "P.1", *pair).out for options in ((), ("-J",))]
    assert [text.split()[-1] for text in found] == ["0.0000", "1.0000"]


def test_pairs_of_documents_that_are_not_listed_are_not_fulfilled(jurydesk, files):
    """Of a > b and c > d, only a and b are listed."""
    qrels = "q1 u s a 2\nq1 u s b 1\nq1 v s c 2\nq1 v s d 1\n"
    pair = files({"qrels": qrels, "run": "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\n"})
    measures = ("-m", "prefs_pair", "-m", "prefs_pair_ret", "-m", "prefs_pair_imp")
    outcome = jurydesk("trec_eval", "-R", "prefs", *measures, *pair)
    values = dict(line.split()[::2] for line in outcome.out.splitlines())
    assert values == {
        "prefs_pair": "0.5000",
        "prefs_pair_ret": "1.0000",
        "prefs_pair_imp": "1.0000",
    }


GRADED = {
    "qrels": "q1 0 a 1\nq1 0 b 2\nq1 0 c 1\nq1 0 d 0\nq2 0 a 1\nq2 0 b 2\n",
    "run": "q1 Q0 a 1 3 x\nq1 Q0 d 2 2 x\nq1 Q0 b 3 1 x\n",
}
"""Printed values are those of trec_eval 10.0."""


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (("-m", "Rprec_mult.0.4"), ["0.5000"]),
        (("-c", "-l", "2", "-m", "num_rel"), ["5"]),
        (("-q", "-c", "-m", "relstring"), ["'102'", "''"]),
    ],
)
def test_version_10_prints_what_the_released_10_0_prints(jurydesk, files, arguments, printed):
    outcome = jurydesk("trec_eval", "--compat", "trec10", *arguments, *files(GRADED))
    assert [line.rpartition("\t")[2] for line in outcome.out.splitlines()] == printed


def test_version_10_averages_all_queries_where_none_is_common(jurydesk, files):
    given = files({**GRADED, "run": "q9 Q0 a 1 3 x\n"})
    outcome = jurydesk("trec_eval", "--compat", "trec10", "-c", "-m", "map", *given)
    assert (outcome.code, outcome.out) == (0, "map                   \tall\t0.0000\n")
    assert "q9" in outcome.err
    refused = jurydesk("trec_eval", "--compat", "trec10", "-m", "map", *given)
    assert (refused.code, refused.out) == (1, "")


@pytest.mark.parametrize("compat", VERSIONS)
@pytest.mark.parametrize(
    ("grades", "values"),
    [
        # trec_eval 9.0.8 and 10.0 print these values.
        (("0.9", "0.4", "0"), ["0", "0.0000", "0.0000"]),
        (("1.5", "0.5", "0"), ["1", "1.0000", "1.0000"]),
    ],
)
def test_fractions_are_truncated_as_in_trec_eval_with_a_note(
    jurydesk, files, compat, grades, values
):
    judged = "".join(f"q1 0 {name} {grade}\n" for name, grade in zip("abc", grades, strict=True))
    run = "".join(
        f"q1 Q0 {name} 1 {score} x\n" for name, score in zip("abc", (3, 2, 1), strict=True)
    )
    given = files({"qrels": judged, "run": run})
    measures = ("-m", "num_rel", "-m", "map", "-m", "ndcg")
    outcome = jurydesk("trec_eval", "--compat", compat, *measures, *given)
    assert [line.rpartition("\t")[2] for line in outcome.out.splitlines()] == values
    assert f"Judgements that are fractions: 2 (first: {grades[0]})." in outcome.err
    assert f"{grades[0]} counts as {grades[0][0]}, as in trec_eval." in outcome.err


def test_a_z_score_without_a_mean_is_not_a_number(jurydesk, files, tmp_path):
    """trec_eval 9.0.8 prints Zmap nan; (0.2 - 0) / 0.1 is 2."""
    scores = tmp_path / "z.txt"
    scores.write_text("q1 map nan nan\nq1 P_5 0 0.1\n")
    outcome = jurydesk(
        "trec_eval", "-q", "-n", "-m", "map", "-m", "P.5", "-Z", scores, *files(SMALL)
    )
    lines = [line.split() for line in outcome.out.splitlines()[:2]]
    assert lines == [["Zmap", "q1", "nan"], ["ZP_5", "q1", "2.0000"]]


def test_results_are_read_from_standard_input(jurydesk, files, monkeypatch):
    qrels, run = files(SMALL)
    expected = jurydesk("trec_eval", "-m", "map", qrels, run).out
    with run.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        assert jurydesk("trec_eval", "-m", "map", qrels, "-").out == expected
