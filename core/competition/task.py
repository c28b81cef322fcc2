"""Declaration of a competition: inputs, options, profiles, metrics, readers and evaluator.

The home page, the command line, help, leaderboards and exports follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from jurydesk.core.competition.rating_design import RatingDesign
from jurydesk.core.competition.redaction import Redaction
from jurydesk.core.language import Message, fill
from jurydesk.core.model.chunk import ChunkKind
from jurydesk.core.model.defects import Defect
from jurydesk.core.model.defects import Reading as Reading
from jurydesk.core.model.evaluation import (
    Evaluation,
    Figure,
    FloatArray,
    Heatmap,
    ItemTable,
    Json,
    MetricInfo,
    Passage,
    Scatter,
    ScoredItem,
    SubmissionText,
    Units,
)
from jurydesk.core.model.evidence_columns import ChangeRows, StoredRows
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.model.input_file import Sniff as Sniff
from jurydesk.core.model.options import option

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

TableMaker = Callable[
    [Sequence[Evaluation], Mapping[str, Json], "Run"],
    "Sequence[tuple[str, Sequence[object]]] | Heatmap",
]
"""Function that makes a table, the name and the cells of each column, from results and choices."""
OptionsT = TypeVar("OptionsT")
ReferenceT = TypeVar("ReferenceT")
SubmissionT = TypeVar("SubmissionT")

InputKind = Literal["reference", "submission", "folder"]

MOST_ROWS = 500
"""Items whose stored rows are read together."""


@dataclass(frozen=True, slots=True)
class Input:
    """Input of a task: `role` is its option on the command line (`--role`).

    `kind` is `"reference"` (shared by all systems), `"submission"` (one per system) or `"folder"`
    (pictures for display). `patterns` are those of the file dialog. `also` are roles whose files
    are accepted as well: stories, like a template, define the sequences to be scored. `names` are
    patterns of the names of files that have this role if their content does not tell.
    """

    role: str
    label: str
    kind: InputKind
    patterns: tuple[str, ...]
    required: bool = True
    many: bool = False
    help: str = ""
    also: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Statistic:
    """Title and summary of an item column that is not a metric."""

    title: str
    summary: str


Inputs = Mapping[str, Sequence[Path]]
"""Files by role; roles without files are absent."""


@dataclass(frozen=True, slots=True)
class JsonEvidence:
    """Evidence that consists of JSON values."""

    data: Json

    def to_json(self) -> Json:
        """Return the data."""
        return self.data


def explain_json(evidence: Any) -> tuple[Passage, ...]:
    """Return a passage for each member of an evidence's JSON."""
    data = None if evidence is None else evidence.to_json()
    entries = data.items() if isinstance(data, dict) else [("", data)] if data else []
    return tuple(Passage(str(key), _format_value(value)) for key, value in entries)


def _format_value(value: Json) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class PlainOptions:
    """Options of a competition that has only a profile."""

    profile: str = option("published", "Whose rules.", choices=("published",))


@dataclass(frozen=True, slots=True)
class RuleStep:
    """Step from one profile's score to another's: a rule that differs, and the score with it.

    `change` is the score minus that of the step before; None for the first step, a profile.
    """

    rule: str
    value: float
    change: float | None


HEAD_BYTES = 64 << 10
"""Number of bytes of a file, unpacked, for `Readers.sniff`."""
TAIL_BYTES = 4 << 10
"""Number of last bytes that follow them, if the file is an object of JSON: a long list may stand
before the member that tells what it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Readers(Generic[OptionsT, ReferenceT, SubmissionT]):
    """Functions that read a competition's files.

    `read_references` is called once, `read_submission` once per system with its result; neither
    raises on invalid user data. They leave the contents of folders to the evaluator: their results
    are reused while files and options are the same.
    """

    read_references: Callable[[Inputs, OptionsT, Run], Reading[ReferenceT]]
    read_submission: Callable[[Path, ReferenceT, OptionsT, Run], Reading[SubmissionT]]
    sniff: Callable[[bytes], Sniff | None] = field(default=lambda head: None)
    """Recognizes a file from its first bytes, unpacked; without it, files are assigned manually."""
    arrange: Callable[[Sequence[InputFile]], Sequence[InputFile]] = field(
        default=lambda files: files
    )
    """Returns the files as they are read: one for each system, which knows what was `given` for it,
    and the others in another role."""
    title: Callable[[Inputs], str] = field(default=lambda inputs: "")
    """Returns the title that the files themselves give the competition; empty where they do not."""
    load_evidence: Callable[[Any], Any] = JsonEvidence
    """Returns the evidence from its JSON values, or from a row of its columns."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Alternative values of options that are equally reasonable.

    `choice` and `value` describe them; `suffix` is appended to the names of the resulting metrics.
    """

    choice: str
    value: str
    options: Mapping[str, Json]
    suffix: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scoring(Generic[OptionsT, ReferenceT, SubmissionT]):
    """Metrics, their evaluator, and everything else that affects their values.

    `evaluate` gets data without errors and returns scores without intervals and stamp, which the
    engine adds.
    """

    metrics: tuple[MetricInfo, ...]
    evaluate: Callable[[ReferenceT, SubmissionT, OptionsT, Run], Evaluation]
    options: type[OptionsT] = PlainOptions  # type: ignore[assignment]
    profiles: tuple[str, ...] = ("published",)
    remarks: Callable[[ReferenceT, SubmissionT, OptionsT, Run], Iterable[Defect]] = field(
        default=lambda references, submission, options, run: ()
    )
    """Returns the defects that scoring adds to those of the readers and that need no weights.

    A check reports them without scoring.
    """
    rank_by: str = ""
    """Name of the metric that ranks the systems; without it, the first defined headline metric."""
    metric_named: Callable[[str], MetricInfo | None] = field(default=lambda name: None)
    """Resolves names of a family (`P_7`) that `metrics` does not list."""
    settings: Callable[[ReferenceT, OptionsT], Mapping[str, str]] = field(
        default=lambda reference, options: {}
    )
    """Returns the task's own `name:value` parts of the short stamp (`meteor:1.5`)."""
    resources: Callable[[ReferenceT, OptionsT], Mapping[str, str]] = field(
        default=lambda reference, options: {}
    )
    """Returns the SHA-256 of every model and language file that affects scores, by name."""
    complete_columns: Callable[[ItemTable, Run], Mapping[str, FloatArray]] | None = None
    """Computes columns of the items in full, with values that no score needs."""
    libraries: tuple[str, ...] = ()
    """Packages whose versions affect scores, by their names in package registries."""
    pictures: Callable[[ReferenceT, SubmissionT, OptionsT], Mapping[str, Path]] | None = None
    """Returns the pictures that affect a system's scores, by machine-independent names."""
    chunks: tuple[ChunkKind[Any, Any, Any], ...] = ()
    """Kinds of chunk that scoring requests, so that those of a shard file can be found by id."""
    units: Callable[[ItemTable, str], Units] | None = None
    """Returns resampling units, from items and profile, of scores without `mean` or `combine`."""
    groups: Callable[[ItemTable], Sequence[Hashable] | None] | None = None
    """Returns the group of every item, since items of a group are resampled together.

    None if the items do not show it.
    """
    group_noun: tuple[str, str] = ("group", "groups")
    """Noun for groups in the singular and plural (`keyword`, `keywords`)."""
    on_request: Mapping[str, Callable[[ReferenceT, SubmissionT, OptionsT, Run], Units]] = field(
        default_factory=dict
    )
    """Return resampling units of slow metrics (by name) from cached data, only on request.

    They raise UsageError or ResourceMissing if the data are not cached.
    """
    rule_options: tuple[str, ...] = ()
    """Options by which scores differ in meaning: such results are not set side by side."""
    light_options: tuple[str, ...] = ()
    """Options that `rescore` can change without scoring again."""
    policies: Callable[[Mapping[str, str]], Sequence[Policy]] = field(default=lambda settings: ())
    """Returns alternative options, given a stamp's settings, to test the stability of ranks."""
    rescore: Callable[[Evaluation, OptionsT], Evaluation] | None = None
    """Returns a stored evaluation under options that differ from its stamp's in light ones only."""


GROUP = "group"
"""Item column with the number of the group, if a competition has one."""


def numbered_groups(items: ItemTable) -> Sequence[Hashable] | None:
    """Return the groups of items from the column `group`; None without one."""
    column = items.columns.get(GROUP)
    return None if column is None else column.tolist()


@dataclass(frozen=True, slots=True)
class ItemListEntry:
    """Entry in the list of items: a text and a picture file.

    The text has the item's id only if it says nothing else; the id is then the `note` of a text
    that several items share. `box` is the part of the picture (x, y, width, height in pixels) that
    shows the item.
    """

    text: str
    picture: str = ""
    note: str = ""
    box: tuple[int, int, int, int] | None = None

    @property
    def line(self) -> str:
        """Text and note on one line."""
        return f"{self.text} · {self.note}" if self.note else self.text


@dataclass(frozen=True, slots=True, eq=False)
class Presentation:
    """Presentation of items and scores, and the competition's example."""

    inspector: str = ""
    """View of one item."""
    panel: str = ""
    """View of all items, in place of the figures."""
    pages: tuple[str, ...] = ()
    """Pages of the window that only some competitions use: `references`, `models`."""
    example: str | Path = ""
    """Folder of the example competition: a name under `resources/examples/`, or a path.

    A package gives the path of its own folder, `Path(__file__).parent / "example"`.
    """
    printout: Callable[[ItemTable], str] | None = None
    """Returns the output of the published program for the items of one system."""
    attributes: Callable[[ItemTable], Mapping[str, Callable[[], Sequence[str]]]] = field(
        default=lambda items: {}
    )
    """Returns text attributes of the items by title, such as their sub-task, computed on demand."""
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    """Descriptions of the item columns that are not metrics, by name."""
    explain_item: Callable[[Any], Sequence[Passage]] = explain_json
    """Returns an item's evidence as text, for reports, search and the generic inspector."""
    explain_rows: ChangeRows[Sequence[Passage]] | None = None
    """Returns what `explain_item` does, from stored columns: a report explains 100,000 items."""
    listed: Callable[[Any], ItemListEntry] | None = None
    """Returns an item's list entry from its evidence; without it, the list shows ids.

    Pictures are looked up in the first input of kind `folder`.
    """
    listed_lines: Literal[1, 2] = 2
    """Lines of the text of a list entry."""
    explain_difference: Callable[[ScoredItem, ScoredItem], Sequence[str]] = field(
        default=lambda one, other: ()
    )
    """Returns why the scores of an item differ between two profiles (published, corrected)."""
    rule_steps: Callable[[Inputs, Any, str, str, Run], Sequence[RuleStep]] | None = None
    """Returns the steps from the options' profile to another, for a metric of one submission."""
    figures: Callable[[Evaluation], Sequence[Figure]] = lambda evaluation: evaluation.figures
    """Returns the figures as they are shown, on the scale of the scores.

    A figure keeps its name and its position. Desks and results keep the evaluator's own form, which
    earlier exports are compared with.
    """
    scatters: tuple[Scatter, ...] = ()
    """Pairs of item columns that are plotted against each other."""
    item_points: Callable[[str, Any], tuple[FloatArray, FloatArray] | None] = field(
        default=lambda figure, evidence: None
    )
    """Returns the points (n,) of an item in the figure of that name: precision at each hit, say."""
    points_title: str = ""
    """What these points are."""
    tables: Mapping[str, TableMaker] = field(default_factory=dict)
    """Functions that make the panel's tables again from results and choices, by name.

    They raise KeyError, TypeError or ValueError for damaged choices.
    """
    rating: RatingDesign = field(default_factory=RatingDesign)
    """Design of ratings by people, who by default see the result of `explain_item`."""


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionChecks(Generic[ReferenceT, SubmissionT]):
    """Checks of a submission beyond its format, and the redaction for participants."""

    checklist: Callable[[Sequence[Defect]], Sequence[tuple[str, bool | None]]] | None = None
    """Returns the checks of the published program: a sentence and whether it passed."""
    submission_texts: Callable[[ReferenceT, SubmissionT], Iterable[SubmissionText]] = field(
        default=lambda references, submission: ()
    )
    """Returns the texts of a submission for plausibility checks."""
    redaction: Redaction[ReferenceT] | None = None
    """Redaction of the reference data for the participants' checker, if there is one."""


UNEXPLAINED = "Without explanation"
"""Title of the passage that says why an item has no explanation."""


def is_own_code(function: object) -> bool:
    """Return whether a function or class belongs to this program, not to a plug-in."""
    return str(getattr(function, "__module__", "")).startswith("jurydesk.")


@dataclass(frozen=True, slots=True, eq=False)
class Task(Generic[OptionsT, ReferenceT, SubmissionT]):
    """Declaration of a competition, generic in its options, reference data and submission."""

    id: str
    title: str
    item_noun: tuple[str, str]
    """Noun for items in the singular and plural."""
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
        """Return the declaration of a metric; KeyError if the task has none of that name."""
        for info in self.scoring.metrics:
            if info.name == name:
                return info
        family = self.scoring.metric_named(name)
        if family is None:
            raise KeyError(name)
        return family

    @property
    def headlines(self) -> tuple[MetricInfo, ...]:
        """Headline metrics, that which ranks the systems first."""
        found = [info for info in self.scoring.metrics if info.headline]
        return tuple(sorted(found, key=lambda info: info.name != self.scoring.rank_by))

    def submission_input(self) -> Input:
        """Return the input of the submissions."""
        return next(entry for entry in self.inputs if entry.kind == "submission")

    def roles_for_display(self) -> frozenset[str]:
        """Return the roles of folders whose pictures are shown, and enter no score."""
        if self.scoring.pictures:
            return frozenset()
        return frozenset(entry.role for entry in self.inputs if entry.kind == "folder")

    def explain_items(
        self, items: ItemTable, numbers: Sequence[int]
    ) -> Iterator[tuple[int, tuple[Passage, ...]]]:
        """Yield these items' numbers and explanations, in their order."""
        from_rows, evidence = self.presentation.explain_rows, items.evidence
        if (
            from_rows is None
            or items.evidence_of is not None
            or not isinstance(evidence, StoredRows)
            or not all(map(evidence.holds_rows, numbers[:1]))
        ):
            yield from ((number, self.explain(items.show(number))) for number in numbers)
            return
        for first in range(0, len(numbers), MOST_ROWS):
            part = numbers[first : first + MOST_ROWS]
            explained = evidence.of_rows(part, from_rows)
            yield from zip(part, map(tuple, explained), strict=True)

    def explain(self, evidence: Any) -> tuple[Passage, ...]:
        """Return an item's evidence as text, or an error message if a plug-in's code fails."""
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
            return (
                Passage(
                    UNEXPLAINED,
                    fill("{title} cannot explain this item. {reason}", Message(self.title), reason),
                ),
            )
        return passages


AnyTask = Task[Any, Any, Any]


def option_name_conflicts(task: AnyTask) -> tuple[str, ...]:
    """Return a sentence for each input that has the name of an option."""
    names = {entry.name for entry in fields(task.scoring.options)}
    roles = [entry.role for entry in task.inputs if entry.role.replace("-", "_") in names]
    return tuple(f"an input and an option are both called {role}: rename one" for role in roles)
