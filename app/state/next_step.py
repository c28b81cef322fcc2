"""Next step of the open competition: title, sentence, and a button with its command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.model.defects import Severity
from jurydesk.core.tables.numbers import count, quantity

if TYPE_CHECKING:
    from jurydesk.app.state.evaluator import Evaluator
    from jurydesk.app.state.session import Session


@dataclass(frozen=True, slots=True)
class Step:
    """A next step: `command` is the id of a command.

    While the user `waits` for something, the title names it.
    """

    title: str
    sentence: str
    button: str = ""
    command: str = ""
    place: int = 0
    """Index of the current stage in `STAGES`."""
    waits: bool = False


STAGES = (
    translatable("Files"),
    translatable("Check"),
    translatable("Score", "stage"),
    translatable("Save", "stage"),
    translatable("Look"),
)


def stage_details(session: Session, *, unsaved: bool) -> tuple[str, ...]:
    """Return what is known of each of the `STAGES`; empty where nothing is."""
    if not session.has_task:
        return ("",) * len(STAGES)
    errors = sum(defect.severity is Severity.ERROR for defect in session.defects)
    systems = 0 if session.hidden else len(session.profile_systems())
    found = translate("no errors") if session.files else ""
    file = session.desk.path.name if session.has_desk else ""
    return (
        quantity(len(session.files), "file") if session.files else "",
        quantity(errors, "error") if errors else found,
        quantity(systems, "system") if systems else "",
        translate("not saved yet") if unsaved else file,
        "",
    )


def next_step(session: Session, evaluator: Evaluator, *, unsaved: bool, loading: str = "") -> Step:
    """Return the next step of the open competition; `loading` names a desk or files being read."""
    if loading:
        return Step(f"{loading} …", "", translate("Cancel"), "run.cancel", waits=True)
    if not session.has_task or (not session.files and not session.systems):
        detail = translate(
            "Reference data and submissions, or a saved desk: types are detected automatically."
        )
        return Step(
            translate("Add the files of a competition"),
            detail,
            translate("Add files …"),
            "file.open",
        )
    missing = session.missing_inputs()
    if missing and not session.systems and not session.hidden:
        names = ", ".join(translate_text(entry.label) for entry in missing)
        return Step(
            translate("Add what is missing: {names}", names=names),
            "",
            translate("Add files …"),
            "file.open",
        )
    if evaluator.scoring is not None:
        detail = translate("The first results appear as soon as a system is scored.")
        title, button = translate("The systems are being scored"), translate("Open the board")
        return Step(title, detail, button, "view.board", 2, waits=True)
    if evaluator.checking is not None:
        return Step(
            translate("The files are being checked"),
            translate("Every defect is listed on Check."),
            *(translate("See the files"), "view.check", 1),
            waits=not session.scored_systems,
        )
    if session.hidden:
        systems = quantity(len(session.scored_systems), "system")
        detail = translate("{systems} scored; nothing is shown until then.", systems=systems)
        return Step(
            translate("Open the scores"), detail, translate("Open the scores"), "run.open", 2
        )
    errors = sum(defect.severity is Severity.ERROR for defect in session.defects)
    if errors and not session.systems:
        detail = translate(
            "A file with errors cannot be scored; each has its place and what to do."
        )
        return Step(
            translate("See {errors}", errors=quantity(errors, "error")),
            detail,
            translate("See the errors"),
            "view.check",
            1,
        )
    begun = session.unfinished_rater
    if begun is not None and not session.read_only:
        progress = translate(
            "{done} of {items} are done.",
            done=count(begun.done),
            items=quantity(begun.items, "item"),
        )
        title = translate("Go on rating as {rater}", rater=begun.rater)
        return Step(title, progress, translate("Resume"), "run.rate", 4)
    button = translate(translatable("Score", "command"))
    if not session.profile_systems() and session.lost_inputs():
        detail = translate("Files are no longer where they were: add them again to score.")
        see = translate("See the files")
        return Step(translate("Add the missing files"), detail, see, "view.check", 1)
    if not session.profile_systems() and not session.read_only:
        detail = translate("Scores get intervals, tests and ranks; every number opens its items.")
        return Step(translate("Score the systems"), detail, button, "run.score", 2)
    outdated = session.describe_outdated() or session.describe_stale()
    are_there = all(file.state != "missing" for file in session.files)
    if outdated and are_there and not errors and not session.read_only:
        title = translate("Score the outdated systems")
        return Step(title, translate_text(outdated), button, "run.score", 2)
    if unsaved and not session.read_only:
        detail = translate("An unsaved desk is kept on this computer only.")
        return Step(translate("Save the desk"), detail, translate("Save as …"), "file.save_as", 3)
    return Step(translate("View the board"), "", translate("Open the board"), "view.board", 4)
