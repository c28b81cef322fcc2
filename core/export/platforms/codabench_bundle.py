"""Rules of a bundle of Codabench: what its unpacking task accepts and refuses.

Source: codalab/codabench develop c7dbc756 (2026-03-13), apps/competitions/unpackers.
"""

from __future__ import annotations

import itertools
import re
import uuid
from datetime import date, datetime
from pathlib import Path

from jurydesk.core.export.platforms.configuration import (
    MISSING,
    ConfigurationCheck,
    check_archive,
)
from jurydesk.core.export.platforms.leaked_references import objects, warn_of_leaks
from jurydesk.core.language import Message, fill, reason, translatable
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import Json

CONFIGURATION = "competition.yaml"
RULES = (
    *("Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last"),
    *("Force_Latest_Multiple", "Force_Best"),
)
COMPUTATIONS = ("avg", "sum", "min", "max")
FLAGS = (
    *("enable_detailed_results", "show_detailed_results_in_submission_panel"),
    *("show_detailed_results_in_leaderboard", "registration_auto_approve", "auto_run_submissions"),
    *("can_participants_make_submissions_public", "make_programs_available"),
    *("make_input_data_available", "allow_robot_submissions"),
)
LARGE_BYTES = 100 << 20
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_MARKUP = re.compile(r"<[a-zA-Z/!]")
_METADATA = ("metadata.yaml", "metadata")


def check_codabench(path: Path) -> tuple[Defect, ...]:
    """Return what Codabench refuses of a bundle, and what it accepts to the organiser's harm."""
    return check_archive(path, (CONFIGURATION,), _check)


def _check(check: ConfigurationCheck, bundle: dict[str, Json]) -> None:
    version = bundle.get("version")
    if version is None:
        check.refuse(
            "version", Message(MISSING).format("version"), translatable('Write version: "2".')
        )
    elif str(version) != "2" or isinstance(version, float):
        check.refuse(
            "version",
            fill("version is {value}.", str(version)),
            translatable('Write version: "2".'),
        )
    _check_description(check, bundle)
    tasks = _check_tasks(check, bundle)
    _check_phases(check, bundle, tasks)
    _check_boards(check, bundle)
    _check_leaks(check, bundle)
    for number, solution in check.entries("solutions", bundle.get("solutions") or []):
        if not check.has_file(solution.get("path")) and not check.has_folder(solution.get("path")):
            check.refuse(f"{number}.path", Message(MISSING).format("path"))
        _check_known_tasks(check, f"{number}.tasks", solution.get("tasks") or [], tasks)
    if sum(one.compress_size for one in check.archive.infolist()) > LARGE_BYTES:
        size = fill("The bundle has more than {size} MB: unpacking may hang.", LARGE_BYTES >> 20)
        check.warn("", size, translatable("Put in the reference data by itself."))


def _check_leaks(check: ConfigurationCheck, bundle: dict[str, Json]) -> None:
    secret = [one.get("reference_data") for one in objects(bundle.get("tasks"))]
    public = [("image", bundle.get("image")), ("terms", bundle.get("terms"))]
    for field, names in (("pages", ("file",)), ("phases", ("starting_kit", "public_data"))):
        public += [
            (f"{field}[{number}].{name}", one.get(name))
            for number, one in enumerate(objects(bundle.get(field)))
            for name in names
        ]
    warn_of_leaks(check, secret, public)


def _check_description(check: ConfigurationCheck, bundle: dict[str, Json]) -> None:
    title = check.text("title", bundle.get("title"), 256)
    if title and _MARKUP.search(title):
        check.warn("title", translatable("The title has markup, which is stored as it is."))
    image = bundle.get("image")
    if not image or not check.has_file(image):
        _refuse_path(check, "image", image)
    elif not check.is_picture(image):
        check.refuse(
            "image",
            translatable("The image is not a raster picture."),
            translatable("Use PNG or JPEG."),
        )
    _check_page(check, "terms", bundle.get("terms"))
    if bundle.get("pages") is None:
        check.refuse(
            "pages", Message(MISSING).format("pages"), translatable("Write pages: [] for none.")
        )
    else:
        for where, page in check.entries("pages", bundle["pages"]):
            check.text(f"{where}.title", page.get("title"), 255)
            _check_page(check, f"{where}.file", page.get("file"))
    if "docker_image" in bundle:
        check.text("docker_image", bundle["docker_image"], 128)
    else:
        check.warn(
            "docker_image",
            translatable("docker_image is missing: programs run with Python 3.7."),
            translatable("Name an image such as python:3.12."),
        )
    email = bundle.get("contact_email")
    if email is not None and not _EMAIL.fullmatch(str(email)):
        check.refuse("contact_email", fill("{value} is not an e-mail address.", str(email)))
    if "competition_type" in bundle:
        kinds = ("competition", "benchmark")
        check.choice("competition_type", bundle["competition_type"], kinds)
    for name in FLAGS:
        if name in bundle:
            check.flag(name, bundle[name])
    queue = bundle.get("queue")
    if queue is not None:
        try:
            uuid.UUID(str(queue))
        except ValueError:
            check.refuse("queue", fill("{value} is not a queue id.", str(queue)))


def _refuse_path(check: ConfigurationCheck, where: str, path: Json) -> None:
    name = where.rpartition(".")[2]
    if not path:
        check.refuse(where, Message(MISSING).format(name))
        return
    twin = next((one for one in check.names if one.casefold() == str(path).casefold()), "")
    hint = reason("The archive has {twin}.", twin) if twin else ""
    if "\\" in str(path):
        hint = translatable("Write / between folders.")
    check.refuse(where, fill("{path} is not in the archive.", str(path)), hint)


def _check_page(check: ConfigurationCheck, where: str, path: Json) -> None:
    if not check.has_file(path):
        _refuse_path(check, where, path)
        return
    content = check.read(path)
    try:
        text = (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        check.refuse(where, fill("{path} is not UTF-8.", path))
        return
    if not text:
        check.refuse(where, fill("{path} is empty.", path))
    elif "<script" in text.casefold():
        check.warn(where, fill("{path} has a script, which is kept as it is.", path))


def _check_data(check: ConfigurationCheck, where: str, path: Json) -> None:
    """Check a file or folder of data, if there is one."""
    if path is not None and not check.has_file(path) and not check.has_folder(path):
        _refuse_path(check, where, path)


def _check_tasks(check: ConfigurationCheck, bundle: dict[str, Json]) -> list[Json]:
    """Check the tasks, and return their indexes."""
    if not bundle.get("tasks"):
        check.refuse("tasks", Message(MISSING).format("tasks"))
        return []
    indexes = []
    for where, task in check.entries("tasks", bundle["tasks"]):
        if task.get("index") is None:
            check.refuse(f"{where}.index", Message(MISSING).format("index"))
        else:
            indexes.append(task["index"])
        check.text(f"{where}.name", task.get("name"), 256)
        program = task.get("scoring_program")
        if program is None:
            check.refuse(f"{where}.scoring_program", Message(MISSING).format("scoring_program"))
        else:
            _check_data(check, f"{where}.scoring_program", program)
            _check_program(check, f"{where}.scoring_program", program)
        for name in ("reference_data", "input_data", "ingestion_program"):
            _check_data(check, f"{where}.{name}", task.get(name))
        if task.get("reference_data") is None:
            missing = translatable("The task has no reference data.")
            check.warn(f"{where}.reference_data", missing)
    check.unique("tasks", indexes, "index")
    return indexes


def _check_program(check: ConfigurationCheck, where: str, path: Json) -> None:
    """Warn of a program that fails at the first submission."""
    if check.has_file(path):
        if not check.is_zip(path):
            check.warn(
                where, translatable("The program is not a zip archive: each submission fails.")
            )
        elif not check.is_zip(path, *_METADATA):
            check.warn(
                where,
                translatable("The program has no metadata.yaml at its top: each submission fails."),
            )
        elif not check.has_command(path, _METADATA):
            check.warn(
                where,
                translatable("The program's metadata has no command: no submission gets scores."),
            )
    elif check.has_folder(path) and not any(
        check.has_file(f"{path.rstrip('/')}/{name}") for name in _METADATA
    ):
        check.warn(
            where,
            translatable("The program has no metadata.yaml at its top: each submission fails."),
        )


def _check_known_tasks(
    check: ConfigurationCheck, where: str, chosen: Json, tasks: list[Json]
) -> None:
    if not isinstance(chosen, list):
        check.refuse(where, fill("{field} is {value}, not a list.", "tasks", str(chosen)[:60]))
        return
    for one in chosen:
        if not any(one == task and type(one) is type(task) for task in tasks):
            check.refuse(where, fill("There is no task with the index {value}.", repr(one)[:60]))


def _check_phases(check: ConfigurationCheck, bundle: dict[str, Json], tasks: list[Json]) -> None:
    if not bundle.get("phases"):
        check.refuse("phases", Message(MISSING).format("phases"))
        return
    phases = check.entries("phases", bundle["phases"])
    for where, phase in phases:
        check.text(f"{where}.name", phase.get("name"), 256)
        if phase.get("tasks") is None:
            check.refuse(f"{where}.tasks", Message(MISSING).format("tasks"))
        else:
            _check_known_tasks(check, f"{where}.tasks", phase["tasks"], tasks)
            if phase["tasks"] == []:
                check.warn(f"{where}.tasks", translatable("The phase has no tasks."))
        _check_limits(check, where, phase)
        for name in ("starting_kit", "public_data"):
            _check_data(check, f"{where}.{name}", phase.get(name))
    ordered = sorted(phases, key=lambda one: _index(one[1]))
    times = []
    for position, (where, phase) in enumerate(ordered):
        start = _time(check, f"{where}.start", phase.get("start"), required=True)
        is_last = position == len(ordered) - 1
        end = _time(check, f"{where}.end", phase.get("end"), required=not is_last)
        times.append((where, start, end))
        if start and end and end < start:
            check.warn(f"{where}.end", translatable("The phase ends before it starts."))
    for (_, _, end), (where, start, _) in itertools.pairwise(times):
        if start and end and start <= end:
            check.refuse(
                f"{where}.start",
                translatable("The phase starts before the one before it has ended."),
            )


def _index(phase: dict[str, Json]) -> float:
    index = phase.get("index")
    return float(index) if isinstance(index, int | float) else 0.0


def _check_limits(check: ConfigurationCheck, where: str, phase: dict[str, Json]) -> None:
    for name in ("max_submissions_per_day", "max_submissions", "execution_time_limit"):
        if name not in phase:
            continue
        number = check.whole(f"{where}.{name}", phase[name], nullable=True)
        if phase[name] is None or number == 0:
            check.warn(f"{where}.{name}", fill("{field} sets no limit.", name))
        elif name == "execution_time_limit" and number is not None and number > 600:
            check.warn(
                f"{where}.{name}", translatable("The public queue stops programs after 600 s.")
            )
    if "max_submissions_per_person" in phase:
        check.warn(
            f"{where}.max_submissions_per_person",
            translatable("max_submissions_per_person is ignored: 100 are allowed."),
            translatable("Write max_submissions."),
        )


def _time(check: ConfigurationCheck, where: str, value: Json, *, required: bool) -> datetime | None:
    """Return a time as Codabench reads it; report what it loses."""
    if value is None:
        if required:
            check.refuse(where, Message(MISSING).format(where.rpartition(".")[2]))
        return None
    if isinstance(value, datetime):
        if (value.hour, value.minute, value.second) != (0, 0, 0) or value.tzinfo:
            check.warn(
                where,
                translatable("Without quotes the time of day is lost: the day begins at 00:00."),
                fill('Write "{time}".', f"{value:%Y-%m-%d %H:%M:%S}"),
            )
        return datetime(value.year, value.month, value.day)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    text = str(value).strip()
    found = _parse(check, where, text)
    if found is None:
        check.refuse(
            where,
            fill("{value} is not a time.", text[:60]),
            translatable('Write "2026-03-01 23:59:00".'),
        )
    elif found.tzinfo is not None and found.utcoffset():
        check.warn(
            where,
            translatable("The time zone is dropped, not converted: times are UTC."),
            translatable("Convert the time to UTC."),
        )
    return found.replace(tzinfo=None) if found else None


_SLASHED = re.compile(r"(\d\d?)[/.](\d\d?)[/.](\d{4})(?: (\d\d?):(\d\d)(?::(\d\d))?)?")


def _parse(check: ConfigurationCheck, where: str, text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        pass
    else:
        if re.fullmatch(r"\d{4}-?\d\d-?\d\d", text):
            check.warn(where, translatable("A date alone is the beginning of the day."))
        return found
    if match := _SLASHED.fullmatch(text):
        first, second, year, *clock = (int(part or 0) for part in match.groups())
        month, day = (first, second) if first <= 12 else (second, first)
        if first <= 12 and second <= 12 and first != second:
            check.warn(where, fill("{value} is read month first.", text))
        try:
            return datetime(int(year), month, day, clock[0], clock[1], clock[2])
        except ValueError:
            return None
    return None


def _check_boards(check: ConfigurationCheck, bundle: dict[str, Json]) -> None:
    boards = bundle.get("leaderboards")
    if not boards:
        hint = translatable("Write leaderboards, in the plural.") if "leaderboard" in bundle else ""
        check.refuse("leaderboards", Message(MISSING).format("leaderboards"), hint)
        return
    for where, board in check.entries("leaderboards", boards)[:1]:
        check.text(f"{where}.title", board.get("title"), 64)
        check.text(f"{where}.key", board.get("key"), 36)
        if "submission_rule" in board:
            check.choice(f"{where}.submission_rule", board["submission_rule"], RULES)
        _check_columns(check, where, board)
    if isinstance(boards, list) and len(boards) > 1:
        check.warn("leaderboards[1]", translatable("Only the first leaderboard is used."))


def _check_columns(check: ConfigurationCheck, where: str, board: dict[str, Json]) -> None:
    if not board.get("columns"):
        check.refuse(f"{where}.columns", Message(MISSING).format("columns"))
        return
    columns = check.entries(f"{where}.columns", board["columns"])
    indexes: list[int] = []
    for place, column in columns:
        title = check.text(f"{place}.title", column.get("title"), 36)
        if title and _MARKUP.search(title):
            check.warn(
                f"{place}.title", translatable("The title has markup, which is stored as it is.")
            )
        check.text(f"{place}.key", column.get("key"), 36)
        _check_key(check, f"{place}.key", column.get("key"))
        index = check.whole(f"{place}.index", column.get("index"), required=True)
        indexes += [] if index is None else [index]
        if "sorting" in column:
            check.choice(f"{place}.sorting", column["sorting"], ("desc", "asc"))
        if "precision" in column:
            digits = check.whole(f"{place}.precision", column["precision"], least=None)
            if digits is not None and not 0 <= digits <= 10:
                check.warn(
                    f"{place}.precision",
                    fill("The precision is {digits}; the server keeps 10 decimals.", digits),
                )
        if "hidden" in column:
            check.flag(f"{place}.hidden", column["hidden"])
    check.unique(f"{where}.columns", indexes, "index")
    keys = [
        str(column.get("key")).strip() for _, column in columns if column.get("key") is not None
    ]
    check.unique(f"{where}.columns", keys, "key")
    for place, column in columns:
        _check_computation(check, place, column, indexes)
    if "primary_index" in board:
        primary = check.whole(f"{where}.primary_index", board["primary_index"])
        if primary is not None and primary >= 0 and primary not in indexes:
            text = fill("No column has the index {index}: the board fails.", primary)
            check.warn(f"{where}.primary_index", text)


def _check_key(check: ConfigurationCheck, where: str, key: Json) -> None:
    if key is None:
        return
    text = str(key)
    if not isinstance(key, str) or text != text.strip():
        check.warn(
            where, translatable("The key is stored as trimmed text: the program must write that.")
        )
    elif not re.fullmatch(r"[A-Za-z0-9_.@-]+", text):
        check.warn(where, translatable("The key has other signs than letters, digits and _."))


def _check_computation(
    check: ConfigurationCheck, place: str, column: dict[str, Json], indexes: list[int]
) -> None:
    computation, wanted = column.get("computation"), column.get("computation_indexes")
    if computation is None and wanted in (None, []):
        return
    if computation is None:
        check.refuse(f"{place}.computation", Message(MISSING).format("computation"))
        return
    check.choice(f"{place}.computation", computation, COMPUTATIONS)
    where = f"{place}.computation_indexes"
    if not wanted:
        check.refuse(where, Message(MISSING).format("computation_indexes"))
        return
    if not isinstance(wanted, list):
        shown = str(wanted)[:60]
        check.refuse(where, fill("{field} is {value}, not a list.", "computation_indexes", shown))
        return
    for one in wanted:
        index = check.whole(where, one, least=None)
        if index is not None and str(index) == str(column.get("index")):
            check.refuse(where, translatable("The column refers to itself."))
        elif index is not None and index not in indexes:
            check.refuse(where, fill("No column has the index {index}.", index))
