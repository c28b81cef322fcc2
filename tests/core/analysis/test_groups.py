"""Groups of items: declared by a competition, read from a file, or none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.leaderboard import Leaderboard, make_leaderboard
from jurydesk.core.analysis.leaderboard_table import method_sentences
from jurydesk.core.analysis.significance.pairwise_significance import (
    PairwiseSignificance,
    compare_all_pairs,
)
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.task import numbered_groups
from jurydesk.core.desk import Summary
from jurydesk.core.execution.groups_file import (
    describe_missing_groups,
    read_groups,
    require_groups,
)
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import ItemTable, Score, Source, UsageError
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.statistics.bootstrap import (
    RESAMPLES,
    ResamplingPlan,
    percentile_interval,
)
from jurydesk.core.statistics.group_intervals import mean_intervals
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import Inference, resampling_unit
from jurydesk.core.statistics.paired_tests import (
    RandomisationPlan,
    all_pairs,
    holm,
    randomisation_test,
    resampled_differences,
    rounds_for,
)
from support import toy

BEFORE = Inference("percentile", "holm", grouped=False)
RNG = np.random.default_rng(8)
CODES = np.repeat(np.arange(24), 5)
IDS = tuple(f"i{number:03d}" for number in range(len(CODES)))
GROUPED = replace(
    toy.TASK,
    scoring=replace(toy.TASK.scoring, groups=numbered_groups, group_noun=("word", "words")),
)


def entrant(name: str, mean: float, groups: int = 24) -> Entrant:
    kept = groups > CODES
    shared = RNG.normal(0, 0.1, 24)[CODES]
    values = np.clip(mean + shared + RNG.normal(0, 0.02, len(CODES)), 0, 1)[kept]
    ids = tuple(one for one, keep in zip(IDS, kept, strict=True) if keep)
    columns = {"closeness": values, "group": CODES[kept].astype(float)}
    return Entrant(name, float(values.mean()), ItemTable(ids, columns))


FIELD = [entrant("a", 0.50), entrant("b", 0.53), entrant("c", 0.80)]


def separated(inference: Inference, entrants: list[Entrant] = FIELD) -> PairwiseSignificance:
    metric = toy.CLOSENESS
    found = compare_all_pairs(GROUPED, metric, "published", entrants, Run(), inference=inference)
    assert found is not None
    return found


class TestChoices:
    def test_without_groups_items_are_resampled_and_tested_singly(self) -> None:
        found = separated(BEFORE)
        values = np.column_stack([one.items.columns["closeness"] for one in FIELD])
        pairs, items = all_pairs(3), len(values)
        p = randomisation_test(values, pairs, RandomisationPlan(items, rounds_for(3)))
        resampled = resampled_differences(values, pairs, ResamplingPlan(items, RESAMPLES))
        assert [pair.p for pair in found.pairs] == p.tolist()
        assert [pair.corrected for pair in found.pairs] == holm(p).tolist()
        assert [pair.interval for pair in found.pairs] == [
            percentile_interval(c) for c in resampled.T
        ]

    def test_items_of_a_group_weigh_less_than_independent_ones(self) -> None:
        grouped, alone = separated(Inference()), separated(Inference(grouped=False))
        assert grouped.pairs[0].corrected > 0.05 > alone.pairs[0].corrected
        for wide, narrow in zip(grouped.pairs, alone.pairs, strict=True):
            wide, narrow = wide.interval, narrow.interval
            assert wide is not None
            assert narrow is not None
            assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
        assert grouped.detectable > 1.5 * alone.detectable

    def test_a_file_replaces_the_declared_groups(self) -> None:
        labels = {one: one[:3] for one in IDS[:50]}
        unit = resampling_unit(GROUPED, [FIELD[0].items], IDS, Inference(labels=labels))
        assert unit.groups.count == 5 + 70
        assert unit.text == "75 groups"

    def test_groups_of_one_item_each_are_items(self) -> None:
        labels = {one: one for one in IDS}
        unit = resampling_unit(GROUPED, [FIELD[0].items], IDS, Inference(labels=labels))
        assert (unit.noun, unit.groups.shared) == (None, None)

    def test_choices_are_written_to_json_and_read_back_strictly(self) -> None:
        chosen = Inference("t", "holm", grouped=True, labels={"a": "x"})
        assert from_json(Inference, json.loads(json.dumps(to_json(chosen)))) == chosen
        for wrong in (None, [], {**to_json(chosen), "interval": "bca"}, {"labels": {"a": 1}}):
            with pytest.raises(TypeError):
                from_json(Inference, wrong)

    @pytest.mark.parametrize("chosen", [BEFORE, Inference(), Inference("t", grouped=False)])
    def test_a_stamp_records_how_its_intervals_were_made(self, chosen: Inference) -> None:
        again = Inference.of_policies(chosen.policies, {})
        assert (again.interval, again.grouped) == (chosen.interval, chosen.grouped)

    def test_an_unknown_method_in_a_stamp_is_refused(self) -> None:
        with pytest.raises(ValueError, match="unknown interval method"):
            Inference.of_policies({"interval method": ["t"]}, {})


class TestBoard:
    def test_results_without_recorded_groups_are_reported(self) -> None:
        old = [
            Entrant(
                one.system,
                one.value,
                ItemTable(one.items.ids, {"closeness": one.items.columns["closeness"]}),
            )
            for one in FIELD
        ]
        reported = (
            "Each number counts on its own. If several belong to one word, name them with --groups."
        )
        assert method_sentences(self.board(old, Inference()))[-1] == reported
        pair = {IDS[0]: "a", IDS[1]: "a"}
        for entrants, inference in (
            (FIELD, Inference()),
            (old, Inference(grouped=False)),
            (old, Inference(labels=pair)),
        ):
            assert reported not in method_sentences(self.board(entrants, inference))

    def finding(self, entrants: list[Entrant], inference: Inference) -> str:
        return self.board(entrants, inference).finding

    @staticmethod
    def board(entrants: list[Entrant], inference: Inference) -> Leaderboard:
        summaries = [
            Summary(0, one.system, "published", (score,), "", False, "", score.n)
            for one in entrants
            if (score := Score("closeness", one.value, len(one.items)))
        ]
        apart = {"published": separated(inference, entrants)}
        return make_leaderboard(GROUPED, summaries, apart)

    def test_the_finding_counts_groups_and_items(self) -> None:
        found = self.board(FIELD, Inference())
        assert "cannot be seen reliably with 24 words (found 4 times in 5)." in found.finding
        assert "Resampled together: 24 words (120 numbers)." in method_sentences(found)

    def test_five_groups_are_too_few_for_a_significant_difference(self) -> None:
        few = [entrant("a", 0.2, 5), entrant("b", 0.8, 5)]
        assert self.finding(few, Inference()) == (
            "5 words cannot show a difference: at least 6 are needed."
        )

    def test_holm_s_correction_requires_more_of_few_groups(self) -> None:
        many = [entrant(f"s{number}", 0.1 + 0.15 * number, 7) for number in range(5)]
        assert self.finding(many, Inference(correction="holm")) == (
            "7 words cannot show a difference: at least 9 are needed."
        )
        assert "cannot show a difference" not in self.finding(many, Inference())


class TestFile:
    @pytest.mark.parametrize(
        "text",
        [
            "a\tx\nb\ty z\n",
            "a, x\nb,y z",
            "\ufeffa x\r\nb\ty z\r\n\n",
            "a;x\nb;y z",
            '"a";"x"\n"b";"y z"\n',
            "item,group\na,x\nb,y z",
            "Query_ID;Keyword\na;x\nb;y z",
            "\nimages\talbum\na\tx\nb\ty z",
        ],
    )
    def test_columns_have_any_separator_and_may_have_titles(
        self, text: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "groups.txt"
        path.write_bytes(text.encode())
        assert read_groups(path) == {"a": "x", "b": "y z"}

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"a x\nitem group\nitem other\n", 'line 3: item "item" already belongs'),
            (b"item group\n", "does not assign any item to a group"),
            (b"a x\na y\n", 'line 2: item "a" already belongs to group "x"'),
            (b"alone\n", "line 1: expected an item and its group"),
            (b"\n", "does not assign any item to a group"),
            (b"\xff\xfe", "is not UTF-8 text"),
        ],
    )
    def test_errors_of_the_file_are_reported(
        self, content: bytes, sentence: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "groups.txt"
        path.write_bytes(content)
        with pytest.raises(UsageError, match=sentence):
            read_groups(path)

    def test_a_missing_file_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot be read"):
            read_groups(tmp_path / "none.txt")


def test_codes_depend_on_the_items_and_not_on_the_names() -> None:
    assert Groups.of_labels(["z", "a", "z"]).codes.tolist() == [0, 1, 0]
    sums, sizes = Groups.of_labels(["z", "a", "z"]).totals(np.array([[1.0], [2.0], [np.nan]]))
    assert sums.tolist() == [[1.0], [2.0]]
    assert sizes.tolist() == [[1.0], [1.0]]
    assert mean_intervals(np.ones((3, 1)), Groups.singletons(3), ResamplingPlan(3)) == [None]


class TestMatch:
    """The items of a file of groups are those of the competition, or it says that they are not."""

    def given(self, labels: dict[str, str], path: str = "/somewhere/words.csv") -> Inference:
        return Inference(labels=labels, source=Source("groups", path, 1, ""))

    def test_a_file_that_names_no_item_is_refused_with_its_first_name_and_an_item(self) -> None:
        with pytest.raises(UsageError) as refused:
            require_groups(self.given({"Q1": "a", "Q2": "b"}), ["q1", "q2"])
        assert str(refused.value) == (
            "words.csv names no item of this competition: its first is Q1, an item is q1."
        )

    def test_one_matching_item_is_enough_and_the_others_are_counted(self) -> None:
        half = self.given({"q1": "a", "Q2": "b"})
        require_groups(half, ["q1", "q2", "q3"])
        assert describe_missing_groups(half, ["q1", "q2", "q3", "q2"], ("query", "queries")) == (
            "2 of 3 queries have no group in words.csv (first: q2, q3): each counts alone."
        )

    def test_items_that_all_have_a_group_and_no_groups_at_all_are_no_subject(self) -> None:
        every = self.given({"q1": "a", "q2": "b", "q3": "b"})
        for inference in (every, Inference()):
            require_groups(inference, ["q1", "q2"])
            assert describe_missing_groups(inference, ["q1", "q2"], ("query", "queries")) == ""
        require_groups(every, [])
