"""Functions to score, check, open and compare, with the workflow of the command line."""

from __future__ import annotations

import difflib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.analysis.comparison.pairwise import compare_systems
from jurydesk.core.analysis.contradictions import contradictions
from jurydesk.core.analysis.equal_rules import comparison_refusal
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.leaderboard_table import shown_metrics
from jurydesk.core.analysis.significance.leaderboard_significance import load_entrants
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.task import AnyTask, Input
from jurydesk.core.competition.task_registry import describe_unknown, find_competition, registry
from jurydesk.core.desk import Desk, summarize
from jurydesk.core.desk.hidden_scores import hidden_since
from jurydesk.core.desk.inference_settings import load_inference
from jurydesk.core.desk.item_queries import declared_metrics, load_item_columns, load_stamps
from jurydesk.core.execution.groups_file import (
    describe_missing_groups,
    inference_from_values,
    require_groups,
)
from jurydesk.core.execution.run import Run
from jurydesk.core.export.export_settings import make_origin
from jurydesk.core.export.pairwise_export import COMPARISON, comparison_values
from jurydesk.core.language import counted
from jurydesk.core.library.metric_arguments import describe_type, id_text
from jurydesk.core.library.results import Defects, FilesError, PairedComparison, Result, System
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import (
    ArgumentError,
    Evaluation,
    InputError,
    Json,
    MetricInfo,
    Passage,
    UsageError,
)
from jurydesk.core.model.input_file import paths_by_role
from jurydesk.core.model.options import choose_places
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import absolute_path
from jurydesk.core.workflow.files import explicit_files
from jurydesk.core.workflow.score import (
    CompetitionFiles,
    ScoringOutcome,
    check_competition,
    score_competition,
)
from jurydesk.core.workflow.target_desk import target_desk

if TYPE_CHECKING:
    from jurydesk.core.desk import Summary
    from jurydesk.core.execution.progress import Progress

AnyPath = str | os.PathLike[str]
AnyGroups = AnyPath | Mapping[str, str]
"""A file of groups, or the group of each item."""
ProgressCallback = Callable[[str, int, int], None]
"""Callback for progress: the current step, the amount done, and the total (0: unknown)."""


@contextmanager
def _asks_for_input() -> Iterator[None]:
    """Raise InputError in the place of a request that the workflow does not take."""
    try:
        yield
    except InputError:
        raise
    except UsageError as fault:
        raise ArgumentError(*fault.args) from fault


@_asks_for_input()
def score(
    task: str,
    /,
    *,
    names: Sequence[str] = (),
    desk: AnyPath | None = None,
    device: str = "auto",
    jobs: int | None = None,
    groups: AnyGroups | None = None,
    interval: str | None = None,
    rank_by: str | None = None,
    refuse: bool = True,
    progress: ProgressCallback | None = None,
    **arguments: Any,
) -> Result:
    """Score the submissions of a competition.

    `task` is its id, such as `"vist"`. `arguments` are those of `jurydesk score TASK`, with `_`
    for `-`: files by their role (`references="gold.json"`, `submission=["a.json", "b.json"]`) and
    options (`profile="corrected"`). `names` are the systems' names in the order of their files.
    With `desk` the results are also stored in that desk file. `groups`, `interval`, `rank_by`,
    `device` and `jobs` are those of the command line; `groups` may be a dictionary of items, too.
    With `refuse` False, files with errors are left out of the result instead of raising.

    Raises InputError if files have errors or for an unknown argument or value, and
    ResourceMissing if no metric can be computed. An interruption leaves no damaged file.
    """
    declared = _task(task)
    options = _options(declared, arguments)
    path = None if desk is None else Path(desk)
    competition = _competition(declared, options, path, names, arguments)
    if rank_by and _metric(declared, rank_by).better == "neither":
        raise ArgumentError(f"{declared.metric(rank_by).title} is a count and ranks no systems.")
    title = declared.readers.title(paths_by_role(competition.files))
    with (
        target_desk(path, declared, options, title) as opened,
        _run(device, jobs, progress) as run,
    ):
        if opened is not None:
            run.cache = opened.cache
        base = load_inference(opened) if opened is not None else Inference()
        has_choice = groups is not None or bool(interval) or bool(rank_by)
        values = {"interval": interval, "rank_by": rank_by}
        inference = _inference(groups, values, base) if has_choice else None
        if inference is not None:
            competition = replace(competition, inference=inference)
        outcome = score_competition(competition, run)
    result = _result(declared, options, outcome, rank_by or base.rank_by)
    if has_errors(outcome.defects) and (refuse or not len(result)):
        raise FilesError(outcome.defects, result if len(result) else None)
    return result


@_asks_for_input()
def check(task: str, /, **arguments: Any) -> Defects:
    """Return every defect of the files of a competition, without scoring.

    The arguments are those of `score`. Raises InputError for an unknown one.
    """
    declared = _task(task)
    options = _options(declared, arguments)
    names = arguments.pop("names", ())
    with _run("auto", None, None) as run:
        outcome = check_competition(_competition(declared, options, None, names, arguments), run)
    return Defects(outcome.defects)


@_asks_for_input()
def open(desk: AnyPath, /, *, profile: str | None = None, reveal: bool = False) -> Result:
    """Return the results in a desk file, without writing to it.

    `profile` selects one of several profiles; without it the first is used. Raises InputError if
    the desk hides its scores, unless `reveal` is set, and DeskError if the file is not a desk.
    """
    path = Path(desk)
    with Desk.open(path, read_only=True) as opened:
        declared = _require_visible(opened, path, reveal=reveal)
        summaries = _select_profile(opened.evaluations(), profile)
        _warn_of_contradictions(opened, declared, summaries)
        systems = [_stored_system(opened, path, one) for one in summaries]
        defects = [one for record in opened.check_records() for one in record.defects.all]
        sources = tuple(entry.source for entry in opened.inputs())
        rank_by = load_inference(opened).rank_by
    known = tuple(dict.fromkeys(defects))
    return Result(declared, systems, known, sources=sources, rank_by=rank_by)


@_asks_for_input()
def compare(
    results: Result | AnyPath,
    first: str,
    second: str,
    /,
    *,
    metric: str | Sequence[str] = (),
    profile: str | None = None,
    groups: AnyGroups | None = None,
    interval: str | None = None,
    correction: str | None = None,
    reveal: bool = False,
) -> PairedComparison:
    """Compare two systems item by item, with significance tests.

    `results` is what `score` or `open` returned, or a desk file. `metric` names one or more
    metrics; without it all headline metrics are compared. Raises InputError for unknown names.
    """
    values = {"interval": interval, "correction": correction}
    metrics = (metric,) if isinstance(metric, str) else tuple(metric)
    if isinstance(results, Result):
        evaluations = (one.evaluation for one in results.systems)
        declared = with_metrics(
            _task(results.task), (info for one in evaluations for info in one.metrics)
        )
        load_pair: Callable[[MetricInfo], list[Entrant]] = partial(
            _entrants, results, (first, second)
        )
        summaries = [summarize(one.evaluation) for one in results.systems]
        _require_equal_rules(declared, summaries, (first, second))
        inference = replace(_inference(groups, values, Inference()), rank_by=results.rank_by)
        stamps = {one.name: one.evaluation.stamp for one in results.systems}
        return _compare(declared, summaries, (first, second), metrics, load_pair, inference, stamps)
    path = Path(results)
    with Desk.open(path, read_only=True) as opened:
        declared = _require_visible(opened, path, reveal=reveal)
        summaries = _select_profile(opened.evaluations(), profile)
        pair = _require_equal_rules(declared, summaries, (first, second))
        _warn_of_contradictions(opened, declared, pair)
        load_pair = partial(_stored_entrants, opened, declared, pair)
        inference, known = (
            _inference(groups, values, load_inference(opened)),
            load_stamps(opened),
        )
        stamps = {one.system: known.get(one.id) for one in pair}
        return _compare(declared, summaries, (first, second), metrics, load_pair, inference, stamps)


def tasks() -> tuple[str, ...]:
    """Return the ids of all competitions, including those of installed packages."""
    return tuple(registry().tasks)


def _warn_of_contradictions(desk: Desk, task: AnyTask, summaries: Sequence[Summary]) -> None:
    """Warn the caller of a public function of scores that their items or stamps do not give."""
    for _, sentence in contradictions(desk, task, summaries):
        warnings.warn(str(sentence), stacklevel=4)  # past the decorator of the public function


def _require_equal_rules(
    task: AnyTask, summaries: Sequence[Summary], names: Sequence[str]
) -> list[Summary]:
    """Return the evaluations of two systems; raise InputError if their rules differ."""
    pair = [one for name in names for one in summaries if one.system == name]
    if refusal := comparison_refusal(task, pair):
        raise ArgumentError(refusal)
    return pair


def _compare(
    task: AnyTask,
    summaries: Sequence[Summary],
    pair: tuple[str, str],
    metrics: Sequence[str],
    load_pair: Callable[[MetricInfo], list[Entrant]],
    inference: Inference,
    stamps: Mapping[str, Json],
) -> PairedComparison:
    known = [one.system for one in summaries]
    for name in pair:
        if name not in known:
            raise ArgumentError(f'There is no system "{name}". {_suggest(name, known)}')
    if pair[0] == pair[1]:
        raise ArgumentError(f'"{pair[0]}" and "{pair[1]}" are the same system: give two systems.')
    infos = [_metric(task, name) for name in metrics]
    if not infos:
        infos = shown_metrics(make_leaderboard(task, summaries, rank_by=inference.rank_by))
    profile = summaries[0].profile
    loaded = [(info, load_pair(info)) for info in infos]
    ids = [key for _, both in loaded for one in both for key in one.items.ids]
    require_groups(inference, ids)
    if lacking := describe_missing_groups(inference, ids, task.item_noun):
        warnings.warn(str(lacking), stacklevel=3)
    with Run() as run:
        found = [
            compare_systems(task, info, profile, both[0], both[1], run, inference=inference)
            for info, both in loaded
            if len(both) == len(pair)
        ]
    origin = make_origin(
        *(COMPARISON, task.id, [stamps.get(name) for name in pair], inference),
        **comparison_values(profile, pair, found, None),
    )
    return PairedComparison(task.id, profile, pair, tuple(found), origin)


def _entrants(results: Result, pair: tuple[str, str], info: MetricInfo) -> list[Entrant]:
    both = [results[name] for name in pair]
    return [
        Entrant(one.name, one.scores[info.name], one.evaluation.items)
        for one in both
        if info.name in one.scores
    ]


def _stored_entrants(
    desk: Desk, task: AnyTask, pair: Sequence[Summary], info: MetricInfo
) -> list[Entrant]:
    return load_entrants(desk, task, info, pair) or [
        Entrant(one.system, score.value, load_item_columns(desk, one.id))
        for one in pair
        for score in one.scores
        if score.metric == info.name
    ]


def _inference(
    groups: AnyGroups | None, values: Mapping[str, str | None], base: Inference
) -> Inference:
    if isinstance(groups, Mapping):
        labels = {id_text(item, "item"): str(group) for item, group in groups.items()}
        if not labels:
            raise ArgumentError("groups assigns no item to a group.")
        chosen = inference_from_values(values, base)
        return replace(chosen, grouped=True, labels=labels, source=None)
    if groups is not None and not isinstance(groups, str | os.PathLike):
        raise ArgumentError(
            f"groups is {describe_type(groups)}; a path or a dictionary of items is expected."
        )
    return inference_from_values({**values, "groups": groups and str(groups)}, base)


def _metric(task: AnyTask, name: str) -> MetricInfo:
    try:
        return task.metric(name)
    except KeyError:
        known = [info.name for info in task.scoring.metrics]
        raise ArgumentError(
            f'{task.title} has no metric "{name}". {_suggest(name, known)}'
        ) from None


def _task(name: str) -> AnyTask:
    found = find_competition(name)
    if found is None:
        raise ArgumentError(f"{describe_unknown(name)} {_suggest(name, tasks())}")
    return found


def _suggest(name: str, known: Sequence[str]) -> str:
    similar = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if similar:
        return f"Did you mean {similar[0]}?"
    return f"Available: {', '.join(known)}." if known else "There is none."


def _options(task: AnyTask, arguments: Mapping[str, Any]) -> Any:
    """Return the options of the competition; raise InputError for an unknown argument or value."""
    declared = {entry.name: entry for entry in fields(task.scoring.options)}
    roles = [_argument(entry) for entry in task.inputs]
    for name in arguments:
        if name not in declared and name not in roles and name != "names":
            advice = _suggest(name, [*roles, *declared])
            raise ArgumentError(f'{task.title} takes no argument "{name}". {advice}')
    chosen = {}
    for name, entry in declared.items():
        if name in arguments:
            value, choices = arguments[name], entry.metadata.get("choices", ())
            if isinstance(entry.default, str) and not isinstance(value, str):
                value = _listed_text(name, value)
            if choices and value not in choices:
                known = ", ".join(map(repr, choices))
                raise ArgumentError(f"{name}={value!r} is not one of the choices: {known}.")
            chosen[name] = tuple(value) if isinstance(value, list) else value
    choose_places(chosen, task.scoring.options)
    return task.scoring.options(**chosen)


def _listed_text(name: str, value: object) -> str:
    """Return the texts of a list as an option has them, with commas between them."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise ArgumentError(f"{name} is {describe_type(value)}; a text is expected.")
    return ",".join(value)


def _paths(name: str, given: Any) -> list[Path]:
    """Return the paths of an argument: one, or several."""
    if given is None:
        return []
    several = [given] if isinstance(given, str | os.PathLike) else given
    if isinstance(several, Mapping) or not isinstance(several, Iterable):
        raise ArgumentError(f"{name} is {describe_type(given)}; the path of a file is expected.")
    paths = list(several)
    if not all(isinstance(one, str | os.PathLike) for one in paths):
        raise ArgumentError(
            f"{name} is {describe_type(paths)}; paths of files are expected: write it to a file."
        )
    return list(map(Path, paths))


def _argument(entry: Input) -> str:
    return entry.role.replace("-", "_")


def _competition(
    task: AnyTask,
    options: Any,
    desk: Path | None,
    names: Sequence[str],
    arguments: Mapping[str, Any],
) -> CompetitionFiles:
    inputs: dict[str, Sequence[Path]] = {}
    for entry in task.inputs:
        paths = _paths(_argument(entry), arguments.get(_argument(entry)))
        if len(paths) > 1 and not (entry.many or entry.kind == "submission"):
            raise ArgumentError(f"{_argument(entry)} takes one file, but {len(paths)} were given.")
        if not paths and (entry.required or entry.kind == "submission"):
            raise ArgumentError(f"{task.title} needs {_argument(entry)}=FILE: {entry.label}.")
        if paths:
            inputs[entry.role] = tuple(paths)
    count = len(set(map(absolute_path, inputs[task.submission_input().role])))
    if names and len(names) != count:
        given = f"{counted(len(names), 'name')} for {counted(count, 'submission')}"
        raise ArgumentError(f"There are {given}: give one for each.")
    return CompetitionFiles(desk, task, explicit_files(task, inputs, names), options)


@contextmanager
def _run(device: str, jobs: int | None, show: ProgressCallback | None) -> Iterator[Run]:
    def report(progress: Progress) -> None:
        if show is not None:
            show(progress.text, progress.done, progress.total)

    with Run(progress=report if show else None, device=device, jobs=jobs) as run:
        yield run


def _result(task: AnyTask, options: Any, outcome: ScoringOutcome, rank_by: str) -> Result:
    found = outcome.result
    systems = [_scored_system(one) for one in found.evaluations]
    refused = [
        (entry.system, options.profile, entry.defects)
        for entry in found.entries
        if entry.evaluation is None
    ]
    task = with_metrics(task, (info for one in found.evaluations for info in one.metrics))
    return Result(
        task, systems, outcome.defects, refused, found.reference_defects, found.sources, rank_by
    )


def _scored_system(evaluation: Evaluation) -> System:
    def explain(number: int) -> Sequence[Passage]:
        return _task(evaluation.task).explain(evaluation.items.show(number))

    return System(evaluation, explain, evaluation.system)


def _stored_system(desk: Desk, path: Path, summary: Summary) -> System:
    evaluation = desk.load(summary.id)
    items = replace(evaluation.items, evidence=None)

    def explain(number: int) -> Sequence[Passage]:
        with Desk.open(path, read_only=True) as reopened:
            stored = reopened.load(summary.id)
            return _task(stored.task).explain(stored.items.show(number))

    return System(replace(evaluation, items=items), explain, evaluation.system)


def _require_visible(desk: Desk, path: Path, *, reveal: bool) -> AnyTask:
    competition = desk.competition
    if competition is None:
        raise ArgumentError(f"{path} holds no competition yet.")
    if hidden_since(desk) and not reveal:
        raise ArgumentError(f"The scores in {path} are hidden: reveal=True shows them.")
    return with_metrics(_task(competition.task_id), declared_metrics(desk))


def _select_profile(summaries: Sequence[Summary], profile: str | None) -> list[Summary]:
    profiles = list(dict.fromkeys(one.profile for one in summaries))
    chosen = profile or next(iter(profiles), "")
    if profile is not None and profile not in profiles:
        known = ", ".join(profiles) or "none"
        raise ArgumentError(
            f'No system was scored with the profile "{profile}". Available: {known}.'
        )
    return [one for one in summaries if one.profile == chosen]
