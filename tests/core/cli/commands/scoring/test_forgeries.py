"""A forging program: whatever is changed, added, removed or repeated in an export, it is not whole.

Of each kind of export a sample is tried; with `JURYDESK_SAMPLES=all`, every forgery.

Exempt is what no file can prove: the time of a stamp, and the folder of an input that is elsewhere.
Results with fewer systems are those of another run, and `resamples` changes nothing here.
"""

from __future__ import annotations

import contextlib
import copy
import csv
import io
import itertools
import json
import re
import shutil
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.export.stamps_export import second_file
from jurydesk.core.model.defects import Place, warning
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.version import __version__
from support import toy
from support.suite.samples import sample

UNPROVEN = ("created", "path", "resamples")
DOCUMENTS = ("results", "json", "comparison", "stamp", "ranks json", "suspects json", "table json")
TABLES = ("csv", "items", "ranks csv", "suspects csv", "table csv")
LINES = ("tex", "methods", "lines", "ranks tex")
KINDS = (*DOCUMENTS, *TABLES, *LINES, "html")
SAMPLE = 10
FAR = "f\u00e4r"
"""Name of a system with a letter that has two spellings in Unicode."""


@pytest.fixture(scope="module")
def exports(tmp_path_factory) -> dict[str, Path]:
    """Every kind of export of two systems, by its name."""
    return {}


@pytest.fixture
def export(exports, jurydesk, tmp_path_factory):
    """Return the path of an export, which is written once."""
    if not exports:
        folder = tmp_path_factory.mktemp("forgeries")
        truth = {f"i{number}": number / 16 for number in range(16)}
        far = {name: value + 0.02 * (k % 7) for k, (name, value) in enumerate(truth.items())}
        near = {name: value + 0.01 * (k % 5) for k, (name, value) in enumerate(truth.items())}
        files = [
            toy.write(folder / f"{name}.txt", values)
            for name, values in (("truth", truth), ("near", near), (FAR, far))
        ]
        paths = {kind: folder / f"{kind}.{_suffix(kind)}" for kind in KINDS}
        score = ("score", "toy", "--truth", files[0], "--guesses", *files[1:], "--quiet")
        desk = folder / "toy.jurydesk"
        jurydesk(*score, "--desk", desk, "--json", paths["results"], "--items", paths["items"])
        jurydesk(*score, "--items", paths["lines"])
        jurydesk(
            *("board", desk, "--json", paths["json"], "--csv", paths["csv"], "--quiet"),
            *("--latex", paths["tex"], "--html", paths["html"], "--methods", paths["methods"]),
        )
        jurydesk("compare", desk, "near", FAR, "--json", paths["comparison"], "--quiet")
        jurydesk(
            *("robustness", desk, "--json", paths["ranks json"], "--csv", paths["ranks csv"]),
            *("--latex", paths["ranks tex"], "--quiet"),
        )
        suspects = ("--json", paths["suspects json"], "--csv", paths["suspects csv"])
        jurydesk("items", desk, *suspects, "--quiet")
        table, of_table = folder / "results.csv", folder / "table.jurydesk"
        rows = (f"{name},{key},{value:.4f}" for name, values in (("near", near), (FAR, far))
                for key, value in values.items())  # fmt: skip
        table.write_text("\n".join(["system,item,acc", *rows]) + "\n")
        jurydesk("score", "table", "--results", table, "--desk", of_table, "--quiet")
        boards = ("--json", paths["table json"], "--csv", paths["table csv"])
        jurydesk("board", of_table, *boards, "--quiet")
        stamp = json.loads(paths["results"].read_text())["systems"][0]["stamp"]
        paths["stamp"].write_text(json.dumps(stamp))
        exports.update(paths)
    return exports


def _suffix(kind: str) -> str:
    """Return the suffix of a kind's file."""
    if kind in DOCUMENTS or kind == "lines":
        return "jsonl" if kind == "lines" else "json"
    return "csv" if kind in TABLES else "html" if kind == "html" else "tex"


def forgeries(kind: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield forged texts of an export with what was done."""
    if kind in DOCUMENTS:
        yield from forged_documents(json.loads(text))
        yield from repeated_members(text)
    elif kind in TABLES:
        yield from forged_tables(text)
    elif kind == "html":
        yield from forged_pages(text)
    else:
        yield from forged_lines(text)
    if kind not in (*DOCUMENTS, "lines"):
        yield "another name", text.replace("near", "Best")
        yield "a letter in two parts", text.replace(FAR, unicodedata.normalize("NFD", FAR))
    yield "another version", text.replace(__version__, "0.0.9")


def members(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of a document: of long lists only the first two."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value[:2])
    for key, one in pairs:
        yield (*place, key)
        if isinstance(one, dict | list):
            yield from members(one, (*place, key))


def forged_documents(document: Any) -> Iterator[tuple[str, str]]:
    for place in members(document):
        if place[-1] in UNPROVEN and place[-2:-1] != ("seeds",):
            continue
        for change in (altered, removed, added):
            forged = copy.deepcopy(document)
            at = forged
            for key in place[:-1]:
                at = at[key]
            is_results = isinstance(forged, dict) and "settings" not in forged
            if change is removed and is_results and at is forged.get("systems"):
                continue
            if change(at, place[-1]) and forged != document:
                yield f"{change.__name__} {place}", json.dumps(forged)


def respelled_documents(document: Any) -> Iterator[tuple[str, str]]:
    """Yield documents with a number as a text, and texts that look like others."""
    for place in members(document):
        at, forged = document, copy.deepcopy(document)
        for key in place[:-1]:
            at = at[key]
        if isinstance(at[place[-1]], dict | list) or place[-1] in UNPROVEN:
            continue
        for other in (new for new in respelled(at[place[-1]]) if new != at[place[-1]]):
            inside = forged
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = other
            yield f"{place} as {other!r}", json.dumps(forged)


def respelled(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        yield from (f"{value} ", f"{value}\u200b", value.swapcase(), [value])
        yield unicodedata.normalize("NFD", value)
        yield from (text for text in map(value.replace, "ae", "\u0430\u0435") if text != value)
        yield from (new for _, new in respelled_numbers(value))
    else:
        yield from (str(value), [value], float("inf"))


def respelled_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield texts with another spelling of a number, as in the name of a system."""
    for found in itertools.islice(re.finditer(r"\d+(?:\.\d+)?", text), 0, None, 7):
        whole = found[0]
        for other in (f"0{whole}", f"{whole}0" if "." in whole else f"{whole}.0", f"{whole}e0"):
            place = f"{text[max(0, found.start() - 20) : found.start()]!r}"
            yield f"{other} after {place}", text[: found.start()] + other + text[found.end() :]


def altered(at: Any, key: Any) -> bool:
    value = at[key]
    if isinstance(value, bool | None):
        at[key] = 7 if value is None else not value
    elif isinstance(value, str):
        at[key] = f"{value}x"
    elif isinstance(value, int | float):
        at[key] = value + 1
    else:
        at[key] = type(value)()
    return True


def removed(at: Any, key: Any) -> bool:
    del at[key]
    return True


def added(at: Any, key: Any) -> bool:
    if isinstance(at[key], dict):
        at[key]["verdict"] = "best"
    elif isinstance(at[key], list) and at[key]:
        at[key].append(copy.deepcopy(at[key][-1]))
    else:
        return False
    return True


def repeated_members(text: str) -> Iterator[tuple[str, str]]:
    for name in ("schema", "task", "name", "scores"):
        found = re.search(rf'"{name}": ', text)
        if found:
            yield f"twice {name}", f'{text[: found.start()]}"{name}": 7, {text[found.start() :]}'


def forged_tables(text: str) -> Iterator[tuple[str, str]]:
    csv.field_size_limit(1 << 24)
    rows = list(csv.reader(io.StringIO(text, newline="")))

    def written(changed: list[list[str]]) -> str:
        file = io.StringIO()
        csv.writer(file).writerows(changed)
        return file.getvalue()

    for row in range(min(3, len(rows))):
        for column in range(len(rows[0])):
            changed = copy.deepcopy(rows)
            changed[row][column] = f"9{rows[row][column]}"
            yield f"cell {row} {column}", written(changed)
            changed[row][column] = ""
            yield f"empty {row} {column}", written(changed) if rows[row][column] else ""
    yield "row removed", written(rows[:-1])
    yield "row repeated", written([*rows, rows[-1]])
    yield "rows exchanged", written([rows[0], rows[2], rows[1], *rows[3:]])
    yield "a cell more", written([*rows[:-1], [*rows[-1], "best"]])
    yield "a column more", written([[*row, "best"] for row in rows])
    yield "a column twice", written([[*row, row[1]] for row in rows])
    yield "a line more", f"{text}winner: far\n"


def forged_lines(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines(keepends=True)
    for number in range(min(12, len(lines))):
        rest = lines[number + 1 :]
        yield f"removed {number}", "".join([*lines[:number], *rest])
        yield f"twice {number}", "".join([*lines[: number + 1], *lines[number:]])
        yield f"altered {number}", "".join([*lines[:number], f"9{lines[number]}", *rest])
    yield "a line more", f"{text}far wins\n"


SWAP = "<script>document.title = 'far wins'</script>"


def forged_pages(text: str) -> Iterator[tuple[str, str]]:
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text)
    assert policy is not None
    changes = {
        "policy": (policy[0], ""),
        "script in the head": ("</head>", f"{SWAP}</head>"),
        "script in the body": ("</body>", f"{SWAP}</body>"),
        "script behind the data": ("</script>", f"</script >{SWAP}</script>"),
        "title": ("<title>", "<title>far wins: "),
        "style": ("</style>", "td{display:none}</style>"),
        "style in the body": ("</body>", "<style>td{display:none}</style></body>"),
        "another style": ("</head>", "<link rel=stylesheet href=x.css></head>"),
        "handler": ("<body", "<body onload=alert(1)"),
        "comment": ("</body>", "<!-- far wins --></body>"),
        "text": ("</body>", "far wins</body>"),
        "attribute": ("<table", "<table hidden"),
        "language": ('<html lang="en"', '<html lang="de"'),
        "text behind the page": ("</html>", "</html>far wins"),
        "text before the page": ("<!doctype html>", "<!doctype html>far wins"),
        "heading": ("<h1>", "<h1>far wins: "),
        "finding": ("near leads with", "far leads with"),
        "results": ('"results":2', '"results":3'),
        "fewer results": ('"results":2', '"results":1'),
        "data": ('id="numbers">', 'id="numbers">A'),
        "twice": ('"schema":1', '"schema":1,"schema":1'),
        "setting": ('"settings":{', '"settings":{"winner":"far",'),
        "translation": ('"ru":{', '"ru":{"far":"wins",'),
        "base": ("<head>", '<head><base href="https://example.org">'),
        "refresh": ("<head>", '<head><meta http-equiv="refresh" content="1;url=x">'),
    }
    for name, (before, after) in changes.items():
        assert re.search(re.escape(before), text, re.IGNORECASE), name
        yield name, re.sub(re.escape(before), lambda _: after, text, count=1, flags=re.IGNORECASE)  # noqa: B023
    scripts = re.findall(r"(?s)<script>.*?</script>", text)
    yield "a script less", text.replace(scripts[0], "", 1)
    yield "a script twice", text.replace(scripts[0], scripts[0] * 2, 1)
    for place, found in enumerate(re.finditer(r"(?s)<tr.*?</tr>", text)):
        if place < 4:
            yield f"row {place} less", text.replace(found[0], "", 1)
            yield f"row {place} twice", text.replace(found[0], found[0] * 2, 1)
    settings = re.search(r'"settings":(\{.*?\}),"systems"', text)
    assert settings is not None
    for name, value in json.loads(settings[1]).items():
        for other in ({}, {name: altered_value(value)}):
            forged = {k: v for k, v in json.loads(settings[1]).items() if k != name} | other
            yield f"setting {name} {other}", text.replace(settings[1], json.dumps(forged), 1)


def altered_value(value: Any) -> Any:
    box = [value]
    altered(box, 0)
    return box[0] if box[0] != value else ["x"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_forged_export_is_whole(export, jurydesk, kind, tmp_path):
    path = export[kind]
    text = path.read_text(encoding="utf-8")
    honest = jurydesk("verify", path, "--quiet")
    assert (honest.code, honest.out) == (0, "")
    tried = [one for one in forgeries(kind, text) if one[1] not in ("", text)]
    assert len(tried) >= 20
    assert whole_ones(sample(tried, SAMPLE), copied(path), jurydesk) == []


def copied(path: Path) -> Path:
    """Return a copy of an export, with the file of its stamps, which is whole by itself."""
    forged = path.with_name(f"forged{path.suffix}")
    shutil.copy(path, forged)
    if path.suffix == ".csv" and second_file(path).is_file():
        shutil.copy(second_file(path), second_file(forged))
    return forged


def whole_ones(tried: Iterable[tuple[str, str]], path: Path, jurydesk: Any) -> list[str]:
    """Return which of these contents of a file beside `path`, or of it, leave it whole."""
    passed = []
    for what, changed in tried:
        (second_file(path) if what.startswith(BESIDE) else path).write_text(changed, "utf-8")
        outcome = jurydesk("verify", path, "--quiet")
        if outcome.code not in (1, 2, 3, 4):
            passed.append(what)
    return passed


@pytest.mark.parametrize("kind", KINDS)
def test_no_export_with_another_spelling_is_whole(export, jurydesk, kind):
    forged = copied(export[kind])
    assert jurydesk("verify", forged, "--quiet").code == 0
    text = forged.read_text(encoding="utf-8")
    if kind in DOCUMENTS:
        tried = [*respelled_documents(json.loads(text))]
    else:
        visible = text if kind != "html" else text[: text.index("<script")]
        rest = text[len(visible) :]
        tried = [(what, new + rest) for what, new in respelled_numbers(visible)]
        tried = [one for one in tried if is_seen(kind, text, one[1])]
    assert len(tried) >= 6
    assert whole_ones(sample(tried, SAMPLE // 2), forged, jurydesk) == []


def is_seen(kind: str, text: str, forged: str) -> bool:
    """Return whether a forgery changes more than the spelling of a value of JSON, or a time."""
    pairs = zip(text.split("\n"), forged.split("\n"), strict=True)
    (line, other) = next(pair for pair in pairs if pair[0] != pair[1])
    if "created" in line or kind != "lines":
        return "created" not in line and not line.startswith(("% stamp ", "% settings "))
    try:
        return bool(json.loads(line) != json.loads(other))
    except ValueError:
        return True


@pytest.mark.parametrize("kind", ["csv", "table csv"])
def test_a_table_with_a_forged_file_of_stamps_is_not_whole(export, jurydesk, kind):
    forged = copied(export[kind])
    assert jurydesk("verify", forged, "--quiet").code == 0
    document = json.loads(second_file(forged).read_bytes())
    forgeries = [*forged_documents(document), *respelled_documents(document)]
    forgeries += [("more", json.dumps({**document, "winner": "far"}))]
    tops = [one for one in forgeries if one[0].count("'") <= 2]
    tried = [(f"{BESIDE}{what}", text) for what, text in [*sample(forgeries, SAMPLE), *tops]]
    assert whole_ones(tried, forged, jurydesk) == []


BESIDE = "beside: "
DEFECTS = json.dumps([to_json(warning(Place("far.txt"), "It cheats."))])
FORGED_DESKS = {
    "another name": "UPDATE evaluation SET system = 'best' WHERE system = 'far'",
    "another profile": "UPDATE evaluation SET profile = 'best' WHERE system = 'far'",
    "a description": "UPDATE evaluation SET about = 'Won in 2025.'",
    "a score less": "UPDATE evaluation SET scores = json_remove(scores, '$[0]')",
    "a score twice": "UPDATE evaluation SET scores = json_insert(scores, '$[#]', scores -> '$[0]')",
    "a number of items": "UPDATE evaluation SET scores = json_set(scores, '$[0].n', 999)",
    "a deviation": "UPDATE evaluation SET scores = json_set(scores, '$[0].std', 0.5)",
    "a defect": f"UPDATE evaluation SET defects = '{DEFECTS}'",
    "no columns": "DELETE FROM item_column",
    "exchanged columns": "UPDATE item_column SET evaluation = 3 - evaluation",
    "no figures": "DELETE FROM figure",
    "the title of a figure": "UPDATE figure SET content = json_set(content, '$.title', 'Best')",
    "a curve": "UPDATE figure SET content = json_set(content, '$.mean[0]', 0.5)",
    "no evidence": "DELETE FROM evidence_part",
    "exchanged evidence": "UPDATE evidence_part SET evaluation = 3 - evaluation",
    "groups": "UPDATE setting SET content = json_set(content, '$.labels.i0', 'other')",
    "groups of no file": "UPDATE setting SET content = json_set(content, '$.source', NULL)",
    "the title": "UPDATE competition SET title = 'The finals'",
    "the options": "UPDATE competition SET options = json_set(options, '$.distance', 'squared')",
    "a time of receipt": "UPDATE submission SET received = '2020-01-01T00:00:00+00:00'",
    "no time of receipt": "UPDATE submission SET received = ''",
    "a team": "UPDATE submission SET team = 'best' WHERE team = 'far'",
    "a team by a folder": "UPDATE submission SET name = 'best/far.txt', team = 'best' "
    "WHERE team = 'far'",
    "one submission more": "INSERT INTO submission SELECT 9, 'best', 'truth.txt', '', "
    "replace(path, 'far', 'truth'), size, sha256, files, received, seen FROM submission "
    "WHERE team = 'far'",
    "a deadline": "INSERT INTO setting VALUES "
    """('submission rules', '{"deadline": "2018-05-01 23:59 UTC"}')""",
    "a correction": "UPDATE setting SET content = json_set(content, '$.correction', 'holm')",
    "a method": "UPDATE setting SET content = json_set(content, '$.interval', 'percentile')",
    "a name to come": """INSERT INTO setting SELECT 'system names', json_object(sha256, 'best') """
    "FROM submission LIMIT 1",
    "an interval": "UPDATE evaluation SET scores = json_set(scores, '$[0].interval.low', 0.9)",
    "no interval": "UPDATE evaluation SET scores = json_set(scores, '$[0].interval', NULL)",
    "scores hidden": "INSERT INTO event (at, what) VALUES ('2020-01-01', 'scores hidden')",
    "a failed check": "UPDATE check_file SET outcome = 'failed' WHERE path LIKE '%far%'",
    "a time of scoring": "UPDATE evaluation SET created = '2020-01-01T00:00:00+00:00'",
    "another file": "UPDATE input SET paths = replace(paths, 'truth', 'gold')",
    "an erratum": "INSERT INTO erratum (created, content) VALUES ('2026-11-29', x'00')",
}
"""What is done to a desk, by what it changes for those who look."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    truth = {f"i{number}": number / 16 for number in range(16)}
    (folder / "groups.csv").write_text("".join(f"{one},g{one[-1]}\n" for one in truth))
    files = [toy.write(folder / "truth.txt", truth)]
    for place, name in enumerate(("near", "far"), 1):
        values = {one: value + 0.01 * place * (int(one[1:]) % 5) for one, value in truth.items()}
        files.append(toy.write(folder / f"{name}.txt", values))
    return folder


@pytest.fixture
def desk(scored, jurydesk) -> Path:
    """Return a desk of two systems, which is whole, and is written once."""
    path = scored / "sound.jurydesk"
    if not path.exists():
        files = [scored / f"{name}.txt" for name in ("truth", "near", "far")]
        score = ("score", "toy", "--truth", files[0], "--guesses", *files[1:], "--quiet")
        jurydesk(*score, "--desk", path, "--groups", scored / "groups.csv")
    honest = jurydesk("verify", path, "--quiet")
    assert (honest.code, honest.out) == (0, "")
    return path


@pytest.mark.parametrize("what", FORGED_DESKS)
def test_no_forged_desk_is_whole(desk, jurydesk, what):
    outcome = verified(desk, jurydesk, [(one, ()) for one in exchanged(FORGED_DESKS[what])])
    assert outcome.code in (1, 4)
    assert outcome.code == 4 or outcome.out or outcome.err


def verified(desk: Path, jurydesk: Any, statements: Iterable[tuple[str, Sequence[Any]]]) -> Any:
    """Return the verdict on a copy of a desk in which these statements were run."""
    forged = desk.with_name("forged.jurydesk")
    shutil.copy(desk, forged)
    with contextlib.closing(sqlite3.connect(forged)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        with connection:
            for statement, values in statements:
                connection.execute(statement, values)
    return jurydesk("verify", forged, "--quiet")


def exchanged(statement: str) -> list[str]:
    """Return the statements of an exchange between two systems, whose keys are unique."""
    if "3 - evaluation" not in statement:
        return [statement]
    head = statement.partition(" SET ")[0]
    return [
        f"{head} SET evaluation = -evaluation",
        f"{head} SET evaluation = 3 + evaluation",
    ]


NOT_SHOWN = {
    "check_defect.position",
    "check_file.at",
    "check_file.position",
    "check_record.at",
    "evaluation.id",
    "figure.position",
    "input.id",
    "input.modified",
    "item_column.position",
    "submission.id",
    "submission.seen",
}
"""Columns of a desk that nobody sees (but in their order), or that are times of work."""
UNSEEN = {
    "input.paths": {"altered (0,)"},  # relative to the desk, and followed only where a file is
    "setting.content": {"altered ('grouped',)", "removed ('grouped',)"},  # its groups are a file's
}
"""Forgeries of which nobody sees anything."""
DEFAULTS = (None, "", [], "line", 0.95, "studentized", "romano-wolf")
"""Values of members that are read as these where they are missing."""


def test_no_desk_with_a_value_altered_or_removed_is_whole(desk, jurydesk):
    with contextlib.closing(sqlite3.connect(desk)) as connection:
        tried = [*forged_rows(connection)]
    assert len(tried) > 200
    passed = []
    for statement, values in sample(tried, SAMPLE):
        with contextlib.suppress(sqlite3.IntegrityError):  # by the schema, which is the program's
            if verified(desk, jurydesk, [(statement, values)]).code not in (1, 4):
                passed.append((statement, values))
    assert passed == []


def forged_rows(connection: sqlite3.Connection) -> Iterator[tuple[str, list[Any]]]:
    """Yield statements that change one value of the first rows of a table, or remove a row."""
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in connection.execute(tables).fetchall():
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        names = [column[1] for column in columns]
        keys = [column[1] for column in columns if column[5]]
        where = " AND ".join(f"{key} = ?" for key in keys)
        for row in connection.execute(f"SELECT * FROM {table} LIMIT 3").fetchall():
            cells = dict(zip(names, row, strict=True))
            key = [cells[name] for name in keys]
            yield f"DELETE FROM {table} WHERE {where}", key
            for name, value in cells.items():
                statement = f"UPDATE {table} SET {name} = ? WHERE {where}"
                if f"{table}.{name}" not in NOT_SHOWN:
                    forged = forged_cells(value, UNSEEN.get(f"{table}.{name}", set()))
                    yield from ((statement, [one, *key]) for one in forged if one != value)


def forged_cells(value: Any, unseen: set[str]) -> Iterator[Any]:
    """Yield other values of a cell, of which the program shows another thing."""
    if isinstance(value, int):
        yield value + 1
    elif isinstance(value, bytes):
        yield from (value[:-1], value + b"x", bytes([value[0] ^ 1]) + value[1:] if value else b"x")
    elif isinstance(value, str):
        try:
            document = json.loads(value)
        except ValueError:
            document = None
        if not isinstance(document, dict | list) or not document:
            yield f"{value}x"
            return
        removed_defaults = (one for one in members(document) if is_default(document, one))
        unseen = unseen | {f"removed {one}" for one in removed_defaults}
        for what, text in forged_documents(document):
            if not what.startswith("added") and what not in unseen:  # nobody reads unknown members
                yield text


def is_default(document: Any, place: tuple[Any, ...]) -> bool:
    for key in place:
        document = document[key]
    return document in DEFAULTS
