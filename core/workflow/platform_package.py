"""Package for a platform made from a desk: its source, its members, and the dry run."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.leaderboard_table import headline_first
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.export.platforms.codabench_bundle import check_codabench
from jurydesk.core.export.platforms.codabench_export import codabench_members
from jurydesk.core.export.platforms.dry_run import (
    DAMAGED,
    LEAST_DAMAGED,
    DryRun,
    Score,
    installed_program,
    run_dry,
)
from jurydesk.core.export.platforms.engine_package import Trial, engine_members, zip_members
from jurydesk.core.export.platforms.evalai_challenge import check_evalai
from jurydesk.core.export.platforms.evalai_export import (
    evalai_members,
    evalai_program,
    evaluation_reason,
)
from jurydesk.core.export.platforms.kaggle_export import kaggle_members, try_metric
from jurydesk.core.export.platforms.kaggle_rows import split_references
from jurydesk.core.export.platforms.package_source import (
    MOST_COLUMNS,
    PackageSettings,
    PackageSource,
    ScoredSystem,
    left_out,
    reference_members,
)
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.metrics.meteor import shared_meteor
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import MetricInfo, UsageError
from jurydesk.core.model.stamp import short_stamp
from jurydesk.core.participant_kit.browser_page import checker_page_bytes, has_page
from jurydesk.core.participant_kit.kit import kit_bytes, make_kit
from jurydesk.core.tasks.result_parts import PARTS

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask, Inputs
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run
    from jurydesk.core.model.defects import Defect

PARAPHRASES = "data/paraphrase-en.gz"
"""Resource of a stamp whose scores need METEOR's index."""
KIT_README = """Open checker.html in a browser: it checks a submission on this computer.
The file checker.jurycomp is the same for Jurydesk:
jurydesk check --kit checker.jurycomp FILE
Upload a zip archive with one file.
"""
DRY_RUN = translatable(
    "Dry run: {runs} runs ({systems}) gave the desk's numbers, bit for bit, or refused damaged "
    "entries."
)
NEEDS_MORE = translatable(
    "{problem} A package holds no pictures and models ({names}): choose columns without them in "
    "the settings."
)

Members = Mapping[str, bytes]
"""Content of files by their names in an archive."""


@dataclass(frozen=True, slots=True)
class Platform:
    """Platform for which packages are written.

    `members` makes a package of an engine and references, `dry_run` tries it, `check` tells what
    the platform refuses, and `reason` why the evaluation is done as it is. `require` raises
    UsageError for references that the platform cannot take, before the engine is packed.
    """

    title: str
    members: Callable[[PackageSource, PackageSettings, Members, Members], dict[str, bytes]]
    dry_run: Callable[[Attempted], DryRun]
    check: Callable[[Path], tuple[Defect, ...]] | None = None
    reason: Callable[[PackageSettings], str] = lambda _: ""
    require: Callable[[PackageSource], object] = lambda _: None


@dataclass(frozen=True, slots=True)
class Attempted:
    """Package that a dry run tries, with what it was made from."""

    source: PackageSource
    settings: PackageSettings
    engine: Members
    references: Members
    members: Members
    run: Run

    def run_dry(self, score: Score) -> DryRun:
        """Try a program with the systems, and with what the competition refuses itself."""
        source = self.source
        refused = (one for one in DAMAGED.items() if self._refuses(one[1]))
        damaged = dict(islice(refused, LEAST_DAMAGED))
        return run_dry(score, source.systems, source.wanted, self.run, damaged)

    def _refuses(self, content: bytes) -> bool:
        """Return whether a submission is an error: an empty list of keyword spotting is none."""
        readers, source = self.source.task.readers, self.source
        references = readers.read_references(source.inputs, source.options, self.run)
        if references.data is None:
            return True
        with tempfile.TemporaryDirectory(prefix="jurydesk-dry-") as folder:
            path = Path(folder) / "entry"
            path.write_bytes(content)
            found = readers.read_submission(path, references.data, source.options, self.run)
        return found.data is None or has_errors(found.defects)


def _try_codabench(tried: Attempted) -> DryRun:
    with installed_program(tried.engine, tried.references) as score:
        return tried.run_dry(score)


def _try_evalai(tried: Attempted) -> DryRun:
    source = tried.source
    with evalai_program(source, tried.settings, tried.engine, tried.references) as score:
        return tried.run_dry(score)


def _try_kaggle(tried: Attempted) -> DryRun:
    return try_metric(tried.source, tried.engine, tried.members)


PLATFORMS = {
    "codabench": Platform("Codabench", codabench_members, _try_codabench, check_codabench),
    "evalai": Platform("EvalAI", evalai_members, _try_evalai, check_evalai, evaluation_reason),
    "kaggle": Platform("Kaggle", kaggle_members, _try_kaggle, require=split_references),
}


@dataclass(frozen=True, slots=True)
class Package:
    """Package with the outcome of its dry run; empty `content` if that failed."""

    content: bytes
    dry_run: DryRun
    summary: str
    remarks: tuple[str, ...]


def make_package(
    desk: Desk, task: AnyTask, platform: Platform, settings: PackageSettings, run: Run
) -> Package:
    """Make the package of a desk for a platform, and try it.

    Raises UsageError where none can be made, DeskError if an input is missing, and Cancelled.
    """
    source = read_package_source(desk, task, settings, run)
    platform.require(source)
    title = settings.title or source.title
    references = reference_members(source, title)
    first = next(iter(source.systems.values()))
    try:
        trial = Trial(references, first.path)
        engine = engine_members(settings.docker_image, trial, source.index)
    except UsageError as problem:
        raise UsageError(_with_reason(str(problem), source)) from problem
    members = platform.members(source, settings, engine, references)
    outcome = platform.dry_run(Attempted(source, settings, engine, references, members, run))
    if outcome.problem:
        outcome = replace(outcome, problem=_with_reason(outcome.problem, source))
        return Package(b"", outcome, outcome.problem, ())
    systems = counted(len(source.systems), "system")
    summary = Message(DRY_RUN).format(runs=outcome.runs, systems=systems)
    reason = platform.reason(settings)
    remarks = (*filter(None, [reason]), *_remarks(source, settings))
    parts = [members.get("README.md", b"").decode(), *remarks, summary]
    members["README.md"] = ("\n".join(parts).lstrip() + "\n").encode()
    return Package(zip_members(members), outcome, summary, remarks)


def _with_reason(problem: str, source: PackageSource) -> str:
    """Return why a package fails, and that it lacks pictures and models, if that may be why."""
    left = left_out(source)
    return fill(NEEDS_MORE, problem, name_list(left)) if left else problem


def _remarks(source: PackageSource, settings: PackageSettings) -> Iterator[str]:
    if source.kit is None:
        yield translatable("The bundle has no starting kit: the competition has no checker.")
    if left := left_out(source):
        yield fill("The package has no pictures and models: {names} left out.", name_list(left))
    if source.other_metrics:
        names = name_list(source.other_metrics)
        yield fill("Metrics without a column: {names}. The setting columns chooses them.", names)
    if not settings.terms:
        yield translatable("The terms are empty: write them in the settings.")


def read_package_source(
    desk: Desk, task: AnyTask, settings: PackageSettings, run: Run
) -> PackageSource:
    """Return what a package is made from: the systems of the desk's first profile.

    Those under other rules than the board's are left out. Raises UsageError without one, and
    DeskError if an input is missing or has changed.
    """
    every = desk.evaluations()
    summaries = [one for one in every if one.profile == every[0].profile]
    if not summaries:
        raise UsageError(translatable("The dry run needs a scored system in the desk."))
    summaries = [row.summary for row in make_leaderboard(task, summaries).rows]
    metrics, others = _metrics(task, summaries, settings)
    inputs: dict[str, list[Path]] = {}
    options: Any = None
    systems: dict[str, ScoredSystem] = {}
    stamps = []
    for one in summaries:
        stamp = require_stamp(desk, one)
        files = stamped_inputs(desk, task, stamp)
        (path,) = files.pop(task.submission_input().role)
        if PARTS in files:
            raise UsageError(fill("{system} has several files; a platform takes one.", one.system))
        inputs, options = files, options_of_stamp(task, stamp)
        values = {score.metric: score.value for score in one.scores}
        systems[one.system] = ScoredSystem(path, values)
        stamps.append(short_stamp(stamp))
    known = desk.competition
    title = known.title if known else task.title
    index = shared_meteor(run).index.path if PARAPHRASES in stamp.resources else None
    kit = _starting_kit(task, title, inputs, options, run)
    digests = frozenset(stamp.resources.values())
    return PackageSource(
        task, options, inputs, metrics, title, systems, stamps, kit, index, digests, others
    )


def _metrics(
    task: AnyTask, summaries: Sequence[Summary], settings: PackageSettings
) -> tuple[list[MetricInfo], list[str]]:
    """Return the metrics that are columns, and the names of those that rank and are none."""
    board = make_leaderboard(task, summaries)
    by_name = {info.name: info for info in board.metrics}
    for name in settings.columns:
        if name not in by_name:
            raise UsageError(fill('The board has no metric "{name}".', name))
    if settings.columns:
        return [by_name[name] for name in settings.columns], []
    undefined = {
        score.metric for one in summaries for score in one.scores if not math.isfinite(score.value)
    }
    ranking = [info for info in board.metrics if info.better != "neither"]
    defined = [info for info in ranking or board.metrics if info.name not in undefined]
    chosen = headline_first(board, defined)[:MOST_COLUMNS]
    return chosen, [info.name for info in ranking if info not in chosen]


def _starting_kit(
    task: AnyTask, title: str, inputs: Inputs, options: Any, run: Run
) -> dict[str, bytes] | None:
    """Return the checker for participants, if the competition has one for such files."""
    redaction = task.submission_checks.redaction
    if redaction is None or not has_page(redaction):
        return None
    references = task.readers.read_references(inputs, options, run)
    try:
        kit = make_kit(task, title, references, options)
    except UsageError:  # lists by overlap
        return None
    return {
        "README.txt": KIT_README.encode(),
        "checker.html": checker_page_bytes(kit, redaction),
        "checker.jurycomp": kit_bytes(kit),
    }
