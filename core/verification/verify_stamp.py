"""Verification of a stamp: score its inputs again and compare."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.competition.task import Task
from jurydesk.core.desk.tables.input_table import stamped_part
from jurydesk.core.execution.engine import CompetitionResult, score_submissions
from jurydesk.core.execution.groups_file import OWN_ROLE, read_groups
from jurydesk.core.execution.stamped_files import (
    Kind,
    StampDifference,
    locate_folder,
    locate_input,
)
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation, Interval, Source
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.stamp import Stamp, StampError, is_added, short_stamp, without_added
from jurydesk.core.model.system_names import possible_names
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.system.paths import fingerprint
from jurydesk.core.verification.scored_before import ScoredBefore, scoring_key

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

RELATIVE_TOLERANCE = 1e-12
"""Machines round the last digit of a sum differently."""
ABSOLUTE_TOLERANCE = 1e-15

GROUPS = "groups of items"
"""Role of the file of groups among inputs; no competition has this role."""

MAX_RESAMPLES = 100_000
"""Larger values in a stamp are refused."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a verification: `differences` (empty for a match) and `notes`.

    Notes are what the stamp says and scoring again cannot confirm: versions, the machine, a name.
    If files, folders or pictures are missing, `compared` is False and `differences` name them.
    """

    differences: tuple[StampDifference, ...]
    notes: tuple[StampDifference, ...] = ()
    compared: bool = True
    same_code: bool | None = None
    """True if the same modules computed the numbers; None if unknown."""
    evaluation: Evaluation | None = field(default=None, compare=False, repr=False)
    """Result of scoring again, if the inputs could be scored."""
    reference_defects: tuple[Defect, ...] = field(default=(), compare=False, repr=False)

    @property
    def match(self) -> bool:
        """True if the same inputs give the same numbers."""
        return not self.differences

    @property
    def is_whole(self) -> bool:
        """True if everything that the stamp says was confirmed, but for its time."""
        return self.match and not self.notes


def verify_stamp(
    stamp: Stamp,
    task: Task[Any, Any, Any],
    folders: Sequence[Path],
    run: Run,
    before: ScoredBefore | None = None,
) -> Verdict:
    """Score the stamp's inputs again and compare; a file of several systems once, with `before`.

    Each input is searched for at its own path, then by file name in `folders` (the stamp's folder
    first). A changed input is scored, so that its effect shows; if one is missing, nothing is
    compared. Raises StampError if the stamp does not fit the task.
    """
    if stamp.task != task.id:
        raise StampError(fill("The stamp is for {task}, not for {id}.", stamp.task, task.id))
    added = [info for info in stamp.metrics if is_added(info)]
    stamp = without_added(stamp)
    options = options_of_stamp(task, stamp)
    _check_roles(stamp, task)
    located = [locate_input(source, folders, run) for source in _files(stamp)]
    located += [locate_folder(source, folders) for source in stamp.folders]
    differences = [one.difference for one in located if one.difference is not None]
    inputs: dict[str, list[Path]] = {}
    for one in located:
        if one.path is None:
            return Verdict(tuple(differences), compared=False)
        inputs.setdefault(one.source.role, []).append(one.path)
    scored = _score_again(stamp, task, inputs, options, run, before or ScoredBefore())
    if isinstance(scored, StampDifference):
        return Verdict((*differences, scored))
    evaluation = next(one for one in scored.evaluations if stamped_part(one.stamp) == stamp.part)
    again = Stamp.from_json(evaluation.stamp)
    pictures = list(_pictures(stamp.pictures, again.pictures))
    if not differences and not stamp.pictures.keys() <= again.pictures.keys():
        return Verdict(tuple(pictures), compared=False)
    differences += pictures
    differences += _resources(stamp.resources, again.resources)
    differences += _sizes(stamp, again, inputs.get(GROUPS, []))
    differences += _contradictions(stamp, again)
    differences += _scores(stamp, again)
    same_code = stamp.code == again.code if stamp.code and again.code else None
    notes = [*version_notes(stamp.versions, again.versions, stamp.device, again.device)]
    notes += code_notes(stamp.code, again.code)
    notes += _name_notes(stamp, again)
    notes += [
        StampDifference("score", info.name, fill("{metric} was {source}.", info.name, info.source))
        for info in added
    ]
    return Verdict(
        tuple(differences),
        tuple(notes),
        same_code=same_code,
        evaluation=evaluation,
        reference_defects=scored.reference_defects,
    )


def _check_roles(stamp: Stamp, task: Task[Any, Any, Any]) -> None:
    """Raise StampError unless the stamp has the inputs that the task takes."""
    submission = task.submission_input().role
    others = {one.role for one in task.inputs if one.role != submission}
    folders = {one.role for one in task.inputs if one.kind == "folder"}
    given = (
        *((one, others) for one in stamp.references),
        (stamp.submission, {submission}),
        *((one, folders) for one in stamp.folders),
        *((one, {OWN_ROLE}) for one in (stamp.groups,) if one is not None),
    )
    for source, roles in given:
        if source.role not in roles:
            raise StampError(
                fill(
                    "The stamp has an input {role}, which {id} does not take.",
                    repr(source.role),
                    task.id,
                )
            )
    present = {source.role for source, _ in given}
    for entry in task.inputs:
        if entry.required and entry.role not in present:
            raise StampError(
                fill("The stamp lacks the input {role} of {id}.", repr(entry.role), task.id)
            )


def _files(stamp: Stamp) -> tuple[Source, ...]:
    """Return the stamp's input files, including that of its groups."""
    if stamp.groups is None:
        return stamp.inputs
    return (*stamp.inputs, replace(stamp.groups, role=GROUPS))


def _pictures(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[StampDifference]:
    """Yield the pictures that differ from the stamp, one line per kind of change."""
    changed = [name for name in then if name in now and then[name] != now[name]]
    kinds = (
        (translatable("changed since"), changed),
        (translatable("no longer found"), [name for name in then if name not in now]),
        (translatable("not in the stamp"), [name for name in now if name not in then]),
    )
    for change, names in kinds:
        if names:
            sentence = fill(
                "{pictures} {change}: {names}.",
                counted(len(names), "picture"),
                change,
                name_list(names),
            )
            yield StampDifference("input", names[0], sentence)


def _score_again(
    stamp: Stamp,
    task: Task[Any, Any, Any],
    inputs: Mapping[str, Sequence[Path]],
    options: Any,
    run: Run,
    before: ScoredBefore,
) -> CompetitionResult | StampDifference:
    resamples, seed = stamp.seeds["resamples"], stamp.seeds["bootstrap"]
    if not 0 <= resamples <= MAX_RESAMPLES or seed < 0:
        raise StampError(
            fill(
                "The stamp asks for {resamples:,} resamples with the seed {seed}.", resamples, seed
            )
        )
    key = scoring_key(stamp, task, inputs, options)
    inputs = dict(inputs)
    labels = read_groups(inputs.pop(GROUPS)[0]) if stamp.groups is not None else {}
    try:
        inference = replace(Inference.of_policies(stamp.policies, labels), source=stamp.groups)
    except ValueError as error:
        raise StampError(str(error)) from error
    files = files_by_role(inputs)
    result = before.find(key) or score_submissions(
        task, files, options, run, resamples=resamples, seed=seed, inference=inference
    )
    before.keep(key, result)
    if any(stamped_part(one.stamp) == stamp.part for one in result.evaluations):
        return result
    worst = next((one for one in result.defects if has_errors([one])), None)
    if worst is None:
        sentence = fill("The file no longer holds the system {name}.", stamp.part)
        return StampDifference("input", stamp.part, sentence)
    sentence = fill(
        "The inputs can no longer be scored. {place}: {reason}", worst.place, Message(worst.found)
    )
    return StampDifference("input", str(worst.place), sentence)


def _resources(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[StampDifference]:
    for name in sorted({*then, *now}):
        before, after = then.get(name, "")[:12], now.get(name, "")[:12]
        if then.get(name) != now.get(name):
            sentence = fill(
                "{name}: SHA-256 is {value} now, {value2} in the stamp.",
                name,
                after or "missing",
                before or "missing",
            )
            yield StampDifference("resource", name, sentence)


def _contradictions(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    """Yield the fields of a stamp that contradict its other fields."""
    if stamp.short_form and stamp.short_form != short_stamp(stamp):
        sentence = fill(
            "The stamp's short form does not match its fields: {short_stamp}.", short_stamp(stamp)
        )
        yield StampDifference("stamp", "short", sentence)
    chosen = stamp.options.get("profile", stamp.profile)
    for profile in dict.fromkeys((again.profile, chosen)):
        if profile != stamp.profile:
            sentence = fill(
                "The stamp's profile is {profile}; its options give {profile2}.",
                stamp.profile,
                profile,
            )
            yield StampDifference("stamp", "profile", sentence)
    for part, then, now in (
        ("option", stamp.options, again.options),
        ("setting", stamp.settings, again.settings),
        ("policy", stamp.policies, again.policies),
    ):
        for name in sorted({*then, *now}):
            if then.get(name) == now.get(name) or (name not in then and _is_older(stamp, again)):
                continue
            recorded, current = then.get(name, "missing"), now.get(name, "missing")
            sentence = fill(
                "The stamp's {part} {name} is {recorded}; its options give {current}.",
                part,
                name,
                recorded,
                current,
            )
            yield StampDifference("stamp", name, sentence)
    if stamp.metrics != again.metrics:
        sentence = translatable("The stamp declares other metrics than the file gives now.")
        yield StampDifference("stamp", "metrics", sentence)


def _sizes(stamp: Stamp, again: Stamp, groups: Sequence[Path]) -> Iterator[StampDifference]:
    """Yield the files of the same content whose size the stamp has wrong."""
    sizes = {one.sha256: one.size for one in again.inputs}
    sizes |= {one.sha256: one.size for one in map(fingerprint, groups)}
    for one in _files(stamp):
        size = sizes.get(one.sha256, one.size)
        if size != one.size:
            name = re.split(r"[/\\]", one.path)[-1]
            sentence = fill(
                "{name} has {size:,} bytes, {recorded:,} in the stamp.", name, size, one.size
            )
            yield StampDifference("input", name, sentence)


def _name_notes(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    """Yield the name and the place of scoring, if they do not follow from the submission."""
    path = Path(again.submission.path)
    if stamp.system not in possible_names(again.system, path):
        sentence = fill(
            "The name {name} is not in the submission {file}, which is called {own} here.",
            stamp.system,
            path.name,
            again.system,
        )
        yield StampDifference("stamp", "system", sentence)
    if stamp.place != again.place:
        sentence = fill("It was scored on {place}, as the stamp says.", stamp.place)
        yield StampDifference("stamp", "place", sentence)


def code_notes(then: str, now: str) -> Iterator[StampDifference]:
    """Yield a note unless the same modules computed the numbers."""
    if then != now:
        yield StampDifference("code", "code", "The modules that computed the numbers are others.")


def _is_older(stamp: Stamp, again: Stamp) -> bool:
    """Return whether another version made the stamp, which may record less."""
    return stamp.versions.get("jurydesk") != again.versions.get("jurydesk")


def _scores(stamp: Stamp, again: Stamp) -> Iterator[StampDifference]:
    now = {score.metric: score for score in again.scores}
    for before in stamp.scores:
        after = now.pop(before.metric, None)
        if after is None:
            yield _score_difference(
                before.metric, fill("{then} in the stamp, not given now", repr(before.value))
            )
        elif not _is_same(before.value, after.value):
            yield _score_difference(
                before.metric,
                fill("{now} now, {then} in the stamp", repr(after.value), repr(before.value)),
            )
        elif before.n != after.n:
            yield _score_difference(
                before.metric,
                fill("over {now:,} items now, over {then:,} in the stamp", after.n, before.n),
            )
        elif not _is_same(before.std, after.std):
            yield _score_difference(
                before.metric,
                fill(
                    "standard deviation {now} now, {then} in the stamp",
                    repr(after.std),
                    repr(before.std),
                ),
            )
        elif before.interval is None and after.interval is not None:
            if not _is_older(stamp, again):
                text = translatable("it has an interval now, and none in the stamp")
                yield _score_difference(before.metric, text, "interval")
        elif before.interval is not None and after.interval is None:
            text = translatable("it has an interval in the stamp, and none now")
            yield _score_difference(before.metric, text, "interval")
        elif before.interval is not None and after.interval is not None:
            made, stamped = _interval_text(after.interval), _interval_text(before.interval)
            if made != stamped and not _is_older(stamp, again):
                text = fill("interval by {now} now, {then} in the stamp", made, stamped)
                yield _score_difference(before.metric, text, "interval")
            elif not all(map(_is_same, _limits(before.interval), _limits(after.interval))):
                limits, now_limits = _limits(before.interval), _limits(after.interval)
                text = fill("interval {now} now, {then} in the stamp", str(now_limits), str(limits))
                yield _score_difference(before.metric, text, "interval")
    for name in now:
        yield _score_difference(name, fill("{now} now, not in the stamp", repr(now[name].value)))


def _score_difference(metric: str, text: str, kind: Kind = "score") -> StampDifference:
    return StampDifference(kind, metric, fill("{metric}: {text}.", metric, text))


def _limits(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _interval_text(interval: Interval) -> str:
    return fill("{method} at {level:g}", Message(interval.method), interval.level)


def _is_same(one: float, other: float) -> bool:
    close = math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)
    return close or (math.isnan(one) and math.isnan(other))


def version_notes(
    then: Mapping[str, str], now: Mapping[str, str], device_then: str, device_now: str
) -> Iterator[StampDifference]:
    """Yield versions and devices other than those in the stamp."""
    for name in dict.fromkeys([*now, *then]):
        version, recorded = now.get(name, "missing"), then.get(name, "unknown")
        if recorded != version:
            sentence = fill(
                "{name} is {version} now, {recorded} in the stamp.", name, version, recorded
            )
            yield StampDifference("version", name, sentence)
    if device_then != device_now:
        sentence = fill(
            "Computed on {device_now} now, on {device_then} in the stamp.", device_now, device_then
        )
        yield StampDifference("device", "device", sentence)
