from __future__ import annotations

import pytest

from jurydesk.core.metrics.meteor import sgml_files
from jurydesk.core.metrics.meteor.sgml_files import SgmlError, read_sgml


def document(text: str) -> str:
    return f'<tstset setid="s">\n<doc docid="d" sysid="y">\n{text}\n</doc>\n</tstset>\n'


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('<seg id="1">&amp;lt; &lt;b&gt; &quot;q&apos; &#39;</seg>', "&lt; <b> \"q' &#39;"),
        ('<seg id="1">a\nb  \x0b c \n</seg> tail', "ab c"),
        ("head <SEG ID = 1 >a > b</seg >", "a > b"),
        ('<seg id="1">a</ seg> b</seg>', "a</ seg> b"),
        ('<seg id="1">a</seg> b</seg> c', "a</seg> b"),
    ],
)
def test_a_text_is_read_as_by_the_jar(tmp_path, line: str, text: str):
    """The texts are those of the jar's file of alignments."""
    path = tmp_path / "test.sgm"
    path.write_text(document(line), "utf-8")
    assert read_sgml(path) == {"s": {"y": {"d": {"1": text}}}}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (document('<seg id="1">a'), "line 3: the segment has no end, </seg>."),
        (document('<seg id="1">a\n<seg id="2">b</seg>'), "line 4: a segment begins before the"),
        (document('<seg id="1">a</seg><seg id="2">b</seg>'), "line 3: a segment begins before"),
        ('<doc docid="d" sysid="y">\n', "line 1: the document is in no set."),
        ('<tstset setid="s">\n<seg id="1">a</seg>', "line 2: the segment is in no document."),
        ("<tstset setid='s'>\n", 'line 1: setid="..." is missing.'),
        ('<tstset setid="s">\n<doc sysid="y">', 'line 2: docid="..." is missing.'),
        ('<tstset setid="s">\n<doc docid="d">', 'line 2: sysid="..." or refid="..." is missing'),
    ],
)
def test_what_the_jar_cannot_read_is_refused_with_its_line(tmp_path, content: str, problem: str):
    path = tmp_path / "test.sgm"
    path.write_text(content, "utf-8")
    with pytest.raises(SgmlError) as caught:
        read_sgml(path)
    assert problem in str(caught.value)


def test_a_file_above_the_limit_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(sgml_files, "MAX_BYTES", 10)
    path = tmp_path / "test.sgm"
    path.write_text(document(""), "utf-8")
    with pytest.raises(SgmlError, match="is larger than"):
        read_sgml(path)
