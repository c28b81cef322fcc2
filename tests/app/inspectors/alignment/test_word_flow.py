from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jurydesk.app.inspectors.alignment.alignment_layout import Stretch, flow

widths = st.lists(st.floats(1, 300), max_size=40)


def test_lines_break_where_the_width_ends() -> None:
    found = flow(["a"] * 4, [40, 40, 40, 10], 100, 5)
    assert [(word.line, word.left) for word in found.words] == [(0, 0), (0, 45), (1, 0), (1, 45)]
    assert found.lines == 2


def test_right_to_left_text_begins_at_the_right() -> None:
    found = flow(["שלום", "a"], [40, 20], 100, 5)
    assert [(word.left, word.right) for word in found.words] == [(60, 100), (35, 55)]


def test_a_stretch_over_two_lines_has_two_parts() -> None:
    found = flow(["a"] * 4, [40, 40, 40, 10], 100, 5)
    assert found.stretches(1, 3) == (Stretch(0, 45, 85), Stretch(1, 0, 55))
    assert found.stretches(0, 0) == ()
    assert found.stretches(0, 2)[0].middle == 42.5


def test_words_are_found_by_position() -> None:
    found = flow(["a"] * 4, [40, 40, 40, 10], 100, 5)
    assert [found.word_at(0, 44), found.word_at(0, 45), found.word_at(1, 50)] == [None, 1, 3]
    assert found.word_at(7, 0) is None


def test_no_words_take_one_line() -> None:
    assert flow([], [], 100, 5).lines == 1


@given(widths=widths, available=st.floats(20, 500), leftwards=st.booleans())
def test_words_keep_their_order_and_stay_inside(
    widths: list[float], available: float, leftwards: bool
) -> None:
    found = flow(["ש" if leftwards else "a"] * len(widths), widths, available, 3)
    for number, word in enumerate(found.words):
        assert word.left >= -1e-9
        assert word.right <= available + 1e-9
        middle = (word.left + word.right) / 2
        assert found.word_at(word.line, middle) == number
