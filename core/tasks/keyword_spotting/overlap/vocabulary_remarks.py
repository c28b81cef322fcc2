"""Remarks on names: queries and documents that the two files spell differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurydesk.core.language import counted, fill, name_list, reason, translatable
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile
from jurydesk.core.tasks.keyword_spotting.overlap.readers.xml_reader import cut_extension

SPELLINGS = {
    translatable("They differ in case only: --case fold ignores it."): str.casefold,
    translatable(
        "They differ in an extension, which one of the files must cut off."
    ): cut_extension,
}
"""Advice by the spelling under which names would be equal."""


def shared_names(listed: SpotFile, relevant: SpotFile) -> tuple[Defect, ...]:
    """Return an error if no query is in both files, and warnings for names spelled otherwise."""
    place = Place(listed.path)
    own = _used(listed.queries, listed.spots.query.tolist())
    its = _used(relevant.queries, relevant.spots.query.tolist())
    if not own:
        return (warning(place, "The file lists nothing.", "Every query counts as 0."),)
    if not its:
        return ()
    if not set(own) & set(its):
        return (_nothing_shared(place, own, its),)
    return (*_other_case(place, own, its), *_documents(listed, relevant, place))


def _used(names: Sequence[str], numbers: Sequence[int]) -> list[str]:
    return [names[number] for number in dict.fromkeys(numbers)]


def _nothing_shared(place: Place, own: Sequence[str], its: Sequence[str]) -> Defect:
    one, other, hint = _alike(own, its)
    found = fill(
        'No query of the results is in the relevance file: "{own}" here, "{its}" there.', one, other
    )
    expected = "Results are scored for the queries of the relevance file."
    advice = reason(hint) if hint else "Give the files that belong together."
    return error(place, found, expected, advice)


def _alike(own: Sequence[str], its: Sequence[str]) -> tuple[str, str, str]:
    """Return two names that would be equal, and the advice; the first ones without any."""
    for advice, spell in SPELLINGS.items():
        known = {spell(name): name for name in its}
        for name in own:
            if spell(name) in known:
                return name, known[spell(name)], advice
    return own[0], its[0], ""


def _other_case(place: Place, own: Sequence[str], its: Sequence[str]) -> Iterator[Defect]:
    exact = set(its)
    folded = {name.casefold() for name in its}
    apart = [name for name in own if name not in exact and name.casefold() in folded]
    if apart:
        found = fill(
            "{queries} from relevant ones in case only: {names}.",
            counted(len(apart), "query differs", "queries differ"),
            name_list(apart[:3]),
        )
        effect = "Such a query counts as one without anything relevant."
        yield warning(place, found, effect, reason("--case fold ignores it."), count=len(apart))


def _documents(listed: SpotFile, relevant: SpotFile, place: Place) -> Iterator[Defect]:
    own = _used(listed.documents, listed.spots.document.tolist())
    its = _used(relevant.documents, relevant.spots.document.tolist())
    if set(own) & set(its):
        return
    one, other, _ = _alike(own, its)
    found = fill(
        'No document of the results is in the relevance file: "{own}" here, "{its}" there.',
        one,
        other,
    )
    cut = {cut_extension(name) for name in its}
    equal = sum(cut_extension(name) in cut for name in own)
    hint = "Check that both files name the documents alike."
    if equal:
        hint = reason(
            "Without extensions, {documents} equal.", counted(equal, "document is", "documents are")
        )
    yield warning(place, found, "Nothing is found.", hint, count=len(own))
