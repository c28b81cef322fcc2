"""Unusual lines of trec_eval files, and files of them."""

from __future__ import annotations

import json

from support.kits.ranked_lists import TREC

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
        *("1,5", "3,0", "1,500", "0x1p3", "0x10", "8.5e", "1,", "infx", "nanx", "0x", "-0x.8p1"),
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


def _rows(form: str) -> str:
    return "".join(f"{form.format(*line.split())}\n" for line in TREC.splitlines())


FORMULAS = '"=""{0}""";"=""{2}""";{4};x'
QUOTED = '7,"{0}",{2},{4},"a ""query"", with a comma"'


HITS = [{"docid": "d1", "score": 3.5, "doc": {}}, {"docid": "d2", "score": 1, "qid": "q2"}]


def _layouts() -> tuple[str, ...]:
    """Return the ranked lists in other layouts: tables, three and four columns, and JSON."""
    records = _rows('{{"qid": "{0}", "docid": "{2}", "score": {4}}}')
    lists: dict[str, dict[str, float]] = {}
    for line in TREC.splitlines():
        query, _, document, _, score, _ = line.split()
        lists.setdefault(query, {})[document] = float(score)
    return (
        f"qid Q0 docid rank score runid\n{TREC}",
        f"\n# a\n query\titer doc rank sim tag \n{TREC}",
        f"a b c d e f\n{TREC}",
        _rows("{0},{1},{2},{3},{4},{5}"),
        _rows("{0};{1};{2};{3};{4};{5}"),
        _rows('"{0}", "{1}", "{2}", "{3}", "{4}", "{5}"'),
        f"query_id,iteration,doc_id,rank,score,run\n{_rows('{0},{1},{2},{3},{4},{5}')}",
        f",qid,docid,docno,rank,score,query\n{_rows('7,{0},1,{2},{3},{4},a b')}",
        f"\tqid\tdocno\tscore\tquery\n{_rows('7	{0}	{2}	{4}	a long query')}",
        f"sep=;\nquery_id;doc_id;score;text\n{_rows(FORMULAS)}",
        f",qid,docno,score,query\n{_rows(QUOTED)}",
        f"docno,qid,rank\n{_rows('{2},{0},{3}')}",
        f"docno,qid,rank,x\n{_rows('{2},{0},{3},y')}d 1,q1,2,y\n",
        f"docno,qid,rank,x\n{_rows('{2},{0},{3},y')}d1,q1,z,y\n",
        f"sep=;\n{TREC}",
        _rows("{0}\t{2}\t{3}\t{4}"),
        _rows("{0}|{2}|{3}|{4}"),
        _rows("{0} {1} {2} {3}"),
        _rows("{0}\t{2}\t{3}"),
        f"query-id\tcorpus-id\tscore\n{_rows('{0} {2} {3}')}",
        _rows("{0} {2} {4}"),
        _rows("{0} {2} 7"),
        _rows("{0} {2} {3}").replace("1\n", "1 x\n", 1),
        f"{_rows('{0} {2} {3}') * 80}q1 d\n",
        f"{_rows('{0},{2},{3},{4}') * 80}q1,d,x,3\n",
        f"{_rows('{0},{2},{3},{4}')}q1,a b,9,3\n",
        records,
        f"[{','.join(records.splitlines())}]",
        json.dumps(lists),
        json.dumps(lists, ensure_ascii=False, indent=1),
        json.dumps({7: {8: 1}, "q1": {"d1": 10**30}}),
        *(json.dumps({"q1": one}) for one in ({"a b": 1}, {"#": 1}, {"\ud83d": 1}, {"": 1}, [1])),
        *(
            json.dumps({"q1": {"a": one}})
            for one in (None, True, "1", float("nan"), 10**400, 1e301)
        ),
        '{"q1": {"a": 1, "a": 2}}',
        '{"q1": {"#a": 1}, "#q": {"a": 1}}',
        '{"qid": 1, "docid": 2, "score": 3} {"qid": 1, "docid": 2, "score": 3}',
        '{"query": "q1", "DocID": "d1", "sim": 1}',
        *(f"{first} q1 Q0 d1 1 3.5 x\n1{mark}q1 Q0 d3 2 1 x\n" for first in "01" for mark in " ,"),
        "0 q1 Q0 d1 1 3.5 x\n1 q1 Q0 d3 2 1 x\n2 q1 Q0 d3\n",
        "1,q1,0,d1,1,3.5,x\n2,q1,0,d3,2,1,x\n",
        "q1 Q0 d1 1 3.5\nq1 Q0 d2 2 1\n",
        json.dumps({"q1": [["d1", 3.5], ["d2", 1]], "q2": []}),
        json.dumps({"q1": [["d1", 3.5], ["d2"]]}),
        json.dumps([{"query": "a b", "qid": "q1", "hits": HITS}, {"query": "q2", "hits": HITS}]),
        json.dumps([{"query": {"qid": 1, "text": "a"}, "candidates": HITS}, {"hits": [3]}]),
    )


TREC_CONTENTS = (
    TREC.encode(),
    *(text.encode() for text in _layouts()),
    *(text.encode()[:-9] for text in _layouts()),
    *(text.encode().replace(b"3", b"x", 1) for text in _layouts()),
    *(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() for text in _layouts()),
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
