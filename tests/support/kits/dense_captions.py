"""Kits of dense captioning, and detections in every layout, for comparing page and program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jurydesk.core.model.json_codec import to_json
from jurydesk.core.participant_kit.kit import ParticipantKit
from jurydesk.core.tasks.densecap.densecap_task import TASK
from jurydesk.core.tasks.densecap.readers.json_shapes import FORMATS
from support.kits.browser_checker import BrowserChecker
from support.kits.cases import Case

BOX_FORMATS = ("auto", *FORMATS)


@dataclass(frozen=True, eq=False)
class Both:
    """The same kit in the program and in the page."""

    case: Case
    kit: ParticipantKit
    page: BrowserChecker
    path: Path

    def tell(self, content: bytes) -> list[dict[str, Any]]:
        """Return the defects of a file, which must be the same in both."""
        self.path.write_bytes(content)
        reported = to_json(self.case.participant(self.path, self.kit))
        wanted: list[dict[str, Any]] = json.loads(json.dumps(reported))
        assert self.page.check(content, self.path) == wanted, content[:2000]
        return wanted

    def found(self, data: Any) -> list[str]:
        """Return the defects of JSON, or of bytes, in both."""
        content = data if isinstance(data, bytes) else json.dumps(data).encode()
        return [one["found"] for one in self.tell(content)]


def both(truth: Path, folder: Path, box_format: str = "auto") -> Both:
    folder.mkdir()
    options = {"box_format": box_format}
    case = Case("boxes", TASK, {"ground-truth": (truth,)}, (), options)
    page = BrowserChecker(case, folder)
    return Both(case, case.kit(folder), page, folder / "a submission.json")


def kits_in(folder: Path) -> dict[str, Both]:
    """Return a kit for each box format, with two images of one id and the sizes of some."""
    truth = folder / "truth.json"
    boxes: dict[str, Any] = {"gt_boxes": [[50, 50, 20, 20]], "gt_captions": ["a kite"]}
    sizes: list[dict[str, Any]] = [
        {"image_id": "a", "width": 640, "height": 480.5},
        {"image_id": "a"},
        {"image_id": "__proto__", "width": 100, "height": 100},
        {"image_id": 7},
    ]
    truth.write_text(json.dumps({"images": [size | boxes for size in sizes]}))
    return {name: both(truth, folder / name, name) for name in BOX_FORMATS}


def region(**fields: Any) -> dict[str, Any]:
    return {"image_id": "a", "box": [5, 5, 9, 9], "caption": "a", "score": -1} | fields


def images(**fields: Any) -> dict[str, Any]:
    found = {"boxes": [[50, 50, 9, 9]], "captions": ["a"], "logprobs": [-1]}
    return {"images": [{"image_id": "a", "detections": found | fields}]}


def results(**fields: Any) -> dict[str, Any]:
    found = {"img_name": "a.JPG", "boxes": [[5, 5, 9, 9]], "captions": ["a"], "scores": [-1]}
    return {"results": [found | fields]}


def genome(**fields: Any) -> dict[str, Any]:
    found = {"x": 5, "y": 5, "width": 9, "height": 9, "phrase": "a", "score": -1}
    return {"id": "a", "regions": [found | fields]}
