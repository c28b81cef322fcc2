"""Challenge of EvalAI made from a desk: configuration, pages, references and evaluation script.

EvalAI's workers run Python 3.7 to 3.9, which this program does not. The script is therefore run by
the organiser's own machine (remote evaluation), or calls a frozen engine that it brings along.
"""

from __future__ import annotations

import html
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from jurydesk.core.export.platforms.dry_run import Outcome, Score, run_clean
from jurydesk.core.export.platforms.engine_package import write_members, zip_members
from jurydesk.core.export.platforms.package_source import (
    PackageSettings,
    PackageSource,
    logo,
    package_columns,
    package_pages,
)
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Json, UsageError

SCRIPT, ANNOTATIONS, FROZEN = (
    "evaluation_script.zip",
    "annotations/evaluation.zip",
    "jurydesk-engine",
)
PHASE = SPLIT = "evaluation"
OPEN_DAYS = 365
"""Days from the start to the end of a challenge whose settings name no end, which EvalAI needs."""
REMOTE = translatable(
    "EvalAI's workers run Python 3.7 to 3.9, the engine needs 3.11: the challenge is evaluated "
    "remotely, by your own machine."
)
LOCAL = translatable("EvalAI's workers run Python 3.7 to 3.9: they call the frozen engine {name}.")
UPLOAD = "Upload one file, or a zip archive with one file."
INIT = b"from .main import evaluate\n"
MAIN = '''"""Evaluation of a challenge of EvalAI, by an engine in this folder. Runs on Python 3.7.

EvalAI's workers call evaluate(annotations, submission, phase), remote evaluation calls
evaluate(submission, phase). Without annotations, evaluation.zip beside this file is read.
"""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PHASE, SPLIT = {phase!r}, {split!r}
LABELS = json.loads({labels!r})
FROZEN = {frozen!r}


def evaluate(*given, **named):
    """Return the numbers of a submission; raise an Exception with its defects."""
    order = ("test_annotation_file", "user_submission_file", "phase_codename")
    if len(given) > 1 and given[1] == PHASE:
        order = order[1:] + order[:1]
    files = dict(zip(order, given), **named)
    if not FROZEN and sys.version_info < (3, 11):
        print("The organiser's own machine evaluates this submission.")
        return {{}}
    references = files.get("test_annotation_file") or os.path.join(HERE, "evaluation.zip")
    folder = tempfile.mkdtemp()
    try:
        return _score(folder, references, files["user_submission_file"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _score(folder, references, submission):
    source, target = os.path.join(folder, "input"), os.path.join(folder, "output")
    for one in (target, os.path.join(source, "res")):
        os.makedirs(one)
    with zipfile.ZipFile(references) as archive:
        archive.extractall(os.path.join(source, "ref"))
    name = os.path.basename(submission).split("?")[0]  # remote evaluation keeps an address
    shutil.copy(submission, os.path.join(source, "res", name))
    done = subprocess.run(
        _engine() + [source, target],
        cwd=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
    )
    scores = os.path.join(target, "scores.json")
    if done.returncode or not os.path.exists(scores):
        raise Exception(done.stderr.strip() or "The engine ended with %d." % done.returncode)
    with open(scores) as file:
        numbers = json.load(file)
    return {{
        "result": [{{SPLIT: {{LABELS[key]: number for key, number in numbers.items()}}}}],
        "submission_metadata": None,
        "submission_result": {{"scores": numbers, "stamp": done.stdout.strip()}},
    }}


def _engine():
    if not FROZEN:
        return [sys.executable, "-I", "-S", os.path.join(HERE, "score.py")]
    program = os.path.join(HERE, FROZEN)
    os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
    return [program]
'''
DRIVER = """
import json, os, sys
sys.path.insert(0, os.getcwd())
from challenge import evaluate
done = evaluate(sys.argv[1], sys.argv[2], sys.argv[3], submission_metadata={})
with open(sys.argv[4], "w") as file:
    json.dump(done["result"][0][sys.argv[5]], file)
"""


def evalai_members(
    source: PackageSource,
    settings: PackageSettings,
    engine: Mapping[str, bytes],
    references: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Return the members of a challenge. Raises UsageError if the frozen engine cannot be read."""
    title = settings.title or source.title
    pages = package_pages(source, settings, title, UPLOAD)
    names = {"overview": "description", "evaluation": "evaluation_details",
             "data": "submission_guidelines", "terms": "terms_and_conditions"}  # fmt: skip
    return {
        "challenge_config.yaml": json.dumps(_challenge(source, settings, title), indent=1).encode(),
        "logo.png": logo(),
        **{f"pages/{names[name]}.html": page_html(text).encode() for name, text in pages.items()},
        SCRIPT: zip_members(script_members(source, settings, engine)),
        ANNOTATIONS: zip_members(references),
    }


def script_members(
    source: PackageSource, settings: PackageSettings, engine: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the members of the evaluation script, with the engine or the frozen one."""
    frozen = {FROZEN: _frozen_engine(settings.engine)} if settings.engine else {}
    main = MAIN.format(
        phase=PHASE,
        split=SPLIT,
        labels=json.dumps(evalai_labels(source)),
        frozen=FROZEN if frozen else "",
    )
    return {"__init__.py": INIT, "main.py": main.encode(), **(frozen or engine)}


def _frozen_engine(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise UsageError(fill("The frozen engine {path} cannot be read.", path)) from fault


def evalai_labels(source: PackageSource) -> dict[str, str]:
    """Return the label of each column: its title, or its key where titles are equal."""
    columns = package_columns(source.metrics)
    titles = [str(one["title"]) for one in columns]
    return {
        str(one["key"]): title if titles.count(title) == 1 else str(one["key"])
        for one, title in zip(columns, titles, strict=True)
    }


def evaluation_reason(settings: PackageSettings) -> str:
    """Return who runs the evaluation, and why."""
    return fill(LOCAL, Path(settings.engine).name) if settings.engine else REMOTE


def _challenge(source: PackageSource, settings: PackageSettings, title: str) -> Json:
    start = settings.start or datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    end = settings.end or start + timedelta(days=OPEN_DAYS)
    period = {"start_date": _quoted(start), "end_date": _quoted(end)}
    labels = evalai_labels(source)
    entry = source.task.submission_input()
    types = dict.fromkeys(re.findall(r"\.\w+$", one)[0] for one in entry.patterns if "." in one)
    primary = source.metrics[0]
    return {
        "title": title[:100],
        "short_description": (settings.description or source.task.summary)[:140],
        "description": "pages/description.html",
        "evaluation_details": "pages/evaluation_details.html",
        "terms_and_conditions": "pages/terms_and_conditions.html",
        "submission_guidelines": "pages/submission_guidelines.html",
        "image": "logo.png",
        "evaluation_script": SCRIPT,
        "remote_evaluation": not settings.engine,
        **period,
        "published": False,
        "tags": [],
        "leaderboard": [
            {
                "id": 1,
                "schema": {
                    "labels": list(labels.values()),
                    "default_order_by": next(iter(labels.values())),
                    "metadata": {
                        label: {
                            "sort_ascending": info.better == "lower",
                            "description": str(info.summary),
                        }
                        for label, info in zip(labels.values(), source.metrics, strict=True)
                    },
                },
            }
        ],
        "challenge_phases": [
            {
                "id": 1,
                "name": "Evaluation",
                "codename": PHASE,
                "description": "pages/description.html",
                "leaderboard_public": True,
                "is_public": True,
                "is_submission_public": False,
                **period,
                "test_annotation_file": ANNOTATIONS,
                "max_submissions_per_day": settings.max_submissions_per_day,
                "max_submissions": settings.max_submissions,
                "allowed_submission_file_types": ", ".join([*types, ".zip"])[:200],
            }
        ],
        "dataset_splits": [{"id": 1, "name": "Evaluation", "codename": SPLIT}],
        "challenge_phase_splits": [
            {
                "challenge_phase_id": 1,
                "leaderboard_id": 1,
                "dataset_split_id": 1,
                "visibility": 3,
                "leaderboard_decimal_precision": 4,
                "is_leaderboard_order_descending": primary.better != "lower",
            }
        ],
    }


def _quoted(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def page_html(text: str) -> str:
    """Return a page in the Markdown of `package_pages` as HTML: titles, lists, paragraphs, bold."""
    blocks = []
    for block in text.strip().split("\n\n"):
        lines = [re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(one))
                 for one in block.splitlines()]  # fmt: skip
        if block.startswith("- "):
            points = "".join(f"<li>{one.removeprefix('- ')}</li>\n" for one in lines)
            blocks.append(f"<ul>\n{points}</ul>")
        elif block.startswith("# "):
            blocks.append(f"<h2>{lines[0][2:]}</h2>")
        else:
            blocks.append(f"<p>{' '.join(lines)}</p>")
    return "\n".join(blocks) + "\n"


@contextmanager
def evalai_program(
    source: PackageSource,
    settings: PackageSettings,
    engine: Mapping[str, bytes],
    references: Mapping[str, bytes],
) -> Iterator[Score]:
    """Yield a function that calls `evaluate` as EvalAI does, in a clean environment."""
    with tempfile.TemporaryDirectory(prefix="jurydesk-program-") as temporary:
        folder = Path(temporary)
        write_members(folder / "challenge", script_members(source, settings, engine))
        (folder / "evaluation.zip").write_bytes(zip_members(references))
        yield partial(_evaluate, folder, evalai_labels(source))


def _evaluate(folder: Path, labels: Mapping[str, str], res: Path) -> Outcome:
    """Evaluate the one file in `res`; of several files, a zip archive."""
    files = [one for one in sorted(res.rglob("*")) if one.is_file()]
    submission, result = files[0], folder / "result.json"
    if len(files) > 1 or submission.parent != res:
        submission = folder / "submission.zip"
        members = {one.relative_to(res).as_posix(): one.read_bytes() for one in files}
        submission.write_bytes(zip_members(members))
    result.unlink(missing_ok=True)
    arguments = [str(folder / "evaluation.zip"), str(submission), PHASE, str(result), SPLIT]
    done = run_clean(["-c", DRIVER, *arguments], folder)
    if not result.exists():
        return done
    found = json.loads(result.read_text("utf-8"))
    keys = {label: key for key, label in labels.items()}
    return replace(done, scores={keys[label]: number for label, number in found.items()})
