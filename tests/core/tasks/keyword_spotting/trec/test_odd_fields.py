"""Ranks that are none and shifted fields are named, once for a file; the number stays."""

import pytest

SHIFTED = "A blank in the id of a document shifts all fields after it."
UNUSED = "It is not used: the scores decide."


@pytest.mark.parametrize(
    ("lines", "line", "found", "hint"),
    [
        (["d1 x.png 1 0.9 sys"], 1, 'The rank "x.png" is not a whole number.', SHIFTED),
        (["d1 1 0.9 sys", "d2 x 0.8 sys"], 2, 'The rank "x" is not a whole number.', UNUSED),
        (["d1 2.5 0.9 sys"], 1, 'The rank "2.5" is not a whole number.', UNUSED),
        (["d1 - 0.9 sys", "d2 - 0.8 sys"], 1, 'The rank "-" is not a whole number.', UNUSED),
        (
            ["d1 1 2 0.9 sys", "d2 1 0.8 sys"],
            1,
            'The line has 7 fields; "0.9" is in the place of the run name.',
            SHIFTED,
        ),
    ],
)
def test_a_file_with_odd_ranks_or_shifted_fields_has_one_warning(write, lines, line, found, hint):
    run = "".join(f"q1 Q0 {text}\n" for text in lines)
    reading = write(qrels="q1 0 d1 1\n", run=run).lists()
    assert reading.data is not None
    ((place, *said),) = [(one.place, one.found, one.hint) for one in reading.defects]
    assert (place.line, said) == (line, [found, hint])


def test_a_run_name_of_several_words_is_none_of_these(write):
    pair = write(qrels="q1 0 d1 1\n", run="# six fields a line\nq1 Q0 d1 1 0.9 my best run\n")
    assert pair.lists().defects == ()


def test_odd_fields_are_told_beside_a_document_that_is_listed_twice(write):
    pair = write(qrels="q1 0 d1 1\n", run="q1 Q0 d1 1 2 0.9 sys\nq1 Q0 d1 2 0.8 sys\n")
    listed_twice, odd = [one.found for one in pair.lists().defects]
    assert listed_twice.startswith('Document "d1" is listed twice')
    assert odd == 'The line has 7 fields; "0.9" is in the place of the run name.'
