"""Recomputation of an export: the whole file is made again from the results of its stamps.

Scores follow from stamps alone; ranks, tests, slices, comparisons, figures and items follow from
all systems together, and those of ratings from the answers in a desk. So the same code makes the
file again in a desk of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from jurydesk.core.analysis.average_rank import average_ranks
from jurydesk.core.analysis.comparison.profile_comparison import compare_profiles, with_rule_steps
from jurydesk.core.analysis.item_attributes import ItemAttributes
from jurydesk.core.analysis.leaderboard import make_leaderboard
from jurydesk.core.analysis.robustness.assessment import assess_robustness
from jurydesk.core.analysis.significance.item_discrimination import assess_items
from jurydesk.core.analysis.significance.leaderboard_significance import desk_significance
from jurydesk.core.analysis.slice_leaderboard import slice_leaderboards
from jurydesk.core.analysis.slices import find_slice
from jurydesk.core.analysis.stamped_inputs import compare_by_metric
from jurydesk.core.competition.declared_metrics import with_metrics
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk.inference_settings import store_inference
from jurydesk.core.desk.item_queries import declared_metrics
from jurydesk.core.execution.stamped_files import NOT_CHOSEN
from jurydesk.core.export.board_file import (
    AVERAGED,
    FORMATS,
    MARKS,
    NOTED,
    RECEIVED,
    BoardContent,
    Format,
    board_file,
    export_settings,
)
from jurydesk.core.export.discrimination_export import (
    DISCRIMINATION_FORMATS,
    DiscriminationFormat,
    discrimination_file,
)
from jurydesk.core.export.export_settings import (
    REMARKS,
    ExportSettings,
    published_settings,
    settings_errors,
)
from jurydesk.core.export.items_export import ITEM_FORMATS
from jurydesk.core.export.pairwise_export import (
    COMPARISON,
    PROFILES,
    comparisons_json,
    profiles_json,
)
from jurydesk.core.export.results_json import encode_json
from jurydesk.core.export.robustness import ROBUSTNESS_FORMATS, RobustnessFormat, robustness_file
from jurydesk.core.export.robustness import TITLE as ROBUSTNESS
from jurydesk.core.human_evaluation.design.study_store import RatingStore, copy_ratings
from jurydesk.core.human_evaluation.results.competition_plan import (
    PLAN_FORMATS,
    PlanFormat,
    PlanWish,
    plan_file,
    plan_from_pilot,
)
from jurydesk.core.human_evaluation.results.metric_correlation import add_ratings
from jurydesk.core.human_evaluation.results.ratings_export import (
    RATINGS_FORMATS,
    RatingsFormat,
    ratings_file,
)
from jurydesk.core.intake.file_signatures import DESK, own_file_type
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import Evaluation, Json, Source, UsageError
from jurydesk.core.model.json_codec import from_json
from jurydesk.core.model.stamp import Stamp, StampError
from jurydesk.core.readers.text_file import file_head
from jurydesk.core.system.network_shares import is_strange_share
from jurydesk.core.verification.differences import ExportDifference, find_difference
from jurydesk.core.verification.errata import recompute_errata
from jurydesk.core.verification.scored_again import Recomputation, ScoredAgain
from jurydesk.core.verification.tables import TABLES, make_table
from jurydesk.core.workflow.errata.errata_export import ERRATA

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

DESKS = "*.jurydesk"
OF_THE_DESK = {
    "stale": translatable("the marks of outdated results"),
    "server": translatable("the numbers of the server"),
    REMARKS: translatable("the remarks on submissions"),
    RECEIVED: translatable("the remarks on submissions"),
}
"""Settings that the desk of an export alone can confirm, and what they are."""
MISSING = object()
"""Value of a setting that is not there."""


def recompute_export(
    task: AnyTask, found: ScoredAgain, settings: ExportSettings, run: Run
) -> tuple[bytes, list[str]]:
    """Make an export again, in a desk of its own; return also what its settings alone know.

    The labels of `settings.inference` are those of the file's groups. Raises StampError for
    settings that are damaged or do not fit the results, and Cancelled.
    """
    if settings.kind not in MAKERS:
        raise StampError(
            fill(
                "The settings in the file name an unknown format: {kind}.",
                repr(settings.kind),
            )
        )
    with Desk.temporary() as desk:
        desk.set_competition(task.id, str(settings.values.get("title", task.title)), {})
        store_inference(desk, settings.inference)
        with run.computing():
            for evaluation in found.evaluations:
                desk.add(evaluation)
        desk.merge_inputs(found.inputs, task.submission_input().role)
        if found.ratings is not None:
            with Desk.open(found.ratings, read_only=True) as rated:
                copy_ratings(RatingStore(rated), RatingStore(desk))
        make = MAKERS[settings.kind]
        task = with_metrics(task, declared_metrics(desk))
        again = Recomputation(desk, task, settings, found.evaluations, run)
        try:
            made = make(again)
            return made, [*again.unchecked, *_unconfirmed_settings(settings)]
        except UsageError as error:
            raise StampError(
                fill("The settings in the file do not fit its results: {error}", error)
            ) from error


def _unconfirmed_settings(settings: ExportSettings) -> Iterator[str]:
    """Yield the settings that nothing read, and those that this version would write otherwise."""
    values = settings.values
    if settings.kind not in FORMATS:  # the settings of a board are made again
        yield from (f"settings.{name}" for name in values.unread)
    for name, value in settings.own_values().items():
        if values.get(name) != value:
            yield f"settings.{name}"


def _board(again: Recomputation) -> bytes:
    settings = again.settings
    with settings_errors():
        stale = frozenset(map(str, settings.values["stale"]))
        server = from_json(dict[str, dict[str, str]], settings.values.get("server", {}))
        metrics = [str(name) for name in settings.values["metrics"]]
        slices = [(str(title), str(column)) for title, column in settings.values["slices"]]
    desk, run, inference = again.desk, again.run, settings.inference
    summaries = [
        replace(one, stale=one.system in stale, server=server.get(one.system, {}))
        for one in desk.evaluations()
    ]
    significance = desk_significance(desk, again.task, summaries, run, inference)
    is_noted = settings.values.get(MARKS) == NOTED
    rated = add_ratings(again.task, summaries, desk, is_noted=is_noted)
    whole = make_leaderboard(*rated, significance, inference.rank_by)
    if averaged := settings.values.get(AVERAGED):
        ranks = average_ranks(desk, again.task, summaries, averaged, run, inference)
        whole = replace(whole, average_ranks=ranks)
    sliced = []
    if slices:
        attributes = ItemAttributes(desk, again.task, summaries, run)
        chosen = [find_slice(attributes, title, column) for title, column in slices]
        sliced = slice_leaderboards(desk, again.task, summaries, chosen, run, inference)
    known = {info.name: info for info in whole.metrics}
    shown = [known[name] for name in metrics if name in known]
    content = BoardContent(desk, again.task, whole, inference, sliced, shown, (), settings.ratings)
    again.unchecked.extend(_unconfirmed_choices(again, content))
    return board_file(cast("Format", settings.kind), content, run, settings.values)


def _unconfirmed_choices(again: Recomputation, content: BoardContent) -> Iterator[str]:
    """Yield what the desk alone can confirm: title, other results, marks of outdated results."""
    values = published_settings(again.settings.values)
    if values.get("title") != again.task.title:
        yield translatable("the title")
    yield from dict.fromkeys(what for name, what in OF_THE_DESK.items() if values.get(name))
    kind = cast("Format", again.settings.kind)
    expected = {**export_settings(kind, content), "ratings": values.get("ratings")}
    for name in dict.fromkeys([*expected, *values]):
        is_named = name in OF_THE_DESK and values.get(name)
        if values.get(name, MISSING) != expected.get(name, MISSING) and not is_named:
            yield f"settings.{name}"


def _comparison(again: Recomputation) -> bytes:
    values = again.settings.values
    with settings_errors():
        profile, metrics = str(values["profile"]), [str(name) for name in values["metrics"]]
        first, second = map(str, values["systems"])
        number = values["resamples"]
        resamples = None if number is None else from_json(int, number)
    found = {one.system: one for one in again.desk.evaluations() if one.profile == profile}
    known = {info.name: info for info in again.task.scoring.metrics}
    try:
        pair, infos = (found[first], found[second]), [known[name] for name in metrics]
    except KeyError as error:
        raise UsageError(fill("{args} is unknown.", error.args[0])) from error
    compared = [
        compare_by_metric(
            again.desk, again.task, info, pair, again.run, resamples, again.settings.inference
        )
        for info in infos
    ]
    origin = again.origin
    return encode_json(comparisons_json(again.task.id, profile, (first, second), compared, origin))


def _profiles(again: Recomputation) -> bytes:
    values = again.settings.values
    with settings_errors():
        first, second = again.evaluations
        metric = again.task.metric(str(values["metric"]))
    found = compare_profiles(again.task, first, second, metric, again.run)
    found = with_rule_steps(found, again.desk, again.task, again.run)
    named = replace(found, system=str(values["system"]))
    if named.system not in (first.system, second.system):
        again.unchecked.append("settings.system")
    return encode_json(profiles_json(named, again.origin))


def _robustness(again: Recomputation) -> bytes:
    values, inference = again.settings.values, again.settings.inference
    with settings_errors():
        profile, reason = str(values["profile"]), str(values["not_rescored"])
        rescoring = from_json(bool, values["rescoring"]) and not reason
    found = assess_robustness(
        again.desk, again.task, profile, again.run, rescoring=rescoring, inference=inference
    )
    if found is None:
        raise UsageError("fewer than two systems have a reliable score.")
    if reason:
        again.unchecked.append("settings.not_rescored")
        found = replace(found, left_out=(*found.left_out, reason), not_rescored=reason)
    return robustness_file(cast("RobustnessFormat", again.settings.kind), found, again.origin)


def _discrimination(again: Recomputation) -> bytes:
    with settings_errors():
        profile = str(again.settings.values["profile"])
    inference = again.settings.inference
    found = assess_items(again.desk, again.task, profile, again.run, inference)
    if found is None:
        raise UsageError("fewer than two systems have values by item.")
    kind = cast("DiscriminationFormat", again.settings.kind)
    return discrimination_file(kind, found, again.origin)


def _plan(again: Recomputation) -> bytes:
    values, inference = again.settings.values, again.settings.inference
    with settings_errors():
        request = PlanWish(
            str(values["profile"]),
            from_json(int, values["planned systems"]),
            from_json(tuple[float, ...], values["differences"]),
            from_json(tuple[float, ...], values["points"]),
            from_json(float, values["power"]),
            from_json(int, values["group size"]),
        )
    plan = plan_from_pilot(again.desk, again.task, request, again.run, inference)
    return plan_file(cast("PlanFormat", again.settings.kind), plan, again.origin)


def _items(again: Recomputation) -> bytes:
    blocks = ITEM_FORMATS[again.settings.kind.removeprefix("items ")]
    return b"".join(blocks(again.evaluations))


def _ratings(again: Recomputation) -> bytes:
    kind = cast("RatingsFormat", again.settings.kind)
    return ratings_file(kind, again.desk, again.task, again.run, again.origin)


def _errata(again: Recomputation) -> bytes:
    return encode_json(recompute_errata(again))


MAKERS: Mapping[str, Callable[[Recomputation], bytes]] = {
    **dict.fromkeys(FORMATS, _board),
    COMPARISON: _comparison,
    PROFILES: _profiles,
    **dict.fromkeys(ROBUSTNESS_FORMATS, _robustness),
    **dict.fromkeys(DISCRIMINATION_FORMATS, _discrimination),
    **dict.fromkeys(PLAN_FORMATS, _plan),
    **{f"items {kind}": _items for kind in ITEM_FORMATS},
    **dict.fromkeys(TABLES, make_table),
    **dict.fromkeys(RATINGS_FORMATS, _ratings),
    ERRATA: _errata,
}
"""Functions that make an export again, by format."""

FORMS: Mapping[str, str] = {
    "csv": "csv",
    "html": "html",
    "latex": "lines",
    "methods": "lines",
    "robustness csv": "csv",
    "discrimination csv": "csv",
    "plan csv": "csv",
    "robustness latex": "lines",
    "items csv": "csv",
    "items jsonl": "jsonl",
    **{kind: "csv" for kind in TABLES if kind.endswith("csv")},
    "every rating": "csv",
}
"""Form of the formats that are not JSON, for the comparison."""


def compare_export(
    task: AnyTask,
    found: ScoredAgain,
    settings: ExportSettings,
    recorded: Json,
    run: Run,
    *,
    is_older: bool = False,
) -> tuple[ExportDifference | None, list[str]]:
    """Make an export again and return its first difference, and what was not made again.

    What an older version wrote and this one does not is not made again. `recorded` is the file's
    text, or its document if it is JSON. Raises as `recompute_export`.
    """
    content, unchecked = recompute_export(task, found, settings, run)
    form = FORMS.get(settings.kind, "json")
    # A report of some of a desk's results has choices that need the others.
    is_part = form == "html" and settings.values.get("results in desk") != settings.results
    difference, unknown = find_difference(
        form,
        recorded,
        content.decode(),
        (ROBUSTNESS,) if is_part else (),
        incomplete=is_older or settings.kind == ERRATA,
    )
    return difference, [*unchecked, *unknown]


def stamped_sources(evaluation: Evaluation) -> tuple[Source, ...]:
    """Return the input files and folders of a result, as they are in its stamp."""
    stamp = Stamp.from_json(evaluation.stamp)
    return (*stamp.inputs, *stamp.folders)


def locate_ratings(source: Source, folders: Sequence[Path]) -> Path | str:
    """Return the desk with these study and answers, or a sentence that it was not found.

    It is searched for at its own path, then among the desks of `folders`.
    """
    changed = False
    recorded = [] if is_strange_share(source.path, folders) else [Path(source.path)]
    candidates = [*recorded, *(one for folder in folders for one in folder.glob(DESKS))]
    for path in dict.fromkeys(candidates):
        if path.is_file() and own_file_type(file_head(path)) == DESK:
            try:
                with Desk.open(path, read_only=True) as desk:
                    if RatingStore(desk).fingerprint() == source.sha256:
                        return path
                changed |= path.name == Path(source.path).name
            except DeskError:
                continue
    if not recorded and not changed:
        return fill(NOT_CHOSEN, source.path)
    name = Path(source.path).name
    if changed:
        return fill("{name} changed: its ratings are not those of the file.", name)
    return fill("{name} with the ratings is missing: give its folder with --inputs FOLDER.", name)
