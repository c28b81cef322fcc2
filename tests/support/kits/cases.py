"""Competitions with their reference files and submissions, valid and invalid, for kits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import find_competition
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.participant_kit.kit import (
    ParticipantKit,
    check_with_kit_rules,
    kit_bytes,
    make_kit,
    read_kit,
    require_redaction,
)
from jurydesk.core.system.paths import resources_folder
from support.files.mutations import WHOLE, mutated, other_layouts
from support.oracles import oracle

NEEDS_FILES = ("CLIP: There is no file", "CLIP: The path")
"""Defects of pictures beside a submission, which no reader and no page looks at."""


@dataclass(frozen=True, eq=False)
class Case:
    """A competition: its reference files, its options, and its submissions."""

    name: str
    task: AnyTask
    inputs: Mapping[str, Sequence[Path]]
    submissions: tuple[Path, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def chosen(self) -> Any:
        return self.task.scoring.options(**self.options)

    def references(self) -> Any:
        """Return the organiser's reading of the reference files."""
        return self.task.readers.read_references(self.inputs, self.chosen(), Run())

    def kit(self, folder: Path) -> ParticipantKit:
        """Return the kit, written and read again."""
        made = make_kit(self.task, "", self.references(), self.chosen())
        path = folder / "kit.jurycomp"
        path.write_bytes(kit_bytes(made))
        return read_kit(path)

    def organiser(self, path: Path, references: Any) -> tuple[Defect, ...]:
        """Return the defects of a submission in the organiser's check."""
        reading = self.task.readers.read_submission(path, references, self.chosen(), Run())
        return reading.defects

    def participant(self, path: Path, kit: ParticipantKit) -> tuple[Defect, ...]:
        """Return the defects of a submission in the kit, without those of files beside it."""
        file = InputFile(path, self.task.submission_input().role)
        (entry,) = check_with_kit_rules(self.task, kit, (file,), Run()).entries
        return tuple(one for one in entry.defects if not one.found.startswith(NEEDS_FILES))

    def contents(self, count: int) -> Iterator[bytes]:
        """Return the submissions, `count` invalid versions of each, and other files."""
        for seed, path in enumerate(self.submissions):
            content = path.read_bytes()
            for other in (content, *other_layouts(content)):
                yield other
                yield from mutated(other, count if other is content else count // 5, seed)
        yield from WHOLE


def _task(name: str) -> AnyTask:
    found = find_competition(name)
    assert found is not None
    return found


def example_case(task: AnyTask) -> Case:
    """Return a competition with the files of its example."""
    folder = example_folder(task)
    assert folder is not None
    inputs = dict(example_inputs(task, folder))
    submissions = tuple(inputs.pop(task.submission_input().role))
    chosen = example_options(task, folder)
    options = {name: getattr(chosen, name) for name in require_redaction(task).options}
    return Case(task.id, task, inputs, submissions, options)


def _example(name: str, inputs: Mapping[str, str], submissions: str, **options: Any) -> Case:
    task = _task(name)
    folder = example_folder(task)
    assert folder is not None
    reported = "".join(f", {value}" for value in options.values())
    return Case(
        f"{name}{reported}",
        task,
        {role: (folder / file,) for role, file in inputs.items()},
        tuple(folder / file for file in submissions.split()),
        options,
    )


VIST = {"references": "human-stories.json", "template": "template.json"}
STORIES = "careless.json happy.json labels.json storyteller.json"
FUSION = {"truth": "truth.json", "task-ids": "ids.json", "input": "input.json"}
CAPTIONS = {"references": "annotations.json"}
REGIONS = {"annotations": "annotations.json"}
RESULTS = "careless.json describer.json lister.json short.json"
PREDICTIONS = "careful.json hasty.json torn.json"
SIGNS = {"competition": "competition.toml", "references": "references.csv"}
PEOPLE = {"ground-truth": "people.json"}
BOXES = "grid.json region-net.json tagger.json wrong-boxes.json"
DIALOGS = {"dialogs": "dialogs.json", "relevance": "relevance.json"}
RANKS = "careless.json fine-tuned.json scored.json"
ROUNDS = {"rounds": "auto", "missing": "error", "round_base": "auto", "rank_base": "1"}
LENIENT = {"rounds": "last", "missing": "worst", "round_base": "1", "rank_base": "0"}
QUESTIONS = {"references": "annotations.json"}
ANSWERS = "attentive.json careless.json"
WORDS = "column-profiles.xml stroke-matcher.xml"


def json_cases() -> list[Case]:
    """Return the competitions whose submissions are JSON."""
    published, corrected = "published", "corrected"
    return [
        _example("vist", VIST, STORIES, profile=published),
        _example("vist", VIST, "careless.json", profile=corrected),
        _example(
            "visdial", {"references": "references.json"}, "careful.json careless.json short.json"
        ),
        _example("fusionbrain", FUSION, PREDICTIONS, profile=published),
        _example("fusionbrain", FUSION, PREDICTIONS, profile=corrected),
        _example(
            "fusionbrain", {"truth": "truth.json"}, "careful.json torn.json", subtask="textqa"
        ),
        _example("captions", CAPTIONS, RESULTS, profile=published),
        _example("captions", CAPTIONS, "careless.json", profile=corrected, images="results"),
        _example("region-captions", REGIONS, "precise.json", profile="per-region", strict=False),
        _example("region-captions", REGIONS, "brief.json", profile="glamm", strict=True),
        _example("visdial-ranks", DIALOGS, RANKS, profile="published", **ROUNDS),
        _example("visdial-ranks", {"dialogs": "dialogs.json"}, "careless.json", **LENIENT),
        _example(
            "vqa", QUESTIONS, "attentive.json careless.json", profile="published", missing="error"
        ),
        _example("vqa", QUESTIONS, "careless.json", profile="corrected", missing="zero"),
        _example("declared", SIGNS, "careful.csv hasty.csv torn.json"),
        _example("densecap", PEOPLE, BOXES),
        _example("densecap", PEOPLE, BOXES, box_format="xcycwh"),
    ]


def array_cases() -> list[Case]:
    """Return matrices of similarities."""
    matrices = "cross-encoder.npy word-counts.npy not-finite.npy"
    references = {"references": "annotations.json"}
    return [
        _example("retrieval", references, matrices, profile="published"),
        _example("retrieval", {}, matrices, folds="5", captions_used="one"),
    ]


def ranked_cases() -> list[Case]:
    """Return ranked lists in both formats."""
    xml = {"relevance": "relevance.xml"}
    trec, run = {"relevance": "trec_eval/relevance.qrels"}, "trec_eval/stroke-matcher.run"
    return [
        _example("keyword-spotting", xml, WORDS),
        _example("keyword-spotting", xml, WORDS, missing="zero"),
        _example("keyword-spotting", trec, run),
        _example("keyword-spotting", trec, run, ties="rank"),
    ]


def cases(folder: Path) -> list[Case]:
    """Return all competitions; `folder` is for files that must be written."""
    return [
        *json_cases(),
        *ranked_cases(),
        *array_cases(),
        *_icfhr(),
        *_trec(folder),
        multiple_choice(folder),
    ]


def multiple_choice(folder: Path) -> Case:
    """Return questions of the example with choices, and answers that are none of them."""
    examples_folder = example_folder(_task("vqa"))
    assert examples_folder is not None
    choices = ["red", "2", "two dogs", "yes", "no"]
    questions = [
        {"question_id": 7000 + number, "question": "?", "multiple_choices": choices}
        for number in range(12)
    ]
    given = ["red", "2", "two dog", "Yes", "no", "", "é", "yes", "blue", "two", "no", "red"]
    answers = [{"question_id": 7000 + number, "answer": one} for number, one in enumerate(given)]
    paths = folder / "choices.json", folder / "chosen.json"
    paths[0].write_text(json.dumps({"task_type": "Multiple Choice", "questions": questions}))
    paths[1].write_text(json.dumps([*answers, {"question_id": 5, "answer": "red"}]))
    inputs = {"references": (examples_folder / "annotations.json",), "questions": (paths[0],)}
    options = {"profile": "published", "missing": "error"}
    return Case("vqa, multiple choice", _task("vqa"), inputs, (paths[1],), options)


def _icfhr() -> Iterator[Case]:
    """Return the recorded files of keyword spotting, including the malformed ones."""
    task = _task("keyword-spotting")
    for truth in sorted(oracle("keyword_spotting/icfhr").glob("*.gt.xml")):
        results = truth.with_name(truth.name.replace(".gt.xml", ".res.xml"))
        yield Case(truth.name, task, {"relevance": (truth,)}, (results,))


def _trec(folder: Path) -> Iterator[Case]:
    task = _task("keyword-spotting")
    for line in oracle("keyword_spotting/shared_trec.jsonl").read_text().splitlines():
        case = json.loads(line)
        if isinstance(case.get("qrels"), str) and isinstance(case.get("run"), str):
            truth, run = folder / f"{case['name']}.qrels", folder / f"{case['name']}.run"
            truth.write_text(case["qrels"])
            run.write_text(case["run"])
            yield Case(case["name"], task, {"relevance": (truth,)}, (run,))


def examples() -> Path:
    return resources_folder() / "examples"
