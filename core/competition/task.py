"""A competition, declared: its inputs, options, profiles, metrics, and how it reads and scores.

The home page, the command line, help, boards and exports are made from what stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from jurydesk.core.competition.rating_design import RatingDesign
from jurydesk.core.competition.redaction import Redaction
from jurydesk.core.model.chunk import ChunkKind
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.evaluation import (
    Evaluation,
    Evidence,
    ItemTable,
    Json,
    MetricInfo,
    Passage,
    ScoredItem,
    SubmissionText,
    Units,
)
from jurydesk.core.model.options import option

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

T = TypeVar("T")
OptionsT = TypeVar("OptionsT")
ReferenceT = TypeVar("ReferenceT")
SubmissionT = TypeVar("SubmissionT")

InputKind = Literal["reference", "submission", "folder"]


@dataclass(frozen=True, slots=True)
class Input:
    """One kind of file a task takes: `role` is its option on the command line (`--role`).

    `kind` is `"reference"` (shared by all systems), `"submission"` (one system each) or
    `"folder"` (pictures, only looked at). `patterns` are for the file dialog. `also` are roles
    whose files do in this one too: stories tell as well as a template which sequences count.
    """

    role: str
    label: str
    kind: InputKind
    patterns: tuple[str, ...]
    required: bool = True
    many: bool = False
    help: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sniff:
    """What the first bytes of a file look like: a role of a task, with confidence 0 to 1."""

    role: str
    confidence: float
    format: str = ""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A column of the items that is no metric: what heads it, and what it holds, in plain words."""

    title: str
    summary: str


@dataclass(frozen=True, slots=True, eq=False)
class Reading(Generic[T]):
    """What a reader made of a user's files: the data (None after errors), and every defect."""

    data: T | None
    defects: tuple[Defect, ...]
    name: str = ""
    """The system's own name, where the file gives one."""
    about: str = ""


Inputs = Mapping[str, Sequence[Path]]
"""The files by role; a role that was not given is absent."""


@dataclass(frozen=True, slots=True)
class JsonEvidence:
    """Evidence of an item that is JSON as it stands: texts, numbers, lists and objects of them."""

    data: Json

    def to_json(self) -> Json:
        """Return the data themselves."""
        return self.data


def explain_json(evidence: Any) -> tuple[Passage, ...]:
    """Return the texts and numbers of any evidence by the keys of its JSON."""
    data = None if evidence is None else evidence.to_json()
    entries = data.items() if isinstance(data, dict) else [("", data)] if data else []
    return tuple(Passage(str(key), _as_text(value)) for key, value in entries)


def _as_text(value: Json) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class PlainOptions:
    """Options of a competition that has none but the profile."""

    profile: str = option("published", "Whose rules.", choices=("published",))


HEAD_BYTES = 64 << 10
"""So many bytes of a file, unpacked, are given to `Readers.sniff`."""


@dataclass(frozen=True, slots=True, eq=False)
class Readers(Generic[OptionsT, ReferenceT, SubmissionT]):
    """Functions that make data of a competition's files.

    `read_references` is called once, `read_submission` once for each system with what the first
    gave; neither raises on bad user data.
    """

    read_references: Callable[[Inputs, OptionsT, Run], Reading[ReferenceT]]
    read_submission: Callable[[Path, ReferenceT, OptionsT, Run], Reading[SubmissionT]]
    sniff: Callable[[bytes], Sniff | None] = field(default=lambda head: None)
    """Recognizes a file by its first bytes, unpacked; without it, files are assigned by hand."""
    load_evidence: Callable[[Json], Evidence] = JsonEvidence
    """Turns what `Evidence.to_json` wrote back into the evidence."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Values of options that are as reasonable as others: `choice` and `value` say what they are.

    `suffix` is what the names of the metrics that they lead to have more.
    """

    choice: str
    value: str
    options: Mapping[str, Json]
    suffix: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scoring(Generic[OptionsT, ReferenceT, SubmissionT]):
    """Metrics, how they are computed, and everything that decides their values.

    `evaluate` gets sound data and returns scores without intervals and without a stamp, which the
    engine adds.
    """

    metrics: tuple[MetricInfo, ...]
    evaluate: Callable[[ReferenceT, SubmissionT, OptionsT, Run], Evaluation]
    options: type[OptionsT] = PlainOptions  # type: ignore[assignment]
    profiles: tuple[str, ...] = ("published",)
    metric_named: Callable[[str], MetricInfo | None] = field(default=lambda name: None)
    """Resolves names of a family (`P_7`) that `metrics` does not list."""
    settings: Callable[[ReferenceT, OptionsT], Mapping[str, str]] = field(
        default=lambda reference, options: {}
    )
    """The `name:value` parts of the short stamp that are the task's own (`meteor:1.5`)."""
    resources: Callable[[ReferenceT, OptionsT], Mapping[str, str]] = field(
        default=lambda reference, options: {}
    )
    """The SHA-256 of every model and language file that decides the numbers, by its name."""
    libraries: tuple[str, ...] = ()
    """Packages whose versions decide the numbers, by their names in package registries."""
    pictures: Callable[[ReferenceT, SubmissionT, OptionsT], Mapping[str, Path]] | None = None
    """The pictures that decide a system's numbers, by names that hold on every machine."""
    chunks: tuple[ChunkKind[Any, Any, Any], ...] = ()
    """Every kind of chunk that scoring asks for, so that a shard file's can be found by its id."""
    units: Callable[[ItemTable, str], Units] | None = None
    """Resamples scores that neither a mean nor `combine` gives, from items and their profile."""
    groups: Callable[[ItemTable], Sequence[Hashable] | None] | None = None
    """Returns the group of every item, as items of a group are alike and are resampled together.

    None where the items do not show it, as those of older desks may not.
    """
    group_noun: tuple[str, str] = ("group", "groups")
    """What one group and several are called (`keyword`, `keywords`)."""
    on_request: Mapping[str, Callable[[ReferenceT, SubmissionT, OptionsT, Run], Units]] = field(
        default_factory=dict
    )
    """Resamples metrics (by name) that take long, from what earlier scoring kept; on request only.

    Raises UsageError or ResourceMissing where it is not kept.
    """
    light_options: tuple[str, ...] = ()
    """Options whose change needs nothing to be scored again: `rescore` follows it."""
    policies: Callable[[Mapping[str, str]], Sequence[Policy]] = field(default=lambda settings: ())
    """Under which options besides the profile systems are ranked, to see whether their order holds.

    They fit files that were scored with these settings.
    """
    rescore: Callable[[Evaluation, OptionsT], Evaluation] | None = None
    """Returns a kept evaluation under options that differ from its stamp's in light ones alone."""


GROUP = "group"
"""The column of items that numbers their group, where a competition has one."""


def numbered_groups(items: ItemTable) -> Sequence[Hashable] | None:
    """Return the groups of items from the column that numbers them; None without one."""
    column = items.columns.get(GROUP)
    return None if column is None else column.tolist()


@dataclass(frozen=True, slots=True)
class ItemListEntry:
    """How an item stands in the list of items: its text on two lines, and its picture's file."""

    text: str
    picture: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Presentation:
    """How items, numbers and the competition's example are shown."""

    inspector: str = ""
    """The view that shows one item."""
    panel: str = ""
    """The view that explores all items at once, in the place of the figures."""
    example: str | Path = ""
    """The folder of the example competition: a name under `resources/examples/`, or a path.

    A package gives the path of a folder of its own, `Path(__file__).parent / "example"`.
    """
    printout: Callable[[ItemTable], str] | None = None
    """What the published program prints of one system (or of some of its items), line by line."""
    attributes: Callable[[ItemTable], Mapping[str, Callable[[], Sequence[str]]]] = field(
        default=lambda items: {}
    )
    """What else is known of the items than numbers (their sub-task, say), made when asked for."""
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    """What the items' columns that are no metrics hold, by their names."""
    explain_item: Callable[[Any], Sequence[Passage]] = explain_json
    """Returns an item's evidence as text, for reports, search and the generic inspector."""
    listed: Callable[[Any], ItemListEntry] | None = None
    """Returns how the list of items shows one, from its evidence; without it, by its id.

    Pictures are looked up in the first input of the kind folder.
    """
    explain_difference: Callable[[ScoredItem, ScoredItem], Sequence[str]] = field(
        default=lambda one, other: ()
    )
    """Returns why two profiles (published, then corrected) give an item other numbers."""
    rating: RatingDesign = field(default_factory=RatingDesign)
    """How people rate the items; by default they see what `explain_item` returns."""


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionChecks(Generic[ReferenceT, SubmissionT]):
    """Checks of a submission beyond its format, and what participants need to check their own."""

    checklist: Callable[[Sequence[Defect]], Sequence[tuple[str, bool]]] | None = None
    """The published program's own checks, as sentences that passed or not."""
    submission_texts: Callable[[ReferenceT, SubmissionT], Iterable[SubmissionText]] = field(
        default=lambda references, submission: ()
    )
    """The texts of a submission, which are searched for constant, copied or leaked answers."""
    redaction: Redaction[ReferenceT] | None = None
    """The reference data without the gold, for the participants' checker; None offers none."""


UNEXPLAINED = "Without explanation"
"""The title of the passage that says why an item has no explanation."""


def is_own_code(function: object) -> bool:
    """Return whether a function or class is of this program, and not of a plug-in."""
    return str(getattr(function, "__module__", "")).startswith("jurydesk.")


@dataclass(frozen=True, slots=True, eq=False)
class Task(Generic[OptionsT, ReferenceT, SubmissionT]):
    """A competition, declared; generic in its options, its reference data and one submission."""

    id: str
    title: str
    item_noun: tuple[str, str]
    """What one item is called, and several."""
    inputs: tuple[Input, ...]
    readers: Readers[OptionsT, ReferenceT, SubmissionT]
    scoring: Scoring[OptionsT, ReferenceT, SubmissionT]
    summary: str = ""
    """One sentence for the home page and the command line."""
    presentation: Presentation = field(default_factory=Presentation)
    submission_checks: SubmissionChecks[ReferenceT, SubmissionT] = field(
        default_factory=SubmissionChecks
    )

    def metric(self, name: str) -> MetricInfo:
        """Return the declaration of a metric; KeyError where the task has none of that name."""
        for info in self.scoring.metrics:
            if info.name == name:
                return info
        family = self.scoring.metric_named(name)
        if family is None:
            raise KeyError(name)
        return family

    def submission_input(self) -> Input:
        """Return the input that holds the systems."""
        return next(entry for entry in self.inputs if entry.kind == "submission")

    def explain(self, evidence: Evidence | None) -> tuple[Passage, ...]:
        """Return an item's evidence as text; a sentence where the code of a plug-in fails."""
        explain_item = self.presentation.explain_item
        if evidence is None:
            return ()
        try:
            passages = tuple(explain_item(evidence))
            if not all(isinstance(one, Passage) for one in passages):
                raise TypeError("explain_item does not return passages")
        except Exception as error:
            if is_own_code(explain_item):
                raise
            reason = f"{type(error).__name__}: {error}"
            return (Passage(UNEXPLAINED, f"{self.title} cannot explain this item. {reason}"),)
        return passages


AnyTask = Task[Any, Any, Any]


def option_name_conflicts(task: AnyTask) -> tuple[str, ...]:
    """Return, one sentence each, the inputs that an option of the command line is named like."""
    chosen = {entry.name for entry in fields(task.scoring.options)}
    roles = [entry.role for entry in task.inputs if entry.role.replace("-", "_") in chosen]
    return tuple(f"an input and an option are both called {role}: rename one" for role in roles)
