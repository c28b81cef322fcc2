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

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import escape_control_characters, print_always
from jurydesk.core.cli.exit_codes import DONE, NO_RESOURCE, os_error_sentence
from jurydesk.core.cli.output import is_standard_output, json_option, write_json_output
from jurydesk.core.cli.text.text_table import align_columns
from jurydesk.core.system.extras import install_hint

State = Literal["ok", "absent", "broken"]

IMPORTED = ("numpy", "scipy", "polars", "lxml.etree", "PIL", "rapidfuzz", "snowballstemmer")
"""Base packages with compiled or pinned parts: they are imported, which shows whether they run."""

FOUND = ("PySide6", "pyqtgraph", "pymorphy3", "razdel", "nltk", "inflect")
"""Base packages that are slow to import or that only the window needs: looked for, not run."""

NEURAL = ("torch", "torchvision", "open_clip", "transformers", "safetensors")
NEURAL_REMEDY = f"neural metrics need it: {install_hint('neural')}"
DISTRIBUTIONS = {"PIL": "Pillow", "lxml.etree": "lxml", "open_clip": "open-clip-torch"}


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One line of the report; `broken` means that the base program does not work."""

    part: str
    name: str
    state: State
    text: str


Examination = Callable[[], Iterator[DoctorFinding]]


@click.pass_obj
def doctor(surroundings: CommandContext, /, json: Path | None) -> int:
    """Print what was found; 3 where the base program is broken."""
    findings = [finding for look in EXAMINATIONS for finding in run_examination(look)]
    if json is not None:
        rows = [
            {"part": one.part, "name": one.name, "state": one.state, "text": one.text}
            for one in findings
        ]
        write_json_output(json, {"schema": 1, "findings": rows})
    if not is_standard_output(json):
        wanted = [one for one in findings if not surroundings.quiet or one.state == "broken"]
        for line in finding_lines(wanted):
            print_always(escape_control_characters(line))
    return NO_RESOURCE if any(one.state == "broken" for one in findings) else DONE


def run_examination(look: Examination) -> Iterator[DoctorFinding]:
    """What an examination finds; a folder that cannot be used ends it with a finding."""
    try:
        yield from look()
    except OSError as error:
        yield DoctorFinding(
            look.__name__.removesuffix("_aligner"), "", "broken", os_error_sentence(error)
        )


def finding_lines(findings: list[DoctorFinding]) -> list[str]:
    """The findings as a table; what is no more than fine has no word before it."""
    rows = [
        (one.part, one.name, "" if one.state == "ok" else one.state, one.text) for one in findings
    ]
    return align_columns(("", "", "", ""), rows)[1:]


def versions() -> Iterator[DoctorFinding]:
    """Jurydesk itself, Python and the system."""
    from jurydesk.core.provenance.stamp import library_versions

    for name, version in library_versions().items():
        if name != "numpy":
            yield DoctorFinding("program", name, "ok", version)


def packages() -> Iterator[DoctorFinding]:
    """The packages of the base program, then those of the neural metrics."""
    for name in IMPORTED:
        yield import_package(name)
    for name in FOUND:
        yield find_package(name, "broken", "pip install --upgrade jurydesk")
    for name in NEURAL:
        yield find_package(name, "absent", NEURAL_REMEDY)


def import_package(name: str) -> DoctorFinding:
    """Whether a package can be imported."""
    # A package whose compiled part does not fit the machine may raise anything.
    try:
        importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - told, not thrown
        return DoctorFinding("package", name, "broken", f"{type(error).__name__}: {error}")
    return DoctorFinding("package", name, "ok", package_version(name))


def find_package(name: str, otherwise: State, hint: str) -> DoctorFinding:
    """Whether a package is installed, without importing it."""
    if importlib.util.find_spec(name) is None:
        return DoctorFinding("package", name, otherwise, hint)
    return DoctorFinding("package", name, "ok", package_version(name))


def package_version(name: str) -> str:
    """The version of an installed package; empty where its metadata are not there."""
    try:
        return importlib.metadata.version(DISTRIBUTIONS.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return ""


def competitions() -> Iterator[DoctorFinding]:
    """The competitions of this installation, and the plug-ins that could not be loaded."""
    from jurydesk.core.competition.task_registry import registry

    for task in registry().tasks.values():
        yield DoctorFinding("competition", task.id, "ok", task.title)
    for broken in registry().broken:
        yield DoctorFinding(
            "plug-in", broken.name, "absent", f"could not be loaded: {broken.error}"
        )


def meteor_aligner() -> Iterator[DoctorFinding]:
    """Which of METEOR's aligners runs, and whether its language data are ready."""
    from jurydesk.core.metrics.meteor.alignment import engine, engine_compiled
    from jurydesk.core.metrics.meteor.language_data import index_location, source_files

    asked = f"{engine.ENGINE_VARIABLE} asks for it"
    why = asked if engine_compiled.AVAILABLE else "no compiler was found when it was installed"
    texts = {
        "compiled": "the compiled one",
        "python": f"the Python one: the same numbers, some ten times slower ({why})",
    }
    yield DoctorFinding("METEOR", "aligner", "ok", texts[engine.engine()])
    try:
        path = index_location.index_path(source_files.installed_language_data())
    except source_files.LanguageDataMissing as missing:
        path = index_location.packaged_index_path()
        if not path.is_file():
            yield DoctorFinding("METEOR", "language data", "absent", str(missing))
            return
    text = str(path) if path.is_file() else "not prepared yet: jurydesk meteor --prepare"
    yield DoctorFinding("METEOR", "index", "ok", text)


def computing() -> Iterator[DoctorFinding]:
    """The devices of this machine."""
    from jurydesk.core.execution.device import devices

    for device in devices():
        yield DoctorFinding("device", device.id, "ok", device.name)


def weights() -> Iterator[DoctorFinding]:
    """The models of the neural metrics: where they are, or what is expected where."""
    from jurydesk.core.neural.weights.weight_roles import ROLES, find_weights

    for role in ROLES:
        outcome = find_weights(role.id, {})
        if outcome.found is None:
            yield DoctorFinding("weights", role.id, "absent", outcome.reason)
        else:
            yield DoctorFinding("weights", role.id, "ok", str(outcome.found.path))


def folders() -> Iterator[DoctorFinding]:
    """Where the program keeps its files."""
    from jurydesk.core.system import paths

    for name in ("cache_folder", "data_folder", "config_folder"):
        yield DoctorFinding("folder", name.split("_")[0], "ok", str(getattr(paths, name)()))


EXAMINATIONS: tuple[Examination, ...] = (
    versions,
    packages,
    competitions,
    meteor_aligner,
    computing,
    weights,
    folders,
)

command = CliCommand(
    "doctor",
    callback=doctor,
    params=[json_option()],
    help="Tell what is installed, what runs, and what is missing.",
)
