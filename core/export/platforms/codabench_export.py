"""Bundle of Codabench made from a desk: competition, scoring program, references, starting kit.

Only `reference_data.zip` holds references.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from jurydesk.core.export.platforms.engine_package import zip_members
from jurydesk.core.export.platforms.package_source import (
    PackageSettings,
    PackageSource,
    logo,
    package_columns,
    package_pages,
)
from jurydesk.core.model.evaluation import Json

PROGRAM, REFERENCES, KIT = "scoring_program.zip", "reference_data.zip", "starting_kit.zip"
COMMAND = "command: python3 /app/program/score.py /app/input /app/output\n"
UPLOAD = (
    "Upload a zip archive with one file. The starting kit has a page that checks it without a "
    "network."
)


def codabench_members(
    source: PackageSource,
    settings: PackageSettings,
    engine: Mapping[str, bytes],
    references: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Return the members of a bundle with an engine and references."""
    title = settings.title or source.title
    pages = package_pages(source, settings, title, UPLOAD)
    members = {
        "competition.yaml": json.dumps(_competition(source, settings, title), indent=1).encode(),
        "logo.png": logo(),
        **{f"pages/{name}.md": text.encode() for name, text in pages.items()},
        PROGRAM: zip_members({"metadata.yaml": COMMAND.encode(), **engine}),
        REFERENCES: zip_members(references),
    }
    if source.kit is not None:
        members[KIT] = zip_members(source.kit)
    return members


def _competition(source: PackageSource, settings: PackageSettings, title: str) -> Json:
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
            zip(package_columns(source.metrics), source.metrics, strict=True)
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
