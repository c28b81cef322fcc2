"""Bundle of Codabench made from a desk: competition, scoring program, references, starting kit.

The scoring program holds this package and NumPy, so that it needs neither a network nor packages of
the image; only `reference_data.zip` holds references.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.export.platforms.codabench_bundle import RULES
from jurydesk.core.export.platforms.scoring_program import SETTINGS
from jurydesk.core.intake.deadlines import parse_time
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.evaluation import Json, MetricInfo, UsageError
from jurydesk.core.version import __version__

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask

PROGRAM, REFERENCES, KIT = "scoring_program.zip", "reference_data.zip", "starting_kit.zip"
COMMAND = "command: python3 /app/program/score.py /app/input /app/output\n"
STORED = (1980, 1, 1, 0, 0, 0)
"""Time of every member, so that equal desks give equal bundles."""
LONGEST_TITLE, LONGEST_KEY = 36, 36
MOST_COLUMNS = 6
SCORE = '''"""Score a submission of Codabench: score.py INPUT OUTPUT."""

import os
import sys
import tempfile

if sys.version_info < (3, 11):
    sys.exit("This image has Python %d.%d; choose {image}." % sys.version_info[:2])
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "engine"), os.path.join(here, "vendored")]
os.environ["JURYDESK_HOME"] = tempfile.mkdtemp()
os.environ["JURYDESK_LANG"] = "en"
try:
    import numpy
except ImportError as error:
    sys.exit("NumPy does not run in this image: choose {image} (%s)." % error)

from pathlib import Path

from jurydesk.core.export.platforms.scoring_program import score_submission_folder

sys.exit(score_submission_folder(Path(sys.argv[1]), Path(sys.argv[2])))
'''


@dataclass(frozen=True, slots=True)
class BundleSettings:
    """What the organiser chooses of a bundle; times are in UTC."""

    title: str = ""
    description: str = ""
    terms: str = ""
    contact_email: str = ""
    docker_image: str = f"python:{sys.version_info[0]}.{sys.version_info[1]}"
    submission_rule: str = "Force_Last"
    start: datetime | None = None
    end: datetime | None = None
    max_submissions_per_day: int = 5
    max_submissions: int = 100
    columns: tuple[str, ...] = ()


def read_bundle_settings(path: Path | None) -> BundleSettings:
    """Read the settings from a YAML file. Raises UsageError for others, and OSError."""
    if path is None:
        return BundleSettings()
    import yaml

    try:
        given = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(fill("{path} is not a YAML file: {problem}", path, problem)) from problem
    known = BundleSettings.__dataclass_fields__
    unknown = [name for name in given if name not in known] if isinstance(given, dict) else [path]
    if unknown:
        names = name_list([*known], 20)
        raise UsageError(fill("Unknown setting {name}. Known: {names}.", unknown[0], names))
    values: dict[str, Any] = dict(given)
    for name in ("start", "end"):
        if values.get(name) is not None:
            values[name] = _utc(values[name])
    if "columns" in values:
        values["columns"] = tuple(map(str, values["columns"]))
    for name in ("max_submissions_per_day", "max_submissions"):
        if not isinstance(values.get(name, 1), int) or values.get(name, 1) < 1:
            raise UsageError(fill("{name} must be a number from 1 on.", name))
    if values.get("submission_rule", RULES[0]) not in RULES:
        raise UsageError(fill("submission_rule: allowed are {names}.", name_list(RULES, 9)))
    return BundleSettings(**values)


def _utc(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return parse_time(str(value), UTC)


@dataclass(frozen=True, slots=True)
class BundleSource:
    """What a bundle is made from: competition, options, references by role, metrics.

    `kit` are the members of the starting kit, if there is one.
    """

    task: AnyTask
    options: Any
    inputs: Mapping[str, Sequence[Path]]
    metrics: Sequence[MetricInfo]
    title: str
    stamps: Sequence[str]
    kit: Mapping[str, bytes] | None


def bundle_columns(metrics: Sequence[MetricInfo]) -> list[dict[str, Json]]:
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


def make_bundle(source: BundleSource, settings: BundleSettings) -> dict[str, bytes]:
    """Return the members of a bundle. Raises UsageError if NumPy cannot be put in."""
    from jurydesk.core.model.options import options_json

    title = settings.title or source.title
    columns = bundle_columns(source.metrics)
    names = _reference_names(source.inputs)
    document = {
        "schema": 1,
        "task": source.task.id,
        "title": title,
        "version": __version__,
        "options": options_json(source.options),
        "columns": columns,
        "inputs": {role: [names[path] for path in paths] for role, paths in source.inputs.items()},
        "stamps": list(source.stamps),
    }
    references = {name: path.read_bytes() for path, name in names.items()}
    references[SETTINGS] = json.dumps(document, indent=1).encode()
    members = {
        "competition.yaml": json.dumps(_competition(source, settings, title), indent=1).encode(),
        "logo.png": _logo(),
        **{name: text.encode() for name, text in _pages(source, settings, title).items()},
        PROGRAM: _zip(program_members(settings.docker_image)),
        REFERENCES: _zip(references),
    }
    if source.kit is not None:
        members[KIT] = _zip(source.kit)
    return members


def _reference_names(inputs: Mapping[str, Sequence[Path]]) -> dict[Path, str]:
    names: dict[Path, str] = {}
    for role, paths in inputs.items():
        for number, path in enumerate(paths):
            if not path.is_file():
                raise UsageError(
                    fill("{name} is a folder, which a bundle cannot hold yet.", path.name)
                )
            names[path] = f"{role}-{number}{''.join(path.suffixes[-2:])}"
    return names


def _competition(source: BundleSource, settings: BundleSettings, title: str) -> Json:
    start = settings.start or datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    phase: dict[str, Json] = {
        "index": 0,
        "name": "Evaluation",
        "start": f"{start:%Y-%m-%d %H:%M:%S}",
        "tasks": [0],
        "max_submissions_per_day": settings.max_submissions_per_day,
        "max_submissions": settings.max_submissions,
        "execution_time_limit": 600,
    }
    if settings.end is not None:
        phase["end"] = f"{settings.end:%Y-%m-%d %H:%M:%S}"
    if source.kit is not None:
        phase["starting_kit"] = KIT
    columns = [
        {
            "title": column["title"],
            "key": column["key"],
            "index": number,
            "sorting": "asc" if info.better == "lower" else "desc",
            "precision": 4,
        }
        for number, (column, info) in enumerate(
            zip(bundle_columns(source.metrics), source.metrics, strict=True)
        )
    ]
    board = {"title": "Results", "key": "main", "submission_rule": settings.submission_rule,
             "primary_index": 0, "columns": columns}  # fmt: skip
    return {
        "version": "2",
        "title": title[:256],
        "description": settings.description or source.task.summary,
        "image": "logo.png",
        "terms": "pages/terms.md",
        "docker_image": settings.docker_image,
        **({"contact_email": settings.contact_email} if settings.contact_email else {}),
        "enable_detailed_results": True,
        "pages": [
            {"title": name, "file": f"pages/{name.lower()}.md"}
            for name in ("Overview", "Evaluation", "Data")
        ],
        "tasks": [
            {"index": 0, "name": "Evaluation", "scoring_program": PROGRAM,
             "reference_data": REFERENCES}
        ],
        "phases": [phase],
        "leaderboards": [board],
    }  # fmt: skip


def _pages(source: BundleSource, settings: BundleSettings, title: str) -> dict[str, str]:
    task, entry = source.task, source.task.submission_input()
    metrics = "\n".join(
        f"- **{info.title}** ({'lower' if info.better == 'lower' else 'higher'} is better): "
        f"{info.summary} {info.source}".rstrip()
        for info in source.metrics
    )
    profile = getattr(source.options, "profile", "published")
    return {
        "pages/overview.md": f"# {title}\n\n{settings.description or task.summary}\n",
        "pages/evaluation.md": f"# Evaluation\n\n{metrics}\n\nScores: Jurydesk {__version__}, "
        f"profile {profile}.\n",
        "pages/data.md": f"# Data\n\n{entry.label}. {entry.help}\n\nUpload a zip archive with one "
        "file. The starting kit has a page that checks it without a network.\n",
        "pages/terms.md": settings.terms or "The organiser has not written terms yet.\n",
    }


def _logo() -> bytes:
    from PIL import Image

    content = io.BytesIO()
    Image.new("RGB", (256, 256), (46, 91, 142)).save(content, "PNG")
    return content.getvalue()


def program_members(image: str) -> dict[str, bytes]:
    """Return the members of the scoring program: its command, the engine, and NumPy."""
    members = {
        "metadata.yaml": COMMAND.encode(),
        "score.py": SCORE.replace("{image}", image).encode(),
    }
    core = Path(__file__).resolve().parents[2]
    members["engine/jurydesk/__init__.py"] = b""
    members["engine/jurydesk/resources/README"] = b"The engine needs none.\n"
    for path in sorted(core.rglob("*.py")):
        inside = path.relative_to(core)
        if inside.parts[0] not in ("api", "cli", "selftest", "library"):
            members[f"engine/jurydesk/core/{inside.as_posix()}"] = path.read_bytes()
    for name, content in _numpy_files():
        members[f"vendored/{name}"] = content
    return members


def _numpy_files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the installed NumPy, without its tests. Raises UsageError."""
    if not sys.platform.startswith("linux"):
        raise UsageError(translatable("The bundle holds NumPy for Linux: export it on Linux."))
    files = importlib.metadata.files("numpy") or []
    for one in files:
        unused = {"tests", "__pycache__"} & set(one.parts)
        if ".." in one.parts or unused or one.suffix in (".pyi", ".h", ".a"):
            continue
        path = Path(str(one.locate()))
        if path.is_file():
            yield one.as_posix(), path.read_bytes()


def _zip(members: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, STORED), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def bundle_bytes(members: Mapping[str, bytes]) -> bytes:
    """Return the bundle as a zip archive; archives inside it are stored as they are."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            kind = zipfile.ZIP_STORED if name.endswith(".zip") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, STORED), data, kind)
    return content.getvalue()
