"""Document frequencies of a reference file: loading, saving, and counts of single words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import failure_reason, fill
from jurydesk.core.metrics.captioning.cider import DocumentFrequencies, document_frequencies
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tasks.visdial.dialogs import DialogReferences
from jurydesk.core.tasks.visdial.visdial_options import VisDialOptions

EXPECTED = "What --save-frequencies wrote is expected."


def read_frequencies(path: Path) -> Reading[DocumentFrequencies]:
    """Read saved document frequencies."""
    file = read_json_file(path)
    if not file.is_readable:
        return Reading(None, file.defects)
    try:
        return Reading(DocumentFrequencies.from_value(file.data), file.defects)
    except ValueError as fault:
        return Reading(None, (*file.defects, error(Place(str(path)), str(fault), EXPECTED)))


def save_frequencies(references: DialogReferences, options: VisDialOptions) -> Iterator[Defect]:
    """Save the frequencies if the options say so; yield a warning if it fails."""
    if not options.save_frequencies:
        return
    path = Path(options.save_frequencies)
    try:
        _save(references, path)
    except OSError as fault:
        found = fill("The document frequencies were not saved: {value}.", failure_reason(fault))
        yield warning(Place(str(path)), found)


@lru_cache(maxsize=1)
def _save(references: DialogReferences, path: Path) -> None:
    """Write the file once for all systems with the same references."""
    frequencies = references.frequencies or document_frequencies(references.texts())
    write_atomically(path, frequencies.to_json().encode())


@lru_cache(maxsize=1)
def word_frequencies(references: DialogReferences) -> DocumentFrequencies:
    """Count the reference sets that contain each word."""
    if references.frequencies is not None:
        return references.frequencies
    counts = Counter(
        word for texts in references.texts() for word in {w for text in texts for w in text.split()}
    )
    return DocumentFrequencies(len(references.sets), counts)
