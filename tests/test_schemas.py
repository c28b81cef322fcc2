"""Files of the program match the schemas of the manual, and altered ones do not."""

from __future__ import annotations

import copy
import json
import zipfile
from pathlib import Path

import jsonschema
import pytest
from referencing import Registry, Resource

from jurydesk.core.cli import main
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes
from jurydesk.core.human_evaluation.packets.packet import write_packet
from jurydesk.core.selftest.check import Check
from jurydesk.core.selftest.checks import record
from jurydesk.core.system.paths import resources_folder
from support.rating import studies

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "schemas"
SCHEMAS = {path.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
EXAMPLE = resources_folder() / "examples" / "vist"
FILES = ("--references", str(EXAMPLE / "human-stories.json"))
REGISTRY = Registry().with_resources(
    (name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()
)


def check(name, document, part=""):
    """Raise ValidationError unless a document fits a schema, or a definition in it."""
    schema = {"$ref": f"{name}.schema.json{part}"}
    jsonschema.Draft202012Validator(schema, registry=REGISTRY).validate(document)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return the files of one competition by the name of their schema."""
    folder = tmp_path_factory.mktemp("written")
    desk, results = folder / "stories.jurydesk", folder / "results.json"
    stories = [str(EXAMPLE / "happy.json"), str(EXAMPLE / "storyteller.json")]
    common = ["--desk", str(desk), "--json", str(results), "--quiet"]
    assert main(["score", "vist", *FILES, "--submission", *stories, *common]) == 0
    board, comparison = folder / "board.json", folder / "comparison.json"
    assert main(["board", str(desk), "--json", str(board), "--quiet"]) == 0
    names = [one["name"] for one in json.loads(results.read_text())["systems"]]
    assert main(["compare", str(desk), *names, "--json", str(comparison), "--quiet"]) == 0
    kit = folder / "checker.jurycomp"
    assert main(["kit", "--desk", str(desk), "--entries", str(kit)]) == 0
    choices = folder / "choices.json"
    assert main(["robustness", str(desk), "--json", str(choices), "--quiet"]) == 0
    paths = {"results": results, "board": board, "comparison": comparison, "kit": kit}
    paths["robustness"] = choices
    items = folder / "items.json"
    assert main(["items", str(desk), "--json", str(items), "--quiet"]) == 0
    paths["items"] = items
    plan = folder / "plan.json"
    assert main(["plan", str(desk), "--json", str(plan), "--quiet"]) == 0
    paths["plan"] = plan
    found = {name: json.loads(path.read_text("utf-8")) for name, path in paths.items()}
    found["entry"], found["certificate"] = sealed_documents(folder, desk, kit)
    found["stamp"] = found["results"]["systems"][0]["stamp"]
    found["settings"] = found["comparison"]["settings"]
    found["agreement"], found["ratings board"] = rated_documents(folder)
    checks = [Check("files", "numpy", "ok", "Fine."), Check("files", "torch", "absent", "No.")]
    found["selftest"] = record(checks)
    return found


def sealed_documents(folder, desk, kit):
    """Return the document of a sealed entry, and the certificate of its look."""
    entry = folder / "north.juryentry"
    sealing = ["entry", "seal", str(kit), str(EXAMPLE / "labels.json"), "--team", "North"]
    assert main([*sealing, "--out", str(entry), "--quiet"]) == 0
    assert main(["entry", "policy", str(desk), "--no-approval", "--quiet"]) == 0
    assert main(["entry", "open", str(desk), str(entry), "--out", str(folder), "--quiet"]) == 0
    with zipfile.ZipFile(entry) as archive:
        document = json.loads(archive.read("entry.json"))
    (certificate,) = folder.glob("*.jurycert")
    return document, json.loads(certificate.read_text("utf-8"))


def rated_documents(folder):
    """Return the agreement of a rated study, and its board."""
    rated = studies.rated_desk(folder / "rated.jurydesk", studies.study(), raters=3)
    targets = [folder / "agreement.json", folder / "rated.json"]
    for name, path in zip(("agreement", "board"), targets, strict=True):
        arguments = ["--desk", str(rated), "--json", str(path), "--quiet"]
        assert main(["ratings", name, *arguments]) == 0
    return [json.loads(path.read_text("utf-8")) for path in targets]


@pytest.fixture(scope="module")
def packet(tmp_path_factory):
    """Return the JSON members of a packet with pictures."""
    folder = tmp_path_factory.mktemp("packet")
    made = studies.study()
    path = folder / "rater.jurypacket"
    with path.open("wb") as file:
        write_packet(studies.contents(made, studies.photos_in(folder))[0], file)
    with zipfile.ZipFile(path) as archive:
        members = [name for name in archive.namelist() if name.endswith(".json")]
        return {name: json.loads(archive.read(name)) for name in members}


JSON_FILES = [
    *("results", "stamp", "board", "comparison", "robustness", "items", "plan"),
    *("agreement", "settings", "kit", "selftest", "entry", "certificate"),
]


@pytest.mark.parametrize("name", JSON_FILES)
def test_every_written_file_matches_its_schema(written, name):
    check(name, written[name])


def test_a_board_of_ratings_matches_the_schema_of_boards(written):
    assert written["ratings board"]["correlations"]
    check("board", written["ratings board"])


@pytest.mark.parametrize("name", JSON_FILES)
def test_a_document_with_a_missing_part_does_not_match(written, name):
    for part in SCHEMAS[f"{name}.schema.json"]["required"]:
        document = {key: value for key, value in written[name].items() if key != part}
        with pytest.raises(jsonschema.ValidationError):
            check(name, document)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("results", ("systems", 0, "stamp", "submission", "sha256"), "12"),
        ("results", ("systems", 0, "scores", "meteor"), "0.5"),
        ("stamp", ("scores", 0, "value"), "0.5"),
        ("board", ("systems", 0, "stamp", "seeds", "bootstrap"), "one"),
        ("board", ("comparisons", 0, "pairs", 0, "p"), True),
        ("comparison", ("metrics", 0, "tests", 0, "p"), "small"),
        ("comparison", ("metrics", 0, "items", 0, "item"), 1),
        ("comparison", ("settings", "format"), "json"),
        ("comparison", ("stamps", 0, "submission", "sha256"), "12"),
        ("robustness", ("choices", 0, "best", 0), 0),
        ("items", ("items", 0, "p"), 2),
        ("plan", ("ratings", "designs", 0, "raters"), 0),
        ("agreement", ("agreement", 0, "alpha", "value"), "0.5"),
        ("agreement", ("settings", "ratings", "sha256"), "12"),
        ("settings", ("results",), "two"),
        ("kit", ("facts", 0), ["name", "says"]),
        ("kit", ("version",), 2),
        ("kit", ("entries", "signing"), "jdk1"),
        ("entry", ("body", "files", 0, "size"), 1.5),
        ("certificate", ("body", "scores", 0, "value"), 0.5),
        ("selftest", ("checks", 0, "outcome"), "fine"),
    ],
)
def test_a_value_of_another_type_does_not_match(written, name, path, value):
    document = copy.deepcopy(written[name])
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    assert inner[path[-1]] != value
    inner[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        check(name, document)


def test_the_members_of_a_packet_match(packet):
    assert packet["manifest.json"]["version"] == 3
    check("packet", packet["manifest.json"])
    check("packet", packet["items.json"], "#/$defs/items")
    check("packet", packet["questionnaire.json"], "#/$defs/questionnaire")


def test_a_packet_with_other_file_names_does_not_match(packet):
    manifest = packet["manifest.json"]
    with pytest.raises(jsonschema.ValidationError):
        check("packet", {**manifest, "files": {**manifest["files"], "../a.jpg": "0" * 64}})


def test_every_line_of_answers_matches():
    lines = answers_bytes(studies.answers_for(studies.study(), 0)).splitlines()
    first, *events = map(json.loads, lines)
    check("answers", first)
    assert len(events) == first["events"] > 10
    for event in events:
        check("answers", event, "#/$defs/event")
    with pytest.raises(jsonschema.ValidationError):
        check("answers", {**events[0], "act": "guess"}, "#/$defs/event")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_is_valid(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"] == name


def test_the_page_of_formats_links_every_schema():
    page = (FOLDER.parent / "formats.md").read_text("utf-8")
    assert [name for name in SCHEMAS if f"(schemas/{name})" not in page] == []
