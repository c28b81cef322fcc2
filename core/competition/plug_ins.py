"""Entry points of installed packages, and their loading: foreign code that may do anything."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import fill, translatable
from jurydesk.core.system.interrupt import noted_interrupt

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


AT_IMPORT, AT_WORK = translatable("at import"), translatable("while it works")


class PlugInError(Exception):
    """Plug-in that ends the program, as its message says."""


def entry_points_of(group: str) -> tuple[list[EntryPoint], Sequence[tuple[str, Exception]]]:
    """Return the entry points of a group by name, and packages whose metadata are damaged.

    A damaged `entry_points.txt` of any package, even of another group, would end the search.
    """
    from importlib import metadata  # slow import, not needed for one task

    broken: list[tuple[str, Exception]] = []
    try:
        found = list(metadata.entry_points(group=group))
    except Exception:  # noqa: BLE001 - found below, package by package
        found, seen = [], set()
        for package in metadata.distributions():
            name = "a package"
            try:
                name = str(package.metadata["Name"])
                if name not in seen:
                    found += [one for one in package.entry_points if one.group == group]
                seen.add(name)
            except Exception as error:  # noqa: BLE001 - metadata of a stranger
                broken.append((name, error))
    return sorted(found, key=lambda entry: entry.name), broken


def load_plug_in(entry: EntryPoint) -> Any:
    """Load an entry point; what it prints goes to standard error.

    Raises whatever the plug-in raises, and PlugInError if it ends the program.
    """
    with contextlib.redirect_stdout(sys.stderr or io.StringIO()), contained(AT_IMPORT):
        return entry.load()


@contextlib.contextmanager
def contained(when: str) -> Iterator[None]:
    """Let foreign code in the block end its own work alone, as `when` says, never the program.

    Raises PlugInError if it exits, or raises KeyboardInterrupt although nobody pressed Ctrl+C.
    """
    with noted_interrupt() as is_pressed:
        try:
            yield
        except SystemExit as end:
            text = fill("it ends the program {when} (code {code})", when, str(end.code))
            raise PlugInError(text) from end
        except KeyboardInterrupt as end:
            if is_pressed():
                raise
            raise PlugInError(fill("it interrupts the program {when}", when)) from end
