from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.model.system_names import clean_system_name, file_stem, unique_system_names


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("cyan.xml", "cyan"),
        ("cyan.v2.xml", "cyan.v2"),
        ("run.txt.gz", "run"),
        ("run.gz", "run"),
        (".gz", ".gz"),
        (".hidden", ".hidden"),
        ("plain", "plain"),
    ],
)
def test_the_stem_is_the_name_without_its_extensions(file: str, expected: str) -> None:
    assert file_stem(Path("/data") / file) == expected


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("", "cyan"),
        ("  Team \n Cyan\x1b[31m ", "Team Cyan [31m"),
        ("\u202e\t", "cyan"),
        ("half \ud800", "half ?"),
        ("خانه\u200cها", "خانه\u200cها"),
        ("x" * 500, "x" * 120),
    ],
)
def test_a_name_is_safe_to_show(given_name: str, expected: str) -> None:
    assert clean_system_name(given_name, Path("cyan.json")) == expected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ([("a.xml", "a"), ("b.xml", "b")], ["a", "b"]),
        ([("a.xml", "team"), ("b.xml", "team")], ["team (a)", "team (b)"]),
        ([("a.xml", "team"), ("b.xml", "team"), ("c.xml", "c")], ["team (a)", "team (b)", "c"]),
        ([("a.xml", "a"), ("a.txt", "a")], ["a (a.xml)", "a (a.txt)"]),
        ([("x/run.txt", "run"), ("y/run.txt", "run")], ["run (x/run.txt)", "run (y/run.txt)"]),
        (
            [("a.xml", "team"), ("b.xml", "team"), ("c.xml", "team (a)")],
            ["team (a) 2", "team (b)", "team (a)"],
        ),
    ],
)
def test_equal_names_get_the_distinct_parts_of_their_paths(
    named: list[tuple[str, str]], expected: list[str]
) -> None:
    assert unique_system_names([(Path(path), name) for path, name in named]) == expected


@given(
    st.dictionaries(
        st.from_regex(r"[ab]{1,2}(/[ab]){0,2}\.(xml|txt)", fullmatch=True),
        st.sampled_from(["team", "a", "b", "team (a)", "team (b)", "a (a.xml)"]),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_names_are_unique_and_do_not_depend_on_the_order(
    named: dict[str, str], dice: random.Random
) -> None:
    pairs = [(Path(path), name) for path, name in named.items()]
    names = dict(zip((path for path, _ in pairs), unique_system_names(pairs), strict=True))
    assert len(set(names.values())) == len(pairs)
    shuffled = dice.sample(pairs, len(pairs))
    again = dict(zip((path for path, _ in shuffled), unique_system_names(shuffled), strict=True))
    assert again == names
