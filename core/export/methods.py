"""Methods paragraph of a leaderboard for a paper, with its BibTeX."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from jurydesk.core.analysis.leaderboard import Leaderboard
from jurydesk.core.analysis.leaderboard_finding import no_intervals, no_ranks
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.leaderboard_table import metric_notes, shown_metrics
from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.export.bibliography import (
    HOLM,
    INTERVALS,
    RANK_INTERVALS,
    ROMANO_WOLF,
    BibliographyEntry,
    cited_entries,
    program_entry,
)
from jurydesk.core.export.stamps_export import Stamps, latex_comments
from jurydesk.core.language import counted
from jurydesk.core.model.evaluation import Json, MetricInfo
from jurydesk.core.statistics.groups import FEWEST_GROUPS
from jurydesk.core.statistics.inference import CORRECTION_NAMES
from jurydesk.core.tables.latex_table import escape_latex
from jurydesk.core.version import __version__

PROFILES = {
    "published": "reproduces the original program, including its quirks",
    "corrected": "fixes the documented quirks of the original program",
    "icfhr": "follows the program of the ICFHR 2014 competition",
}
CORRECTIONS = {"romano-wolf": ROMANO_WOLF, "holm": HOLM}
DIGITS = 12
"""Digits of a SHA-256 that identify a file in a paper."""


def methods_latex(
    task: AnyTask, board: Leaderboard, stamps: Stamps, metrics: Sequence[MetricInfo] = ()
) -> bytes:
    """Return a LaTeX paragraph per profile, and the BibTeX of what they cite.

    `metrics` are those that a paper reports; without any, those shown by default.
    """
    writer = _Writer(task, board, stamps, metrics, escape_latex, "~\\cite{{{}}}", ",")
    paragraphs = list(writer.paragraphs())
    head = "% Methods section for a paper; the cited BibTeX entries are below."
    entries = [one.bibtex() for one in writer.used.values()]
    comments = ["\n".join(latex_comments(board, stamps))] if stamps else []
    text = "\n\n".join([head, *paragraphs, *entries, *comments])
    return f"{text}\n".encode("utf-8", errors="backslashreplace")


def methods_text(
    task: AnyTask, board: Leaderboard, stamps: Stamps, metrics: Sequence[MetricInfo] = ()
) -> tuple[list[str], str]:
    """Return the same paragraphs as plain text, with keys in brackets, and their BibTeX."""
    writer = _Writer(task, board, stamps, metrics, str, " [{}]", ", ")
    paragraphs = list(writer.paragraphs())
    return paragraphs, "\n\n".join(one.bibtex() for one in writer.used.values())


@dataclass(slots=True)
class _Writer:
    """Writer of sentences about the evaluations of a leaderboard, with their references."""

    task: AnyTask
    board: Leaderboard
    stamps: Stamps
    metrics: Sequence[MetricInfo]
    escape: Callable[[str], str]
    citation: str
    comma: str
    used: dict[str, BibliographyEntry] = field(default_factory=dict)

    def paragraphs(self) -> Iterator[str]:
        """Yield one paragraph per profile."""
        profiles: dict[str, list[LeaderboardRow]] = {}
        for row in self.board.rows:
            profiles.setdefault(row.summary.profile, []).append(row)
        for profile, rows in profiles.items():
            stamps = [self.stamps[row.summary.id] for row in rows if row.summary.id in self.stamps]
            significance = self.board.significance_tests.get(profile)
            sentences = (
                *self._scoring_sentences(profile, rows, stamps),
                *self._inputs(stamps),
                *(intervals := tuple(self._intervals(rows, stamps, significance))),
                *self._tests(significance if any(row.rank for row in rows) else None, intervals),
                *self._machine(stamps),
            )
            yield " ".join(sentences)

    def cite(self, *references: BibliographyEntry) -> str:
        """Return the citation of these references, and add them to the BibTeX."""
        self.used |= {one.key: one for one in references}
        keys = self.comma.join(one.key for one in references)
        return self.citation.format(keys) if keys else ""

    def _scoring_sentences(
        self, profile: str, rows: Sequence[LeaderboardRow], stamps: Sequence[Json]
    ) -> Iterator[str]:
        versions = _values(one["versions"].get("jurydesk", "") for one in stamps)
        program = f"Jurydesk {', '.join(versions) or __version__}"
        systems = counted(len(rows), "system")
        sizes = {row.summary.n_items for row in rows}
        items = " to ".join(f"{size:,}" for size in sorted({min(sizes), max(sizes)}))
        noun = self.task.item_noun[items != "1"]
        yield (
            f"We scored {systems} on {items} {noun} of the competition "
            f"{self.escape(self.task.title)} with {program}"
            f"{self.cite(program_entry(versions[-1] if versions else __version__))}."
        )
        means = f" {PROFILES[profile]}" if profile in PROFILES else " was chosen"
        yield f"The profile {self.escape(profile)}{means}."
        metrics = [
            self.escape(info.title) + self.cite(*cited_entries([info.source]))
            for info in self._reported()
        ]
        if metrics:
            yield f"We report {_join_names(metrics)}."
        yield from map(self.escape, filter(None, [self.board.received]))
        yield from map(self.escape, metric_notes(self.board, self._reported()))
        names = [row.summary.system for row in rows]
        remarks = self.board.remarks
        if noted := [f"{name}: {remarks[name]}" for name in names if name in remarks]:
            yield f"Remarks: {self.escape('; '.join(noted))}."

    def _reported(self) -> Sequence[MetricInfo]:
        return self.metrics or shown_metrics(self.board)

    def _inputs(self, stamps: Sequence[Json]) -> Iterator[str]:
        settings = _values(
            ", ".join(f"{name} {value}" for name, value in one["settings"].items())
            for one in stamps
        )
        if settings:
            yield f"Settings: {self.escape('; '.join(settings))}."
        files = _values(
            f"{PurePath(source['path']).name} (SHA-256 {source['sha256'][:DIGITS]})"
            for one in stamps
            for source in one["references"]
        )
        if files:
            yield f"Reference data: {self.escape(', '.join(files))}."

    def _intervals(
        self,
        rows: Sequence[LeaderboardRow],
        stamps: Sequence[Json],
        significance: PairwiseSignificance | None,
    ) -> Iterator[str]:
        info = self.board.headline
        scores = [score for row in rows for score in row.summary.scores if score.interval]
        if info is not None and any(score.metric == info.name for score in scores):
            scores = [score for score in scores if score.metric == info.name]
        methods = _values(score.interval.method for score in scores if score.interval)
        if not methods:
            yield self.escape(_no_intervals(significance, self.task.item_noun))
            return
        known = [one for part, one in INTERVALS.items() if any(part in text for text in methods)]
        sources = {one.key: one for one in known}.values()
        level = next(score.interval.level for score in scores if score.interval)
        seeds = _values(str(one["seeds"].get("bootstrap", "")) for one in stamps)
        units = significance.size(self.task.item_noun) if significance else ""
        group = units.partition(" (")[0]
        is_named = any(f" of {group}" in one or " resamples of " in one for one in methods)
        over = f" over {units}" if units and not is_named else ""
        named = "; ".join(methods).replace(f" of {group}", f" of {units}", 1)
        seed = f" (seed {', '.join(seeds)})" if seeds else ""
        percent = self.escape(f"{100 * level:g} %")
        yield f"Intervals ({percent}): {named}{over}{seed}{self.cite(*sources)}."
        if not self.board.is_noted:  # else it stands beside the metrics
            yield from (self.escape(one.caveat) for one in self._reported() if one.caveat)

    def _tests(
        self, significance: PairwiseSignificance | None, intervals: Sequence[str]
    ) -> Iterator[str]:
        """Yield how pairs were tested; what was resampled is named unless `intervals` name it."""
        if significance is None or not significance.tested:
            return
        pairs = counted(significance.tested, "pair")
        method = significance.method
        rounds = f", {significance.rounds:,} rounds" if significance.rounds else ""
        if not rounds:
            method = method.replace("approximate", "exact")
        corrected = ""
        if significance.tested > 1:  # a single pair has nothing to correct for
            cited = self.cite(CORRECTIONS[significance.correction])
            name = CORRECTION_NAMES[significance.correction]
            corrected = (
                f"The p values are corrected for all pairs by the procedure of {name}{cited}."
            )
        units = significance.size(self.task.item_noun)
        over = "" if any(units in one for one in intervals) else f" over {units}"
        yield (
            f"The differences of {pairs} of systems by {self.escape(significance.metric.title)} "
            f"were tested two-sided by {method}{rounds}{over}."
        )
        yield from filter(None, [corrected])
        if significance.group_noun and "randomisation" in method:
            items, group = self.task.item_noun[1], significance.group_noun[0]
            yield f"The scores of all {items} of a {group} were swapped together."
        if significance.overruled:
            pairs = counted(significance.overruled, "pair")
            yield (
                f"In {pairs} the differences are lopsided: the studentized bootstrap decides in "
                "place of the test."
            )
        yield from self._families(significance)
        if not math.isnan(significance.detectable):
            smallest = f"{significance.detectable:.{significance.metric.decimals}f}"
            yield f"The minimum detectable difference at a power of 0.8 is {smallest}."

    def _families(self, significance: PairwiseSignificance) -> Iterator[str]:
        """Yield how ranks follow from the tests, and what their correction does not cover."""
        alpha = f"{1 - significance.level:.2g}"
        if not significance.claims_ranks:
            yield no_ranks(significance, self.task.item_noun)
            return
        if significance.incomparable:
            count, items = counted(significance.incomparable, "pair"), self.task.item_noun[1]
            yield f"In {count} the systems share too few {items} to be compared."
        elif len(significance.pairs) == 1:
            yield f"Both systems share rank 1 where p is {alpha} or higher."
            return
        percent = self.escape(f"{100 * significance.level:g} %")
        yield (
            f"Rank intervals hold for all systems together at {percent}{self.cite(RANK_INTERVALS)}."
        )
        yield (
            "Each system ranks below those that are better, and above those that are worse, with a "
            f"corrected p below {alpha}."
        )
        others = "Other metrics, profiles and slices are tested by themselves"
        yield f"{others}: p is not corrected for them."

    def _machine(self, stamps: Sequence[Json]) -> Iterator[str]:
        versions = _values(
            f"{name} {version}"
            for one in stamps
            for name, version in one["versions"].items()
            if name != "jurydesk"
        )
        devices = _values(one.get("device", "") for one in stamps)
        if versions:
            yield f"Software: {self.escape(', '.join(versions))}."
        if devices:
            yield f"Device: {self.escape(', '.join(devices))}."


def _no_intervals(significance: PairwiseSignificance | None, noun: tuple[str, str]) -> str:
    """Say why no score has an interval."""
    if significance is not None and significance.groups < FEWEST_GROUPS:
        return no_intervals(significance, noun)
    if significance is not None and significance.inequality:
        return (
            f"No score has an interval: {significance.size(noun)} count as fewer, "
            f"{significance.inequality}."
        )
    return "No score has an interval."


def _values(texts: Iterable[str]) -> list[str]:
    """Return the distinct texts that are not empty, in their order."""
    return [text for text in dict.fromkeys(texts) if text]


def _join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
