from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import DeskInput
from jurydesk.core.model.evaluation import Source
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.staleness import describe_outdated


def given(*names: str) -> list[InputFile]:
    return [InputFile(Path(f"/{name}"), name.partition("-")[0], 1, "current") for name in names]


def scored(*names: str) -> list[DeskInput]:
    return [
        DeskInput(Source(name.partition("-")[0], f"/{name}", 1, ""), Path(f"/{name}"), "current")
        for name in names
    ]


def test_only_files_that_differ_from_those_scored_are_described() -> None:
    files = given("truth", "guesses-a", "guesses-b")
    assert describe_outdated(files, [], "guesses") == ""
    assert describe_outdated(files, scored("truth", "guesses-a", "guesses-b"), "guesses") == ""
    waiting = describe_outdated(files, scored("truth", "guesses-a"), "guesses")
    assert waiting == "1 submission not scored yet: press Ctrl+R."
    other = describe_outdated(files, scored("truth-old", "guesses-a", "guesses-b"), "guesses")
    assert other.startswith("The reference files differ from those scored")


def test_pictures_that_enter_no_score_make_none_outdated() -> None:
    files = given("truth", "guesses-a", "photos")
    before = scored("truth", "guesses-a")
    assert describe_outdated(files, before, "guesses", {"photos"}) == ""
    assert describe_outdated(files, before, "guesses").startswith("The reference files differ")
    moved = [*files[:2], replace(files[2], state="missing")]
    assert describe_outdated(moved, before, "guesses", {"photos"}) == ""


def test_pictures_enter_the_score_only_where_the_competition_scores_pictures() -> None:
    tasks = registry().tasks
    assert tasks["vist"].roles_for_display() == {"images"}
    assert tasks["fusionbrain"].roles_for_display() == frozenset()
