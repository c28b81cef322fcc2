"""Names that the user gave to systems: in results and stamps, and for the next scoring."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from jurydesk.core.desk.codec import damage_at
from jurydesk.core.desk.tables.evaluation_table import read_summaries, rename_evaluations
from jurydesk.core.desk.tables.submission_table import read_setting

if TYPE_CHECKING:
    from jurydesk.core.desk.desk import Desk

NAME = "system names"


def given_names(desk: Desk) -> dict[str, str]:
    """Return the given names, each by path and by SHA-256 of the submission."""
    stored = read_setting(desk, NAME)
    if not isinstance(stored, dict):
        return {}
    return {key: name for key, name in stored.items() if isinstance(name, str) and name.strip()}


def rename_system(desk: Desk, system: str, name: str, *, is_given: bool = True) -> None:
    """Rename all results of a system, whose stamps keep the file; later scoring uses the name.

    With `is_given` false, later scoring names the system by its submission again.
    """
    names = given_names(desk)
    with desk.writing() as connection, damage_at("evaluation"):
        for one in read_summaries(connection):
            for key in one.submission or () if one.system == system else ():
                names[key] = name
                if not is_given:
                    names.pop(key)
        rename_evaluations(connection, system, name)
        connection.execute(
            "INSERT OR REPLACE INTO setting VALUES (?, ?)", (NAME, json.dumps(names))
        )
