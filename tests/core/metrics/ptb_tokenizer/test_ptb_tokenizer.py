"""PTB tokenizer compared with the tokens of stanford-corenlp-3.4.1.jar."""

import importlib.util
import json
import os
import random
import shutil
import string
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jurydesk.core.metrics.ptb_tokenizer import (
    lexer,
    line_separators,
    tokenize_captions,
    tokenized_lines,
)
from support.oracles import data, oracle

FUZZED_LINES = int(os.environ.get("JURYDESK_FUZZED_LINES", "20000"))
LEAST_SHARE_OF_FUZZED = 0.99


@cache
def recorded():
    text = oracle("captions/own_tokens.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def tokens(text):
    return next(tokenized_lines(text))


def test_every_recorded_line_has_the_jar_s_tokens():
    rows = recorded()
    ours = tokenized_lines("\n".join(row["text"] for row in rows))
    wrong = [
        (row["class"], row["text"])
        for row, line in zip(rows, ours, strict=True)
        if line != " ".join(row["tokens"])
    ]
    assert wrong == []


def test_the_wrapper_keeps_the_same_words():
    rows = recorded()
    assert tokenize_captions([row["text"] for row in rows]) == [row["wrapper"] for row in rows]


def test_a_period_depends_on_the_next_line():
    rows = [row for row in recorded() if "tokens_before_a_small_letter" in row]
    assert len(rows) > 30
    for row in rows:
        expected = " ".join(row["tokens_before_a_small_letter"])
        assert tokens(row["text"] + "\nthe") == expected


@pytest.mark.parametrize(
    "file",
    json.loads(oracle("captions/own_files.json").read_bytes()),
    ids=lambda file: file["note"],
)
def test_a_file_has_the_jar_s_lines(file):
    text = bytes.fromhex(file["bytes_hex"]).decode("utf-8", "replace")
    assert list(tokenized_lines(text)) == file["lines"]


def test_real_captions_have_the_jar_s_tokens():
    text = data("coco/part_tokens.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.split("\n") if line]
    ours = tokenized_lines("\n".join(row["text"].replace("\n", " ") for row in rows))
    assert [
        row["text"]
        for row, line in zip(rows, ours, strict=True)
        if line.split(" ") != row["tokens"]
    ] == []
    assert tokenize_captions([row["text"] for row in rows]) == [row["wrapper"] for row in rows]


def test_a_line_separator_shifts_the_published_captions_only():
    captions = ["a\u2028b", "c", "d"]
    assert tokenize_captions(captions) == ["a", "b", "c"]
    assert tokenize_captions(captions, corrected=True) == ["a b", "c", "d"]


@pytest.mark.parametrize(
    ("caption", "found"),
    [("a\rb", ["\r"]), ("a\r", []), ("a\r\n", ["\r"]), ("a\vb\f", ["\v", "\f"]), ("a\nb", [])],
)
def test_separators_inside_a_caption_are_found(caption, found):
    assert line_separators(caption) == found


def test_the_corrected_profile_drops_brackets_and_parts_joined_words():
    assert tokenize_captions(["(a) 3 1/2 [b]"]) == ["-lrb- a -rrb- 3\xa01/2 -lsb- b -rsb-"]
    assert tokenize_captions(["(a) 3 1/2 [b]"], corrected=True) == ["a 3 1/2 b"]


def test_the_corrected_profile_tokenizes_each_caption_alone():
    assert tokenize_captions(["see no.", "5 goats"]) == ["see no.", "5 goats"]
    assert tokenize_captions(["see no.", "5 goats"], corrected=True) == ["see no", "5 goats"]


@pytest.mark.parametrize(
    "part",
    [
        "a'",
        "a.1",
        "a@",
        "<a ",
        "<!",
        "a,b",
        "a+b",
        '<a b="',
        "a'b@ ",
        "inc. ",
        "(",
        "'",
        "www.",
        "5\xad-",
    ],
)
def test_the_time_is_linear_in_the_length(part):
    def seconds(times):
        began = time.process_time()
        for _ in tokenized_lines(part * times):
            pass
        return time.process_time() - began

    seconds(10)
    short = min(seconds(2_000) for _ in range(3))
    assert seconds(16_000) < 8 * short * 4 + 0.05  # quadratic time would be 64 times as long


def test_any_text_can_be_tokenized():
    chooser = random.Random(3)
    alphabet = string.printable + "é字\u2028\xa0\xad\ud83d\U0001f600’“«\x92"
    for _ in range(300):
        text = "".join(chooser.choices(alphabet, k=40))
        for line in tokenized_lines(text):
            assert "" not in line.split(" ") or line == ""


def jar():
    package = importlib.util.find_spec("pycocoevalcap")
    folder = Path(package.submodule_search_locations[0]) / "tokenizer"
    return folder / "stanford-corenlp-3.4.1.jar"


def fuzzed(count, seed):
    """Return lines of words, signs and pieces of both, joined at random."""
    chooser = random.Random(seed)
    pieces = sorted(
        {piece for row in recorded() for piece in row["text"].split() if len(piece) < 25}
    )
    joints = ["", " ", "", "-", "'", " "]

    def line():
        kind = chooser.random()
        if kind < 0.5:
            return " ".join(chooser.choices(pieces, k=chooser.randint(2, 9)))
        if kind < 0.75:
            return "".join(piece + chooser.choice(joints) for piece in chooser.choices(pieces, k=4))
        return "".join(chooser.choices(string.printable[:95], k=chooser.randint(3, 14)))

    return [line() for _ in range(count)]


def token_lines(text: str) -> Iterator[list[str]]:
    """Yield the tokens of each line of a text."""
    rules, place = lexer.Lexer(text), 0
    while place <= len(text):
        tokens, place = rules.line(place)
        yield tokens


def test_cached_tokens_equal_those_of_the_rules():
    text = "\n".join([*fuzzed(1_500, seed=5), *captions_with_odd_words(500)])
    assert list(tokenized_lines(text)) == [" ".join(tokens) for tokens in token_lines(text)]


def captions_with_odd_words(count):
    """Return lines of plain words with one unusual piece."""
    chooser = random.Random(8)
    odd = ['"', "2", "3 1/2", "No.", "Inc.", "e.g.", ":)", "&", "'90s", "more 'n", "<b>", "a@b.c"]
    plain = [
        "The",
        "a",
        "man",
        "walks",
        "no",
        "two",
        "dogs,",
        "on.",
        "it's",
        "can't",
        "to-day",
        "'n",
        "I",
    ]
    rows = [[*chooser.choices(plain, k=5), chooser.choice(odd)] for _ in range(count)]
    return [" ".join(chooser.sample(row, k=6)) for row in rows]


@pytest.mark.parity
@pytest.mark.timeout(600)
def test_random_lines_have_the_jar_s_tokens(tmp_path):
    java = shutil.which("java")
    if java is None or not jar().is_file():
        pytest.skip("Java or the tokenizer's jar is not installed")
    lines = fuzzed(FUZZED_LINES, seed=22)
    (tmp_path / "lines.txt").write_text("\n".join(lines), encoding="utf-8")
    program = "edu.stanford.nlp.process.PTBTokenizer"
    options = ["-preserveLines", "-lowerCase", "-encoding", "UTF-8", "lines.txt"]
    printed = subprocess.run(
        [java, "-cp", str(jar()), program, *options],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout.split("\n")
    ours = list(tokenized_lines("\n".join(lines)))
    same = sum(one == other for one, other in zip(ours, printed, strict=False))
    print(f"{same / len(lines):.3%} of {len(lines):,} fuzzed lines are the same")
    assert same / len(lines) >= LEAST_SHARE_OF_FUZZED


@pytest.mark.parametrize("text", ["e-n'est", "e-B'ab", "e-d'abord", "etait-il", "eau's", "e.com"])
def test_an_accented_letter_begins_the_same_tokens_as_any_other(text):
    accented = text.replace("e", "é", 1)
    assert tokens(accented).replace("é", "e", 1) == tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a cat :)", "a cat : -rrb-"),
        ("a cat :)\n", "a cat :-rrb-"),
        ("a cat ;P", "a cat ; p"),
        ("it's '90", "it 's ' 90"),
        ("since '85\nthen", "since '85"),
    ],
)
def test_the_end_of_the_input_is_no_line_end(text, tokens):
    """stanford-corenlp-3.4.1.jar with -preserveLines -lowerCase."""
    assert next(iter(tokenized_lines(text))) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("’Narrow", "’n arrow"),
        ("&apos;nice.", "&apos;n ice ."),
        ("a\x92narrow", "a \x92n arrow"),
        ("'narrow", "` narrow"),
        ("fish ’n’ chips", "fish ’n’ chips"),
        ("www.pond.org…", "www.pond.org ..."),
        ("www.pond.org’s", "www.pond.org 's"),
        ("www.pond.org:80", "www.pond.org :80"),
        ("www.a-b.org", "www.a-b.org"),
        ("www.a.5", "www.a .5"),
        ("a+pond.orgx", "a+pond.org x"),
        ("—b.c.edu/xyz.", "—b.c.edu/xyz ."),
        ("+b5.com", "+ b5.com"),
        ("don't10:30", "do n't 10:30"),
        ("n’ab5x", "n’ab 5x"),
        ("U.S. Mr. Poe", "u.s. . mr. poe"),
        ("p.m. Ms. Poe", "p.m. . ms. poe"),
        ("NAT'Ls x-nat'l", "nat'l s x-nat ' l"),
        ("SePt. arK. ArK. PTe. PtE.", "sept. ark . ark. . pte. . pte ."),
        (
            "5.x, 7t.H 5.xy 5é.TXT! 1.2.html (5.x)",
            "5.x , 7t.h 5 . xy 5é.txt ! 1.2.html -lrb- 5 . x -rrb-",
        ),
        ("1\u20442d a\u2044b 1/a", "1\u20442 d a \u2044 b 1/a"),
        ("Jan.I'm y'ma ol'st y'all", "jan.i 'm y ` ma ol ` st y' all"),
        ("3\xada 3\xad4 3\xad", "3 a 34 3 -"),
        ("'t\u2009x 'n x", "` t x 'n x"),
        ("&Apos; it&apOs;s it&apos;s", "&apos; it &apos;s it 's"),
        ("<br\t/> <br />", "< br / > <br\xa0/>"),
        ("cat'sé cat'sx", "cat 's é cat ` sx"),
        ("Co. \x85 a", "co. . ... a"),
        ("No. \u0660 \u06601/9", "no. \u0660\xa0\u06601/9"),
        ("5-1234\xad 5\xad-a a-\xad é\xad-b a\xad_b", "5-1234 5-a a- é - b a _ b"),
        ("5\xad5a 5\xad\xad5 -\xad5 3\xad5.5", "55 a 5 5 -5 35.5"),
        ("5-5\xad's do\xadn't 1.5-a., x-U.S.-b\xad", "5-5 's do n't 1.5-a. , x-u.s.-b"),
        ("a-B'bcd a-l'bb-l'cc o'bc-o'de l'bc., o'o", "a-b ` bcd a-l'bb-l'cc o'bc-o'de l'bc. , o'o"),
        ("etc.-y etc.-yz", "etc. - y etc.-yz"),
        ("! \xa0pond.org a\u2009b", "! \xa0pond.org a b"),
        ("C#www.pond.org +aB.com a\xad.com", "c# www.pond.org + ab.com a.com"),
        ("http://a.b/c: www.a.xyz/bcd; www.!.xyz", "http://a.b/c: www.a.xyz/bcd; www . ! . xyz"),
        ("http://a.b/c\xa0d \U0001f600awww.pond.org", "http://a.b/c\xa0d \U0001f600awww.pond.org"),
    ],
)
def test_apostrophes_hyphens_sites_and_titles_have_the_jar_s_tokens(text, tokens):
    assert next(tokenized_lines(f"{text}\n")) == tokens


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("+a\u2028b.com\nx", ["+a\u2028b.com", "x"]),
        ("http://a\u2029b\vc d\nx", ["http://a\u2029b\vc d", "x"]),
        ("a@b\u2028c.d\nx", ["a@b\u2028c.d", "x"]),
        ("<!a\fb>\nx", ["<!a\fb>", "x"]),
        ("<a b='c\nd'> y\nx", ["<a\xa0b='c", "d'> y", "x"]),
        ("a.com\fb\nx", ["a.com", "b", "x"]),
        ("'a\fx\nx", ["` a", "x", "x"]),
        ("<!a\nb>\nx", ["< ! a", "b >", "x"]),
    ],
)
def test_addresses_comments_and_attributes_may_join_lines(text, lines):
    """stanford-corenlp-3.4.1.jar with -preserveLines -lowerCase."""
    assert list(tokenized_lines(f"{text}\n"))[: len(lines)] == lines


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("x@.Sx-/@a", "x@.sx-/@a"),
        ("X ,..com X@.@stS", "x , . . com x@.@sts"),
        ("org;-Mr. Mr@.@1st", "org ; - mr. mr@.@1st"),
        ("$ x.15x.\xad.X", "$ x.15x.\xad.x"),
        ("ba ,orgorg;#11_\xad.x", "ba , orgorg ; # 11 _ \xad.x"),
        ("Xx.1.x.bU_xS'com.", "xx.1.x . bu_xs ` com ."),
        ("x\xad #$\xadx.x .5com51", "x # $ \xadx.x .5 com51"),
    ],
)
def test_addresses_with_several_signs_and_files_with_soft_hyphens_are_those_of_the_jar(
    line, tokens
):
    """Recorded from stanford-corenlp-3.4.1.jar: PTBTokenizer -preserveLines -lowerCase."""
    assert next(iter(tokenized_lines(f"{line}\n"))) == tokens
