"""Unusual lines of trec_eval files, and files of them."""

from __future__ import annotations

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
