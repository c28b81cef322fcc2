from __future__ import annotations

import gzip
import io
import json

import pytest

from jurydesk.core.metrics.meteor.languages import LANGUAGES
from support.oracles import oracle


def recorded(config: str, count: int) -> list[dict]:
    """Return the first recorded lines of meteor-1.5.jar for a configuration."""
    with oracle("meteor/own.jsonl").open(encoding="utf-8", newline="\n") as stream:
        lines = [json.loads(line) for line in stream]
    return [line for line in lines if line["config"] == config][:count]


def write(path, lines):
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("config", ["vist", "coco"])
def test_each_line_is_returned_with_score_counts_and_matches_in_the_same_order(
    jurydesk, tmp_path, config
):
    lines = recorded(config, 60)
    pairs, out = write(tmp_path / "pairs.jsonl", lines), tmp_path / "out.jsonl"
    outcome = jurydesk("meteor", "--profile", config, "--pairs", pairs, "--out", out)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    found = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    wanted = [{key: line[key] for key in ("score", "stats", "matches")} for line in lines]
    assert found == wanted


def test_without_a_file_the_lines_are_written_to_standard_output(jurydesk, tmp_path):
    lines = recorded("coco", 3)
    pairs = write(tmp_path / "pairs.jsonl", lines)
    outcome = jurydesk("meteor", "--profile", "coco", "--pairs", pairs)
    scores = [json.loads(line)["score"] for line in outcome.out.splitlines()]
    assert scores == [line["score"] for line in lines]


def test_the_aggregate_is_printed_alone_or_after_the_lines(jurydesk, tmp_path):
    pairs = write(tmp_path / "pairs.jsonl", recorded("coco", 20))
    alone = jurydesk("meteor", "--profile", "coco", "--pairs", pairs, "--corpus")
    out = tmp_path / "out.jsonl"
    beside = jurydesk("meteor", "--profile", "coco", "--pairs", pairs, "--corpus", "--out", out)
    assert 0 < float(alone.out) < 1
    assert alone.out == beside.out
    assert len(out.read_text().splitlines()) == 20


def test_flags_override_the_profile(jurydesk, tmp_path):
    pairs = write(tmp_path / "pairs.jsonl", recorded("coco", 20))
    named = jurydesk("meteor", "--profile", "coco", "--pairs", pairs)
    spelled = jurydesk("meteor", "--task", "rank", "--norm", "--pairs", pairs)
    assert named == spelled
    both = jurydesk("meteor", "--profile", "coco", "--norm", "--pairs", pairs)
    assert both.code == 2
    assert "--profile sets task and text options" in both.err


def test_every_invalid_line_is_reported_and_nothing_is_written(jurydesk, tmp_path):
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pairs.write_bytes(
        b'{"hyp": "a", "refs": ["a"]}\n{"hyp": 1, "refs": []}\n\xff\n[]\n{"hyp": "a"}\n{\n'
    )
    outcome = jurydesk("meteor", "--profile", "coco", "--pairs", pairs, "--out", out)
    assert outcome.code == 1
    shape = '       Expected a JSON object with "hyp", a string, and "refs", a list of strings.\n'
    assert outcome.err == (
        f'error  pairs.jsonl, line 2: "hyp" is missing or not a string.\n{shape}'
        f"error  pairs.jsonl, line 3: The line is not UTF-8.\n{shape}"
        f"error  pairs.jsonl, line 4: The line is not a JSON object.\n{shape}"
        f'error  pairs.jsonl, line 5: "refs" is missing or not a list of strings.\n{shape}'
        "error  pairs.jsonl, line 6: The line is not valid JSON: Expecting property name enclosed "
        f"in double quotes.\n{shape}"
        "Error: The lines above have errors: fix them first.\n"
    )
    assert not out.exists()


def test_an_empty_file_has_no_lines(jurydesk, tmp_path):
    pairs = write(tmp_path / "pairs.jsonl", [])
    assert jurydesk("meteor", "--profile", "coco", "--pairs", pairs).out == ""


def test_a_missing_file_is_reported(jurydesk, tmp_path):
    outcome = jurydesk("meteor", "--profile", "coco", "--pairs", tmp_path / "absent.jsonl")
    assert outcome.code == 1
    assert outcome.err == f"Error: {tmp_path / 'absent.jsonl'}: No such file or directory.\n"


def test_thousands_of_invalid_lines_are_counted_and_the_first_are_listed(jurydesk, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_bytes(b"\n" * 45_000)
    outcome = jurydesk("meteor", "--profile", "coco", "--pairs", pairs)
    assert outcome.code == 1
    assert outcome.err.count("The line is empty.") == 10
    assert "There are 44,990 more of this kind, on lines 11, 12, 13 and 44,987 more." in outcome.err
    assert outcome.err.endswith("Error: The lines above have errors: fix them first.\n")


def test_characters_are_counted_on_request(jurydesk, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"hyp": "a dog", "refs": ["a dogs"]}\n')
    outcome = jurydesk("meteor", "--task", "util", "--char", "--pairs", pairs)
    assert json.loads(outcome.out)["stats"][:4] == [4, 5, 1, 1]


@pytest.mark.parametrize("arguments", [(), ("--stdio", "--prepare")])
def test_exactly_one_action_must_be_requested(jurydesk, arguments):
    outcome = jurydesk("meteor", *arguments)
    assert outcome.code == 2
    assert "Give TEST and REFERENCE, --pairs FILE, --stdio" in outcome.err


def test_stdio_answers_as_the_jar_does(jurydesk, monkeypatch):
    line = recorded("coco", 1)[0]
    request = " ||| ".join(["SCORE", *line["refs"][:1], line["hyp"]])
    typed = io.TextIOWrapper(io.BytesIO(f"{request}\nEVAL\n".encode()))
    monkeypatch.setattr("sys.stdin", typed)
    outcome = jurydesk("meteor", "--stdio", "--profile", "coco")
    assert outcome.code == 0
    counts, complaint = outcome.out.splitlines()
    assert len(counts.split(" ")) == 23
    assert complaint == "Error: specify Meteor stats"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_stdio_ends_lines_as_java_does(jurydesk, monkeypatch, end):
    typed = io.TextIOWrapper(io.BytesIO(end.join(["EVAL", "SING", "", "x"]).encode()))
    monkeypatch.setattr("sys.stdin", typed)
    answers = jurydesk("meteor", "--stdio", "--profile", "coco").out.splitlines()
    assert (
        answers
        == ["Error: specify Meteor stats"] * 2 + ["Error: specify SCORE or EVAL or SING"] * 2
    )


def test_missing_language_data_end_with_exit_code_3(jurydesk, tmp_path, monkeypatch):
    from jurydesk.core.metrics.meteor import scorer
    from jurydesk.core.metrics.meteor.language_data import source_files

    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path))
    monkeypatch.setattr(scorer, "_open", {})
    monkeypatch.setattr(source_files.importlib.util, "find_spec", lambda name: None)
    outcome = jurydesk("meteor", "--prepare")
    assert outcome.code == 3
    assert (
        "Error: METEOR's language data are missing, and there is no pip to fetch them: "
        "pip install 'jurydesk[meteor]'.\n"
    ) in outcome.err


def test_the_arguments_of_the_jar_are_accepted(jurydesk, monkeypatch):
    """Use the arguments of its wrappers: java -jar meteor-1.5.jar - - -stdio -l en -norm."""
    line = recorded("coco", 1)[0]
    request = " ||| ".join(["SCORE", *line["refs"][:1], line["hyp"]])
    answers = []
    for arguments in (["-", "-", "-stdio", "-l", "en", "-norm"], ["--stdio", "--profile", "coco"]):
        typed = io.TextIOWrapper(io.BytesIO(f"{request}\n".encode()))
        monkeypatch.setattr("sys.stdin", typed)
        answers.append(jurydesk("meteor", *arguments).out)
    assert answers[0] == answers[1]
    assert len(answers[0].split(" ")) == 23


@pytest.mark.parametrize("arguments", [("-", "-"), ("test",), ("test", "ref", "-stdio")])
def test_other_combinations_of_arguments_are_refused(jurydesk, arguments):
    outcome = jurydesk("meteor", *arguments)
    assert outcome.code == 2
    assert "Give TEST and REFERENCE, --pairs FILE" in outcome.err


PAIRS = json.loads(oracle("meteor/files.json").read_text("utf-8"))
FILES = PAIRS["files"]


@pytest.mark.parametrize("case", PAIRS["cases"], ids=lambda case: " ".join(case["arguments"]))
def test_two_files_are_scored_and_printed_as_by_the_jar(jurydesk, folder, case):
    outcome = jurydesk("meteor", *case["arguments"])
    assert outcome.code == 0
    assert outcome.out == case["output"]
    assert outcome.err == case["errors"]
    written = folder / "pre-align.out"
    assert (written.read_text("utf-8") if written.exists() else "") == case["alignments"]


@pytest.mark.usefixtures("folder")
def test_files_of_different_lengths_are_refused(jurydesk):
    outcome = jurydesk("meteor", "test", "two")
    assert outcome.code == 2
    assert outcome.out == ""
    assert "test has 3 lines, so two must have 3, but it has 6." in outcome.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-p", "0.5 1"), "alpha, beta, gamma and delta are 4 numbers, not 2"),
        (("-p", "a b c d"), "could not convert string to float: 'a'"),
        (("-m", "stem exact"), "the modules are exact, then any of stem, synonym and paraphrase"),
    ],
)
def test_invalid_parameters_are_refused(jurydesk, arguments, message):
    outcome = jurydesk("meteor", "test", "one", *arguments)
    assert outcome.code == 2
    assert f"Options -p, -m and -w do not fit: {message}" in outcome.err


RECORDED = json.loads(oracle("meteor/languages.json").read_text("utf-8"))


@pytest.fixture
def own_files(tmp_path, monkeypatch):
    """Return the working folder, with a table, a list of words and the files of a new language."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.gz").write_bytes(packed_table(RECORDED["table"]))
    (tmp_path / "words").write_text("the\n.\nzwei\n", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "function.words").write_text("one\n,\n", "utf-8")
    new = packed_table([("four", "three two"), ("six", "five")])
    (tmp_path / "folder" / "paraphrase.gz").write_bytes(new)
    return tmp_path


def packed_table(entries) -> bytes:
    return gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in entries).encode())


@pytest.mark.parametrize(
    "case", RECORDED["cases"], ids=lambda case: " ".join(case["arguments"][3:])
)
def test_other_languages_are_scored_as_by_the_jar(jurydesk, own_files, case):
    for name in ("test", "one"):
        (own_files / name).write_text(case[name], "utf-8")
    outcome = jurydesk("meteor", *case["arguments"])
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == case["output"]


@pytest.mark.parametrize("code", ["DE", "german", "German"])
def test_a_language_has_its_name_and_code_in_any_case(jurydesk, own_files, code):
    (own_files / "test").write_text("zwei Hunde\n", "utf-8")
    outcome = jurydesk("meteor", "test", "test", "-l", code, "-m", "exact stem")
    assert "Language:       German\n" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("-l", "xy"), 2, "METEOR has no language 'xy'; it has en, cz, de, es, fr, ru, da,"),
        (("-l", "da", "-norm"), 2, "no normalizer for Danish: separate the punctuation"),
        (("-l", "cz", "-m", "exact stem"), 2, "METEOR has no stemmer for Czech: name other"),
        (("-l", "de", "-m", "exact synonym"), 2, "METEOR has no synonyms of German: name other"),
        (("-l", "de"), 3, "METEOR's paraphrases of German are missing: pycocoevalcap has English"),
        (("-l", "de", "-a", "none.gz"), 1, "none.gz: there is no such file."),
        (("-new", "none"), 1, "paraphrase.gz: there is no such file."),
        (("-l", "de", "--profile", "coco"), 2, "--profile sets task and text options"),
    ],
)
def test_what_the_jar_lacks_for_a_language_is_said(jurydesk, own_files, arguments, code, sentence):
    (own_files / "test").write_text("zwei Hunde\n", "utf-8")
    outcome = jurydesk("meteor", "test", "test", *arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert sentence in outcome.err


def test_the_help_lists_all_languages(jurydesk):
    words = jurydesk("meteor", "--help").out.replace(",", " ").split()
    assert LANGUAGES.keys() <= set(words)


def test_the_protocol_is_served_in_other_languages(jurydesk, monkeypatch):
    typed = io.TextIOWrapper(io.BytesIO("SCORE ||| två katter ||| två katten\n".encode()))
    monkeypatch.setattr("sys.stdin", typed)
    counts = jurydesk("meteor", "-", "-", "-stdio", "-l", "sv").out.split()
    assert counts[:10] == ["2.0", "2.0", "0.0", "0.0", "1.0", "1.0", "0.0", "0.0", "1.0", "1.0"]


def test_synonyms_of_a_folder_are_used_as_by_the_jar(jurydesk, own_files):
    (own_files / "test").write_text("the cat sat on a mat\nmice run\nrodents\n", "utf-8")
    (own_files / "one").write_text("a feline sat\nrodent runs\nmice\n", "utf-8")
    synsets = "cat\n1 2\nfeline\n2\nmouse\n7\nrodent\n7\nmat\n9\n"
    (own_files / "english.synsets").write_text(synsets, "utf-8")
    (own_files / "english.exceptions").write_text("mouse\nmice\n", "utf-8")
    outcome = jurydesk("meteor", "test", "one", "-d", ".")
    lines = [line for line in outcome.out.splitlines() if line.startswith("Segment")]
    assert [line.split("\t")[1] for line in lines] == [
        "0.36891685418195685",
        "0.7000000000000001",
        "0.8000000000000002",
    ]
