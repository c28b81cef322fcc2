"""Errata, made again from the stamps of the results before and after."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from jurydesk.core.desk import Desk
from jurydesk.core.export.export_settings import settings_errors
from jurydesk.core.export.results_json import SCHEMA
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Evaluation, Json, Source
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.model.stamp import Stamp
from jurydesk.core.statistics.inference import Inference
from jurydesk.core.verification.scored_again import Recomputation
from jurydesk.core.workflow.errata.apply_errata import changed_references, profile_effect
from jurydesk.core.workflow.errata.errata_export import ERRATA
from jurydesk.core.workflow.errata.errata_record import AFTER, BEFORE, INFERENCE, effect_json


def recompute_errata(again: Recomputation) -> Json:
    """Return the document of the errata in the settings, which it has by their place in the list.

    Which systems could not be scored then is left out: it follows from no stamp. Raises StampError
    for damaged settings.
    """
    with settings_errors():
        if again.settings.values["title"] != again.task.title:
            again.unchecked.append(translatable("the title"))
        entries = again.settings.values["errata"]
        found = {str(entry["place"]): _erratum(again, entry) for entry in entries}
    return {"schema": SCHEMA, "task": again.task.id, ERRATA: found, **again.origin.members()}


def _erratum(again: Recomputation, entry: Mapping[str, Json]) -> Json:
    """Return an erratum; raises as damaged settings do."""
    before, after = (_results(again, entry[name]) for name in (BEFORE, AFTER))
    settings = again.settings.inference
    inference = from_json(Inference, entry[INFERENCE])
    inference = replace(inference, labels=settings.labels, source=settings.source)
    old, new = changed_references(_references(before), _references(after))
    with _new_desk(again, before) as desk:
        effects = (
            profile_effect(desk, again.task, profile, of_profile, inference, again.run)
            for profile, of_profile in _by_profile(after)
        )
        parts = [effect_json(effect) for effect in effects if effect is not None]
    return {
        "created": str(entry["created"]),
        "before": to_json(old),
        "after": to_json(new),
        "parts": parts,
    }


def _results(again: Recomputation, places: Sequence[Json]) -> list[Evaluation]:
    """Return the results with these stamps, which may each have one place only."""
    found = [int(place) for place in places]
    if len(set(found)) < len(found) or not all(0 <= one < len(again.evaluations) for one in found):
        raise ValueError("the places of stamps are not valid")
    return [again.evaluations[place] for place in found]


def _references(evaluations: Sequence[Evaluation]) -> list[Source]:
    """Return the reference files of results, each once, by their stamps."""
    stamps = (Stamp.from_json(one.stamp) for one in evaluations)
    return list(dict.fromkeys(source for stamp in stamps for source in stamp.references))


@contextlib.contextmanager
def _new_desk(again: Recomputation, evaluations: Sequence[Evaluation]) -> Iterator[Desk]:
    """Create a desk with these results, which is deleted."""
    with Desk.temporary() as desk:
        desk.set_competition(again.task.id, again.task.title, {})
        for evaluation in evaluations:
            desk.add(evaluation)
        yield desk


def _by_profile(evaluations: Sequence[Evaluation]) -> Iterator[tuple[str, list[Evaluation]]]:
    for profile in dict.fromkeys(one.profile for one in evaluations):
        yield profile, [one for one in evaluations if one.profile == profile]
