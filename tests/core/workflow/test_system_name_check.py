"""Renaming of a system, which results, stamps and later scoring follow."""

from __future__ import annotations

import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.given_names import rename_system
from jurydesk.core.desk.item_queries import load_stamps
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from jurydesk.core.workflow.system_name_check import check_system_name
from support.windows import toy_competition


@pytest.mark.usefixtures("only_the_toy")
def test_a_renamed_system_keeps_its_file_and_its_name_in_the_next_scoring(tmp_path):
    truth, *systems = toy_competition.files(tmp_path / "files", systems=2)
    given = files_by_role({"truth": [truth], "guesses": systems})
    path = tmp_path / "toy.jurydesk"
    Desk.create(path).close()
    files = CompetitionFiles(path, toy_competition.TASK, given, toy_competition.Options())
    score_competition(files, Run())
    with Desk.open(path) as desk:
        first, second = desk.systems()
        scores = [one.scores for one in desk.evaluations()]
        for name, reason in (
            (second, "another system"),
            (" ", "1 to 120"),
            ("n" * 121, "1 to 120"),
        ):
            with pytest.raises(DeskError, match=reason):
                check_system_name(desk, first, name)
        rename_system(desk, first, "Ours")
        stamp = load_stamps(desk)[desk.evaluations()[0].id]
        assert (stamp["system"], stamp["submission"]["path"]) == ("Ours", str(systems[0]))
    score_competition(files, Run())
    with Desk.open(path) as desk:
        assert sorted(desk.systems()) == ["Ours", second]
        assert [one.scores for one in desk.evaluations()] == scores
        rename_system(desk, "Ours", first, is_given=False)
    score_competition(files, Run())
    with Desk.open(path, read_only=True) as desk:
        assert sorted(desk.systems()) == [first, second]
