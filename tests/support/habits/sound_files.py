"""A sound file in every role of every competition, and what a competition says of files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from jurydesk.core.competition.examples import example_inputs, example_options
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.execution.run import Run
from jurydesk.core.model.defects import Defect, Severity
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import CompetitionFiles, score_competition
from support.examples import TASKS_WITH_EXAMPLE, folder_of
from support.fuzzing.roles import EXAMPLES, more_inputs
from support.habits.overlap_files import overlap_files
from support.oracles import oracle

Values = Mapping[str, Mapping[str, bytes]]
"""Ids and columns of the items of each system, as bytes."""


@dataclass(frozen=True, slots=True)
class SoundFile:
    """File in a role, with the files in the other roles of its competition."""

    task: str
    role: str
    inputs: Mapping[str, Sequence[Path]]
    form: str = ""
    options: Any = None

    @property
    def path(self) -> Path:
        """Path of the file."""
        return self.inputs[self.role][0]

    @property
    def name(self) -> str:
        """Name for messages: competition, role and form."""
        return " ".join(filter(None, (self.task, self.role, self.form)))

    @property
    def is_alone(self) -> bool:
        """Whether no other file can name its entries: the others are arrays."""
        others = (path for paths in self.inputs.values() for path in paths if path != self.path)
        return all(path.suffix in (".npy", ".npz") or path.is_dir() for path in others)

    def at(self, path: Path) -> SoundFile:
        """Return the same with another file in the role."""
        others = self.inputs[self.role][1:]
        return replace(self, inputs={**self.inputs, self.role: [path, *others]})


@dataclass(frozen=True, eq=False)
class Outcome:
    """Values of the items of every system (none after errors), and all defects."""

    values: Values
    defects: tuple[Defect, ...]
    evaluations: tuple[Evaluation, ...] = ()

    @cached_property
    def shown(self) -> str:
        """What is shown of the items: their attributes and evidence; as text."""
        return repr([part for one in self.evaluations for part in _shown(one)])

    @property
    def errors(self) -> list[Defect]:
        """Defects that prevent scoring."""
        return [one for one in self.defects if one.severity is Severity.ERROR]

    def says_more_than(self, other: Outcome) -> list[Defect]:
        """Return the defects whose words are none of the other's."""
        known = {_words(one) for one in other.defects}
        return [one for one in self.defects if _words(one) not in known]


def _words(defect: Defect) -> tuple[str, int]:
    return f"{defect.found} {defect.expected} {defect.hint}", defect.count


def scored(sound: SoundFile) -> Outcome:
    """Return the outcome of scoring the files, as the command does."""
    task = registry().tasks[sound.task]
    files = explicit_files(task, sound.inputs, ())
    with Run(jobs=1) as run:
        found = score_competition(CompetitionFiles(None, task, files, sound.options), run)
    values = {
        one.system: {"": repr(one.items.ids).encode()}
        | {name: column.tobytes() for name, column in one.items.columns.items()}
        for one in found.result.evaluations
    }
    return Outcome(values, found.defects, tuple(found.result.evaluations))


def _shown(found: Evaluation) -> Iterator[object]:
    attributes = registry().tasks[found.task].presentation.attributes(found.items)
    yield from ((title, *texts()) for title, texts in sorted(attributes.items()))
    yield found.scores
    if found.items.evidence is not None:
        yield from map(found.items.show, range(len(found.items)))


def sound_files(folder: Path) -> list[SoundFile]:
    """Return a file for every role of a file; those that examples lack are written to a folder."""
    found: list[SoundFile] = []
    for name in TASKS_WITH_EXAMPLE:
        task = registry().tasks[name]
        known = {entry.role for entry in task.inputs}
        (folder / name).mkdir(parents=True, exist_ok=True)
        paths = {**example_inputs(task, folder_of(task)), **more_inputs(name, folder / name)}
        inputs = {role: list(several) for role, several in paths.items() if role in known}
        if name == "retrieval":
            del inputs["captions"]
        found += _by_role(name, inputs, folder)
    vectors = oracle("image_text_retrieval")
    two = {role: [vectors / f"random_60_x_5.{role}.npy"] for role in ("images", "captions")}
    embedded = {"results": two["images"], "captions": two["captions"]}
    found += _by_role("retrieval", embedded, folder, "vectors")
    parts = _by_role("densecap", annotation_parts(folder), folder, "annotations")
    found += [one for one in parts if one.role == "parts"]
    trec = EXAMPLES / "keyword_spotting" / "trec_eval"
    lines = {"relevance": [trec / "relevance.qrels"], "results": [trec / "stroke-matcher.run"]}
    found += _by_role("keyword-spotting", lines, folder, "lines")
    for form, given in overlap_files(folder).items():
        protocol = "table" if form == "table" else ""
        options = KeywordSpottingOptions(protocol=protocol)
        found += _by_role("keyword-spotting", dict(given), folder, form, options)
    return found


def annotation_parts(folder: Path) -> dict[str, list[Path]]:
    """Return ground truth with ids of its annotations, and results by these ids in two files."""
    images = json.loads(
        folder_of(registry().tasks["densecap"]).joinpath("people.json").read_bytes()
    )
    places = [
        (image["image_id"], box, caption)
        for image in images["images"]
        for box, caption in zip(image["gt_boxes"], image["gt_captions"], strict=True)
    ]
    entries = [
        {"id": number, "image_id": image, "bbox": box, "caption": caption}
        for number, (image, box, caption) in enumerate(places)
    ]
    results = [
        {"id": one["id"], "caption": one["caption"], "score": 0.9 - one["id"] / 100}
        for one in entries
    ]
    contents = {
        "annotated.json": {"annotations": entries, "images": [], "box_format": "xcycwh"},
        "mine_0.json": results[3:],
        "mine_1.json": results[:3],
    }
    for name, content in contents.items():
        (folder / name).write_text(json.dumps(content))
    roles = ("ground-truth", "detections", "parts")
    return {role: [folder / name] for role, name in zip(roles, contents, strict=True)}


OF_ONE_SYSTEM = {"ranks"}
"""Roles of files that belong to a submission by their name: NAME.ranks.json to NAME.json."""


def _by_role(
    name: str, inputs: dict[str, list[Path]], folder: Path, form: str = "", options: Any = None
) -> Iterator[SoundFile]:
    submissions = registry().tasks[name].submission_input().role
    inputs[submissions].sort(key=lambda path: -path.stat().st_size)  # constant answers are short
    task = registry().tasks[name]
    every = options or task.scoring.options(), example_options(task, folder_of(task))
    for options, *chosen in product(every, *inputs.values()):
        whole = {role: [path] for role, path in zip(inputs, chosen, strict=True)}
        for role in OF_ONE_SYSTEM & whole.keys():
            named = folder / f"{whole[submissions][0].stem}.{role}.json"
            whole[role] = [Path(shutil.copy(whole[role][0], named))]
        if scored(SoundFile(name, submissions, whole, form, options)).values:
            break
    for role, (path,) in whole.items():
        if path.is_file():
            yield SoundFile(name, role, whole, form, options)
