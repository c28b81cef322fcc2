"""`jurydesk doctor`: what is installed, what runs, and what is missing."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from jurydesk.core.cli.command import Command, Surroundings
from jurydesk.core.cli.console import harmless, say_always
from jurydesk.core.cli.exit_codes import DONE, NO_RESOURCE, sentence_of
from jurydesk.core.cli.output import is_standard_output, json_option, write_json
from jurydesk.core.cli.text.text_table import aligned
from jurydesk.core.system.extras import remedy

State = Literal["ok", "absent", "broken"]

IMPORTED = ("numpy", "scipy", "polars", "lxml.etree", "PIL", "rapidfuzz", "snowballstemmer")
"""Base packages with compiled or pinned parts: they are imported, which shows whether they run."""

FOUND = ("PySide6", "pyqtgraph", "pymorphy3", "razdel", "nltk", "inflect")
"""Base packages that are slow to import or that only the window needs: looked for, not run."""

NEURAL = ("torch", "torchvision", "open_clip", "transformers", "safetensors")
NEURAL_REMEDY = f"neural metrics need it: {remedy('neural')}"
DISTRIBUTIONS = {"PIL": "Pillow", "lxml.etree": "lxml", "open_clip": "open-clip-torch"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `broken` means that the base program does not work."""

    part: str
    name: str
    state: State
    text: str


Examination = Callable[[], Iterator[Finding]]


@click.pass_obj
def doctor(surroundings: Surroundings, /, json: Path | None) -> int:
    """Print what was found; 3 where the base program is broken."""
    findings = [finding for look in EXAMINATIONS for finding in examined(look)]
    if json is not None:
        rows = [
            {"part": one.part, "name": one.name, "state": one.state, "text": one.text}
            for one in findings
        ]
        write_json(json, {"schema": 1, "findings": rows})
    if not is_standard_output(json):
        wanted = [one for one in findings if not surroundings.quiet or one.state == "broken"]
        for line in report(wanted):
            say_always(harmless(line))
    return NO_RESOURCE if any(one.state == "broken" for one in findings) else DONE


def examined(look: Examination) -> Iterator[Finding]:
    """What an examination finds; a folder that cannot be used ends it with a finding."""
    try:
        yield from look()
    except OSError as error:
        yield Finding(look.__name__, "", "broken", sentence_of(error))


def report(findings: list[Finding]) -> list[str]:
    """The findings as a table; what is no more than fine has no word before it."""
    rows = [
        (one.part, one.name, "" if one.state == "ok" else one.state, one.text) for one in findings
    ]
    return aligned(("", "", "", ""), rows)[1:]


def versions() -> Iterator[Finding]:
    """Jurydesk itself, Python and the system."""
    from jurydesk.core.provenance.stamp import versions

    for name, version in versions().items():
        if name != "numpy":
            yield Finding("program", name, "ok", version)


def packages() -> Iterator[Finding]:
    """The packages of the base program, then those of the neural metrics."""
    for name in IMPORTED:
        yield runs(name)
    for name in FOUND:
        yield is_there(name, "broken", "pip install --upgrade jurydesk")
    for name in NEURAL:
        yield is_there(name, "absent", NEURAL_REMEDY)


def runs(name: str) -> Finding:
    """Whether a package can be imported."""
    # A package whose compiled part does not fit the machine may raise anything.
    try:
        importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - told, not thrown
        return Finding("package", name, "broken", f"{type(error).__name__}: {error}")
    return Finding("package", name, "ok", version_of(name))


def is_there(name: str, otherwise: State, remedy: str) -> Finding:
    """Whether a package is installed, without importing it."""
    if importlib.util.find_spec(name) is None:
        return Finding("package", name, otherwise, remedy)
    return Finding("package", name, "ok", version_of(name))


def version_of(name: str) -> str:
    """The version of an installed package; empty where its metadata are not there."""
    try:
        return importlib.metadata.version(DISTRIBUTIONS.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return ""


def competitions() -> Iterator[Finding]:
    """The competitions of this installation, and the plug-ins that could not be loaded."""
    from jurydesk.core.competition.task_registry import registry

    for task in registry().tasks.values():
        yield Finding("competition", task.id, "ok", task.title)
    for broken in registry().broken:
        yield Finding("plug-in", broken.name, "absent", f"could not be loaded: {broken.error}")


def meteor() -> Iterator[Finding]:
    """Which of METEOR's aligners runs, and whether its language data are ready."""
    from jurydesk.core.metrics.meteor.alignment import engine, engine_compiled
    from jurydesk.core.metrics.meteor.language_data import index_location, source_files

    asked = f"{engine.ENGINE_VARIABLE} asks for it"
    why = asked if engine_compiled.AVAILABLE else "no compiler was found when it was installed"
    texts = {
        "compiled": "the compiled one",
        "python": f"the Python one: the same numbers, some ten times slower ({why})",
    }
    yield Finding("METEOR", "aligner", "ok", texts[engine.engine()])
    try:
        path = index_location.index_path(source_files.installed())
    except source_files.LanguageDataMissing as missing:
        path = index_location.packaged()
        if not path.is_file():
            yield Finding("METEOR", "language data", "absent", str(missing))
            return
    text = str(path) if path.is_file() else "not prepared yet: jurydesk meteor --prepare"
    yield Finding("METEOR", "index", "ok", text)


def computing() -> Iterator[Finding]:
    """The devices of this machine."""
    from jurydesk.core.execution.device import devices

    for device in devices():
        yield Finding("device", device.id, "ok", device.name)


def weights() -> Iterator[Finding]:
    """The models of the neural metrics: where they are, or what is expected where."""
    from jurydesk.core.neural.weights.weight_roles import ROLES, search

    for role in ROLES:
        outcome = search(role.id, {})
        if outcome.found is None:
            yield Finding("weights", role.id, "absent", outcome.reason)
        else:
            yield Finding("weights", role.id, "ok", str(outcome.found.path))


def folders() -> Iterator[Finding]:
    """Where the program keeps its files."""
    from jurydesk.core.system import paths

    for name in ("cache_folder", "data_folder", "config_folder"):
        yield Finding("folder", name.split("_")[0], "ok", str(getattr(paths, name)()))


EXAMINATIONS: tuple[Examination, ...] = (
    versions,
    packages,
    competitions,
    meteor,
    computing,
    weights,
    folders,
)

command = Command(
    "doctor",
    callback=doctor,
    params=[json_option()],
    help="Tell what is installed, what runs, and what is missing.",
)
