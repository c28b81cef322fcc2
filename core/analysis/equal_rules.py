"""Evaluations under equal rules: numbers of different protocols are never set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import fill, name_list

if TYPE_CHECKING:
    from jurydesk.core.competition.task import Task
    from jurydesk.core.desk.summary import Summary


def under_equal_rules(
    task: Task[Any, Any, Any], summaries: Sequence[Summary]
) -> tuple[Sequence[Summary], list[str]]:
    """Return the evaluations under the same rules, and the systems of the others.

    Those of the desk's present options stay, else the largest group.
    """
    groups: dict[str, list[Summary]] = {}
    for one in summaries:
        groups.setdefault(_rules(task, one), []).append(one)
    if len(groups) < 2:
        return summaries, []
    kept = max(groups.values(), key=lambda group: (not all(one.stale for one in group), len(group)))
    others = [one.system for group in groups.values() if group is not kept for one in group]
    return kept, list(dict.fromkeys(others))


def other_rules_sentence(systems: Sequence[str]) -> str:
    """Return that systems are left out."""
    return fill(
        "Left out, since they were scored under other rules: {systems}.", name_list(systems)
    )


def left_out_sentences(
    task: Task[Any, Any, Any], summaries: Sequence[Summary], profile: str
) -> list[str]:
    """Return that systems of a profile are left out; nothing if none is."""
    _, others = under_equal_rules(task, summaries)
    of_profile = {one.system for one in summaries if one.profile == profile}
    named = [one for one in others if one in of_profile]
    return [other_rules_sentence(named)] if named else []


def comparison_refusal(task: Task[Any, Any, Any], pair: Sequence[Summary]) -> str:
    """Return why two evaluations cannot be compared; empty under equal rules."""
    if len({_rules(task, one) for one in pair}) < 2:
        return ""
    return fill(
        "{first} and {second} were scored under different rules: score both under the same.",
        *(one.system for one in pair[:2]),
    )


def _rules(task: Task[Any, Any, Any], summary: Summary) -> str:
    """Return the options of an evaluation by which scores differ in meaning."""
    rules = [summary.options.get(name) for name in task.scoring.rule_options]
    return repr([None if value == "" else value for value in rules])
