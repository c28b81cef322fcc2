"""Rules of a challenge of EvalAI: what its validation accepts, refuses, and at what it crashes.

Source: Cloud-CV/EvalAI master 0f040392 (2026-08-21), apps/challenges/challenge_config_utils.py.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

from jurydesk.core.export.platforms.configuration import (
    MISSING,
    ConfigurationCheck,
    check_archive,
    is_time,
)
from jurydesk.core.export.platforms.leaked_references import objects, warn_of_leaks
from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Json

CONFIGURATIONS = ("challenge_config.yaml", "challenge_config.yml")
PAGES = ("description", "evaluation_details", "terms_and_conditions", "submission_guidelines")
DOMAINS = ("CV", "NLP", "RL", "MM", "AUD", "TAB")
PYTHONS = ("3.7", "3.8", "3.9")
VISIBILITIES = ("1", "2", "3")
META_TYPES = ("boolean", "text", "radio", "checkbox")
SPLIT_FIELDS = (
    *("challenge_phase_id", "leaderboard_id", "dataset_split_id", "visibility"),
    *("leaderboard_decimal_precision", "is_leaderboard_order_descending"),
)
LIMITS = (
    *("max_submissions_per_day", "max_submissions_per_month", "max_submissions"),
    "max_concurrent_submissions_allowed",
)
UPLOAD_BYTES = 200 << 20
_AMOUNT = re.compile(r"\d+(?:\.\d{1,2})?[A-Z]{3}")
_SUFFIX = re.compile(r"\.\w[\w.]*")
SWAPPED = translatable("It ends before it starts.")

Ids = list[Json]


def check_evalai(path: Path) -> tuple[Defect, ...]:
    """Return what EvalAI refuses of a challenge, and what it accepts to the organiser's harm."""
    return check_archive(path, CONFIGURATIONS, _check)


def _check(check: ConfigurationCheck, challenge: dict[str, Json]) -> None:
    title = challenge.get("title")
    if title is not None and not isinstance(title, str):
        check.refuse("title", translatable("The title is a number, at which EvalAI crashes."))
    else:
        check.text("title", title, 100)
    for name in PAGES:
        _check_page(check, name, challenge.get(name))
    _check_script(check, challenge.get("evaluation_script"))
    image = challenge.get("image")
    if image is not None and not (check.has_file(image) and check.is_picture(str(image))):
        check.refuse(
            "image", fill("{path} is not a raster picture in the archive.", str(image)[:60])
        )
    period = _check_period(check, "", challenge)
    _check_tags(check, challenge)
    boards = _check_boards(check, challenge.get("leaderboard"))
    phases = _check_phases(check, challenge.get("challenge_phases"), period)
    splits = _check_splits(check, challenge.get("dataset_splits"))
    _check_phase_splits(check, challenge.get("challenge_phase_splits"), (phases, boards, splits))
    found = objects(challenge.get("challenge_phases"))
    public = [(name, challenge.get(name)) for name in (*PAGES, "image")]
    public += [(f"challenge_phases[{n}].description", one.get("description"))
               for n, one in enumerate(found)]  # fmt: skip
    warn_of_leaks(check, [one.get("test_annotation_file") for one in found], public)
    if check.path.stat().st_size > UPLOAD_BYTES:
        size = fill("The archive has more than {size} MB, the limit of an upload.", 200)
        check.refuse("", size, translatable("Keep large files elsewhere."))


def _check_page(check: ConfigurationCheck, where: str, path: Json) -> None:
    name = where.rpartition(".")[2]
    if not path:
        check.refuse(where, Message(MISSING).format(name))
    elif not check.has_file(path) or str(path).startswith("../"):
        text = fill("{path} is not in the archive.", str(path)[:60])
        check.refuse(where, text, translatable("Give the path of an HTML file."))
    elif not str(path).endswith(".html"):
        text = fill("{path} does not end with .html, in lower case.", str(path)[:60])
        check.refuse(where, text)
    else:
        content = check.read(str(path))
        try:
            (content or b"").decode("utf-8")
        except UnicodeDecodeError:
            check.refuse(where, fill("{path} is not UTF-8, at which EvalAI crashes.", str(path)))
        if content == b"":
            check.warn(where, fill("{path} is empty.", str(path)))


def _check_script(check: ConfigurationCheck, path: Json) -> None:
    where = "evaluation_script"
    if not path:
        check.refuse(where, Message(MISSING).format(where))
    elif not str(path).endswith(".zip"):
        check.refuse(where, translatable("The evaluation script is not a zip archive."))
    elif not check.has_file(path):
        check.refuse(where, fill("{path} is not in the archive.", str(path)[:60]))
    elif not check.is_zip(str(path)):
        check.warn(where, translatable("The script is not a zip archive: each submission fails."))
    elif not check.is_zip(str(path), "__init__.py"):
        missing = translatable("The script has no __init__.py at its top: each submission fails.")
        check.warn(where, missing, translatable("Write there: from .main import evaluate."))


def _check_tags(check: ConfigurationCheck, challenge: dict[str, Json]) -> None:
    tags = challenge.get("tags")
    if isinstance(tags, list) and len(tags) > 4:
        check.refuse("tags", fill("There are {count} tags; the limit is 4.", len(tags)))
    if challenge.get("domain") is not None:
        check.choice("domain", challenge["domain"], DOMAINS)
    if challenge.get("worker_python_version") is not None:
        check.choice("worker_python_version", challenge["worker_python_version"], PYTHONS)
    if challenge.get("prizes") is not None:
        prizes = check.entries("prizes", challenge["prizes"])
        for where, prize in prizes:
            rank, amount = prize.get("rank"), prize.get("amount")
            if rank is None or amount is None:
                name = "rank" if rank is None else "amount"
                check.refuse(f"{where}.{name}", Message(MISSING).format(name))
            elif isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
                check.refuse(
                    f"{where}.rank",
                    fill("{rank} is not a rank; ranks count from 1.", str(rank)[:60]),
                )
            elif not _AMOUNT.fullmatch(str(amount)):
                text = fill("{amount} is not an amount such as 100.00USD.", str(amount)[:60])
                check.refuse(f"{where}.amount", text)
        check.unique("prizes", [one.get("rank") for _, one in prizes], "rank")
    for where, sponsor in check.entries("sponsors", challenge.get("sponsors") or []):
        if not sponsor.get("name") or not sponsor.get("website"):
            check.warn(where, translatable("A sponsor without name or website."))


def _check_boards(check: ConfigurationCheck, boards: Json) -> Ids:
    """Check the leaderboards, and return the ids of those that EvalAI takes."""
    if not boards:
        check.refuse("leaderboard", Message(MISSING).format("leaderboard"))
        return []
    ids: Ids = []
    for where, board in check.entries("leaderboard", boards):
        before, schema = len(check.defects), board.get("schema")
        if "id" not in board:
            check.refuse(f"{where}.id", Message(MISSING).format("id"))
        if not isinstance(schema, dict):
            check.refuse(f"{where}.schema", Message(MISSING).format("schema"))
        else:
            _check_schema(check, f"{where}.schema", schema)
        if not any(one.severity == "error" for one in check.defects[before:]):
            ids.append(board.get("id"))
    return ids


def _check_schema(check: ConfigurationCheck, where: str, schema: dict[str, Json]) -> None:
    labels, order = schema.get("labels"), schema.get("default_order_by")
    if "labels" not in schema or not isinstance(labels, list):
        check.refuse(f"{where}.labels", Message(MISSING).format("labels"))
        return
    if "default_order_by" not in schema:
        check.refuse(f"{where}.default_order_by", Message(MISSING).format("default_order_by"))
    elif order not in labels:
        check.refuse(f"{where}.default_order_by", fill("{label} is not a label.", str(order)[:60]))
    shown = list(map(str, labels))
    if len(set(shown)) < len(shown):
        check.warn(f"{where}.labels", translatable("A label is there twice."))
    if any(not isinstance(label, str) for label in labels):
        check.warn(
            f"{where}.labels", translatable("A label is a number, which scripts write as text.")
        )
    metadata = schema.get("metadata")
    if isinstance(metadata, dict):
        for name in metadata:
            if name not in labels:
                check.warn(f"{where}.metadata", fill("{label} is not a label.", str(name)[:60]))


Period = tuple[datetime | None, datetime | None]


def _check_period(check: ConfigurationCheck, where: str, holder: dict[str, Json]) -> Period:
    """Check beginning and end; all have quotes, or none."""
    dot = f"{where}." if where else ""
    start, end = holder.get("start_date"), holder.get("end_date")
    for name, value in (("start_date", start), ("end_date", end)):
        if not value:
            check.refuse(f"{dot}{name}", Message(MISSING).format(name))
    if not start or not end:
        return None, None
    if is_time(start) != is_time(end):
        mixed = translatable("One time has quotes, the other has none: EvalAI crashes.")
        check.refuse(f"{dot}end_date", mixed, translatable("Write quotes around all times."))
        return None, None
    found = _time(check, f"{dot}start_date", start), _time(check, f"{dot}end_date", end)
    # EvalAI compares texts as texts.
    if (start > end) if type(start) is type(end) else False:
        check.refuse(f"{dot}end_date", SWAPPED)
    return found


def _time(check: ConfigurationCheck, where: str, value: Json) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if not isinstance(value, date):
        text = str(value).strip()
        try:
            if re.match(r"\d{4}-\d\d?-\d\d?[ T]\d", text):
                return datetime.fromisoformat(text).replace(tzinfo=None)
        except ValueError:
            pass
    check.refuse(
        where,
        fill("{value} is not a date with a time.", str(value)[:60]),
        translatable("Write 2026-03-01 23:59:00."),
    )
    return None


def _check_phases(check: ConfigurationCheck, phases: Json, period: Period) -> Ids:
    """Check the phases, and return the ids of those that EvalAI takes."""
    if not phases:
        check.refuse("challenge_phases", Message(MISSING).format("challenge_phases"))
        return []
    found = check.entries("challenge_phases", phases)
    ids: Ids = []
    ends: list[tuple[datetime, datetime]] = []
    for where, phase in found:
        before = len(check.defects)
        if "id" not in phase:
            check.refuse(f"{where}.id", Message(MISSING).format("id"))
        check.text(f"{where}.name", phase.get("name"), 100)
        check.text(f"{where}.codename", phase.get("codename"), 100)
        _check_page(check, f"{where}.description", phase.get("description"))
        start, end = _check_period(check, where, phase)
        _check_phase(check, where, phase)
        if start and end:
            ends.append((start, end))
            if (period[1] and end > period[1]) or (period[0] and start < period[0]):
                check.warn(where, translatable("The phase is not within the challenge."))
        if not any(one.severity == "error" for one in check.defects[before:]):
            ids.append(phase.get("id"))
    check.unique("challenge_phases", [one.get("codename") for _, one in found], "codename")
    check.unique("challenge_phases", [one.get("id") for _, one in found], "id")
    ends.sort()
    if any(after[0] < before[1] for before, after in itertools.pairwise(ends)):
        check.warn("challenge_phases", translatable("Two phases overlap."))
    return ids


def _check_phase(check: ConfigurationCheck, where: str, phase: dict[str, Json]) -> None:
    annotation = phase.get("test_annotation_file")
    if not annotation:
        check.warn(
            f"{where}.test_annotation_file", translatable("The phase has no annotation file.")
        )
    elif not check.has_file(annotation):
        text = fill("{path} is not in the archive.", str(annotation)[:60])
        check.refuse(f"{where}.test_annotation_file", text)
    for name in LIMITS:
        if phase.get(name) is not None:
            number = check.whole(f"{where}.{name}", phase[name], least=None)
            if number is not None and number < 1:
                check.warn(f"{where}.{name}", fill("{field} is {value}.", name, str(number)))
    types = phase.get("allowed_submission_file_types")
    if types is not None:
        check.text(f"{where}.allowed_submission_file_types", types, 200)
        if not all(_SUFFIX.fullmatch(one.strip()) for one in str(types).split(",") if one.strip()):
            text = translatable("A type must be a suffix with a dot, such as .json.")
            check.warn(f"{where}.allowed_submission_file_types", text)
    if phase.get("is_submission_public") and phase.get("is_restricted_to_select_one_submission"):
        text = translatable("Public submissions and the choice of one exclude each other.")
        check.refuse(f"{where}.is_submission_public", text)
    for place, one in check.entries(
        f"{where}.submission_meta_attributes", phase.get("submission_meta_attributes") or []
    ):
        _check_attribute(check, place, one)


def _check_attribute(check: ConfigurationCheck, where: str, attribute: dict[str, Json]) -> None:
    for name in ("name", "description", "type"):
        if not attribute.get(name):
            check.refuse(f"{where}.{name}", Message(MISSING).format(name))
    if attribute.get("type"):
        check.choice(f"{where}.type", attribute["type"], META_TYPES)
    if attribute.get("type") in ("radio", "checkbox") and not attribute.get("options"):
        check.refuse(f"{where}.options", Message(MISSING).format("options"))


def _check_splits(check: ConfigurationCheck, splits: Json) -> Ids:
    """Check the splits of the data set, and return the ids of those that EvalAI takes."""
    if not splits:
        check.refuse("dataset_splits", Message(MISSING).format("dataset_splits"))
        return []
    found = check.entries("dataset_splits", splits)
    ids: Ids = []
    for where, split in found:
        before = len(check.defects)
        if "id" not in split:
            check.refuse(f"{where}.id", Message(MISSING).format("id"))
        check.text(f"{where}.name", split.get("name"), 100)
        check.text(f"{where}.codename", split.get("codename"), 100)
        if not any(one.severity == "error" for one in check.defects[before:]):
            ids.append(split.get("id"))
    check.unique("dataset_splits", [one.get("codename") for _, one in found], "codename")
    return ids


def _check_phase_splits(
    check: ConfigurationCheck, phase_splits: Json, known: tuple[Ids, Ids, Ids]
) -> None:
    where = "challenge_phase_splits"
    if not phase_splits:
        check.refuse(where, Message(MISSING).format(where))
        return
    found = check.entries(where, phase_splits)
    for place, one in found:
        for name in SPLIT_FIELDS:
            if name not in one:
                check.refuse(f"{place}.{name}", Message(MISSING).format(name))
        for name, ids in zip(SPLIT_FIELDS, known, strict=False):
            if name in one and not any(
                one[name] == key and type(one[name]) is type(key) for key in ids
            ):
                text = fill("{value} is the id of none that is accepted.", repr(one[name])[:60])
                check.refuse(f"{place}.{name}", text)
        if "visibility" in one:
            check.choice(f"{place}.visibility", one["visibility"], VISIBILITIES)
        name = "leaderboard_decimal_precision"
        digits = check.whole(f"{place}.{name}", one[name], least=None) if name in one else None
        if digits is not None and not 0 <= digits <= 10:
            check.warn(f"{place}.{name}", fill("The precision is {digits}.", digits))
    check.unique(where, ["/".join(map(str, _ids(one))) for _, one in found], "combination")
    used = [one.get("challenge_phase_id") for _, one in found]
    if idle := [key for key in known[0] if key not in used]:
        names = ", ".join(map(str, idle))
        check.warn(where, fill("Phases without a split: {names}.", names))


def _ids(one: dict[str, Json]) -> Iterator[Json]:
    for name in SPLIT_FIELDS[:3]:
        yield one.get(name)
