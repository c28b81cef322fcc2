"""Scoring program of a platform: it runs in the platform's container, with what it brings along.

Its folder holds this package as the engine; the folder of references has the settings beside the
reference files. It writes numbers only if all of them are finite, and ends with 0 only then.
"""

from __future__ import annotations

import html
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.intake.take_in import find_submissions
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.meteor.language_data.index_location import packaged_index_path
from jurydesk.core.model.defects import Defect, format_defects, has_errors
from jurydesk.core.model.evaluation import Evaluation, ResourceMissing, UsageError
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_from_json
from jurydesk.core.system.paths import fingerprint

SETTINGS = "jurydesk.json"
PLATFORM_FILE = "metadata"
"""File that Codabench's worker adds to a submission, and that a participant may not write."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body{{font:15px sans-serif;margin:2em}}td,th{{padding:.2em 1em;text-align:left}}</style>
<h1>{title}</h1><table><tr><th>Metric<th>Score<th>95 % interval{rows}</table>
<pre>{defects}</pre><p>{stamp}</p></html>
"""


class SubmissionRefusedError(Exception):
    """Submission that is not scored; the message is for the participant."""


def score_submission_folder(source: Path, target: Path) -> int:
    """Score `source/res` by `source/ref` into `target`; return the exit code."""
    settings = json.loads((source / "ref" / SETTINGS).read_text("utf-8"))
    try:
        _require_index(settings.get("index"))
        scores, page = _score(settings, source)
    except (SubmissionRefusedError, UsageError, ResourceMissing, ImportError) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 1
    (target / "detailed_results.html").write_text(page, "utf-8")
    (target / "scores.json").write_text(json.dumps(scores), "utf-8")
    return 0


def _require_index(wanted: str | None) -> None:
    """Raise ResourceMissing unless METEOR's prepared index is the one of the export."""
    if wanted and fingerprint(packaged_index_path()).sha256 != wanted:
        raise ResourceMissing(translatable("METEOR's index is not the one of this package."))


def _score(settings: dict[str, Any], source: Path) -> tuple[dict[str, float], str]:
    task = find_competition(settings["task"])
    if task is None:
        raise SubmissionRefusedError(fill("There is no competition {task}.", settings["task"]))
    files = {name: str(source / "ref" / file) for name, file in settings.get("files", {}).items()}
    options = options_from_json(task.scoring.options, {**settings["options"], **files})
    inputs = {
        role: [source / "ref" / name for name in names]
        for role, names in settings["inputs"].items()
    }
    with tempfile.TemporaryDirectory() as store:
        path = _submission(task, source / "res", Path(store))
        inputs[task.submission_input().role] = [path]
        result = score_submissions(task, files_by_role(inputs), options, Run())
    if not result.entries:  # their defects may name reference data
        raise SubmissionRefusedError(translatable("The reference data have errors."))
    (entry,) = result.entries
    if entry.evaluation is None:
        raise SubmissionRefusedError(_text(entry.defects))
    if entry.defects:
        sys.stderr.write(f"{_text(entry.defects)}\n")
    sys.stdout.write(f"{entry.evaluation.stamp['short']}\n")
    numbers = _numbers(settings, entry.evaluation)
    return numbers, _page(settings, entry.evaluation, entry.defects)


def _submission(task: AnyTask, folder: Path, store: Path) -> Path:
    """Return the one submission in the folder, or in the one folder in it."""
    found = find_submissions(task, [folder], store, Run(), skipped=folder / PLATFORM_FILE)
    files = [one.path for one in found.files]
    if len(files) != 1:
        count = fill("{files} found; one is expected.", counted(len(files), "submission"))
        raise SubmissionRefusedError(f"{count}\n{_text(found.defects)}".strip())
    return files[0]


def _numbers(settings: dict[str, Any], evaluation: Evaluation) -> dict[str, float]:
    """Return the number of every column. Raises SubmissionRefusedError for an undefined one."""
    values = {score.metric: score.value for score in evaluation.scores}
    found = {}
    for column in settings["columns"]:
        value = values.get(column["metric"], math.nan)
        if not math.isfinite(value):
            raise SubmissionRefusedError(fill("{metric} is undefined.", column["metric"]))
        found[column["key"]] = value
    return found


def _page(settings: dict[str, Any], evaluation: Evaluation, defects: Sequence[Defect]) -> str:
    rows = ""
    scores = {score.metric: score for score in evaluation.scores}
    for column in settings["columns"]:
        score = scores[column["metric"]]
        ends = score.interval
        shown = f"{ends.low:z.4f} – {ends.high:z.4f}" if ends else "–"
        title = html.escape(column["title"])
        rows += f"<tr><td>{title}<td>{score.value:z.4f}<td>{shown}"
    return PAGE.format(
        title=html.escape(settings["title"]),
        rows=rows,
        defects=html.escape(_text(defects)),
        stamp=html.escape(evaluation.stamp["short"]),
    )


def _text(defects: Sequence[Defect]) -> str:
    shown = [*filter(lambda one: has_errors([one]), defects), *defects]
    return "\n".join(format_defects(list(dict.fromkeys(shown))[:50]))
