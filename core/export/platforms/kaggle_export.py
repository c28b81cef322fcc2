"""Metric of Kaggle made from a desk, with solution, sample submission and engine.

The metric makes reference and submission files of the rows that it is given, and scores them with
the engine: a vendored data set, since no network is there. Each usage is scored by itself.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jurydesk.core.export.platforms.dry_run import DryRun, Outcome, difference, run_clean
from jurydesk.core.export.platforms.engine_package import write_members, zip_members
from jurydesk.core.export.platforms.kaggle_rows import (
    ANSWER_COLUMN,
    REFERENCE_COLUMN,
    USAGE_COLUMN,
    KaggleTables,
    split_references,
    split_submission,
)
from jurydesk.core.export.platforms.package_source import PackageSettings, PackageSource
from jurydesk.core.export.platforms.scoring_program import SETTINGS
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Json, UsageError

METRIC, ENGINE, SOLUTION, SAMPLE = (
    "metric.py",
    "engine.zip",
    "solution.csv",
    "sample_submission.csv",
)
ROW_ID = "row_id"
USAGES = ("Public", "Private")
CODE = '''"""Metric of Kaggle: {title}, by the engine in engine.zip.

Upload engine.zip as a data set and attach it to this metric; beside this file it is found as well.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

import pandas as pd

FORMAT = json.loads({format!r})
HERE = os.path.dirname(os.path.abspath(globals().get("__file__", "metric.py")))
PLACES = [HERE, os.path.join(HERE, "engine"), "/kaggle/input/*", "/kaggle/input/*/engine",
          "/kaggle/input/*/*/*", "/kaggle/input/*/*/*/engine"]


class ParticipantVisibleError(Exception):
    """Error that participants may see."""


def score(
    solution: pd.DataFrame,
    submission: pd.DataFrame,
    row_id_column_name: str,
    engine_folder: str = "",
) -> float:
    """Return {metric} of the rows in the solution.

    A submission has the columns {row_id} and {answer}: one text for each row, in any order.
    """
    answers = _answers(submission, row_id_column_name)
    references, wanted = {{}}, []
    for row, cell in zip(_texts(solution, row_id_column_name), solution[{references!r}].tolist()):
        references[row] = json.loads(cell)
        wanted.append(row)
    missing = [row for row in wanted if row not in answers]
    if missing:
        text = "Rows are missing: %d, such as %s." % (len(missing), missing[0])
        raise ParticipantVisibleError(text)
    folder = tempfile.mkdtemp()
    try:
        return _run(folder, engine_folder, references, answers)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _texts(table, column):
    values = table[column].tolist()
    return [str(int(one)) if isinstance(one, float) and one == int(one) else str(one)
            for one in values]


def _answers(submission, row_id):
    for column in (row_id, {answer!r}):
        if column not in list(submission.columns):
            raise ParticipantVisibleError("The column %s is missing." % column)
        if any(one is None or one != one for one in submission[column].tolist()):
            raise ParticipantVisibleError("The column %s has empty cells." % column)
    rows, texts = _texts(submission, row_id), submission[{answer!r}].tolist()
    if len(set(rows)) < len(rows):
        raise ParticipantVisibleError("The column %s has an id twice." % row_id)
    if any(isinstance(one, bool) or not isinstance(one, (str, int, float)) for one in texts):
        raise ParticipantVisibleError("The column %s has other values than texts." % {answer!r})
    return dict(zip(rows, map(str, texts)))


def _run(folder, engine_folder, references, answers):
    ref, res, out = (os.path.join(folder, name) for name in ("ref", "res", "output"))
    for one in (ref, res, out):
        os.makedirs(one)
    documents = json.loads(json.dumps(FORMAT["frames"]))
    item, member = FORMAT["item"], FORMAT["answer"]
    records = [] if item else {{}}
    for row, files in references.items():
        key = row
        for name, lists in files.items():
            for title, found in lists.items():
                if title:
                    documents[name][title] += found
                    key = found[0].get(item, key)
                else:
                    documents[name][row] = found[0]
        if item:
            records.append({{item: key, member: answers[row]}})
        else:
            records[row] = [{{"type": "text", member: answers[row]}}]
    documents[{settings!r}] = FORMAT["settings"]
    for name, document in documents.items():
        _write(os.path.join(ref, name), document)
    _write(os.path.join(res, "submission.json"), records)
    program = os.path.join(_engine(engine_folder), "score.py")
    done = subprocess.run([sys.executable, "-I", "-S", program, folder, out],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip()[-2000:])
    with open(os.path.join(out, "scores.json")) as file:
        return float(json.load(file)[FORMAT["column"]])


def _write(path, document):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def _engine(given):
    places = [one for place in [given, *PLACES] if place for one in sorted(glob.glob(place))]
    for place in places:
        if os.path.isfile(os.path.join(place, "score.py")):
            return place
    for place in places:
        packed = os.path.join(place, {engine!r})
        if os.path.isfile(packed):
            unpacked = os.path.join(tempfile.gettempdir(), "jurydesk-" + FORMAT["digest"])
            if not os.path.isdir(unpacked):
                fresh = tempfile.mkdtemp()
                with zipfile.ZipFile(packed) as archive:
                    archive.extractall(fresh)
                os.rename(fresh, unpacked)
            return unpacked
    raise ValueError("engine.zip is not attached to this metric.")
'''
README = """Kaggle: a new metric with the code of metric.py; attach engine.zip to it as a data set.
Solution file: solution.csv (with Usage); sample submission: sample_submission.csv.
Sort the board {order}.
Each usage is scored by itself: the number of all rows is not their mean.
"""


def kaggle_members(
    source: PackageSource,
    settings: PackageSettings,
    engine: Mapping[str, bytes],
    references: Mapping[str, bytes],
) -> dict[str, bytes]:
    """Return metric, engine, solution and sample. Raises UsageError where rows do not fit."""
    tables = split_references(source)
    engine_zip = zip_members(engine)
    usages = row_usages(tables.rows, settings.public_share)
    solution = [
        (key, json.dumps(files, ensure_ascii=False), usages[key])
        for key, files in tables.rows.items()
    ]
    order = "ascending: lower is better" if source.metrics[0].better == "lower" else "descending"
    return {
        METRIC: metric_code(source, settings, tables, references, engine_zip).encode(),
        ENGINE: engine_zip,
        SOLUTION: _csv((ROW_ID, REFERENCE_COLUMN, USAGE_COLUMN), solution),
        SAMPLE: _csv((ROW_ID, ANSWER_COLUMN), ((key, "answer") for key in tables.rows)),
        "README.md": README.format(order=order).encode(),
    }


def metric_code(
    source: PackageSource,
    settings: PackageSettings,
    tables: KaggleTables,
    references: Mapping[str, bytes],
    engine_zip: bytes,
) -> str:
    """Return the module of the metric: the first column of the package."""
    document = json.loads(references[SETTINGS])
    document["columns"] = document["columns"][:1]
    document["inputs"] = {
        role: [name.removesuffix(".gz") for name in names]
        for role, names in document["inputs"].items()
    }
    details = {
        "frames": tables.frames,
        "item": tables.format.item,
        "answer": tables.format.answer,
        "column": document["columns"][0]["key"],
        "settings": document,
        "digest": hashlib.sha256(engine_zip).hexdigest()[:16],
    }
    return CODE.format(
        title=_plain_text(settings.title or source.title),
        metric=_plain_text(source.metrics[0].title),
        format=json.dumps(details),
        references=REFERENCE_COLUMN,
        answer=ANSWER_COLUMN,
        row_id=ROW_ID,
        settings=SETTINGS,
        engine=ENGINE,
    )


def _plain_text(text: str) -> str:
    """Return a text that cannot end a docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def row_usages(rows: Iterable[str], share: float) -> dict[str, str]:
    """Return the usage of each row: that of the lowest hashes of their ids is public."""
    ordered = sorted(rows, key=lambda key: hashlib.sha256(key.encode()).digest())
    public = round(share * len(ordered))
    return {key: USAGES[at >= public] for at, key in enumerate(ordered)}


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode()


DRIVER = """
import csv, json, sys, types

class Column(list):
    def tolist(self):
        return list(self)

class DataFrame:
    def __init__(self, path):
        csv.field_size_limit(1 << 30)
        with open(path, newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        self.columns = head
        self.cells = {name: Column(row[at] if row[at:] and row[at] else None for row in rows)
                      for at, name in enumerate(head)}
    def __getitem__(self, name):
        return self.cells[name]

sys.modules["pandas"] = types.ModuleType("pandas")
sys.modules["pandas"].DataFrame = DataFrame
sys.path.insert(0, sys.argv[1])
import metric
found = metric.score(DataFrame(sys.argv[2]), DataFrame(sys.argv[3]), "row_id", sys.argv[1])
with open(sys.argv[4], "w") as file:
    json.dump(found, file)
"""
"""Call of the metric with tables that have only what it uses of those of pandas."""


def try_metric(
    source: PackageSource, engine: Mapping[str, bytes], members: Mapping[str, bytes]
) -> DryRun:
    """Score all rows of each system, those of each usage of the first, and damaged tables."""
    tables = split_references(source)
    column = source.wanted(next(iter(source.systems.values())))
    key = next(iter(column))
    runs = 0
    with tempfile.TemporaryDirectory(prefix="jurydesk-metric-") as temporary:
        folder = Path(temporary)
        write_members(folder / "metric", {METRIC: members[METRIC], **engine})
        _, *solution = csv.reader(io.StringIO(members[SOLUTION].decode()))
        parts = {usage: [row for row in solution if row[2] == usage] for usage in USAGES}
        for number, (name, system) in enumerate(source.systems.items()):
            answers = split_submission(system.path, tables.format)
            wanted = {key: source.wanted(system)[key]}
            done = _call(folder, solution, [*answers.items()], key)
            if problem := difference(done, wanted, name):
                return DryRun(runs, problem)
            runs += 1
            for usage, rows in parts.items() if number == 0 else ():
                done = _call(folder, rows, [*answers.items()], key)
                if rows and done.code:
                    label = fill("{system}, {usage}", name, usage)
                    return DryRun(runs, difference(done, wanted, label))
                runs += bool(rows)
        for label, damaged in _damaged([*answers.items()]).items():
            done = _call(folder, solution, damaged, key)
            if problem := difference(done, None, fill("damaged entry {name}", label)):
                return DryRun(runs, problem)
            if "ParticipantVisibleError" not in done.said:
                return DryRun(runs, fill("{label}: {said}", label, done.said[:300]))
            runs += 1
    return DryRun(runs)


def _damaged(rows: list[tuple[str, str]]) -> dict[str, list[tuple[str, str]]]:
    return {
        "row missing": rows[1:],
        "row twice": [*rows, rows[0]],
        "cell empty": [(rows[0][0], ""), *rows[1:]],
    }


def _call(
    folder: Path, solution: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], key: str
) -> Outcome:
    given, wanted, result = (folder / name for name in ("rows.csv", "wanted.csv", "result.json"))
    given.write_bytes(_csv((ROW_ID, ANSWER_COLUMN), rows))
    wanted.write_bytes(_csv((ROW_ID, REFERENCE_COLUMN), [row[:2] for row in solution]))
    result.unlink(missing_ok=True)
    arguments = [str(folder / "metric"), str(wanted), str(given), str(result)]
    done = run_clean(["-c", DRIVER, *arguments], folder)
    if not result.exists():
        return done
    number: Json = json.loads(result.read_text("utf-8"))
    if not isinstance(number, float):
        raise UsageError(translatable("The metric returned no number."))
    return Outcome(done.code, done.said, {key: number})
