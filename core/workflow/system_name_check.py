"""Check of a new name for a scored system."""

from __future__ import annotations

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.system_names import LONGEST_NAME


def check_system_name(desk: Desk, system: str, name: str) -> None:
    """Check whether a system can have another name.

    Raises:
        DeskError: The name is empty, too long or in use, or raters rate the system by its name.
    """
    if not name.strip() or len(name) > LONGEST_NAME:
        raise DeskError(translatable("A system needs a name of 1 to 120 characters."))
    if name in desk.systems():
        raise DeskError(fill("{name} is the name of another system.", name))
    study = RatingStore(desk).study()
    if study is not None and system in study.pool.systems:
        raise DeskError(
            fill("{system} is part of the rating plan, which knows it by this name.", system)
        )
