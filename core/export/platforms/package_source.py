"""What packages for all platforms are made from: settings, references, columns and pages."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.export.platforms.codabench_bundle import RULES
from jurydesk.core.export.platforms.scoring_program import SETTINGS
from jurydesk.core.intake.deadlines import parse_time
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.evaluation import Json, MetricInfo, UsageError
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask

LONGEST_TITLE, LONGEST_KEY = 36, 36
MOST_COLUMNS = 10
TEXTS = (
    *("title", "description", "terms", "contact_email", "docker_image", "submission_rule"),
    "engine",
)
"""Settings that are texts."""
"""Forms of options whose values are paths."""
LARGEST_OPTION = 256 << 20
"""Bytes of the largest file of an option that a package holds: word vectors have gigabytes."""

OWN_IMAGE = f"python:{sys.version_info[0]}.{sys.version_info[1]}"
"""Image whose Python runs the compiled libraries of this installation."""


@dataclass(frozen=True, slots=True)
class PackageSettings:
    """What the organiser chooses of a package; times are in UTC.

    `engine` is a frozen engine for EvalAI's workers, `public_share` the share of Kaggle's rows that
    the public board shows.
    """

    title: str = ""
    description: str = ""
    terms: str = ""
    contact_email: str = ""
    docker_image: str = OWN_IMAGE
    submission_rule: str = "Force_Last"
    start: datetime | None = None
    end: datetime | None = None
    max_submissions_per_day: int = 5
    max_submissions: int = 100
    columns: tuple[str, ...] = ()
    engine: str = ""
    public_share: float = 0.5


def read_package_settings(path: Path | None) -> PackageSettings:
    """Read the settings from a YAML file. Raises UsageError for others, and OSError."""
    if path is None:
        return PackageSettings()
    import yaml

    try:
        given = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        raise UsageError(fill("{path} is not a YAML file: {problem}", path, problem)) from problem
    known = PackageSettings.__dataclass_fields__
    unknown = [name for name in given if name not in known] if isinstance(given, dict) else [path]
    if unknown:
        names = name_list([*known], 20)
        raise UsageError(fill("Unknown setting {name}. Known: {names}.", unknown[0], names))
    values: dict[str, Any] = dict(given)
    for name in TEXTS:
        if not isinstance(values.get(name, ""), str) or not _is_utf8(values.get(name, "")):
            raise UsageError(fill("{name} must be a text.", name))
    for name in ("start", "end"):
        if values.get(name) is not None:
            values[name] = _utc(name, values[name])
    if "columns" in values:
        if not isinstance(values["columns"], list):
            raise UsageError(translatable("columns must be a list of metrics."))
        values["columns"] = tuple(map(str, values["columns"]))
    for name in ("max_submissions_per_day", "max_submissions"):
        if not isinstance(values.get(name, 1), int) or values.get(name, 1) < 1:
            raise UsageError(fill("{name} must be a number from 1 on.", name))
    if values.get("submission_rule", RULES[0]) not in RULES:
        raise UsageError(fill("submission_rule: allowed are {names}.", name_list(RULES, 9)))
    named = re.match(r"python:\d+\.\d+", str(values.get("docker_image", "")))
    if named and named[0] != OWN_IMAGE:
        raise UsageError(
            fill("docker_image: the libraries brought along are those of {image}.", OWN_IMAGE)
        )
    share = values.get("public_share", 0.5)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise UsageError(translatable("public_share must be a number from 0 to 1."))
    return PackageSettings(**values)


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _utc(name: str, value: Any) -> datetime:
    try:
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
        return parse_time(value if isinstance(value, str) else "", UTC)
    except (ValueError, OverflowError) as fault:
        raise UsageError(
            fill("{name} is not a time such as 2026-03-01 23:59 UTC.", name)
        ) from fault


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """System of the desk: its file, and the number of each metric."""

    path: Path
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PackageSource:
    """What a package is made from: competition, options, references by role, metrics, systems.

    `kit` are the members of the starting kit, if there is one; `index` is METEOR's prepared index,
    where the scores need it. `digests` are the SHA-256 of what the stamps name. `other_metrics`
    are the names of those that rank on the board and are no columns.
    """

    task: AnyTask
    options: Any
    inputs: Mapping[str, Sequence[Path]]
    metrics: Sequence[MetricInfo]
    title: str
    systems: Mapping[str, ScoredSystem]
    stamps: Sequence[str]
    kit: Mapping[str, bytes] | None = None
    index: Path | None = None
    digests: frozenset[str] = frozenset()
    other_metrics: Sequence[str] = ()

    def wanted(self, system: ScoredSystem) -> dict[str, float]:
        """Return the numbers of a system by the keys of the columns."""
        columns = package_columns(self.metrics)
        return {str(one["key"]): system.values[str(one["metric"])] for one in columns}


def package_columns(metrics: Sequence[MetricInfo]) -> list[dict[str, Json]]:
    """Return key, metric and title of each column; keys are unique, of letters, digits and _."""
    columns: list[dict[str, Json]] = []
    for info in metrics:
        key = re.sub(r"[^a-z0-9_]+", "_", info.name.lower()).strip("_")[:LONGEST_KEY] or "score"
        taken = {column["key"] for column in columns}
        number = 1
        while key in taken:
            number += 1
            key = f"{key[: LONGEST_KEY - 3]}_{number}"
        columns.append({"key": key, "metric": info.name, "title": info.title[:LONGEST_TITLE]})
    return columns


def reference_members(source: PackageSource, title: str) -> dict[str, bytes]:
    """Return the references, and `jurydesk.json` with competition, options, columns and stamps.

    Files that options name come along; folders and models do not (`left_out`).
    """
    from jurydesk.core.model.options import options_json
    from jurydesk.core.system.paths import fingerprint

    names, files = reference_names(source), option_files(source)
    defaults = {one.name: one.default for one in path_options(source)}
    document = {
        "schema": 1,
        "task": source.task.id,
        "title": title,
        "version": __version__,
        "options": {**options_json(source.options), **defaults},
        "files": {name: _option_member(name, path) for name, path in files.items()},
        "columns": package_columns(source.metrics),
        "inputs": {
            role: [names[path][1] for path in paths if path in names]
            for role, paths in source.inputs.items()
        },
        "stamps": list(source.stamps),
        "index": source.index and fingerprint(source.index).sha256,
    }
    members = {name: path.read_bytes() for path, (_, name) in names.items()}
    members |= {_option_member(name, path): path.read_bytes() for name, path in files.items()}
    return {**members, SETTINGS: json.dumps(document, indent=1).encode()}


def path_options(source: PackageSource) -> list[Field[Any]]:
    """Return the options with paths of this computer, which mean nothing in a container."""
    from jurydesk.core.model.options import PATH_FORMS, stored_fields

    return [
        one
        for one in stored_fields(source.options)
        if one.metadata.get("form") in PATH_FORMS and getattr(source.options, one.name)
    ]


def option_files(source: PackageSource) -> dict[str, Path]:
    """Return the file that each option names, if a stamp names it, too, and it is not too large.

    A desk is untrusted: no other file leaves this computer.
    """
    from jurydesk.core.system.paths import fingerprint

    given = {one.name: getattr(source.options, one.name) for one in path_options(source)
             if one.metadata["form"] == "FILE"}  # fmt: skip
    files = {name: Path(value).expanduser() for name, value in given.items()}
    return {name: path for name, path in files.items()
            if not is_strange_share(path)
            and path.is_file() and path.stat().st_size <= LARGEST_OPTION
            and fingerprint(path).sha256 in source.digests}  # fmt: skip


def left_out(source: PackageSource) -> list[str]:
    """Return roles of scored pictures and options of models, which no package holds."""
    roles = {role for role, paths in source.inputs.items() if any(one.is_dir() for one in paths)}
    options = {one.name for one in path_options(source)} - set(option_files(source))
    return [*sorted(roles - source.task.roles_for_display()), *sorted(options)]


def _option_member(name: str, path: Path) -> str:
    return f"option-{name}{''.join(path.suffixes[-2:])}"


def reference_names(source: PackageSource) -> dict[Path, tuple[str, str]]:
    """Return role and name in the package of each reference file; folders of pictures have none."""
    return {
        path: (role, f"{role}-{number}{''.join(path.suffixes[-2:])}")
        for role, paths in source.inputs.items()
        for number, path in enumerate(paths)
        if not path.is_dir()
    }


def package_pages(
    source: PackageSource, settings: PackageSettings, title: str, upload: str
) -> dict[str, str]:
    """Return the pages as Markdown by name; `upload` says what participants upload."""
    task, entry = source.task, source.task.submission_input()
    metrics = "\n".join(
        f"- **{info.title}** ({'lower' if info.better == 'lower' else 'higher'} is better): "
        f"{info.summary} {info.source}".rstrip()
        for info in source.metrics
    )
    profile = getattr(source.options, "profile", "published")
    return {
        "overview": f"# {title}\n\n{settings.description or task.summary}\n",
        "evaluation": f"# Evaluation\n\n{metrics}\n\nScores: Jurydesk {__version__}, "
        f"profile {profile}.\n",
        "data": f"# Data\n\n{entry.label}. {entry.help}\n\n{upload}\n",
        "terms": settings.terms or "The organiser has not written terms yet.\n",
    }


def logo() -> bytes:
    """Return a plain picture in place of the competition's own."""
    from PIL import Image

    content = io.BytesIO()
    Image.new("RGB", (256, 256), (46, 91, 142)).save(content, "PNG")
    return content.getvalue()
