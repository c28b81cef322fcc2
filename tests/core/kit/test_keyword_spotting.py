"""The page for ranked lists says what the organiser's readers say, whatever the file holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pytest
from browser_checker import BrowserChecker
from golden import golden
from hypothesis import given
from hypothesis import strategies as st
from kits import Case, cases
from mutations import mutated

from core.tasks.keyword_spotting import trec_reader, xml_source, xml_strict
from core.tasks.registry import competition

MUTATIONS = 8
SMALL = {"block": 64, "piece": 150}
"""Blocks and pieces of a few lines, so that much happens at their ends."""
UNREAD = "which this page does not read: save it as UTF-8."

QUERIES = ("q1", "q2", "q\u00e9", "q10")
GOLD = {
    "xml": "<GroundTruthRelevanceJudgements>"
    + "".join(
        f'<GTRel queryid="{query}"><word document="p" x="1" y="1" width="1" height="1"/></GTRel>'
        for query in QUERIES
    )
    + "</GroundTruthRelevanceJudgements>",
    "trec": "".join(f"{query} 0 d1 1\n" for query in QUERIES),
}
WORD = '<word document="p" x="1" y="1" width="1" height="1"/>'
XML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<RelevanceListings>\n'
    f' <Rel queryid="q1">\n  {WORD}\n  {WORD}\n </Rel>\n'
    f' <Rel queryid="q2">\n  {WORD}\n </Rel>\n <Rel queryid="q\u00e9">{WORD}</Rel>\n'
    f' <Rel queryid="q10">{WORD}</Rel>\n</RelevanceListings>\n'
)
TREC = "".join(
    f"{query} Q0 d{rank} {rank} {10 - rank}.5 run\n" for query in QUERIES for rank in range(1, 5)
)


class Pair:
    """The organiser's reader and the page's checker of one competition."""

    def __init__(self, folder: Path, form: str, **rules: Any) -> None:
        task = competition("keyword-spotting")
        assert task is not None
        gold = folder / f"gold.{form}"
        gold.write_text(GOLD[form], encoding="utf-8")
        self.case = Case(form, task, {"relevance": (gold,)}, ())
        self.references = self.case.references().data
        self.engine = BrowserChecker(self.case, folder, **rules)
        self.path = folder / f"results of {form}"

    def told(self, content: bytes) -> tuple[Any, Any]:
        """What the organiser's check tells, and what the page's does."""
        self.path.write_bytes(content)
        wanted = [one.to_json() for one in self.case.organiser(self.path, self.references)]
        return json.loads(json.dumps(wanted)), self.engine.check(content, self.path)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("pairs")
    return {form: Pair(folder, form) for form in GOLD}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    folder = tmp_path_factory.mktemp("small")
    return {form: Pair(folder, form, sizes=SMALL) for form in GOLD}


@contextmanager
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_source, "BLOCK", SMALL["block"])
        patch.setattr(xml_strict, "MAX_TAG", SMALL["block"])
        patch.setattr(trec_reader, "PIECE", SMALL["piece"])
        yield


# Real files, and the malformed ones that were recorded


def test_every_recorded_file_and_what_was_made_of_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    severities: Counter[str] = Counter()
    for case in cases(tmp_path_factory.mktemp("cases")):
        references = case.references()
        if case.task.id != "keyword-spotting" or references.data is None:
            continue
        engine, path = BrowserChecker(case, tmp_path), tmp_path / "a submission"
        for seed, submission in enumerate(case.submissions):
            content = submission.read_bytes()
            for changed in (content, *mutated(content, MUTATIONS, seed)):
                path.write_bytes(changed)
                wanted = [one.to_json() for one in case.organiser(path, references.data)]
                assert engine.check(changed, path) == json.loads(json.dumps(wanted)), changed[:300]
                severities.update(one["severity"] for one in wanted)
    assert min(severities[kind] for kind in ("error", "warning", "note")) > 10


def test_the_sample_of_the_competition_in_place(tmp_path: Path) -> None:
    folder = golden("keyword_spotting/icfhr_shared")
    task = competition("keyword-spotting")
    assert task is not None
    for gold in sorted(folder.glob("*.gt.xml")):
        submission = gold.with_name(gold.name.replace(".gt.xml", ".res.xml"))
        case = Case(gold.name, task, {"relevance": (gold,)}, (submission,))
        references = case.references()
        if references.data is not None:
            wanted = [one.to_json() for one in case.organiser(submission, references.data)]
            found = BrowserChecker(case, tmp_path).check(submission.read_bytes(), submission)
            assert found == json.loads(json.dumps(wanted)), gold.name


# Hostile and odd XML


def inside(text: str) -> bytes:
    """The example with `text` in the place of its second word."""
    head, _, tail = XML.partition(f"{WORD}\n  {WORD}")
    return f"{head}{WORD}\n  {text}{tail}".encode()


def declared(declaration: str, encoding: str = "utf-8") -> bytes:
    return (declaration + XML.partition("?>")[2]).encode(encoding)


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
PROLOGS = (
    *("<!DOCTYPE x>", LAUGHS, '<!DOCTYPE x SYSTEM "file:///etc/passwd">', "<!DOCTYPE>"),
    *('<!DOCTYPE x PUBLIC "a" "b">', '<!DOCTYPE x PUBLIC "a\u00e9\n" "b">', "<!DOCTYPE x y>"),
    *('<!DOCTYPE\nx\nPUBLIC "a\n[" "b"\n[', "<!DOCTYPE x SYSTEM 'a'>", "<!DOCTYPE x %p; >"),
    *("<!DOCTYPE x <!-- a -->", "<!doctype x>", "<!ELEMENT x>", "<![CDATA[x]]>", "<!-- -- -->"),
    *("<!-- a\n-->", "<!-- a --->", "<?a?>", "<?a b\n?>", "<? a?>", "<?xml?>", "<?XML a?>", "<?a"),
    *("<?xml version='1.0'?>", "<!--a--><?xml version='1.0'?>", "%p;", "%p", "[a]", "]]>", "(a)*"),
    *(
        "#a ",
        "#a",
        "a+",
        "a\u00e9>",
        "'a' ",
        "'a'b",
        "a,",
        "|",
        ")x",
        "\u00b7x ",
        "1a ",
        "\0",
        "&a;",
    ),
)
DECLARATIONS = (
    *("<?xml version='1.0'?>", "<?xml version='1.1' standalone='yes'?>", "<?xml\nversion='1'\n?>"),
    *("<?xml version='1.0' encoding='utf-8' standalone='no' ?>", "<?xml encoding='utf-8'?>"),
    *("<?xml version='1.0' encoding=''?>", "<?xml version='1.0'\nencoding='\u00e9'?>"),
    *("<?xml version='1.0' standalone='maybe'?>", "<?xml version='1.0' a='b'?>", "<?xml ?>"),
    *("<?xml version='1.0' encoding='8'?>", '<?xml version = "1.0" ?>', "<?xml version='1.0?>"),
    *("<?xml version='1.0' encoding='utf-16'?>", "<?xml version='1.0'\nencoding='UTF-16BE'?>"),
    *("<?xml version='1.0' encoding='US-ASCII'?>", "<?xml version='1.0' encoding='utf8'?>"),
    *("<?xml version='1.0' standalone='yes'\n x?>", "<?xml version='1.0' =?>", "<?xml version?>"),
)
INSIDE = (
    *(
        "&lt;",
        "&#65;",
        "&#0;",
        "&#xD800;",
        "&#x110000;",
        "&#99999999999;",
        "&a;",
        "&",
        "&#;",
        "&#x",
    ),
    *("oops", "a\n b\r\n\n c", "<![CDATA[x]]>", "<![CDATA[ \n ]]>", "<![CDATA[]]]]>", "<![CDATA[x"),
    *(
        "]]>",
        "]",
        "]]",
        "a]b",
        "]]x",
        "<!-- a -->x<!-- b -->",
        "x<?a b?>y",
        "\u00e9\U0001f600",
        "\x85",
    ),
    *(
        "<a/>",
        "<a><b/></a>",
        "<a></b>",
        "</a>",
        "<a b>",
        "<a b=c>",
        "<a b='<'/>",
        "<a b='1'c='2'/>",
    ),
    *(
        "<a\nb='1'\nb='2'/>",
        "<\u00e9/>",
        "<a\u0301/>",
        "<\u0301/>",
        "<a\U0001f600/>",
        "<1/>",
        "< a/>",
    ),
    *(
        "<:a/>",
        "<a:b:c/>",
        "<a/ >",
        "</Rel >",
        "</Rel\n>x",
        "<!x>",
        "<![x",
        "<?xml version='1.0'?>",
    ),
    *("<word/>", "<Word/>", "<wrod\n/>", "<word></word>", "<word>x</word>", f"<word>{WORD}</word>"),
    *(f"</Rel>{WORD}<Rel queryid='q1'>", "</Rel><Rel><word/></Rel><Rel queryid='q2'>", "<Rel/>"),
    *("<word\ndocument='&#10;'\n\tx='&#49;' y='0x1' width='1.5' height='-1' hight='\u00e9'/>",),
    *(f"<word document='p' x='{'9' * 10}' y='+1' width='00' height='{'a' * 60}'/>",),
    *("<word document='' x='1' y='-0' width='1' height='1' z='' a='' Text='t' Relevance='x'/>",),
    *("<word Dokument='a&amp;b' x='\n1' y='1\r\n' width='\u0661' height='1_0'/>", "x" * 9000),
    *(f"{'x' * 5000}\n{'y' * 5000}\n<a/>", "\u00e9" * 5000 + "&#233;" + "\n" * 8190, " " * 9000),
    *("</Rel></RelevanceListings>", "</Rel></RelevanceListings><!-- a -->x", "<word " * 1500),
    *("<a>" * 40, "<a>" * 1200, "</Rel><Rel queryid='new'></Rel><Rel queryid='a&lt;b'>" + WORD),
)
WHOLE = (
    *(
        b"",
        b" \n",
        b"\0",
        b"<",
        b"<a",
        b"<a/>",
        b"\xef\xbb\xbf",
        b"\xef\xbb",
        b"\xff\xfe",
        b"\xfe\xff",
    ),
    *(b"text", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfe<\0a\0/\0>\0", b"\0<\0a\0/\0>", b"<\0a", b"{}"),
    *(b"<GroundTruthRelevanceJudgements/>", b"<relevancelistings/>", b"<RelevanceListings/>"),
    *(b"<RelevanceListings></RelevanceListings>\r", b"<RelevanceListings/>\r\nx", b"<html>"),
    *(b"<RelevanceListings>\r\r\n]", b"<RelevanceListings>\n]]", b"<RelevanceListings>\r"),
    *(
        b"<RelevanceListings><![CDATA[ ]]",
        b"<RelevanceListings>\xe2\x82",
        b"<?xml version='1.0'?>\r",
    ),
    *(
        b"<RelevanceListings><Rel queryid='\xff'/>",
        b"<RelevanceListings>\xed\xa0\x80",
        b"\xef\xbb\xbf\n",
    ),
    *(
        b"<RelevanceListings>\xef\xbf\xbf",
        b"<RelevanceListings>\xf4\x90\x80\x80",
        b"<a>\x7f\x01</a>",
    ),
    *(
        TREC.encode(),
        b"q1 0 d 1\n",
        b"\xef\xbb\xbf" + TREC.encode(),
        b"# a\n" + TREC.encode(),
        b"<x\n",
    ),
)
CONTENTS = (
    XML.encode(),
    XML.replace("\n", "\r\n").encode(),
    XML.replace("\n", "\r").encode(),
    b"\xef\xbb\xbf" + XML.encode(),
    *map(inside, INSIDE),
    *(declared(prolog) for prolog in PROLOGS + DECLARATIONS),
    *(declared(f"<?xml version='1.0'?>\n {prolog}") for prolog in PROLOGS),
    *(XML.encode() + text.encode() for text in PROLOGS),
    *WHOLE,
)


def test_odd_xml_is_told_line_by_line(pairs: dict[str, Pair]) -> None:
    told = set()
    for content in CONTENTS:
        wanted, found = pairs["xml"].told(content)
        assert found == wanted, content[:400]
        told |= {one["found"] for one in wanted}
    assert len(told) > 80


@pytest.mark.parametrize("cut", range(0, len(XML.encode()), 3))
def test_xml_that_was_cut_anywhere(cut: int, pairs: dict[str, Pair]) -> None:
    wanted, found = pairs["xml"].told(XML.encode()[:cut])
    assert found == wanted


ENCODED = [
    *((name, "utf-16") for name in ("utf-16", "UTF-16")),
    *(("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be"), ("utf-16be", "utf-16-le")),
    *(
        ("utf-8", "utf-16"),
        ("iso-8859-1", "latin-1"),
        ("Latin1", "latin-1"),
        ("US-ASCII", "latin-1"),
    ),
    *(("windows-1252", "cp1252"), ("cp1252", "cp1252"), ("utf8", "utf-8"), ("ISO-8859-1", "utf-8")),
]


@pytest.mark.parametrize(("name", "encoding"), ENCODED)
def test_other_encodings(name: str, encoding: str, pairs: dict[str, Pair]) -> None:
    declaration = f"<?xml version='1.0'\n encoding='{name}'?>"
    long = XML.replace("</Rel>", "\u00e9" * 9000 + "\n</Rel>", 1)
    for text in (
        XML,
        long,
        XML.replace("<Rel ", "<R\u00e9l ", 1),
        XML[:-40],
        XML.replace(WORD, "&"),
    ):
        content = (declaration + text.partition("?>")[2]).encode(encoding)
        for changed in (
            content,
            content[:-1],
            content + b"\xd8\0\xdc",
            content[:200] + b"\x81\xdc",
        ):
            wanted, found = pairs["xml"].told(changed)
            assert found == wanted, changed[:300]


@pytest.mark.parametrize(
    "name", ["koi8-r", "cp037", "gb2312", "nonsense", "rot13", "unicode_escape"]
)
def test_an_encoding_that_the_page_does_not_read_is_said(name: str, pairs: dict[str, Pair]) -> None:
    _, found = pairs["xml"].told(declared(f"<?xml version='1.0' encoding='{name}'?>"))
    assert found == f"Its first line names the encoding {name}, {UNREAD}"


def test_a_large_file_that_is_not_utf_8_is_said_to_be_unread(small: dict[str, Pair]) -> None:
    _, found = small["xml"].told(XML.encode("utf-16"))
    assert found == f"It is a large file that is not in UTF-8, {UNREAD}"


def test_what_happens_where_blocks_end(small: dict[str, Pair]) -> None:
    with small_blocks():
        for content in CONTENTS:
            for before in (b"", b" " * 7, b"\n" * 31, b"<!--" + b"x" * 50 + b"-->"):
                wanted, found = small["xml"].told(before + content)
                assert found == wanted or UNREAD in found, before + content[:300]


def test_names_have_the_characters_that_expat_takes(pairs: dict[str, Pair]) -> None:
    engine = pairs["xml"].engine
    kinds = engine.run("Array.from({ length: 65536 }, (_, code) => XmlChars.kindOf(code))")
    edges = {
        place
        for code in range(1, 0x10000)
        if kinds[code] != kinds[code - 1]
        for place in (code - 1, code)
    }
    assert len(edges) > 500
    for code in (*edges, *range(0x80, 0x10000, 97)):
        if code >= 0x80 and not 0xD800 <= code < 0xE000:
            assert kinds[code] == _kind(chr(code)), hex(code)


def _kind(letter: str) -> int:
    """1 where a name may begin with the letter, 2 where it may only follow, else 0."""
    for kind, name in ((1, letter), (2, f"a{letter}")):
        try:
            expat.ParserCreate().Parse(f"<{name}/>".encode(), True)
        except expat.ExpatError:
            continue
        return kind
    return 0


# trec_eval's lines

NUMBERS = (
    *(
        "1",
        "-1.5",
        "+.5",
        "5.",
        "1e5",
        "1E-5",
        "1e400",
        "-1e400",
        "1e",
        ".",
        "-",
        "+-1",
        "1_0",
        "0x1F",
    ),
    *(
        "inf",
        "-Infinity",
        "INF",
        "infinit",
        "nan",
        "-NaN",
        "++nan",
        "1,5",
        "\u0661",
        "1e+5",
        "1d5",
        "e5",
    ),
    *("1" * 400, "0." + "1" * 40, "16777217", "16777216", "abc\u00e9", "1\0"),
)
RANKS = ("1", "-5", "+3", "1.0", "x", "9" * 18, "9" * 17 + "8", "9" * 19, "00", "-0", "")
LINES = (
    *(
        "",
        "   ",
        "\t",
        "# a comment",
        " # b",
        "#",
        "q1",
        "q1 Q0 d",
        "q1,Q0,d,1,2,r",
        "q1;Q0;d",
        "a|b",
    ),
    *(
        "q1 Q0 d 1 2 r more fields",
        "q1 Q0 d1 1 2 r",
        "\tq1\tQ0  d9\t1\v2\fr \r",
        "q\u00e9 Q0 d8 1 2 r",
    ),
    *("new Q0 d 1 2 r", "q1 Q0 \u20ac 1 2 r", "q1 0 d 1", "\0", "# \0", "q1 Q0 d\0 1 2 r", "q1 \0"),
    *("<x/>", "{", "[1]", "q1 Q0 d1 1 2 r\nq1 Q0 d1 1 2 r\nq1 Q0 d1 1 2 r", "q2 Q0 d77 1 9 r"),
)
RAW = (
    *(
        b"",
        b"\n\n",
        b" ",
        b"#\n",
        b"\0\0",
        b"\xff\xfeq\0",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf# x\n",
        b"q1",
    ),
    *(b"q1 Q0 d 1 2 r", b"q1 0 d 1\nq2 0 d 0\n", b"q1 0 d 1", b"a b c d e f\rg h i j k l", b"{}\n"),
    *(
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"<a/>",
        b"  <a/>",
        b"[1]\n",
        b"{ Q0 d 1 2 r\n",
        b"q1\r\r\r",
    ),
    *(
        b"q1 Q0 \xff 1 2 r\nq1 Q0 \\xff 2 1 r\n",
        b"\xe9 Q0 \xed\xa0\x80 1 2 r\n",
        b"q\xe2\x82 Q0 d 1 2 r",
    ),
    *(b"\0" + b"\xe2\x82", b"\0" + b"\xc3", b"\0\xe0\x80", b"q1 Q0 d 1 \xff r\n", b"\r\n" * 5),
    *(b"x Q0 d 1 2 r\ny Q0 d 1 2 r\nz Q0 d 1 2 r\nw Q0 d 1 2 r\n", b"q1 Q0 d 1 1_0 r\n" * 3),
)


def with_line(line: str) -> bytes:
    lines = TREC.splitlines()
    return "\n".join([*lines[:5], line, *lines[5:], ""]).encode()


TREC_CONTENTS = (
    TREC.encode(),
    TREC.replace("\n", "\r\n").encode(),
    TREC.replace(" ", "\t ").encode(),
    *map(with_line, LINES),
    *(with_line(f"q1 Q0 d50 9 {number} r") for number in NUMBERS),
    *(with_line(f"q1 Q0 d50 {rank} 9.25 r\nq1 Q0 d51 2 9.125 r") for rank in RANKS),
    *("\n".join([line, TREC]).encode() for line in LINES),
    *RAW,
    "\n".join([*TREC.splitlines()[::-1], ""]).encode(),
    "\n".join(sorted(TREC.splitlines(), key=lambda line: line.split()[2])).encode(),
    "".join(f"q1 Q0 d{n} {n} x r\n" for n in range(1500)).encode(),
    "".join(f"q1 Q0 d {n} {n} r\n" for n in range(1500)).encode(),
    "".join(f"q{n} Q0 d 1 1 r\n" for n in range(3000)).encode(),
)


@pytest.mark.parametrize("options", [{}, {"ties": "rank"}, {"compat": "trec10", "missing": "zero"}])
def test_odd_lines_are_told_one_by_one(options: dict[str, str], tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.write_text(GOLD["trec"], encoding="utf-8")
    task = competition("keyword-spotting")
    assert task is not None
    case = Case("trec", task, {"relevance": (gold,)}, (), options)
    references, path = case.references().data, tmp_path / "run"
    engines = [
        (BrowserChecker(case, tmp_path), False),
        (BrowserChecker(case, tmp_path, sizes=SMALL), True),
    ]
    told = set()
    for content in TREC_CONTENTS:
        path.write_bytes(content)
        for engine, is_small in engines:
            with small_blocks() if is_small else pytest.MonkeyPatch.context():
                wanted = [one.to_json() for one in case.organiser(path, references)]
            assert engine.check(content, path) == json.loads(json.dumps(wanted)), content[:400]
            told |= {one["found"] for one in wanted}
    assert len(told) > 30


# Whatever else


PIECES = {
    "xml": (
        *INSIDE[:60],
        *PROLOGS,
        WORD,
        "</Rel>",
        "<Rel queryid='q2'>",
        "\n",
        "\r",
        "'",
        '"',
        "-",
    ),
    "trec": (*LINES, *NUMBERS, *QUERIES, "\n", "\r", " ", "q1 Q0 d1 1 3 r\n", "q2 Q0 d2 2 9 r\n"),
}
GOOD = {"xml": XML, "trec": TREC}


@st.composite
def changed(draw: st.DrawFn, form: str) -> bytes:
    """A good file with a few of its parts left out, repeated or overwritten."""
    content = GOOD[form].encode()
    parts = [piece.encode() for piece in PIECES[form]]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from((0, 0, 1, 3, 40))))
        new = draw(
            st.sampled_from(parts) | st.binary(max_size=3) | st.just(content[start : end + 60])
        )
        content = content[:start] + new + content[end:]
    return content


@given(st.data(), st.sampled_from(sorted(GOOD)))
def test_any_change_of_a_good_file_is_told_alike(
    pairs: dict[str, Pair], small: dict[str, Pair], data: st.DataObject, form: str
) -> None:
    content = data.draw(changed(form))
    wanted, found = pairs[form].told(content)
    assert found == wanted or UNREAD in found
    with small_blocks():
        wanted, found = small[form].told(content)
    assert found == wanted or UNREAD in found


def test_a_sound_file_is_sound(pairs: dict[str, Pair]) -> None:
    for form, content in GOOD.items():
        assert pairs[form].told(content.encode()) == ([], [])
