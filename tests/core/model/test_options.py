"""Options read back from a desk."""

from __future__ import annotations

from dataclasses import dataclass

from jurydesk.core.model.options import option, options_from_json, options_json
from support.windows import toy_competition


def test_options_are_read_back_by_a_newer_version():
    options = toy_competition.Options(missing="zero", level=0.5)
    data = options_json(options)
    assert options_from_json(toy_competition.Options, data) == options
    newer = {**data, "unheard_of": 3}
    assert options_from_json(toy_competition.Options, newer) == options
    assert options_from_json(toy_competition.Options, {"missing": "zero"}).profile == "published"


def test_lists_of_a_desk_become_tuples():
    @dataclass(frozen=True)
    class Options:
        names: tuple[str, ...] = ()

    assert options_from_json(Options, {"names": ["a", "b"]}).names == ("a", "b")


def test_a_desk_names_no_file_to_write():
    @dataclass(frozen=True)
    class Options:
        saved: str = option("", "Where to save.", target=True)

    assert options_json(Options("here")) == {}
    assert options_from_json(Options, {"saved": "/home/victim/.profile"}) == Options()
