"""Writing the packets of a study, as files for the program and as pages for any browser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.defects import Defect
from core.desk import Desk
from core.paths import write_atomically
from core.rating.html import page_bytes
from core.rating.packet import SUFFIX, content_for, write_packet
from core.rating.photos import Photos
from core.rating.store import RatingStore
from core.rating_design import STORIES, Noun


@dataclass(frozen=True, slots=True)
class Written:
    """The files that were written, how many pictures are missing, and which cannot be read."""

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
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Written:
    """Write a packet for every rater (or those of these codes), and record it in the desk.

    `report` hears how many packets are written of how many, and may raise to stop.
    """
    store = RatingStore(desk)
    study = store.required_study()
    photos = Photos(Path(study.images) if study.images else None)
    paths: list[Path] = []
    missing: set[str] = set()
    wanted = [rater for rater in study.raters if codes is None or rater.code in codes]
    for number, rater in enumerate(wanted):
        report(number, len(wanted))
        content = content_for(study, rater, photos)
        missing.update(photo.missing for item in content.items for photo in item.all_photos)
        path = folder / f"{rater.code}{SUFFIX}"
        write_atomically(path, partial(write_packet, content))
        paths.append(path)
        if html:
            page = folder / f"{rater.code}.html"
            write_atomically(page, page_bytes(content))
            paths.append(page)
        store.add_packet(content.sha256, rater.code)
    return Written(tuple(paths), len(missing - {""}), tuple(photos.defects), study.words.picture)
