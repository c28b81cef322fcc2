"""Command `jurydesk doctor`: report what is installed, what works, and what is missing."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from jurydesk.core.cli.command import CliCommand, CommandContext
from jurydesk.core.cli.console import print_always
from jurydesk.core.cli.exit_codes import DONE, NO_RESOURCE, os_error_sentence
from jurydesk.core.cli.output import deliver, json_option
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.language.text_direction import escape_control_characters
from jurydesk.core.system.extras import install_hint
from jurydesk.core.tables.text_table import align_columns

State = Literal["ok", "absent", "broken"]

IMPORTED_PACKAGES = (
    "numpy",
    "scipy",
    "lxml.etree",
    "PIL",
    "rapidfuzz",
    "snowballstemmer",
)
"""Base packages with compiled or pinned parts, which are imported to see whether they work."""

INTERFACE_PACKAGES = ("polars",)
"""Packages of the Python interface, which the packaged program does not have."""
INTERFACE_REMEDY = translatable("tables in Python and Parquet files need it: {command}").format(
    command=install_hint("frames")
)

LOCATED_PACKAGES = ("PySide6", "pyqtgraph", "pymorphy3", "razdel", "nltk", "inflect")
"""Base packages that are slow to import or used only by the window, which are only located."""

NEURAL_PACKAGES = ("torch", "torchvision", "open_clip", "transformers", "safetensors")
NEURAL_REMEDY = translatable("neural metrics need it: {command}").format(
    command=install_hint("neural")
)
DISTRIBUTIONS = {"PIL": "Pillow", "lxml.etree": "lxml", "open_clip": "open-clip-torch"}


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """Row of the report; `broken` means that the base program does not work."""

    part: str
    name: str
    state: State
    text: str


LABELS = (
    translatable("program"),
    translatable("package"),
    translatable("competition"),
    translatable("plug-in"),
    translatable("add-on"),
    translatable("aligner"),
    translatable("language data"),
    translatable("index"),
    translatable("device"),
    translatable("weights"),
    translatable("folder"),
    translatable("cache"),
    translatable("data"),
    translatable("config"),
    translatable("absent"),
    translatable("broken"),
)
"""Parts, names and states of findings, which are translated when they are printed."""

DoctorCheck = Callable[[], Iterator[DoctorFinding]]


@click.pass_obj
def doctor(context: CommandContext, /, json: Path | None) -> int:
    """Print the findings; return 3 if the base program is broken."""
    findings = [finding for check in CHECKS for finding in run_check(check)]
    rows = [
        {"part": one.part, "name": one.name, "state": one.state, "text": one.text}
        for one in findings
    ]
    shown = [one for one in findings if not context.quiet or one.state == "broken"]
    lines = map(escape_control_characters, doctor_lines(shown))
    deliver(lines, (json, {"schema": 1, "findings": rows}), show=print_always)
    return NO_RESOURCE if any(one.state == "broken" for one in findings) else DONE


def run_check(check: DoctorCheck) -> Iterator[DoctorFinding]:
    """Yield the findings of a check; an unusable folder ends it with a finding."""
    try:
        yield from check()
    except OSError as error:
        yield DoctorFinding(
            check.__name__.removesuffix("_aligner"), "", "broken", os_error_sentence(error)
        )


def doctor_lines(findings: list[DoctorFinding]) -> list[str]:
    """Format the findings as a table; the state `ok` is left blank."""
    rows = [
        (
            *(translate(word) if word in LABELS else word for word in (one.part, one.name, state)),
            translate_text(one.text),
        )
        for one in findings
        for state in ["" if one.state == "ok" else one.state]
    ]
    return align_columns(("", "", "", ""), rows)[1:]


def versions() -> Iterator[DoctorFinding]:
    """Yield the versions of Jurydesk, Python and the system."""
    from jurydesk.core.model.stamp import library_versions

    for name, version in library_versions().items():
        if name != "numpy":
            yield DoctorFinding("program", name, "ok", version)


def packages() -> Iterator[DoctorFinding]:
    """Yield the packages of the base program, then those of the neural metrics."""
    interface = () if getattr(sys, "frozen", False) else INTERFACE_PACKAGES
    for name in IMPORTED_PACKAGES:
        yield import_package(name)
    for name in interface:
        yield find_package(name, "absent", INTERFACE_REMEDY)
    for name in LOCATED_PACKAGES:
        yield find_package(name, "broken", "pip install --upgrade jurydesk")
    for name in NEURAL_PACKAGES:
        yield find_package(name, "absent", NEURAL_REMEDY)


def import_package(name: str) -> DoctorFinding:
    """Import a package and report whether that works."""
    # A package whose compiled part does not fit the machine may raise anything.
    try:
        importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - reported, not raised
        return DoctorFinding("package", name, "broken", f"{type(error).__name__}: {error}")
    return DoctorFinding("package", name, "ok", package_version(name))


def find_package(name: str, missing_state: State, hint: str) -> DoctorFinding:
    """Report whether a package is installed, without importing it."""
    if importlib.util.find_spec(name) is None:
        return DoctorFinding("package", name, missing_state, hint)
    return DoctorFinding("package", name, "ok", package_version(name))


def package_version(name: str) -> str:
    """Return the version of an installed package; empty without metadata."""
    try:
        return importlib.metadata.version(DISTRIBUTIONS.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return ""


def competitions() -> Iterator[DoctorFinding]:
    """Yield the installed competitions, and the plug-ins that could not be loaded."""
    from jurydesk.core.competition.task_registry import registry

    for task in registry().tasks.values():
        yield DoctorFinding("competition", task.id, "ok", task.title)
    for broken in registry().broken:
        yield DoctorFinding(
            "plug-in",
            broken.name,
            "absent",
            translatable("could not be loaded: {error}").format(error=broken.error),
        )


def add_ons() -> Iterator[DoctorFinding]:
    """Yield the add-ons, and what is wrong with them, which never stops the program."""
    from jurydesk.core.intake.add_ons import installed

    for one in installed():
        state: State = "absent" if one.trouble else "ok"
        yield DoctorFinding("add-on", one.name, state, one.trouble or ", ".join(one.packages))


def meteor_aligner() -> Iterator[DoctorFinding]:
    """Yield the METEOR aligner in use, and the state of its language data."""
    from jurydesk.core.metrics.meteor.alignment import engine, engine_compiled
    from jurydesk.core.metrics.meteor.language_data import index_location, source_files

    if engine.engine() == "compiled":
        text = translatable("compiled")
    elif engine_compiled.AVAILABLE:
        text = translatable(
            "Python: same numbers, about ten times slower (chosen by {variable})"
        ).format(variable=engine.ENGINE_VARIABLE)
    else:
        text = translatable(
            "Python: same numbers, about ten times slower (no compiler was found at installation)"
        )
    yield DoctorFinding("METEOR", "aligner", "ok", text)
    try:
        path = index_location.present_index_path()
    except source_files.LanguageDataMissing as missing:
        yield DoctorFinding("METEOR", "language data", "absent", str(missing))
        return
    unprepared = translatable("not prepared yet: jurydesk meteor --prepare")
    text = str(path) if path else unprepared
    yield DoctorFinding("METEOR", "index", "ok", text)


def computing() -> Iterator[DoctorFinding]:
    """Yield the devices of this machine."""
    from jurydesk.core.execution.device import DeviceError, devices

    try:
        for device in devices():
            yield DoctorFinding("device", device.id, "ok", device.name)
    except DeviceError as error:
        yield DoctorFinding("device", "", "broken", str(error))


def weights() -> Iterator[DoctorFinding]:
    """Yield the path of each model for neural metrics, or where it is expected."""
    from jurydesk.core.neural.weights.weight_roles import ROLES, find_weights

    for role in ROLES:
        outcome = find_weights(role.id, {})
        if outcome.found is None:
            yield DoctorFinding("weights", role.id, "absent", outcome.reason)
        else:
            yield DoctorFinding("weights", role.id, "ok", str(outcome.found.path))


def folders() -> Iterator[DoctorFinding]:
    """Yield the folders in which the program stores files."""
    from jurydesk.core.system import paths

    for name in ("cache_folder", "data_folder", "config_folder"):
        yield DoctorFinding("folder", name.split("_")[0], "ok", str(getattr(paths, name)()))


CHECKS: tuple[DoctorCheck, ...] = (
    versions,
    packages,
    competitions,
    add_ons,
    meteor_aligner,
    computing,
    weights,
    folders,
)

command = CliCommand(
    "doctor",
    callback=doctor,
    params=[json_option()],
    help="Report what is installed, what works, and what is missing.",
)
