import pytest

from jurydesk.core.metrics.meteor import java_semantics


@pytest.mark.parametrize(
    ("word", "expected"),
    # String.hashCode of OpenJDK 17, taken modulo 2**32.
    [("", 0), ("a", 97), ("Aa", 2112), ("BB", 2112), ("hello", 99162322), ("é", 233)],
)
def test_keys_are_java_hash_codes(word: str, expected: int):
    assert java_semantics.string_hash(word) == expected


def test_keys_and_lengths_count_utf16_units():
    assert java_semantics.string_length("😀a") == 3
    assert java_semantics.string_hash("😀") == (31 * 0xD83D + 0xDE00) & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7.0, "7.0"),
        (0.0, "0.0"),
        (0.22377622377622375, "0.22377622377622375"),
        (2.0440231485621576e-4, "2.0440231485621576E-4"),
        (2.0434233333171987e-7, "2.0434233333171987E-7"),
        (1e-3, "0.001"),
        (1e7, "1.0E7"),
        (123456789.0, "1.23456789E8"),
        (-1.5e-5, "-1.5E-5"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_are_printed_as_java_prints_them(value: float, expected: str):
    assert java_semantics.double_to_string(value) == expected


KEYS = [f"{'doc-' if number % 2 else 'seg'}{7 * number}" for number in range(14)]


def test_tables_have_the_order_of_java():
    """Compare with `keySet()` of a Hashtable and a HashSet, printed by OpenJDK 17."""
    assert " ".join(java_semantics.hashtable_order(KEYS)) == (
        "doc-91 seg0 seg28 seg56 seg84 doc-49 doc-77 doc-21 seg14 seg42 seg70 doc-7 doc-35 doc-63"
    )
    assert " ".join(java_semantics.hash_set_order(KEYS)) == (
        "doc-91 seg70 seg0 seg56 doc-49 seg84 doc-7 seg42 doc-35 doc-21 doc-77 seg14 doc-63 seg28"
    )
