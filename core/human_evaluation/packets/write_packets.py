"""Export of the packets of a study, as files for the program and as pages for any browser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jurydesk.core.competition.rating_design import STORIES, Noun
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet import SUFFIX, packet_content, write_packet
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.human_evaluation.packets.rating_page import rating_page_bytes
from jurydesk.core.model.defects import Defect
from jurydesk.core.system.paths import write_atomically


@dataclass(frozen=True, slots=True)
class WrittenPackets:
    """Written files, number of missing pictures, and defects of unreadable ones."""

    paths: tuple[Path, ...]
    missing: int
    defects: tuple[Defect, ...]
    noun: Noun = STORIES.picture


def write_packets(
    desk: Desk,
    folder: Path,
    *,
    html: bool = False,
    codes: Collection[str] | None = None,
    language: str = "en",
    report: Callable[[int, int], None] = lambda done, total: None,
) -> WrittenPackets:
    """Write a packet for every rater (or those with these codes), and record it in the desk.

    Instructions, statements and the page are in `language`; answers do not depend on it.
    `report` gets the number of written packets and the total, and may raise to cancel.
    """
    store = RatingStore(desk)
    study = store.required_study()
    photos = PhotoFolder(Path(study.images) if study.images else None)
    paths: list[Path] = []
    missing: set[str] = set()
    raters = [rater for rater in study.raters if codes is None or rater.code in codes]
    for number, rater in enumerate(raters):
        report(number, len(raters))
        content = packet_content(study, rater, photos, language)
        missing.update(photo.missing for item in content.items for photo in item.all_photos)
        path = folder / f"{rater.code}{SUFFIX}"
        write_atomically(path, partial(write_packet, content))
        paths.append(path)
        if html:
            page = folder / f"{rater.code}.html"
            write_atomically(page, rating_page_bytes(content))
            paths.append(page)
        store.add_packet(content.sha256, rater.code, signed=True)
    return WrittenPackets(
        tuple(paths), len(missing - {""}), tuple(photos.defects), study.words.picture
    )
