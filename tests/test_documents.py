"""Documents run: every command of the README, the manual, the tutorials and the guide."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest

from jurydesk.core.cli import main
from jurydesk.core.cli.program import program
from jurydesk.core.sealed.key_store import key_pair
from support.files.platforms import codabench_bundle, zipped
from support.files.retrieval import FILES
from support.rating.rated_examples import answer_all
from support.suite.samples import SAMPLES_ARE_WHOLE

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "resources" / "examples"
PAPERS = (
    "README.md",
    "CONTRIBUTING.md",
    "packaging/README.md",
    "resources/examples/plugin/README.md",
)
DOCUMENTS = [
    *PAPERS,
    *(
        path.relative_to(ROOT).as_posix()
        for folder in ("docs", "resources")
        for path in sorted((ROOT / folder).rglob("*.md"))
        if not {"generated", "examples"} & {*path.parts}
    ),
]
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?((?:jurydesk|python3?) .*)$", re.MULTILINE)
INLINE = re.compile(r"`((?:jurydesk|python3?)\s[^`]*)`")
EXAMPLE_FILES = {
    "vist": {
        "storyteller.json": "storyteller.json",
        "labels.json": "labels.json",
        "human-stories.json": "gold.json",
    },
    "captions": {"annotations.json": "annotations.json", "lister.json": "lister.json"},
    "densecap": {"people.json": "people.json", "tagger.json": "tagger.json"},
    "declared": {"references.csv": "references.csv"},
    "keyword_spotting": {"relevance.xml": "relevance.xml", "word-shapes.xml": "word-shapes.xml"},
}
"""Files of the examples, and their names in the documents."""
RETRIEVAL = (
    "score keyword-spotting --relevance relevance.txt --results mine.txt theirs.txt "
    "--desk retrieval.jurydesk --json retrieval.json"
)
STORIES = "score vist --submission labels.json --references gold.json"
PLACEHOLDERS = {
    "ratings plan --submission": {
        "--submission FILE...": "--submission storyteller.json labels.json",
        "--references FILE": "--references gold.json",
        "--images FOLDER": "--images photos",
        "--sequences 200": "--sequences 6",
        "--raters 30": "--raters 6",
        "--desk stories": "--desk rated",
    },
    "ratings packet": {"stories.jurydesk": "rated.jurydesk"},
    "ratings merge": {"stories.jurydesk FILE...": "rated.jurydesk answers.juryanswers"},
    "ratings agreement": {"stories.jurydesk": "rated.jurydesk", "FILE": "agreement.json"},
    "ratings plan --desk FILE": {
        "FILE --items 100 --raters 10": "stories.jurydesk --items 4 --raters 3",
        "entry 3": "entry 1",
    },
    "rusteval": {"RELEVANCE": "relevance.xml", "RESULT": "word-shapes.xml"},
    "score keyword-spotting --relevance R.xml": {
        "R.xml": "relevance.xml",
        "S.xml": "word-shapes.xml",
    },
    "evalvist": {
        "-testFile FILE": "-testFile storyteller.json",
        "-gsFile FILE": "-gsFile gold.json",
    },
    "coco-caption": {"ANNOTATIONS": "annotations.json", "RESULTS": "lister.json"},
    "tokenize": {"FILE": "lines.txt"},
    "meteor TEST": {"TEST": "lines.txt", "REFERENCE": "lines.txt"},
    "fid": {"GENERATED": "one.npz", "REAL": "other.npz", "NAME": "clean"},
    "verify": {"FILE": "retrieval.json"},
    "errata": {"DESK": "retrieval.jurydesk", "NEW_REFERENCE": "NEW"},
    "scores hide": {"DESK": "hidden.jurydesk"},
    "check --kit checker.jurycomp FILE": {"FILE": "tagger.json"},
    "board DESK": {"DESK": "retrieval.jurydesk"},
    "trec_eval": {"QRELS": "relevance.txt", "RUN": "mine.txt"},
    "score densecap": {"--ground-truth FILE": "--ground-truth people.json", "FILE": "tagger.json"},
    "shards split": {
        "fusionbrain ...": "captions --references annotations.json --results lister.json"
    },
    "shards score": {"2/5": "1/1"},
    "shards merge": {" --results FOLDER...": "", "entries": "merged"},
}
"""Values of the words that stand for a reader's own files, by the start of the command."""
PARSED = {
    "score fusionbrain ...": "its scheduler is a machine elsewhere",
    "addon install FOLDER": "its own tests install wheels",
    "weights --choose": "it chooses a model for every later run",
    "platform export": "its dry run is long; its own tests run it",
    "score captions --references FILE": "its own tests run it with models",
    "score retrieval --results FILE": "its own tests run it with arrays",
    "score visdial --ranks NAME": "its own tests run it with both files",
    "score vqa --references FILE": "its own tests run every program of it",
    "score table --results FILE...": "its own tests read every format of it",
    "scores add DESK TABLE": "its own tests join tables",
    "ratings import": "its own tests import tables",
    "profiles DESK SYSTEM --profile published": "its own tests compare the rules of profiles",
    "selftest": "its own tests run it",
    "demo": "it opens the window",
    "open": "it opens the window",
}
"""Commands that are only looked up, and why."""
MENTIONS = {
    *("references build", "board --methods", "ratings board", "ratings plan"),
    "score keyword-spotting",
}
"""Commands that a sentence names without their arguments."""
BROKEN = {
    "entry open late.jurydesk north.juryentry --dry-run",
    "check keyword-spotting --relevance relevance.txt --results broken.txt",
}
"""Commands that find errors, and end with 1."""


def commands(text: str) -> Iterator[str]:
    """Yield the commands of a document, those in blocks before those in sentences."""
    blocks = [match["text"] for match in FENCE.finditer(text) if match["language"] != "pycon"]
    for block in blocks:
        yield from (match[1] for match in LINE.finditer(block.replace("\\\n", " ")))
    yield from (" ".join(match[1].split()) for match in INLINE.finditer(FENCE.sub("", text)))


def write_download(folder: Path) -> None:
    """Write what an organiser has from Codabench: submissions, tables, and the next bundle."""
    names = {
        team: f"{number}_{team}_PhaseId7_2026-02-11_07-3{number}_stories.zip"
        for number, team in enumerate(("storyteller", "happy"))
    }
    inner = {
        name: zipped({"stories.json": (EXAMPLES / "vist" / f"{team}.json").read_bytes()})
        for team, name in names.items()
    }
    (folder / "bulk_submissions.zip").write_bytes(zipped(inner))
    rows = [f"{n},stories.zip,{team},2026-02-11T12:00:00Z,Finished,Test" for n, team in
            enumerate(names)]  # fmt: skip
    head = "Submission ID,File Name,Owner,Created When,Status,Phase"
    (folder / "submissions.csv").write_text("\n".join([head, *rows]))
    results = "Username,fact_sheet_answers,Test(7)-METEOR\nstoryteller-0,,0\n"
    (folder / "results.csv").write_text(results)
    (folder / "bundle.zip").write_bytes(zipped(codabench_bundle()))


def prepare(folder: Path, document: str) -> None:
    """Write the files that a document names into a folder."""
    for name, content in FILES.items():
        (folder / name).write_text(content)
    for example, names in EXAMPLE_FILES.items():
        for name, target in names.items():
            shutil.copy(EXAMPLES / example / name, folder / target)
    shutil.copy(folder / "references.csv", folder / "mine.csv")
    shutil.copytree(EXAMPLES / "vist" / "images", folder / "photos")
    with zipfile.ZipFile(folder / "inbox.zip", "w") as inbox:
        for team in ("storyteller", "happy"):
            inbox.write(EXAMPLES / "vist" / f"{team}.json", f"{team}/stories.json")
    write_download(folder)
    (folder / "lines.txt").write_text("a man rides a horse\n")
    pair = {"hyp": "a man rides a horse", "refs": ["a man on a horse"]}
    (folder / "pairs.jsonl").write_text(json.dumps(pair) + "\n")
    for seed, name in enumerate(("one.npz", "other.npz")):
        np.savez(folder / name, features=np.random.RandomState(seed).randn(20, 8))
    if "participant" in document:
        shutil.copy(EXAMPLES / "captions" / "lister.json", folder / "mine.json")
        run_command("kit captions --references annotations.json checker.jurycomp")
    if document in ("docs/citing.md", "docs/formats.md"):
        run_command(RETRIEVAL)


def before(command: str, folder: Path) -> None:
    """Make what a command finds that readers have by other ways."""
    if command.startswith("ratings plan --desk FILE"):
        run_command(f"{STORIES} --desk stories.jurydesk")
    if command.startswith("ratings merge"):
        for path in answer_all(folder / "packets", folder):
            path.rename(folder / "answers.juryanswers")
    if command.startswith("errata stories.jurydesk"):
        run_command("scores open stories.jurydesk")
    if command.startswith("scores hide DESK"):
        shutil.copy(folder / "retrieval.jurydesk", folder / "hidden.jurydesk")


def with_real_files(command: str, document: str) -> str:
    """Return a command of a document with files of the folder in the places of words."""
    if "organiser" in document:
        command = command.replace("NEW_REFERENCE", "gold.json")
    if command.startswith("entry approve"):
        command = command.replace("jdk1...", key_pair("team")[0].text)
    for start, values in PLACEHOLDERS.items():
        if command.startswith(start):
            for word, value in values.items():
                command = command.replace(word, value)
    return command.replace("NEW", "relevance.txt").split("  #")[0].strip()


def run_command(command: str) -> int:
    """Run a command of the program in this process; return its exit code."""
    return main(shlex.split(command))


def is_mention(command: str) -> bool:
    """Return whether a command is only named, or opens what a test cannot."""
    return len(command.split()) < 2 or command in MENTIONS or command.startswith(tuple(PARSED))


def look_up_script(command: str) -> None:
    """Fail if a command of Python names a file or an action that does not exist."""
    words = shlex.split(command, comments=True)
    for word in words:
        if word.endswith(".py"):
            assert (ROOT / word).is_file(), command
    if words[0] == "packaging/bootstrap.py":
        assert words[1] in (ROOT / words[0]).read_text("utf-8").split('"""')[1], command


def look_up(command: str) -> None:
    """Fail if the program has no such command, or the command no such option."""
    words = [word for word in shlex.split(command, comments=True) if word != "..."]
    found: click.Command = program
    while isinstance(found, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(found)
        name = words.pop(0)
        child = found.get_command(context, name)
        assert child is not None, f"{command}: there is no command {name}"
        found = child
    known = {option for parameter in found.params for option in parameter.opts}
    given = {word for word in words if word.startswith("--")}
    assert given <= {*known, "--lang", "--smoke"}, command


def has_run(document: str) -> bool:
    """Return whether a Russian document has only commands that the English one has."""
    russian, english = ROOT / document, ROOT / document.replace("_ru.md", ".md")
    texts = {path.read_text("utf-8").replace("--lang ru ", "") for path in (russian, english)}
    return russian != english and len({tuple(commands(text)) for text in texts}) == 1


@pytest.mark.parametrize(
    "document", [one for one in DOCUMENTS if SAMPLES_ARE_WHOLE or not has_run(one)]
)
def test_every_command_of_a_document_runs(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path, document)
    for command in commands((ROOT / document).read_text(encoding="utf-8")):
        program_name, _, rest = command.partition(" ")
        rest = rest.removeprefix("--lang ru").strip()
        if program_name != "jurydesk":
            look_up_script(rest)
        elif is_mention(rest):
            look_up(rest)
        else:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            before(rest, tmp_path)
            assert run_command(with_real_files(rest, document)) == (rest in BROKEN), command


@pytest.mark.parametrize("start", PARSED)
def test_only_commands_that_a_document_has_are_left_out(start: str) -> None:
    found = [one for path in DOCUMENTS for one in commands((ROOT / path).read_text("utf-8"))]
    assert any(one.startswith(f"jurydesk {start}") for one in found)


def test_the_russian_documents_have_the_commands_of_the_english_ones() -> None:
    for path in (ROOT / "docs").rglob("*_ru.md"):
        english = path.with_name(path.name.replace("_ru", ""))
        texts = (english.read_text("utf-8"), path.read_text("utf-8"))
        one, other = ([c.replace("--lang ru", "").split() for c in commands(t)] for t in texts)
        assert [c for c in one if c not in other] == [], path.name
