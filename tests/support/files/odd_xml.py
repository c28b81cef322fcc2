"""Hostile and unusual XML."""

from __future__ import annotations

from support.kits.ranked_lists import TREC, WORD, XML


def inside(text: str) -> bytes:
    """Return the example with `text` in place of its second word."""
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
    *(
        "<?xml version='1.10'?>",
        "<?xml\nversion='2.0'\nencoding='UTF-8'?>",
        "<?xml version='01.0'?>",
    ),
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
