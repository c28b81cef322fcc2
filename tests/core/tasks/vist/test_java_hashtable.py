"""The order of a Java Hashtable, by hand from java.util.Hashtable."""

import pytest

from jurydesk.core.tasks.vist.java_hashtable import hashtable_order, java_hash


@pytest.mark.parametrize(
    ("text", "expected"),
    # "Hello" and "Aa", "BB" are known hash codes; the last has two UTF-16 units.
    [("", 0), ("Hello", 69609650), ("Aa", 2112), ("BB", 2112), ("\U0001f600", 1772899)],
)
def test_texts_have_java_s_hash_codes(text, expected):
    assert java_hash(text) == expected


def test_keys_are_listed_from_the_last_bucket_to_the_first():
    # Codes 97 to 104 are in the buckets 9, 10, 0 ... 5 of 11.
    assert hashtable_order("abcdefgh") == list("bahgfedc")


def test_the_ninth_key_makes_the_table_grow():
    # Of 23 buckets, 97 to 105 are in 5 ... 13.
    assert hashtable_order("abcdefghi") == list("ihgfedcba")


def test_the_newest_key_of_a_bucket_is_first_until_growth_turns_it_round():
    assert hashtable_order(["Aa", "BB"]) == ["BB", "Aa"]
    grown = hashtable_order(["Aa", "BB", *"abcdefg"])
    assert grown.index("Aa") < grown.index("BB")


def test_a_repeated_key_keeps_its_place():
    assert hashtable_order("abab") == hashtable_order("ab")
