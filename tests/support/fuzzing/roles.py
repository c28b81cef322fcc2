"""Every role that a file of a stranger can have: sound files, and the commands that read them."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import shutil
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image

from jurydesk.core.competition.examples import example_inputs
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes
from jurydesk.core.human_evaluation.packets.packet import write_packet
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.system.paths import resources_folder
from support.examples import folder_of
from support.files.platforms import codabench_bundle, zipped
from support.fuzzing.seals import seal_job, sealed_answers, sealed_kit, sealed_packet, sealed_parcel
from support.oracles import oracle
from support.processes.quiet_program import run_quietly
from support.rating.rated_examples import scored_desk
from support.rating.studies import answers_for, contents, desk_with, rated_desk, study

EXAMPLES = resources_folder() / "examples"
ALLOWED = range(5)
"""Exit codes of the program; each is explained on standard error or output."""
Arguments = Sequence[object]


def unprepared() -> None:
    """Leave the files beside a changed one as they are."""


def nothing(content: bytes) -> bytes:
    """Return the content; it has no seal."""
    return content


@dataclass(frozen=True, slots=True, eq=False)
class Role:
    """Role of a file: sound ones, where a changed one lies, and the commands that read it there.

    `seal` makes hashes in the file again, `prepare` those in files beside it.
    """

    name: str
    sources: tuple[Path, ...]
    place: Path
    commands: tuple[Arguments, ...]
    seal: Callable[[bytes], bytes] = nothing
    prepare: Callable[[], object] = unprepared

    def place_of(self, source: Path) -> Path:
        """Return the path of a changed file, of which some have the name of their source."""
        return self.place if self.place.suffix else self.place / source.name

    def put(self, content: bytes, source: Path, dice: random.Random) -> None:
        """Write a changed file, mostly sealed."""
        path = self.place_of(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        if dice.random() < 0.8:
            with contextlib.suppress(RecursionError):  # too deep to be encoded again
                content = self.seal(content)
        path.write_bytes(content)
        self.prepare()

    def command(self, source: Path, dice: random.Random) -> list[str]:
        """Return one of the commands, with the path of the file."""
        path = self.place_of(source)
        return [str(path if one == "FILE" else one) for one in dice.choice(self.commands)]


class SilenceError(Exception):
    """Refusal without a word, or output that a terminal would obey."""


def judge(arguments: Sequence[str]) -> None:
    """Run a command; raise SilenceError if its code or its output is none that a user expects."""
    if arguments[0] == PACKET:
        read_packet(Path(arguments[1]))
        return
    code, output = run_quietly(arguments)
    if code not in ALLOWED:
        raise SilenceError(f"exit code {code}: {output[-300:]}")
    if code and not output.strip():
        raise SilenceError(f"exit code {code} without a word")
    odd = {char for char in output if ord(char) < 32 or 127 <= ord(char) < 160} - {"\n", "\r", "\t"}
    if odd:
        raise SilenceError(f"control characters {odd} in {output[-300:]!r}")


# ---- Competitions -------------------------------------------------------------------------------


def competition_roles(folder: Path) -> Iterator[Role]:
    """Yield the inputs of every competition."""
    for name, task in registry().tasks.items():
        inputs = {
            role: [path for path in paths if path.is_file()]
            for role, paths in example_inputs(task, folder_of(task)).items()
        }
        inputs |= more_inputs(name, folder)
        submissions = task.submission_input().role
        for role, paths in inputs.items():
            if paths:
                yield competition_role(name, role, submissions, inputs, folder)


def competition_role(
    name: str, role: str, submissions: str, inputs: dict[str, list[Path]], folder: Path
) -> Role:
    """Return the role of one input; beside the changed file lie sound ones in the other roles."""
    required = {entry.role for entry in registry().tasks[name].inputs if entry.required}
    required |= {"task-ids", "questions"}
    given: list[object] = []
    for other, paths in inputs.items():
        if other == role:
            given += [f"--{other}", "FILE"]
        elif paths and (other in required or other == submissions):
            given += [f"--{other}", *paths[: 2 if other == submissions else 1]]
    check, score = ["check", name, *given], ["score", name, *given, "--json", "-", "--jobs", "1"]
    slow = name in ("fusionbrain", "densecap", "captions")  # 1 s and more for an example
    commands = (check, check, check, check, check, score) if slow else (check, check, score)
    return Role(
        f"{name} {role}", tuple(inputs[role]), folder / "places" / f"{name}-{role}", commands
    )


def more_inputs(name: str, folder: Path) -> dict[str, list[Path]]:
    """Return sound files in the roles that a competition's example leaves out."""

    def written(file: str, value: object) -> list[Path]:
        path = folder / file
        path.write_text(json.dumps(value))
        return [path]

    building = EXAMPLES / "visdial" / "building"
    if name == "densecap":
        inputs = example_inputs(registry().tasks[name], EXAMPLES / "densecap")
        images = json.loads(inputs["ground-truth"][0].read_bytes())["images"]
        # Of the ground truth's own sizes, others than these are named.
        sizes = [
            {"image_id": one["image_id"], "width": one["width"] + 1, "height": one["height"]}
            for one in images
        ]
        return {"image-data": written("image_data.json", sizes)}
    if name == "table":
        items = folder / "items.csv"
        items.write_text("item,topic\n" + "".join(f"q{n:02},t{n % 3}\n" for n in range(1, 13)))
        return {"references": [items]}
    if name == "region-captions":
        inputs = example_inputs(registry().tasks[name], EXAMPLES / "region_captions")
        first, *others = json.loads(inputs["results"][0].read_bytes())
        written("mine_0.json", others)
        return {"results": [folder / "mine_0.json"], "parts": written("mine_1.json", [first])}
    if name == "fusionbrain":
        path = folder / "real.npz"
        np.savez(path, mu=np.zeros(8), sigma=np.eye(8))
        return {"real-statistics": [path]}
    if name == "retrieval":
        image_text = oracle("image_text_retrieval")
        return {"captions": [image_text / "random_60_x_5.captions.npy"]}
    if name == "visdial":
        task = registry().tasks["visdial-ranks"]
        ranks = example_inputs(task, folder_of(task))
        return {
            "ranks": list(ranks["results"]),
            "dialogs": [building / "dialogs.json"],
            "relevance": [building / "relevance.json"],
        }
    if name == "vqa":
        inputs = example_inputs(registry().tasks[name], EXAMPLES / "vqa")
        given = [one for path in inputs["results"] for one in json.loads(path.read_bytes())]
        answers = sorted({str(one.get("answer")) for one in given})
        listed = {"valid": answers, "plausible": ["perhaps"]}
        return {
            "choices": written("choices.json", {str(one["question_id"]): listed for one in given})
        }
    return {}


def other_inputs(folder: Path) -> Iterator[Role]:
    """Yield ranked lists of trec_eval, groups, times of receipt, archives and pictures."""
    trec = EXAMPLES / "keyword_spotting" / "trec_eval"
    qrels, run = trec / "relevance.qrels", trec / "stroke-matcher.run"
    score = ["score", "keyword-spotting", "--relevance", qrels, "--results", run, "--json", "-"]
    places = folder / "places"
    for name, relevance, results in (("qrels", "FILE", run), ("run", qrels, "FILE")):
        one = ["score", "keyword-spotting", "--relevance", relevance, "--results", results]
        two = ["trec_eval", "-m", "all_trec", relevance, results]
        source = qrels if name == "qrels" else run
        yield Role(f"trec {name}", (source,), places / f"trec-{name}", (one, two))
    packed = folder / "run.txt.gz"
    packed.write_bytes(gzip.compress(run.read_bytes()))
    given = ["check", "keyword-spotting", "--relevance", qrels, "--results", "FILE"]
    yield Role("compressed run", (packed,), places / "compressed", (given,))
    queries = sorted({line.split()[0] for line in qrels.read_text().splitlines()})
    groups = folder / "groups.csv"
    groups.write_text("".join(f"{one},g{k % 3}\n" for k, one in enumerate(queries)))
    yield Role("groups", (groups,), places / "groups", ([*score, "--groups", "FILE"],))
    teams = folder / "teams"
    for team in ("a", "b"):
        (teams / team).mkdir(parents=True)
        shutil.copy(run, teams / team / "run.txt")
    received = folder / "received.csv"
    received.write_text("team,received\na,2018-05-01T10:00:00Z\nb,2018-05-02 10:00\n")
    intake = ["intake", "keyword-spotting"]
    timed = [*intake, teams, "--received", "FILE", "--deadline", "2018-05-01 12:00 UTC"]
    yield Role("times of receipt", (received,), places / "received", (timed,))
    zipped_teams = folder / "teams.zip"
    inner = zipped({"run.txt": run.read_bytes()})
    zipped_teams.write_bytes(zipped({"a/run.txt": run.read_bytes(), "b.zip": inner}))
    tar = folder / "teams.tar.gz"
    with tarfile.open(tar, "w:gz") as archive:
        archive.add(teams / "a" / "run.txt", "a/run.txt")
    take = (
        [*intake, "FILE"],
        ["score", "keyword-spotting", "--relevance", qrels, "--submissions", "FILE"],
    )
    yield Role("zip of teams", (zipped_teams,), places / "zip", take)
    yield Role("tar of teams", (tar,), places / "tar", take)
    sources = tuple(sorted(path for path in (EXAMPLES / "vist" / "images").glob("*.png")))[:3]
    photo = folder / "photo.jpg"
    Image.new("RGB", (64, 48), (200, 30, 30)).save(photo)
    plan = ["ratings", "packet", "--desk", folder / "photos.jurydesk", "--out", folder / "out"]
    made = study(images=str(places / "photos"))
    desk_with(folder / "photos.jurydesk", made).close()
    name = made.pool.items[0].pictures[0].name
    for suffix, paths in (("png", sources), ("jpg", (photo,))):
        place = places / "photos" / f"{name}.{suffix}"
        yield Role(f"photo {suffix}", paths, place, (plan,))


BULK = "1_north_PhaseId7_2026-02-11_07-33_run.zip"
CODABENCH = """Submission ID,File Name,Owner,Created When,Status,Phase
1,run.zip,north,2026-02-11T07:33:00.5Z,Finished,Test
17,Deleted File,carol,2026-02-10T03:07:40Z,Finished,Test
"""
EVALAI = '''"id","Team Name","Status","Submitted At (mm/dd/yyyy hh:mm:ss)","Submitted File"
"8","The ""Best""","cancelled","02/05/2026 05:41:47","https://example.org/8/a.json"
"7","Team A","finished","02/04/2026 19:53:25","https://example.org/7/a.json"
'''
SCORES = "Username,fact_sheet_answers,T(1)-MAP,T(1)-Mean\nnorth-1,,0.5000000000,\n"


def platform_roles(folder: Path) -> Iterator[Role]:
    """Yield downloads, tables and packages of platforms."""
    run = (EXAMPLES / "keyword_spotting" / "trec_eval" / "stroke-matcher.run").read_bytes()
    places = folder / "places"
    bulk, bundle = folder / "bulk_submissions.zip", folder / "bundle.zip"
    bulk.write_bytes(zipped({BULK: zipped({"run.txt": run})}))
    bundle.write_bytes(zipped(codabench_bundle()))
    texts = {"submissions.csv": CODABENCH, "Results - Test(7).csv": SCORES, "evalai.csv": EVALAI}
    for name, text in texts.items():
        (folder / name).write_text(text)
    for name in (bulk.name, *texts):
        beside = [] if name in (bulk.name, "evalai.csv") else [bulk]
        listed = ["platform", "list", *beside, "FILE", "--json", "-"]
        yield Role(f"platform {name}", (folder / name,), places / "platform" / name, (listed,))
    check = ["platform", "check", "codabench", "FILE"]
    yield Role("platform bundle", (bundle,), places / "bundle.zip", (check,))


# ---- Files of the program -----------------------------------------------------------------------


def desk_roles(folder: Path) -> Iterator[Role]:
    """Yield desks of five kinds."""
    kinds: dict[str, Path] = {}
    for name in ("vist", "keyword-spotting", "vqa"):
        (folder / name).mkdir(exist_ok=True)
        kinds[name] = scored_desk(name, folder / name)
    (folder / "rated").mkdir(exist_ok=True)
    kinds["ratings"] = rated_desk(folder / "rated" / "rated.jurydesk", study(), 3)
    hidden = folder / "hidden.jurydesk"
    shutil.copy(kinds["keyword-spotting"], hidden)
    run_quietly(["scores", "hide", str(hidden)])
    kinds["hidden"] = hidden
    for name, path in kinds.items():
        with Desk.open(path, read_only=True) as desk:
            systems = sorted({one.system for one in desk.evaluations()})[:2]
        commands: list[Arguments] = [["board", "FILE"], ["verify", "FILE"]]
        commands += [["board", "FILE", "--json", "-"], ["compare", "FILE", *systems]]
        if name == "ratings":
            commands = [
                ["ratings", "agreement", "--desk", "FILE"],
                ["ratings", "board", "--desk", "FILE"],
            ]
            commands += [["verify", "FILE"], ["board", "FILE"]]
        place = folder / "places" / f"desk-{name}" / "desk.jurydesk"
        yield Role(f"desk {name}", (path,), place, tuple(commands))


def rating_roles(folder: Path) -> Iterator[Role]:
    """Yield packets, answers and questionnaires."""
    places, made = folder / "places", study()
    packet = folder / "sound.jurypacket"
    with packet.open("wb") as file:
        write_packet(contents(made)[0], file)
    # Packets are read by the rating program; the check of its page is the same reader.
    yield Role(
        "packet", (packet,), places / "packet.jurypacket", ((PACKET, "FILE"),), sealed_packet
    )
    answers, key = folder / "sound.juryanswers", contents(made)[0].key
    answers.write_bytes(answers_bytes(answers_for(made, 0)))
    desk = folder / "merge.jurydesk"
    desk_with(desk, made).close()
    merge = ["ratings", "merge", "FILE", "--desk", desk]
    yield Role(
        *("answers", (answers,), places / "a.juryanswers", (merge,)),
        lambda content: sealed_answers(content, key),
    )
    questionnaires = tuple(sorted((resources_folder()).rglob("*vist2018*.json")))
    plan = ["ratings", "plan", "--desk", folder / "vist" / "vist.jurydesk", "--items", "2"]
    plan += ["--raters", "2", "--ratings-per-entry", "1", "--seed", "1", "--questionnaire", "FILE"]
    yield Role("questionnaire", questionnaires, places / "q.json", (plan,))


PACKET = "(packet)"
"""Command that stands for reading a packet, which no command does."""


def kit_roles(folder: Path) -> Iterator[Role]:
    """Yield participants' kits of every competition."""
    for name, task in registry().tasks.items():
        if task.submission_checks.redaction is None:
            continue
        inputs = example_inputs(task, folder_of(task))
        given = [
            part
            for entry in task.inputs
            if entry.role in inputs and entry.kind == "reference"
            for part in (f"--{entry.role}", str(inputs[entry.role][0]))
        ]
        kit = folder / f"{name}.jurycomp"
        code, output = run_quietly(["kit", name, *given, str(kit)])
        assert code == 0, output
        check = ["check", "--kit", "FILE", inputs[task.submission_input().role][0]]
        yield Role(
            f"kit {name}", (kit,), folder / "places" / f"{name}.jurycomp", (check,), sealed_kit
        )


def export_roles(folder: Path) -> Iterator[Role]:
    """Yield the kinds of exports that `verify` makes again."""
    trec = EXAMPLES / "keyword_spotting" / "trec_eval"
    given = ["--relevance", trec / "relevance.qrels", "--results", trec / "stroke-matcher.run"]
    run = folder / "other.run"
    lines = (trec / "stroke-matcher.run").read_text().splitlines(keepends=True)
    run.write_text("".join(lines[::2]))
    out, desk = folder / "exports", folder / "exports.jurydesk"
    out.mkdir()
    files = {
        name: out / name
        for name in (
            *("results.json", "items.csv", "items.jsonl", "board.json", "board.csv", "board.tex"),
            *("board.html", "methods.tex", "comparison.json", "robustness.json", "stamp.json"),
        )
    }
    steps: list[Arguments] = [
        ["score", "keyword-spotting", *given, run, "--desk", desk, "--items", files["items.csv"]],
        ["score", "keyword-spotting", *given, run, "--items", files["items.jsonl"]],
        ["score", "keyword-spotting", *given, run, "--json", files["results.json"]],
        *(
            ["board", desk, f"--{option}", files[name]]
            for option, name in (
                *(("json", "board.json"), ("csv", "board.csv"), ("latex", "board.tex")),
                *(("html", "board.html"), ("methods", "methods.tex")),
            )
        ),
        ["compare", desk, "stroke-matcher", "other", "--json", files["comparison.json"]],
        ["robustness", desk, "--json", files["robustness.json"]],
    ]
    for step in steps:
        code, output = run_quietly([str(one) for one in step])
        assert code == 0, (step, output)
    stamp = json.loads(files["results.json"].read_bytes())["systems"][0]["stamp"]
    files["stamp.json"].write_text(json.dumps(stamp))
    for name, path in files.items():
        place = folder / "places" / "verify" / name
        yield Role(f"verify {name}", (path,), place, (["verify", "FILE", "--jobs", "1"],))


def job_roles(folder: Path) -> Iterator[Role]:
    """Yield the files of a job in shards."""
    vist = EXAMPLES / "vist"
    given = ["--submission", vist / "happy.json", "--references", vist / "human-stories.json"]
    job = folder / "job"
    for step in (
        ["shards", "split", "vist", *given, "--out", job],
        ["shards", "score", job, "--jobs", "1"],
    ):
        code, output = run_quietly([str(one) for one in step])
        assert code == 0, (step, output)
    parts = {
        "manifest": job / "manifest.json",
        "shard": next(iter(sorted((job / "shards").glob("*.shard")))),
        "result": next(iter(sorted((job / "results").glob("*.result")))),
    }
    for name, path in parts.items():
        copy = folder / "places" / f"job-{name}"
        shutil.copytree(job, copy)
        commands: tuple[Arguments, ...] = (
            ["shards", "check", copy],
            ["shards", "merge", copy, "--jobs", "1"],
        )
        if name != "result":
            commands += (["shards", "score", copy, "--again", "--jobs", "1"],)
        seal = nothing if name == "manifest" else sealed_parcel
        prepare = partial(seal_job, copy) if name == "shard" else unprepared
        yield Role(f"job {name}", (path,), copy / path.relative_to(job), commands, seal, prepare)


# ---- Data and models ----------------------------------------------------------------------------


def model_roles(folder: Path) -> Iterator[Role]:
    """Yield statistics, vectors, tables, thesauri, weights, and pairs of METEOR."""
    places = folder / "places"
    statistics = folder / "statistics.npz"
    np.savez(statistics, mu=np.zeros(16), sigma=np.eye(16))
    yield Role("statistics", (statistics,), places / "s.npz", (["fid", "FILE", statistics],))
    pairs = folder / "pairs.jsonl"
    pairs.write_text('{"hyp": "a cat sits", "refs": ["the cat sat", "a cat"]}\n' * 3)
    yield Role(
        "pairs", (pairs,), places / "pairs.jsonl", (["meteor", "--pairs", "FILE", "--jobs", "1"],)
    )
    recorded = json.loads(oracle("meteor/sgml.json").read_bytes())["files"]
    for name, text in recorded.items():
        (folder / name).write_text(text, "utf-8")
    for name in recorded:
        files = ["FILE" if one == name else folder / one for one in ("test.sgm", "reference.sgm")]
        place = places / f"sgml-{name}"
        command = ["meteor", *files, "-sgml", "-l", "other", "-f", folder / "pre"]
        yield Role(f"METEOR {name}", (folder / name,), place, (command,))
    texts = [folder / "test.txt", folder / "reference.txt"]
    texts[0].write_text("le chat dort\n")
    texts[1].write_text("un chat dort\n")
    table = folder / "table.gz"
    table.write_bytes(gzip.compress(b"0.5\nle chat\nun chat\n0.25\nla\nune\n"))
    meteor = ["meteor", *texts, "-l", "fr", "-a", "FILE"]
    yield Role("table of paraphrases", (table,), places / "table.gz", (meteor,))
    words = folder / "function.words"
    words.write_text("le\nla\nun\n")
    meteor = ["meteor", *texts, "-l", "other", "-s", "FILE", "-m", "exact"]
    yield Role("function words", (words,), places / "function.words", (meteor,))
    inputs = example_inputs(registry().tasks["visdial"], EXAMPLES / "visdial")
    visdial = ["score", "visdial", "--references", inputs["references"][0]]
    visdial += ["--generations", inputs["generations"][0], "--fasttext", "FILE", "--jobs", "1"]
    vectors = (oracle("visdial/toy300.bin"), EXAMPLES / "visdial" / "building" / "words.bin")
    yield Role("fastText", vectors, places / "words.bin", (visdial,))
    fusionbrain = EXAMPLES / "fusionbrain"
    thesaurus = ["score", "fusionbrain", "--truth", fusionbrain / "truth.json"]
    thesaurus += ["--predictions", fusionbrain / "careful.json", "--ruwordnet", "FILE"]
    thesaurus += ["--subtask", "vqa", "--jobs", "1"]
    yield Role(
        "RuWordNet", (oracle("fusionbrain/shared_toy_ruwordnet.db"),), places / "r.db", (thesaurus,)
    )
    from safetensors.numpy import save_file

    weights = folder / "inception.safetensors"
    save_file({"a": np.zeros((2, 2), np.float32)}, weights)
    check = ["weights", "--check", f"inception={places / 'w.safetensors'}"]
    yield Role("weights", (weights,), places / "w.safetensors", (check,))
    for name, shown in (("config", "chosen weights"), ("cache", "hashes of weights")):
        listed = folder / f"{name}-weights.json"
        listed.write_text(json.dumps({"inception": str(weights)}))
        home = Path(os.environ["JURYDESK_HOME"]) / name
        yield Role(shown, (listed,), home / "weights.json", (["weights", "--json", "-"],))
    arrays = folder / "correlations.npz"
    random_numbers = np.random.default_rng(0).random((20, 100))
    np.savez(arrays, correlations=random_numbers, gt_index=np.zeros(20, np.int64))
    masks = [
        "references",
        "masks",
        "--correlations",
        "FILE",
        "--method",
        "S",
        "--out",
        folder / "m.json",
    ]
    yield Role("correlations", (arrays,), places / "c.npz", (masks,))
    building = EXAMPLES / "visdial" / "building"
    build: list[object] = [
        "references",
        "build",
        "--method",
        "S",
        "--dialogs",
        "FILE",
        "--jobs",
        "1",
    ]
    build += ["--embeddings", building / "words.bin", "--out", folder / "sets.json"]
    yield Role(
        "dialogues to build from", (building / "dialogs.json",), places / "dialogs.json", (build,)
    )
