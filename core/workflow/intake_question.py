"""Question whose numbers are meant, where dropped files fit several competitions or programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, name_list
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.workflow.role_assignment import MIN_CONFIDENCE

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask, Sniff

NEAR = 0.25
"""Difference of confidence up to which two competitions are both possible."""


@dataclass(frozen=True, slots=True)
class IntakeQuestion:
    """Competitions that files fit; or, of a competition, the profiles whose programs have such.

    The first one is in use.
    """

    tasks: tuple[AnyTask, ...]
    profiles: tuple[str, ...] = ()

    @property
    def titles(self) -> list[str]:
        """What can be answered."""
        return list(self.profiles) or [Message(task.title) for task in self.tasks]

    @property
    def sentence(self) -> str:
        """The question, which names all answers."""
        names = name_list(self.titles, len(self.titles))
        if self.profiles:
            return fill("Files of this shape fit {programs}. Whose numbers are meant?", names)
        return fill("These files fit {competitions}. Which is meant?", names)


def intake_question(
    files: Sequence[InputFile], task: AnyTask, profile: str, *, is_new: bool
) -> IntakeQuestion | None:
    """Return the question about the files of a competition, or None if nothing is in doubt.

    Of a new desk the competition is in question first. A `profile` other than the competition's
    first was chosen, and is not.
    """
    tasks = fitting_tasks(files) if is_new else ()
    others = [one for one in tasks if one.id != task.id]
    if len(others) == len(tasks) - 1 > 0:
        return IntakeQuestion((task, *others))
    programs = _programs(files, task)
    if not programs or profile != next(iter(task.scoring.profiles), ""):
        return None
    profiles = tuple(dict.fromkeys((profile, *programs)))
    return IntakeQuestion((task,), profiles) if len(profiles) > 1 else None


def fitting_tasks(files: Iterable[InputFile]) -> tuple[AnyTask, ...]:
    """Return the competitions that take each file that any takes, the likeliest first.

    None, where a file is certain.
    """
    from jurydesk.core.competition.task_registry import registry

    known = [one.guesses for one in files if one.guesses]
    if any(guess.confidence >= 1 for guesses in known for guess in guesses.values()):
        return ()
    totals = {
        name: sum(guesses[name].confidence for guesses in known)
        for name in (known[0] if known else ())
        if all(name in guesses and _is_near(guesses[name], guesses.values()) for guesses in known)
    }
    tasks = registry().tasks
    return tuple(tasks[name] for name in sorted(totals, key=lambda name: -totals[name]))


def _is_near(guess: Sniff, others: Iterable[Sniff]) -> bool:
    least = max(one.confidence for one in others) - NEAR
    return guess.confidence >= max(MIN_CONFIDENCE, least)


def _programs(files: Iterable[InputFile], task: AnyTask) -> list[str]:
    """Return the profiles whose programs have submissions of these shapes."""
    role = task.submission_input().role
    guesses = [one.guesses[task.id] for one in files if task.id in one.guesses]
    found = (name for guess in guesses if guess.role == role for name in guess.programs)
    return list(dict.fromkeys(found))
