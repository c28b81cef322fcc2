"""Everything that a download says is told: each entry, job, remark and record, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jurydesk.core.intake.platforms.download import downloads_json
from support.files.platforms import listed, zipped

SUBMISSION = {
    "pk": "s1",
    "created": "2026-03-01T10:00:00Z",
    "predictions_file": "https://host/media/run%201.json?x=1",
    "creator": {"username": "ann"},
    "phase": {"title": "Final"},
}
OUTPUTS = [
    {"interface": {"slug": "metrics-json-file"}, "value": {"ap": 0.50, "by": [1, 2]}},
    {"interface": {"slug": "log"}, "value": {"no": 9}},
]


def csv_table(*rows: list[object]) -> bytes:
    cells = (",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in rows)
    return ("\n".join(cells) + "\n").encode()


def told(folder: Path, *given: Path) -> tuple[dict[str, Any], list[Any], list[str]]:
    """Return the document of a download, its remarks, and the names of what is left to score."""
    found = listed(folder, *given)
    document = json.loads(json.dumps(downloads_json(found.downloads, found.defects)))
    del document["defects"]
    remarks = [
        (str(one.severity), Path(one.place.path).name, one.found, one.expected, one.hint, one.count)
        for one in found.defects
    ]
    return document, remarks, sorted("/".join(one.parts) for one in found.files)


def entry(platform: str, key: object, **values: object) -> dict[str, object]:
    empty = dict.fromkeys(("team", "phase", "phase_id", "status", "received", "file"))
    return {
        "platform": platform,
        "id": key,
        **empty,
        "received_known": None,
        "server": {},
        **values,
    }


def absent(name: str, key: object) -> tuple[Any, ...]:
    """Return the remark that an entry has no file."""
    found, hint = f"1 entry without a file: {key}.", "Download their files, too."
    return "warning", name, found, "", hint, 1


def test_grand_challenge(tmp_path):
    head = ["pk", "submission", "outputs", "status", "created", "rank"]
    rows = [
        ["e1", json.dumps(SUBMISSION), json.dumps(OUTPUTS), "Succeeded", "2026-03-01", "2"],
        ["e2", json.dumps(SUBMISSION), "[]", "Failed", "2026-02-01", "1"],
        ["e3", "[]", "[]", "Succeeded", "2026-02-01", "1"],
        ["e4", '{"pk": "s2"}', "", "Queued", "2026-02-01", "x"],
        ["e5", '{"pk": "s2"}', "[]", "Succeeded", "2026-02-02", ""],
    ]
    jobs = [
        {
            "pk": "j1",
            "inputs": [{"image": {"name": "scan.tif"}}, {"value": "q"}, {}],
            "outputs": [
                {"interface": {"relative_path": "a/out.json"}, "file": "https://host/out.json"},
                {"interface": {"relative_path": "gone.json"}, "file": "https://host/gone.json"},
                {"interface": {"relative_path": "value.json"}, "value": 3},
            ],
        }
    ]
    archive = tmp_path / "given.zip"
    archive.write_bytes(
        zipped(
            {
                "evaluations.csv": csv_table(head, *rows),
                "jobs.json": json.dumps(jobs).encode(),
                "j1/output/a/out.json": b"{}",
                "s1/run%201.json": b"{}",
                "s1/other.json": b"{}",
            }
        )
    )
    document, remarks, files = told(tmp_path, archive)
    host = "https://host/media/run%201.json?x=1"
    assert document == {
        "schema": 1,
        "platforms": ["grand-challenge"],
        "submissions": [
            entry(
                *("grand-challenge", "e1"),
                team="ann",
                phase="Final",
                status="Succeeded",
                received="2026-03-01T10:00:00+00:00",
                received_known="exact",
                file="run%201.json",
                server={"ap": "0.5", "by.0": "1", "by.1": "2"},
                submission="s1",
                url=host,
                rank=2,
            ),
            entry(
                *("grand-challenge", "e5"), status="Succeeded", submission="s2", url="", rank=None
            ),
        ],
        "missing": [],
        "without_file": ["e5"],
        "jobs": [
            ["j1", "scan.tif, q", "j1/output/a/out.json"],
            ["j1", "scan.tif, q", "j1/output/gone.json"],
        ],
    }
    table = "evaluations.csv"
    left_out, newest = "The evaluation was left out.", "The newest evaluation of each was used."
    gone = "The output j1/output/gone.json of a job is not there."
    assert remarks == [
        ("warning", table, "The column submission holds no JSON object.", left_out, "", 1),
        ("note", table, "2 submissions evaluated again.", "", newest, 2),
        ("warning", "jobs.json", gone, "", "Download it again.", 1),
        absent(table, "e5"),
    ]
    assert files == ["s1/other.json", "s1/run%201.json"]


def test_kaggle(tmp_path):
    board = csv_table(
        ["Rank", "TeamId", "TeamName", "LastSubmissionDate", "Score", "SubmissionCount"],
        [1, 71, "Ann", "2026-03-01 10:00:00", "0.90", 4],
        [2, 72, "Ben", "no time", "", "x"],
        [3, 73, "Ann", "", "0.10", 1],
    )
    solution = csv_table(
        ["id", "y", "Usage"], [1, 0, "Public"], [2, 0, "Private"], [3, 1, "Public"]
    )
    (tmp_path / "in").mkdir()
    for name, content in (
        ("board.csv", board),
        ("solution.csv", solution),
        ("72/run.csv", b"id,y\n1,0\n"),
        ("73.csv", b"id,y\n1,1\n"),
    ):
        path = tmp_path / "in" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    document, remarks, files = told(tmp_path, tmp_path / "in")
    assert document == {
        "schema": 1,
        "platforms": ["Kaggle"],
        "submissions": [
            entry(
                *("Kaggle", 71),
                team="Ann",
                received="2026-03-01T10:00:00+00:00",
                received_known="exact",
                server={"Score": "0.90"},
                rank=1,
                number=4,
                team_id="71",
            ),
            entry("Kaggle", 72, team="Ben", file="run.csv", rank=2),
            entry(
                *("Kaggle", 73),
                team="Ann",
                file="73.csv",
                server={"Score": "0.10"},
                rank=3,
                number=1,
                team_id="73",
            ),
        ],
        "missing": [],
        "without_file": [71],
        "jobs": [],
    }
    same, part = (
        "Their ids tell them apart.",
        "The board shows the score of one part, not of all rows.",
    )
    usage = "The solution has rows by usage: Private 1, Public 2."
    unread, no_time = "1 time not read, such as no time.", "These entries have no exact time."
    assert remarks == [
        ("warning", "board.csv", "2 teams have the name Ann: 71, 73.", same, "", 1),
        ("note", "solution.csv", usage, "", part, 1),
        ("warning", "board.csv", unread, no_time, "", 1),
        (
            "warning",
            "board.csv",
            "1 entry without a file: 71.",
            "",
            "Download their files, too.",
            1,
        ),
    ]
    assert files == ["72/run.csv", "73.csv"]


def test_tira(tmp_path):
    def run(**fields: str) -> bytes:
        return "".join(f'{name}: "{value}"\n' for name, value in fields.items()).encode()

    first, second, third = (f"2026-03-0{day}-10-00-00" for day in (1, 2, 3))
    measures = b'measure { key: "F1" value: "0.5" } measure { key: "P" value: "1" }'
    members = {
        f"data/ann/{first}/run.prototext": run(softwareId="soft", inputDataset="data"),
        f"data/ann/{first}/output/run.txt": b"a 1\n",
        f"data/ann/{first}/output/more/run.txt": b"a 2\n",
        f"data/ann/{first}/output/{first}/run.prototext": run(inputDataset="forged"),
        f"data/ann/{first}/stdout.txt": b"log",
        f"data/ann/{second}/run.prototext": run(inputRun=first, inputDataset="data"),
        f"data/ann/{second}/output/evaluation.prototext": measures,
        f"data/ben/{third}/run.prototext": b"deleted: true\n",
        f"data/ben/{third}/output/run.txt": b"a 3\n",
    }
    archive = tmp_path / "runs.zip"
    archive.write_bytes(zipped(members))
    document, remarks, files = told(tmp_path, archive)
    folder = f"data/ann/{first}/output"
    assert document == {
        "schema": 1,
        "platforms": ["TIRA"],
        "submissions": [
            entry(
                *("TIRA", first),
                team="ann",
                received="2026-03-01T10:00:00+00:00",
                received_known="exact",
                file=f"{folder}/{first}/run.prototext",
                server={"F1": "0.5", "P": "1"},
                dataset="data",
                deleted=False,
                software="soft",
                evaluation=second,
            )
        ],
        "missing": [],
        "without_file": [],
        "jobs": [],
    }
    zone, utc = "The times of TIRA's runs have no zone.", "They were read as UTC."
    gone = f"1 run deleted: {third}."
    assert remarks == [
        ("note", "run.prototext", zone, "", utc, 1),
        ("note", "run.prototext", gone, "", "Deleted runs were left out.", 1),
    ]
    assert files == [
        f"{folder}/{one}" for one in (f"{first}/run.prototext", "more/run.txt", "run.txt")
    ]


def test_codabench(tmp_path):
    ann = "11_ann_PhaseId7_2026-02-11_07-33_run.zip"
    odd = "12_ben_PhaseId7_2026-13-41_07-33_run.zip"
    failed = "13_cat_PhaseId7_2026-02-11_08-00_run.zip"
    members = {
        ann: zipped({"run.txt": b"a 1\n"}),
        odd: zipped({"run.txt": b"a 2\n"}),
        "res_11_ann_PhaseId7_2026-02-11_07-33_scores.zip": zipped({"scores.txt": b"ap: 1\n"}),
        "failed.txt": (
            f"The following submissions failed to download\n\n{failed} (404)\nother.zip\n"
        ).encode(),
    }
    bulk = tmp_path / "bulk_submissions.zip"
    bulk.write_bytes(zipped(members))
    results = {
        "Board - Final(7)": {
            "ann-11": {"MAP": 0.50, "P": "", "fact": "x"},
            "dan-14": {"MAP": 1e-3},
        }
    }
    (tmp_path / "results.json").write_text(json.dumps(results))
    people = tmp_path / "people.csv"
    people.write_bytes(csv_table(["ID", "Username", "Email", "Is Bot"], [1, "ann", "a@b", "no"]))
    document, remarks, files = told(tmp_path, bulk, tmp_path / "results.json", people)
    known = {"phase": "Final", "phase_id": 7}
    day = {"received": "2026-02-11", "received_known": "day"}
    assert document == {
        "schema": 1,
        "platforms": ["Codabench"],
        "submissions": [
            entry(
                *("Codabench", 11),
                team="ann",
                file=ann,
                server={"MAP": "0.5", "fact": "x"},
                on_board=True,
                uploaded="07-33",
                **known,
                **day,
            ),
            entry("Codabench", 12, team="ben", file=odd, uploaded="07-33", **known),
            entry("Codabench", 13, team="cat", file=failed, uploaded="08-00", **known, **day),
            entry("Codabench", 14, team="dan", server={"MAP": "0.001"}, on_board=True, **known),
        ],
        "missing": [failed, "other.zip"],
        "without_file": [14],
        "jobs": [],
    }
    again = "Download this submission again, by itself."
    scores = "bulk_submissions.zip/res_11_ann_PhaseId7_2026-02-11_07-33_scores.zip"
    deliver = "The platform failed to deliver"
    ignored = "The table of participants with their addresses"
    assert remarks == [
        ("error", "failed.txt", f"{deliver} {failed} (404).", "It is missing here.", again, 1),
        ("error", "failed.txt", f"{deliver} other.zip (-).", "It is missing here.", again, 1),
        (
            *("warning", "scores.txt", f"1 file of results, not of submissions: {scores}."),
            *("They were left out.", "", 1),
        ),
        ("note", "people.csv", f"{ignored} is not used.", "", "", 1),
        absent("people.csv", 14),
    ]
    assert files == [f"bulk_submissions/{name.removesuffix('.zip')}/run.txt" for name in (ann, odd)]


def test_of_a_submission_of_grand_challenge_the_evaluated_file_is_the_entry(tmp_path):
    head = ["pk", "submission", "outputs", "status", "created", "rank"]
    row = ["e1", json.dumps(SUBMISSION), "[]", "Succeeded", "2026-03-01", "1"]
    members = {"e.csv": csv_table(head, row), "s1/run%201.json": b"{}", "s1/other.json": b"{}"}
    archive = tmp_path / "given.zip"
    archive.write_bytes(zipped(members))
    found = listed(tmp_path, archive).files
    entries = {one.parts[-1]: one.entry and one.entry.id for one in found}
    assert entries == {"run%201.json": "e1", "other.json": None}


@pytest.mark.parametrize("above", ["runs/", ""])
def test_the_file_of_a_run_of_tira_is_named_from_the_folder_of_all_runs_on(tmp_path, above):
    name = "2026-03-01-10-00-00"
    run = b'softwareId: "s"\ninputDataset: "data"\n'
    for file, content in (("run.prototext", run), ("output/run.txt", b"a 1\n")):
        path = tmp_path / "download" / f"{above}data/ann/{name}" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    document, _, _ = told(tmp_path, tmp_path / "download")
    (only,) = document["submissions"]
    assert only["file"] == f"{above}data/ann/{name}/output/run.txt"
