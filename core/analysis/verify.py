"""Verifying a stamp: find its inputs, score them again, and say what differs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from jurydesk.core.competition.task import Task
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.groups_file import read_groups
from jurydesk.core.model.defects import counted, has_errors, name_list
from jurydesk.core.model.evaluation import Interval, Json, Source
from jurydesk.core.provenance.stamp import Stamp, StampError, short_stamp
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import fingerprint

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

RELATIVE_TOLERANCE = 1e-12
"""Other machines round the last digit of a sum in another way."""

GROUPS = "groups of items"
"""The role of the file of groups, which no competition has."""

MOST_RESAMPLES = 100_000
"""A stamp that asks for more is not honest."""

Kind = Literal["stamp", "input", "resource", "score", "interval", "version", "device", "code"]


@dataclass(frozen=True, slots=True)
class StampDifference:
    """One thing that is not as the stamp says: its kind, its name, and a sentence."""

    kind: Kind
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome: a match has no `differences`; `notes` are about what changed no number.

    Where files, folders or pictures are missing nothing was `compared`: `differences` name them.
    """

    differences: tuple[StampDifference, ...]
    notes: tuple[StampDifference, ...] = ()
    compared: bool = True
    same_code: bool | None = None
    """Whether the same modules computed the numbers; None where stamp or program cannot tell."""

    @property
    def match(self) -> bool:
        """Whether the same inputs give the same numbers."""
        return not self.differences


@dataclass(frozen=True, slots=True)
class LocatedInput:
    """An input, where it is now (None for nowhere), and what is not as it was."""

    source: Source
    path: Path | None
    difference: StampDifference | None


def verify_stamp(
    stamp: Stamp, task: Task[Any, Any, Any], folders: Sequence[Path], run: Run
) -> Verdict:
    """Score the stamp's inputs again and compare.

    Every input is looked for at its own path, then by its bare file name in `folders` (the
    stamp's own folder first). A changed input is scored all the same, so that its effect shows; a
    missing one leaves nothing to compare. Raises StampError where the stamp does not fit the task.
    """
    if stamp.task != task.id:
        raise StampError(f"The stamp is of {stamp.task}, not of {task.id}.")
    options = options_of_stamp(task, stamp)
    located = [locate_input(source, folders, run) for source in _files(stamp)]
    located += [_locate_folder(source, folders) for source in stamp.folders]
    known = {entry.role for entry in task.inputs if entry.kind == "folder"}
    for source in stamp.folders:
        if source.role not in known:
            raise StampError(f"The stamp has a folder {source.role!r}, which {task.id} takes not.")
    differences = [one.difference for one in located if one.difference is not None]
    inputs: dict[str, list[Path]] = {}
    for one in located:
        if one.path is None:
            return Verdict(tuple(differences), compared=False)
        inputs.setdefault(one.source.role, []).append(one.path)
    again = _score_again(stamp, task, inputs, options, run)
    if isinstance(again, StampDifference):
        return Verdict((*differences, again))
    pictures = list(_pictures(stamp.pictures, again.pictures))
    if not differences and not stamp.pictures.keys() <= again.pictures.keys():
        return Verdict(tuple(pictures), compared=False)
    differences += pictures
    differences += _resources(stamp.resources, again.resources)
    differences += _contradictions(stamp, again)
    differences += _scores(stamp, again)
    same_code = stamp.code == again.code if stamp.code and again.code else None
    return Verdict(tuple(differences), tuple(_notes(stamp, again)), same_code=same_code)


def _files(stamp: Stamp) -> tuple[Source, ...]:
    """Return the stamp's input files, and that of its groups under a role of its own."""
    if stamp.groups is None:
        return stamp.inputs
    return (*stamp.inputs, replace(stamp.groups, role=GROUPS))


def options_of_stamp(task: Task[Any, Any, Any], stamp: Stamp) -> Any:
    """The stamp's options as the task's own; StampError where it has no such option or value."""
    return make_options(task, stamp.options)


def make_options(task: Task[Any, Any, Any], options: Mapping[str, Json]) -> Any:
    """Make the task's options from those that a stamp or a job holds; raises StampError."""
    known = {entry.name: entry for entry in fields(task.scoring.options)}
    default = task.scoring.options()
    values: dict[str, Json] = {}
    for name, value in options.items():
        if name not in known:
            raise StampError(f"The stamp has an option {name!r}, which {task.id} does not know.")
        value = tuple(value) if isinstance(value, list) else value
        choices = known[name].metadata.get("choices", ())
        if choices and value not in choices:
            allowed = ", ".join(map(str, choices))
            raise StampError(f"The stamp's option {name} is {value!r}; it can be {allowed}.")
        if not _fits(value, getattr(default, name)):
            raise StampError(f"The stamp's option {name} is {value!r}, which it cannot be.")
        values[name] = value
    return task.scoring.options(**values)


def _fits(value: Json, default: Any) -> bool:
    """Whether the value is of its default's kind; a default of None says nothing."""
    if default is None or type(value) is type(default):
        return True
    return type(default) is float and type(value) is int


def locate_input(source: Source, folders: Sequence[Path], run: Run) -> LocatedInput:
    """The file with the right content, else the first of its name, else the news that none is."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if not source.sha256:
        sentence = f"{name} was no regular file when it was scored; it cannot be verified."
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    changed: tuple[Path, str] | None = None
    refusal = ""
    for path in (Path(source.path), *(folder / name for folder in folders)):
        run.check()
        # A stamp is foreign data: what it names is hashed only where it is a file.
        try:
            sha256 = fingerprint(path, run.check).sha256 if path.is_file() else ""
        except OSError as fault:
            refusal = refusal or f"{path} cannot be read: {fault.strerror or fault}."
            continue
        if sha256 == source.sha256:
            return LocatedInput(source, path, None)
        if sha256 and changed is None:
            changed = (path, sha256)
    if changed is None and refusal:
        return LocatedInput(source, None, StampDifference("input", name, refusal))
    if changed is None:
        places = dict.fromkeys([source.path.removesuffix(name), *map(str, folders)])
        where = ", ".join(places)
        sentence = f"{name} is missing: looked in {where}. Name its folder with --inputs FOLDER."
        return LocatedInput(source, None, StampDifference("input", name, sentence))
    path, sha256 = changed
    sentence = f"{name} changed: its SHA-256 is {sha256[:12]}, the stamp has {source.sha256[:12]}."
    return LocatedInput(source, path, StampDifference("input", name, sentence))


def _locate_folder(source: Source, folders: Sequence[Path]) -> LocatedInput:
    """A folder of pictures where it was, or of its name elsewhere; else the news that none is."""
    name = source.path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    places = [Path(source.path), *(folder / name for folder in folders)]
    found = next((place for place in places if place.is_dir()), None)
    if found is not None:
        return LocatedInput(source, found, None)
    where = ", ".join(dict.fromkeys(map(str, places)))
    sentence = (
        f"The folder {name} is missing: looked for {where}. "
        "Name the folder that holds it with --inputs FOLDER."
    )
    return LocatedInput(source, None, StampDifference("input", name, sentence))


def _pictures(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[StampDifference]:
    """The pictures that are not as the stamp says: a line for each kind of change."""
    changed = [name for name in then if name in now and then[name] != now[name]]
    kinds = (
        ("changed since", changed),
        ("not found any more", [name for name in then if name not in now]),
        ("not in the stamp", [name for name in now if name not in then]),
    )
    for what, names in kinds:
        if names:
            told = f"{counted(len(names), 'picture')} {what}: {name_list(names)}."
            yield StampDifference("input", names[0], told)


def _score_again(
    stamp: Stamp,
    task: Task[Any, Any, Any],
    inputs: Mapping[str, Sequence[Path]],
    options: Any,
    run: Run,
) -> Stamp | StampDifference:
    resamples, seed = stamp.seeds["resamples"], stamp.seeds["bootstrap"]
    if not 0 <= resamples <= MOST_RESAMPLES or seed < 0:
        raise StampError(f"The stamp asks for {resamples:,} resamples with the seed {seed}.")
    inputs = dict(inputs)
    labels = read_groups(inputs.pop(GROUPS)[0]) if stamp.groups is not None else {}
    try:
        inference = replace(Inference.of_policies(stamp.policies, labels), source=stamp.groups)
    except ValueError as fault:
        raise StampError(str(fault)) from fault
    result = score_submissions(
        task, inputs, options, run, resamples=resamples, seed=seed, inference=inference
    )
    for evaluation in result.evaluations:
        return Stamp.from_json(evaluation.stamp)
    worst = next(one for one in result.defects if has_errors([one]))
    sentence = f"The inputs cannot be scored any more. {worst.place}: {worst.found}"
    return StampDifference("input", str(worst.place), sentence)


def _resources(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[StampDifference]:
    for name in sorted({*then, *now}):
        before, after = then.get(name, "")[:12], now.get(name, "")[:12]
        if then.get(name) != now.get(name):
            sentence = f"{name} has SHA-256 {after or 'none'} here, the stamp {before or 'none'}."
            yield StampDifference("resource", name, sentence)


def _contradictions(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    """The fields of a stamp that its others do not allow."""
    if stamp.short_form and stamp.short_form != short_stamp(stamp):
        told = f"The stamp's short form is not that of its fields: {short_stamp(stamp)}."
        yield StampDifference("stamp", "short", told)
    chosen = stamp.options.get("profile", stamp.profile)
    for profile in dict.fromkeys((again.profile, chosen)):
        if profile != stamp.profile:
            told = f"The stamp's profile is {stamp.profile}, by its options {profile}."
            yield StampDifference("stamp", "profile", told)
    for part, then, now in (
        ("setting", stamp.settings, again.settings),
        ("policy", stamp.policies, again.policies),
    ):
        for name in sorted({*then, *now}):
            if then.get(name) == now.get(name) or (name not in then and _is_older(stamp, again)):
                continue
            there, here = then.get(name, "missing"), now.get(name, "missing")
            told = f"The stamp's {part} {name} is {there}; its options give {here}."
            yield StampDifference("stamp", name, told)


def _is_older(stamp: Stamp, again: Stamp) -> bool:
    """Whether another version made the stamp, which may say less than this one."""
    return stamp.versions.get("jurydesk") != again.versions.get("jurydesk")


def _scores(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    now = {score.metric: score for score in again.scores}
    for before in stamp.scores:
        after = now.pop(before.metric, None)
        if after is None:
            yield _score_difference(before.metric, f"{before.value!r} in the stamp, not given now")
        elif not _same(before.value, after.value):
            yield _score_difference(
                before.metric, f"{after.value!r} now, {before.value!r} in the stamp"
            )
        elif before.n != after.n:
            yield _score_difference(
                before.metric, f"over {after.n:,} items now, over {before.n:,} in the stamp"
            )
        elif not _same(before.std, after.std):
            yield _score_difference(
                before.metric,
                f"standard deviation {after.std!r} now, {before.std!r} in the stamp",
            )
        elif before.interval is None and after.interval is not None:
            if not _is_older(stamp, again):
                text = "it has an interval now, and none in the stamp"
                yield _score_difference(before.metric, text, "interval")
        elif before.interval is not None and after.interval is None:
            text = "it has an interval in the stamp, and none now"
            yield _score_difference(before.metric, text, "interval")
        elif before.interval is not None and after.interval is not None:
            if _how(before.interval) != _how(after.interval) and not _is_older(stamp, again):
                text = (
                    f"interval by {_how(after.interval)} now, {_how(before.interval)} in the stamp"
                )
                yield _score_difference(before.metric, text, "interval")
            elif not all(map(_same, _limits(before.interval), _limits(after.interval))):
                limits, now_limits = _limits(before.interval), _limits(after.interval)
                text = f"interval {now_limits} now, {limits} in the stamp"
                yield _score_difference(before.metric, text, "interval")
    for name in now:
        yield _score_difference(name, f"{now[name].value!r} now, not in the stamp")


def _score_difference(metric: str, text: str, kind: Kind = "score") -> StampDifference:
    return StampDifference(kind, metric, f"{metric}: {text}.")


def _limits(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _how(interval: Interval) -> str:
    return f"{interval.method} at {interval.level:g}"


def _same(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-15)


def _notes(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    for name, now in again.versions.items():
        then = stamp.versions.get(name, "unknown")
        if then != now:
            yield StampDifference("version", name, f"{name} is {now} here, {then} in the stamp.")
    if stamp.device != again.device:
        sentence = f"Computed on {again.device} here, on {stamp.device} in the stamp."
        yield StampDifference("device", "device", sentence)
