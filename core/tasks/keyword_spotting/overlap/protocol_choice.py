"""Protocol of a competition: a preset, what the switches change of it, and what files suggest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jurydesk.core.language import Message, fill, name_list
from jurydesk.core.metrics.spotting.protocols import PROTOCOLS, SpottingRules
from jurydesk.core.model.evaluation import UsageError

if TYPE_CHECKING:
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

BY_CONTENT = {"boxes": "icdar2017", "lines": "icdar2017", "segments": "segments", "table": "table"}
"""Protocol of files that hold boxes, segments or a table, if none is chosen."""
ON_XML = ("iou25", "iou50")
"""Protocols for ICFHR 2014 XML, whose lists have no scores."""
SWITCHES = {
    "overlap_measure": "measure",
    "overlap": "threshold",
    **{name: name for name in ("strict", "claim", "repeated", "order")},
    **{name: name for name in ("collapse", "interpolate", "trapezoid")},
    **{name: name for name in ("top", "limit_relevant", "drop_first")},
}
"""Rules by the option that changes them."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """Rules that are applied, and the options that change those of the preset."""

    rules: SpottingRules
    changes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name of the protocol as a report shows it: `icdar2017, changed: overlap`."""
        if not self.changes:
            return self.rules.name
        names = name_list([f"--{name.replace('_', '-')}" for name in self.changes])
        return fill("{protocol}, changed: {options}", Message(self.rules.name), names)

    def of_profile(self, profile: str) -> SpottingRules:
        """Return the rules; corrected compares in double precision and takes signed coordinates.

        Queries of which nothing is relevant then leave the means.
        """
        if profile == "published" or self.rules.scored != "blocks":
            return self.rules
        return replace(self.rules, single=False, bounded=False, means_over="relevant")


def wants_overlap(options: KeywordSpottingOptions) -> bool:
    """Return whether the options ask for a protocol by overlap, whatever the files are."""
    return bool(options.protocol or options.overlap_measure) or options.overlap is not None


def choose_protocol(options: KeywordSpottingOptions, holds: str) -> Protocol:
    """Return the protocol of the options for files of this content; may raise UsageError.

    `holds` is boxes, segments, lines (either), a table, or xml for ICFHR 2014.
    """
    if options.profile == "icfhr":
        raise UsageError("The profile icfhr is defined for ICFHR 2014 XML alone.")
    name = options.protocol or BY_CONTENT.get(holds, "iou50")
    rules, changes = PROTOCOLS[name].changed(_choices(options))
    if holds == "xml" and name not in ON_XML:
        raise UsageError(
            fill(
                "{protocol} does not fit ICFHR 2014 XML, whose lists have no scores; {names} do.",
                Message(name),
                name_list(ON_XML),
            )
        )
    if (rules.measure == "location") != (rules.places in ("segments", "table", "words")):
        raise UsageError(
            fill("The protocol {protocol} has no overlap of boxes to choose.", Message(name))
        )
    by_rule = {rule: option for option, rule in SWITCHES.items()}
    return Protocol(rules, tuple(by_rule[rule] for rule in changes))


def _choices(options: KeywordSpottingOptions) -> dict[str, Any]:
    """Return the rules that the options set; an empty text or zero sets none."""
    found = {rule: getattr(options, option) for option, rule in SWITCHES.items()}
    return {rule: None if value == "" else value for rule, value in found.items()}
