"""Files of the reference data that a package hands out to participants."""

from __future__ import annotations

from collections.abc import Iterable

from jurydesk.core.export.platforms.configuration import ConfigurationCheck
from jurydesk.core.language import counted, fill, name_list, translatable
from jurydesk.core.model.evaluation import Json


def warn_of_leaks(
    check: ConfigurationCheck, secret: Iterable[Json], public: Iterable[tuple[str, Json]]
) -> None:
    """Warn of public files, given by place and path, with the content of a secret one.

    Contents are compared by size and checksum, those in zip archives and folders as well.
    """
    known = {one for path in secret for one in check.contents(path)}
    for where, path in public:
        shared = [name for one, name in check.contents(path).items() if one in known]
        if shared:
            count = counted(len(shared), "file")
            text = fill(
                "It holds {files} of the reference data: {names}.", count, name_list(shared)
            )
            check.warn(where, text, translatable("Participants can read it: leave it out."))


def objects(value: Json) -> list[dict[str, Json]]:
    """Return the objects of a list; nothing for another value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
